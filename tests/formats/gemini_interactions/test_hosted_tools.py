"""Tools that Google runs go from one of its APIs to the other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

import interlingua as il

BODIES: dict[str, dict[str, Any]] = {
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "a"}]}]},
    "google_genai": {"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}]},
    "gemini_interactions": {"input": "a"},
}
STORE = {"fileSearchStoreNames": ["fileSearchStores/s"], "topK": 3, "metadataFilter": "a = 1"}
SAME_STORE = {"file_search_store_names": ["fileSearchStores/s"], "top_k": 3, "metadata_filter": "a = 1"}


class Case(NamedTuple):
    source: il.FormatName
    tools: list[dict[str, Any]]
    target: il.FormatName
    sent: list[dict[str, Any]]
    lost: Sequence[tuple[str, str]] = ()
    back: bool = True
    """Whether the way back gives the same tools."""


CASES = {
    "each by itself": Case(
        "gemini",
        [{"codeExecution": {}}, {"urlContext": {}}, {"fileSearch": STORE}, {"googleMaps": {"enableWidget": True}}],
        "gemini_interactions",
        [
            {"type": "code_execution"},
            {"type": "url_context"},
            {"type": "file_search", **SAME_STORE},
            {"type": "google_maps", "enable_widget": True},
        ],
    ),
    "several in one object": Case(
        "gemini",
        [{"url_context": {}, "google_search": {"timeRangeFilter": {"startTime": "t"}}, "retrieval": {}}],
        "gemini_interactions",
        [{"type": "url_context"}, {"type": "google_search"}],
        [("dropped", "/tools/0/google_search/timeRangeFilter"), ("dropped", "/tools/0/retrieval")],
        back=False,
    ),
    "beside a function": Case(
        "gemini",
        [{"codeExecution": {}, "functionDeclarations": [{"name": "f"}]}],
        "gemini_interactions",
        [{"type": "function", "name": "f"}, {"type": "code_execution"}],
        back=False,
    ),
    "beside a function, where many models refuse it": Case(
        "gemini_interactions",
        [{"type": "code_execution"}, {"type": "function", "name": "f"}],
        "gemini",
        [{"functionDeclarations": [{"name": "f"}]}],
        [("dropped", "/tools/0")],
        back=False,
    ),
    "a field that one API has": Case(
        "gemini_interactions",
        [{"type": "google_maps", "latitude": 1.5, "enable_widget": True}],
        "gemini",
        [{"googleMaps": {"enableWidget": True}}],
        [("dropped", "/tools/0/latitude")],
        back=False,
    ),
    "a tool that one API has": Case(
        "gemini_interactions",
        [{"type": "mcp_server", "name": "a"}, {"type": "url_context"}],
        "gemini",
        [{"urlContext": {}}],
        [("dropped", "/tools/0")],
        back=False,
    ),
    "the SDK's spelling": Case("gemini_interactions", [{"type": "code_execution"}], "google_genai", [{"code_execution": {}}]),
    "another provider": Case("gemini", [{"codeExecution": {}}], "openai_chat", [], [("dropped", "/tools/0")], back=False),
}


def tools_of(payload: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (payload.get("config") or payload).get("tools") or []
    return found


def place_of(tool: dict[str, Any], payload: dict[str, Any]) -> str:
    """Where the tools are, if this one became that of the other API; empty for a function, which both have."""
    is_function = tool.get("type") == "function" or "functionDeclarations" in tool
    return "" if is_function else "/config/tools" if "config" in payload else "/tools"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_tool_that_both_apis_have_is_carried(case: Case) -> None:
    result = il.convert(BODIES[case.source] | {"tools": case.tools}, source=case.source, target=case.target)
    assert tools_of(result.payload) == case.sent
    assert sorted((loss.kind, loss.path) for loss in result.losses if loss.kind == "dropped") == [*case.lost]
    assert [loss.at for loss in result.losses if loss.kind == "changed"] == [
        f"{place}/{i}" for i, tool in enumerate(case.sent) if (place := place_of(tool, result.payload))
    ]
    if case.back:
        back = il.convert(result.payload, source=case.target, target=case.source)
        assert tools_of(back.payload) == case.tools
        assert {loss.kind for loss in back.losses} == {"changed"}


def test_a_tool_in_two_spellings_is_one() -> None:
    contents = [{"role": "user", "parts": [{"text": "Hi."}]}]
    spelled: dict[str, Any] = {"code_execution": {}, "codeExecution": {}}
    body: Any = {"contents": contents, "tools": [spelled]}
    made = il.convert(body, source="gemini", target="gemini_interactions")
    assert made.payload.get("tools") == [{"type": "code_execution"}]
    assert [(loss.kind, loss.path) for loss in made.losses] == [
        ("dropped", "/tools/0/codeExecution"),
        ("changed", "/tools/0"),
    ]
    assert il.dump(il.load(body, "gemini"), "gemini", on_loss="raise") == body
