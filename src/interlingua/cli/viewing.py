"""`interlingua show`: shows the conversations in files to people."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from ..codec.format import Format
from ..display.forms import Forms
from ..display.outline import Outline
from ..display.showing import view
from ..formats import FORMATS
from . import html, report
from .choices import KNOWN_LAYOUTS, PREFER, PROVIDERS, SOURCES
from .document import Damaged, Document
from .reading import chosen, say_notes, source_of_files, values
from .work import AUTO, Options, Outcome, perform


def _formats(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[Format, ...]:
    names = [] if value is None else [name.strip() for name in value.split(",")]
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        raise click.BadParameter(PROVIDERS.get_invalid_choice_message(unknown[0], _context))
    return tuple(FORMATS[name] for name in names)


def _complete(_context: click.Context, _option: click.Parameter, typed: str) -> list[str]:
    before, comma, last = typed.rpartition(",")
    return [before + comma + name for name in FORMATS if name.startswith(last)]


@click.command()
@click.argument("file", nargs=-1, required=True, type=click.Path())
@click.option(
    "--from",
    "source",
    type=SOURCES,
    default=AUTO,
    show_default=True,
    metavar="FORMAT",
    help="The format of FILE.",
)
@click.option(
    "--for",
    "target",
    type=PROVIDERS,
    metavar="FORMAT",
    help="Mark what this format's provider would refuse, and what it cannot carry.",
)
@click.option(
    "--as",
    "formats",
    callback=_formats,
    shell_complete=_complete,
    metavar="FORMAT,...",
    help="Show what it becomes in these formats, side by side, with the losses.",
)
@click.option("--reasoning", is_flag=True, help="Show reasoning in full, not only its length.")
@click.option("--full", is_flag=True, help="Show settings, marks and tools at their full length.")
@click.option("--line", "lines", type=click.IntRange(1), multiple=True, metavar="N", help="Only line N of a file of lines.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N conversations.")
@click.option("--column", "columns", multiple=True, metavar="NAME", help="A field of each row that holds a conversation.")
@click.option(
    "--layout", type=KNOWN_LAYOUTS, metavar="NAME", help="The layout of the rows: see `interlingua formats --layouts`."
)
@PREFER
@click.option("--width", type=click.IntRange(20), metavar="N", help="The width of the output, by default the terminal's.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(),
    help="Write a page of HTML to FILE, or - for standard output: one file, without scripts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outline of each conversation as a line of JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the output.")
def show(file: tuple[str, ...], source: str, target: str | None, *, as_json: bool, quiet: bool, **options: Any) -> int:
    """Show conversations, requests and responses: who says what, with reasoning folded and calls beside their results.

    A conversation is one JSON document, or one line of a file of lines. Media are shown by name and size. Output has no
    colours in a pipe, or if NO_COLOR is set.

    Exit status: 0 if everything was shown, 1 if something could not be read, 2 for wrong usage.
    """
    from ..display.printing import drawn_view  # noqa: PLC0415 -- to complete words in a shell needs no rich
    from ..display.terminal import Look, console  # noqa: PLC0415 -- likewise

    look = Look(reasoning=options["reasoning"], full=options["full"])
    screen = console(width=options["width"])
    ascii_only = sys.stdout.encoding.lower() != "utf-8"
    noted = set[str]()
    marks_for = None if target is None or options["formats"] else FORMATS[target]
    if options["columns"] and options["layout"]:
        raise click.UsageError("--column and --layout exclude each other: leave one out")
    source_files = source_of_files(file)
    page = None if options["html"] is None else html.Page(options["html"], source_files.names)

    def write(document: Document, at: str, whole: Outline | Forms) -> None:
        where = document.where + at
        if page is not None:
            page.add(where, whole)
            return
        if as_json:
            click.echo(json.dumps({"where": where, **whole.to_dict()}, ensure_ascii=ascii_only, default=_base64))
            return
        if document.line is not None or at or len(file) > 1:
            screen.rule(report.one_line(where), style="dim")
        screen.print(*drawn_view(whole, look), sep="\n")

    def task(document: Document, reading: Options, outcome: Outcome) -> None:
        for at, value in values(document, reading, outcome):
            say_notes(outcome, noted, quiet=quiet)
            write(document, at, view(value, marks_for, options["formats"]))

    reading = Options(source, columns=options["columns"], layout=options["layout"], prefer=options["prefer"])
    documents = chosen(source_files, options["lines"], options["limit"])
    show_one = partial(perform, task, options=reading)
    if page is None:
        return _each(documents, show_one, quiet=quiet)
    status = _each(html.first(documents, options["limit"]), show_one, quiet=quiet)
    page.finish(documents)
    return status


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


def _each(documents: Iterator[Document], show_one: Callable[..., Outcome], *, quiet: bool) -> int:
    """Show documents, and say what is wrong with those that cannot be read. Returns the exit status."""
    failed = False
    try:
        for document in documents:
            outcome = show_one(document=document)
            sys.stdout.flush()
            failed = failed or outcome.failed
            if quiet:
                continue
            for line in report.fault_lines(outcome):
                report.say(line)
            for note in outcome.notes:
                report.say(f"{outcome.where}: {note}")
    except Damaged as error:
        report.say(f"interlingua: {error}")
        return 1
    return int(failed)
