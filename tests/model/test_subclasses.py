"""Users' subclasses of models: what they add is never lost silently where one of our own models or payloads is made of them."""

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import interlingua as il


class Tagged(il.UserMessage, frozen=True):
    tags: str = ""


class Scored(il.AssistantMessage, frozen=True):
    score: float


class ScoredCall(il.ToolCall, frozen=True):
    score: float


class ScoredText(il.TextPart, frozen=True):
    score: float


class Traced(il.Request, frozen=True):
    trace: str


class Filed(il.Conversation, frozen=True):
    folder: str


class Billed(il.Response, frozen=True):
    price: float


class OwnTool(il.Tool, frozen=True):
    timeout: int


class Shouting(il.UserMessage, frozen=True):
    def shout(self) -> str:
        return self.text.upper()


class Envelope(BaseModel):
    message: il.Message


TAGGED = Tagged(content="a", tags="x")
LOSING: list[tuple[str, Callable[[], Any]]] = [
    ("/0/tags", lambda: il.dump([TAGGED], "anthropic")),
    ("/1/tags", lambda: il.dump([il.SystemMessage(content="s"), TAGGED], "openai_chat")),
    ("/0/score", lambda: il.dump([Scored(content="a", score=1.0)], "anthropic")),
    ("/0/content/0/score", lambda: il.dump([il.UserMessage(content=[ScoredText(text="a", score=1.0)])], "anthropic")),
    ("/trace", lambda: il.dump(Traced(messages=[], trace="t"), "anthropic")),
    ("/folder", lambda: il.dump(Filed(messages=[], folder="f"), "anthropic")),
    ("/price", lambda: il.dump_response(Billed(choices=[], price=1.0), "anthropic")),
    ("/0/tags", lambda: il.validate([TAGGED])),
    ("/messages/0/tags", lambda: il.validate({"messages": [TAGGED]}, il.Request)),
    ("/messages/0/tags", lambda: il.Request(messages=[TAGGED])),
    ("/messages/0/tags", lambda: il.Request(messages=[]).replace(messages=[TAGGED])),
    ("/messages/0/tags", lambda: il.Conversation(messages=[TAGGED])),
    ("/tools/0/timeout", lambda: il.Conversation(messages=[], tools=[OwnTool(name="f", timeout=1)])),
    ("/choices/0/message/score", lambda: il.Response(choices=[il.Choice(message=Scored(content="a", score=1.0))])),
    ("/tool_calls/0/score", lambda: il.AssistantMessage(tool_calls=[ScoredCall(name="f", arguments="{}", score=1.0)])),
    ("/content/0/score", lambda: il.UserMessage(content=[ScoredText(text="a", score=1.0)])),
    ("/tags", lambda: il.ChatMessageBuilder().append(TAGGED)),
    ("/tags", lambda: il.ChatMessageBuilder().append_openai_message(TAGGED)),
    ("/tags", lambda: TAGGED.dump_as("anthropic")),
    ("/score", lambda: Scored(content="a", score=1.0).to_flat()),
    ("/score", lambda: Scored(content="a", score=1.0).to_blocks()),
    ("/tags", lambda: Tagged(content=[il.ToolResultPart(tool_use_id="1", content="a")], tags="x").to_flat()),
]


@pytest.mark.parametrize(("path", "losing"), LOSING, ids=[f"{i}-{path}" for i, (path, _) in enumerate(LOSING)])
def test_a_field_of_a_subclass_is_an_error_where_it_would_be_lost(path: str, losing: Callable[[], Any]) -> None:
    with pytest.raises((il.InvalidPayload, ValidationError)) as caught:
        losing()
    # That part of a path which belongs to the constructor's own call is not ours to judge.
    (entry,) = il.error_body(caught.value)["errors"]
    assert path.endswith(entry["path"])
    assert entry["path"].rpartition("/")[2] == path.rpartition("/")[2]


def test_a_field_of_a_subclass_is_an_error_in_a_model_of_the_users() -> None:
    with pytest.raises(ValidationError, match="tags"):
        Envelope(message=TAGGED)


def test_a_subclass_is_whole_where_nothing_is_lost() -> None:
    for value in (TAGGED, copy.deepcopy(TAGGED), pickle.loads(pickle.dumps(TAGGED))):  # noqa: S301 -- our own data
        assert value.to_dict() == {"tags": "x", "role": "user", "content": "a"}
    assert il.validate(TAGGED.to_dict(), Tagged) == TAGGED
    assert TAGGED.replace(content="b").to_dict()["tags"] == "x"
    assert TAGGED.to_blocks()["content"] == [{"type": "text", "text": "a"}]
    assert TAGGED.to_blocks().to_dict()["tags"] == "x"


def test_a_message_in_a_users_dump_is_itself_where_its_subclass_adds_no_field() -> None:
    shouting = Shouting(content="a")
    assert shouting.shout() == "A"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert il.dump([shouting], "anthropic") == il.dump([il.UserMessage(content="a")], "anthropic")
        assert il.Conversation(messages=[shouting]).messages[0].to_dict() == shouting.to_dict()
        assert il.Conversation(messages=[shouting]).messages[0].model_fields_set == {"role", "content"}
