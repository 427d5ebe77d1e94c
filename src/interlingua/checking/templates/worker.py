"""The process that renders templates: it reads a line of JSON for each rendering, and answers with a line of JSON.

It imports Jinja and nothing of this package. Templates see only JSON values, in Jinja's immutable sandbox. The length of the
output is limited, and so is memory where the platform can limit it. An alarm in this process limits the time of a rendering, in
case the process that waits for the answer is gone. A template may use what transformers 5.24 offers
(`utils/chat_template_utils.py`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, NoReturn

from jinja2 import TemplateError, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.nodes import CallBlock, Node
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace


class Limits(NamedTuple):
    """The most that a template may use."""

    seconds: int
    """of one rendering"""
    memory: int
    """bytes of the process"""
    output: int
    """characters of one rendering"""


class Raised(TemplateError):
    """The template refuses the request with `raise_exception`."""


class TooLong(Exception):
    """The output is longer than the limit allows."""


class Generation(Extension):
    """The block `{% generation %}`, which contains what the model generated; the position of each is recorded."""

    tags = {"generation"}  # noqa: RUF012 -- Jinja declares it so

    def parse(self, parser: Parser) -> Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return CallBlock(self.call_method("_noted"), [], [], body).set_lineno(line)

    def _noted(self, caller: Callable[[], str]) -> str:
        output: Output | None = getattr(self.environment, "output", None)
        start = 0 if output is None else output.length
        text = caller()
        if output is not None:
            output.generated.append((start, start + len(text)))
        return text


class Output:
    """The text of one rendering so far, and the spans of it inside `{% generation %}`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.pieces: list[str] = []
        self.length = 0
        self.generated: list[tuple[int, int]] = []

    def read(self, pieces: Iterator[str]) -> None:
        for piece in pieces:
            self.length += len(piece)
            if self.length > self.most:
                raise TooLong
            self.pieces.append(piece)


class TemplateNamespace(Namespace):
    """A namespace that refuses names with a leading underscore, because these give access to Python's internals."""

    def __init__(*args: Any, **values: Any) -> None:  # a template may set `self`
        self, *rest = args
        for name in dict(*rest, **values):
            _refuse_underscore(name)
        Namespace.__init__(self, *rest, **values)

    def __setitem__(self, name: str, value: Any) -> None:
        _refuse_underscore(name)
        super().__setitem__(name, value)


def _refuse_underscore(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError("a namespace must not have names that begin with an underscore")


class TemplateDict:
    """`dict` as a function, without the attributes of the class."""

    def __call__(self, *args: Any, **values: Any) -> dict[Any, Any]:
        return dict(*args, **values)

    def fromkeys(self, *args: Any) -> dict[Any, Any]:
        return dict.fromkeys(*args)


def raise_exception(message: object) -> NoReturn:
    raise Raised(str(message))


def tojson(value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
    """JSON without the HTML escapes of Jinja's filter with the same name."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment() -> Any:
    """The environment of templates, with the same filters and functions as in transformers."""
    made: Any = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
    made.filters["tojson"] = tojson
    made.globals.update(raise_exception=raise_exception, dict=TemplateDict(), namespace=TemplateNamespace)
    return made


class Worker:
    """The template of this process, compiled."""

    def __init__(self, source: str, limits: Limits) -> None:
        self.limits = limits
        self.environment: Any = environment()
        self.template = self.environment.from_string(source)

    def render(self, variables: dict[str, Any], now: float) -> Output:
        def strftime_now(format: str) -> str:
            return datetime.fromtimestamp(now, UTC).astimezone().strftime(format)

        output = self.environment.output = Output(self.limits.output)
        output.read(self.template.generate({"strftime_now": strftime_now, **variables}))
        return output


def attempt(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of the work, or the kind of error that ended it; with the message if the template raised it."""
    try:
        return work()
    except Raised as error:
        return {"error": "raised", "words": error.message or ""}
    except TemplateSyntaxError as error:
        return {"error": "syntax", "words": f"line {error.lineno}"}
    except TooLong:
        return {"error": "output"}
    except MemoryError:
        return {"error": "memory"}
    except Exception as error:  # noqa: BLE001 -- a template may raise any error
        return {"error": "failed", "words": type(error).__name__}


def rendered(worker: Worker, line: str) -> dict[str, Any]:
    """The answer to one line of the input."""
    asked = json.loads(line)
    output = worker.render(asked["variables"], asked["now"])
    return {"text": "".join(output.pieces), "generated": output.generated}


def limit_memory(most: int) -> None:
    """Limit the memory of this process, if the platform can; a lower limit stays."""
    try:
        import resource  # noqa: PLC0415 -- Windows does not have it
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def limit_time(seconds: int) -> None:
    """End this process after some seconds, if the platform can; 0 removes the limit."""
    try:
        from signal import alarm  # noqa: PLC0415 -- Windows does not have it
    except ImportError:
        return
    alarm(seconds)


def compiled(opened: dict[str, Any], made: list[Worker]) -> dict[str, Any]:
    """Compile the template, and add its worker to `made`."""
    try:
        made.append(Worker(opened["template"], Limits(*opened["limits"])))
    except RecursionError:
        return {"error": "nesting"}
    return {}


def main() -> None:
    """Read the template and the limits; then answer each line until the input ends."""
    opened = json.loads(sys.stdin.readline())
    limits = Limits(*opened["limits"])
    limit_memory(limits.memory)
    made: list[Worker] = []
    work: Callable[[], dict[str, Any]] = partial(compiled, opened, made)
    while True:
        limit_time(limits.seconds + 1)
        answer = attempt(work)
        limit_time(0)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not made or not line:
            return
        work = partial(rendered, made[0], line)
