// A client's code: reads turns, looks into their free JSON, adds a message with free JSON of its own, and writes them.
import { readFileSync, writeFileSync } from "node:fs";
import type { Message, Part } from "./types.js";

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) throw new Error("usage: client SOURCE TARGET");

const messages: Message[] = JSON.parse(readFileSync(source, "utf8"));
for (const message of messages) {
  if (message.role !== "user" || typeof message.content === "string") continue;
  for (const part of message.content) {
    if (part.type === "opaque") console.log(JSON.stringify(part.value["nested"]));
  }
}

const part: Part = { type: "opaque", format: "x", value: { nested: { list: [1.5, null, { a: "é 🙂" }] } } };
const added: Message = { role: "user", content: [part], extra: { id: { of: [1] } }, provider_data: { x: { y: { z: [] } } } };
writeFileSync(target, JSON.stringify([...messages, added]));
