"""Pages that Anthropic's server opened (anthropic 2.11.0, `web_fetch_tool_result_block.py`, `web_fetch_block.py`).

The result must have the page as a document. Other providers do not give it, so their fetches have no place here.
"""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.page_fetches import PageFetch
from ...model.base import Json
from .web_answers import rest_of

REFUSED = "a web fetch of Anthropic must have the text of the page, which other providers do not give"


def read_fetch(block: Wire) -> PageFetch | None:
    """Read the fetch of a page, or its result, in a block; None for any other block."""
    kind: Json = block.get("type")
    id: Json = block.get("id" if kind == "server_tool_use" else "tool_use_id")
    if type(id) is not str:
        return None
    if kind == "web_fetch_tool_result":
        content: Json = block.get("content")
        failed = value_at(content, ("type",)) == "web_fetch_tool_result_error"
        return PageFetch(
            id, ended=True, failed=failed, rest=unknown_fields(content, ("type", "url"), "/content") + rest_of(block)
        )
    url: Json = value_at(block, ("input", "url"))
    if kind != "server_tool_use" or block.get("name") != "web_fetch" or type(url) is not str:
        return None
    return PageFetch(id, url, rest=unknown_fields(block["input"], ("url",), "/input") + rest_of(block))
