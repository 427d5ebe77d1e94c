"""Pages that OpenAI's server opened: items of web searches whose action is to open a page. They do not have its text."""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.page_fetches import PageFetch
from ...codec.ids import tool_name
from ...model.base import Json

_OPEN = "open_page"
CHANGED = "another provider's web fetch becomes one item of the Responses API, which has only the URL of the page"


def read_fetch(item: Wire) -> PageFetch | None:
    """Read the fetch of a page in an item; None for any other item, also for one that looks for words in a page."""
    id: Json = item.get("id")
    action: Json = item.get("action")
    url: Json = value_at(action, ("url",))
    if item.get("type") != "web_search_call" or value_at(action, ("type",)) != _OPEN:
        return None
    if type(id) is not str or type(url) is not str:
        return None
    rest = unknown_fields(item, ("type", "id", "status", "action")) + unknown_fields(action, ("type", "url"), "/action")
    return PageFetch(id, url, ended=True, failed=item.get("status") == "failed", rest=rest)


def write(fetch: PageFetch) -> Wire:
    """The item of another provider's fetch."""
    id = tool_name("ws_" + fetch.id.removeprefix("srvtoolu_").removeprefix("ws_"), 64)
    action = {"type": _OPEN, "url": fetch.url}
    return {"type": "web_search_call", "id": id, "status": "failed" if fetch.failed else "completed", "action": action}
