"""What can go wrong, and whose fault it is. Errors have fields, compare equal by them, and never show the input."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import chain, islice
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard, TypeVar

from pydantic import ValidationError

T = TypeVar("T")
TupleT = TypeVar("TupleT", bound=tuple[Any, ...])


class Fault(NamedTuple):
    """One thing that is wrong with an input: a JSON Pointer into what the caller passed, and a reason."""

    path: str
    reason: str


LossKind: TypeAlias = Literal["dropped", "changed", "moved", "added", "response_only"]


class Loss(NamedTuple):
    """One thing that a conversion could not carry as it was.

    `path` is a JSON Pointer into what the caller passed. It names the narrowest owner or field that holds what was lost.
    `at` points into the output, or is None. `detail` is a reason for people to read: a sentence of this package, in which at
    most a short name of the wire stands (a new name of a tool or file, an id, an issuer, a role, a stop reason), of 40
    characters, escaped and without base64. It has no other content.
    """

    path: str
    at: str | None
    kind: LossKind
    detail: str

    def __repr__(self) -> str:
        shown = (f"{name}={_bounded(value)!r}" for name, value in self._asdict().items() if value is not None)
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

    `code` names the rule that was broken, as that of the `Problem` does. `path` is a JSON Pointer into what the caller passed,
    and `at` one into the repaired value; it is None for what was left out. `message` is for people.
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
    """The caller named a format that is not in the table."""

    def __init__(self, name: object, known: Iterable[str] = ()) -> None:
        self.name = name if isinstance(name, str) else f"<{type(name).__name__}>"
        self.known = tuple(known)
        meant = similar(self.name, self.known)
        suggestion = "" if meant is None else f" (did you mean {meant!r}?)"
        super().__init__(f"unknown format {self.name[:100]!r}{suggestion}; known are {', '.join(self.known)}")

    def __reduce__(self) -> Any:
        return type(self), (self.name, self.known)


_ALSO = {
    "openai": "openai_chat",
    "chat": "openai_chat",
    "chat_completions": "openai_chat",
    "azure": "openai_chat",
    "azure_openai": "openai_chat",
    "gpt": "openai_chat",
    "responses": "openai_responses",
    "completions": "openai_completions",
    "claude": "anthropic",
    "google": "gemini",
    "genai": "google_genai",
    "bedrock": "bedrock_converse",
    "converse": "bedrock_converse",
    "boto3": "bedrock_boto3",
    "vertex": "anthropic_vertex",
}
"""Other names that people have for formats."""


def similar(name: str, known: Iterable[str]) -> str | None:
    """The known name that a misspelt one probably means; None where there is no similar one."""
    names = tuple(known)
    if len(name) > 2 * max(map(len, names), default=0):
        return None
    word = "_".join(name.lower().replace("-", " ").replace(".", " ").replace("_", " ").split())
    if word in names or (word := _ALSO.get(word, word)) in names:
        return word
    return next(iter(get_close_matches(word, names, 1)), None)


class InvalidPayload(InterlinguaError, ValueError):
    """The caller's input is malformed; each fault has a JSON Pointer and a reason.

    `hint` says what the input looks like and what reads it, where it looks like something else than what was expected.
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

    `message`, `type` and `code` are the provider's words; `status` is the HTTP status, where the body or the caller says it;
    `body` is all that the provider sent, and `origin` the name of the format that it was read as. The text of the error is
    bounded and without base64; the attributes have everything.
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
        self.message, self.type, self.code, self.body, self.origin = message, type, code, body, origin
        self.status = status
        words = " ".join(str(word) for word in (status, type, None if code == status else code) if word is not None)
        said = f": {message[:10_000]}" if message else " and says nothing about it"
        super().__init__(line(_BASE64.sub("…", f"the provider reports an error ({words or 'of no type'}){said}")))

    def __reduce__(self) -> Any:
        return _provider_error, (vars(self),)


def _provider_error(fields: dict[str, Any]) -> ProviderError:
    return ProviderError(**fields)


_BASE64 = re.compile(r"(?<=base64,)[A-Za-z0-9+/_=-]+|[A-Za-z0-9+/]{32,}=*|[A-Za-z0-9_-]{40,}=*")
"""What may be base64: what is said to be, and long runs of its letters."""
_SHORTEST = 32
"""How long the shortest of these runs is."""


class LossWarning(UserWarning):
    """A dump could not carry everything. The message says what kinds of things; `on_loss` can have the losses themselves."""


def _listed(items: Sequence[T], text: Callable[[T], str]) -> str:
    """The first ten items as text, and how many more there are."""
    shown = "; ".join(map(text, items[:10]))
    return f"{shown}; and {len(items) - 10} more" if len(items) > 10 else shown


# From pydantic's locations to JSON Pointers

TAGS = frozenset(
    "system developer user assistant tool text opaque"  # messages
    " image audio video file thinking redacted_thinking refusal tool_use tool_result json image_url input_audio"  # parts
    " document search_result"  # citations
    " function"  # tools
    " url base64 file_id"  # sources of media
    " message_start signature tool_use_start arguments part part_stop update usage stop end error".split()  # events
)
"""The tags of the canonical unions. All other tags, those of wire types among them, are spelled `<...>`."""

_NO_TAGS = frozenset[str]()
_TAGGED = ("source", "part")
"""The fields that hold a member of a union."""


def pointer(loc: Sequence[str | int], tags: Container[str] = TAGS) -> str:
    """A pydantic error location as a JSON Pointer, without the tags of unions.

    An element of `tags` is a tag where it follows an index or a field of `_TAGGED`, which are the places that hold canonical
    unions. Flat tool calls have no tag, but a field with the name of one.
    """
    out: list[str] = []
    previous: str | int = ""
    field = ""
    for element in loc:
        if isinstance(element, int):
            out.append(str(element))
        elif element in tags and (
            (previous == field and field in _TAGGED) or (isinstance(previous, int) and field != "tool_calls")
        ):
            field = ""
        elif not (element.startswith("<") and element.endswith(">")) or not (
            tags is _NO_TAGS or element.startswith("<class '") or element in ("<integer>", "<number>")
        ):
            field = element
            out.append(escape(element))
        previous = element
    return "".join("/" + element for element in out)


def escape(token: str) -> str:
    """A token of a JSON Pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


Detail: TypeAlias = Mapping[str, Any]
"""One of the dicts that pydantic's `errors()` returns."""

_READINGS = 64
"""How many readings of a location are compared: enough for any model, and a bound for hostile input."""


def pointer_in(data: Any, detail: Detail) -> str:
    """The place of an error in the data that was validated, for any models: an element that leads nowhere in it is a tag.

    Where a location has several readings (`{"type": "text", "text": ...}`), the place is the one that leads to the input.
    """
    absent = str(detail["type"]).startswith("missing")
    readings = islice(_readings(detail["loc"], data, absent=absent), _READINGS)
    first = next(readings)
    place, _ = next((reading for reading in chain([first], readings) if reading[1] is detail.get("input", _NOTHING)), first)
    return "".join("/" + escape(str(element)) for element in place)


def _readings(loc: Sequence[str | int], value: Any, *, absent: bool) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """The readings of a location, each with the value at its end, or with its owner if the field is absent."""
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


def faults_of(error: ValidationError, *, wire: bool = False) -> list[Fault]:
    """A pydantic error as faults: one path and one reason each, nothing of the input.

    `wire` says that it is an error of wire types, whose unions have other tags than the canonical ones.
    """
    tags = _NO_TAGS if wire else TAGS
    details = error.errors(include_url=False, include_context=True, include_input=not wire)
    return faults_in(details, lambda detail: _locate(detail, tags))


def _is_about_key(detail: Detail) -> bool:
    """Whether a key is wrong, so that the place is the object that has it."""
    loc: tuple[str | int, ...] = detail["loc"]
    return detail["type"] == "invalid_key" or loc[-1:] == ("[key]",)


def _locate(detail: Detail, tags: Container[str]) -> str:
    loc: tuple[str | int, ...] = detail["loc"]
    if _is_about_key(detail):
        return pointer(loc[: -1 if detail["type"] == "invalid_key" else -2], tags)
    if detail["type"] == "extra_forbidden":  # the last element is a key of the input, even where it looks like a tag
        return pointer(loc[:-1], tags) + "/" + escape(str(loc[-1]))
    return pointer(loc, tags)


def faults_in(details: Iterable[Detail], locate: Callable[[Detail], str]) -> list[Fault]:
    """The dicts of pydantic's `errors()` as faults; `locate` returns the place of each."""
    details = list(details)
    nested = {tuple(detail["loc"][:-1]) for detail in details if _is_nested_call(detail)}
    found: list[Fault] = []
    for detail in details:
        if tuple(detail["loc"][:-1]) not in nested:
            found.append(_fault(detail, locate(detail), suggest=len(found) < _SUGGESTIONS))
        elif _is_nested_call(detail):  # one fault for the call, not one for each field that it has or lacks
            found.append(Fault(locate(detail).rpartition("/")[0], _NESTED))
    return found


_NESTED = 'a nested tool call is OpenAI\'s wire format: give the request to load(..., "openai_chat")'


def _is_nested_call(detail: Detail) -> bool:
    loc: tuple[str | int, ...] = detail["loc"]
    return detail["type"] == "extra_forbidden" and loc[-1] == "function" and "tool_calls" in loc


_OF_TAGS = ("union_tag_not_found", "union_tag_invalid")
_TOOL = re.compile(r"/tools/\d+$")
_SUGGESTIONS = 20
"""How many faults of one error say what was meant: finding a similar word costs more than reporting an unknown one."""


def _fault(detail: Detail, path: str, *, suggest: bool) -> Fault:
    kind, reason = detail["type"], detail["msg"]
    if kind in ("free_json", "unknown_version"):
        path += detail["ctx"]["at"]
    elif _is_about_key(detail):
        reason = "object keys are text"
    elif kind == "wrong_shape":
        loc = detail["loc"]
        reason = "Input should be " + _EXPECTED.get(loc[-1] if loc else "", "text or a list of parts")
    elif kind == "provider_tool" or (kind in _OF_TAGS and _TOOL.search(path)):
        said = _own_tool(detail.get("input"))
        if said is not None:
            return Fault(path, _bounded(said))
    if kind in _OF_TAGS:
        field, reason = _union_fault(detail, path, suggest=suggest)
        path += field
    return Fault(path, _bounded(reason))


def _union_fault(detail: Detail, path: str, *, suggest: bool) -> tuple[str, str]:
    """Where in the object at `path` a union's tag is wrong, and why; nowhere if it is a function that finds the tag."""
    context = detail["ctx"]
    name, expected = str(context["discriminator"]).strip("'"), context.get("expected_tags")
    if name.endswith("()"):
        return "", f"Input should be one of {expected or 'several kinds'}"
    if expected:
        meant = _meant(str(context.get("tag", "")), name, expected) if suggest else ""
        return "/" + name, f"unknown {name}{meant}; known are {expected}"
    holder = next((token for token in reversed(path.split("/")) if not token.isdecimal()), "")
    kind = "message" if name == "role" else _KINDS.get(holder, "object")
    return "/" + name, f"Field required: it says which kind of {kind} this is"


_OWN_FIELDS: Mapping[str, str] = {
    "function": "openai_chat",
    "input_schema": "anthropic",
    "toolSpec": "bedrock_converse",
    "systemTool": "bedrock_converse",
    "cachePoint": "bedrock_converse",
    "functionDeclarations": "gemini",
    "function_declarations": "gemini",
    "googleSearch": "gemini",
    "google_search": "gemini",
    "googleSearchRetrieval": "gemini",
    "codeExecution": "gemini",
    "code_execution": "gemini",
    "urlContext": "gemini",
    "url_context": "gemini",
    "inputSchema": "bedrock_converse",
}
"""Fields that tools of providers have, and the format of each."""
_OWN_TYPES = frozenset(
    "web_search web_search_preview file_search code_interpreter computer computer_use_preview image_generation mcp local_shell "
    "shell apply_patch tool_search custom namespace".split()
)
"""The types of tools in Responses; Anthropic's have a version."""
_VERSIONED = re.compile(r"[a-z_]+_20\d{6}")


def _is_object(value: Any) -> TypeGuard[dict[Any, Any]]:
    return isinstance(value, dict)


def _own_tool(value: Any) -> str | None:
    """What is said of a tool that is one of a provider's; None where that cannot be seen."""
    if not _is_object(value):
        return None
    tool = value
    kind = tool.get("type")
    schema = tool.get("inputSchema")
    found = next((_OWN_FIELDS[key] for key in _OWN_FIELDS if key in tool), None)
    if found is None and isinstance(kind, str):
        found = "anthropic" if _VERSIONED.fullmatch(kind) else "openai_responses" if kind in _OWN_TYPES else None
    if found is None:
        return None
    flat = "a Tool has name, description and parameters side by side"
    if "name" in tool and isinstance(schema, dict) and "json" not in schema:
        return f"this is a tool of MCP: {flat}; call its inputSchema parameters"
    return f'this is a provider\'s tool: {flat}; give the request to il.load(..., "{found}")'


_KINDS = {
    "content": "part",
    "part": "part",
    "thinking_blocks": "part",
    "source": "source",
    "citations": "citation",
    "tools": "tool",
}
"""What is in the fields that hold members of unions with a `type`."""

_FOREIGN: dict[str, dict[str, tuple[str, str]]] = {
    "role": {
        "human": ("LangChain's", "user"),
        "ai": ("LangChain's", "assistant"),
        "model": ("Gemini's", "assistant"),
        "chatbot": ("Cohere's", "assistant"),
        "function": ("OpenAI's first", "tool"),
    },
    "type": {
        "input_text": ("the Responses API's", "text"),
        "output_text": ("the Responses API's", "text"),
        "input_image": ("the Responses API's", "image"),
        "input_file": ("the Responses API's", "file"),
        "reasoning": ("the Responses API's", "thinking"),
        "function_call": ("the Responses API's", "tool_use"),
        "function_call_output": ("the Responses API's", "tool_result"),
        "function": ("OpenAI's", "tool_use"),
        "document": ("Anthropic's", "file"),
        "tool-call": ("the AI SDK's", "tool_use"),
        "tool-result": ("the AI SDK's", "tool_result"),
    },
}
"""Tags of other APIs: whose they are, and the one that means the same here."""


def _meant(word: str, field: str, expected: str) -> str:
    """What an unknown tag may mean; nothing where no known one is similar."""
    known = [tag.strip("' ") for tag in expected.split(",")]
    whose, ours = _FOREIGN.get(field, {}).get(word.lower(), ("", ""))
    if ours in known:
        return f" ({word.lower()!r} is {whose} word for {ours!r})"
    near = get_close_matches(word.lower(), known, 1) if len(word) <= 2 * max(map(len, known)) else []
    return f" (did you mean {near[0]!r}?)" if near else ""


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


def line(text: str, most: int = 200) -> str:
    """Text on one line: shortened, and with escapes for control characters and all else that is not printed."""
    text = text if len(text) <= most else text[:most] + "…"
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text)


def excerpt(text: str, most: int = 40) -> str:
    """A name that the wire says, for a message to people: on one line, short, and without what may be base64."""
    if len(text) < _SHORTEST and text.isidentifier():
        return text  # nearly all names
    shown = line(_BASE64.sub("…", text[:1000]), most)
    return shown if len(shown) <= most + 1 else shown[:most] + "…"  # escapes are longer


def _bounded(text: str, most: int = 200) -> str:
    text = text if len(text) <= most else text[:most] + "…"
    return text if text.isascii() else text.encode(errors="replace").decode()  # a key may hold a lone surrogate


def error_body(error: BaseException, *, most: int = 100) -> dict[str, Any]:
    """A bounded, JSON-able description of an error: at most `most` entries of path and reason, and nothing of the input."""
    if type(most) is not int:
        raise TypeError("most is an integer")
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
        "errors": [{"path": _bounded(fault.path), "reason": _bounded(fault.reason)} for fault in entries[:most]]
    }
    if len(entries) > most:
        body["more"] = len(entries) - most
    return body
