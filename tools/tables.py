"""Writes `docs/fields.md` and `docs/events.md`: the tables of all fields of canonical values, and of all events of streams.

Run `python tools/tables.py` after a change of a model's fields or docstrings. With `--check` it writes nothing and reports
whether the files are stale. Both are made from the JSON Schemas.
"""

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import interlingua as il
from generated import PACKAGE, run
from interlingua.model.base import Model, members

DOCS = PACKAGE.parents[1] / "docs"

FIELDS_HEAD = """\
# Fields

<!-- Written by tools/tables.py from the models: do not edit. -->

The fields of every canonical value, as they are in JSON; in Python, lists are tuples. A field that is not **required** may be
absent, which is not the same as null. What is *computed* is an attribute in Python alone.
"""

EVENTS_HEAD = """\
# Events

<!-- Written by tools/tables.py from the models: do not edit. -->

What `reader(...).feed(chunk)` returns and `writer(...).feed(event)` takes, by `type`. Parts are numbered by `index` in the
order in which they begin, and the answers of a response by `choice`, from 0. `part_stop` ends a part, `stop` a message, `end`
the stream; `tool_use` repeats a whole tool call when it is complete.
"""

SECTIONS: Mapping[str, Iterable[type[Model]]] = {
    "Messages": members(il.Message),
    "Tool calls of flat messages": (il.ToolCall,),
    "Parts": members(il.Part),
    "Citations": members(il.Citation),
    "Sources of media": (il.UrlSource, il.Base64Source, il.FileIdSource, il.TextSource, il.ImageUrl, il.InputAudio),
    "Tools": members(il.AnyTool),
    "Requests": (il.Request, il.ToolChoice, il.ResponseFormat, il.Caching),
    "Responses": (il.Response, il.Choice, il.Usage),
    "Stored conversations": (il.Conversation,),
    "What owners have in common": (il.CacheControl, il.WireRecord),
}


def definitions() -> dict[str, Any]:
    """The JSON Schema of every class and named union."""
    return {name: one for kind in ("conversation", "request", "response", "event") for name, one in definitions_of(kind)}


def definitions_of(kind: Any) -> Iterable[tuple[str, Any]]:
    found: dict[str, Any] = il.json_schema(kind)["$defs"]
    return found.items()


def fields() -> str:
    """The text of `docs/fields.md`."""
    known = definitions()
    lines = [FIELDS_HEAD]
    for title, classes in SECTIONS.items():
        lines += [f"## {title}", ""]
        for cls in classes:
            lines += described(cls, known, "###")
    return "\n".join(lines)


def events() -> str:
    """The text of `docs/events.md`."""
    known = definitions()
    classes = members(il.Event)
    lines = [EVENTS_HEAD, "| type | class | meaning |", "|---|---|---|"]
    for cls in classes:
        tag = known[cls.__name__]["properties"]["type"]["const"]
        lines.append(row(f"`{tag}`", link(cls.__name__), first_sentence(cls)))
    lines.append("")
    for cls in classes:
        lines += described(cls, known, "##")
    return "\n".join(lines)


def described(cls: type[Model], known: Mapping[str, Any], level: str) -> Iterator[str]:
    """A class: its docstring and its table of fields."""
    schema = known[cls.__name__]
    yield from (f"{level} {cls.__name__}", "", paragraph(cls.__doc__), "", "| field | type | meaning |", "|---|---|---|")
    required = schema.get("required", ())
    for name, field in sorted(schema["properties"].items(), key=lambda item: item[0] not in required):
        meaning = paragraph(field.get("description"))
        yield row(f"`{name}`", type_of(field, known), f"**required** {meaning}" if name in required else meaning)
    for name, value in inspect.getmembers(cls, lambda value: isinstance(value, property)):
        documented = [vars(base)[name].__doc__ for base in cls.__mro__ if name in vars(base) and vars(base)[name].__doc__]
        if value.fget.__module__.startswith("interlingua."):
            yield row(f"`{name}`", "*computed*", paragraph(documented[0]))
    yield ""


def type_of(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """The type of a field in words, with links to the classes."""
    match schema:
        case {"const": value}:
            return f"`{value!r}`".replace("'", '"')
        case {"enum": values}:
            return " or ".join(f'`"{value}"`' for value in values)
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            if name in UNIONS:
                return f"[{name}](fields.md#{UNIONS[name].lower()})"
            return link(name) if "properties" in known[name] else type_of(known[name], known)
        case {"oneOf": members} | {"anyOf": members}:
            return " or ".join(dict.fromkeys(type_of(member, known) for member in members))
        case {"type": "array", "items": items}:
            held = type_of(items, known)
            return f"list of ({held})" if " or " in held else f"list of {held}"
        case {"type": "object", "additionalProperties": {"type": kind}}:
            return f"object of {kind}s by name"
        case {"type": kind}:
            return "text" if kind == "string" else str(kind)
        case _:
            return "JSON"


UNIONS = {"Message": "Messages", "Part": "Parts", "AnyTool": "Tools"}
"""The section with the members of each union that has a name."""


def link(name: str) -> str:
    page = "" if name in {cls.__name__ for cls in members(il.Event)} else "fields.md"
    return f"[{name}]({page}#{name.lower()})"


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").strip() for cell in cells) + " |"


def paragraph(text: str | None) -> str:
    return " ".join((text or "").split())


def first_sentence(cls: type[Model]) -> str:
    return paragraph(cls.__doc__).partition(". ")[0].rstrip(".") + "."


if __name__ == "__main__":
    sys.exit(run(DOCS / "fields.md", fields, "tables.py") or run(DOCS / "events.md", events, "tables.py"))
