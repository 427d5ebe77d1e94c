"""What can go wrong, and whose fault it is. Errors have fields, compare equal by them, and never show the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import ValidationError

from .faults import Fault as Fault, faults_of as faults_of
from .meant import similar as similar
from .texts import BASE64, bounded, escape as escape, excerpt as excerpt, line as line, word as word

T = TypeVar("T")
TupleT = TypeVar("TupleT", bound=tuple[Any, ...])


LossKind: TypeAlias = Literal["dropped", "changed", "moved", "added", "response_only"]


class Loss(NamedTuple):
    """One thing that a conversion could not carry as it was.

    `path` is a JSON Pointer into what the caller passed. It names the smallest object (request, message,
    part, call or tool) or field that holds what was lost. `at` points into the output, or is None. `detail` is a reason for
    people to read: a sentence of this package, which quotes at most a short name from the input (of a field, a tool or a file,
    an id, an issuer, a role, a type, a stop reason), with at most 40 characters, escaped and without base64.
    """

    path: str
    at: str | None
    kind: LossKind
    detail: str

    def __repr__(self) -> str:
        shown = (f"{name}={bounded(value)!r}" for name, value in self._asdict().items() if value is not None)
        return f"Loss({', '.join(shown)})"

    def __str__(self) -> str:
        place = f" (now {self.at})" if self.at is not None else ""
        return f"{self.kind} {line(self.path) or '(the whole)'}{line(place)}: {line(self.detail)}"


def quick(kind: type[TupleT]) -> Callable[[tuple[Any, ...]], TupleT]:
    """Makes named tuples of this class of all their fields, in two thirds of the time that the class itself takes."""
    return partial(tuple[Any, ...].__new__, kind)


new_loss = quick(Loss)


Severity: TypeAlias = Literal["error", "warning"]


class Problem(NamedTuple):
    """One thing in a request that its provider would refuse, or may refuse if `severity` is `"warning"`.

    `code` names the rule and is stable; `path` is a JSON Pointer into what the caller passed; `message` is for people;
    `evidence` says how it is known that the provider refuses it.
    """

    code: str
    path: str
    message: str
    severity: Severity
    evidence: str

    def __str__(self) -> str:
        return f"{self.severity} {line(self.path) or '(the whole)'}: {line(self.message)} [{self.code}]"


class Repair(NamedTuple):
    """One thing that a repair changed.

    `code` is the name of the broken rule, as in the `Problem`. `path` is a JSON Pointer into what the caller passed,
    and `at` points into the repaired value; `at` is None for anything that was left out. `message` is for people.
    """

    code: str
    path: str
    at: str | None
    message: str

    def __str__(self) -> str:
        place = "" if self.at in (None, self.path) else f" (now {self.at})"
        return f"repaired {line(self.path) or '(the whole)'}{line(place)}: {line(self.message)} [{self.code}]"


class InterlinguaError(Exception):
    """The base of all errors of this package."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), str(self)))


class UnknownFormat(InterlinguaError, LookupError):
    """The caller named a format that is not in the table, or one that lacks what was asked of it, such as "responses"."""

    def __init__(self, name: object, known: Iterable[str] = (), lacks: str | None = None) -> None:
        self.name = name if isinstance(name, str) else f"<{type(name).__name__}>"
        self.known = tuple(known)
        self.lacks = lacks
        shown = repr(self.name[:100])
        if lacks:
            reason = f"{shown} does not have {lacks}"
        else:
            meant = similar(self.name, self.known)
            suggestion = "" if meant is None else f" (did you mean {meant!r}?)"
            reason = f"unknown format {shown}{suggestion}"
        super().__init__(f"{reason}; must be one of {', '.join(self.known)}" if self.known else reason)

    def __reduce__(self) -> Any:
        return type(self), (self.name, self.known, self.lacks)


class BrokenFormat(InterlinguaError, LookupError):
    """The format that the caller named belongs to another package, and cannot be imported from there."""

    def __init__(self, name: str, package: str, reason: str) -> None:
        self.name = name
        self.package = package
        self.reason = reason
        super().__init__(f"the format {line(name)!r} of the package {line(package)!r} cannot be used: {line(reason)}")

    def __reduce__(self) -> Any:
        return type(self), (self.name, self.package, self.reason)


class InvalidPayload(InterlinguaError, ValueError):
    """The caller's input is malformed; each fault has a JSON Pointer and a reason.

    `hint` says what the input looks like and what reads it, if it looks like something other than what was expected.
    """

    def __init__(self, faults: Sequence[Fault], hint: str | None = None) -> None:
        self.faults = tuple(faults)
        self.hint = hint
        listed = _listed(self.faults, lambda fault: f"{line(fault.path) or '(the whole)'}: {line(fault.reason)}")
        super().__init__(listed if hint is None else f"{listed}; {hint}")

    @property
    def errors(self) -> list[dict[str, str]]:
        """The faults as JSON-able dicts of path and reason."""
        return [fault._asdict() for fault in self.faults]

    def __reduce__(self) -> Any:
        return type(self), (self.faults, self.hint)


_BROKEN = {
    "syntax": "must be Jinja",
    "time": "takes too long",
    "memory": "uses too much memory",
    "output": "prints too much",
    "nesting": "is nested too deeply",
    "process": "ends the process that renders it, or uses too much memory",
}
TemplateFault: TypeAlias = Literal["syntax", "time", "memory", "output", "nesting", "process"]


class BrokenTemplate(InterlinguaError, ValueError):
    """The caller's chat template is not Jinja, or exceeds a limit of time, memory, output or depth.

    `reason` says which; `place` is the line of the template, if the reason is its syntax.
    """

    def __init__(self, reason: TemplateFault, place: str | None = None) -> None:
        self.reason = reason
        self.place = place
        shown = "" if place is None else f" ({line(place)})"
        super().__init__(f"the chat template {_BROKEN[reason]}{shown}")

    def __reduce__(self) -> Any:
        return type(self), (self.reason, self.place)


class LossyConversion(InterlinguaError):
    """The conversion would lose something, and the caller asked for an error in that case."""

    def __init__(self, losses: Iterable[Loss]) -> None:
        self.losses = tuple(losses)
        super().__init__(_listed(self.losses, str))

    def __reduce__(self) -> Any:
        return type(self), (self.losses,)


class RefusedRequest(InterlinguaError):
    """The provider would refuse the request, and the caller asked for an error in that case."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(_listed(self.problems, str))

    def __reduce__(self) -> Any:
        return type(self), (self.problems,)


class StreamError(InterlinguaError):
    """The provider's stream is broken."""


class ProviderError(InterlinguaError):
    """A provider answered with an error, whole or in a stream.

    `message`, `type` and `code` are the provider's words; if a gateway quotes the provider behind it, the quoted words follow
    in `message`. `status` is the HTTP status, if the body or the caller states it; `body` is all that the provider sent, and
    `origin` the name of the format that it was read as. The text of the error is bounded and without base64; the attributes
    have everything.
    """

    def __init__(
        self,
        message: str = "",
        *,
        type: str | None = None,
        code: str | int | None = None,
        status: int | None = None,
        body: Any = None,
        origin: str | None = None,
    ) -> None:
        self.message = message
        self.type = type
        self.code = code
        self.body = body
        self.origin = origin
        self.status = status
        words = [str(word) for word in (status, type) if word is not None]
        if code is not None and code != status:
            words.append(str(code))
        kind = " ".join(words) or "no type given"
        shown = f": {message[:10_000]}" if message else " without a message"
        super().__init__(line(BASE64.sub("…", f"the provider reports an error ({kind}){shown}")))

    def __reduce__(self) -> Any:
        return _provider_error, (vars(self),)


def _provider_error(fields: dict[str, Any]) -> ProviderError:
    return ProviderError(**fields)


class LossWarning(UserWarning):
    """A dump could not carry everything. The message names the kinds of losses; pass `on_loss` to get each loss."""


def _listed(items: Sequence[T], text: Callable[[T], str]) -> str:
    """The first ten items as text, and how many more there are."""
    shown = "; ".join(map(text, items[:10]))
    return f"{shown}; and {len(items) - 10} more" if len(items) > 10 else shown


def error_body(error: BaseException, *, most: int = 100) -> dict[str, Any]:
    """A bounded, JSON-able description of an error: at most `most` entries of path and reason, and nothing of the input."""
    if type(most) is not int:
        raise TypeError("most must be an integer")
    if isinstance(error, ValidationError):
        entries = faults_of(error)
    elif isinstance(error, InvalidPayload):
        entries = list(error.faults)
    elif isinstance(error, LossyConversion):
        entries = [Fault(loss.path, f"{loss.kind}: {loss.detail}") for loss in error.losses]
    elif isinstance(error, RefusedRequest):
        entries = [Fault(problem.path, f"{problem.message} [{problem.code}]") for problem in error.problems]
    elif isinstance(error, InterlinguaError):
        entries = [Fault("", str(error))]
    else:
        entries = [Fault("", type(error).__name__)]
    body: dict[str, Any] = {
        "errors": [{"path": bounded(fault.path), "reason": bounded(fault.reason)} for fault in entries[:most]]
    }
    if len(entries) > most:
        body["more"] = len(entries) - most
    return body
