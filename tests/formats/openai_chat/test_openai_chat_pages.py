"""Web pages that a response lists beside its choices, as Perplexity and xAI do."""

from typing import Any

import pytest

import interlingua as il

RUST, GO = "https://example.org/rust", "https://example.org/go"
RESULTS = [{"title": "Rust", "url": RUST, "date": None, "snippet": "..."}, {"title": "Go", "url": GO}]
LISTED: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "search results and their URLs": (
        {"citations": [RUST, GO], "search_results": RESULTS},
        [{"type": "url", "url": RUST, "title": "Rust"}, {"type": "url", "url": GO, "title": "Go"}],
    ),
    "URLs alone": ({"citations": [RUST, GO]}, [{"type": "url", "url": RUST}, {"type": "url", "url": GO}]),
    "search results alone": ({"search_results": RESULTS[:1]}, [{"type": "url", "url": RUST, "title": "Rust"}]),
    "an empty list beside results": (
        {"citations": [], "search_results": RESULTS[1:]},
        [{"type": "url", "url": GO, "title": "Go"}],
    ),
    "a result without a title": ({"search_results": [{"url": GO, "title": None}]}, [{"type": "url", "url": GO}]),
    "citations that are objects": ({"citations": [{"source": 1}], "search_results": RESULTS}, []),
    "results that are an object": ({"search_results": {"url": GO}}, []),
}


def answer(fields: dict[str, Any], **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": "Both are fast [1][2]."} | message
    choice = {"index": 0, "message": said, "finish_reason": "stop"}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **fields}


def chunks(fields: dict[str, Any], place: str) -> list[dict[str, Any]]:
    """The answer as a stream, with the fields in each chunk, or only in the last one, which has no choices."""
    made: list[dict[str, Any]] = []
    for delta, finish in (
        ({"role": "assistant", "content": "Both are fast"}, None),
        ({"content": " [1][2]."}, None),
        ({}, "stop"),
    ):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        made.append({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})
    if place == "everywhere":
        return [chunk | fields for chunk in made]
    return [*made, made[0] | {"choices": []} | fields]


def cited(response: il.Response) -> list[Any]:
    (part,) = response.message.parts
    assert isinstance(part, il.TextPart)
    assert part.text == "Both are fast [1][2]."
    return [citation.to_dict() for citation in part.citations or ()]


@pytest.mark.parametrize(("fields", "pages"), LISTED.values(), ids=list(LISTED))
def test_they_are_citations_of_the_text_and_go_back_as_they_came(fields: dict[str, Any], pages: list[Any]) -> None:
    body = answer(fields)
    response = il.load_response(body, "openai_chat")
    assert cited(response) == pages
    assert il.dump_response(response, "openai_chat", on_loss="raise") == body
    there = il.dump_response(response, "openai_responses", on_loss="ignore")["output"][0]["content"][0]
    assert [page["url"] for page in there["annotations"]] == [page["url"] for page in pages]


@pytest.mark.parametrize("place", ["everywhere", "last"])
@pytest.mark.parametrize(("fields", "pages"), LISTED.values(), ids=list(LISTED))
def test_they_are_citations_in_streams(fields: dict[str, Any], pages: list[Any], place: str) -> None:
    stream = chunks(fields, place)
    response = il.accumulate(il.reader("openai_chat").read(stream))
    assert cited(response) == pages
    assert response.message == il.load_response(answer(fields), "openai_chat").message
    written = il.restream(stream, source="openai_chat", target="openai_chat", on_loss="raise")
    assert il.accumulate(il.reader("openai_chat").read(list(written))) == response


def test_an_answer_with_annotations_keeps_them() -> None:
    page = {"type": "url_citation", "url_citation": {"url": GO, "title": "Go", "start_index": 0, "end_index": 4}}
    body = answer({"citations": [RUST]}, annotations=[page])
    response = il.load_response(body, "openrouter")
    assert [citation["url"] for citation in cited(response)] == [GO]
    assert il.dump_response(response, "openrouter", on_loss="raise") == body


@pytest.mark.parametrize("content", ["", None, [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], {"a": 1}])
def test_other_content_than_one_text_has_no_citations(content: Any) -> None:
    body = answer({"citations": [RUST]}, content=content)
    response = il.load_response(body, "openai_chat")
    assert "citations" not in str(response.message.to_dict())
    assert il.dump_response(response, "openai_chat", on_loss="raise") == body


def test_citations_that_were_edited_are_written() -> None:
    response = il.load_response(answer({"citations": [RUST]}), "openai_chat")
    part = il.TextPart(text="Both are fast [1][2].", citations=[{"type": "url", "url": GO}])
    edited = response.replace(choices=[response.choices[0].replace(message=response.message.replace(content=[part]))])
    message = il.dump_response(edited, "openai_chat", on_loss="ignore")["choices"][0]["message"]
    assert message["content"] == part.text
    assert [each["url_citation"]["url"] for each in message["annotations"]] == [GO]


def test_lists_of_pages_go_with_the_citations_that_were_removed() -> None:
    response = il.load_response(answer({"citations": [RUST], "search_results": RESULTS}), "openai_chat")
    edited = response.replace(choices=[response.choices[0].replace(message=response.message.replace(content="Both."))])
    lost: list[il.Loss] = []
    body = il.dump_response(edited, "openai_chat", on_loss=lost.append)
    assert "citations" not in str(body)
    assert {loss.path for loss in lost} == {"/provider_data/openai/citations", "/provider_data/openai/search_results"}


def test_only_the_first_of_several_answers_cites_them() -> None:
    body = answer({"citations": [RUST]})
    body["choices"].append(body["choices"][0] | {"index": 1})
    response = il.load_response(body, "openai_chat")
    assert ["citations" in str(choice.message.content) for choice in response.choices] == [True, False]
    assert il.dump_response(response, "openai_chat", on_loss="raise") == body


def test_an_answer_in_a_history_is_sent_as_its_text() -> None:
    response = il.load_response(answer({"citations": [RUST]}), "openai_chat")
    history = [il.UserMessage(content="Which is faster?"), response.message]
    lost: list[il.Loss] = []
    sent = il.dump(history, "openai_chat", on_loss=lost.append)["messages"][1]
    assert sent == {"role": "assistant", "content": "Both are fast [1][2]."}
    assert [(loss.kind, loss.path) for loss in lost] == [("response_only", "/1/content/0/citations")]


@pytest.mark.parametrize(
    "images", [[{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}], [], [{"type": "x"}]]
)
def test_an_answer_with_images_is_read_alike_in_a_stream(images: list[Any]) -> None:
    fields = {"citations": [RUST]}
    whole = il.load_response(answer(fields, images=images), "openrouter")
    stream = chunks(fields, "everywhere")
    stream[0]["choices"][0]["delta"]["images"] = images
    assert il.accumulate(il.reader("openrouter").read(stream)).message == whole.message


def test_speech_has_no_citations() -> None:
    audio = {"id": "a", "data": "ZGF0YQ==", "expires_at": 9, "transcript": "Both are fast."}
    fields = {"citations": [RUST]}
    whole = il.load_response(answer(fields, content=None, audio=audio), "openai_chat")
    assert "citations" not in str(whole.message.to_dict())
    stream = chunks(fields, "everywhere")
    for chunk in stream:
        chunk["choices"][0]["delta"].pop("content", None)
    stream[1]["choices"][0]["delta"]["audio"] = audio
    assert il.accumulate(il.reader("openai_chat").read(stream)).message.parts == whole.message.parts
