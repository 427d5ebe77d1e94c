"""`interlingua diff`: what differs between two conversations."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from ..display.difference import diff as compare
from . import html, report
from .choices import PREFER, SOURCES
from .document import Damaged, Document
from .reading import Value, chosen, say_notes, source_of_files, values
from .work import AUTO, Options, Outcome, perform


class _Unreadable(click.ClickException):
    """One of the two cannot be compared."""

    exit_code = 2

    def show(self, file: Any = None) -> None:  # noqa: ARG002 -- click passes it
        """Say it, a line each."""
        for line in self.message.splitlines():
            report.say(line)


@click.command()
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@click.option(
    "--from", "source", type=SOURCES, default=AUTO, show_default=True, metavar="FORMAT", help="The format of A and B."
)
@click.option("--from-a", type=SOURCES, metavar="FORMAT", help="The format of A, if it differs.")
@click.option("--from-b", type=SOURCES, metavar="FORMAT", help="The format of B, if it differs.")
@click.option(
    "--exact", is_flag=True, help="Compare everything: settings, tools, ids, spellings, signatures, what providers add."
)
@click.option("--all", "whole", is_flag=True, help="Also show what is the same.")
@click.option("--line", type=click.IntRange(1), metavar="N", help="Line N of files of lines.")
@click.option("--column", "columns", multiple=True, metavar="NAME", help="A field of each row that holds a conversation.")
@PREFER
@click.option("--width", type=click.IntRange(20), metavar="N", help="The width of the output, by default the terminal's.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(),
    help="Write a page of HTML to FILE, or - for standard output: one file, without scripts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the difference as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing; the exit status is the answer.")
def diff(a: str, b: str, source: str, *, exact: bool, as_json: bool, quiet: bool, **options: Any) -> int:
    """Compare two conversations, of any formats, side by side.

    What they mean is compared, as in fingerprints: who says what in which order, reasoning, calls and which result answers
    which call, arguments and results as JSON, media by their bytes. Left out are ids, spellings, signatures, encrypted
    reasoning, citations, cache marks, what a provider adds, settings and tools; --exact compares them all.

    Exit status: 0 if both mean the same, 1 if they differ, 2 for wrong usage or if one cannot be read.
    """
    from ..display.beside import drawn_difference  # noqa: PLC0415 -- JSON needs no rich
    from ..display.terminal import console  # noqa: PLC0415 -- likewise

    if a == b == "-":
        raise click.UsageError("only one of A and B can be standard input: give the other as a file")
    if options["html"] is not None:
        html.expect_another_file(options["html"], (a, b))
    choices = {"columns": options["columns"], "prefer": options["prefer"]}
    first = _value(a, Options(options["from_a"] or source, **choices), options["line"], quiet=quiet)
    second = _value(b, Options(options["from_b"] or source, **choices), options["line"], quiet=quiet)
    found = compare(first, second, exact=exact)
    if options["html"] is not None:
        html.write(options["html"], found.to_html((a, b)))
    elif as_json and not quiet:
        click.echo(json.dumps(found.to_dict(), ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))
    elif not quiet:
        screen = console(width=options["width"])
        screen.print(*drawn_difference(found, (a, b), whole=options["whole"]), sep="\n")
    return 0 if found.equal else 1


def _value(name: str, options: Options, line: int | None, *, quiet: bool) -> Value:
    """The one value of a file, or of a line of it. Raises click's errors."""
    found: list[Value] = []

    def task(document: Document, options: Options, outcome: Outcome) -> None:
        found.extend(value for _, value in values(document, options, outcome))

    try:
        for document in chosen(source_of_files([name]), [] if line is None else [line], 2):
            outcome = perform(task, document, options)
            if outcome.failed:
                raise _Unreadable("\n".join([*report.fault_lines(outcome), *outcome.notes]))
            say_notes(outcome, set(), quiet=quiet)
    except Damaged as error:
        raise _Unreadable(f"interlingua: {error}") from None
    if not found:
        raise click.UsageError(f"{name} has no conversation")
    if len(found) > 1:
        raise click.UsageError(f"{name} has several conversations: choose one with --line N or --column NAME")
    return found[0]
