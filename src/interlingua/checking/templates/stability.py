"""Checks whether a template prints the first messages the same when others follow.

If it does not, caches of prompts miss, and masks that are made turn by turn are wrong.
"""

from __future__ import annotations

from typing import Any

from .locating import locate
from .marks import Marked
from .rendering import Rendered, Template

_CUTS = 4
"""The most places where a conversation is cut, each after an assistant message."""


def unstable(template: Template, marked: Marked) -> tuple[str, int] | None:
    """The pointer of a message that is printed differently when others follow, and how many messages were rendered to see it.

    None if every beginning that was tried is printed the same in the whole.
    """
    body: dict[str, Any] = {**marked.body, "add_generation_prompt": False}
    whole = template.render(body)
    if not isinstance(whole, Rendered):
        return None
    for cut in _cuts(body["messages"]):
        first = template.render({**body, "messages": body["messages"][:cut]})
        if isinstance(first, Rendered) and not whole.text.startswith(first.text):
            return _changed(first.text, whole.text, marked, cut), cut
    return None


def _cuts(messages: list[dict[str, Any]]) -> list[int]:
    """The places to cut: after some of the assistant messages, including the first and the last that others follow."""
    roles = [message.get("role") for message in messages]
    all_cuts = [number for number in range(1, len(roles)) if roles[number - 1] == "assistant" != roles[number]]
    if len(all_cuts) <= _CUTS:
        return all_cuts
    return sorted({all_cuts[(len(all_cuts) - 1) * number // (_CUTS - 1)] for number in range(_CUTS)})


def _changed(first: str, whole: str, marked: Marked, cut: int) -> str:
    """The pointer of the message with the first mark after the place where the two renderings differ."""
    differs = 0
    for one, other in zip(first, whole, strict=False):
        if one != other:
            break
        differs += 1
    after: list[tuple[int, int]] = []
    for number, places in enumerate(locate(first, marked).places):
        after += [(place.end, number) for place in places if place.end > differs]
    for _, number in sorted(after):
        path = marked.marks[number].path
        if path.startswith("/messages/"):
            return "/".join(path.split("/")[:3])
    return f"/messages/{cut - 1}"
