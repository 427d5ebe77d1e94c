"""The parts of messages: text, media, reasoning, tool calls and their results, and what they have in common.

Fields that only one provider has are in `provider_data[family]` of the message, part or call, nested as on the wire. `wire`
records how the object was spelled on the wire, where its other fields do not say it.
"""

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, Strict as _Strict
from pydantic_core import from_json
from typing_extensions import TypeAliasType

from .base import BY_SHAPE, NOT_GIVEN, FreeJson, Given, Integer, Json, JsonObject, Label, Model, Text, copy_json, tag

# Lists are accepted where the model holds a tuple; the discriminator keeps sets and generators out.
lax = _Strict(strict=False)

ProviderData = dict[Label, JsonObject]
"""What a family of formats adds to an owner, by family; nested as it stood on the wire."""


class CacheControl(Model, frozen=True):
    """A cache mark: it asks the provider to cache the prompt up to and including the object that has the mark."""

    type: Literal["ephemeral"] = tag("ephemeral")
    ttl: Label | None = None
    """How long the provider is to keep it, as the provider spells it (`5m`, `1h`)."""


Pointers = Given[
    Annotated[Annotated[tuple[Text, ...], lax] | None, BY_SHAPE],
    list[str] | tuple[str, ...] | None,
]


class WireRecord(Model, frozen=True):
    """How a message, part, call or tool was spelled on the wire, if its fields do not show it. Never sent to a provider.

    Loading sets it if there is anything to record. A dump to the same format reads it. If a field that it describes has been
    edited, the edit counts. Words that a format does not know are ignored.
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
    """Pointers in `partial` to objects whose rest is sent even without the part that was read."""


# Sources of media


class UrlSource(Model, frozen=True):
    """Media at a URL that the provider fetches."""

    type: Literal["url"] = tag("url")
    url: Text
    """Where the provider fetches them."""
    media_type: Label | None = None
    """Their media type, such as `image/png`."""


class Base64Source(Model, frozen=True):
    """Media in the message, as base64 text."""

    type: Literal["base64"] = tag("base64")
    data: Text
    """The media as base64 text."""
    media_type: Label | None = None
    """Their media type, such as `image/png`."""


class FileIdSource(Model, frozen=True):
    """Media that were uploaded earlier; only the issuer of the id can use it."""

    type: Literal["file_id"] = tag("file_id")
    file_id: Label
    """The id that the issuer gave them."""
    issuer: Label | None = None
    """The family of formats whose provider has them."""
    media_type: Label | None = None
    """Their media type, such as `image/png`."""


class TextSource(Model, frozen=True):
    """A document given as plain text."""

    type: Literal["text"] = tag("text")
    text: Text
    """The document's text."""
    media_type: Label | None = None
    """Its media type, usually `text/plain`."""


Source = TypeAliasType(
    "Source",
    Annotated[
        UrlSource | Base64Source | FileIdSource | TextSource,
        Field(discriminator="type", title="Source", description="Where media are; its type says how."),
    ],
)
"""Where media are; its `type` says how."""

GivenSource = Given[Source, Source | dict[str, Any]]


# Citations


class CitationBase(Model, frozen=True):
    """The base class of all citations: the cited words, and the characters of the part's text that they support."""

    title: Text | None = None
    """The title of what is cited."""
    cited_text: Text | None = None
    """The cited words."""
    start: Integer | None = None
    """The first character of the part's text that it supports, counted from 0; without it, the whole text."""
    end: Integer | None = None
    """The position after the last character that it supports."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""


class UrlCitation(CitationBase, frozen=True):
    """A citation of a web page."""

    type: Literal["url"] = tag("url")
    url: Text
    """The page's URL."""


class DocumentCitation(CitationBase, frozen=True):
    """A citation of a document in the request, or of a file that the provider has."""

    type: Literal["document"] = tag("document")
    document: Integer | None = None
    """The number of the document among those of the request, counted from 0."""
    file_id: Label | None = None
    """The id of the file; only its issuer knows it."""
    issuer: Label | None = None
    """The family of formats whose provider has the file."""
    unit: Literal["character", "page", "block"] | None = None
    """What the places in the document are counted in: characters and blocks from 0, pages from 1."""
    source_start: Integer | None = None
    """The first place in the document that is cited."""
    source_end: Integer | None = None
    """The place after the last one that is cited."""


class SearchResultCitation(CitationBase, frozen=True):
    """A citation of a search result in the request."""

    type: Literal["search_result"] = tag("search_result")
    source: Text | None = None
    """Where the result is from: a URL, or a name."""
    result: Integer | None = None
    """The number of the result among those of the request, counted from 0."""
    source_start: Integer | None = None
    """The first block of the result that is cited, counted from 0."""
    source_end: Integer | None = None
    """The block after the last one that is cited."""


class OpaqueCitation(Model, frozen=True):
    """A citation of one format that has no canonical meaning, verbatim."""

    type: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject
    """The citation as it was on the wire; read-only."""


Citation = TypeAliasType(
    "Citation",
    Annotated[
        UrlCitation | DocumentCitation | SearchResultCitation | OpaqueCitation,
        Field(discriminator="type", title="Citation", description="What a text refers to; its type says what."),
    ],
)
"""What a text refers to; its `type` says what."""

Citations = Given[
    Annotated[Annotated[tuple[Citation, ...], lax] | None, BY_SHAPE],
    Sequence[Citation | dict[str, Any]] | None,
]


# Parts


class PartBase(Model, frozen=True):
    """The base class of all parts, for `isinstance`: a cache mark, a signature, and fields that one provider adds."""

    cache_control: CacheControl | None = None
    """A cache mark: the provider is to cache the prompt up to here."""
    signature: Text | None = None
    """What its issuer verifies it by when it is sent back."""
    issuer: Label | None = None
    """Who signed it. A signature without an issuer is sent to any provider that has a place for one."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""


class TextPart(PartBase, frozen=True):
    """Text."""

    type: Literal["text"] = tag("text")
    text: Text
    """The text."""
    citations: Citations = NOT_GIVEN
    """What the text refers to."""


class ImagePart(PartBase, frozen=True):
    """An image."""

    type: Literal["image"] = tag("image")
    source: GivenSource
    """Where the image is."""
    detail: Label | None = None
    """How closely the model is to look: `low`, `high`, `auto`."""


class AudioPart(PartBase, frozen=True):
    """Audio; a base64 source's media type is `audio/<format>`."""

    type: Literal["audio"] = tag("audio")
    source: GivenSource
    """Where the audio is."""


class VideoPart(PartBase, frozen=True):
    """Video."""

    type: Literal["video"] = tag("video")
    source: GivenSource
    """Where the video is."""


class FilePart(PartBase, frozen=True):
    """A document: PDF, text and the like."""

    type: Literal["file"] = tag("file")
    source: GivenSource
    """Where the document is."""
    filename: Label | None = None
    """The file's name or title, which the model may see."""


class ImageUrl(Model, frozen=True):
    """OpenAI's spelling of an image: an http(s) or data URL."""

    url: Text
    """An http(s) URL, or a data URL with the image."""
    detail: Label | None = None
    """How closely the model is to look: `low`, `high`, `auto`."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""


class ImageUrlPart(PartBase, frozen=True):
    """An image in OpenAI's and Verifiers' spelling."""

    type: Literal["image_url"] = tag("image_url")
    image_url: Given[ImageUrl, ImageUrl | dict[str, Any]]
    """Where the image is."""


class InputAudio(Model, frozen=True):
    """OpenAI's spelling of audio: base64 data and a format such as `wav`."""

    data: Text
    """The audio as base64 text."""
    format: Label
    """Its format, such as `wav` or `mp3`."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""


class InputAudioPart(PartBase, frozen=True):
    """Audio in OpenAI's and Verifiers' spelling."""

    type: Literal["input_audio"] = tag("input_audio")
    input_audio: Given[InputAudio, InputAudio | dict[str, Any]]
    """The audio."""


class ThinkingPart(PartBase, frozen=True):
    """Readable reasoning; its signature lets the issuer, and only the issuer, verify it when it is sent back."""

    type: Literal["thinking"] = tag("thinking")
    thinking: Text
    """The reasoning, as text."""
    summary: bool | None = None
    """Whether the text is marked as a summary of the reasoning."""


class RedactedThinkingPart(PartBase, frozen=True):
    """Reasoning that only its issuer can read."""

    type: Literal["redacted_thinking"] = tag("redacted_thinking")
    data: Text
    """The reasoning, encrypted; only the issuer can read it."""


class RefusalPart(PartBase, frozen=True):
    """A refusal in the model's words."""

    type: Literal["refusal"] = tag("refusal")
    refusal: Text
    """The words."""


def _json_writer() -> Callable[[Any], str]:
    """What `JSONEncoder.encode` makes anew for each value, made once; without the encoder in C, that method itself."""
    encoder = json.JSONEncoder(ensure_ascii=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return encoder.encode
    write = make(None, encoder.default, json.encoder.encode_basestring, None, ": ", ", ", False, False, True)
    return lambda value: "".join(write(value, 0))


to_json = _json_writer()
"""The JSON text of a value, as the arguments of calls and the results of tools are written."""


def _arguments_text(value: str | dict[str, Any]) -> str:
    return value if isinstance(value, str) else to_json(value)


def _arguments_object(value: str | dict[str, Any]) -> dict[str, Any] | None:
    try:
        parsed: Json = from_json(value, allow_inf_nan=False) if isinstance(value, str) else value
        copied: Json = copy_json(parsed)
    except ValueError:
        return None
    return copied if isinstance(copied, dict) else None


class ToolUsePart(PartBase, frozen=True):
    """A call of a tool by the assistant; `input` is JSON text or an object, as the source spelled it."""

    type: Literal["tool_use"] = tag("tool_use")
    id: Label | None = None
    """What the call's result refers to."""
    name: Label
    """The tool's name."""
    input: Annotated[Text | JsonObject, BY_SHAPE]
    """The arguments, as JSON text or as an object, read-only; a custom tool's text."""
    custom: bool | None = None
    """Whether this calls a custom tool, whose input is free text instead of JSON."""

    @property
    def arguments(self) -> str:
        """The arguments as text; verbatim if the source had text."""
        return _arguments_text(self.input)

    @property
    def parsed(self) -> dict[str, Any] | None:
        """The arguments as an object that is the caller's own; None if the text is not a JSON object.

        Fractions are the nearest doubles, as Python's `json` reads them; `arguments` has every digit.
        """
        return _arguments_object(self.input)


class OpaquePart(PartBase, frozen=True):
    """A part of one format that has no canonical meaning, verbatim."""

    type: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject
    """The part as it was on the wire; read-only."""


class JsonPart(PartBase, frozen=True):
    """A JSON value, usually from a tool; providers without a field for JSON get its text."""

    type: Literal["json"] = tag("json")
    value: FreeJson
    """The JSON value; read-only."""


ResultContentPart = TypeAliasType(
    "ResultContentPart",
    Annotated[
        TextPart | JsonPart | ImagePart | AudioPart | VideoPart | FilePart | ImageUrlPart | InputAudioPart | OpaquePart,
        Field(discriminator="type", title="ResultContentPart", description="A part of a tool's result."),
    ],
)
"""A part of a tool's result."""

ResultContent = Given[
    Annotated[
        Text | Annotated[tuple[ResultContentPart, ...], lax] | None,
        BY_SHAPE,
    ],
    str | Sequence[ResultContentPart | dict[str, Any]] | None,
]


class ToolResultPart(PartBase, frozen=True):
    """The result of a tool call, in a user message."""

    type: Literal["tool_result"] = tag("tool_result")
    tool_use_id: Label | None = None
    """The id of the call that this answers."""
    content: ResultContent = NOT_GIVEN
    """What the tool gave back: text, or parts."""
    is_error: bool | None = None
    """Whether the tool failed."""
    name: Label | None = None
    """The tool's name."""


Part = TypeAliasType(
    "Part",
    Annotated[
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
        | JsonPart
        | OpaquePart
        | ImageUrlPart
        | InputAudioPart,
        Field(discriminator="type", title="Part", description="Any part; its type says which."),
    ],
)
"""Any part; its `type` says which."""

Content = Given[
    Annotated[Text | Annotated[tuple[Part, ...], lax], BY_SHAPE],
    str | Sequence[Part | dict[str, Any]],
]
"""A message's content: text, or an ordered sequence of parts."""

NullableContent = Given[
    Annotated[
        Text | Annotated[tuple[Part, ...], lax] | None,
        BY_SHAPE,
    ],
    str | Sequence[Part | dict[str, Any]] | None,
]


class ToolCall(Model, frozen=True):
    """A tool call in the flat spelling, Verifiers' shape: `arguments` is the model's text, valid JSON or not."""

    id: Label | None = None
    """What the call's result refers to."""
    name: Label
    """The tool's name."""
    arguments: Text
    """The model's text: usually JSON, valid or not."""
    custom: bool | None = None
    """Whether this calls a custom tool, whose input is free text instead of JSON."""
    cache_control: CacheControl | None = None
    """A cache mark: the provider is to cache the prompt up to here."""
    signature: Text | None = None
    """What its issuer verifies it by when it is sent back."""
    issuer: Label | None = None
    """Who signed it. A signature without an issuer is sent to any provider that has a place for one."""
    provider_data: ProviderData | None = None
    """Fields that only one family of formats has, by family; read-only."""
    wire: WireRecord | None = None
    """How it was written on the wire, if its fields do not show it; set by loading."""

    @property
    def parsed(self) -> dict[str, Any] | None:
        """The arguments as an object that is the caller's own; None if the text is not a JSON object.

        Fractions are the nearest doubles, as Python's `json` reads them; `arguments` has every digit.
        """
        return _arguments_object(self.arguments)


ThinkingBlock = TypeAliasType(
    "ThinkingBlock",
    Annotated[
        ThinkingPart | RedactedThinkingPart,
        Field(discriminator="type", title="ThinkingBlock", description="Reasoning, readable or not."),
    ],
)
"""Reasoning, readable or not."""

ThinkingBlocks = Given[
    Annotated[Annotated[tuple[ThinkingBlock, ...], lax] | None, BY_SHAPE],
    Sequence[ThinkingBlock | dict[str, Any]] | None,
]
