"""Cache marks with fields that only one provider has: the mark is carried, and the field alone is lost."""

from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook.documents import resolve

SCOPED = {"type": "ephemeral", "ttl": "1h", "scope": "global"}  # as Claude Code sends it
EXPLICIT = {"mode": "explicit", "ttl": "30m", "other": 1}
FIELDS = {
    "anthropic": ("cache_control", SCOPED, "scope"),
    "litellm": ("cache_control", SCOPED, "scope"),
    "openrouter": ("cache_control", SCOPED, "scope"),
    "openai_chat": ("prompt_cache_breakpoint", EXPLICIT, "other"),
    "openai_responses": ("prompt_cache_breakpoint", EXPLICIT, "other"),
}
MARKS: dict[str, Any] = {
    "anthropic": {"cache_control": {"type": "ephemeral"}},
    "anthropic_bedrock": {"cache_control": {"type": "ephemeral"}},
    "anthropic_vertex": {"cache_control": {"type": "ephemeral"}},
    "litellm": {"cache_control": {"type": "ephemeral"}},
    "openrouter": {"cache_control": {"type": "ephemeral"}},
    "openai_chat": {"prompt_cache_breakpoint": {"mode": "explicit"}},
    "openai_responses": {"prompt_cache_breakpoint": {"mode": "explicit"}},
    "bedrock_converse": {"cachePoint": {"type": "default"}},
}


def body(source: str) -> dict[str, Any]:
    field, mark, _ = FIELDS[source]
    kind = "input_text" if source == "openai_responses" else "text"
    marked = [{"type": kind, "text": "a"}, {"type": kind, "text": "b", field: mark}]
    return {"input" if source == "openai_responses" else "messages": [{"role": "user", "content": marked}]}


@pytest.mark.parametrize("target", MARKS)
@pytest.mark.parametrize("source", FIELDS)
def test_the_mark_is_carried_and_its_other_field_is_lost(source: str, target: str) -> None:
    field, _, other = FIELDS[source]
    wire = body(source)
    found = il.convert(wire, source=il.format_of(source), target=il.format_of(target))
    if source == target:
        assert (found.payload, found.losses) == (wire, ())
        return
    [message] = found.payload["input" if target == "openai_responses" else "messages"]
    last = message["content"][-1]
    [(key, mark)] = MARKS[target].items()
    assert {name: last[key][name] for name in mark} == mark
    assert other not in last[key]
    listed = "input" if "input" in wire else "messages"
    assert [loss.path for loss in found.losses if other in loss.path] == [f"/{listed}/0/content/1/{field}/{other}"]


@pytest.mark.parametrize("target", ["anthropic_bedrock", "anthropic_vertex"])
def test_a_scope_is_lost_wherever_a_mark_may_be(target: il.FormatName) -> None:
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "r", "cache_control": SCOPED}]}
    wire: dict[str, Any] = {
        "system": [{"type": "text", "text": "S", "cache_control": SCOPED}],
        "tools": [{"name": "f", "input_schema": {"type": "object"}, "cache_control": SCOPED}],
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"scope": "mine"}}]},
            {"role": "user", "content": [{**result, "cache_control": SCOPED}]},
        ],
    }
    found = il.convert(wire, source="anthropic", target=target)
    kept = {"type": "ephemeral", "ttl": "1h"}
    assert [found.payload[key][0]["cache_control"] for key in ("system", "tools")] == [kept, kept]
    [block] = found.payload["messages"][2]["content"]
    assert (block["cache_control"], block["content"][0]["cache_control"]) == (kept, kept)
    assert found.payload["messages"][1]["content"][0]["input"] == {"scope": "mine"}
    assert _of_request(wire, target) == ["global"] * 4
    places = ("/system/0", "/tools/0", "/messages/2/content/0", "/messages/2/content/0/content/0")
    assert {(loss.kind, loss.path) for loss in found.losses} == {("dropped", f"{at}/cache_control/scope") for at in places}
    assert "cache-mark-refused" not in {problem.code for problem in il.check(found.payload, target)}


def _of_request(wire: Any, target: il.FormatName) -> list[Any]:
    """What the losses of a dump of the request name as scopes."""
    request = il.load(wire, "anthropic")
    losses: list[il.Loss] = []
    il.dump(request, target, on_loss=losses.append)
    return [resolve(request.to_dict(), loss.path) for loss in losses if loss.path.endswith("/scope")]


def scoped(**fields: Any) -> dict[str, Any]:
    """A block or tool whose mark has a scope."""
    return fields | {"cache_control": {"type": "ephemeral", "scope": "global"}}


TIMELESS = {"type": "ephemeral", "ttl": None, "scope": "global"}
WHOLE: dict[str, tuple[str, dict[str, Any]]] = {
    "a server tool": ("tools", scoped(type="bash_20250124", name="bash")),
    "a tool with a mark kept whole": (
        "tools",
        {
            "name": "f",
            "input_schema": {"type": "object"},
            "cache_control": {"type": "ephemeral", "ttl": None, "scope": "global"},
        },
    ),
    "a text with a mark kept whole": (
        "user",
        {"type": "text", "text": "a", "cache_control": TIMELESS},
    ),
    "a search result": ("user", scoped(type="search_result", source="s", title="t", content=[scoped(type="text", text="a")])),
    "a document of blocks": (
        "user",
        {"type": "document", "source": {"type": "content", "content": [scoped(type="text", text="a")]}},
    ),
    "an unknown block": ("user", scoped(type="new_block")),
    "a server's call": ("assistant", scoped(type="server_tool_use", id="srvtoolu_1", name="web_search", input={"query": "q"})),
    "system text": ("system", {"type": "text", "text": "a", "cache_control": TIMELESS}),
}


@pytest.mark.parametrize("case", WHOLE)
@pytest.mark.parametrize("target", ["anthropic_bedrock", "anthropic_vertex"])
def test_a_scope_is_lost_in_what_is_kept_whole(case: str, target: il.FormatName) -> None:
    place, marked = WHOLE[case]
    wire: dict[str, Any] = {"max_tokens": 9, "messages": [{"role": "user", "content": "a"}]}
    if place in ("tools", "system"):
        wire[place] = [marked]
    else:
        wire["messages"].append({"role": place, "content": [marked, {"type": "text", "text": "b"}]})
    assert il.dump(il.load(wire, "anthropic"), "anthropic") == wire
    made = il.convert(wire, source="anthropic", target=target)
    assert "scope" not in str(made.payload)
    assert [problem for problem in il.check(made.payload, target) if problem.code == "cache-mark-refused"] == []
    lost = [loss for loss in made.losses if loss.path.endswith("/cache_control/scope")]
    assert len(lost) == str(wire).count("'scope'")
    assert {loss.kind for loss in lost} == {"dropped"}
    assert _of_request(wire, target) == ["global"] * len(lost)
    own = made.payload | {"messages": wire["messages"]} | {key: wire[key] for key in ("tools", "system") if key in wire}
    assert il.dump(il.load(own, target), target) == own  # its own request comes back as it was


def test_the_mark_of_a_request_counts_among_the_four() -> None:
    marked = [{"type": "text", "text": str(i), "cache_control": {"type": "ephemeral"}} for i in range(4)]
    messages = [{"role": "user", "content": [*marked, {"type": "text", "text": "last"}]}]
    wire = {"model": "m", "max_tokens": 9, "messages": messages, "cache_control": {"type": "ephemeral"}}
    found = il.convert(wire, source="openrouter", target="anthropic")
    assert [loss.path for loss in found.losses] == ["/messages/0/content/0/cache_control"]
    assert il.check(found.payload, "anthropic") == []


@pytest.mark.parametrize("value", ["x", 5, [], {"ttl": ["q"]}, {"type": "ephemeral", "ttl": "1h"}])
def test_a_mark_of_the_request_may_be_anything(value: Any) -> None:
    message = il.UserMessage(content=[il.TextPart(text="a", cache_control=il.CacheControl())])
    request = il.Request(messages=[message], provider_data={"anthropic": {"cache_control": value}})
    for target in il.FORMATS:
        il.dump(request, il.format_of(target), on_loss="ignore")


@pytest.mark.parametrize(
    ("model", "takes"),
    [
        ("gpt-4o-mini", False),
        ("gpt-4.1", False),
        ("gpt-5", False),
        ("gpt-5.5-2026-04-23", False),
        ("ft:gpt-4o-2024-08-06:org::id", False),
        ("chatgpt-4o-latest", False),
        ("o4-mini", False),
        ("gpt-5.6", True),
        ("gpt-5.6-terra", True),
        ("gpt-6", True),
        ("gpt-oss-120b", True),
        ("claude-x", True),
    ],
)
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_models_of_openai_before_cache_marks_get_none(target: il.FormatName, model: str, takes: bool) -> None:
    marked = [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]
    wire: dict[str, Any] = {"model": model, "max_tokens": 20, "messages": [{"role": "user", "content": marked}]}
    found = il.convert(wire, source="anthropic", target=target, check=True)
    [message] = found.payload["input" if target == "openai_responses" else "messages"]
    assert ("prompt_cache_breakpoint" in message["content"][-1]) is takes
    lost = [] if takes else [("dropped", "/messages/0/content/0/cache_control")]
    assert [(loss.kind, loss.path) for loss in found.losses] == lost
    assert found.problems == ()


CALLED: list[dict[str, Any]] = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
]
IN_PARTS = {"openai_chat": "prompt_cache_breakpoint", "openrouter": "cache_control"}


@pytest.mark.parametrize("content", ["r", [{"type": "text", "text": "q"}, {"type": "text", "text": "r"}]])
@pytest.mark.parametrize("target", IN_PARTS)
def test_the_mark_of_a_result_goes_on_its_last_part(target: il.FormatName, content: Any) -> None:
    result = {"type": "tool_result", "tool_use_id": "a", "content": content, "cache_control": {"type": "ephemeral"}}
    wire: dict[str, Any] = {"max_tokens": 20, "messages": [*CALLED, {"role": "user", "content": [result]}]}
    found = il.convert(wire, source="anthropic", target=target)
    parts = found.payload["messages"][2]["content"]
    last = len(parts) - 1
    assert (parts[last]["text"], IN_PARTS[target] in parts[last]) == ("r", True)
    here = f"/messages/2/content/{last}"
    where = "/messages/2/content/0/content" + (f"/{last}" if isinstance(content, list) else "")
    assert [(loss.kind, loss.path, loss.at) for loss in found.losses] == [
        ("moved", "/messages/2/content/0/cache_control", f"{here}/{IN_PARTS[target]}"),
        ("changed", where, here),
    ]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="nothing"),
        pytest.param([{"type": "text", "text": "r", "cache_control": {"type": "ephemeral"}}], id="a part with a mark"),
    ],
)
def test_the_mark_of_a_result_is_lost_if_no_part_can_have_it(content: Any) -> None:
    result = {"type": "tool_result", "tool_use_id": "a", "content": content, "cache_control": {"type": "ephemeral"}}
    wire: dict[str, Any] = {"max_tokens": 20, "messages": [*CALLED, {"role": "user", "content": [result]}]}
    found = il.convert(wire, source="anthropic", target="openai_chat")
    assert ("dropped", "/messages/2/content/0/cache_control") in [(loss.kind, loss.path) for loss in found.losses]


@pytest.mark.parametrize("target", IN_PARTS)
@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_the_mark_of_a_message_goes_on_its_last_part(target: il.FormatName, role: str) -> None:
    marked = {"role": role, "content": "a", "cache_control": {"type": "ephemeral"}}
    found = il.convert({"messages": [marked, {"role": "user", "content": "b"}]}, source="litellm", target=target)
    assert [IN_PARTS[target] in part for part in found.payload["messages"][0]["content"]] == [True]
    assert [(loss.kind, loss.path) for loss in found.losses] == [
        ("moved", "/messages/0/cache_control"),
        ("changed", "/messages/0/content"),
    ]
    assert il.load(found.payload, target).messages[0].text == "a"


def test_a_model_that_refuses_marks_gets_none_from_a_message() -> None:
    marked = {"role": "user", "content": "a", "cache_control": {"type": "ephemeral"}}
    found = il.convert({"model": "gpt-4.1", "messages": [marked]}, source="litellm", target="openai_chat")
    assert found.payload["messages"] == [{"role": "user", "content": "a"}]
    assert [(loss.kind, loss.path) for loss in found.losses] == [("dropped", "/messages/0/cache_control")]


POINT = {"cachePoint": {"type": "default"}}


def test_a_part_that_is_changed_and_gets_the_mark_of_its_message_is_reported_once() -> None:
    report = {"document": {"name": "Report", "format": "txt", "source": {"bytes": "YQ=="}}}
    messages: list[Any] = [
        {"role": "user", "content": [{"text": "a"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "call_0", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "call_0", "content": [report]}}, POINT]},
    ]
    found = il.convert({"messages": messages}, source="bedrock_converse", target="openai_chat")
    assert found.payload["messages"][-1]["content"][-1]["prompt_cache_breakpoint"] == {"mode": "explicit"}
    at = "/messages/2/content/0/toolResult/content/0"
    assert [loss.detail for loss in found.losses if loss.path == at] == [
        "openai_chat does not take this file: its text is sent"
    ]


def copilots() -> dict[str, Any]:
    mark = {"copilot_cache_control": {"type": "ephemeral"}}
    tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}, **mark}
    system = {"role": "system", "content": "S", **mark}
    return {"model": "claude-sonnet-4.5", "messages": [system, {"role": "user", "content": "Hi.", **mark}], "tools": [tool]}


def test_marks_of_github_copilot_reach_claude() -> None:
    converted = il.convert(copilots(), source="openai_chat", target="anthropic")
    assert {loss.kind for loss in converted.losses} == {"moved", "changed"}
    made: Any = converted.payload
    mark = {"type": "ephemeral"}
    assert made["system"] == [{"type": "text", "text": "S", "cache_control": mark}]
    assert made["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Hi.", "cache_control": mark}]}]
    assert made["tools"][0]["cache_control"] == mark


def test_marks_of_github_copilot_come_back_and_are_reported_where_a_host_takes_none() -> None:
    assert il.dump(il.load(copilots(), "openai_chat"), "openai_chat", on_loss="raise") == copilots()
    made = il.convert(copilots(), source="openai_chat", target="deepseek")
    assert "copilot_cache_control" not in str(made.payload)
    marks = ["/messages/0/copilot_cache_control", "/messages/1/copilot_cache_control", "/tools/0/copilot_cache_control"]
    assert [loss.path for loss in made.losses if "cache" in loss.path] == marks
