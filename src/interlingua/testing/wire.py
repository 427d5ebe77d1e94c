"""Strategies for what goes over the wire: requests that a provider takes, responses that it sends."""

from __future__ import annotations

from typing import Any, overload

from hypothesis import strategies as st

from ..codec.format import Format
from ..errors import UnknownFormat
from ..formats import FORMATS, format_of
from ..formats.anthropic import AnthropicProfile
from ..formats.openai_chat import ChatProfile
from ..model.exchange import Response
from ..payloads import FormatName
from . import anthropic_requests, anthropic_responses, chat_requests, chat_responses
from .canonical import of
from .primitives import NAMES, fields, text


def payloads(format: FormatName | Format, *, odd: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Wire requests of a sound conversation; with unknown fields, nulls and broken arguments if `odd`."""
    known = format_of(format)
    profile = known.profile
    if isinstance(profile, ChatProfile):
        return chat_requests.wire_requests(odd=odd, flat=profile.tool_calls == "flat")
    if isinstance(profile, AnthropicProfile):
        return anthropic_requests.wire_requests(odd=odd, as_text=profile.input_as_text)
    if known.name == "openai_completions":
        prompts = text() | st.lists(text(), min_size=1, max_size=3)
        return fields({"prompt": prompts}, {"model": NAMES, "seed": st.integers(0, 9)})
    raise UnknownFormat(f"{known.name} (of payloads)", FORMATS)


@overload
def responses() -> st.SearchStrategy[Response]: ...
@overload
def responses(format: FormatName | Format, *, odd: bool = True) -> st.SearchStrategy[dict[str, Any]]: ...
def responses(format: FormatName | Format | None = None, *, odd: bool = True) -> st.SearchStrategy[Any]:
    """Canonical responses; or, of a format, whole wire responses as its provider sends them.

    Those have text, reasoning, refusals, tool calls, several choices. With `odd`, also what hosts make of that: reasoning
    and unknown fields of every spelling, nulls and absent fields, ids that are missing, arguments that are broken, content
    as a list, counts that do not add up.
    """
    if format is None:
        return of(Response)
    known = format_of(format)
    if isinstance(known.profile, ChatProfile):
        return chat_responses.wire_responses(odd=odd)
    if isinstance(known.profile, AnthropicProfile):
        return anthropic_responses.wire_responses(odd=odd)
    raise UnknownFormat(f"{known.name} (of responses)", FORMATS)
