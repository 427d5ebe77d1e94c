"""The command: `interlingua convert`, `interlingua validate`, `interlingua check` and `interlingua schema`.

`convert FILE --from F --to F [--strict] [--model M] [--stream]`, `validate FILE [--from F]`, `check FILE --for F [--from F]
[--json]`, `schema [FOLDER] [--check] [--format F]`. FILE is JSON, or JSONL (by its suffix, else by its content), or `-` for
standard input. Payloads go to standard output; losses and faults go to standard error, one line each, and show nothing of the
content, and so do the paths of requests whose URL says the model or whether to stream. `check` prints what the provider would
refuse to standard output: the place, an excerpt of it, the reason, the rule and its evidence. A bad line of JSONL is reported,
and the other lines are processed. Exit status: 0; 1 for invalid input, an error that `check` finds, a loss under `--strict` or
a stale schema under `--check`; 2 for wrong usage of the command.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from .checks import check
from .codec.format import Format
from .errors import InterlinguaError, InvalidPayload, LossyConversion, Problem, error_body
from .formats import FORMATS
from .front import convert, load, parse, validate
from .model.base import Json
from .model.exchange import Request
from .model.messages import Message
from .model.shortened import shortened


class _Document(NamedTuple):
    """One JSON text of the input, and its place: the name of the file, with the line number in JSONL."""

    where: str
    text: bytes
    is_line: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with `argv`, by default the arguments of the process. Returns the exit status."""
    options = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = options.run
    return run(options)


def _run_documents(options: argparse.Namespace) -> int:
    name = "<stdin>" if options.file == "-" else options.file
    try:
        data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        _print(f"interlingua: cannot read {name}: {error.strerror}")
        return 2
    do: Callable[[_Document, argparse.Namespace], bool] = options.do
    try:
        done = [do(document, options) for document in _documents(name, data)]
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has closed it.
        _give_up_output()
        return 1
    except OSError as error:
        _print(f"interlingua: cannot write: {error.strerror}")
        _give_up_output()
        return 1
    return 0 if all(done) else 1


def _give_up_output() -> None:
    """Let Python's flush at exit succeed; the error has been reported already."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="interlingua", description="Convert and validate conversations with LLMs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    formats = f"one of {', '.join(FORMATS)}"

    command = commands.add_parser("convert", help="turn one provider's requests into another's")
    command.add_argument("file", metavar="FILE", help="JSON or JSONL; - reads standard input")
    command.add_argument("--from", dest="source", metavar="F", choices=FORMATS, required=True, help=formats)
    command.add_argument("--to", dest="target", metavar="F", choices=FORMATS, required=True, help=formats)
    command.add_argument("--strict", action="store_true", help="write no payload that has lost anything")
    command.add_argument("--model", metavar="M", help="the model, where the URL of the requests says it")
    command.add_argument("--stream", action="store_true", default=None, help="the URL of the requests asks for a stream")
    command.set_defaults(run=_run_documents, do=_convert)

    command = commands.add_parser("validate", help="report whether conversations are well formed")
    command.add_argument("file", metavar="FILE", help="JSON or JSONL; - reads standard input")
    command.add_argument(
        "--from", dest="source", metavar="F", choices=FORMATS, help=f"{formats}; without it, interlingua's own messages"
    )
    command.set_defaults(run=_run_documents, do=_validate)

    command = commands.add_parser("check", help="report what a provider would refuse")
    command.add_argument("file", metavar="FILE", help="JSON or JSONL; - reads standard input")
    command.add_argument("--for", dest="target", metavar="F", choices=FORMATS, required=True, help=formats)
    command.add_argument("--from", dest="source", metavar="F", choices=FORMATS, help="the format of FILE, if it is another")
    command.add_argument("--json", action="store_true", help="one JSON object for each problem")
    command.set_defaults(run=_run_documents, do=_check)

    command = commands.add_parser("schema", help="write the JSON Schemas, or check the existing ones")
    command.add_argument(
        "folder", metavar="FOLDER", nargs="?", default="schemas", help="the folder of the schemas; by default %(default)s"
    )
    command.add_argument("--check", action="store_true", help="write nothing, and report which are stale")
    command.add_argument("--format", metavar="F", choices=FORMATS, help=f"only the schema of this format's requests: {formats}")
    command.set_defaults(run=_run_schema)
    return parser


def _documents(name: str, data: bytes) -> Iterator[_Document]:
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not _is_jsonl(name, data):
        yield _Document(name, data, is_line=False)
        return
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            yield _Document(f"{name}:{number}", line, is_line=True)


def _is_jsonl(name: str, data: bytes) -> bool:
    match Path(name).suffix.lower():
        case ".json":
            return False
        case ".jsonl" | ".ndjson":
            return True
        case _:
            lines = [line for line in data.split(b"\n") if line.strip()]
            return len(lines) > 1 and not _is_json(data) and any(map(_is_json, lines))


def _is_json(text: bytes) -> bool:
    try:
        return isinstance(from_json(text), dict | list)
    except ValueError:
        return False


def _convert(document: _Document, options: argparse.Namespace) -> bool:
    source, target = FORMATS[options.source], FORMATS[options.target]
    strict: bool = options.strict
    try:
        payload = _parse(document)
        result = convert(payload, source=source, target=target, strict=strict, model=options.model, stream=options.stream)
    except LossyConversion as error:
        _print_each(document, map(str, error.losses))
        return False
    except (InterlinguaError, ValidationError) as error:
        _print_faults(document, error)
        return False
    _print_each(document, map(str, result.losses))
    if target.in_url and result.endpoint.path is not None:
        _print(f"{document.where}: for {result.endpoint.path}")
    indent = None if document.is_line else 2
    print(json.dumps(result.payload, indent=indent, ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))
    return True


def _validate(document: _Document, options: argparse.Namespace) -> bool:
    try:
        payload = _parse(document)
        messages = load(payload, FORMATS[options.source]).messages if options.source else _canonical(payload)
    except (InterlinguaError, ValidationError) as error:
        _print_faults(document, error)
        return False
    print(_one_line(f"{document.where}: valid, {len(messages)} message{'s' if len(messages) != 1 else ''}"))
    return True


def _check(document: _Document, options: argparse.Namespace) -> bool:
    try:
        payload = _parse(document)
        found = _problems(payload, options.source, FORMATS[options.target])
    except (InterlinguaError, ValidationError) as error:
        _print_faults(document, error)
        return False
    for problem in found:
        excerpt = _excerpt(payload, problem.path)
        if options.json:
            said = {"where": document.where, **problem._asdict(), "excerpt": excerpt}
            print(json.dumps(said, ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))
        else:
            print(_one_line(f"{document.where}: {problem}"))
            print(_one_line(f"    {excerpt}"))
            print(_one_line(f"    known from: {problem.evidence}"))
    return all(problem.severity != "error" for problem in found)


def _problems(payload: Any, source: str | None, target: Format) -> Sequence[Problem]:
    if source is None:
        return check(payload, target)
    return convert(payload, source=FORMATS[source], target=target, check=True).problems


def _excerpt(payload: Json, path: str) -> str:
    """What is at a place of the payload, in 100 characters at most; of a place that is not there, what holds it."""
    for escaped in path.split("/")[1:]:
        key = escaped.replace("~1", "/").replace("~0", "~")
        if isinstance(payload, dict) and key in payload:
            payload = payload[key]
        elif isinstance(payload, list) and key.isdecimal() and int(key) < len(payload):
            payload = payload[int(key)]
    text = shortened(payload)
    return text if len(text) <= 100 else text[:99] + "…"


def _canonical(payload: Any) -> Sequence[Message]:
    """The messages of a conversation, of a request, or (in a file of messages) of one line."""
    if isinstance(payload, dict):
        if "messages" in payload:
            return Request.model_validate(payload).messages
        return validate([payload])
    return validate(payload)


def _run_schema(options: argparse.Namespace) -> int:
    from . import schema  # noqa: PLC0415 -- its import would slow down the other commands

    folder = Path(options.folder)
    kinds = (options.format,) if options.format else schema.KINDS
    try:
        if not options.check:
            schema.write(folder, kinds)
            return 0
        found = schema.stale(folder, kinds)
    except OSError as error:
        _print(f"interlingua: {error.filename}: {error.strerror}")
        return 2
    for name in found:
        _print(f"{folder / name}: stale")
    return 1 if found else 0


def _parse(document: _Document) -> Any:
    try:
        return parse(document.text)
    except InvalidPayload as error:
        if not document.is_line:
            raise
        faults = [fault._replace(reason=fault.reason.replace("at line 1 column", "at column")) for fault in error.faults]
        raise InvalidPayload(faults) from None


def _print_faults(document: _Document, error: Exception) -> None:
    body = error_body(error)
    _print_each(document, (f"{fault['path'] or '(the whole)'}: {fault['reason']}" for fault in body["errors"]))
    if "more" in body:
        _print(f"{document.where}: and {body['more']} more")
    if isinstance(error, InvalidPayload) and error.hint is not None:
        _print(f"{document.where}: {error.hint}")


def _print_each(document: _Document, lines: Iterator[str]) -> None:
    for line in lines:
        _print(f"{document.where}: {line}")


def _print(line: str) -> None:
    print(_one_line(line), file=sys.stderr)


def _one_line(text: str) -> str:
    """The text with line breaks and control characters escaped: paths hold keys of the input."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
