"""Searches of the web in Anthropic's answers (anthropic 2.11.0, `server_tool_use_block.py`, `web_search_tool_result_block.py`).

The server refuses results whose encrypted content it did not make ("Invalid encrypted_content in search_result block").
"""

from __future__ import annotations

from ...codec.fields import Wire, is_empty, value_at
from ...codec.web_answers import AnswerForm, Searched
from ...errors import escape
from ...model.base import Json
from .tool_search import server_id

_NAME = "web_search"
_DIRECT = {"type": "direct"}
_KNOWN = frozenset({"type", "id", "name", "input", "tool_use_id", "content"})


def _rest(block: Wire) -> list[str]:
    said = {key: value for key, value in block.items() if key not in _KNOWN and not is_empty(value)}
    return [f"/{escape(key)}" for key, value in said.items() if (key, value) != ("caller", _DIRECT)]


def _read(block: Wire) -> Searched | None:
    kind = block.get("type")
    if kind == "server_tool_use" and block.get("name") == _NAME:
        id, query = block.get("id"), value_at(block, ("input", "query"))
        rest = [f"/input/{escape(key)}" for key in block["input"] if key != "query"] if type(query) is str else []
        return Searched(id, [query], rest=rest + _rest(block)) if type(id) is str and type(query) is str else None
    id = block.get("tool_use_id")
    content: Json = block.get("content")
    if kind != "web_search_tool_result" or type(id) is not str:
        return None
    if type(content) is dict:
        is_error = content.get("type") == "web_search_tool_result_error"
        return Searched(id, found=(), failed=True, rest=_rest(block)) if is_error else None
    results: list[Json] = content if type(content) is list else [None]
    found = [(url, _title(each)) for each in results if type(url := value_at(each, ("url",))) is str]
    return Searched(id, found=found, rest=_rest(block)) if len(found) == len(results) else None


def _title(result: Json) -> str | None:
    title = value_at(result, ("title",))
    return title if type(title) is str else None


def _result(url: str, title: str | None) -> Wire:
    return {"type": "web_search_result", "url": url, "title": title or url, "encrypted_content": "", "page_age": None}


def _write(search: Searched) -> list[Wire]:
    id = server_id(search.id)
    content: Json = [_result(url, title) for url, title in search.found or ()]
    if search.failed:
        content = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    return [
        {"type": "server_tool_use", "id": id, "name": _NAME, "input": {"query": " ".join(search.queries)}},
        {"type": "web_search_tool_result", "tool_use_id": id, "content": content},
    ]


WEB_ANSWERS = AnswerForm(_read, _write, "list of queries, and whose results must have titles and encrypted content")
