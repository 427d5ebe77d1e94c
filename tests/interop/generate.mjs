// Writes the TypeScript types of the canonical schemas; with --check, tells whether those that are there are stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const schemas = new URL("../../schemas/", import.meta.url);
const target = new URL("typescript/interlingua.d.ts", schemas);
const kinds = ["message", "part", "tool", "request", "response", "event", "conversation"];

const definitions = {};
for (const kind of kinds) Object.assign(definitions, JSON.parse(readFileSync(new URL(`${kind}.json`, schemas), "utf8")).$defs);

const banner = "// Made of the JSON Schemas beside this folder; do not edit.";
const all = { $defs: definitions, anyOf: ["Conversation", "Request", "Response", "Event"].map((name) => ({ $ref: `#/$defs/${name}` })) };
const text = await compile(all, "Interlingua", { bannerComment: banner, unreachableDefinitions: true, ignoreMinAndMaxItems: true });

if (!process.argv.includes("--check")) {
  mkdirSync(new URL(".", target), { recursive: true });
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  console.error("schemas/typescript/interlingua.d.ts: stale");
  process.exit(1);
}
