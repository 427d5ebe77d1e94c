"""What goes to a model and what comes back: tools, requests, responses and their usage."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from .base import BY_SHAPE, NOT_GIVEN, Given, Integer, Json, JsonObject, Label, Model, Number, Text, tag
from .messages import AssistantMessage, Message, MessageBase
from .parts import CacheControl, ProviderData, WireRecord, lax
from .shown import late, repr_html, rich_console


class Tool(Model, frozen=True):
    """A function tool; `parameters` is a JSON Schema."""

    type: Literal["function"] = tag("function")
    name: Label
    """The function's name."""
    description: Text | None = None
    """What the function does, for the model to read."""
    parameters: JsonObject | None = None
    """A JSON Schema of the arguments; read-only."""
    strict: bool | None = None
    """Whether the arguments must satisfy the schema."""
    cache_control: CacheControl | None = None
    """A cache mark: the provider is to cache the prompt up to here."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Json) -> Json:
        """Refuse a provider's tool with one error, not with one for each field that it has or lacks."""
        if isinstance(value, dict) and not value.keys().isdisjoint(_NESTING):
            raise PydanticCustomError("provider_tool", _PROVIDER_TOOL)
        return value


_NESTING = frozenset({"function", "input_schema", "inputSchema", "toolSpec"})
_PROVIDER_TOOL = "this is a provider's tool: a Tool must have name, description and parameters side by side"


class OpaqueTool(Model, frozen=True):
    """A tool of one provider (search, code execution, custom tools), verbatim."""

    type: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject
    """The tool as it was on the wire; read-only."""


AnyTool = TypeAliasType(
    "AnyTool",
    Annotated[Tool | OpaqueTool, Field(discriminator="type", title="AnyTool", description="Any tool; its type says which.")],
)
"""Any tool; its `type` says which."""


Texts = Given[
    Annotated[Annotated[tuple[Text, ...], lax] | None, BY_SHAPE],
    list[str] | tuple[str, ...] | None,  # a str is a Sequence[str] too
]


class ToolChoice(Model, frozen=True):
    """Whether the model must call a tool, and which one; the type `tool` needs a name."""

    type: Literal["auto", "none", "required", "tool"]
    """Whether a tool is to be called: as the model likes, none, any, or the one that is named."""
    name: Label | None = None
    """The name of the tool to call."""
    allowed: Texts = NOT_GIVEN
    """The names of the tools that may be called, if `auto` or `required` means only some; without names, all of them."""


INVENTED_NAME = "response"
"""The name that a schema without one gets if a format needs a name; a format without names drops it without a loss."""


class ResponseFormat(Model, frozen=True):
    """The form that the answer must have; the type `json_schema` needs a schema and, for some providers, a name."""

    type: Literal["text", "json_object", "json_schema"]
    """Text, any JSON object, or JSON that satisfies a schema."""
    name: Label | None = None
    """The schema's name."""
    description: Text | None = None
    """What the answer is for, for the model to read."""
    json_schema: JsonObject | None = None
    """The JSON Schema; read-only."""
    strict: bool | None = None
    """Whether the answer must satisfy the schema."""


class Caching(Model, frozen=True):
    """Asks a dump for cache marks on the last tool, the system text and the last `messages` messages."""

    tools: bool = True
    """Whether the last tool gets a mark."""
    system: bool = True
    """Whether the system text gets a mark."""
    messages: Annotated[int, Field(ge=0, le=4)] = 2
    """How many of the last messages get a mark."""
    ttl: Label | None = None
    """How long the provider is to keep it, as the provider spells it (`5m`, `1h`)."""


Messages = Given[
    Annotated[Annotated[tuple[Message, ...], lax], BY_SHAPE],
    Sequence[MessageBase | dict[str, Any]],
]
Tools = Given[
    Annotated[
        Annotated[tuple[AnyTool, ...], lax] | None,
        BY_SHAPE,
    ],
    Sequence[AnyTool | dict[str, Any]] | None,
]


class Request(Model, frozen=True):
    """One request to a model: the messages and the settings.

    `origin` is the name of the format that the request was loaded from, and None for one that was built by hand. Fields that
    only one provider has are in `provider_data[family]`.
    """

    messages: Messages
    """The messages, in their order."""
    model: Label | None = None
    """The model's name, as the provider spells it."""
    tools: Tools = NOT_GIVEN
    """The tools that may be called."""
    tool_choice: Given[ToolChoice | None, ToolChoice | dict[str, Any] | None] = NOT_GIVEN
    """Whether a tool is to be called, and which."""
    parallel_tool_calls: bool | None = None
    """Whether one answer may call several tools."""
    max_tokens: Integer | None = None
    """How many tokens the answer may have."""
    temperature: Number | None = None
    """The sampling temperature."""
    top_p: Number | None = None
    """The share of probability that tokens are drawn from."""
    top_k: Integer | None = None
    """How many of the likeliest tokens are drawn from."""
    stop: Texts = NOT_GIVEN
    """Texts that end the answer."""
    reasoning_effort: Label | None = None
    """How much the model is to reason, in the provider's words."""
    reasoning_budget: Integer | None = None
    """How many tokens the model may spend on reasoning."""
    response_format: Given[ResponseFormat | None, ResponseFormat | dict[str, Any] | None] = NOT_GIVEN
    """The form that the answer is to have."""
    metadata: JsonObject | None = None
    """The caller's own data, which the provider keeps with the request; read-only."""
    user: Label | None = None
    """An opaque id of the end user."""
    stream: bool | None = None
    """Whether the answer is to come in pieces."""
    caching: Given[Caching | None, Caching | dict[str, Any] | None] = NOT_GIVEN
    """Cache marks to set in a dump to a format that has them."""
    origin: Label | None = None
    """The name of the format that it was loaded from."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""

    _repr_html_ = repr_html
    __rich_console__ = rich_console

    @property
    def payload(self) -> Any:
        """The body in the format that it was loaded from; the same as the body that was loaded, unless `replace` changed it.

        Raises `ValueError` for a request that was not loaded.
        """
        return late("dump")(self, _origin(self))


VERSION: Literal[1] = 1
"""The version of the schema of stored conversations."""


class Conversation(Model, frozen=True):
    """A conversation to be stored: messages and tools with a version, readable by every later release.

    `version` is the version of this schema; an unknown version is refused with one error.
    """

    version: Literal[1] = tag(VERSION)
    id: Label | None = None
    """The application's name for it."""
    messages: Messages
    """The messages, in their order."""
    tools: Tools = NOT_GIVEN
    """The tools that may be called in it."""
    metadata: JsonObject | None = None
    """Anything that belongs to the conversation as a whole; read-only."""

    _repr_html_ = repr_html
    __rich_console__ = rich_console

    @model_validator(mode="before")
    @classmethod
    def _known_version(cls, value: Json) -> Json:
        """Refuse another version before any other error; a `Literal` alone would accept True as 1."""
        version = value.get("version", VERSION) if isinstance(value, dict) else VERSION
        if type(version) is int and version == VERSION:
            return value
        reason = f"Input should be {VERSION}"
        if type(version) is int and version > VERSION:
            reason = f"must be at most {VERSION}, the latest version that this release knows: update interlingua to read it"
        raise PydanticCustomError("unknown_version", "{reason}", {"reason": reason, "at": "/version"})


def choice_without_tool(choice: ToolChoice | None, sent: Sequence[str], name: str | None) -> bool:
    """Whether none of the tools that are sent fits a choice; `name` is the name that the chosen tool is sent with."""
    return choice is not None and (not sent or (choice.type == "tool" and name not in sent))


def is_one_tool(choice: ToolChoice, least: int | None) -> bool:
    """Whether a choice among allowed tools is one of a single tool, for a format that must have `least` of them."""
    return choice.type == "required" and choice.allowed is not None and len(choice.allowed) == 1 < (least or 2)


StopReason: TypeAlias = Literal[
    "stop",
    "stop_sequence",
    "length",
    "context_window",
    "tool_calls",
    "refusal",
    "content_filter",
    "pause",
    "malformed",
    "compaction",
    "cancelled",
    "error",
]
"""Why a model stopped, if that has one meaning across providers; other reasons keep the provider's word."""


class Usage(Model, frozen=True):
    """How many tokens a response used, with the same meaning for every provider; a count is None if it is not reported.

    Three kinds of input do not overlap: `input_tokens` (neither read from nor written to a cache), `cache_read_tokens`,
    `cache_write_tokens`. `output_tokens` is all output; `reasoning_tokens` is the part of it that was spent on reasoning.
    `input_audio_tokens` and `output_audio_tokens` are parts of all input and all output. Usages can be added; a sum has no
    `native`.
    """

    input_tokens: Integer | None = None
    """Input that was neither read from a cache nor written to one."""
    cache_read_tokens: Integer | None = None
    """Input that was read from a cache."""
    cache_write_tokens: Integer | None = None
    """Input that was written to a cache."""
    output_tokens: Integer | None = None
    """All output."""
    reasoning_tokens: Integer | None = None
    """The part of the output that was spent on reasoning."""
    input_audio_tokens: Integer | None = None
    """The part of all input that is audio."""
    output_audio_tokens: Integer | None = None
    """The part of all output that is audio."""
    native: ProviderData | None = None
    """The provider's object by family, verbatim; read-only."""

    @property
    def total_input_tokens(self) -> int:
        """All input, cached or not."""
        return (self.input_tokens or 0) + (self.cache_read_tokens or 0) + (self.cache_write_tokens or 0)

    @property
    def total_tokens(self) -> int:
        """All input and all output."""
        return self.total_input_tokens + (self.output_tokens or 0)

    def __add__(self, other: object) -> "Usage":
        if not isinstance(other, Usage):
            return NotImplemented
        counts: dict[str, Any] = {}
        for name in Usage.model_fields:
            mine = getattr(self, name)
            others = getattr(other, name)
            if name != "native" and not (mine is None and others is None):
                counts[name] = (mine or 0) + (others or 0)
        return Usage(**counts)

    def __radd__(self, other: object) -> "Usage":
        return self + Usage() if other == 0 else NotImplemented  # so that `sum` works


class Choice(Model, frozen=True):
    """One answer of a response: its message, and the reason why the message ended."""

    message: AssistantMessage
    """What the model said."""
    stop_reason: Label | None = None
    """A `StopReason`, or the provider's own word if none of them fits."""
    native_stop_reason: Label | None = None
    """The provider's word for it."""
    stop_sequence: Text | None = None
    """The stop sequence that was hit."""
    incomplete: bool | None = None
    """Whether the stream broke off; the last part may be cut."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""


Choices = Given[Annotated[Annotated[tuple[Choice, ...], lax], BY_SHAPE], Sequence[Choice | dict[str, Any]]]


class Response(Model, frozen=True):
    """A model's response: one choice, or several if the request asked for several.

    `message`, `stop_reason` and `native_stop_reason` are those of the first choice. `origin` is the name of the format that the
    response was loaded from.
    """

    id: Text | None = None
    """The provider's id of it."""
    model: Text | None = None
    """The model that answered."""
    created: Number | None = None
    """When it was made, in seconds since 1970."""
    choices: Choices
    """The answers, in their order."""
    usage: Usage | None = None
    """How many tokens it used."""
    origin: Label | None = None
    """The name of the format that it was loaded from."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""

    _repr_html_ = repr_html
    __rich_console__ = rich_console

    @property
    def payload(self) -> Any:
        """The body in the format that it was loaded from; the same as the body that was loaded, unless `replace` changed it.

        Raises `ValueError` for a response that was not loaded.
        """
        return late("dump_response")(self, _origin(self))

    @property
    def message(self) -> AssistantMessage:
        """The message of the first choice; an empty message if there are no choices."""
        return self.choices[0].message if self.choices else AssistantMessage()

    @property
    def stop_reason(self) -> str | None:
        """Why the first choice ended."""
        return self.choices[0].stop_reason if self.choices else None

    @property
    def native_stop_reason(self) -> str | None:
        """Why the first choice ended, in the provider's word."""
        return self.choices[0].native_stop_reason if self.choices else None


def _origin(value: Request | Response) -> str:
    if value.origin is None:
        raise ValueError("it was not loaded from a format: use dump, and name a format")
    return value.origin
