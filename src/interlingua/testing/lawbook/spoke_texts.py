"""A judge between a canonical request and a format that has all messages and tools in one text, which knows no such text.

Places say nothing of what is inside a text, so the owners are compared in their order, as those of an answer are.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...codec.format import Format
from ...conversion.requests import load
from ...errors import Loss
from ...model.exchange import Request
from .spoke import HOLDERS, Owner, Spoke, asks_nothing, dumped, owners, same, setting_in
from .spoke_responses import in_order, named

_IDS = ("/id", "/tool_call_id", "/tool_use_id")


def faults_of(request: Request, format: Format) -> list[str]:
    """The faults between a request and any format."""
    return faults_of_text(request, format) if format.in_text else Spoke.of(request, format).faults()


def faults_of_text(request: Request, format: Format) -> list[str]:
    """What is lost silently or invented when a format writes and reads a request: a pointer and a reason each."""
    payload, losses, _ = dumped(request, format)
    back = load(payload, format)
    lost = [loss for loss in losses if loss.path and not loss.path.endswith(_IDS)]
    before = owners(request.to_dict())
    after = owners(back.to_dict())
    content = [owner for owner in before if _is_content(owner)]
    return [*in_order(content, [owner for owner in after if _is_content(owner)], lost), *_beside(before, after, lost)]


def _is_content(owner: Owner) -> bool:
    return owner.kind not in (*HOLDERS, "tool", "setting") and owner.meaning != "" and owner.pointer.startswith("/messages/")


def _beside(before: list[Owner], after: list[Owner], lost: list[Loss]) -> Iterator[str]:
    """The settings that are missing or different, and the tools, of which those that are left keep their order."""
    tools = iter([owner for owner in after if owner.kind == "tool"])
    for owner in before:
        if owner.kind not in ("tool", "opaque", "setting") or named(lost, owner.pointer, "dropped"):
            continue
        if owner.kind == "opaque" and not owner.pointer.startswith("/tools/"):
            continue
        if asks_nothing(owner, after) or (owner.pointer == "/tool_choice" and owner.meaning["type"] == "auto"):
            continue  # what models do without it
        image = setting_in(owner, after) if owner.kind == "setting" else next(tools, None)
        is_changed = any(f"{loss.path}/".startswith(owner.pointer + "/") for loss in lost)
        if not is_changed and (image is None or not same(owner, image)):
            yield f"{owner.pointer}: the {owner.kind} is missing or different"
