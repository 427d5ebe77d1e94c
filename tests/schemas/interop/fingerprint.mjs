// Fingerprints by docs/fingerprint.md, with nothing of the Python package.
//
//   node fingerprint.mjs            JSON lines of messages in, a fingerprint a line out
//   node fingerprint.mjs --json     JSON lines of texts in, the canonical JSON of each a line out, or an empty line

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

// Step 1: canonical JSON

/** A JSON number in its canonical spelling. */
class Numeral {
  constructor(text) {
    this.text = text;
  }
}

function numeral(text) {
  const [, sign, whole, fraction = "", power = ""] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (power.replace(/^[+-]?0*/, "").length > 9) throw new SyntaxError("exponent");
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + digits.length - short.length;
  return new Numeral(short === "" ? "0" : sign + short + (exponent === 0 ? "" : `e${exponent}`));
}

/** Reads JSON as RFC 8259 has it, with numbers as they are spelled; objects become maps. */
function parse(text, deepest = 200) {
  let at = 0;
  const fail = () => {
    throw new SyntaxError(`at ${at}`);
  };
  const space = () => {
    while (" \t\n\r".includes(text[at]) && at < text.length) at += 1;
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) fail();
    at = pattern.lastIndex;
    return found[0];
  };
  const string = () => {
    at += 1;
    const start = at;
    while (text[at] !== '"') {
      if (at >= text.length || text[at] < " ") fail();
      at += text[at] === "\\" ? 2 : 1;
    }
    at += 1;
    return JSON.parse(text.slice(start - 1, at)); // escapes alone are left to the language
  };
  const list = (close, item) => {
    at += 1;
    space();
    if (text[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      item();
      space();
      at += 1;
      if (text[at - 1] === close) return;
      if (text[at - 1] !== ",") fail();
    }
  };
  const value = (depth) => {
    space();
    if ("[{".includes(text[at]) && at < text.length && depth === deepest) fail();
    if (text[at] === "{") {
      const made = new Map();
      list("}", () => {
        space();
        if (text[at] !== '"') fail();
        const key = string();
        space();
        if (text[at] !== ":") fail();
        at += 1;
        made.set(key, value(depth + 1));
      });
      return made;
    }
    if (text[at] === "[") {
      const made = [];
      list("]", () => made.push(value(depth + 1)));
      return made;
    }
    if (text[at] === '"') return string();
    if (/[-\d]/.test(text[at] ?? "")) return numeral(take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y));
    return { true: true, false: false, null: null }[take(/true|false|null/y)];
  };
  const made = value(0);
  space();
  if (at < text.length) fail();
  return made;
}

function quoted(text) {
  if (!text.isWellFormed()) throw new SyntaxError("lone surrogate");
  return JSON.stringify(text);
}

const byCodePoints = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function canonical(value) {
  if (value instanceof Numeral) return value.text;
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value instanceof Map) {
    const keys = [...value.keys()].sort(byCodePoints);
    return `{${keys.map((key) => `${quoted(key)}:${canonical(value.get(key))}`).join(",")}}`;
  }
  return String(value); // true, false, null
}

/** The canonical JSON of a text, or null where it is none. */
function canonicalText(text) {
  try {
    return canonical(parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// Step 2: items

const item = (fields) => new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function typed(mediaType) {
  const usual = lower((mediaType ?? "").split(";")[0].replace(/^[ \t]+|[ \t]+$/g, ""));
  return usual === "" ? {} : { media_type: usual === "image/jpg" ? "image/jpeg" : usual };
}

function base64(data, mediaType) {
  const plain = data.replace(/[ \t\r\n]/g, "").replace(/-/g, "+").replace(/_/g, "/").replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) return { base64: data, ...typed(mediaType) };
  return { sha256: sha256(Buffer.from(plain, "base64")), ...typed(mediaType) };
}

function at(url) {
  const comma = url.indexOf(",");
  if (lower(url.slice(0, 5)) === "data:" && comma >= 0) {
    const [mediaType, ...parameters] = url.slice(5, comma).split(";");
    if (lower(parameters.at(-1) ?? "") === "base64") return base64(url.slice(comma + 1), mediaType);
  }
  return { url };
}

function media(part) {
  const type = part.get("type");
  if (type === "image_url") return { type: "image", ...at(part.get("image_url").get("url")) };
  if (type === "input_audio") {
    const audio = part.get("input_audio");
    return { type: "audio", ...base64(audio.get("data"), `audio/${audio.get("format")}`) };
  }
  const source = part.get("source");
  if (source.get("type") === "url") return { type, ...at(source.get("url")) };
  if (source.get("type") === "base64") return { type, ...base64(source.get("data"), source.get("media_type")) };
  if (source.get("type") === "file_id") return { type, file_id: source.get("file_id") };
  return { type, sha256: sha256(source.get("text")), ...typed(source.get("media_type") ?? "text/plain") };
}

function opaque(owner) {
  const value = new Map([...owner.get("value")].filter(([key]) => key !== "cache_control"));
  return { type: "opaque", format: owner.get("format"), json: canonical(value) };
}

const said = (type, text) => (text ? { type, text } : null);

function text(words, inResult) {
  const json = inResult ? canonicalText(words) : null;
  return json === null ? said("text", words) : { type: "json", json };
}

function call(part, given) {
  const made = { type: "tool_use", tool: part.get("name") };
  const json = typeof given !== "string" ? canonical(given) : part.get("custom") ? null : canonicalText(given);
  if (part.get("custom")) return { ...made, custom: true, text: json ?? given };
  return json === null ? { ...made, text: given } : { ...made, json };
}

/** What a part says, or null for nothing. */
function saying(part, inResult = false) {
  switch (part.get("type")) {
    case "text":
      return text(part.get("text"), inResult);
    case "thinking":
      return said("thinking", part.get("thinking"));
    case "redacted_thinking":
      return null;
    case "refusal":
      return said("refusal", part.get("refusal"));
    case "tool_use":
      return call(part, part.get("input"));
    case "json":
      return { type: "json", json: canonical(part.get("value")) };
    case "opaque":
      return opaque(part);
    default:
      return media(part);
  }
}

const part = (type, fields) => new Map([["type", type], ...Object.entries(fields)]);

function contentParts(content) {
  if (typeof content === "string") return [part("text", { text: content })];
  return content ?? [];
}

/** The parts of a message in order, whichever way it is spelled. */
function partsOf(message) {
  if (message.get("role") !== "assistant") return contentParts(message.get("content"));
  const parts = [...(message.get("thinking_blocks") ?? [])];
  const readable = parts.map((each) => each.get("thinking") ?? "").join("");
  const reasoning = message.get("reasoning_content");
  if (reasoning && reasoning !== readable) parts.unshift(part("thinking", { thinking: reasoning }));
  parts.push(...contentParts(message.get("content")));
  if (message.get("refusal")) parts.push(part("refusal", { refusal: message.get("refusal") }));
  for (const each of message.get("tool_calls") ?? []) {
    parts.push(new Map([...each, ["type", "tool_use"], ["input", each.get("arguments")]]));
  }
  return parts;
}

/** The calls so far: `number`, `id`, `name`, and whether they are `answered`. */
class Calls {
  all = [];

  add(call) {
    this.all.push({ number: this.all.length + 1, id: call.get("id") ?? null, name: call.get("name"), answered: false });
  }

  answeredBy(id, name) {
    const waiting = this.all.filter((call) => !call.answered);
    const found = id != null
      ? (waiting.find((call) => call.id === id) ?? this.all.findLast((call) => call.id === id))
      : (waiting.find((call) => call.id === null && call.name === name) ??
        waiting.find((call) => call.id === null) ??
        waiting[0]);
    if (found === undefined) return undefined;
    found.answered = true;
    return String(found.number);
  }
}

function result(part, id, calls) {
  const content = contentParts(part.get("content"))
    .map((each) => saying(each, true))
    .filter((each) => each !== null)
    .map(item);
  const call = calls.answeredBy(id, part.get("name"));
  return item({ role: "tool", type: "tool_result", content, call, is_error: part.get("is_error") ? true : undefined });
}

function items(messages) {
  const made = [];
  const calls = new Calls();
  for (const message of messages) {
    const role = message.get("role");
    if (role === "opaque") {
      made.push(item({ role, ...opaque(message) }));
      continue;
    }
    if (role === "tool") {
      made.push(result(message, message.get("tool_call_id"), calls));
      continue;
    }
    for (const each of partsOf(message)) {
      if (each.get("type") === "tool_result") {
        made.push(result(each, each.get("tool_use_id"), calls));
        continue;
      }
      if (each.get("type") === "tool_use") calls.add(each);
      const saidHere = saying(each);
      if (saidHere !== null) made.push(item({ role, name: message.get("name") ?? undefined, ...saidHere }));
    }
  }
  return made;
}

// Step 3: the hash

const fingerprint = (messages) => `il1:${sha256(canonical(items(messages)))}`;

const lines = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
const answer = process.argv[2] === "--json" ? (line) => canonicalText(JSON.parse(line)) ?? "" : (line) => fingerprint(parse(line, Infinity));
process.stdout.write(lines.map((line) => `${answer(line)}\n`).join(""));
