"""The fields of `interlingua.model.messages` as bare pydantic models: what validation costs before anything is added to it.

The same discriminated unions over the same fields; no strictness, no checks of text or depth, no dict access.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

ProviderData = dict[str, dict[str, Any]]


class WireRecord(BaseModel):
    origin: str | None = None
    response: bool | None = None
    spelling: dict[str, str] | None = None
    partial: list[str] | None = None
    standalone: list[str] | None = None


class CacheControl(BaseModel):
    type: Literal["ephemeral"]
    ttl: str | None = None


class UrlSource(BaseModel):
    type: Literal["url"]
    url: str
    media_type: str | None = None


class Base64Source(BaseModel):
    type: Literal["base64"]
    data: str
    media_type: str | None = None


class FileIdSource(BaseModel):
    type: Literal["file_id"]
    file_id: str
    issuer: str | None = None
    media_type: str | None = None


class TextSource(BaseModel):
    type: Literal["text"]
    text: str
    media_type: str | None = None


Source = Annotated[UrlSource | Base64Source | FileIdSource | TextSource, Field(discriminator="type")]


class CitationBase(BaseModel):
    title: str | None = None
    cited_text: str | None = None
    start: int | None = None
    end: int | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class UrlCitation(CitationBase):
    type: Literal["url"]
    url: str


class DocumentCitation(CitationBase):
    type: Literal["document"]
    document: int | None = None
    file_id: str | None = None
    issuer: str | None = None
    unit: Literal["character", "page", "block"] | None = None
    source_start: int | None = None
    source_end: int | None = None


class SearchResultCitation(CitationBase):
    type: Literal["search_result"]
    source: str | None = None
    result: int | None = None
    source_start: int | None = None
    source_end: int | None = None


class OpaqueCitation(BaseModel):
    type: Literal["opaque"]
    format: str
    value: dict[str, Any]


Citation = Annotated[UrlCitation | DocumentCitation | SearchResultCitation | OpaqueCitation, Field(discriminator="type")]


class Part(BaseModel):
    cache_control: CacheControl | None = None
    signature: str | None = None
    issuer: str | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class TextPart(Part):
    type: Literal["text"]
    text: str
    citations: list[Citation] | None = None


class ImagePart(Part):
    type: Literal["image"]
    source: Source
    detail: str | None = None


class AudioPart(Part):
    type: Literal["audio"]
    source: Source


class VideoPart(Part):
    type: Literal["video"]
    source: Source


class FilePart(Part):
    type: Literal["file"]
    source: Source
    filename: str | None = None


class ImageUrl(BaseModel):
    url: str
    detail: str | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class ImageUrlPart(Part):
    type: Literal["image_url"]
    image_url: ImageUrl


class InputAudio(BaseModel):
    data: str
    format: str
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class InputAudioPart(Part):
    type: Literal["input_audio"]
    input_audio: InputAudio


class ThinkingPart(Part):
    type: Literal["thinking"]
    thinking: str
    summary: bool | None = None


class RedactedThinkingPart(Part):
    type: Literal["redacted_thinking"]
    data: str


class RefusalPart(Part):
    type: Literal["refusal"]
    refusal: str


class ToolUsePart(Part):
    type: Literal["tool_use"]
    id: str | None = None
    name: str
    input: str | dict[str, Any]
    custom: bool | None = None


class OpaquePart(Part):
    type: Literal["opaque"]
    format: str
    value: dict[str, Any]


class JsonPart(Part):
    type: Literal["json"]
    value: Any


ResultPart = Annotated[
    TextPart | JsonPart | ImagePart | AudioPart | VideoPart | FilePart | ImageUrlPart | InputAudioPart | OpaquePart,
    Field(discriminator="type"),
]


class ToolResultPart(Part):
    type: Literal["tool_result"]
    tool_use_id: str | None = None
    content: str | list[ResultPart] | None = None
    is_error: bool | None = None
    name: str | None = None


AnyPart = Annotated[
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
    Field(discriminator="type"),
]

Content = str | list[AnyPart]


class ToolCall(BaseModel):
    id: str | None = None
    name: str
    arguments: str
    custom: bool | None = None
    cache_control: CacheControl | None = None
    signature: str | None = None
    issuer: str | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None


class MessageBase(BaseModel):
    name: str | None = None
    cache_control: CacheControl | None = None
    provider_data: ProviderData | None = None
    wire: WireRecord | None = None
    extra: dict[str, Any] | None = None


class SystemMessage(MessageBase):
    role: Literal["system"]
    content: Content


class DeveloperMessage(MessageBase):
    role: Literal["developer"]
    content: Content


class UserMessage(MessageBase):
    role: Literal["user"]
    content: Content


class ToolMessage(MessageBase):
    role: Literal["tool"]
    content: Content
    tool_call_id: str | None = None
    is_error: bool | None = None


class AssistantMessage(MessageBase):
    role: Literal["assistant"]
    content: Content | None = None
    reasoning_content: str | None = None
    thinking_blocks: list[Annotated[ThinkingPart | RedactedThinkingPart, Field(discriminator="type")]] | None = None
    refusal: str | None = None
    tool_calls: list[ToolCall] | None = None


class TextMessage(MessageBase):
    role: Literal["text"]
    content: str


class OpaqueMessage(BaseModel):
    role: Literal["opaque"]
    format: str
    value: dict[str, Any]
    wire: WireRecord | None = None
    extra: dict[str, Any] | None = None


Message = Annotated[
    SystemMessage | DeveloperMessage | UserMessage | AssistantMessage | ToolMessage | TextMessage | OpaqueMessage,
    Field(discriminator="role"),
]

MESSAGES: TypeAdapter[list[Message]] = TypeAdapter(list[Message])
