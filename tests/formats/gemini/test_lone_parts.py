"""Parts and lists of parts among the contents of a google-genai call, which the client puts into messages."""

from typing import Any

import pytest
from google.genai import _transformers, types

import interlingua as il

CALLS: list[Any] = [{"function_call": {"name": name, "args": {}}} for name in ("f", "g")]
ANSWERS: list[Any] = [{"function_response": {"name": name, "response": {"output": name}}} for name in ("f", "g")]
IMAGE: dict[str, Any] = {"inline_data": {"mime_type": "image/png", "data": "aW1n"}}
FILE = {"file_uri": "https://example.com/a.png", "mime_type": "image/png"}
ANSWER: dict[str, Any] = {"role": "model", "parts": [{"text": "Yes."}]}
LISTS: dict[str, list[Any]] = {
    "texts": ["a", "b"],
    "text and image": ["What is this?", IMAGE],
    "text spelled twice": ["a", {"text": "b"}, "c"],
    "parallel calls": ["Go.", *CALLS, *ANSWERS],
    "calls first": [*CALLS, *ANSWERS, "And?"],
    "file": ["What is this?", FILE],
    "lists": [["a", IMAGE, FILE], ["b"], "c", "d", ["e"]],
    "call in a list": [["a", *CALLS]],
    "list after parts": ["a", {"text": "b"}, ["c"]],
    "parts after messages": [{"role": "user", "parts": [{"text": "Hi."}]}, ANSWER, "Why?", IMAGE],
    "text alone": ["a"],
}


transformers: Any = _transformers


def sent(contents: list[Any]) -> list[tuple[str, list[Any]]]:
    """The messages that the client makes of contents, with their parts."""
    made: list[Any] = [each if isinstance(each, dict) else each.model_dump() for each in transformers.t_contents(contents)]
    return [(content["role"], [_part(part) for part in content["parts"]]) for content in made]


def _part(part: Any) -> Any:
    """The text or the name of a part, or its kind."""
    kept: dict[str, Any] = {key: value for key, value in part.items() if value is not None}
    [(kind, value), *_] = kept.items()
    return value if kind == "text" else value["name"] if kind.startswith("function") else kind


@pytest.mark.parametrize("contents", LISTS.values(), ids=LISTS)
def test_lone_parts_become_the_messages_that_the_client_makes(contents: list[Any]) -> None:
    call = {"model": "m", "contents": contents}
    request = il.load(call, "google_genai")
    assert il.dump(request, "google_genai", on_loss="raise") == call
    body = il.convert(call, source="google_genai", target="gemini")
    assert [(content["role"], [_part(part) for part in content["parts"]]) for content in body.payload["contents"]] == sent(
        contents
    )
    assert il.validate([message.to_dict() for message in request.messages]) == [*request.messages]
    if contents not in ([["a", *CALLS]], [*CALLS, *ANSWERS, "And?"]):
        assert il.check(call, "google_genai") == []


@pytest.mark.parametrize("contents", [[[]], [{"functionCall": {"args": None}, "functionResponse": {}}], [[{"x": 1}], "a"]])
def test_odd_lone_parts_stay_as_they_are(contents: list[Any]) -> None:
    call = {"contents": contents}
    assert il.dump(il.load(call, "google_genai"), "google_genai", on_loss="raise") == call


def test_a_message_among_the_parts_of_another_is_called_that() -> None:
    call = {"model": "m", "contents": [["a", ANSWER]]}
    [loss] = il.convert(call, source="google_genai", target="openai_chat").losses
    assert (loss.path, loss.detail) == (
        "/contents/0/1",
        "a message must stand by itself, and not among the parts of another message",
    )


def test_places_and_losses_lead_to_the_lone_parts() -> None:
    call: dict[str, Any] = {"model": "m", "contents": ["Go.", *CALLS, *ANSWERS, ["a", IMAGE | {"x": 1}]]}
    own = il.convert(call, source="google_genai", target="google_genai")
    assert own.payload == call
    assert {at: path for at, path in own.places.items() if at != path} == {}
    assert own.places.keys() >= {"/contents/0", "/contents/1", "/contents/2", "/contents/4", "/contents/5", "/contents/5/1"}
    chat = il.convert(call, source="google_genai", target="openai_chat")
    assert chat.places["/messages/1/tool_calls/1"] == "/contents/2"
    assert chat.places["/messages/3"] == "/contents/4"
    assert chat.places["/messages/4/content/1"] == "/contents/5/1"
    assert "/contents/5/1/x" in {loss.path for loss in chat.losses}
    assert [message["role"] for message in chat.payload["messages"]] == ["user", "assistant", "tool", "tool", "user"]
    with pytest.raises(il.InvalidPayload) as caught:
        il.load({"model": "m", "contents": ["a", ["b", {"text": 5}]]}, "google_genai")
    assert [fault.path for fault in caught.value.faults] == ["/contents/1/1/text"]


def test_a_part_alone_may_get_more_parts() -> None:
    request = il.load({"model": "m", "contents": IMAGE}, "google_genai")
    message: Any = request.messages[0]
    longer = request.replace(messages=(message.replace(content=(*message.content, {"type": "text", "text": "Hi."})),))
    assert il.dump(longer, "google_genai")["contents"] == [IMAGE, {"text": "Hi."}]


@pytest.mark.parametrize("first", ["Hi.", IMAGE])
def test_lone_parts_become_messages_where_a_message_follows(first: Any) -> None:
    # The client sends a message before the lone parts that stand in front of it.
    contents: list[Any] = [first]
    request = il.load({"model": "m", "contents": contents}, "google_genai")
    answer = il.load_response({"candidates": [{"content": ANSWER}]}, "gemini").choices[0].message
    grown = il.dump([*request.messages, answer], "google_genai", on_loss="ignore")["contents"]
    assert grown[1:] == [ANSWER]
    more = il.dump(request.replace(messages=(*request.messages, answer)), "google_genai", on_loss="ignore")["contents"]
    assert sent(more) == [("user", [_part(first) if type(first) is dict else first]), ("model", ["Yes."])]
    mixed: dict[str, Any] = {"model": "m", "contents": [*contents, ANSWER]}
    assert il.dump(il.load(mixed, "google_genai"), "google_genai", on_loss="raise") == mixed


def test_an_edited_answer_does_not_become_the_users() -> None:
    request = il.load({"model": "m", "contents": ["Go.", *CALLS]}, "google_genai")
    asked: Any = request.messages[0]
    called: Any = request.messages[1]
    edited = request.replace(messages=(asked, called.replace(content=({"type": "text", "text": "No."}, *called.content))))
    assert sent(il.dump(edited, "google_genai", on_loss="ignore")["contents"]) == [
        ("user", ["Go."]),
        ("model", ["No.", "f", "g"]),
    ]
    without = request.replace(messages=(asked, called, asked, asked))
    written = il.dump(without, "google_genai", on_loss="ignore")["contents"]
    assert [role for role, _ in sent(written)] == ["user", "model", "user", "user"]


UPLOADED = types.File(
    name="files/a", uri="https://generativelanguage.googleapis.com/v1beta/files/a", mime_type="application/pdf", size_bytes=3
)


@pytest.mark.parametrize("contents", [UPLOADED, [UPLOADED], ["Read this.", UPLOADED], [["Read this.", UPLOADED]]])
def test_an_uploaded_file_is_sent_by_its_address(contents: Any) -> None:
    call = {"model": "m", "contents": contents}
    body: Any = il.convert(call, source="google_genai", target="gemini")
    assert body.losses == ()
    listed: list[Any] = [contents] if contents is UPLOADED else contents
    by_client = transformers.t_contents(listed)[0].parts[-1].model_dump(by_alias=True, exclude_none=True)
    assert body.payload["contents"][0]["parts"][-1] == by_client
    # The client refuses the same object as a dict, so it gets the part.
    again: Any = il.dump(il.load(call, "google_genai"), "google_genai", on_loss="raise")
    assert sent(again["contents"] if isinstance(again["contents"], list) else [again["contents"]]) == sent(listed)


def test_a_loss_of_an_uploaded_file_leads_to_it() -> None:
    losses = il.convert({"model": "m", "contents": ["Read this.", UPLOADED]}, source="google_genai", target="ollama").losses
    assert {loss.path for loss in losses if loss.path.startswith("/contents")} == {"/contents/1"}
