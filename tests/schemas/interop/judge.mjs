// Judges documents by JSON Schema: reads JSON lines, first the schema, then the documents; writes a line of true or false each.
import { createInterface } from "node:readline";
import Ajv2020 from "ajv/dist/2020.js";

// Strict, so that a keyword that Ajv does not know, or would ignore, is an error; `discriminator` is OpenAPI's.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, discriminator: true });
let accepts;
const verdicts = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (accepts === undefined) accepts = ajv.compile(JSON.parse(line));
  else verdicts.push(accepts(JSON.parse(line)));
}
console.log(verdicts.join("\n"));
