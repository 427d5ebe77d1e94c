// Made of the JSON Schemas; do not edit.

/** Any tool; its type says which. */
export type AnyTool = Tool | OpaqueTool;

/** More of a tool call's argument text. */
export interface ArgumentsDelta {
  /** Always `arguments`. */
  type: "arguments";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** What is added. */
  arguments: string;
}

/** What the model says: text, reasoning and tool calls, flat or as ordered blocks. */
export interface AssistantMessage {
  /** Always `assistant`. */
  role: "assistant";
  /** What is said: text, or parts in their order, tool calls and reasoning among them. */
  content?: string | Part[] | null;
  /** Reasoning as text alone. */
  reasoning_content?: string | null;
  /** Reasoning as parts, before everything else. */
  thinking_blocks?: ThinkingBlock[] | null;
  /** A refusal in the model's words. */
  refusal?: string | null;
  /** The calls, after everything else. */
  tool_calls?: ToolCall[] | null;
  /** The participant's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
}

/** Audio; a base64 source's media type is `audio/<format>`. */
export interface AudioPart {
  /** Always `audio`. */
  type: "audio";
  /** Where the audio is. */
  source: Source;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** Media in the message, as base64 text. */
export interface Base64Source {
  /** Always `base64`. */
  type: "base64";
  /** The media as base64 text. */
  data: string;
  /** Their media type, such as `image/png`. */
  media_type?: string | null;
}

/** A cache mark: it asks the provider to cache the prompt up to and including the object that has the mark. */
export interface CacheControl {
  /** Always `ephemeral`. */
  type: "ephemeral";
  /** How long the provider is to keep it, as the provider spells it (`5m`, `1h`). */
  ttl?: string | null;
}

/** Asks a dump for cache marks on the last tool, the system text and the last `messages` messages. */
export interface Caching {
  /** Whether the last tool gets a mark. */
  tools?: boolean;
  /** Whether the system text gets a mark. */
  system?: boolean;
  /** How many of the last messages get a mark. */
  messages?: number;
  /** How long the provider is to keep it, as the provider spells it (`5m`, `1h`). */
  ttl?: string | null;
}

/** One answer of a response: its message, and the reason why the message ended. */
export interface Choice {
  /** What the model said. */
  message: AssistantMessage;
  /** A `StopReason`, or the provider's own word if none of them fits. */
  stop_reason?: string | null;
  /** The provider's word for it. */
  native_stop_reason?: string | null;
  /** The stop sequence that was hit. */
  stop_sequence?: string | null;
  /** Whether the stream broke off; the last part may be cut. */
  incomplete?: boolean | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** What a text refers to; its type says what. */
export type Citation = UrlCitation | DocumentCitation | SearchResultCitation | OpaqueCitation;

/**
 * A conversation to be stored: messages and tools with a version, readable by every later release.
 *
 * `version` is the version of this schema; an unknown version is refused with one error.
 */
export interface Conversation {
  /** Always `1`. */
  version: 1;
  /** The application's name for it. */
  id?: string | null;
  /** The messages, in their order. */
  messages: Message[];
  /** The tools that may be called in it. */
  tools?: AnyTool[] | null;
  /** Anything that belongs to the conversation as a whole; read-only. */
  metadata?: {
    [key: string]: unknown;
  } | null;
}

/** Instructions in OpenAI's developer role. */
export interface DeveloperMessage {
  /** Always `developer`. */
  role: "developer";
  /** The participant's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
  /** What is said: text, or parts in their order. */
  content: string | Part[];
}

/** A citation of a document in the request, or of a file that the provider has. */
export interface DocumentCitation {
  /** Always `document`. */
  type: "document";
  /** The number of the document among those of the request, counted from 0. */
  document?: number | null;
  /** The id of the file; only its issuer knows it. */
  file_id?: string | null;
  /** The family of formats whose provider has the file. */
  issuer?: string | null;
  /** What the places in the document are counted in: characters and blocks from 0, pages from 1. */
  unit?: "character" | "page" | "block" | null;
  /** The first place in the document that is cited. */
  source_start?: number | null;
  /** The place after the last one that is cited. */
  source_end?: number | null;
  /** The title of what is cited. */
  title?: string | null;
  /** The cited words. */
  cited_text?: string | null;
  /** The first character of the part's text that it supports, counted from 0; without it, the whole text. */
  start?: number | null;
  /** The position after the last character that it supports. */
  end?: number | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** The provider reports an error inside the stream. */
export interface ErrorEvent {
  /** Always `error`. */
  type: "error";
  /** The error as it was on the wire; read-only. */
  error: {
    [key: string]: unknown;
  };
}

/** Any event of a stream; its type says which. */
export type Event = MessageStart | TextDelta | ThinkingDelta | SignatureDelta | RedactedThinking | RefusalDelta | ToolUseStart | ArgumentsDelta | ToolUse | WholePart | PartStop | Update | UsageUpdate | Stop | StreamEnd | OpaqueEvent | ErrorEvent;

/** Media that were uploaded earlier; only the issuer of the id can use it. */
export interface FileIdSource {
  /** Always `file_id`. */
  type: "file_id";
  /** The id that the issuer gave them. */
  file_id: string;
  /** The family of formats whose provider has them. */
  issuer?: string | null;
  /** Their media type, such as `image/png`. */
  media_type?: string | null;
}

/** A document: PDF, text and the like. */
export interface FilePart {
  /** Always `file`. */
  type: "file";
  /** Where the document is. */
  source: Source;
  /** The file's name or title, which the model may see. */
  filename?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** An image. */
export interface ImagePart {
  /** Always `image`. */
  type: "image";
  /** Where the image is. */
  source: Source;
  /** How closely the model is to look: `low`, `high`, `auto`. */
  detail?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** OpenAI's spelling of an image: an http(s) or data URL. */
export interface ImageUrl {
  /** An http(s) URL, or a data URL with the image. */
  url: string;
  /** How closely the model is to look: `low`, `high`, `auto`. */
  detail?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** An image in OpenAI's and Verifiers' spelling. */
export interface ImageUrlPart {
  /** Always `image_url`. */
  type: "image_url";
  /** Where the image is. */
  image_url: ImageUrl;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** OpenAI's spelling of audio: base64 data and a format such as `wav`. */
export interface InputAudio {
  /** The audio as base64 text. */
  data: string;
  /** Its format, such as `wav` or `mp3`. */
  format: string;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** Audio in OpenAI's and Verifiers' spelling. */
export interface InputAudioPart {
  /** Always `input_audio`. */
  type: "input_audio";
  /** The audio. */
  input_audio: InputAudio;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A JSON value, usually from a tool; providers without a field for JSON get its text. */
export interface JsonPart {
  /** Always `json`. */
  type: "json";
  /** The JSON value; read-only. */
  value: unknown;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** Any message; its role says which. */
export type Message = SystemMessage | DeveloperMessage | UserMessage | AssistantMessage | ToolMessage | TextMessage | OpaqueMessage;

/** A message begins; the first of these also describes the response as a whole. */
export interface MessageStart {
  /** Always `message_start`. */
  type: "message_start";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The provider's id of the response. */
  id?: string | null;
  /** The model that answers. */
  model?: string | null;
  /** When the response was made, in seconds since 1970. */
  created?: number | null;
  /** The name of the format that it is read from. */
  origin?: string | null;
  /** Whether the folded message has reasoning and calls in fields, or everything in its content. */
  spelling?: "flat" | "blocks";
}

/** A citation of one format that has no canonical meaning, verbatim. */
export interface OpaqueCitation {
  /** Always `opaque`. */
  type: "opaque";
  /** The family of formats that it belongs to. */
  format: string;
  /** The citation as it was on the wire; read-only. */
  value: {
    [key: string]: unknown;
  };
}

/** Something that only one format has: a whole part, if there is an `index`, or else an event outside the response. */
export interface OpaqueEvent {
  /** Always `opaque`. */
  type: "opaque";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part; None for an event that is not one. */
  index?: number | null;
  /** The family of formats that it belongs to. */
  format: string;
  /** The part or event as it was on the wire; read-only. */
  value: {
    [key: string]: unknown;
  };
}

/** A message or item of one format that has no canonical meaning, verbatim. */
export interface OpaqueMessage {
  /** Always `opaque`. */
  role: "opaque";
  /** The family of formats that it belongs to. */
  format: string;
  /** The message as it was on the wire; read-only. */
  value: {
    [key: string]: unknown;
  };
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
}

/** A part of one format that has no canonical meaning, verbatim. */
export interface OpaquePart {
  /** Always `opaque`. */
  type: "opaque";
  /** The family of formats that it belongs to. */
  format: string;
  /** The part as it was on the wire; read-only. */
  value: {
    [key: string]: unknown;
  };
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A tool of one provider (search, code execution, custom tools), verbatim. */
export interface OpaqueTool {
  /** Always `opaque`. */
  type: "opaque";
  /** The family of formats that it belongs to. */
  format: string;
  /** The tool as it was on the wire; read-only. */
  value: {
    [key: string]: unknown;
  };
}

/** Any part; its type says which. */
export type Part = TextPart | ImagePart | AudioPart | VideoPart | FilePart | ThinkingPart | RedactedThinkingPart | RefusalPart | ToolUsePart | ToolResultPart | JsonPart | OpaquePart | ImageUrlPart | InputAudioPart;

/** A part is complete. */
export interface PartStop {
  /** Always `part_stop`. */
  type: "part_stop";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
}

/** A whole part of reasoning that only its issuer can read. */
export interface RedactedThinking {
  /** Always `redacted_thinking`. */
  type: "redacted_thinking";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** The reasoning, encrypted. */
  data: string;
  /** The provider that can read the reasoning. */
  issuer?: string | null;
}

/** Reasoning that only its issuer can read. */
export interface RedactedThinkingPart {
  /** Always `redacted_thinking`. */
  type: "redacted_thinking";
  /** The reasoning, encrypted; only the issuer can read it. */
  data: string;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** More text of a refusal. */
export interface RefusalDelta {
  /** Always `refusal`. */
  type: "refusal";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** What is added. */
  refusal: string;
}

/** A refusal in the model's words. */
export interface RefusalPart {
  /** Always `refusal`. */
  type: "refusal";
  /** The words. */
  refusal: string;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/**
 * One request to a model: the messages and the settings.
 *
 * `origin` is the name of the format that the request was loaded from, and None for one that was built by hand. Fields that
 * only one provider has are in `provider_data[family]`.
 */
export interface Request {
  /** The messages, in their order. */
  messages: Message[];
  /** The model's name, as the provider spells it. */
  model?: string | null;
  /** The tools that may be called. */
  tools?: AnyTool[] | null;
  /** Whether a tool is to be called, and which. */
  tool_choice?: ToolChoice | null;
  /** Whether one answer may call several tools. */
  parallel_tool_calls?: boolean | null;
  /** How many tokens the answer may have. */
  max_tokens?: number | null;
  /** The sampling temperature. */
  temperature?: number | null;
  /** The share of probability that tokens are drawn from. */
  top_p?: number | null;
  /** How many of the likeliest tokens are drawn from. */
  top_k?: number | null;
  /** Texts that end the answer. */
  stop?: string[] | null;
  /** How much the model is to reason, in the provider's words. */
  reasoning_effort?: string | null;
  /** How many tokens the model may spend on reasoning. */
  reasoning_budget?: number | null;
  /** The form that the answer is to have. */
  response_format?: ResponseFormat | null;
  /** The caller's own data, which the provider keeps with the request; read-only. */
  metadata?: {
    [key: string]: unknown;
  } | null;
  /** An opaque id of the end user. */
  user?: string | null;
  /** Whether the answer is to come in pieces. */
  stream?: boolean | null;
  /** Cache marks to set in a dump to a format that has them. */
  caching?: Caching | null;
  /** The name of the format that it was loaded from. */
  origin?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/**
 * A model's response: one choice, or several if the request asked for several.
 *
 * `message`, `stop_reason` and `native_stop_reason` are those of the first choice. `origin` is the name of the format that the
 * response was loaded from.
 */
export interface Response {
  /** The provider's id of it. */
  id?: string | null;
  /** The model that answered. */
  model?: string | null;
  /** When it was made, in seconds since 1970. */
  created?: number | null;
  /** The answers, in their order. */
  choices: Choice[];
  /** How many tokens it used. */
  usage?: Usage | null;
  /** The name of the format that it was loaded from. */
  origin?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** The form that the answer must have; the type `json_schema` needs a schema and, for some providers, a name. */
export interface ResponseFormat {
  /** Text, any JSON object, or JSON that satisfies a schema. */
  type: "text" | "json_object" | "json_schema";
  /** The schema's name. */
  name?: string | null;
  /** What the answer is for, for the model to read. */
  description?: string | null;
  /** The JSON Schema; read-only. */
  json_schema?: {
    [key: string]: unknown;
  } | null;
  /** Whether the answer must satisfy the schema. */
  strict?: boolean | null;
}

/** A part of a tool's result. */
export type ResultContentPart = TextPart | JsonPart | ImagePart | AudioPart | VideoPart | FilePart | ImageUrlPart | InputAudioPart | OpaquePart;

/** A citation of a search result in the request. */
export interface SearchResultCitation {
  /** Always `search_result`. */
  type: "search_result";
  /** Where the result is from: a URL, or a name. */
  source?: string | null;
  /** The number of the result among those of the request, counted from 0. */
  result?: number | null;
  /** The first block of the result that is cited, counted from 0. */
  source_start?: number | null;
  /** The block after the last one that is cited. */
  source_end?: number | null;
  /** The title of what is cited. */
  title?: string | null;
  /** The cited words. */
  cited_text?: string | null;
  /** The first character of the part's text that it supports, counted from 0; without it, the whole text. */
  start?: number | null;
  /** The position after the last character that it supports. */
  end?: number | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** The whole signature of a part, which is a thinking part if it has not begun yet. */
export interface SignatureDelta {
  /** Always `signature`. */
  type: "signature";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** The signature. */
  signature: string;
  /** Who signed it. */
  issuer?: string | null;
}

/** Where media are; its type says how. */
export type Source = UrlSource | Base64Source | FileIdSource | TextSource;

/** A message is complete; the event has the reason why it ended. */
export interface Stop {
  /** Always `stop`. */
  type: "stop";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** A `StopReason`, or the provider's own word if none of them fits. */
  stop_reason?: string | null;
  /** The provider's word for it. */
  native_stop_reason?: string | null;
  /** The stop sequence that was hit. */
  stop_sequence?: string | null;
}

/** The stream ended properly; nothing follows. */
export interface StreamEnd {
  /** Always `end`. */
  type: "end";
}

/** Instructions from the application. */
export interface SystemMessage {
  /** Always `system`. */
  role: "system";
  /** The participant's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
  /** What is said: text, or parts in their order. */
  content: string | Part[];
}

/** More text. */
export interface TextDelta {
  /** Always `text`. */
  type: "text";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** What is added. */
  text: string;
}

/** Completion-style text: a prompt, or its continuation. */
export interface TextMessage {
  /** Always `text`. */
  role: "text";
  /** The text. */
  content: string;
  /** The participant's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
}

/** Text. */
export interface TextPart {
  /** Always `text`. */
  type: "text";
  /** The text. */
  text: string;
  /** What the text refers to. */
  citations?: Citation[] | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A document given as plain text. */
export interface TextSource {
  /** Always `text`. */
  type: "text";
  /** The document's text. */
  text: string;
  /** Its media type, usually `text/plain`. */
  media_type?: string | null;
}

/** Reasoning, readable or not. */
export type ThinkingBlock = ThinkingPart | RedactedThinkingPart;

/** More readable reasoning; `field` says where a flat message has it: in a block, as plain text, or in both. */
export interface ThinkingDelta {
  /** Always `thinking`. */
  type: "thinking";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** What is added. */
  thinking: string;
  /** Where a flat message has its reasoning. */
  field?: "block" | "text" | "both";
}

/** Readable reasoning; its signature lets the issuer, and only the issuer, verify it when it is sent back. */
export interface ThinkingPart {
  /** Always `thinking`. */
  type: "thinking";
  /** The reasoning, as text. */
  thinking: string;
  /** Whether the text is marked as a summary of the reasoning. */
  summary?: boolean | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A function tool; `parameters` is a JSON Schema. */
export interface Tool {
  /** Always `function`. */
  type: "function";
  /** The function's name. */
  name: string;
  /** What the function does, for the model to read. */
  description?: string | null;
  /** A JSON Schema of the arguments; read-only. */
  parameters?: {
    [key: string]: unknown;
  } | null;
  /** Whether the arguments must satisfy the schema. */
  strict?: boolean | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A tool call in the flat spelling, Verifiers' shape: `arguments` is the model's text, valid JSON or not. */
export interface ToolCall {
  /** What the call's result refers to. */
  id?: string | null;
  /** The tool's name. */
  name: string;
  /** The model's text: usually JSON, valid or not. */
  arguments: string;
  /** Whether this calls a custom tool, whose input is free text instead of JSON. */
  custom?: boolean | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** Whether the model must call a tool, and which one; the type `tool` needs a name. */
export interface ToolChoice {
  /** Whether a tool is to be called: as the model likes, none, any, or the one that is named. */
  type: "auto" | "none" | "required" | "tool";
  /** The name of the tool to call. */
  name?: string | null;
  /** The names of the tools that may be called, if `auto` or `required` means only some; without names, all of them. */
  allowed?: string[] | null;
}

/** The result of one tool call, in the flat spelling. */
export interface ToolMessage {
  /** Always `tool`. */
  role: "tool";
  /** The id of the call that this answers. */
  tool_call_id?: string | null;
  /** Whether the tool failed. */
  is_error?: boolean | null;
  /** The participant's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
  /** What is said: text, or parts in their order. */
  content: string | Part[];
}

/** The result of a tool call, in a user message. */
export interface ToolResultPart {
  /** Always `tool_result`. */
  type: "tool_result";
  /** The id of the call that this answers. */
  tool_use_id?: string | null;
  /** What the tool gave back: text, or parts. */
  content?: string | ResultContentPart[] | null;
  /** Whether the tool failed. */
  is_error?: boolean | null;
  /** The tool's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A tool call is complete; this event repeats the call's start and its deltas. */
export interface ToolUse {
  /** Always `tool_use`. */
  type: "tool_use";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** What the call's result refers to. */
  id?: string | null;
  /** The tool's name. */
  name: string;
  /** The whole argument text. */
  arguments: string;
  /** Whether this calls a custom tool. */
  custom?: boolean | null;
}

/** A call of a tool by the assistant; `input` is JSON text or an object, as the source spelled it. */
export interface ToolUsePart {
  /** Always `tool_use`. */
  type: "tool_use";
  /** What the call's result refers to. */
  id?: string | null;
  /** The tool's name. */
  name: string;
  /** The arguments, as JSON text or as an object, read-only; a custom tool's text. */
  input: string | {
    [key: string]: unknown;
  };
  /** Whether this calls a custom tool, whose input is free text instead of JSON. */
  custom?: boolean | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A tool call begins. */
export interface ToolUseStart {
  /** Always `tool_use_start`. */
  type: "tool_use_start";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** What the call's result refers to. */
  id?: string | null;
  /** The tool's name. */
  name: string;
  /** Whether this calls a custom tool. */
  custom?: boolean | null;
}

/**
 * Canonical fields of the response, a choice, its message or a part.
 *
 * They are merged into what was there: objects are merged, lists extended, other values replaced; with `join`, text is
 * appended; with `overwrite`, each field replaces what was there.
 */
export interface Update {
  /** Always `update`. */
  type: "update";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The kind of object that has these fields. */
  of: "response" | "choice" | "message" | "part";
  /** Which part. */
  index?: number | null;
  /** The fields; read-only. */
  data: {
    [key: string]: unknown;
  };
  /** Whether text is added to what is there. */
  join?: boolean | null;
  /** Whether the fields replace what is there, objects and lists too. */
  overwrite?: boolean | null;
}

/** A citation of a web page. */
export interface UrlCitation {
  /** Always `url`. */
  type: "url";
  /** The page's URL. */
  url: string;
  /** The title of what is cited. */
  title?: string | null;
  /** The cited words. */
  cited_text?: string | null;
  /** The first character of the part's text that it supports, counted from 0; without it, the whole text. */
  start?: number | null;
  /** The position after the last character that it supports. */
  end?: number | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** Media at a URL that the provider fetches. */
export interface UrlSource {
  /** Always `url`. */
  type: "url";
  /** Where the provider fetches them. */
  url: string;
  /** Their media type, such as `image/png`. */
  media_type?: string | null;
}

/**
 * How many tokens a response used, with the same meaning for every provider; a count is None if it is not reported.
 *
 * Three kinds of input do not overlap: `input_tokens` (neither read from nor written to a cache), `cache_read_tokens`,
 * `cache_write_tokens`. `output_tokens` is all output; `reasoning_tokens` is the part of it that was spent on reasoning.
 * `input_audio_tokens` and `output_audio_tokens` are parts of all input and all output. Usages can be added; a sum has no
 * `native`.
 */
export interface Usage {
  /** Input that was neither read from a cache nor written to one. */
  input_tokens?: number | null;
  /** Input that was read from a cache. */
  cache_read_tokens?: number | null;
  /** Input that was written to a cache. */
  cache_write_tokens?: number | null;
  /** All output. */
  output_tokens?: number | null;
  /** The part of the output that was spent on reasoning. */
  reasoning_tokens?: number | null;
  /** The part of all input that is audio. */
  input_audio_tokens?: number | null;
  /** The part of all output that is audio. */
  output_audio_tokens?: number | null;
  /** The provider's object by family, verbatim; read-only. */
  native?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
}

/** The usage so far, which replaces any earlier one. */
export interface UsageUpdate {
  /** Always `usage`. */
  type: "usage";
  /** The counts. */
  usage: Usage;
}

/** What the user or the environment says; in the blocks spelling also tool results. */
export interface UserMessage {
  /** Always `user`. */
  role: "user";
  /** The participant's name. */
  name?: string | null;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
  /** The application's own data, such as a database id; never sent, and never reported as a loss; read-only. */
  extra?: {
    [key: string]: unknown;
  } | null;
  /** What is said: text, or parts in their order. */
  content: string | Part[];
}

/** Video. */
export interface VideoPart {
  /** Always `video`. */
  type: "video";
  /** Where the video is. */
  source: Source;
  /** A cache mark: the provider is to cache the prompt up to here. */
  cache_control?: CacheControl | null;
  /** What its issuer verifies it by when it is sent back. */
  signature?: string | null;
  /** Who signed it. A signature without an issuer is sent to any provider that has a place for one. */
  issuer?: string | null;
  /** Fields that only one family of formats has, by family; read-only. */
  provider_data?: {
    [key: string]: {
      [key: string]: unknown;
    };
  } | null;
  /** How it was written on the wire, if its fields do not show it; set by loading. */
  wire?: WireRecord | null;
}

/** A part that comes whole, such as an image; deltas may not add to it. */
export interface WholePart {
  /** Always `part`. */
  type: "part";
  /** The number of the answer, 0 where there is one. */
  choice?: number;
  /** The number of the part. */
  index: number;
  /** The part. */
  part: Part;
}

/**
 * How a message, part, call or tool was spelled on the wire, if its fields do not show it. Never sent to a provider.
 *
 * Loading sets it if there is anything to record. A dump to the same format reads it. If a field that it describes has been
 * edited, the edit counts. Words that a format does not know are ignored.
 */
export interface WireRecord {
  /** The name of the format that this message was loaded from. Messages of requests leave it to the request's `origin`. */
  origin?: string | null;
  /** Whether the message came in a response. Fields that only responses have are left out when it is sent back. */
  response?: boolean | null;
  /** Which of its wire spellings a field had, in the format's own words, such as `{"stop": "text"}`. */
  spelling?: {
    [key: string]: string;
  } | null;
  /** JSON Pointers to the wire's objects that were read in part. The rest of each is in `provider_data`. */
  partial?: string[] | null;
  /** Pointers in `partial` to objects whose rest is sent even without the part that was read. */
  standalone?: string[] | null;
}
