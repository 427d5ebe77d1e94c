"""Web searches in Anthropic's answers (anthropic 2.11.0, `server_tool_use_block.py`, `web_search_tool_result_block.py`).

Each search is two blocks; the second has the results. The client's types require each result to have encrypted content,
which the server accepts back only if it made it ("Invalid encrypted_content in search_result block"). So another provider's
search is written only in answers, with empty content, and with an id that identifies it when a request sends it back.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire, is_empty, value_at
from ...codec.hosted.web_answers import Searched
from ...codec.ids import tool_name
from ...errors import escape
from ...model.base import Json
from .base import MessagesDump

_NAME = "web_search"
_DIRECT = {"type": "direct"}
_KNOWN = frozenset({"type", "id", "name", "input", "tool_use_id", "content"})
_FOREIGN = "srvtoolu_ws_"
"""The prefix of ids of other providers' searches."""
CHANGED = (
    "another provider's web search becomes Anthropic's, with one query, and with the URL as the title of each result;"
    " the encrypted content is empty, so Anthropic refuses this search in a request"
)


def read_search(block: Wire) -> Searched | None:
    """Read the web search in a block; None for any other block."""
    kind = block.get("type")
    if kind == "server_tool_use" and block.get("name") == _NAME:
        id = block.get("id")
        query = value_at(block, ("input", "query"))
        if type(id) is not str or type(query) is not str:
            return None
        more = [f"/input/{escape(key)}" for key in block["input"] if key != "query"]
        return Searched(id, [query], rest=more + rest_of(block))
    if kind == "web_search_tool_result" and type(id := block.get("tool_use_id")) is str:
        return _read_results(id, block)
    return None


def _read_results(id: str, block: Wire) -> Searched | None:
    content: Json = block.get("content")
    if value_at(content, ("type",)) == "web_search_tool_result_error":
        return Searched(id, found=(), failed=True, rest=rest_of(block))
    if type(content) is not list:
        return None
    urls = [value_at(result, ("url",)) for result in content]
    return Searched(id, found=urls, rest=rest_of(block)) if all(type(url) is str for url in urls) else None


def rest_of(block: Wire) -> list[str]:
    """Pointers to the fields of a block that other providers' calls do not have."""
    unknown = {key: value for key, value in block.items() if key not in _KNOWN and not is_empty(value)}
    return [f"/{escape(key)}" for key, value in unknown.items() if (key, value) != ("caller", _DIRECT)]


def refusal(part: Any, d: MessagesDump) -> str | None:
    """Why a request must not have another provider's search."""
    return None if d.is_response else d.no_place_for(part, "part")


def write(searched: Searched) -> list[Wire]:
    """The two blocks, or one, of another provider's search in an answer."""
    id = _FOREIGN + tool_name(searched.id.removeprefix("ws_"), 64).replace("-", "_")
    blocks: list[Wire] = []
    if searched.queries:
        asked = {"query": " ".join(searched.queries)}
        blocks.append({"type": "server_tool_use", "id": id, "name": _NAME, "input": asked})
    if searched.found is not None:
        content: Json = [_result(url) for url in searched.found]
        if searched.failed:
            content = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
        blocks.append({"type": "web_search_tool_result", "tool_use_id": id, "content": content})
    return blocks


def _result(url: str) -> Wire:
    return {"type": "web_search_result", "url": url, "title": url, "encrypted_content": "", "page_age": None}


def is_foreign_search(block: Wire) -> bool:
    """Whether `write` wrote this block, for another provider's search."""
    if block.get("type") not in ("server_tool_use", "web_search_tool_result"):
        return False
    id: Json = block.get("id", block.get("tool_use_id"))
    return type(id) is str and id.startswith(_FOREIGN)
