"""What can go wrong, and whose fault it is; every error carries fields, compares equal by them, and echoes no input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from .losses import Loss


class Fault(NamedTuple):
    """One thing wrong with an input: a JSON Pointer into what the caller gave, and a reason."""

    path: str
    reason: str


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
        out.append(element.replace("~", "~0").replace("/", "~1"))
    return "".join("/" + element for element in out)


_NESTED = 'a nested tool call is OpenAI\'s wire format: give the request to load(..., "openai_chat")'


def faults_of(error: ValidationError) -> list[Fault]:
    """A pydantic error as faults: one path and one reason each, nothing of the input."""
    found: list[Fault] = []
    details = error.errors(include_url=False, include_context=True, include_input=False)
    # One fault for a nested tool call, not one for each field that it has or lacks.
    nested = {
        detail["loc"][:-1]: False for detail in details if detail["loc"][-1:] == ("function",) and "tool_calls" in detail["loc"]
    }
    for detail in details:
        loc: tuple[str | int, ...] = detail["loc"]
        context = detail.get("ctx") or {}
        kind = detail["type"]
        if loc[:-1] in nested:
            if not nested[loc[:-1]]:
                nested[loc[:-1]] = True
                found.append(Fault(pointer(loc[:-1]), _NESTED))
            continue
        path = pointer(loc)
        reason = detail["msg"]
        if kind in ("free_json", "unknown_version"):
            path += context["at"]
        elif kind in ("union_tag_not_found", "union_tag_invalid"):
            name = str(context["discriminator"]).strip("'")
            if name.endswith("()"):
                reason = "Input should be " + _EXPECTED.get(loc[-1] if loc else "", "text or a list of parts")
            elif kind == "union_tag_invalid":
                path += "/" + name
                reason = f"unknown {name}; known are {context['expected_tags']}"
            else:
                path += "/" + name
                reason = f"Field required: it tells which kind of {'message' if name == 'role' else 'part'} this is"
        found.append(Fault(path, _bounded(reason)))
    return found


_EXPECTED: dict[str | int, str] = {
    "tool_calls": "a list of tool calls",
    "thinking_blocks": "a list of thinking blocks",
    "input": "JSON text or an object",
    "image_url": "an object with a url",
    "tools": "a list of tools",
    "stop": "a list of texts",
    "messages": "a list of messages",
}


def _bounded(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[:most] + "…"


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
