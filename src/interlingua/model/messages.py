"""The canonical messages and their parts: one meaning, two spellings.

A message keeps the spelling it was given. *Flat* is OpenAI's and Verifiers' shape: text in `content`, reasoning and tool
calls in fields beside it. *Blocks* is Anthropic's: `content` is an ordered sequence of parts, and the order is meaning.
`message.parts` is that meaning for either; `to_blocks()` and `to_flat()` respell. Tags (`role`, `type`) are always part of
the data. What one provider adds lives in `provider_data[family]` of the owner, nested as it stood on the wire.
"""

import json
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, ConfigDict, Discriminator, Field, Strict as _Strict, Tag, ValidationInfo
from pydantic_core import PydanticCustomError, from_json

from .base import NOT_GIVEN, Exact, Given, Json, JsonObject, Label, Model, Text, copy_json, shape, tag

# Lists are accepted where the model holds a tuple; the discriminator keeps sets and generators out.
lax = _Strict(strict=False)

ProviderData = dict[Label, JsonObject]
"""What one family of formats adds to an owner, by family; nested as it stood on the wire."""


class CacheControl(Model, frozen=True):
    """A cache mark: the prompt up to and including its owner is to be cached."""

    type: Literal["ephemeral"] = tag("ephemeral")
    ttl: Label | None = None
    """How long the provider is to keep it, as the provider spells it (`5m`, `1h`)."""


Pointers = Given[
    Annotated[Annotated[tuple[Text, ...], lax, Tag("<parts>")] | Annotated[None, Tag("<null>")], Discriminator(shape)],
    list[str] | tuple[str, ...] | None,
]


class WireRecord(Model, frozen=True):
    """How an owner stood on the wire, where its fields do not say it: the package's own record, never sent to a provider.

    Loading sets it where there is something to say. A dump to the same format reads it, and an edit of the fields wins over it.
    Words that a format does not know are ignored.
    """

    origin: Label | None = None
    """The name of the format that this message was loaded from. Messages of requests leave it to the request's `origin`."""
    response: bool | None = None
    """Whether the message came in a response. Fields that only responses have are left out when it is sent back."""
    spelling: dict[Label, Label] | None = None
    """Which of its wire spellings a field had, in the format's own words, such as `{"stop": "text"}`."""
    partial: Pointers = NOT_GIVEN
    """JSON Pointers to the wire's objects that were read in part. The rest of each is in `provider_data`."""
    standalone: Pointers = NOT_GIVEN
    """Those of them whose rest is sent even without the part that was read."""


# Sources of media


class UrlSource(Model, frozen=True):
    """Media at a URL that the provider fetches."""

    type: Literal["url"] = tag("url")
    url: Text


class Base64Source(Model, frozen=True):
    """Media in the message itself, base64 text as it was received."""

    type: Literal["base64"] = tag("base64")
    data: Text
    media_type: Label | None = None


class FileIdSource(Model, frozen=True):
    """Media uploaded beforehand; the id means something to its issuer only."""

    type: Literal["file_id"] = tag("file_id")
    file_id: Label
    issuer: Label | None = None


class TextSource(Model, frozen=True):
    """A document given as plain text."""

    type: Literal["text"] = tag("text")
    text: Text
    media_type: Label | None = None


Source = Annotated[UrlSource | Base64Source | FileIdSource | TextSource, Field(discriminator="type")]


# Parts


class Part(Model, frozen=True):
    """What all parts share: a cache mark and the provider's own fields."""

    cache_control: CacheControl | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class TextPart(Part, frozen=True):
    """Text."""

    type: Literal["text"] = tag("text")
    text: Text


class ImagePart(Part, frozen=True):
    """An image."""

    type: Literal["image"] = tag("image")
    source: Source
    detail: Label | None = None


class AudioPart(Part, frozen=True):
    """Audio; a base64 source's media type is `audio/<format>`."""

    type: Literal["audio"] = tag("audio")
    source: Source


class VideoPart(Part, frozen=True):
    """Video."""

    type: Literal["video"] = tag("video")
    source: Source


class FilePart(Part, frozen=True):
    """A document: PDF, text and the like."""

    type: Literal["file"] = tag("file")
    source: Source
    filename: Label | None = None
    """The file's name or title, which the model may see."""


class ImageUrl(Model, frozen=True):
    """OpenAI's spelling of an image: an http(s) or data URL."""

    url: Text
    detail: Label | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class ImageUrlPart(Part, frozen=True):
    """An image in OpenAI's and Verifiers' spelling."""

    type: Literal["image_url"] = tag("image_url")
    image_url: ImageUrl


class InputAudio(Model, frozen=True):
    """OpenAI's spelling of audio: base64 data and a format such as `wav`."""

    data: Text
    format: Label
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class InputAudioPart(Part, frozen=True):
    """Audio in OpenAI's and Verifiers' spelling."""

    type: Literal["input_audio"] = tag("input_audio")
    input_audio: InputAudio


class ThinkingPart(Part, frozen=True):
    """Reasoning that can be read; a signature lets its issuer, and nobody else, verify it on replay."""

    type: Literal["thinking"] = tag("thinking")
    thinking: Text
    signature: Text | None = None
    summary: bool | None = None
    """Whether the text is marked as a summary of the reasoning."""
    issuer: Label | None = None
    """Who signed it; None goes anywhere that has a place for it."""


class RedactedThinkingPart(Part, frozen=True):
    """Reasoning that only its issuer can read."""

    type: Literal["redacted_thinking"] = tag("redacted_thinking")
    data: Text
    issuer: Label | None = None


class RefusalPart(Part, frozen=True):
    """The model's words of refusal."""

    type: Literal["refusal"] = tag("refusal")
    refusal: Text


def _arguments_text(value: str | dict[str, Any]) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _arguments_object(value: str | dict[str, Any]) -> dict[str, Any] | None:
    if not isinstance(value, str):
        return value
    try:
        parsed: Json = copy_json(from_json(value, allow_inf_nan=False))
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


class ToolUsePart(Part, frozen=True):
    """A call of a tool by the assistant; `input` is what the source spelled: JSON text or an object."""

    type: Literal["tool_use"] = tag("tool_use")
    id: Label | None = None
    name: Label
    input: Annotated[Annotated[Text, Tag("<text>")] | Annotated[JsonObject, Tag("<object>")], Discriminator(shape)]
    custom: bool | None = None
    """Whether this calls a custom tool, whose input is free text and not JSON."""

    @property
    def arguments(self) -> str:
        """The arguments as text: verbatim if they came as text."""
        return _arguments_text(self.input)

    @property
    def parsed(self) -> dict[str, Any] | None:
        """The arguments as an object; None where the text is not a JSON object."""
        return _arguments_object(self.input)


class OpaquePart(Part, frozen=True):
    """A part of one format without canonical meaning, verbatim."""

    type: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject


ResultContentPart = Annotated[
    TextPart | ImagePart | AudioPart | VideoPart | FilePart | ImageUrlPart | InputAudioPart | OpaquePart,
    Field(discriminator="type"),
]

ResultContent = Given[
    Annotated[
        Annotated[Text, Tag("<text>")]
        | Annotated[tuple[ResultContentPart, ...], lax, Tag("<parts>")]
        | Annotated[None, Tag("<null>")],
        Discriminator(shape),
    ],
    str | Sequence[ResultContentPart] | None,
]


class ToolResultPart(Part, frozen=True):
    """What a tool gave back, in a user message."""

    type: Literal["tool_result"] = tag("tool_result")
    tool_use_id: Label | None = None
    content: ResultContent = NOT_GIVEN
    is_error: bool | None = None
    name: Label | None = None


AnyPart: TypeAlias = (
    TextPart
    | ImagePart
    | AudioPart
    | VideoPart
    | FilePart
    | ThinkingPart
    | RedactedThinkingPart
    | RefusalPart
    | ToolUsePart
    | ToolResultPart
    | OpaquePart
    | ImageUrlPart
    | InputAudioPart
)
"""Any part; validated by its `type`."""

TaggedPart = Annotated[AnyPart, Field(discriminator="type")]
"""A part as a field of a model: `AnyPart` with its discriminator."""

Content = Given[
    Annotated[Annotated[Text, Tag("<text>")] | Annotated[tuple[TaggedPart, ...], lax, Tag("<parts>")], Discriminator(shape)],
    str | Sequence[AnyPart],
]
"""A message's content: text, or an ordered sequence of parts."""

NullableContent = Given[
    Annotated[
        Annotated[Text, Tag("<text>")]
        | Annotated[tuple[TaggedPart, ...], lax, Tag("<parts>")]
        | Annotated[None, Tag("<null>")],
        Discriminator(shape),
    ],
    str | Sequence[AnyPart] | None,
]


class ToolCall(Model, frozen=True):
    """A tool call in the flat spelling, Verifiers' shape: `arguments` is the model's text, valid JSON or not."""

    id: Label | None = None
    name: Label
    arguments: Text
    custom: bool | None = None
    """Whether this calls a custom tool, whose input is free text and not JSON."""
    cache_control: CacheControl | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None

    @property
    def parsed(self) -> dict[str, Any] | None:
        """The arguments as an object; None where the text is not a JSON object."""
        return _arguments_object(self.arguments)


ThinkingBlock = Annotated[ThinkingPart | RedactedThinkingPart, Field(discriminator="type")]

ThinkingBlocks = Given[
    Annotated[Annotated[tuple[ThinkingBlock, ...], lax, Tag("<parts>")] | Annotated[None, Tag("<null>")], Discriminator(shape)],
    Sequence[ThinkingBlock] | None,
]


def _one_spelling(calls: tuple[ToolCall, ...], info: ValidationInfo) -> tuple[ToolCall, ...]:
    content: tuple[Any, ...] | str | None = info.data.get("content")
    if calls and type(content) is tuple and any(type(part) is ToolUsePart for part in content):
        raise PydanticCustomError(
            "two_spellings", "tool calls are given twice, as tool_calls and as tool_use parts of content: use one of them"
        )
    return calls


ToolCalls = Given[
    Annotated[
        Annotated[tuple[ToolCall, ...], lax, AfterValidator(_one_spelling), Tag("<parts>")] | Annotated[None, Tag("<null>")],
        Discriminator(shape),
    ],
    Sequence[ToolCall] | None,
]


# Messages


class _AnyMessage(Exact, frozen=True):
    """What every message can do; serialized canonically, or for a provider when the context names a format."""

    def _in_context(self, context: Any, /) -> dict[str, Any] | None:
        return _front().dump_in_context(self, context) if "format" in context else None

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        """The message's meaning: its parts in order, whichever way it is spelled."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """The text of all text parts, concatenated."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def tool_uses(self) -> tuple[ToolUsePart, ...]:
        """The tool calls in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolUsePart))

    @property
    def thinking(self) -> str:
        """The readable reasoning, concatenated."""
        return "".join(part.thinking for part in self.parts if isinstance(part, ThinkingPart))

    def dump_as(
        self, format: Any, *, on_loss: Any = "warn", content: Literal["keep", "string", "list"] | None = None
    ) -> dict[str, Any]:
        """This one message in a provider's form, string or list as the format's profile or `content` says.

        Raises `LossyConversion` under `on_loss="raise"`, `ValueError` where it is not exactly one message there.
        """
        return _front().dump_as(self, format, on_loss=on_loss, content=content)  # type: ignore[no-any-return]


class _Message(_AnyMessage, frozen=True):
    name: Label | None = None
    """The participant's name."""
    cache_control: CacheControl | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None
    extra: JsonObject | None = None
    """The application's own data, such as a database id; never sent, and never reported as a loss."""


def _front() -> Any:
    """The front door, which stands above this layer and knows the formats: looked up by name when a message is dumped."""
    return import_module("interlingua.front")


def _content_parts(content: str | tuple[AnyPart, ...] | None) -> tuple[AnyPart, ...]:
    if content is None:
        return ()
    return (TextPart(text=content),) if isinstance(content, str) else content


class _ContentMessage(_Message, frozen=True):
    role: Any
    content: Content  # which each class repeats for mypy: it takes an inherited field to hold what the constructor takes

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        return _content_parts(self.content)


class _SaidMessage(_ContentMessage, frozen=True):
    def to_blocks(self) -> Self:
        """The same message with its content as parts."""
        return self.replace(content=self.parts)


class SystemMessage(_SaidMessage, frozen=True):
    """Instructions from whoever runs the conversation."""

    role: Literal["system"] = tag("system")
    if TYPE_CHECKING:
        content: Content


class DeveloperMessage(_SaidMessage, frozen=True):
    """Instructions in OpenAI's developer role."""

    role: Literal["developer"] = tag("developer")
    if TYPE_CHECKING:
        content: Content


class UserMessage(_SaidMessage, frozen=True):
    """What the user, or the environment, says; tool results in the blocks spelling."""

    role: Literal["user"] = tag("user")
    if TYPE_CHECKING:
        content: Content

    def to_flat(self) -> "tuple[tuple[ToolMessage | UserMessage, ...], tuple[str, ...]]":
        """Tool results as messages of their own, the rest behind them; and what order that loses, in words."""
        results = tuple(part for part in self.parts if isinstance(part, ToolResultPart))
        if not results:
            return (self,), ()
        rest = tuple(part for part in self.parts if not isinstance(part, ToolResultPart))
        lost: list[str] = []
        if self.parts[: len(results)] != results:
            lost.append("parts before a tool result move behind the results")
        if any(part.content is None for part in results):
            lost.append("results without content get empty text")
        flat = tuple(_tool_message(part) for part in results)
        if rest:
            return (*flat, self.replace(content=rest)), tuple(lost)
        return flat if self.extra is None else (flat[0].replace(extra=self.extra), *flat[1:]), tuple(lost)


class ToolMessage(_ContentMessage, frozen=True):
    """What one tool call gave back, in the flat spelling."""

    role: Literal["tool"] = tag("tool")
    if TYPE_CHECKING:
        content: Content
    tool_call_id: Label | None = None
    is_error: bool | None = None

    def to_blocks(self) -> "UserMessage":
        """The user message with the one tool result that means the same."""
        more: dict[str, Any] = {} if self.extra is None else {"extra": self.extra}
        return UserMessage(content=(self.result,), **more)

    @property
    def result(self) -> ToolResultPart:
        """The message as a tool-result part."""
        given: dict[str, Any] = {
            name: getattr(self, name) for name in self.model_fields_set - {"role", "tool_call_id", "extra"}
        }
        return ToolResultPart(tool_use_id=self.tool_call_id, **given)


def _tool_message(part: ToolResultPart) -> "ToolMessage":
    given: dict[str, Any] = {name: getattr(part, name) for name in part.model_fields_set - {"type", "tool_use_id"}}
    given |= {"tool_call_id": part.tool_use_id, "content": "" if part.content is None else part.content}
    return ToolMessage(**given)


_A_CALL: Json = {"type": "object", "properties": {"type": {"const": "tool_use"}}, "required": ["type"]}
_TWO_SPELLINGS: Json = {
    "properties": {"tool_calls": {"type": "array", "minItems": 1}, "content": {"type": "array", "contains": _A_CALL}},
    "required": ["tool_calls", "content"],
}


class AssistantMessage(_Message, frozen=True):
    """What the model says: text, reasoning and tool calls, flat or as ordered blocks."""

    model_config = ConfigDict(json_schema_extra={"not": _TWO_SPELLINGS})

    role: Literal["assistant"] = tag("assistant")
    content: NullableContent = NOT_GIVEN
    reasoning_content: Text | None = None
    thinking_blocks: ThinkingBlocks = NOT_GIVEN
    refusal: Text | None = None
    tool_calls: ToolCalls = NOT_GIVEN

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        blocks: list[AnyPart] = list(self.thinking_blocks or ())
        told = "".join(block.thinking for block in blocks if isinstance(block, ThinkingPart))
        if self.reasoning_content and self.reasoning_content != told:
            blocks.insert(0, ThinkingPart(thinking=self.reasoning_content))
        blocks += _content_parts(self.content)
        if self.refusal is not None:
            blocks.append(RefusalPart(refusal=self.refusal))
        blocks += (_tool_use(call) for call in self.tool_calls or ())
        return tuple(blocks)

    def to_blocks(self) -> "AssistantMessage":
        """The same message with everything in `content`, in order."""
        flat = {"reasoning_content", "thinking_blocks", "refusal", "tool_calls"}
        kept: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set - flat}
        kept["content"] = self.parts
        return AssistantMessage(**kept)

    def to_flat(self) -> "tuple[AssistantMessage, tuple[str, ...]]":
        """Thinking, refusal and tool calls in fields beside the content; and what order that loses, in words."""
        parts = self.parts
        thinking = tuple(p for p in parts if isinstance(p, ThinkingPart | RedactedThinkingPart))
        calls = tuple(p for p in parts if isinstance(p, ToolUsePart))
        refusals = tuple(p for p in parts if isinstance(p, RefusalPart))
        moved = {id(p) for p in (*thinking, *calls, *(refusals if len(refusals) == 1 else ()))}
        content = tuple(p for p in parts if id(p) not in moved)
        lost: list[str] = []
        if not _in_order(parts, (*thinking, *content, *(refusals if len(refusals) == 1 else ()), *calls)):
            lost.append("the order of thinking, text and tool calls")
        kept: dict[str, Any] = {
            n: getattr(self, n)
            for n in self.model_fields_set & {"role", "name", "cache_control", "provider_data", "wire", "extra"}
        }
        if content or not calls:
            kept["content"] = self.content if isinstance(self.content, str) else _text_alone(content) or content
        if thinking:
            kept["thinking_blocks"] = thinking
        if len(refusals) == 1:
            kept["refusal"] = refusals[0].refusal
        if calls:
            kept["tool_calls"] = tuple(_tool_call(part) for part in calls)
        return AssistantMessage(**kept), tuple(lost)


def _text_alone(content: tuple[AnyPart, ...]) -> str | None:
    part = content[0] if len(content) == 1 else None
    return part.text if isinstance(part, TextPart) and part.model_fields_set == {"type", "text"} else None


def _in_order(parts: tuple[AnyPart, ...], arranged: tuple[AnyPart, ...]) -> bool:
    return len(parts) == len(arranged) and all(a is b for a, b in zip(parts, arranged, strict=True))


def _tool_use(call: ToolCall) -> ToolUsePart:
    given = {name: getattr(call, name) for name in call.model_fields_set - {"arguments"}}
    return ToolUsePart(**given, input=call.arguments)


def _tool_call(part: ToolUsePart) -> ToolCall:
    given = {name: getattr(part, name) for name in part.model_fields_set - {"type", "input"}}
    return ToolCall(**given, arguments=part.arguments)


class TextMessage(_Message, frozen=True):
    """A completion-style text: a prompt, or what continues it."""

    role: Literal["text"] = tag("text")
    content: Text

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        return _content_parts(self.content)


class OpaqueMessage(_AnyMessage, frozen=True):
    """A message or item of one format without canonical meaning, verbatim."""

    role: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject
    wire: WireRecord | None = None
    extra: JsonObject | None = None
    """The application's own data; never sent, and never reported as a loss."""

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        """No parts: what it means is not known here."""
        return ()


Message: TypeAlias = (
    SystemMessage | DeveloperMessage | UserMessage | AssistantMessage | ToolMessage | TextMessage | OpaqueMessage
)
"""Any message; validated by its `role`."""

TaggedMessage = Annotated[Message, Field(discriminator="role")]
"""A message as a field of a model: `Message` with its discriminator."""
