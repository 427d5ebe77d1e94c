"""What is wrong with a conversation, whatever provider it is for."""

from collections.abc import Iterator, Sequence

import interlingua as il

FOLLOWS = {
    "lead": ("start", "lead"),
    "user": ("start", "lead", "assistant"),
    "assistant": ("start", "lead", "user", "tool"),
    "tool": ("assistant with calls", "tool"),
    "text": ("start", "lead"),
}
"""Whom each may follow."""


def unsound(conversation: Sequence[il.Message]) -> Iterator[str]:
    """What is wrong with who speaks when, and with calls and results."""
    waiting: list[str | None] = []
    seen: set[str | None] = set()
    last = "start"
    for place, message in enumerate(conversation):
        if isinstance(message, il.OpaqueMessage):
            continue
        given = results(message)
        for result in given:
            if result.tool_use_id in waiting:
                waiting.remove(result.tool_use_id)
            else:
                yield f"{place}: a result of nothing"
        role = "tool" if given else "lead" if isinstance(message, il.SystemMessage | il.DeveloperMessage) else message.role
        if last not in FOLLOWS[role]:
            yield f"{place}: {role} after {last}"
        if waiting and role != "tool":
            yield f"{place}: calls without a result"
        ids = [part.id for part in message.tool_uses]
        if None in ids or seen & set(ids) or len(set(ids)) < len(ids):
            yield f"{place}: an id used twice"
        if role != "assistant" and (ids or message.thinking):
            yield f"{place}: {role} thinks, or calls tools"
        seen.update(ids)
        waiting += ids
        last = role + (" with calls" if ids else "")
    if waiting:
        yield "calls without a result"


def results(message: il.Message) -> list[il.ToolResultPart]:
    if isinstance(message, il.ToolMessage):
        return [message.result]
    return [part for part in message.parts if isinstance(part, il.ToolResultPart)]
