"""Anthropic Messages requests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from .primitives import BASE64, MEDIA_TYPES, NAMES, PORTABLE_IDS, URLS, arguments, fields, json_objects, text, unknown_fields


def _user_blocks(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    marks: dict[str, st.SearchStrategy[Any]] = {
        "cache_control": fields({"type": st.just("ephemeral")}, {"ttl": st.sampled_from(["5m", "1h"])})
    }
    image = st.fixed_dictionaries(
        {"type": st.just("base64"), "media_type": MEDIA_TYPES, "data": BASE64}
    ) | st.fixed_dictionaries({"type": st.just("url"), "url": URLS})
    document = st.one_of(
        st.fixed_dictionaries({"type": st.just("base64"), "media_type": st.just("application/pdf"), "data": BASE64}),
        st.fixed_dictionaries({"type": st.just("url"), "url": URLS}),
        st.fixed_dictionaries({"type": st.just("file"), "file_id": NAMES}),
        st.fixed_dictionaries({"type": st.just("text"), "media_type": st.just("text/plain"), "data": text(blank=False)}),
    )
    return st.one_of(
        fields({"type": st.just("text"), "text": text(blank=False)}, {**marks, **unknown_fields(odd)}),
        fields({"type": st.just("image"), "source": image}, marks),
        fields({"type": st.just("document"), "source": document}, {"title": NAMES, "context": text(blank=False), **marks}),
    )


@st.composite
def _turn(draw: st.DrawFn, odd: bool, as_text: bool) -> list[dict[str, Any]]:
    blocks = st.lists(_user_blocks(odd), min_size=1, max_size=3)
    said_first: st.SearchStrategy[Any] = text(blank=False) | blocks
    turn: list[dict[str, Any]] = [{"role": "user", "content": draw(said_first)}]
    thinking = st.fixed_dictionaries({"type": st.just("thinking"), "thinking": text(), "signature": BASE64})
    redacted = st.fixed_dictionaries({"type": st.just("redacted_thinking"), "data": BASE64})
    words = st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)})
    said: list[dict[str, Any]] = draw(st.lists(thinking | redacted | words, max_size=3))
    ids = draw(st.lists(PORTABLE_IDS, max_size=3, unique=True))
    for id in ids:
        inputs: st.SearchStrategy[Any] = arguments(broken=odd) if as_text else json_objects()
        given = draw(inputs)
        said.insert(draw(st.integers(0, len(said))), {"type": "tool_use", "id": id, "name": draw(NAMES), "input": given})
    words_alone: str = draw(text(blank=False))
    turn.append({"role": "assistant", "content": said or words_alone})
    if ids:
        content = text(blank=False) | st.lists(words | _images(), min_size=1, max_size=2)
        results = [
            draw(
                fields(
                    {"type": st.just("tool_result"), "tool_use_id": st.just(id)},
                    {"content": content, "is_error": st.booleans()},
                )
            )
            for id in draw(st.permutations(ids))
        ]
        turn.append({"role": "user", "content": results + draw(st.lists(words, max_size=2))})
        turn.append({"role": "assistant", "content": draw(text(blank=False))})
    return turn


def _images() -> st.SearchStrategy[dict[str, Any]]:
    source = st.fixed_dictionaries({"type": st.just("base64"), "media_type": MEDIA_TYPES, "data": BASE64})
    return st.fixed_dictionaries({"type": st.just("image"), "source": source})


def wire_requests(*, odd: bool, as_text: bool) -> st.SearchStrategy[dict[str, Any]]:
    words = st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)})
    no_parameters: dict[str, Any] = {"type": "object", "properties": {}}
    tool = fields(
        {"name": NAMES, "input_schema": st.just(no_parameters)},
        {"description": text(), "strict": st.booleans(), "cache_control": st.just({"type": "ephemeral"})},
    )
    settings: dict[str, st.SearchStrategy[Any]] = {
        "model": NAMES,
        "max_tokens": st.integers(1, 10**6),
        "system": text(blank=False) | st.lists(words, min_size=1, max_size=2),
        "tools": st.lists(tool, min_size=1, max_size=2),
        "tool_choice": st.sampled_from(
            [{"type": "auto"}, {"type": "any", "disable_parallel_tool_use": True}, {"type": "none"}]
        ),
        "stop_sequences": st.lists(text(blank=False), min_size=1, max_size=6),
        "thinking": st.just({"type": "enabled", "budget_tokens": 2048}),
        "metadata": st.fixed_dictionaries({"user_id": NAMES}),
        **unknown_fields(odd),
    }
    turns = st.lists(_turn(odd, as_text), min_size=1, max_size=3).map(_renumbered)
    return st.builds(_whole, turns, fields({}, settings))


def _whole(messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    return {"messages": messages, **settings}


def _renumbered(turns: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The turns one after the other, their tool calls told apart: Anthropic takes an id but once."""
    for i, turn in enumerate(turns):
        for message in turn:
            content: list[dict[str, Any]] | str = message["content"]
            for block in content if isinstance(content, list) else []:
                for key in ("id", "tool_use_id"):
                    if key in block:
                        block[key] += f"-{i}"
    return [message for turn in turns for message in turn]
