"""Pages that Google's server opened (google-genai 3.6.1, `urlcontextcallstep.py`, `urlcontextresultstep.py`).

A call is one step, and its result another, without the text of the pages. Only calls for one page are converted. The server
signs both steps: another provider's fetch is written only in answers.
"""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.page_fetches import PageFetch
from ...model.base import Json

_CALL = "url_context_call"
_RESULT = "url_context_result"
CHANGED = "another provider's web fetch becomes Google's, which has only the URL of the page"
REFUSED = "the Interactions API signs the pages that its server opened, and this one was opened elsewhere"


def read_fetch(step: Wire) -> PageFetch | None:
    """Read the fetch of one page, or its result, in a step; None for any other step."""
    kind: Json = step.get("type")
    id: Json = step.get("id" if kind == _CALL else "call_id")
    pages: Json = step.get("result") if kind == _RESULT else value_at(step, ("arguments", "urls"))
    if kind not in (_CALL, _RESULT) or type(id) is not str or type(pages) is not list or len(pages) != 1:
        return None
    if kind == _RESULT:
        failed = step.get("is_error") is True or value_at(pages[0], ("status",)) not in (None, "success")
        rest = unknown_fields(step, ("type", "call_id", "result", "is_error"))
        return PageFetch(id, ended=True, failed=failed, rest=rest + unknown_fields(pages[0], ("url", "status"), "/result/0"))
    if type(pages[0]) is not str:
        return None
    rest = unknown_fields(step, ("type", "id", "arguments")) + unknown_fields(step["arguments"], ("urls",), "/arguments")
    return PageFetch(id, pages[0], rest=rest)


def write(fetch: PageFetch) -> list[Wire]:
    """The two steps, or one, of another provider's fetch."""
    steps: list[Wire] = []
    page: Wire = {} if fetch.url is None else {"url": fetch.url}
    if fetch.url is not None:
        steps.append({"type": _CALL, "id": fetch.id, "arguments": {"urls": [fetch.url]}})
    if fetch.ended:
        result: list[Wire] = [{**page, "status": "error" if fetch.failed else "success"}]
        steps.append({"type": _RESULT, "call_id": fetch.id, "result": result})
    return steps
