// Reads a JSON Schema and documents, and writes for each document what Zod parses it as, or null where it refuses it.
import { readFileSync } from "node:fs";
import { z } from "zod";

const [schema, documents] = process.argv.slice(2).map((name) => JSON.parse(readFileSync(name, "utf8")));
const type = z.fromJSONSchema(schema);
console.log(JSON.stringify(documents.map((document) => type.safeParse(document).data ?? null)));
