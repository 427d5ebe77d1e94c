"""Citations of Anthropic Messages: what each kind of location means, and what the API takes."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.formats.anthropic.strategies.requests import citations

DOCUMENT = {"cited_text": "a", "document_title": None, "document_index": 1}
SPAN = {"source_start": 2, "source_end": 5}
MEANT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "char_location": (
        {**DOCUMENT, "start_char_index": 2, "end_char_index": 5, "file_id": "f"},
        {"type": "document", "unit": "character", "document": 1, "file_id": "f", "issuer": "anthropic", **SPAN},
    ),
    "page_location": (
        {**DOCUMENT, "start_page_number": 2, "end_page_number": 5},
        {"type": "document", "unit": "page", "document": 1, **SPAN},
    ),
    "content_block_location": (
        {**DOCUMENT, "start_block_index": 2, "end_block_index": 5},
        {"type": "document", "unit": "block", "document": 1, **SPAN},
    ),
    "search_result_location": (
        {
            "cited_text": "a",
            "title": None,
            "search_result_index": 1,
            "start_block_index": 2,
            "end_block_index": 5,
            "source": "s",
        },
        {"type": "search_result", "result": 1, "source": "s", **SPAN},
    ),
    "web_search_result_location": (
        {"cited_text": "a", "title": None, "url": "https://a.example", "encrypted_index": "e"},
        {"type": "url", "url": "https://a.example"},
    ),
}


def text_of(*cited: Any) -> dict[str, Any]:
    return {"type": "text", "text": "Hi.", "citations": list(cited)}


def body(*cited: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": [text_of(*cited)]}]}


def dumped(part: dict[str, Any]) -> tuple[Any, set[tuple[str, str]]]:
    """The block that a part built by hand becomes, and its losses."""
    reported: list[il.Loss] = []
    built = il.validate([{"role": "user", "content": "q"}, {"role": "assistant", "content": [part]}])
    written = il.dump(built, "anthropic", on_loss=reported.append)["messages"]
    return written[1]["content"][0], {(loss.path.removeprefix("/1/content/0"), loss.kind) for loss in reported}


@pytest.mark.parametrize("kind", MEANT)
def test_each_kind_of_location_has_its_meaning(kind: str) -> None:
    wire, meant = MEANT[kind]
    part: Any = il.load(body({"type": kind, **wire}), "anthropic").messages[1].parts[0]
    [citation] = part.citations
    said = {key: value for key, value in citation.to_dict().items() if key != "provider_data"}
    assert said == {"cited_text": "a", **meant}


@given(st.lists(citations(answered=True, odd=True), max_size=3))
def test_citations_come_back_as_they_were(cited: list[dict[str, Any]]) -> None:
    payload = body(*cited)
    assert json.dumps(il.dump(il.load(payload, "anthropic"), "anthropic"), sort_keys=True) == json.dumps(
        payload, sort_keys=True
    )


@pytest.mark.parametrize("held", [None, [], "x", {"enabled": True}, ["x"]])
def test_what_is_no_list_of_citations_comes_back(held: Any) -> None:
    payload = body()
    payload["messages"][1]["content"][0]["citations"] = held
    assert il.dump(il.load(payload, "anthropic"), "anthropic") == payload


@pytest.mark.parametrize("kind", [kind for kind in MEANT if kind != "web_search_result_location"])
def test_a_citation_built_by_hand_is_sent(kind: str) -> None:
    wire, meant = MEANT[kind]
    block, losses = dumped(text_of({"cited_text": "a", **meant}))
    [written] = block["citations"]
    assert written == {"type": kind} | {key: value for key, value in wire.items() if key != "file_id"}
    assert losses == ({("/citations/0/file_id", "response_only")} if "file_id" in wire else set())


BUILT: list[tuple[dict[str, Any], str]] = [
    ({"type": "url", "url": "https://a.example", "cited_text": "a"}, "/citations/0"),  # without the encrypted index
    ({"type": "document", "document": 0, "cited_text": "a", **SPAN}, "/citations/0"),  # without a unit
    ({"type": "document", "unit": "page", "cited_text": "a", **SPAN}, "/citations/0"),
    ({"type": "search_result", "result": 0, "cited_text": "a", **SPAN}, "/citations/0"),
    ({"type": "opaque", "format": "openai", "value": {}}, "/citations/0"),
    # As one without its URL is read.
    ({"type": "opaque", "format": "anthropic", "value": {"type": "web_search_result_location"}}, "/citations/0"),
    ({**MEANT["page_location"][1], "cited_text": "a", "start": 1}, "/citations/0/start"),
    ({**MEANT["page_location"][1], "cited_text": "a", "provider_data": {"x": {"y": 1}}}, "/citations/0/provider_data/x/y"),
]


@pytest.mark.parametrize(("citation", "lost"), BUILT)
def test_what_the_api_does_not_take_is_dropped_and_reported(citation: dict[str, Any], lost: str) -> None:
    block, losses = dumped(text_of(citation))
    assert losses == {(lost, "dropped")}
    assert len(block.get("citations", ())) == (lost != "/citations/0")


def test_an_answer_in_the_next_request_has_no_field_of_answers_alone() -> None:
    wire = {"type": "char_location", **MEANT["char_location"][0]}
    answer = {"role": "assistant", "content": [text_of({**wire, "x": 1}, {"type": "novel", "file_id": "f", "y": 2})]}
    message = il.load_response({**answer, "stop_reason": "end_turn"}, "anthropic").message
    reported: list[il.Loss] = []
    sent = il.dump([message], "anthropic", on_loss=reported.append)["messages"][0]["content"][0]["citations"]
    assert sent == [{key: value for key, value in wire.items() if key != "file_id"}, {"type": "novel", "y": 2}]
    under = "/0/content/0/citations"
    assert {loss.path for loss in reported} == {
        f"{under}/0/file_id",
        f"{under}/0/provider_data/anthropic/x",
        f"{under}/1/value/file_id",
    }
    assert {loss.kind for loss in reported} == {"response_only"}


@pytest.mark.parametrize(("file", "place"), [("f", ""), (None, "/provider_data/anthropic")])
def test_the_loss_of_a_file_points_where_the_citation_has_it(file: str | None, place: str) -> None:
    request = il.load(body({"type": "char_location", **MEANT["char_location"][0], "file_id": file}), "anthropic_vertex")
    losses: list[il.Loss] = []
    il.dump(request, "anthropic", on_loss=losses.append)
    assert [loss.path for loss in losses] == [f"/messages/1/content/0/citations/0{place}/file_id"]


def test_a_loss_elsewhere_points_at_the_citations() -> None:
    conversion = il.convert(
        body({"type": "page_location", **MEANT["page_location"][0]}), source="anthropic", target="verifiers"
    )
    assert [(loss.path, loss.kind) for loss in conversion.losses] == [("/messages/1/content/0/citations", "dropped")]


def test_citations_of_another_provider_that_come_late_are_written_or_reported() -> None:
    page = {**MEANT["page_location"][1], "cited_text": "a"}
    cited = [[page], [{"type": "url", "url": "https://a.example"}, page]]
    events: list[il.Event] = [il.MessageStart(origin="gemini", spelling="blocks"), il.TextDelta(index=0, text="Hi.")]
    events += [il.Update(of="part", index=0, data={"citations": each}) for each in cited]
    events += [il.PartStop(index=0), il.Stop(stop_reason="stop"), il.StreamEnd()]
    writer, reader = il.writer("anthropic"), il.reader("anthropic")
    for event in events:
        for chunk in writer.feed(event):
            reader.feed(chunk)
    part: Any = reader.response.message.parts[0]
    assert [citation.get("unit") for citation in part.citations] == ["page", None, "page"]
    assert [(loss.kind, loss.path) for loss in writer.losses] == [("changed", "/choices/0/message/content/0/citations/1")]
