// Edits that are wrong; the compiler is expected to refuse each line with the error that stands behind it.
import type { Part, Conversation, Message } from "../../../schemas/typescript/interlingua.js";

export const misspelt: Message = { role: "usr", content: "hi" }; // TS2820
export const noContent: Message = { role: "user" }; // TS2322
export const nullContent: Message = { role: "system", content: null }; // TS2322
export const unknownField: Message = { role: "user", content: "hi", mood: "good" }; // TS2353
export const partOfAnother: Part = { type: "text", thinking: "hm" }; // TS2353
export const numberAsText: Part = { type: "text", text: 7 }; // TS2322
export const later: Conversation = { version: 2, messages: [] }; // TS2322

export function unnarrowed(message: Message): unknown {
  return message.content; // TS2339
}

export function incomplete(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    default: {
      const nothing: never = part; // TS2322
      return nothing;
    }
  }
}
