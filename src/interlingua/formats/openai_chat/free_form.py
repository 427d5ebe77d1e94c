"""Free-form tools ("custom" at OpenAI), which are nested in Chat Completions and flat in the Responses API.

(openai 3.52.0: `chat_completion_custom_tool_param.py`, `responses/custom_tool_param.py`.)
"""

from __future__ import annotations

from collections.abc import Iterator

from ...codec.fields import Wire
from ...codec.members import Member
from ...model.base import Json


def flat_of(tool: Wire) -> Wire | None:
    """A nested free-form tool in its flat form; None for any other tool."""
    custom: Json = tool.get("custom")
    if tool.get("type") != "custom" or type(custom) is not dict:
        return None
    form: Json = custom.get("format")
    grammar: Json = form.get("grammar") if type(form) is dict else None
    flat = {"format": {"type": "grammar", **grammar}} if type(grammar) is dict else {}
    return {"type": "custom", **custom, **flat}


def nested_of(tool: Wire) -> Wire:
    """A flat free-form tool in its nested form."""
    custom = {key: value for key, value in tool.items() if key in ("name", "description", "format")}
    form: Json = custom.get("format")
    if type(form) is dict and form.get("type") == "grammar":
        grammar = {key: value for key, value in form.items() if key != "type"}
        custom["format"] = {"type": "grammar", "grammar": grammar}
    return {"type": "custom", "custom": custom}


def offers(value: Wire) -> Iterator[Member]:
    """The free-form tool in this value; None for any other value."""
    flat = flat_of(value)
    if flat is not None and type(name := flat.get("name")) is str and name:
        yield Member("/custom", None, True, flat)
