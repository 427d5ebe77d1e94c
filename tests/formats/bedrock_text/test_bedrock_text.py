"""Prompts for InvokeModel: the family follows from the model's id, else from the body; embeddings are refused."""

from typing import Any

import pytest

import interlingua as il

ASKED = il.Request(messages=[il.UserMessage(content="Hi.")], max_tokens=9, stop=["|"])
FAMILIES: dict[str, Any] = {
    "amazon.titan-text-lite-v1": {"inputText": "Hi.", "textGenerationConfig": {"maxTokenCount": 9, "stopSequences": ["|"]}},
    "us.meta.llama3-1-70b-instruct-v1:0": {"prompt": "Hi.", "max_gen_len": 9},
    "mistral.mistral-7b-instruct-v0:2": {"prompt": "Hi.", "max_tokens": 9, "stop": ["|"]},
    "cohere.command-text-v14": {"prompt": "Hi.", "max_tokens": 9, "stop_sequences": ["|"]},
    "cohere.command-r-v1:0": {"message": "Hi.", "max_tokens": 9, "stop_sequences": ["|"]},
    "ai21.j2-mid-v1": {"prompt": "Hi.", "maxTokens": 9, "stopSequences": ["|"]},
    "anthropic.claude-v2:1": {"prompt": "Hi.", "max_tokens_to_sample": 9, "stop_sequences": ["|"]},
    "arn:aws:bedrock:us-east-1::foundation-model/meta.llama2-13b-chat-v1": {"prompt": "Hi.", "max_gen_len": 9},
    "a-model": {"prompt": "Hi.", "max_gen_len": 9},
}


@pytest.mark.parametrize("model", FAMILIES)
def test_the_family_is_that_of_the_models_id(model: str) -> None:
    assert il.dump(ASKED.replace(model=model), "bedrock_text", on_loss="ignore") == FAMILIES[model]


def test_an_edit_of_the_model_is_an_edit_of_the_family() -> None:
    titan = il.load({"inputText": "Hi.", "textGenerationConfig": {"maxTokenCount": 9}}, "bedrock_text")
    llama = titan.replace(model="meta.llama2-13b-chat-v1")
    assert il.dump(llama, "bedrock_text", on_loss="raise") == {"prompt": "Hi.", "max_gen_len": 9}


@pytest.mark.parametrize("body", [{"inputText": "Hi.", "normalize": True}, {"texts": ["Hi."], "input_type": "search_query"}])
def test_an_embedding_has_no_conversation(body: dict[str, Any]) -> None:
    with pytest.raises(il.InvalidPayload, match="asks for an embedding or an image"):
        il.load(body, "bedrock_text")


@pytest.mark.parametrize("model", FAMILIES)
def test_a_stream_ends_even_if_nothing_says_why(model: str) -> None:
    writer = il.writer("bedrock_text")
    events: list[il.Event] = [il.MessageStart(model=model, origin="ollama"), il.TextDelta(index=0, text="Hi."), il.Stop()]
    chunks = [chunk for event in (*events, il.StreamEnd()) for chunk in writer.feed(event)]
    reader = il.reader("bedrock_text")
    list(reader.read(chunks))
    assert (reader.complete, reader.response.message.text) == (True, "Hi.")
    assert ("added", "/choices/0/stop_reason") in [(loss.kind, loss.path) for loss in writer.losses]
