"""The command line: a function for each command, whose options click reads.

A command turns its options into `Options` of a task and a `Setting` of the run, and gives them to `cli/run.py`; `_many` adds
the options that most commands share. `run` turns errors into messages and exit statuses.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ..codec.fields import COMPILED
from ..codec.table import outside
from ..conversion.canonical import OWN
from ..conversion.layouts import LAYOUTS, fits_batch
from ..errors import BrokenFormat
from ..formats import FORMATS
from . import comparing, identities, report, viewing, work
from .choices import KNOWN_LAYOUTS, PREFER, PROVIDERS, SOURCES, TARGETS
from .documents import PARQUET, Source, files
from .run import Setting, run as run_task
from .work import AUTO, Options, Outcome, Task

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
BUILD = "compiled" if COMPILED else "pure Python"


def run(argv: Sequence[str] | None) -> int:
    """Run the command. Returns the exit status."""
    _open_what_is_closed()
    stdout: Any = sys.stdout
    if isinstance(stdout, io.TextIOWrapper):
        stdout.reconfigure(errors="backslashreplace")  # excerpts and names of files may have any characters
    try:
        status = interlingua.main(None if argv is None else list(argv), "interlingua", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    except MemoryError:
        report.say("interlingua: out of memory: use smaller files, or fewer --jobs")
        return 1
    except BrokenPipeError:  # the reader of the output has closed it
        _give_up_output()
        return 1
    except OSError as error:
        report.say(f"interlingua: {error.filename or 'cannot write'}: {error.strerror}")
        if error.filename is not None:  # of what could not be opened
            return 2
        _give_up_output()
        return 1
    return status if isinstance(status, int) else 0


def _open_what_is_closed() -> None:
    """Let standard input be empty, and standard output and error be dropped, where the caller closed them (`>&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 -- until the process ends


def _give_up_output() -> None:
    """Let Python's flush at exit succeed; the error has been reported already."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="interlingua", message=f"%(prog)s, version %(version)s, {BUILD}")
def interlingua() -> None:
    """Conversations with LLMs: convert, validate, check, show and compare them.

    FILE is JSON or JSON lines, uncompressed, .gz or .zst; it may be a pattern, or - for standard input. FORMAT is the name of a
    provider's format (see `interlingua formats`), or interlingua for the package's own messages, requests and conversations.

    Exit status: 0 if all is well; 1 for invalid input, an error found by check, a loss under --strict, a difference found by
    diff or a stale schema; 2 for wrong usage; 130 if interrupted.
    """


def _many(command: FunctionT) -> FunctionT:
    """The options of every command that goes through documents."""
    for option in (
        click.argument("file", nargs=-1, required=True, type=click.Path()),
        click.option(
            "--column", "columns", multiple=True, metavar="NAME", help="A field of each row that holds a conversation."
        ),
        click.option(
            "--layout",
            type=KNOWN_LAYOUTS,
            metavar="NAME",
            help="The layout of the rows: see `interlingua formats --layouts`.",
        ),
        PREFER,
        click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="The number of processes."),
        click.option("--errors", metavar="FILE", type=click.Path(), help="Write what failed, and why, as JSON lines."),
        click.option("--quiet", "-q", is_flag=True, help="Print nothing but the output."),
    ):
        command = option(command)
    return command


@interlingua.command()
@_many
@click.option("--from", "source", type=SOURCES, metavar="FORMAT", help="The format of FILE; auto detects it.")
@click.option("--to", "target", type=TARGETS, required=True, metavar="FORMAT", help="The format to write.")
@click.option(
    "--say-source",
    is_flag=True,
    help="With --from auto, write the fields source and layout, which say what was detected.",
)
@click.option("--out", "-o", metavar="FILE", type=click.Path(), help="Write to FILE, called FILE.part until complete.")
@click.option("--resume", is_flag=True, help="Resume an interrupted run of the same command.")
@click.option("--losses", metavar="FILE", type=click.Path(), help="Write what was lost as JSON lines.")
@click.option("--strict", is_flag=True, help="Leave out payloads that would lose anything.")
@click.option("--model", metavar="M", help="The model, if the URL of the requests named it.")
@click.option("--stream", is_flag=True, default=None, help="The URL of the requests asked for a stream.")
@click.option("--json", "as_json", is_flag=True, help="Write faults, losses, notes and the summary as JSON lines.")
def convert(file: tuple[str, ...], source: str | None, target: str, **options: Any) -> int:
    """Convert requests from one format to another."""
    if options["resume"] and options["out"] is None:
        raise click.UsageError("--resume needs --out FILE, the file of the interrupted run")
    if options["resume"] and Path(options["out"]).suffix.lower() == PARQUET:
        raise click.UsageError("a Parquet file cannot be continued: leave out --resume")
    is_found_out = source == AUTO and not options["layout"] and not options["columns"]
    if options["say_source"] and not is_found_out:
        raise click.UsageError("--say-source needs --from auto, without --layout and --column")
    given = {name: options[name] for name in ("out", "losses", "resume", "as_json")}
    setting = _setting(options, done="converted", one_shape=is_found_out and not options["say_source"], **given)
    chosen = {name: options[name] for name in ("strict", "model", "stream", "say_source")}
    layout = options["layout"]
    if source is None and layout is None:
        raise click.UsageError("Missing option '--from'.")
    if layout is not None and not fits_batch(LAYOUTS[layout], target):
        raise click.UsageError(f"{target} does not have a layout of batch files: see `interlingua formats --layouts`")
    return _over(work.convert_document, file, Options(source or "", target, **chosen, **_common(options)), setting)


@interlingua.command()
@_many
@click.option("--from", "source", type=SOURCES, metavar="FORMAT", help=f"The format of FILE, by default {OWN}.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each document.")
def validate(file: tuple[str, ...], source: str | None, *, as_json: bool, **options: Any) -> int:
    """Report whether conversations are well formed."""
    source = source or ("" if options["layout"] else OWN)
    more: dict[str, Any] = {"lines": report.verdict} if as_json else {}
    options["quiet"] = options["quiet"] or as_json
    setting = _setting(options, done="valid", **more)
    return _over(work.validate_document, file, Options(source, **_common(options)), setting)


@interlingua.command()
@_many
@click.option("--for", "target", type=PROVIDERS, required=True, metavar="FORMAT", help="The format whose rules to check.")
@click.option("--from", "source", type=SOURCES, metavar="FORMAT", help="The format of FILE, if it differs from --for.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each problem.")
def check(file: tuple[str, ...], target: str, source: str | None, *, as_json: bool, **options: Any) -> int:
    """Report what a provider would refuse: the place, an excerpt, the reason, the rule, its evidence and its page."""
    common = _common(options)

    def lines(outcome: Outcome) -> list[str]:
        if as_json:
            return list(report.problem_records(outcome, target, ascii_only=common["ascii_only"]))
        return list(map(report.one_line, report.problem_lines(outcome, target)))

    source = source or ("" if options["layout"] else target)
    return _over(work.check_document, file, Options(source, target, **common), _setting(options, done="passed", lines=lines))


_FROM = click.option(
    "--from", "source", type=SOURCES, default=AUTO, show_default=True, metavar="FORMAT", help="The format of FILE."
)


@interlingua.command()
@_many
@_FROM
@click.option("--out", "-o", metavar="FILE", type=click.Path(), help="Write to FILE, called FILE.part until complete.")
@click.option("--duplicates", metavar="FILE", type=click.Path(), help="Write the rows that are left out.")
def dedupe(file: tuple[str, ...], source: str, out: str | None, duplicates: str | None, **options: Any) -> int:
    """Leave out rows that say the same as an earlier one.

    Rows are compared by the fingerprint of their conversation, of all columns if there are several, and are not changed. It
    takes 24 to 48 bytes of memory for each row that is kept.
    """
    setting = _setting(
        options,
        done="kept",
        out=out,
        more={} if duplicates is None else {identities.DUPLICATES: duplicates},
        others={identities.DUPLICATES: "duplicates left out"},
        place=identities.first_only(),
        resumable=False,
    )
    return _over(identities.identify_document, file, Options(source, **_common({"out": out, **options})), setting)


_SHARE = click.FloatRange(0, 1)
_NOTHING = 1e-9
"""What a sum of shares may differ by from 1."""


@interlingua.command()
@_many
@_FROM
@click.option(
    "--by",
    type=click.Choice(["fingerprint", "prompt"]),
    default="fingerprint",
    show_default=True,
    help="""
    What must stay together: equal conversations, or all those with the same messages before the first answer.""",
)
@click.option("--train", type=_SHARE, default=0.9, show_default=True, help="The share of the training set.")
@click.option(
    "--validation", type=_SHARE, default=0.0, show_default=True, help="The validation set's share; the test set gets the rest."
)
@click.option("--seed", default="", metavar="TEXT", help="Any text; a different text gives a different split.")
@click.option(
    "--out", "-o", default="{}.jsonl", show_default=True, metavar="PATTERN", help="The files; {} is train, validation or test."
)
def split(
    file: tuple[str, ...], source: str, by: str, train: float, validation: float, seed: str, out: str, **options: Any
) -> int:
    """Split rows into a training set, a validation set and a test set, at random, but the same in every run.

    The side of a row depends only on its fingerprint, the seed and the shares: the same conversation is never on two sides,
    and a row stays on its side when others are added. Rows are not changed.
    """
    if "{}" not in out:
        raise click.UsageError("--out must have {}, which stands for train, validation or test")
    if not train + validation <= 1 + _NOTHING:  # NaN is not
        raise click.UsageError("--train and --validation must be at most 1 together")
    shares = {"train": train, "validation": validation, "test": 1 - train - validation}
    used = {name: share for name, share in shares.items() if share > _NOTHING}
    setting = _setting(
        options,
        done="",
        more={name: out.replace("{}", name) for name in used},
        others={name: f"to {name}" for name in used},
        place=identities.by_share(used, seed),
        resumable=False,
    )
    task = identities.identify_prompt if by == "prompt" else identities.identify_document
    return _over(task, file, Options(source, **_common({"out": out, **options})), setting)


@interlingua.command()
@click.argument("file", nargs=-1, required=True, type=click.Path())
def detect(file: tuple[str, ...]) -> int:
    """Detect the formats of documents, and print them as JSON lines."""
    return _over(work.detect_document, file, Options(AUTO), Setting("recognised", quiet=True, lines=report.candidates))


@interlingua.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--layouts", is_flag=True, help="List the layouts of rows, each with the format of its conversations.")
def formats(*, as_json: bool, layouts: bool) -> None:
    """List the formats, each with its family."""
    key = "format" if layouts else "family"
    listed = {name: layout.format for name, layout in LAYOUTS.items()} if layouts else _families()
    if as_json:
        click.echo(json.dumps([{"name": name, key: other} for name, other in listed.items()], indent=2))
    else:
        for name, other in listed.items():
            click.echo(f"{name:24} {other}")


def _families() -> dict[str, str]:
    """The family of each format; of one that cannot be imported from its package, stderr says so."""
    families: dict[str, str] = {}
    for name in (*FORMATS, *outside()):
        try:
            families[name] = FORMATS[name].family
        except BrokenFormat as error:
            click.echo(str(error), err=True)
    return families


@interlingua.command()
@click.argument("folder", default="schemas", type=click.Path(path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="Write nothing, and report which are stale.")
@click.option("--format", "format", type=PROVIDERS, metavar="FORMAT", help="Only the schema of this format's requests.")
def schema(folder: Path, *, only_check: bool, format: str | None) -> int:
    """Write the JSON Schemas, or check those in FOLDER."""
    from ..schemas import json_schema as schemas  # noqa: PLC0415 -- its import would slow down the other commands

    kinds = (format,) if format else schemas.KINDS
    try:
        if not only_check:
            schemas.write(folder, kinds)
            return 0
        found = schemas.stale(folder, kinds)
    except OSError as error:
        raise _Unreadable(f"{error.filename}: {error.strerror}") from None
    for name in found:
        report.say(f"{folder / name}: stale")
    return 1 if found else 0


interlingua.add_command(viewing.show)
interlingua.add_command(comparing.diff)


class _Unreadable(click.ClickException):
    """Something that the command line names cannot be read or written."""

    exit_code = 2

    def show(self, file: Any = None) -> None:  # noqa: ARG002 -- click passes it
        """Say it in a line."""
        report.say(f"interlingua: {self.message}")


def _common(options: dict[str, Any]) -> dict[str, Any]:
    utf8 = sys.stdout.encoding.lower() == "utf-8" or options.get("out") is not None
    if options["columns"] and options["layout"]:
        raise click.UsageError("--column and --layout exclude each other: leave one out")
    kept = {name: options[name] for name in ("columns", "layout", "prefer")}
    return {**kept, "ascii_only": not utf8}


def _setting(options: dict[str, Any], **more: Any) -> Setting:
    return Setting(**{name: options[name] for name in ("errors", "jobs", "quiet")}, **more)


def _over(task: Task, patterns: Sequence[str], options: Options, setting: Setting) -> int:
    try:
        source = Source(files(patterns))
    except OSError as error:
        raise _Unreadable(f"cannot read {error.filename}: {error.strerror}") from None
    try:
        return run_task(task, source, options, setting)
    except ValueError as error:
        raise _Unreadable(str(error)) from None
