"""What can go wrong, and whose fault it is; every error carries fields, compares equal by them, and echoes no input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import ValidationError


class Fault(NamedTuple):
    """One thing wrong with an input: a JSON Pointer into what the caller gave, and a reason."""

    path: str
    reason: str


LossKind: TypeAlias = Literal["dropped", "changed", "moved", "added", "response_only"]


class Loss(NamedTuple):
    """One thing that a conversion could not carry as it was.

    `path` is a JSON Pointer into what the caller passed. It names the narrowest owner or field that holds what was lost.
    `at` points into the output, or is None. `detail` is a reason for people to read.
    """

    path: str
    at: str | None
    kind: LossKind
    detail: str

    def __str__(self) -> str:
        place = f" (now {self.at})" if self.at is not None else ""
        path = self.path if len(self.path) <= 200 else self.path[:200] + "…"
        return f"{self.kind} {path or '(the whole)'}{place[:200]}: {self.detail[:200]}"


class InterlinguaError(Exception):
    """The base of all errors of this package."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), str(self)))


class UnknownFormat(InterlinguaError, LookupError):
    """The caller named a format that is not in the table."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(f"unknown format {name[:100]!r}; known are {', '.join(self.known)}")

    def __reduce__(self) -> Any:
        return type(self), (self.name, self.known)


class InvalidPayload(InterlinguaError, ValueError):
    """The caller's input is malformed: one fault each, with its JSON Pointer."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        shown = "; ".join(f"{_bounded(fault.path) or '(the whole)'}: {_bounded(fault.reason)}" for fault in self.faults[:10])
        more = len(self.faults) - 10
        super().__init__(shown + (f"; and {more} more" if more > 0 else ""))

    @property
    def errors(self) -> list[dict[str, str]]:
        """The faults as JSON-able dicts of path and reason."""
        return [fault._asdict() for fault in self.faults]

    def __reduce__(self) -> Any:
        return type(self), (self.faults,)


class LossyConversion(InterlinguaError):
    """The conversion would lose something, and the caller asked for none of that."""

    def __init__(self, losses: Iterable[Loss]) -> None:
        self.losses = tuple(losses)
        shown = "; ".join(str(loss) for loss in self.losses[:10])
        more = len(self.losses) - 10
        super().__init__(shown + (f"; and {more} more" if more > 0 else ""))

    def __reduce__(self) -> Any:
        return type(self), (self.losses,)


class StreamError(InterlinguaError):
    """The provider's stream is broken."""


class LossWarning(UserWarning):
    """A dump could not carry everything; the message sums up, `on_loss` gives the losses themselves."""


# From pydantic's locations to JSON Pointers

_UNTAGGED = frozenset({"choices", "tool_calls", "functions", "stop", "stop_sequences"})
"""Lists whose items are not told apart by a tag; in every other list the element after an index is a union's tag."""


def pointer(loc: Sequence[str | int]) -> str:
    """A pydantic error location as a JSON Pointer, without the tags of unions."""
    out: list[str] = []
    after_index = after_source = False
    list_name: object = None
    for element in loc:
        if isinstance(element, int):
            out.append(str(element))
            after_index = list_name not in _UNTAGGED
            after_source = False
            continue
        if element.startswith("<") and element.endswith(">"):
            after_index = after_source = False
            continue
        if after_index or after_source:
            after_index = after_source = False
            list_name = None
            continue
        after_source = element == "source"
        list_name = element
        out.append(escape(element))
    return "".join("/" + element for element in out)


def escape(token: str) -> str:
    """A token of a JSON Pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


Detail: TypeAlias = Mapping[str, Any]
"""One of the dicts that pydantic's `errors()` gives."""

_READINGS = 64
"""How many readings of a location are compared: enough for any model, and a bound for input made to have more."""


def pointer_in(data: Any, detail: Detail) -> str:
    """An error's place in the data that was validated, by whichever models: the tags are what leads nowhere in it.

    A location that can be read in several ways (`{"type": "text", "text": ...}`) means the one that leads to its input.
    """
    absent = str(detail["type"]).startswith("missing")
    readings = islice(_readings(detail["loc"], data, absent=absent), _READINGS)
    first = next(readings)
    place, _ = next((reading for reading in chain([first], readings) if reading[1] is detail.get("input", _NOTHING)), first)
    return "".join("/" + escape(str(element)) for element in place)


def _readings(loc: Sequence[str | int], value: Any, *, absent: bool) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """The ways to go along a location, each with what stands at its end; for an absent field that is its owner."""
    if not loc:
        yield (), value
        return
    first, rest = loc[0], loc[1:]
    item = _item(value, first)
    if item is not _NOTHING:
        for place, end in _readings(rest, item, absent=absent):
            yield (first, *place), end
    elif absent and not rest and (value is None or isinstance(value, Mapping)):
        yield (first,), value
    yield from _readings(rest, value, absent=absent)


_NOTHING = object()


def _item(owner: Mapping[Any, Any] | list[Any] | None, key: str | int) -> Any:
    if isinstance(owner, Mapping):
        return owner.get(key, _NOTHING)
    return owner[key] if isinstance(owner, list) and isinstance(key, int) and key < len(owner) else _NOTHING


_NESTED = 'a nested tool call is OpenAI\'s wire format: give the request to load(..., "openai_chat")'


def faults_of(error: ValidationError) -> list[Fault]:
    """A pydantic error as faults: one path and one reason each, nothing of the input."""
    details = error.errors(include_url=False, include_context=True, include_input=False)
    return faults_in(details, _locate)


def _locate(detail: Detail) -> str:
    loc: tuple[str | int, ...] = detail["loc"]
    if detail["type"] == "extra_forbidden":  # a key of the input, whatever it looks like
        return pointer(loc[:-1]) + "/" + escape(str(loc[-1]))
    return pointer(loc)


def faults_in(details: Iterable[Detail], locate: Callable[[Detail], str]) -> list[Fault]:
    """The dicts of pydantic's `errors()` as faults, where `locate` tells the place of each."""
    found: list[Fault] = []
    details = list(details)
    # One fault for a nested tool call, not one for each field that it has or lacks.
    nested = {
        tuple(detail["loc"][:-1]): False
        for detail in details
        if detail["type"] == "extra_forbidden" and detail["loc"][-1] == "function" and "tool_calls" in detail["loc"]
    }
    for detail in details:
        loc: tuple[str | int, ...] = tuple(detail["loc"])
        context: dict[str, Any] = detail.get("ctx") or {}
        path, reason, kind = locate(detail), detail["msg"], detail["type"]
        if loc[:-1] in nested:
            if not nested[loc[:-1]]:
                nested[loc[:-1]] = True
                found.append(Fault(path.rpartition("/")[0], _NESTED))
            continue
        if kind in ("free_json", "unknown_version"):
            path += context["at"]
        elif kind in ("union_tag_not_found", "union_tag_invalid"):
            name, expected = str(context["discriminator"]).strip("'"), context.get("expected_tags")
            if name == "shape()":
                reason = "Input should be " + _EXPECTED.get(loc[-1] if loc else "", "text or a list of parts")
            elif name.endswith("()"):
                reason = f"Input should be one of {expected}" if expected else "Input should be one of several kinds"
            elif expected:
                path += "/" + name
                reason = f"unknown {name}; known are {expected}"
            else:
                path += "/" + name
                reason = f"Field required: it tells which kind of {_KINDS.get(name, 'object')} this is"
        found.append(Fault(path, _bounded(reason)))
    return found


_KINDS = {"role": "message", "type": "part"}

_EXPECTED: dict[str | int, str] = {
    "tool_calls": "a list of tool calls",
    "thinking_blocks": "a list of thinking blocks",
    "input": "JSON text or an object",
    "image_url": "an object with a url",
    "tools": "a list of tools",
    "stop": "a list of texts",
    "messages": "a list of messages",
    "partial": "a list of pointers",
    "standalone": "a list of pointers",
}


def _bounded(text: str, most: int = 200) -> str:
    text = text if len(text) <= most else text[:most] + "…"
    return text if text.isascii() else text.encode(errors="replace").decode()  # a key may hold a lone surrogate


def error_body(error: BaseException, *, most: int = 100) -> dict[str, Any]:
    """A bounded, JSON-able account of an error: at most `most` entries of path and reason, and nothing of the input."""
    if isinstance(error, ValidationError):
        entries = faults_of(error)
    elif isinstance(error, InvalidPayload):
        entries = list(error.faults)
    elif isinstance(error, LossyConversion):
        entries = [Fault(loss.path, f"{loss.kind}: {loss.detail}") for loss in error.losses]
    elif isinstance(error, InterlinguaError):
        entries = [Fault("", str(error))]
    else:
        entries = [Fault("", type(error).__name__)]
    body: dict[str, Any] = {
        "errors": [{"path": _bounded(fault.path), "reason": _bounded(fault.reason)} for fault in entries[:most]]
    }
    if len(entries) > most:
        body["more"] = len(entries) - most
    return body
