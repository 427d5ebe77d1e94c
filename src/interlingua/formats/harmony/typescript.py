"""JSON Schema as the TypeScript types in which harmony lists tools, and such types as JSON Schema again.

The types are those that openai-harmony 0.0.8 writes (`src/encoding.rs`, `json_schema_to_typescript`), with two exceptions: each
line of a description is a comment, where openai-harmony only begins the first one as a comment, and `oneOf` is written only for
properties. `read_type` reads what `write_type` writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...codec.fields import is_empty
from ...errors import escape
from ...model.base import Json, copy_json, exact_number

DEEPEST = 30
"""Types are read and written to this depth; what is deeper is `any`."""
_WORDS = re.compile(r"[a-z]+(?: \| [a-z]+)*")
_ENUM = re.compile(r'"[^"\n]*"(?: \| "[^"\n]*")*')
_KEY = re.compile(r"([^\n]*?)(\??):(?= |\n)")


# Writing


def write_type(schema: Json, indent: str = "", depth: int = 0) -> str:
    """The type of a schema; what types cannot say is left out."""
    if type(schema) is not dict or depth > DEEPEST:
        return "any"
    kind: Json = schema.get("type")
    if type(kind) is list:
        words = ["number" if word == "integer" else word for word in kind if type(word) is str]
        return " | ".join(words) or "any"
    if kind == "object":
        return _write_object(schema, indent, depth)
    if kind == "string":
        return " | ".join(f'"{value}"' for value in _enum(schema) if type(value) is str) or "string"
    if kind == "array":
        items: Json = schema.get("items")
        return "Array<any>" if items is None else f"{write_type(items, indent, depth + 1)}[]"
    return {"number": "number", "integer": "number", "boolean": "boolean"}.get(str(kind), "any")


def _schema(value: Json) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _enum(schema: dict[str, Any]) -> list[Any]:
    values: Json = schema.get("enum")
    return values if type(values) is list else []


def _write_object(schema: dict[str, Any], indent: str, depth: int) -> str:
    lines = [*_comments(schema.get("description"), indent), "{"]
    properties: Json = schema.get("properties")
    required: Json = schema.get("required")
    for key, value in properties.items() if type(properties) is dict else ():
        mark = "" if type(required) is list and key in required else "?"
        lines += _write_property(f"{key}{mark}:", _schema(value), indent, depth)
    return "\n".join([*lines, indent + "}"])


def _write_property(key: str, schema: dict[str, Any], indent: str, depth: int) -> Iterator[str]:
    if type(schema.get("title")) is str:
        yield f"{indent}// {schema['title']}"
        yield f"{indent}//"
    variants: Json = schema.get("oneOf")
    if variants is None:
        yield from _comments(schema.get("description"), indent)
    examples: Json = schema.get("examples")
    if type(examples) is list and examples:
        yield f"{indent}// Examples:"
        yield from (f'{indent}// - "{example}"' for example in examples if type(example) is str)
    if type(variants) is list:
        yield from _write_variants(key, schema, variants, indent, depth)
        return
    default = f" // default: {_default(schema)}" if "default" in schema else ""
    yield f"{indent}{key} {_nullable(schema, write_type(schema, indent + '    ', depth + 1))},{default}"


def _write_variants(key: str, schema: dict[str, Any], variants: list[Any], indent: str, depth: int) -> Iterator[str]:
    described = schema.get("description")
    objects = [_schema(variant) for variant in variants]
    is_above = type(described) is str and not (objects and objects[0].get("description") == described)
    if is_above:
        yield from _comments(described, indent)
    if "default" in schema:
        yield f"{indent}// default: {_default(schema)}"
    yield f"{indent}{key}"
    for i, variant in enumerate(objects):
        comment: list[str] = []
        own = variant.get("description")
        is_written = own == described or (i == 0 and is_above)
        if type(own) is str and not is_written:
            comment.append(own)
        if "default" in variant:
            comment.append(f"default: {_default(variant)}")
        written = _nullable(variant, write_type(variant, indent + "   ", depth + 1))
        yield f"{indent} | {written}" + (f" // {' '.join(comment)}" if comment else "")
    yield indent + ","


def _comments(description: Json, indent: str) -> list[str]:
    return [f"{indent}// {line}" for line in description.split("\n")] if type(description) is str else []


def _nullable(schema: dict[str, Any], written: str) -> str:
    return f"{written} | null" if schema.get("nullable") is True and "null" not in written else written


def _default(schema: dict[str, Any]) -> str:
    value: Json = schema["default"]
    if type(value) is not str:
        return to_json_text(value)
    return value if _enum(schema) else f'"{value}"'


# Reading


class _Refused(Exception):
    """The text is not a type that `write_type` writes."""


def read_type(text: str) -> dict[str, Any] | None:
    """The schema of a type; None for a text that is not such a type.

    It reads what `write_type` writes, and the commas with which the template of gpt-oss ends the comments about defaults.
    """
    reader = _Reader(text)
    try:
        schema = reader.type("", 0)
    except _Refused:
        return None
    return schema if reader.at == len(text) else None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def takes(self, text: str) -> bool:
        """Whether this text comes next; then it is read."""
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def take(self, text: str) -> None:
        if not self.takes(text):
            raise _Refused

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        self.at = self.at if found is None else found.end()
        return found

    def line(self) -> str:
        """The rest of the line."""
        end = self.text.find("\n", self.at)
        if end < 0:
            raise _Refused
        line = self.text[self.at : end]
        self.at = end + 1
        return line

    def type(self, indent: str, depth: int) -> dict[str, Any]:
        """The schema of the next type."""
        if depth > DEEPEST + 1:
            raise _Refused
        described = self.comments(indent)
        if described or self.text.startswith("{\n", self.at):
            schema = self.object(indent, depth) | ({"description": "\n".join(described)} if described else {})
        elif self.takes("Array<any>"):
            schema = {"type": "array"}
        elif (values := self.match(_ENUM)) is not None:
            schema = {"type": "string", "enum": values[0][1:-1].split('" | "')}
        elif (words := self.match(_WORDS)) is not None:
            schema = _of_words(words[0].split(" | "))
        else:
            raise _Refused
        while self.takes("[]"):
            depth += 1
            schema = {"type": "array", "items": schema}
        if depth > DEEPEST + 1:
            raise _Refused
        return schema | ({"nullable": True} if self.takes(" | null") else {})

    def comments(self, indent: str) -> list[str]:
        lines: list[str] = []
        while self.takes(indent + "//"):
            lines.append(self.line().removeprefix(" "))
        return lines

    def object(self, indent: str, depth: int) -> dict[str, Any]:
        self.take("{\n")
        properties: dict[str, Any] = {}
        required: list[str] = []
        while not self.takes(indent + "}"):
            start = self.at
            lines = self.comments(indent)
            has_title = len(lines) > 1 and self.text.startswith(f"{indent}// {lines[0]}\n{indent}//\n", start)
            self.take(indent)
            key = self.match(_KEY)
            if key is None or key[1] in properties:
                raise _Refused
            about = _about(lines[2:] if has_title else lines) | ({"title": lines[0]} if has_title else {})
            properties[key[1]] = self.property(indent, about, depth)
            required += [] if key[2] else [key[1]]
        return {"type": "object", "properties": properties} | ({"required": required} if required else {})

    def property(self, indent: str, about: dict[str, Any], depth: int) -> dict[str, Any]:
        if self.takes("\n"):
            variants: list[Any] = []
            while self.takes(indent + " | "):
                schema = self.type(indent + "   ", depth + 1)
                comment = self.line().removeprefix(" ") if self.takes(" //") else self.end_line()
                variants.append(schema | _commented(comment, schema))
            self.take(indent + ",\n")
            return about | {"oneOf": variants}
        self.take(" ")
        schema = self.type(indent + "    ", depth + 1)
        self.take(",")
        if self.takes(" // default: "):
            return about | schema | {"default": _read_default(self.line(), schema)}
        self.end_line()
        return about | schema

    def end_line(self) -> str:
        self.take("\n")
        return ""


def _of_words(words: list[str]) -> dict[str, Any]:
    if words == ["any"]:
        return {}
    if words == ["any", "null"]:
        return {"nullable": True}
    return {"type": words[0] if len(words) == 1 else words}


def _about(lines: list[str]) -> dict[str, Any]:
    """What the comments before a property say of it."""
    found: dict[str, Any] = {}
    if "Examples:" in lines:
        at = lines.index("Examples:")
        end = at + 1
        while end < len(lines) and lines[end].startswith('- "') and lines[end].endswith('"'):
            end += 1
        found["examples"] = [line[3:-1] for line in lines[at + 1 : end]]
        lines = lines[:at] + lines[end:]
    if lines and lines[-1].startswith("default: "):
        found["default"] = _read_default(lines.pop().removeprefix("default: "), {})
    return found | ({"description": "\n".join(lines)} if lines else {})


def _commented(comment: str, schema: dict[str, Any]) -> dict[str, Any]:
    """What the comment behind a variant says of it."""
    described, has_default, default = f" {comment}".rpartition(" default: ")
    found = {"default": _read_default(default, schema)} if has_default else {}
    described = described.strip() if has_default else comment
    return found | ({"description": described} if described else {})


def _read_default(text: str, schema: dict[str, Any]) -> Json:
    text = text if text in _enum(schema) else text.removesuffix(",")
    if text in _enum(schema):
        return text
    value = read_json(text)
    if value is None and text != "null":
        return text[1:-1] if text[:1] == text[-1:] == '"' else text
    return value


def to_json_text(value: Json) -> str:
    """JSON text without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str) -> Json:
    """The data of a JSON text; None for a text that is not JSON, or has a number that a double cannot hold."""
    try:
        value: Json = copy_json(json.loads(text, parse_float=exact_number, parse_constant=_refuse))
    except (ValueError, RecursionError):
        return None
    return value


def _refuse(word: str) -> None:
    raise ValueError(word)


# What is lost


def lost(before: Json, after: Json, path: str) -> Iterator[tuple[str, str]]:
    """The pointers of the keywords that a type does not keep, and whether each is dropped or changed."""
    if type(before) is dict and type(after) is dict:
        for key, value in before.items():
            where = f"{path}/{escape(key)}"
            if key in after:
                yield from lost(value, after[key], where)
            elif not is_empty(value):
                yield "dropped", where
        return
    if type(before) is list and type(after) is list:
        if path.endswith("/required") and sorted(map(str, before)) == sorted(map(str, after)):
            return
        if len(before) == len(after):
            for i, value in enumerate(before):
                yield from lost(value, after[i], f"{path}/{i}")
            return
    if json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True):
        yield "changed", path
