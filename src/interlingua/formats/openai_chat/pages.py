"""Web pages that a response cites as a whole, in fields beside its choices: Perplexity's and xAI's.

Perplexity lists them in `search_results`, and their URLs in `citations`. Its text refers to them by number, as in `[2]`. xAI
has only `citations`. The pages become citations of the whole text of each answer. The fields also stay in the provider data of
the response, so that it goes back as it came.

Evidence: recorded responses of Perplexity; docs.x.ai, "Live Search".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.fields import Wire, spelling
from ...model.base import Json
from ...model.messages import AssistantMessage
from ...model.parts import TextPart
from .base import spell

FIELDS = frozenset({"citations", "search_results"})
"""The fields of a response that list pages."""
MARK = "citations"
"""What records in the spelling of a message that its citations are listed beside the choices, and what its content was."""


def pages_in(wire: Mapping[str, Any]) -> list[Wire]:
    """The pages that the fields of a response list, as data of citations; none if they cannot be read."""
    if FIELDS.isdisjoint(wire):
        return []
    results: Json = wire.get("search_results")
    titles = dict(filter(None, map(_titled, results))) if type(results) is list else {}
    urls: Json = wire.get("citations") or list(titles)
    if type(urls) is not list or not all(type(url) is str for url in urls):
        return []
    return [_page(url, titles.get(url)) for url in urls]


def _titled(result: Json) -> tuple[str, Json] | None:
    """The URL and the title of a search result; None if it has no URL."""
    url: Json = result.get("url") if type(result) is dict else None
    return (url, result.get("title")) if type(result) is dict and type(url) is str else None


def _page(url: str, title: Json) -> Wire:
    return {"type": "url", "url": url} | ({"title": title} if type(title) is str else {})


def cite_pages(out: Wire, pages: list[Wire]) -> None:
    """Add the pages to the content of an answer that is one text without citations, and record what the content was."""
    content: Json = out.get("content")
    if type(content) is str and content:
        out["content"] = [{"type": "text", "text": content, "citations": pages}]
        spell(out, "content", "text")
        spell(out, MARK, "text")
    elif type(content) is list and len(content) == 1 and content[0]["type"] == "text" and "citations" not in content[0]:
        out["content"] = [content[0] | {"citations": pages}]
        spell(out, MARK, "part")


def without_pages(message: AssistantMessage, pages: list[Wire]) -> AssistantMessage:
    """The message as it was before these pages were added to its text; itself if they were not, or if they were edited."""
    mark = spelling(message, MARK)
    content = message.content
    if mark is None or message.wire is None or type(content) is not tuple or len(content) != 1:
        return message
    (part,) = content
    if not isinstance(part, TextPart) or [citation.to_dict() for citation in part.citations or ()] != pages:
        return message
    taken = {MARK, "content"} if mark == "text" else {MARK}
    left = {key: word for key, word in (message.wire.spelling or {}).items() if key not in taken}
    fields = {name: getattr(part, name) for name in part.model_fields_set if name != "citations"}
    return message.replace(content=part.text if mark == "text" else [fields], wire=message.wire.replace(spelling=left or None))
