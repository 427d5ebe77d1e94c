"""The maps of messages, and where tool results regroup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...format import Wire, came_in_response, copy_plain, leave, spelling
from ...messages import RefusalPart, ThinkingPart, UserMessage
from .base import FAMILY, MessagesDumping, dump_cache
from .blocks import dump_block, dump_call, dump_result, load_block

# Messages


def load_message(wire: Wire) -> dict[str, Any]:
    """A message; one of an unknown role, or a system message without content, is kept whole."""
    role = wire["role"]
    content = wire.get("content")
    if role not in ("user", "assistant", "system") or content is None:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    out = {"role": role, "content": content if type(content) is str else [load_block(block) for block in content]}
    if role == "system":
        return leave(out, wire, out, FAMILY, {"system": "message"})
    return out if len(wire) == 2 else leave(out, wire, out, FAMILY)


def dump_messages(messages: Sequence[Any], start: int, out: list[Wire], d: MessagesDumping) -> None:
    """Append the wire forms of the messages from `start`; a run of tool messages becomes one user message."""
    places = d.notes.places
    home = d.home
    for i in range(start, len(messages)):
        message = messages[i]
        role = message.role
        d.home, d.notes.from_response = home, False
        path = f"/messages/{i}"
        if role == "tool":
            _add_result(message, path, out, d)
            continue
        at = f"/messages/{len(out)}"
        if role == "opaque":
            if message.format == FAMILY:
                places[at] = path
                out.append(copy_plain(message.value))
            else:
                d.notes.drop(path, f"only {message.format} knows messages of this kind")
            continue
        if role == "assistant":
            d.notes.from_response = came_in_response(message, FAMILY)
            d.home = home and not d.notes.from_response
            written = dump_assistant(message, path, at, d)
        elif role == "user" and d.run is not None and d.run is out[-1] and not _holds_results(message):
            _join_run(message, path, f"/messages/{len(out) - 1}", d)
            continue
        else:
            content = message.content
            if type(content) is str and role == "user" and (d.home or (content and not content.isspace())):
                written = {"role": role, "content": content}
            else:
                written = _dump_message(message, path, at, d)
        if not (written["content"] or d.home):
            d.notes.drop(path, "nothing that it holds has a place here")
            continue
        places[at] = path
        if d.profile.content != "keep" and not d.home:
            _respell(written, path, at, d)
        if has_frame(message):
            dump_frame(message, written, path, at, d)
        out.append(written)
    d.home, d.notes.from_response = home, False


def _respell(written: Wire, path: str, at: str, d: MessagesDumping) -> None:
    """Content as the list, or the one string where it is text alone, that the profile wants."""
    content = written["content"]
    if isinstance(content, str):
        if d.profile.content == "list":
            d.notes.places[at + "/content/0"] = path + "/content"
            written["content"] = [{"type": "text", "text": content}]
    elif d.profile.content == "string" and all(block.keys() == {"type", "text"} for block in content):
        written["content"] = "\n".join(block["text"] for block in content)
        for i in range(len(content)):
            origin = d.notes.places.pop(f"{at}/content/{i}")
            if len(content) > 1:
                d.notes.tell("changed", origin, at + "/content", "its texts are joined with line breaks into one")
            elif origin != path + "/content":
                d.notes.places[at + "/content"] = origin


def _dump_message(message: Any, path: str, at: str, d: MessagesDumping) -> Wire:
    role = message.role
    if role != "user":
        native = spelling(message, FAMILY, "system") if d.home else d.profile.system_in_conversation
        if role == "system" and native:
            role = "system"
        else:
            role = "user"
            d.notes.tell("changed", path, at, f"a {message.role} message in this place becomes a user message")
    content = message.content
    if type(content) is str:
        return {"role": role, "content": content if d.home or not content.isspace() else ""}
    blocks: list[Wire] = []
    dump_content(content, role, path, at, d, blocks)
    return {"role": role, "content": blocks}


def dump_assistant(message: Any, path: str, at: str, d: MessagesDumping) -> Wire:
    """An assistant message without its frame; its content may come out empty."""
    content, calls = message.content, message.tool_calls
    more = message.reasoning_content is not None or message.thinking_blocks or message.refusal is not None
    if d.home and (calls or more):
        # Flat messages never came from here: the rules of elsewhere hold for them.
        d.home = False
        written = dump_assistant(message, path, at, d)
        d.home = True
        return written
    if type(content) is str and not calls and not more:
        return {"role": "assistant", "content": content if d.home or not content.isspace() else ""}
    blocks: list[Wire] = []
    if more:
        _dump_reasoning(message, path, at, d, blocks)
    if content:
        dump_content(content, "assistant", path, at, d, blocks)
    if message.refusal is not None:
        refusal = RefusalPart(refusal=message.refusal)
        block = dump_block(refusal, path + "/refusal", f"{at}/content/{len(blocks)}", d, "assistant")
        if block is not None:
            blocks.append(block)
    if calls:
        for i, call in enumerate(calls):
            blocks.append(dump_call(call, call.arguments, f"{path}/tool_calls/{i}", f"{at}/content/{len(blocks)}", d))
    elif type(content) is str and len(blocks) == 1 and d.notes.places.get(at + "/content/0") == path + "/content":
        del d.notes.places[at + "/content/0"]
        return {"role": "assistant", "content": content}
    return {"role": "assistant", "content": blocks}


def dump_content(content: Any, role: str, path: str, at: str, d: MessagesDumping, blocks: list[Wire]) -> None:
    """Append a message's content as blocks; tool results lead, as the server wants."""
    if type(content) is str:
        if d.home or (content and not content.isspace()):
            d.notes.places[f"{at}/content/{len(blocks)}"] = path + "/content"
            blocks.append({"type": "text", "text": content})
        elif content and role == "assistant":
            d.notes.drop(path + "/content", "blank text is refused")
        return
    parts: Sequence[Any] = content
    numbered: Iterable[tuple[int, Any]] = enumerate(parts)
    if role == "user" and not d.home and any(part.type == "tool_result" for part in parts):
        numbered = _results_first(parts, path, at, d)
    for i, part in numbered:
        block = dump_block(part, f"{path}/content/{i}", f"{at}/content/{len(blocks)}", d, role)
        if block is not None:
            blocks.append(block)


def _dump_reasoning(message: Any, path: str, at: str, d: MessagesDumping, blocks: list[Wire]) -> None:
    thinking: list[tuple[str, Any]] = [
        (f"{path}/thinking_blocks/{i}", block) for i, block in enumerate(message.thinking_blocks or ())
    ]
    text = message.reasoning_content
    if text is not None and (
        not thinking or text != "".join(block.thinking for _, block in thinking if block.type == "thinking")
    ):
        thinking.insert(0, (path + "/reasoning_content", ThinkingPart(thinking=text)))
    for where, part in thinking:
        block = dump_block(part, where, f"{at}/content/{len(blocks)}", d, "assistant")
        if block is not None:
            blocks.append(block)


def _results_first(content: Sequence[Any], path: str, at: str, d: MessagesDumping) -> list[tuple[int, Any]]:
    results = [(i, part) for i, part in enumerate(content) if part.type == "tool_result"]
    rest = [(i, part) for i, part in enumerate(content) if part.type != "tool_result"]
    for i, _ in rest:
        if i < results[-1][0]:
            d.notes.tell("moved", f"{path}/content/{i}", at, "tool results come first")
    return results + rest


def _add_result(message: Any, path: str, out: list[Wire], d: MessagesDumping) -> None:
    """A tool message as a block of the user message that holds its run."""
    run = d.run
    if run is None or run is not out[-1]:
        run = d.run = {"role": "user", "content": []}
        d.notes.places[f"/messages/{len(out)}"] = path
        out.append(run)
    blocks = run["content"]
    at = f"/messages/{len(out) - 1}/content/{len(blocks)}"
    d.notes.places[at] = path
    content, raw = message.content, message.tool_call_id
    home, d.home = d.home, False  # a message of role tool never came from here
    if type(content) is str and content and raw is not None:
        block: Wire = {"type": "tool_result", "tool_use_id": d.ids.result(raw, path, "/tool_call_id"), "content": content}
        if message.is_error is not None:
            block["is_error"] = message.is_error
    else:
        block = dump_result(message, raw, path, at, d)
    if message.provider_data is not None and raw is not None and spelling(message, "openai", "role") == "function":
        d.notes.tell("changed", path, at, "a function message becomes a tool result")
    if has_frame(message):
        dump_frame(message, block, path, at, d)
    blocks.append(block)
    d.home = home


def _join_run(message: UserMessage, path: str, at: str, d: MessagesDumping) -> None:
    """A user message behind a run of tool results, in the same message as they."""
    assert d.run is not None  # noqa: S101 -- told by the caller
    blocks = d.run["content"]
    count = len(blocks)
    dump_content(message.content, "user", path, at, d, blocks)
    if len(blocks) == count:
        d.notes.drop(path, "nothing that it holds has a place here")
        return
    d.notes.places[at] = path
    dump_frame(message, d.run, path, at, d)
    d.run = None


def _holds_results(message: UserMessage) -> bool:
    content = message.content
    return type(content) is tuple and any(part.type == "tool_result" for part in content)


def has_frame(message: Any) -> bool:
    """Whether a message has a name, a cache mark or provider data; nearly none has."""
    return not (message.name is message.cache_control is message.provider_data)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: MessagesDumping) -> None:
    """Name, cache mark and provider data of a message."""
    if message.name is not None:
        d.notes.drop(path + "/name", "messages have no name here")
    if message.cache_control is not None:
        mark_last(message, out, path, at if out.get("type") == "tool_result" else at + "/content", d)
    if message.provider_data is not None:
        d.notes.extras(message, out, path)


def mark_last(message: Any, out: Wire, path: str, at: str, d: MessagesDumping) -> None:
    if out.get("type") == "tool_result":
        dump_cache(message, out, path, at, d)
        return
    if not out["content"]:
        d.notes.drop(path + "/cache_control", "there is nothing that could be marked")
        return
    if isinstance(out["content"], str):
        out["content"] = [{"type": "text", "text": out["content"]}]
        d.notes.places[f"{at}/0"] = path + "/content"
    block = out["content"][-1]
    here = f"{at}/{len(out['content']) - 1}/cache_control"
    d.notes.tell("moved", path + "/cache_control", here, "cache marks stand on blocks")
    if "cache_control" not in block and block.get("type") not in ("thinking", "redacted_thinking"):
        where = here.removesuffix("/cache_control")
        dump_cache(message, block, path, where, d)
        if where in d.notes.places:
            d.notes.tell("changed", d.notes.places[where], where, "it takes the cache mark of its message")
