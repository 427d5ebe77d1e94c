"""Writes `docs/scale/columns.md`: the columns of conversations in Arrow.

Run `python tools/columns.py` after a change of `interlingua.arrow.columns` or of a model's fields or docstrings. With `--check`
it writes nothing and reports whether the file is stale.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import interlingua as il
from generated import PACKAGE, run
from interlingua.arrow.columns import CONVERSATION, JSON
from interlingua.model.base import Model, members
from interlingua.model.docs import field_docs
from tables import paragraph, row

PAGE = PACKAGE.parents[1] / "docs" / "scale" / "columns.md"

HEAD = """\
# Columns of conversations

<!-- Written by tools/columns.py: do not edit. -->

What `interlingua.arrow.to_arrow` writes, one conversation a row, and what a column that `load_batch` made holds (the type of
`messages`). Every [field](../fields.md) has a column or a field of a struct under its own name; the kinds of messages share one
struct, and so do the kinds of parts. There are no unions, and rows come back exactly as they were: `from_arrow`.

- A field that may be text or something else has two columns: `content` holds text and `content_parts` a list of parts, `input`
  the text of arguments and `input_object` an object. One of them is null; values in both are an error.
- *JSON text* is free JSON, or an object that is rare. Integers in it are of any size.
- A column is null where the field is absent. Where the field itself is null, its name is in the list `nulls` of the same
  struct. Empty lists and empty texts are neither.

These columns belong to version 1 of stored conversations. A later release reads them; it may add columns and fields of structs,
and renames or removes none without a new version. A field that a release does not know is an error there, and not left out.
"""

Classes = Sequence[type[Model]]

SECTIONS: dict[str, tuple[str, Classes]] = {
    "": ("Conversations", (il.Conversation,)),
    "messages": ("Messages", members(il.Message)),
    "messages/content_parts": ("Parts", members(il.Part)),
    "messages/content_parts/content_parts": ("Parts of results", members(il.ResultContentPart)),
    "messages/content_parts/source": ("Sources of media", members(il.Source)),
    "messages/content_parts/image_url": ("Image URLs", (il.ImageUrl,)),
    "messages/content_parts/input_audio": ("Input audio", (il.InputAudio,)),
    "messages/thinking_blocks": ("Thinking blocks", members(il.ThinkingBlock)),
    "messages/tool_calls": ("Tool calls", (il.ToolCall,)),
    "tools": ("Tools", members(il.AnyTool)),
}
"""The title of the struct at each path, and the classes whose fields it has."""


def text() -> str:
    """The text of the page."""
    lines = [HEAD]
    for path, (title, classes) in SECTIONS.items():
        lines += [f"## {title}", ""]
        if path:
            lines += [f"The structs in `{path.replace('/', '.')}`.", ""]
        lines += table(path, classes)
        lines.append("")
    return "\n".join(lines)


def table(path: str, classes: Classes) -> Iterator[str]:
    """The rows of a struct's columns."""
    yield row("column", "type", "of", "meaning")
    yield row("---", "---", "---", "---")
    shape: Any = CONVERSATION
    for name in filter(None, path.split("/")):
        shape = shape[name] if type(shape[name]) is dict else shape[name][0]
    for column, kind in shape.items():
        field = "input" if column == "input_object" else column.removesuffix("_parts")
        having = [cls for cls in classes if field in cls.model_fields]
        yield row(f"`{column}`", type_of(kind, f"{path}/{column}".strip("/")), owners(having, classes), meaning(field, having))
    yield row("`nulls`", "list of text", "", "The names of fields that are null, and not absent.")


def type_of(kind: Any, path: str) -> str:
    """The type of a column in words, with a link to its struct."""
    if kind is JSON:
        return kind
    if path == "messages/content_parts/content_parts/source":
        path = "messages/content_parts/source"
    if isinstance(kind, list | dict):
        same = path.replace("content_parts/content_parts/", "content_parts/")
        title = SECTIONS.get(path, SECTIONS.get(same, ("", ())))[0]
        link = f"[{title.lower()}](#{title.lower().replace(' ', '-')})"
        return f"list of {link}" if isinstance(kind, list) else f"struct of {link}"
    return {"string": "text", "bool": "boolean", "int32": "integer"}[str(kind)]


def owners(having: Classes, classes: Classes) -> str:
    """The tags of the kinds that have a field, where not all have it."""
    if len(having) == len(classes):
        return ""
    others = [cls for cls in classes if cls not in having]
    fewer, start = (others, "all but ") if len(others) < len(having) else (having, "")
    tags = [getattr(cls, "_tag", None) for cls in fewer]
    return start + ", ".join(f"`{tag[1]}`" for tag in tags if tag is not None)


def meaning(field: str, having: Classes) -> str:
    """What a field means, in the words of its classes."""
    tagged = [getattr(cls, "_tag", None) for cls in having]
    if all(tag is not None and tag[0] == field for tag in tagged):
        return "The version of stored conversations." if field == "version" else "Which kind this is."
    found: list[str] = []
    for cls in having:
        said = paragraph(field_docs(cls).get(field)).replace("; read-only", "").replace(", read-only", "")
        if not any(said.startswith(known.rstrip(".")) for known in found):
            found.append(said)
    return " ".join(found)


if __name__ == "__main__":
    sys.exit(run(PAGE, text, "columns.py"))
