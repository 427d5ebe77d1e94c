"""Web pages that a response cites as a whole, in fields beside its choices: Perplexity's and xAI's.

Perplexity lists them in `search_results`, and their URLs in `citations`. Its text refers to them by number, as in `[2]`. xAI
has only `citations`. The pages become citations of the whole text of the first answer. The fields also stay in the provider
data of the response, so that it goes back as it came.

Evidence: recorded responses of Perplexity; docs.x.ai, "Live Search".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...codec.fields import Wire, spelling
from ...model.base import Json
from ...model.exchange import Choice, Response
from ...model.messages import AssistantMessage
from ...model.parts import TextPart, WireRecord
from .base import FAMILY, ChatDump, own_fields, spell

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
    if type(result) is not dict or type(url := result.get("url")) is not str:
        return None
    return url, result.get("title")


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


def without_pages(response: Response) -> tuple[Choice, ...]:
    """The choices of a response as they were before its pages were added to the first one's text, unless that was edited."""
    choices = response.choices
    pages = pages_in(own_fields(response)) if choices else []
    part = _cited(choices[0].message) if pages else None
    if part is None or [citation.to_dict() for citation in part.citations or ()] != pages:
        return choices
    return (choices[0].replace(message=_bare(choices[0].message, part)), *choices[1:])


def _cited(message: AssistantMessage) -> TextPart | None:
    """The one text of a message that was loaded with pages; None if the message now has other content."""
    content = message.content
    if spelling(message, MARK) is None or type(content) is not tuple or len(content) != 1:
        return None
    return content[0] if isinstance(content[0], TextPart) else None


def _bare(message: AssistantMessage, part: TextPart) -> AssistantMessage:
    """The message whose one text is this part, without the citations and their record."""
    record = message.wire or WireRecord()
    words = record.spelling or {}
    was_text = words[MARK] == "text"
    taken = {MARK, "content"} if was_text else {MARK}
    left = {key: word for key, word in words.items() if key not in taken}
    fields = {name: getattr(part, name) for name in part.model_fields_set if name != "citations"}
    return message.replace(content=part.text if was_text else [fields], wire=record.replace(spelling=left or None))


def drop_edited(choices: Sequence[Choice], out: Wire, d: ChatDump) -> None:
    """Leave out the lists of pages if the first text still has their record: its citations were edited, and are written.

    Readers would take the lists for its citations.
    """
    if not choices or spelling(choices[0].message, MARK) is None:
        return
    for key in sorted(FIELDS & out.keys()):
        del out[key]
        d.drop(f"/provider_data/{FAMILY}/{key}", "the text has other citations now, so the pages that it had are left out")
