"""Canonical events: the answer of a model in pieces.

`index` numbers the parts in the order in which they begin; deltas of several open parts may alternate. `choice` is the number
of the answer, 0 if there is only one. Deltas add text. An `update` has canonical fields that are not text (a provider's data,
the issuer of a signature), which are merged into the part, message or response.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypeAliasType

from .base import Given, JsonObject, Label, Model, Number, Text, tag
from .exchange import Usage
from .parts import Part

ChoiceNumber = Annotated[int, Field(description="The number of the answer, 0 where there is one.")]
PartNumber = Annotated[int, Field(description="The number of the part.")]


class MessageStart(Model, frozen=True):
    """A message begins; the first of these also describes the response as a whole."""

    type: Literal["message_start"] = tag("message_start")
    choice: ChoiceNumber = 0
    id: Text | None = None
    """The provider's id of the response."""
    model: Text | None = None
    """The model that answers."""
    created: Number | None = None
    """When the response was made, in seconds since 1970."""
    origin: Label | None = None
    """The name of the format that it is read from."""
    spelling: Literal["flat", "blocks"] = "flat"
    """Whether the folded message has reasoning and calls in fields, or everything in its content."""


class TextDelta(Model, frozen=True):
    """More text."""

    type: Literal["text"] = tag("text")
    choice: ChoiceNumber = 0
    index: PartNumber
    text: Text
    """What is added."""


ThinkingField: TypeAlias = Literal["block", "text", "both"]
"""Where a flat message has its reasoning."""


class ThinkingDelta(Model, frozen=True):
    """More readable reasoning; `field` says where a flat message has it: in a block, as plain text, or in both."""

    type: Literal["thinking"] = tag("thinking")
    choice: ChoiceNumber = 0
    index: PartNumber
    thinking: Text
    """What is added."""
    field: ThinkingField = "block"
    """Where a flat message has its reasoning."""


class SignatureDelta(Model, frozen=True):
    """The whole signature of a part, which is a thinking part if it has not begun yet."""

    type: Literal["signature"] = tag("signature")
    choice: ChoiceNumber = 0
    index: PartNumber
    signature: Text
    """The signature."""
    issuer: Label | None = None
    """Who signed it."""


class RedactedThinking(Model, frozen=True):
    """A whole part of reasoning that only its issuer can read."""

    type: Literal["redacted_thinking"] = tag("redacted_thinking")
    choice: ChoiceNumber = 0
    index: PartNumber
    data: Text
    """The reasoning, encrypted."""
    issuer: Label | None = None
    """The provider that can read the reasoning."""


class RefusalDelta(Model, frozen=True):
    """More text of a refusal."""

    type: Literal["refusal"] = tag("refusal")
    choice: ChoiceNumber = 0
    index: PartNumber
    refusal: Text
    """What is added."""


class ToolUseStart(Model, frozen=True):
    """A tool call begins."""

    type: Literal["tool_use_start"] = tag("tool_use_start")
    choice: ChoiceNumber = 0
    index: PartNumber
    id: Label | None = None
    """What the call's result refers to."""
    name: Label
    """The tool's name."""
    custom: bool | None = None
    """Whether this calls a custom tool."""


class ArgumentsDelta(Model, frozen=True):
    """More of a tool call's argument text."""

    type: Literal["arguments"] = tag("arguments")
    choice: ChoiceNumber = 0
    index: PartNumber
    arguments: Text
    """What is added."""


class ToolUse(Model, frozen=True):
    """A tool call is complete; this event repeats the call's start and its deltas."""

    type: Literal["tool_use"] = tag("tool_use")
    choice: ChoiceNumber = 0
    index: PartNumber
    id: Label | None = None
    """What the call's result refers to."""
    name: Label
    """The tool's name."""
    arguments: Text
    """The whole argument text."""
    custom: bool | None = None
    """Whether this calls a custom tool."""


class WholePart(Model, frozen=True):
    """A part that comes whole, such as an image; deltas may not add to it."""

    type: Literal["part"] = tag("part")
    choice: ChoiceNumber = 0
    index: PartNumber
    part: Given[Part, Part | dict[str, Any]]
    """The part."""


class PartStop(Model, frozen=True):
    """A part is complete."""

    type: Literal["part_stop"] = tag("part_stop")
    choice: ChoiceNumber = 0
    index: PartNumber


class Update(Model, frozen=True):
    """Canonical fields of the response, a choice, its message or a part.

    They are merged into what was there: objects are merged, lists extended, other values replaced; with `join`, text is
    appended; with `overwrite`, each field replaces what was there.
    """

    type: Literal["update"] = tag("update")
    choice: ChoiceNumber = 0
    of: Literal["response", "choice", "message", "part"]
    """The kind of object that has these fields."""
    index: int | None = None
    """Which part."""
    data: JsonObject
    """The fields; read-only."""
    join: bool | None = None
    """Whether text is added to what is there."""
    overwrite: bool | None = None
    """Whether the fields replace what is there, objects and lists too."""


class UsageUpdate(Model, frozen=True):
    """The usage so far, which replaces any earlier one."""

    type: Literal["usage"] = tag("usage")
    usage: Usage
    """The counts."""


class Stop(Model, frozen=True):
    """A message is complete; the event has the reason why it ended."""

    type: Literal["stop"] = tag("stop")
    choice: ChoiceNumber = 0
    stop_reason: Label | None = None
    """A `StopReason`, or the provider's own word if none of them fits."""
    native_stop_reason: Label | None = None
    """The provider's word for it."""
    stop_sequence: Text | None = None
    """The stop sequence that was hit."""


class StreamEnd(Model, frozen=True):
    """The stream ended properly; nothing follows."""

    type: Literal["end"] = tag("end")


class OpaqueEvent(Model, frozen=True):
    """Something that only one format has: a whole part, if there is an `index`, or else an event outside the response."""

    type: Literal["opaque"] = tag("opaque")
    choice: ChoiceNumber = 0
    index: int | None = None
    """The number of the part; None for an event that is not one."""
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject
    """The part or event as it was on the wire; read-only."""


class ErrorEvent(Model, frozen=True):
    """The provider reports an error inside the stream."""

    type: Literal["error"] = tag("error")
    error: JsonObject
    """The error as it was on the wire; read-only."""


Event = TypeAliasType(
    "Event",
    Annotated[
        MessageStart
        | TextDelta
        | ThinkingDelta
        | SignatureDelta
        | RedactedThinking
        | RefusalDelta
        | ToolUseStart
        | ArgumentsDelta
        | ToolUse
        | WholePart
        | PartStop
        | Update
        | UsageUpdate
        | Stop
        | StreamEnd
        | OpaqueEvent
        | ErrorEvent,
        Field(discriminator="type", title="Event", description="Any event of a stream; its type says which."),
    ],
)
"""Any event of a stream; its `type` says which."""
