// Made of the JSON Schemas beside this folder; do not edit.

export type Interlingua = Conversation | Request | Response | Event;
/**
 * Any message; its role says which.
 */
export type Message =
  SystemMessage | DeveloperMessage | UserMessage | AssistantMessage | ToolMessage | TextMessage | OpaqueMessage;
/**
 * Any part; its type says which.
 */
export type Part =
  | TextPart
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
  | InputAudioPart;
/**
 * Where media are.
 */
export type Source = UrlSource | Base64Source | FileIdSource | TextSource;
/**
 * A part of a tool's result.
 */
export type ResultContentPart =
  TextPart | ImagePart | AudioPart | VideoPart | FilePart | ImageUrlPart | InputAudioPart | OpaquePart;
/**
 * Reasoning, readable or not.
 */
export type ThinkingBlock = ThinkingPart | RedactedThinkingPart;
/**
 * Any tool.
 */
export type AnyTool = Tool | OpaqueTool;
/**
 * Any event of a stream; its type says which.
 */
export type Event =
  | MessageStart
  | TextDelta
  | ThinkingDelta
  | SignatureDelta
  | RedactedThinking
  | RefusalDelta
  | ToolUseStart
  | ArgumentsDelta
  | ToolUse
  | PartStop
  | Update
  | UsageUpdate
  | Stop
  | StreamEnd
  | OpaqueEvent
  | ErrorEvent;

/**
 * A conversation to be stored: messages and tools with a version, readable by every later release.
 *
 * `version` is the version of this schema; an unknown version is refused with one error.
 */
export interface Conversation {
  version: 1;
  id?: string | null;
  messages: Message[];
  tools?: AnyTool[] | null;
  /**
   * Anything that belongs to the conversation as a whole.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
}
/**
 * Instructions from the application.
 */
export interface SystemMessage {
  role: "system";
  /**
   * The participant's name.
   */
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
  /**
   * The application's own data, such as a database id; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
  content: string | Part[];
}
/**
 * A cache mark: the provider is to cache the prompt up to and including the owner of the mark.
 */
export interface CacheControl {
  type: "ephemeral";
  /**
   * How long the provider is to keep it, as the provider spells it (`5m`, `1h`).
   */
  ttl?: string | null;
}
/**
 * How an owner stood on the wire, where its fields do not say it: the package's own record, never sent to a provider.
 *
 * Loading sets it where there is something to say. A dump to the same format reads it, and an edit of the fields wins over it.
 * Words that a format does not know are ignored.
 */
export interface WireRecord {
  /**
   * The name of the format that this message was loaded from. Messages of requests leave it to the request's `origin`.
   */
  origin?: string | null;
  /**
   * Whether the message came in a response. Fields that only responses have are left out when it is sent back.
   */
  response?: boolean | null;
  /**
   * Which of its wire spellings a field had, in the format's own words, such as `{"stop": "text"}`.
   */
  spelling?: {
    [k: string]: string;
  } | null;
  /**
   * JSON Pointers to the wire's objects that were read in part. The rest of each is in `provider_data`.
   */
  partial?: string[] | null;
  /**
   * Those of them whose rest is sent even without the part that was read.
   */
  standalone?: string[] | null;
}
/**
 * Text.
 */
export interface TextPart {
  type: "text";
  text: string;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * An image.
 */
export interface ImagePart {
  type: "image";
  source: Source;
  detail?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Media at a URL that the provider fetches.
 */
export interface UrlSource {
  type: "url";
  url: string;
}
/**
 * Media in the message, as base64 text.
 */
export interface Base64Source {
  type: "base64";
  data: string;
  media_type?: string | null;
}
/**
 * Media that were uploaded before; only the issuer of the id knows it.
 */
export interface FileIdSource {
  type: "file_id";
  file_id: string;
  issuer?: string | null;
}
/**
 * A document given as plain text.
 */
export interface TextSource {
  type: "text";
  text: string;
  media_type?: string | null;
}
/**
 * Audio; a base64 source's media type is `audio/<format>`.
 */
export interface AudioPart {
  type: "audio";
  source: Source;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Video.
 */
export interface VideoPart {
  type: "video";
  source: Source;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * A document: PDF, text and the like.
 */
export interface FilePart {
  type: "file";
  source: Source;
  /**
   * The file's name or title, which the model may see.
   */
  filename?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Readable reasoning; its signature lets the issuer, and only the issuer, verify it when it is sent back.
 */
export interface ThinkingPart {
  type: "thinking";
  thinking: string;
  signature?: string | null;
  /**
   * Whether the text is marked as a summary of the reasoning.
   */
  summary?: boolean | null;
  /**
   * Who signed it. A signature without an issuer is sent to any provider that has a place for one.
   */
  issuer?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Reasoning that only its issuer can read.
 */
export interface RedactedThinkingPart {
  type: "redacted_thinking";
  data: string;
  issuer?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * The model's words of refusal.
 */
export interface RefusalPart {
  type: "refusal";
  refusal: string;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * A call of a tool by the assistant; `input` is JSON text or an object, as the source spelled it.
 */
export interface ToolUsePart {
  type: "tool_use";
  id?: string | null;
  name: string;
  input:
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Whether this calls a custom tool, whose input is free text instead of JSON.
   */
  custom?: boolean | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * What a tool gave back, in a user message.
 */
export interface ToolResultPart {
  type: "tool_result";
  tool_use_id?: string | null;
  content?: string | ResultContentPart[] | null;
  is_error?: boolean | null;
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * An image in OpenAI's and Verifiers' spelling.
 */
export interface ImageUrlPart {
  type: "image_url";
  image_url: ImageUrl;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * OpenAI's spelling of an image: an http(s) or data URL.
 */
export interface ImageUrl {
  url: string;
  detail?: string | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Audio in OpenAI's and Verifiers' spelling.
 */
export interface InputAudioPart {
  type: "input_audio";
  input_audio: InputAudio;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * OpenAI's spelling of audio: base64 data and a format such as `wav`.
 */
export interface InputAudio {
  data: string;
  format: string;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * A part of one format that has no canonical meaning, verbatim.
 */
export interface OpaquePart {
  type: "opaque";
  /**
   * The family of formats that it belongs to.
   */
  format: string;
  value: {
    [k: string]: unknown;
  };
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Instructions in OpenAI's developer role.
 */
export interface DeveloperMessage {
  role: "developer";
  /**
   * The participant's name.
   */
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
  /**
   * The application's own data, such as a database id; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
  content: string | Part[];
}
/**
 * What the user or the environment says; in the blocks spelling also tool results.
 */
export interface UserMessage {
  role: "user";
  /**
   * The participant's name.
   */
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
  /**
   * The application's own data, such as a database id; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
  content: string | Part[];
}
/**
 * What the model says: text, reasoning and tool calls, flat or as ordered blocks.
 */
export interface AssistantMessage {
  role: "assistant";
  content?: string | Part[] | null;
  reasoning_content?: string | null;
  thinking_blocks?: ThinkingBlock[] | null;
  refusal?: string | null;
  tool_calls?: ToolCall[] | null;
  /**
   * The participant's name.
   */
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
  /**
   * The application's own data, such as a database id; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A tool call in the flat spelling, Verifiers' shape: `arguments` is the model's text, valid JSON or not.
 */
export interface ToolCall {
  id?: string | null;
  name: string;
  arguments: string;
  /**
   * Whether this calls a custom tool, whose input is free text instead of JSON.
   */
  custom?: boolean | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * The result of one tool call, in the flat spelling.
 */
export interface ToolMessage {
  role: "tool";
  tool_call_id?: string | null;
  is_error?: boolean | null;
  /**
   * The participant's name.
   */
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
  /**
   * The application's own data, such as a database id; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
  content: string | Part[];
}
/**
 * Completion-style text: a prompt, or its continuation.
 */
export interface TextMessage {
  role: "text";
  content: string;
  /**
   * The participant's name.
   */
  name?: string | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
  /**
   * The application's own data, such as a database id; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A message or item of one format that has no canonical meaning, verbatim.
 */
export interface OpaqueMessage {
  role: "opaque";
  /**
   * The family of formats that it belongs to.
   */
  format: string;
  value: {
    [k: string]: unknown;
  };
  wire?: WireRecord | null;
  /**
   * The application's own data; never sent, and never reported as a loss.
   */
  extra?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A function tool; `parameters` is a JSON Schema.
 */
export interface Tool {
  type: "function";
  name: string;
  description?: string | null;
  parameters?: {
    [k: string]: unknown;
  } | null;
  strict?: boolean | null;
  cache_control?: CacheControl | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * A tool of one provider (search, code execution, custom tools), verbatim.
 */
export interface OpaqueTool {
  type: "opaque";
  /**
   * The family of formats that it belongs to.
   */
  format: string;
  value: {
    [k: string]: unknown;
  };
}
/**
 * One request to a model: the messages and the settings.
 *
 * `origin` is the name of the format that the request was loaded from, and None for one that was built by hand. Fields that
 * one provider alone has are in `provider_data[family]`.
 */
export interface Request {
  messages: Message[];
  model?: string | null;
  tools?: AnyTool[] | null;
  tool_choice?: ToolChoice | null;
  parallel_tool_calls?: boolean | null;
  max_tokens?: number | null;
  temperature?: number | null;
  top_p?: number | null;
  top_k?: number | null;
  stop?: string[] | null;
  reasoning_effort?: string | null;
  /**
   * How many tokens the model may spend on reasoning.
   */
  reasoning_budget?: number | null;
  response_format?: ResponseFormat | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * An opaque id of the end user.
   */
  user?: string | null;
  stream?: boolean | null;
  /**
   * Cache marks to set in a dump to a format that has them.
   */
  caching?: Caching | null;
  origin?: string | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * Whether a tool is to be called, and which; the type `tool` comes with a name.
 */
export interface ToolChoice {
  type: "auto" | "none" | "required" | "tool";
  name?: string | null;
}
/**
 * The form that the answer is to have; `json_schema` comes with a schema and, where the provider wants one, a name.
 */
export interface ResponseFormat {
  type: "text" | "json_object" | "json_schema";
  name?: string | null;
  description?: string | null;
  json_schema?: {
    [k: string]: unknown;
  } | null;
  strict?: boolean | null;
}
/**
 * Asks a dump for cache marks on the last tool, the system text and the last `messages` messages.
 */
export interface Caching {
  tools?: boolean;
  system?: boolean;
  messages?: number;
  ttl?: string | null;
}
/**
 * What came back from a model: one choice, or several where several were asked for.
 *
 * `message`, `stop_reason` and `native_stop_reason` are those of the first choice. `origin` is the name of the format that the
 * response was loaded from.
 */
export interface Response {
  id?: string | null;
  model?: string | null;
  /**
   * When it was made, in seconds since 1970.
   */
  created?: number | null;
  choices: Choice[];
  usage?: Usage | null;
  origin?: string | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * One answer of a response: the message, and why it ended there.
 */
export interface Choice {
  message: AssistantMessage;
  /**
   * A `StopReason`, or what the provider says where that is none of them.
   */
  stop_reason?: string | null;
  /**
   * The provider's word for it.
   */
  native_stop_reason?: string | null;
  /**
   * The stop sequence that was hit.
   */
  stop_sequence?: string | null;
  /**
   * Whether the stream broke off; the last part may be cut.
   */
  incomplete?: boolean | null;
  provider_data?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
  wire?: WireRecord | null;
}
/**
 * How many tokens a response used, with the same meaning for every provider; None where the provider does not say.
 *
 * Three kinds of input do not overlap: `input_tokens` (neither read from nor written to a cache), `cache_read_tokens`,
 * `cache_write_tokens`. `output_tokens` is all output; `reasoning_tokens` is the part of it that was spent on reasoning.
 * `input_audio_tokens` and `output_audio_tokens` are parts of all input and all output. Usages can be added; a sum has no
 * `native`.
 */
export interface Usage {
  input_tokens?: number | null;
  cache_read_tokens?: number | null;
  cache_write_tokens?: number | null;
  output_tokens?: number | null;
  reasoning_tokens?: number | null;
  input_audio_tokens?: number | null;
  output_audio_tokens?: number | null;
  /**
   * The provider's object by family, verbatim.
   */
  native?: {
    [k: string]: {
      [k: string]: unknown;
    };
  } | null;
}
/**
 * A message begins; the first of these also describes the response as a whole.
 */
export interface MessageStart {
  type: "message_start";
  choice?: number;
  id?: string | null;
  model?: string | null;
  created?: number | null;
  origin?: string | null;
  /**
   * Whether the folded message has reasoning and calls in fields, or everything in its content.
   */
  spelling?: "flat" | "blocks";
}
/**
 * More text.
 */
export interface TextDelta {
  type: "text";
  choice?: number;
  index: number;
  text: string;
}
/**
 * More readable reasoning; `field` says where a flat message has it: in a block, as plain text, or in both.
 */
export interface ThinkingDelta {
  type: "thinking";
  choice?: number;
  index: number;
  thinking: string;
  field?: "block" | "text" | "both";
}
/**
 * The whole signature of a thinking part.
 */
export interface SignatureDelta {
  type: "signature";
  choice?: number;
  index: number;
  signature: string;
  issuer?: string | null;
}
/**
 * A whole part of reasoning that only its issuer can read.
 */
export interface RedactedThinking {
  type: "redacted_thinking";
  choice?: number;
  index: number;
  data: string;
  issuer?: string | null;
}
/**
 * More text of a refusal.
 */
export interface RefusalDelta {
  type: "refusal";
  choice?: number;
  index: number;
  refusal: string;
}
/**
 * A tool call begins.
 */
export interface ToolUseStart {
  type: "tool_use_start";
  choice?: number;
  index: number;
  id?: string | null;
  name: string;
  custom?: boolean | null;
}
/**
 * More of a tool call's argument text.
 */
export interface ArgumentsDelta {
  type: "arguments";
  choice?: number;
  index: number;
  arguments: string;
}
/**
 * A tool call is complete; this repeats its start and its deltas.
 */
export interface ToolUse {
  type: "tool_use";
  choice?: number;
  index: number;
  id?: string | null;
  name: string;
  arguments: string;
  custom?: boolean | null;
}
/**
 * A part is complete.
 */
export interface PartStop {
  type: "part_stop";
  choice?: number;
  index: number;
}
/**
 * Canonical fields of the response, a choice, its message or a part.
 *
 * Laid over what was there: objects merge, lists grow, other values replace; with `join`, text grows too.
 */
export interface Update {
  type: "update";
  choice?: number;
  of: "response" | "choice" | "message" | "part";
  /**
   * Which part.
   */
  index?: number | null;
  data: {
    [k: string]: unknown;
  };
  join?: boolean | null;
}
/**
 * The usage so far, which replaces any earlier one.
 */
export interface UsageUpdate {
  type: "usage";
  usage: Usage;
}
/**
 * A message is complete, and why it ended.
 */
export interface Stop {
  type: "stop";
  choice?: number;
  stop_reason?: string | null;
  native_stop_reason?: string | null;
  stop_sequence?: string | null;
}
/**
 * The stream ended properly; nothing follows.
 */
export interface StreamEnd {
  type: "end";
}
/**
 * What one format alone has: a whole part, if there is an `index`, or an event that is not part of the response.
 */
export interface OpaqueEvent {
  type: "opaque";
  choice?: number;
  index?: number | null;
  /**
   * The family of formats that it belongs to.
   */
  format: string;
  value: {
    [k: string]: unknown;
  };
}
/**
 * The provider reports an error inside the stream.
 */
export interface ErrorEvent {
  type: "error";
  error: {
    [k: string]: unknown;
  };
}
