"""Citations in blocks of their own behind a text, as Nova writes them when it searches the web."""

from functools import partial
from typing import Any

import pytest

import interlingua as il
from laws.steps import steps


def _cited(*names: str) -> dict[str, Any]:
    return {"citationsContent": {"citations": [{"location": {"web": {"url": f"https://{name}.test"}}} for name in names]}}


CONTENT: list[dict[str, Any]] = [{"text": "Rain"}, _cited("a"), _cited("b", "c"), {"text": ", then sun."}, _cited("d")]
URLS = [["https://a.test", "https://b.test", "https://c.test"], ["https://d.test"]]
BODY: dict[str, Any] = {"output": {"message": {"role": "assistant", "content": CONTENT}}, "stopReason": "end_turn"}
HOSTS: list[il.FormatName] = ["bedrock_converse", "bedrock_boto3", "bedrock_nova"]


MARK: dict[str, Any] = {"cachePoint": {"type": "default"}}
ASKED: dict[str, Any] = {"role": "user", "content": [{"text": "?"}]}


def _stream(content: list[dict[str, Any]] = CONTENT, first: int = 0) -> list[dict[str, Any]]:
    return [START, *_blocks(content, first), {"messageStop": {"stopReason": "end_turn"}}]


START: dict[str, Any] = {"messageStart": {"role": "assistant"}}


def _blocks(content: list[dict[str, Any]], first: int = 0) -> list[dict[str, Any]]:
    """The events of these blocks, of which the first one has this index."""
    chunks: list[dict[str, Any]] = []
    for i, block in enumerate(content, first):
        cited = [{"citation": one} for one in block.get("citationsContent", {}).get("citations", ())]
        deltas = cited or [block]
        chunks += [{"contentBlockDelta": {"contentBlockIndex": i, "delta": delta}} for delta in deltas]
        chunks.append({"contentBlockStop": {"contentBlockIndex": i}})
    return chunks


def _folded(chunks: Any, host: il.FormatName) -> il.Response:
    reader = il.reader(host)
    for chunk in chunks:
        list(reader.feed(chunk))
    reader.close()
    return reader.response


def _history(content: list[dict[str, Any]]) -> dict[str, Any]:
    return {"modelId": "m", "messages": [ASKED, {"role": "assistant", "content": content}, ASKED]}


def _many(count: int) -> list[dict[str, Any]]:
    return [{"text": "Rain"}, *[_cited(f"site{i}") for i in range(count)]]


def _urls(message: Any) -> list[list[str]]:
    return [[citation.url for citation in part.citations] for part in message.parts]


@pytest.mark.parametrize("host", HOSTS)
def test_they_are_those_of_the_text_before(host: il.FormatName) -> None:
    response = il.load_response(BODY, host)
    assert _urls(response.message) == URLS
    for target in HOSTS:
        assert il.dump_response(response, target, on_loss="raise") == BODY
    answer: Any = il.dump_response(response, "openai_chat", on_loss="ignore")
    annotations = answer["choices"][0]["message"]["annotations"]
    assert [one["url_citation"]["url"] for one in annotations] == [url for urls in URLS for url in urls]
    assert [one["url_citation"]["end_index"] for one in annotations] == [4, 4, 4, 15]


@pytest.mark.parametrize("host", HOSTS)
def test_a_stream_has_them_too(host: il.FormatName) -> None:
    assert _folded(_stream(), host).to_dict() == il.load_response(BODY, host).to_dict()
    for target in HOSTS:
        again = list(il.restream(_stream(), source=host, target=target, on_loss="raise"))
        assert again == _stream()
        assert il.dump_response(_folded(again, target), target, on_loss="raise") == BODY
    written: Any = list(il.restream(_stream(), source=host, target="openai_responses", on_loss="ignore"))
    added = [chunk["annotation"]["url"] for chunk in written if chunk["type"].endswith("annotation.added")]
    assert added == [url for urls in URLS for url in urls]


def test_losses_in_a_history_lead_to_their_blocks() -> None:
    body = _history(CONTENT)
    assert il.dump(il.load(body, "bedrock_converse"), "bedrock_converse", on_loss="raise") == body
    chat = il.convert(body, source="bedrock_converse", target="openai_chat")
    at = "/messages/1/content/{}/citationsContent/citations"
    assert [loss.path for loss in chat.losses] == [at.format(i) for i in (1, 2, 4)]
    items = il.convert(body, source="bedrock_converse", target="openai_responses")
    assert [loss.path for loss in items.losses] == [f"{at.format(i)}/{j}" for i, j in ((1, 0), (2, 0), (2, 1), (4, 0))]


@pytest.mark.parametrize(
    "content",
    [
        [_cited("a"), {"text": "Rain"}],
        [{"text": "Rain"}, MARK, _cited("a")],
        [{"text": "Rain"}, _cited("a"), MARK],
        [{"text": "Rain"}, _cited("a"), _cited("b", "c"), MARK, _cited("d"), MARK],
        [{"text": "Rain"}, _cited("a"), MARK, MARK],
        [{"text": "Rain", **MARK}, _cited("a"), MARK],
        [{"text": "Rain"}, {"citationsContent": {"citations": []}}],
        [{"text": "Rain"}, {"citationsContent": {"citations": [{"title": "t"}]}}, _cited("a")],
        [{"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}, _cited("a"), _cited("b")],
        [{"citationsContent": {**_cited("a")["citationsContent"], "content": [{"text": "Rain"}]}}, _cited("b")],
    ],
)
def test_all_content_comes_back(content: list[Any]) -> None:
    body = {"modelId": "m", "messages": [{"role": "assistant", "content": content}]}
    assert il.dump(il.load(body, "bedrock_converse"), "bedrock_converse", on_loss="raise") == body


def test_a_text_whose_citations_were_edited_has_them_itself() -> None:
    message: Any = il.load_response(BODY, "bedrock_converse").message
    text = message.content[0]
    edited = message.replace(content=[text.replace(citations=text.citations[:2]), *message.content[1:]])
    [written] = il.dump([edited], "bedrock_converse", on_loss="raise")["messages"]
    assert written["content"][0]["citationsContent"]["content"] == [{"text": "Rain"}]
    assert written["content"][1:] == CONTENT[3:]


def test_a_stream_has_them_behind_a_text_that_waits_for_an_open_call() -> None:
    call: dict[str, Any] = {"toolUse": {"toolUseId": "t", "name": "f"}}
    begun = {"contentBlockStart": {"contentBlockIndex": 0, "start": call}}
    ended = [
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{}"}}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
    ]
    blocks = _blocks(CONTENT, 1)
    whole: list[Any] = [{"toolUse": {**call["toolUse"], "input": {}}}, *CONTENT]
    for count in range(len(blocks) + 1):
        chunks = [START, begun, *blocks[:count], *ended, *blocks[count:], {"messageStop": {"stopReason": "end_turn"}}]
        assert _content(_folded(chunks, "bedrock_converse")) == whole
        again = il.restream(chunks, source="bedrock_converse", target="bedrock_converse", on_loss="raise")
        assert _content(_folded(again, "bedrock_converse")) == whole


def _content(response: il.Response) -> Any:
    body: Any = il.dump_response(response, "bedrock_converse", on_loss="raise")
    return body["output"]["message"]["content"]


@pytest.mark.parametrize("target", ["anthropic", "openai_responses", "bedrock_nova"])
def test_many_in_a_history_take_linear_time(target: il.FormatName) -> None:
    bodies = [_history(_many(count)) for count in (2, 50, 100, 200)]
    _, few, more, most = (steps(partial(il.convert, body, source="bedrock_converse", target=target)) for body in bodies)
    assert most - more < 2.15 * (more - few)


def test_many_in_a_stream_take_linear_time_and_space() -> None:
    def size(count: int) -> int:
        reader = il.reader("bedrock_converse")
        events: list[Any] = [event for chunk in _stream(_many(count)) for event in reader.feed(chunk)]
        return sum(len(event.model_dump_json()) for event in events)

    few, more, most = (size(count) for count in (200, 400, 800))
    assert most - more < 2.05 * (more - few)


def test_a_mark_behind_them_is_the_mark_of_the_text() -> None:
    body = _history([{"text": "Rain"}, _cited("a"), _cited("b"), MARK, {"text": "Sun"}, MARK, _cited("c")])
    request = il.load(body, "bedrock_converse")
    rain, sun, alone = request.messages[1].parts
    assert [part.cache_control is not None for part in (rain, sun, alone)] == [True, True, False]
    assert il.dump(request, "bedrock_converse", on_loss="raise") == body
    made = il.convert(body, source="bedrock_converse", target="anthropic")
    marked = {"type": "ephemeral"}
    assert [block.get("cache_control") for block in made.payload["messages"][1]["content"]] == [marked, marked]
    at = "/messages/1/content/{}"
    cited = "/citationsContent/citations/0"
    assert [loss.path for loss in made.losses if loss.kind == "dropped"] == [
        at.format(f"1{cited}"),
        at.format(f"2{cited}"),
        at.format(6),
    ]
    gemini = il.convert(body, source="bedrock_converse", target="gemini")
    assert {loss.path for loss in gemini.losses if "cachePoint" in loss.path} == {at.format(f"{i}/cachePoint") for i in (3, 5)}


def test_a_text_in_a_result_has_none_behind_it() -> None:
    text = il.load(_history(CONTENT), "bedrock_converse").messages[1].parts[0]
    result = {"toolResult": {"toolUseId": "t", "content": [{"text": "Rain"}]}}
    call: dict[str, Any] = {"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}
    body: dict[str, Any] = {
        "modelId": "m",
        "messages": [ASKED, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}],
    }
    request = il.load(body, "bedrock_converse")
    part: Any = request.messages[2].parts[0]
    message: Any = request.messages[2]
    edited = message.replace(content=[part.replace(content=[text])])
    written: Any = il.dump(request.replace(messages=[*request.messages[:2], edited]), "bedrock_converse", on_loss="ignore")
    [block] = written["messages"][2]["content"]
    assert len(block["toolResult"]["content"]) == 1
