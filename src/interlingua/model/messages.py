"""The canonical messages: one meaning, two spellings.

A message keeps the spelling that it was given. *Flat* is the shape of OpenAI and Verifiers: text in `content`, reasoning and
tool calls in fields of the message. *Blocks* is the other: `content` is an ordered sequence of parts, and the order has
meaning. `message.parts` is that meaning for either spelling; `to_blocks()` and `to_flat()` respell. Tags (`role`, `type`) are
always part of the data.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from .base import BY_SHAPE, NOT_GIVEN, Given, Json, JsonObject, Label, Model, Text, tag
from .parts import (
    CacheControl,
    Content,
    NullableContent,
    Part,
    ProviderData,
    RedactedThinkingPart,
    RefusalPart,
    TextPart,
    ThinkingBlocks,
    ThinkingPart,
    ToolCall,
    ToolResultPart,
    ToolUsePart,
    WireRecord,
    lax,
)
from .shown import late

if TYPE_CHECKING:
    from ._keys import Format, FormatName, OnLoss  # pyright: ignore[reportMissingModuleSource] -- a stub for type checkers only


def _one_spelling(calls: tuple[ToolCall, ...], info: ValidationInfo) -> tuple[ToolCall, ...]:
    content: tuple[Any, ...] | str | None = info.data.get("content")
    if calls and type(content) is tuple and any(type(part) is ToolUsePart for part in content):
        raise PydanticCustomError(
            "two_spellings", "tool calls must be given once, as `tool_calls` or as tool_use parts of `content`"
        )
    return calls


ToolCalls = Given[
    Annotated[
        Annotated[tuple[ToolCall, ...], lax, AfterValidator(_one_spelling)] | None,
        BY_SHAPE,
    ],
    Sequence[ToolCall | dict[str, Any]] | None,
]


# Messages


class MessageBase(Model, frozen=True):
    """The base class of all messages, for `isinstance`.

    It is serialized canonically, or for a provider if the context names a format.
    """

    def _in_context(self, context: Any, /) -> dict[str, Any] | None:
        return late("dump_in_context")(self, context) if "format" in context else None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The message's content as parts in order, the same in both spellings."""
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
        self,
        format: "FormatName | Format",
        *,
        on_loss: "OnLoss" = "warn",
        content: Literal["keep", "string", "list"] | None = None,
    ) -> dict[str, Any]:
        """This one message in a provider's form; `content` asks for a string or a list, whatever the format's profile says.

        Raises `LossyConversion` under `on_loss="raise"`, and `ValueError` if it does not become exactly one message.
        """
        made: dict[str, Any] = late("dump_as")(self, format, on_loss=on_loss, content=content)
        return made


class _Message(MessageBase, frozen=True):
    name: Label | None = None
    """The participant's name."""
    cache_control: CacheControl | None = None
    """A cache mark: the provider is to cache the prompt up to here."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""
    extra: JsonObject | None = None
    """The application's own data, such as a database id; never sent, and never reported as a loss; read-only."""


def _content_parts(content: str | tuple[Part, ...] | None) -> tuple[Part, ...]:
    if content is None:
        return ()
    return (TextPart(text=content),) if isinstance(content, str) else content


class _ContentMessage(_Message, frozen=True):
    role: Any
    content: Content  # which each class repeats for mypy: it takes an inherited field to hold what the constructor takes
    """What is said: text, or parts in their order."""

    @property
    def parts(self) -> tuple[Part, ...]:
        return _content_parts(self.content)


class _SaidMessage(_ContentMessage, frozen=True):
    def to_blocks(self) -> Self:
        """The same message with its content as parts."""
        return self.replace(content=self.parts)


class SystemMessage(_SaidMessage, frozen=True):
    """Instructions from the application."""

    role: Literal["system"] = tag("system")
    if TYPE_CHECKING:
        content: Content


class DeveloperMessage(_SaidMessage, frozen=True):
    """Instructions in OpenAI's developer role."""

    role: Literal["developer"] = tag("developer")
    if TYPE_CHECKING:
        content: Content


class UserMessage(_SaidMessage, frozen=True):
    """What the user or the environment says; in the blocks spelling also tool results."""

    role: Literal["user"] = tag("user")
    if TYPE_CHECKING:
        content: Content

    def to_flat(self) -> "tuple[tuple[ToolMessage | UserMessage, ...], tuple[str, ...]]":
        """A message for each tool result, then one for the rest; and, in words, what is lost."""
        results = _of_type(self.parts, ToolResultPart)
        if not results:
            return (self,), ()
        UserMessage.model_validate(self)  # refuses fields that only a subclass has
        rest = tuple(part for part in self.parts if not isinstance(part, ToolResultPart))
        lost: list[str] = []
        if self.parts[: len(results)] != results:
            lost.append("parts before a tool result move after the results")
        if any(part.content is None for part in results):
            lost.append("results without content get empty text")
        if any(part.signature is not None for part in results):
            lost.append("the signatures of results are left out")
        first, *others = map(_tool_message, results)
        if rest:
            return (first, *others, self.replace(content=rest)), tuple(lost)
        if self.extra is not None:
            first = first.replace(extra=self.extra)
        return (first, *others), tuple(lost)


class ToolMessage(_ContentMessage, frozen=True):
    """The result of one tool call, in the flat spelling."""

    role: Literal["tool"] = tag("tool")
    if TYPE_CHECKING:
        content: Content
    tool_call_id: Label | None = None
    """The id of the call that this answers."""
    is_error: bool | None = None
    """Whether the tool failed."""

    def to_blocks(self) -> "UserMessage":
        """The user message with one tool result that means the same."""
        more: dict[str, Any] = {} if self.extra is None else {"extra": self.extra}
        return UserMessage(content=(self.result,), **more)

    @property
    def result(self) -> ToolResultPart:
        """The message as a tool-result part."""
        given: dict[str, Any] = {
            name: getattr(self, name) for name in self.model_fields_set - {"role", "tool_call_id", "extra"}
        }
        return ToolResultPart(tool_use_id=self.tool_call_id, **given)


_RESULT_ALONE = {"type", "tool_use_id", "signature", "issuer"}
"""The fields of a result among parts that a tool message does not have."""


def _tool_message(part: ToolResultPart) -> "ToolMessage":
    given: dict[str, Any] = {name: getattr(part, name) for name in part.model_fields_set - _RESULT_ALONE}
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
    """What is said: text, or parts in their order, tool calls and reasoning among them."""
    reasoning_content: Text | None = None
    """Reasoning as text alone."""
    thinking_blocks: ThinkingBlocks = NOT_GIVEN
    """Reasoning as parts, before everything else."""
    refusal: Text | None = None
    """A refusal in the model's words."""
    tool_calls: ToolCalls = NOT_GIVEN
    """The calls, after everything else."""

    @property
    def parts(self) -> tuple[Part, ...]:
        blocks: list[Part] = list(self.thinking_blocks or ())
        readable = "".join(block.thinking for block in blocks if isinstance(block, ThinkingPart))
        if self.reasoning_content and self.reasoning_content != readable:
            blocks.insert(0, ThinkingPart(thinking=self.reasoning_content))
        blocks += _content_parts(self.content)
        if self.refusal is not None:
            blocks.append(RefusalPart(refusal=self.refusal))
        blocks += (_tool_use(call) for call in self.tool_calls or ())
        return tuple(blocks)

    def to_blocks(self) -> "AssistantMessage":
        """The same message with everything in `content`, in order."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set - _CONTENT_FIELDS}
        return AssistantMessage(**kept, content=self.parts)

    def to_flat(self) -> "tuple[AssistantMessage, tuple[str, ...]]":
        """The message with thinking, refusal and tool calls in fields; and, in words, the order that is lost."""
        parts = self.parts
        thinking = _of_type(parts, ThinkingPart, RedactedThinkingPart)
        calls = _of_type(parts, ToolUsePart)
        refusals = _of_type(parts, RefusalPart)
        # The field has room for one, and for its words alone.
        if len(refusals) != 1 or refusals[0].model_fields_set != {"type", "refusal"}:
            refusals = ()
        moved = {id(part) for part in (*thinking, *refusals, *calls)}
        content = tuple(part for part in parts if id(part) not in moved)
        keeps_order = _in_order(parts, (*thinking, *content, *refusals, *calls))
        lost = () if keeps_order else ("the order of thinking, text and tool calls",)
        kept: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set - _CONTENT_FIELDS}
        if content or not calls:
            kept["content"] = self.content if isinstance(self.content, str) else _text_alone(content) or content
        if thinking:
            kept["thinking_blocks"] = thinking
        for part in refusals:
            kept["refusal"] = part.refusal
        if calls:
            kept["tool_calls"] = tuple(map(flat_call, calls))
        return AssistantMessage(**kept), lost


_CONTENT_FIELDS = {"content", "reasoning_content", "thinking_blocks", "refusal", "tool_calls"}


def _of_type(parts: Iterable[Any], *kinds: type[Any]) -> tuple[Any, ...]:
    return tuple(part for part in parts if isinstance(part, kinds))


def _text_alone(content: tuple[Part, ...]) -> str | None:
    part = content[0] if len(content) == 1 else None
    return part.text if isinstance(part, TextPart) and part.model_fields_set == {"type", "text"} else None


def _in_order(parts: tuple[Part, ...], arranged: tuple[Part, ...]) -> bool:
    return len(parts) == len(arranged) and all(a is b for a, b in zip(parts, arranged, strict=True))


def _tool_use(call: ToolCall) -> ToolUsePart:
    given = {name: getattr(call, name) for name in call.model_fields_set - {"arguments"}}
    return ToolUsePart(**given, input=call.arguments)


def flat_call(part: ToolUsePart) -> ToolCall:
    """A call as a flat message has it."""
    given = {name: getattr(part, name) for name in part.model_fields_set - {"type", "input"}}
    return ToolCall(**given, arguments=part.arguments)


class TextMessage(_Message, frozen=True):
    """Completion-style text: a prompt, or its continuation."""

    role: Literal["text"] = tag("text")
    content: Text
    """The text."""

    @property
    def parts(self) -> tuple[Part, ...]:
        return _content_parts(self.content)


class OpaqueMessage(MessageBase, frozen=True):
    """A message or item of one format that has no canonical meaning, verbatim."""

    role: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject
    """The message as it was on the wire; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""
    extra: JsonObject | None = None
    """The application's own data, such as a database id; never sent, and never reported as a loss; read-only."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """No parts, since the meaning is unknown."""
        return ()


Message = TypeAliasType(
    "Message",
    Annotated[
        SystemMessage | DeveloperMessage | UserMessage | AssistantMessage | ToolMessage | TextMessage | OpaqueMessage,
        Field(discriminator="role", title="Message", description="Any message; its role says which."),
    ],
)
"""Any message; its `role` says which."""


# The content of a message, for those who write it


def content_of(message: Any, path: str) -> list[tuple[str, Any]]:
    """The content of a message in order, whichever way it is spelled: texts, parts and flat calls, each with its pointer."""
    content = message.content
    if message.role != "assistant":
        return pieces_of(content, path)
    out = _reasoning(message, path) if message.thinking_blocks or message.reasoning_content is not None else []
    if content:
        out += pieces_of(content, path)
    if message.refusal is not None:
        out.append((path + "/refusal", RefusalPart(refusal=message.refusal)))
    if message.tool_calls:
        out += [(f"{path}/tool_calls/{i}", call) for i, call in enumerate(message.tool_calls)]
    return out


def piece_kind(piece: object) -> str:
    """The type of a piece of content: that of a part, `text` for a text, `tool_use` for the call of a flat message."""
    if type(piece) is str:
        return "text"
    kind: str = vars(piece).get("type", "tool_use")  # `getattr` is slow if a model does not have the field
    return kind


def is_call(piece: Any) -> bool:
    """Whether a piece of content is a tool call, whichever way it is spelled."""
    return piece_kind(piece) == "tool_use"


def kinds_of(answer: Any) -> set[str]:
    """The types of what an assistant message says, whichever way it is spelled; a text without words says nothing."""
    kinds: set[str] = set()
    for _, piece in content_of(answer, ""):
        kind = piece_kind(piece)
        if kind == "tool_use" or not is_blank(piece):
            kinds.add(kind)
    return kinds


def is_blank(piece: Any) -> bool:
    """Whether a piece of content, or a delta of one, is a text or a refusal of white space alone."""
    if type(piece) is str:
        return not piece.strip()
    kind = getattr(piece, "type", None)
    return kind in ("text", "refusal") and not getattr(piece, kind).strip()


def pieces_of(content: Any, path: str) -> list[tuple[str, Any]]:
    """The text or the parts of a content, each with its pointer."""
    if type(content) is str:
        return [(path + "/content", content)]
    return [(f"{path}/content/{i}", part) for i, part in enumerate(content or ())]


def _reasoning(message: Any, path: str) -> list[tuple[str, Any]]:
    blocks: list[tuple[str, Any]] = [
        (f"{path}/thinking_blocks/{i}", block) for i, block in enumerate(message.thinking_blocks or ())
    ]
    text = message.reasoning_content
    if text is None:
        return blocks
    readable = "".join([block.thinking for _, block in blocks if block.type == "thinking"])
    if not blocks or text != readable:  # else the blocks have the same text
        blocks.insert(0, (path + "/reasoning_content", ThinkingPart(thinking=text)))
    return blocks
