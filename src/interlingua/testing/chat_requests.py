"""Chat Completions requests, as OpenAI takes them, and as its hosts do."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from .primitives import BASE64, IDS, MEDIA_TYPES, NAMES, URLS, arguments, fields, json_values, text, unknown_fields


def _user_parts(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    data_uris = st.builds("data:{};base64,{}".format, MEDIA_TYPES, BASE64)
    image = fields({"url": URLS | data_uris}, {"detail": st.sampled_from(["low", "high", "auto"])})
    pdf = st.fixed_dictionaries({"file_data": BASE64.map("data:application/pdf;base64,{}".format), "filename": NAMES})
    marks = {"prompt_cache_breakpoint": st.just({"mode": "explicit"})}
    file: dict[str, st.SearchStrategy[Any]] = {"type": st.just("file"), "file": pdf | st.fixed_dictionaries({"file_id": NAMES})}
    sound: dict[str, st.SearchStrategy[Any]] = {
        "type": st.just("input_audio"),
        "input_audio": st.fixed_dictionaries({"data": BASE64, "format": st.just("wav")}),
    }
    return st.one_of(
        fields({"type": st.just("text"), "text": text(blank=False)}, {**marks, **unknown_fields(odd)}),
        fields({"type": st.just("image_url"), "image_url": image}, marks),
        st.fixed_dictionaries(file),
        st.fixed_dictionaries(sound),
    )


def _plain(role: str, content: st.SearchStrategy[Any], odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return fields({"role": st.just(role), "content": content}, {"name": NAMES, **unknown_fields(odd)})


@st.composite
def _turn(draw: st.DrawFn, odd: bool, flat: bool) -> list[dict[str, Any]]:
    """A user's words and, often, calls with their results, answered in any order."""
    said = text(blank=odd)
    content = said | st.lists(_user_parts(odd), min_size=1, max_size=3)
    turn = [draw(_plain("user", content, odd))]
    ids = draw(st.lists(IDS, max_size=3, unique=True))
    if ids:
        turn.append(draw(fields({"role": st.just("assistant")}, {"content": st.none() | said})))
        turn[-1]["tool_calls"] = [draw(_call(id, odd, flat)) for id in ids]
        turn += [draw(_result(id, said, odd)) for id in draw(st.permutations(ids))]
    if draw(st.booleans()):
        answer = {"role": st.just("assistant"), "content": text(blank=False)}
        turn.append(draw(fields(answer, {"refusal": st.none(), "name": NAMES, **unknown_fields(odd)})))
    return turn


def _result(id: str, said: st.SearchStrategy[str], odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    listed = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)}), min_size=1, max_size=2)
    return fields({"role": st.just("tool"), "tool_call_id": st.just(id), "content": said | listed}, unknown_fields(odd))


def _call(id: str, odd: bool, flat: bool) -> st.SearchStrategy[dict[str, Any]]:
    called = {"name": NAMES, "arguments": arguments(broken=odd)}
    nested = st.fixed_dictionaries({"id": st.just(id), "type": st.just("function"), "function": st.fixed_dictionaries(called)})
    usual = st.fixed_dictionaries({"id": st.just(id), **called}) if flat else nested
    if not odd:
        return usual
    custom = st.fixed_dictionaries({"name": NAMES, "input": text()})
    extended = fields(
        {"id": st.just(id), "type": st.just("function"), "function": fields(called, {"x_unknown": json_values(max_leaves=2)})},
        unknown_fields(odd),
    )
    return usual | nested | extended | st.fixed_dictionaries({"id": st.just(id), "type": st.just("custom"), "custom": custom})


def wire_requests(*, odd: bool, flat: bool) -> st.SearchStrategy[dict[str, Any]]:
    no_parameters: dict[str, Any] = {"type": "object", "properties": {}}
    function = fields(
        {"name": NAMES},
        {"description": text(), "parameters": st.just(no_parameters), "strict": st.booleans()},
    )
    tools = st.lists(st.fixed_dictionaries({"type": st.just("function"), "function": function}), min_size=1, max_size=2)
    opening = st.lists(
        st.sampled_from(["system", "developer"]).flatmap(lambda role: _plain(role, text(blank=False), odd)), max_size=2
    )
    turns = st.lists(_turn(odd, flat), min_size=1, max_size=3).map(lambda found: [x for turn in found for x in turn])
    settings: dict[str, st.SearchStrategy[Any]] = {
        "model": NAMES,
        "tools": tools,
        "tool_choice": st.sampled_from(["auto", "none", "required"]),
        "parallel_tool_calls": st.booleans(),
        "max_completion_tokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 1, 0.5]),
        "stop": text(blank=False) | st.lists(text(blank=False), min_size=1, max_size=4),
        "reasoning_effort": st.sampled_from(["low", "high", "minimal"]),
        "user": NAMES,
        "seed": st.integers(0, 9) | (st.none() if odd else st.nothing()),
        **unknown_fields(odd),
    }
    return st.builds(_whole, opening, turns, fields({}, settings))


def _whole(opening: list[Any], turns: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [*opening, *turns], **settings}
