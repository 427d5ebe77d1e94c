"""What the functions of Gemini share: the provider's limits, the profile of a host, the two spellings, and the state of a dump.

The limits are the API's (google-genai 3.4.0, `types.FunctionDeclaration`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Self

from pydantic import TypeAdapter

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.ids import Unanswered, tool_name
from ...codec.turns import BlockDump
from ...model.base import Json
from .spellings import snake, spellings

FAMILY = "gemini"
LONGEST_NAME = 64
OF_CALL = ("httpOptions", "shouldReturnHttpResponse", "automaticFunctionCalling", "automaticContinuation")
ARGUMENTS = "arguments"
"""The field of the provider data with the arguments of a call of google-genai that a body has no field for."""
CALL_ALONE = {ARGUMENTS, *spellings(*OF_CALL)}
OF_MODEL = ("model", "MODEL")
"""The model's role. Google's samples for Vertex AI have roles in capitals."""
ROLES = frozenset({"user", "USER", *OF_MODEL, "function", "tool"})


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


@dataclass(frozen=True)
class GeminiProfile:
    """What one host or model accepts, for `format_for`; the defaults are for AI Studio, and for Vertex AI since Gemini 3."""

    as_call: bool = False
    """Whether requests are the arguments of google-genai's `generate_content`: in snake case, with the settings in `config`."""
    ids: bool = True
    """Whether calls and results may have ids: on Vertex AI, models before Gemini 3 refuse them, and match results by order."""
    issuers: frozenset[str] = frozenset({FAMILY})
    """The issuers whose signatures and file ids the host accepts."""
    stand_ins: bool = True
    """Whether the first call of each step in the current turn gets a stand-in, if another provider's call has no signature.

    Models since Gemini 3 refuse a call without one; older models need none.
    """
    labels: bool = False
    """Whether a request may have `labels`, as on Vertex AI: the metadata of other providers' requests becomes labels."""
    result_media: bool = True
    """Whether a function's response may have media. Models before Gemini 3 refuse them (google-gemini/gemini-cli#19436)."""
    resolutions: bool = False
    """Whether an image may have a `mediaResolution`: before Gemini 3, only the whole request may have one."""
    penalties: bool = False
    """Whether `presencePenalty` and `frequencyPenalty` may be sent: Gemini 3 and some models before it refuse them."""
    mixed_tools: bool = False
    """Whether Google's own tools may be sent beside functions. Since Gemini 3 they may, with a field that is then added."""
    openapi_schemas: bool = False
    """Whether schemas are sent in Google's subset of OpenAPI, as older models require, and not as JSON Schema.

    They are then in `parameters` and `responseSchema`, and not in `parametersJsonSchema` and `responseJsonSchema`.
    """


# Spellings

_FREE = spellings("functionDeclarations", "headers", "customConfigs")
"""The fields of tools whose keys the caller chooses. (Functions inside a tool of another kind have no names.)"""


def respelled(value: Json, *, as_snake: bool) -> Any:
    """One of Google's tools with its fields in one spelling; a field that is there in both spellings stays."""
    if type(value) is list:
        return [respelled(item, as_snake=as_snake) for item in value]
    if type(value) is not dict:
        return value
    out: Wire = {}
    for key, item in value.items():
        name = snake(key) if as_snake else re.sub("_([a-z])", lambda match: match[1].upper(), key)
        usual = re.fullmatch("[a-z][A-Za-z0-9]*" if as_snake else "[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", key)
        made = name if usual and name not in value else key
        out[made] = item if key in _FREE else respelled(item, as_snake=as_snake)
    return out


def value_of(holder: Json, name: str) -> Any:
    """The value of a field of an object, in either spelling; None if it is in neither."""
    if type(holder) is not dict:
        return None
    value = holder.get(name)
    return holder.get(snake(name)) if value is None else value


def object_in(holder: Json, name: str) -> Wire:
    """The object in a field, or an empty object if the field has none."""
    value: Json = value_of(holder, name)
    return value if type(value) is dict else {}


def list_in(holder: Json, name: str) -> list[Any]:
    """The list in a field, or an empty list if the field has none."""
    value: Json = value_of(holder, name)
    return value if type(value) is list else []


class Words(NamedTuple):
    """An enumeration of the protocol buffers: its names, by number. A request may have a name in either case, or a number."""

    names: tuple[str, ...]

    def read(self, value: Json) -> tuple[str | None, str | None]:
        """The name of a value, and its spelling if that differs from the name; None for anything else."""
        if type(value) is int:
            return (self.names[value], "number") if 0 < value < len(self.names) else (None, None)
        name = value.upper() if type(value) is str and value in (value.upper(), value.lower()) else ""
        if name not in self.names[1:]:
            return None, None
        spelled = None if value == name else "lower"
        return name, spelled

    def write(self, name: str, spelled: str | None) -> str | int:
        """The name, spelled as it was loaded."""
        if spelled == "number" and name in self.names:
            return self.names.index(name)
        return name.lower() if spelled == "lower" else name


class WireReader(FieldReader):
    """Reads an object whose fields may be in either spelling, and records the spelling."""

    def take(self, key: str, *kinds: type) -> Any:
        """A field of one of these types."""
        value = super().take(key, *kinds)
        if value is None:
            value = super().take(snake(key), *kinds)
            if value is not None:
                self.spelling[key] = "snake"
        return value

    def take_all(self, key: str) -> list[Any] | None:
        """A list, for which a single object may stand."""
        value: Json = self.take(key, list, dict)
        if type(value) is dict:
            self.spelling[key] = "object"
            return [value]
        return value if type(value) is list else None

    def move(self, out: dict[str, Any], *keys: str, **names: str) -> None:
        """Take fields whose canonical name is the same, or is given in `names`."""
        for key in (*keys, *names):
            if (value := self.take(key)) is not None:
                out[names.get(key, key)] = value

    def inside(self, key: str, *, standalone: bool = False) -> Self:
        """A reader of the object in a field, which records spellings in the same place."""
        name = key
        if self.wire.get(key) is None and self.wire.get(snake(key)) is not None:
            name = snake(key)
            self.spelling[key] = "snake"
        return super().inside(name, standalone=standalone)


# Dumps

_REQUEST_FIELDS = spellings(
    *"thought inlineData fileData functionCall functionResponse partMetadata mediaResolution mediaProcessing".split(),
    *"videoMetadata audioMetadata documentMetadata spreadsheetMetadata speechMetadata".split(),
)
"""The other fields that parts in requests may have; the server refuses unknown fields."""


class FirstCall(NamedTuple):
    """The first call of a content, if it lacks its signature."""

    path: str
    content: int
    part: int
    key: str
    """The field of the signature."""


class GeminiDump(BlockDump):
    """A dump to Gemini's shape."""

    profile: GeminiProfile

    def begin(self) -> None:
        """Begin without calls."""
        super().begin()
        self.calls: dict[str, tuple[str, int]] = {}
        """The function of each call, by the source's id, and the number of the call among that function's calls."""
        self.counts: dict[tuple[str, str], int] = {}
        """How many calls and how many results of each function have been written."""
        self.unanswered = Unanswered()
        """The calls without an id that have no result yet, by number."""
        self.first_calls: dict[str, FirstCall | None] = {}
        """The first call of each content that is not written exactly; None if it needs no signature, or has one."""
        self.in_response = False
        """Whether a response is dumped, and not a request."""

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, in which `copied` replaces the messages written so far."""
        made = super().fork(written, copied)
        made.calls = self.calls.copy()
        made.counts = self.counts.copy()
        made.unanswered = self.unanswered.copy()
        made.first_calls = self.first_calls.copy()
        return made

    def is_response_only(self, key: str) -> bool:
        """Whether no message or part of a request may have this field."""
        return key not in _REQUEST_FIELDS

    def note_call(self, id: str | None, name: str) -> None:
        """Remember the function of a call, for its result."""
        if id is not None:
            self.calls[id] = name, self._next("call", name)
        else:
            self.unanswered.add(str(self._next("call without id", "")), name)

    def answered(self, id: str | None, name: str | None) -> str | None:
        """The function of a result; without an id or a name, it answers the first call without an id that has no result yet."""
        if id is not None:
            return self.calls.get(id, (None,))[0] if name is None else name
        call = self.unanswered.take(name)
        return name if call is None else call[1]

    def is_out_of_order(self, id: str, name: str | None) -> bool:
        """Whether a host without ids would match the next result of a function to another call."""
        number = self._next("result", name or "")
        return self.calls.get(id, (name, number)) != (name, number)

    def _next(self, kind: str, name: str) -> int:
        number = self.counts[kind, name] = self.counts.get((kind, name), 0) + 1
        return number

    def key(self, owner: Any, name: str) -> str:
        """The name of a field in the output; an object of this family keeps its spelling."""
        kept = self.same_family and owner is not None
        as_snake = spelling(owner, name) == "snake" if kept else self.profile.as_call
        return snake(name) if as_snake else name

    def tool_name(self, raw: str, path: str, longest: int = LONGEST_NAME, field: str = "/name") -> str:
        """The name of a function."""
        return super().tool_name(raw, path, longest, field)

    def fitting_name(self, raw: str, longest: int) -> str:
        """Make a name that begins with a letter or `_`."""
        return raw if self.same_family else tool_name(raw if re.match("[A-Za-z_]", raw) else f"_{raw}.", longest)


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a part or tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}
