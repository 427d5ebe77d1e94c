"""Web pages that a response cites as a whole, in fields beside its choices: Perplexity's and xAI's.

Perplexity lists them in `search_results`, and their URLs in `citations`. Its text refers to them by number, as in `[2]`. xAI
has only `citations`. The pages become citations of the whole text of the first answer. The fields also stay in the provider
data of the response, so that it goes back as it came.

Evidence: recorded responses of Perplexity; docs.x.ai, "Live Search".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.fields import Wire, spelling
from ...model.base import Json
from ...model.messages import AssistantMessage
from ...model.parts import TextPart
from .base import FAMILY, ChatDump, spell

FIELDS = frozenset({"citations", "search_results"})
"""The fields of a response that list pages."""
MARK = "citations"
"""The spelling key that marks citations listed beside the choices; its value is the former form of the content."""


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


def without_pages(message: AssistantMessage, pages: list[Wire]) -> AssistantMessage | None:
    """The message as it was before these pages were added to its text; None if they were not, or if they were edited."""
    part = _cited(message)
    if part is None or message.wire is None or [citation.to_dict() for citation in part.citations or ()] != pages:
        return None
    was_text = spelling(message, MARK) == "text"
    taken = {MARK, "content"} if was_text else {MARK}
    left = {key: word for key, word in (message.wire.spelling or {}).items() if key not in taken}
    fields = {name: getattr(part, name) for name in part.model_fields_set if name != "citations"}
    return message.replace(content=part.text if was_text else [fields], wire=message.wire.replace(spelling=left or None))


def _cited(message: AssistantMessage) -> TextPart | None:
    """The one text of a message that was loaded with pages; None if the message now has other content."""
    content = message.content
    if spelling(message, MARK) is None or type(content) is not tuple or len(content) != 1:
        return None
    return content[0] if isinstance(content[0], TextPart) else None


def has_other_pages(message: AssistantMessage) -> bool:
    """Whether a message was loaded with pages and has not been written without them: its citations were edited."""
    return spelling(message, MARK) is not None


def drop_pages(out: Wire, d: ChatDump) -> None:
    """Leave out the lists of pages from a response whose citations were edited, since readers would take them for its pages."""
    for key in sorted(FIELDS & out.keys()):
        del out[key]
        d.drop(f"/provider_data/{FAMILY}/{key}", "the text has other citations now, so the pages that it had are left out")
