// An agent's code in another language: reads a stored conversation, prints what is in it, answers, and writes it.
import { readFileSync, writeFileSync } from "node:fs";
import type { Part, AnyTool, Conversation, Message, Source } from "../../../schemas/typescript/interlingua.js";

function never(value: never): never {
  throw new Error(`nothing else is possible: ${JSON.stringify(value)}`);
}

function where(source: Source): string {
  switch (source.type) {
    case "url":
      return source.url;
    case "base64":
      return `${source.media_type ?? "unknown"}, ${source.data.length} characters`;
    case "file_id":
      return source.file_id;
    case "text":
      return source.text;
    default:
      return never(source);
  }
}

function tellPart(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
    case "video":
    case "file":
      return where(part.source);
    case "image_url":
      return part.image_url.url;
    case "input_audio":
      return part.input_audio.format;
    case "thinking":
      return part.thinking;
    case "redacted_thinking":
      return part.data;
    case "refusal":
      return part.refusal;
    case "tool_use":
      return `${part.name}(${typeof part.input === "string" ? part.input : JSON.stringify(part.input)})`;
    case "tool_result":
      return tellContent(part.content ?? null);
    case "json":
      return JSON.stringify(part.value);
    case "opaque":
      return part.format;
    default:
      return never(part);
  }
}

function tellContent(content: string | Part[] | null): string {
  if (content === null) return "nothing";
  return typeof content === "string" ? content : content.map(tellPart).join(", ");
}

function tell(message: Message): string {
  switch (message.role) {
    case "system":
    case "developer":
    case "user":
      return tellContent(message.content);
    case "assistant": {
      const calls = (message.tool_calls ?? []).map((call) => `${call.name}(${call.arguments})`);
      return [message.reasoning_content ?? "", tellContent(message.content ?? null), ...calls].join(" | ");
    }
    case "tool":
      return `${message.tool_call_id ?? "?"}: ${tellContent(message.content)}`;
    case "text":
      return message.content;
    case "opaque":
      return message.format;
    default:
      return never(message);
  }
}

function nameOf(tool: AnyTool): string {
  return tool.type === "function" ? tool.name : tool.format;
}

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) throw new Error("usage: edit SOURCE TARGET");

const conversation: Conversation = JSON.parse(readFileSync(source, "utf8"));
for (const message of conversation.messages) console.log(`${message.role}: ${tell(message)}`);
console.log(`tools: ${(conversation.tools ?? []).map(nameOf).join(", ")}`);

const answers: Message[] = conversation.messages.flatMap((message) =>
  message.role === "assistant"
    ? (message.tool_calls ?? []).map((call): Message => ({ role: "tool", tool_call_id: call.id ?? null, content: `done: ${call.name}` }))
    : [],
);
const edited: Conversation = {
  ...conversation,
  messages: [...conversation.messages, ...answers, { role: "user", content: [{ type: "text", text: "Thank you, 漢字 🙂." }] }],
  metadata: { ...(conversation.metadata ?? {}), edited: true },
};
writeFileSync(target, JSON.stringify(edited));
