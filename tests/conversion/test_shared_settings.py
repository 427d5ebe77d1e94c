"""Settings that several providers have and a canonical request has not: each is carried to whoever takes it."""

from typing import Any

import pytest

import interlingua as il
from conversion.carried_settings import CHAT, MESSAGES, Case, check_carried, settings

HOUR = {"type": "ephemeral", "ttl": "1h"}
MARKED: dict[str, Any] = {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}


# LiteLLM 1.110.2, Vercel's AI SDK and LangChain carry each of these, by the same fields.
CASES = {
    "gemini's own names": Case(
        "openai_chat",
        {"seed": 7, "n": 2, "logprobs": True, "top_logprobs": 3},
        "gemini",
        {"generationConfig": {"seed": 7, "candidateCount": 2, "responseLogprobs": True, "logprobs": 3}},
    ),
    "the form of drawn images": Case(
        "openrouter",
        {"modalities": ["text", "image"], "image_config": {"aspect_ratio": "16:9", "image_size": "2K"}},
        "gemini",
        {
            "generationConfig": {
                "responseModalities": ["TEXT", "IMAGE"],
                "imageConfig": {"aspectRatio": "16:9", "imageSize": "2K"},
            }
        },
        hand=False,
    ),
    "the form of drawn images in Google's other API": Case(
        "gemini",
        {"generation_config": {"image_config": {"aspect_ratio": "16:9"}}},
        "gemini_interactions",
        {"generation_config": {"image_config": {"aspect_ratio": "16:9"}}},
        back=False,
    ),
    "the form of drawn images where none are drawn": Case(
        "gemini",
        {"generationConfig": {"imageConfig": {"aspectRatio": "16:9"}}},
        "vllm",
        {},
        [("dropped", "/generationConfig/imageConfig")],
        back=False,
    ),
    "the names of a call": Case(
        "openai_chat", {"seed": 7, "n": 2}, "google_genai", {"config": {"seed": 7, "candidate_count": 2}}
    ),
    "more candidates than there may be": Case("openai_chat", {"n": 9}, "gemini", {}, [("dropped", "/n")], back=False),
    "penalties of newer models": Case(
        "openai_chat",
        {"presence_penalty": 1, "frequency_penalty": 0.5},
        "gemini",
        {},
        [("dropped", "/frequency_penalty"), ("dropped", "/presence_penalty")],
        back=False,
    ),
    "likely tokens without the switch": Case(
        "gemini",
        {"generation_config": {"logprobs": 3}},
        "openai_chat",
        {"logprobs": True, "top_logprobs": 3},
        [("added", "")],
        back=False,
    ),
    "penalties back": Case(
        "gemini",
        {"generationConfig": {"presencePenalty": 1, "frequencyPenalty": -1.5, "seed": -1}},
        "openai_chat",
        {"presence_penalty": 1, "frequency_penalty": -1.5, "seed": -1},
        back=False,
    ),
    "a seed at its host's name": Case("gemini", {"generationConfig": {"seed": 7}}, "mistral", {"random_seed": 7}),
    "settings that Google's other API refuses": Case(
        "gemini",
        {"generationConfig": {"seed": 7, "candidateCount": 2}},
        "gemini_openai",
        {"n": 2},
        [("dropped", "/generationConfig/seed")],
        back=False,
    ),
    "a seed that a host refuses": Case(
        "gemini", {"generationConfig": {"seed": -7}}, "mistral", {}, [("dropped", "/generationConfig/seed")], back=False
    ),
    "settings of both APIs of OpenAI": Case(
        "openai_chat",
        {
            "store": False,
            "prompt_cache_key": "k",
            "prompt_cache_retention": "24h",
            "service_tier": "flex",
            "safety_identifier": "u",
            "verbosity": "low",
            "logprobs": True,
            "top_logprobs": 2,
        },
        "openai_responses",
        {
            "store": False,
            "prompt_cache_key": "k",
            "prompt_cache_retention": "24h",
            "service_tier": "flex",
            "safety_identifier": "u",
            "text": {"verbosity": "low"},
            "include": ["message.output_text.logprobs"],
            "top_logprobs": 2,
        },
    ),
    "entries of a list": Case(
        "openai_responses",
        {"include": ["file_search_call.results", "message.output_text.logprobs", "reasoning.encrypted_content"]},
        "gemini",
        {"generationConfig": {"responseLogprobs": True}},
        [("dropped", "/include/0")],
        back=False,
    ),
    "an entry that the target does not have": Case(
        "openai_responses",
        {"include": ["message.output_text.logprobs", "reasoning.encrypted_content"]},
        "openai_chat",
        {"logprobs": True},
        [("dropped", "/include/1")],
        back=False,
    ),
    "entries that a list repeats": Case(
        "openai_responses",
        {"include": ["message.output_text.logprobs", "reasoning.encrypted_content", "message.output_text.logprobs"]},
        "openai_chat",
        {"logprobs": True},
        [("dropped", "/include/1")],
        back=False,
    ),
    "verbosity beside a format": Case(
        "openai_responses",
        {"text": {"verbosity": "high", "format": {"type": "json_object"}}, "store": True},
        "openai_chat",
        {"verbosity": "high", "response_format": {"type": "json_object"}, "store": True},
    ),
    "what Chat has not": Case(
        "openai_responses",
        {"include": ["reasoning.encrypted_content"], "text": {"verbosity": "low", "other": 1}, "truncation": "auto"},
        "openai_chat",
        {"verbosity": "low"},
        [("dropped", "/include"), ("dropped", "/text/other"), ("dropped", "/truncation")],
        back=False,
    ),
    "Cohere": Case(
        "openai_chat",
        {"seed": 3, "logprobs": True, "presence_penalty": 0.5, "frequency_penalty": 1.5},
        "cohere",
        {"seed": 3, "logprobs": True, "presence_penalty": 0.5},
        [("dropped", "/frequency_penalty")],
        back=False,
    ),
    "standard capacity alone": Case("openai_chat", {"service_tier": "default"}, "anthropic", {"service_tier": "standard_only"}),
    "any capacity": Case("openai_responses", {"service_tier": "auto"}, "anthropic", {"service_tier": "auto"}),
    "a tier that Anthropic has not": Case(
        "openai_chat", {"service_tier": "flex"}, "anthropic", {}, [("dropped", "/service_tier")], back=False
    ),
    "automatic caching": Case("anthropic", {"cache_control": HOUR}, "openrouter", {"cache_control": HOUR}),
    "automatic caching with a scope": Case(
        "anthropic",
        {"cache_control": {**HOUR, "scope": "global"}},
        "openrouter",
        {"cache_control": HOUR},
        [("dropped", "/cache_control/scope")],
        back=False,
    ),
    "automatic caching of another type": Case(
        "anthropic", {"cache_control": {"type": "other"}}, "openrouter", {}, [("dropped", "/cache_control")], back=False
    ),
    "automatic caching on Bedrock": Case(
        "anthropic",
        {"cache_control": HOUR},
        "anthropic_bedrock",
        {"anthropic_version": "bedrock-2023-05-31"},
        [("dropped", "/cache_control")],
        back=False,
    ),
    "a temperature that is too high for Converse": Case(
        "openai_chat",
        {"temperature": 1.5},
        "bedrock_converse",
        {"inferenceConfig": {"temperature": 1}},
        [("changed", "/temperature")],
        back=False,
    ),
    "a temperature that is too high for Cohere": Case(
        "openai_chat", {"temperature": 1.5}, "cohere", {"temperature": 1}, [("changed", "/temperature")], back=False
    ),
    "a temperature that is too high for Claude": Case(
        "openai_chat", {"temperature": 1.5}, "asktable", {"temperature": 1}, [("changed", "/temperature")], back=False
    ),
    "a stop sequence of white space": Case("openai_chat", {"stop": ["\n"]}, "ollama", {"options": {"stop": ["\n"]}}),
    "a stop sequence of white space for Claude": Case(
        "openai_chat", {"stop": ["\n", "a"]}, "anthropic", {"stop_sequences": ["a"]}, [("dropped", "/stop/0")], back=False
    ),
    "more stop sequences than there may be": Case(
        "openai_chat",
        {"stop": [*"abcdef"]},
        "gemini",
        {"generationConfig": {"stopSequences": [*"abcde"]}},
        [("dropped", "/stop/5")],
        back=False,
    ),
    "automatic caching beside shorter marks": Case(
        "openrouter",
        {"messages": [{"role": "user", "content": [MARKED, {"type": "text", "text": "b"}]}], "cache_control": HOUR},
        "anthropic",
        {"cache_control": {"type": "ephemeral"}},
        [("dropped", "/cache_control/ttl")],
        back=False,
        hand=False,
    ),
    "automatic caching where the last block is marked": Case(
        "openrouter",
        {"messages": [{"role": "user", "content": [MARKED]}], "cache_control": HOUR},
        "anthropic",
        {},
        [("dropped", "/cache_control")],
        back=False,
        hand=False,
    ),
    "no automatic caching": Case("anthropic", {"cache_control": None}, "openrouter", {}, back=False),
    "JSON without the word, for DeepSeek": Case(
        "gemini",
        {"generationConfig": {"responseMimeType": "application/json"}},
        "deepseek",
        {},
        [("dropped", "/generationConfig/responseMimeType")],
        back=False,
    ),
    "what vLLM constrains, for DeepSeek": Case(
        "vllm",
        {"guided_regex": "a+", "structured_outputs": {"choice": ["a"]}},
        "deepseek",
        {},
        [("dropped", "/guided_regex"), ("dropped", "/structured_outputs/choice")],
        back=False,
        hand=False,
    ),
    "a user of the length that OpenRouter takes": Case(
        "anthropic", {"metadata": {"user_id": 128 * "u"}}, "openrouter", {"user": 128 * "u"}
    ),
    "a user that is too long for OpenRouter": Case(
        "anthropic", {"metadata": {"user_id": 129 * "u"}}, "openrouter", {}, [("dropped", "/metadata/user_id")], back=False
    ),
    "a user of the length that OpenAI takes": Case(
        "anthropic", {"metadata": {"user_id": 64 * "u"}}, "openai_responses", {"user": 64 * "u"}
    ),
    "a user that is too long for Chat": Case(
        "anthropic", {"metadata": {"user_id": 65 * "u"}}, "openai_chat", {}, [("dropped", "/metadata/user_id")], back=False
    ),
    "a user that is too long for Responses": Case(
        "anthropic", {"metadata": {"user_id": 65 * "u"}}, "openai_responses", {}, [("dropped", "/metadata/user_id")], back=False
    ),
    "a user that any length of text may name": Case(
        "anthropic", {"metadata": {"user_id": 155 * "u"}}, "litellm", {"user": 155 * "u"}
    ),
    "a tier on Bedrock's own API": Case(
        "openai_chat",
        {"service_tier": "default"},
        "anthropic_bedrock",
        {"anthropic_version": "bedrock-2023-05-31"},
        [("dropped", "/service_tier")],
        back=False,
    ),
    "a tier at Converse": Case(
        "openai_chat", {"service_tier": "priority"}, "bedrock_converse", {"serviceTier": {"type": "priority"}}
    ),
    "capacity that was bought": Case(
        "bedrock_converse", {"serviceTier": {"type": "reserved"}}, "openai_chat", {}, [("dropped", "/serviceTier")], back=False
    ),
    "Gemini's standard": Case("openai_chat", {"service_tier": "default"}, "gemini", {"serviceTier": "standard"}),
    "Gemini's tier for Anthropic": Case("gemini", {"serviceTier": "standard"}, "anthropic", {"service_tier": "standard_only"}),
    "fast is priority": Case(
        "openai_responses",
        {"service_tier": "fast"},
        "gemini",
        {"serviceTier": "priority"},
        [("changed", "/service_tier")],
        back=False,
    ),
    "who asks": Case(
        "openai_chat",
        {"safety_identifier": "u-1"},
        "anthropic",
        {"metadata": {"user_id": "u-1"}},
        [("changed", "/safety_identifier")],
        back=False,
    ),
    "who asks, by name": Case(
        "openai_responses",
        {"safety_identifier": "a@b.example"},
        "anthropic",
        {},
        [("dropped", "/safety_identifier")],
        back=False,
    ),
    "who asks, twice": Case(
        "openai_chat",
        {"safety_identifier": "u-1", "user": "u-2"},
        "anthropic",
        {"metadata": {"user_id": "u-2"}},
        [("dropped", "/safety_identifier")],
        back=False,
    ),
    "what Google's two APIs have": Case(
        "gemini",
        {
            "cachedContent": "cachedContents/c",
            "generationConfig": {
                "responseModalities": ["TEXT", "IMAGE"],
                "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW"},
            },
        },
        "gemini_interactions",
        {
            "cached_content": "cachedContents/c",
            "response_modalities": ["text", "image"],
            "generation_config": {"thinking_summaries": "auto", "thinking_level": "low"},
        },
    ),
    "thoughts that are not shown": Case(
        "gemini_interactions",
        {"generation_config": {"thinking_summaries": "none"}},
        "gemini",
        {"generationConfig": {"thinkingConfig": {"includeThoughts": False}}},
    ),
    "images from a host that gives them": Case(
        "gemini",
        {"generationConfig": {"responseModalities": ["TEXT", "IMAGE"]}},
        "openrouter",
        {"modalities": ["text", "image"]},
    ),
    "images from a host that gives none": Case(
        "gemini",
        {"generationConfig": {"responseModalities": ["IMAGE"]}},
        "openai_chat",
        {},
        [("dropped", "/generationConfig/responseModalities")],
        back=False,
    ),
    "text and audio at once": Case(
        "openai_chat", {"modalities": ["text", "audio"]}, "gemini", {}, [("dropped", "/modalities")], back=False
    ),
    "modalities that are no words": Case(
        "gemini",
        {"generationConfig": {"responseModalities": [1, {}]}},
        "gemini_interactions",
        {},
        [("dropped", "/generationConfig/responseModalities")],
        back=False,
    ),
    "modalities that nobody knows": Case(
        "gemini_interactions",
        {"response_modalities": ["smell"]},
        "gemini",
        {},
        [("dropped", "/response_modalities")],
        back=False,
    ),
    "modalities that are objects": Case(
        "gemini_interactions",
        {"response_modalities": [{}]},
        "openai_chat",
        {},
        [("dropped", "/response_modalities")],
        back=False,
    ),
    "thinking that is left out, where it cannot be": Case(
        "anthropic",
        {"thinking": {"type": "enabled", "budget_tokens": 2000, "display": "omitted"}},
        "cohere",
        {"thinking": {"type": "enabled", "token_budget": 2000}},
        [("dropped", "/thinking/display")],
        back=False,
    ),
    "summaries of thoughts": Case(
        "openai_responses",
        {"reasoning": {"effort": "high", "summary": "auto"}},
        "gemini",
        {"generationConfig": {"thinkingConfig": {"thinkingLevel": "HIGH", "includeThoughts": True}}},
    ),
    "detailed summaries of thoughts": Case(
        "openai_responses",
        {"reasoning": {"effort": "high", "summary": "detailed"}},
        "anthropic",
        {"output_config": {"effort": "high"}, "thinking": {"type": "adaptive", "display": "summarized"}},
        [("added", ""), ("changed", "/reasoning/summary")],
        back=False,
    ),
    "summaries of thoughts from Anthropic": Case(
        "anthropic",
        {"thinking": {"type": "enabled", "budget_tokens": 2000, "display": "summarized"}},
        "openai_responses",
        {"reasoning": {"effort": "low", "summary": "auto"}},
        [("changed", "/thinking")],
        back=False,
    ),
    "thinking that is left out": Case(
        "anthropic",
        {"thinking": {"type": "adaptive", "display": "omitted"}},
        "bedrock_converse",
        {"additionalModelRequestFields": {"thinking": {"type": "adaptive", "display": "omitted"}}},
    ),
    "summaries for a model that may not think": Case(
        "gemini",
        {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}},
        "openai_responses",
        {},
        [("dropped", "/generationConfig/thinkingConfig")],
        back=False,
    ),
    "values that are none": Case(
        "openai_chat",
        {"seed": "7", "n": True, "logprobs": 1},
        "gemini",
        {},
        [("dropped", "/logprobs"), ("dropped", "/n"), ("dropped", "/seed")],
        back=False,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_setting_is_carried(case: Case) -> None:
    check_carried(case)


USUAL: dict[il.FormatName, list[dict[str, Any]]] = {
    "openai_chat": [
        *(
            {"n": 1},
            {"frequency_penalty": 0},
            {"presence_penalty": 0.0},
            {"logprobs": False},
            {"top_logprobs": 0},
            {"store": False},
        ),
        *({"modalities": ["text"]}, {"parallel_tool_calls": True}, {"tool_choice": "auto"}, {"tool_choice": "none"}),
        *({"response_format": {"type": "text"}}, {"verbosity": "medium"}, {"service_tier": "auto"}),
    ],
    "openai_responses": [
        *({"store": False}, {"parallel_tool_calls": True}, {"tool_choice": "auto"}),
        *({"truncation": "disabled"}, {"background": False}, {"reasoning": {"effort": None, "summary": None}}),
        *({"reasoning": {"effort": None}}, {"reasoning": {"context": "auto"}}, {"service_tier": "auto"}),
        *({"text": {"format": {"type": "text"}}}, {"text": {"format": {"type": "text"}, "verbosity": "medium"}}),
    ],
    "gemini": [
        {"generationConfig": {"responseMimeType": "text/plain"}},
        {"generationConfig": {"candidateCount": 1, "responseModalities": ["TEXT"]}},
        {"toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}},
        {"contents": [{"role": "user", "parts": [{"text": "a", "thought": False}]}]},
    ],
    "anthropic": [{"tool_choice": {"type": "auto"}}, {"tool_choice": {"type": "none"}}, {"service_tier": "auto"}],
}
"""What asks for what every provider does unasked."""
OTHERS: list[il.FormatName] = ["anthropic", "bedrock_converse", "cohere", "gemini", "gemini_interactions", "groq", "ollama"]


@pytest.mark.parametrize("target", [*OTHERS, "mistral", "openai_chat", "openai_responses"])
@pytest.mark.parametrize("source", USUAL)
def test_what_every_provider_does_unasked_is_no_loss(source: il.FormatName, target: il.FormatName) -> None:
    for said in USUAL[source]:
        body = MESSAGES.get(source, CHAT) | said
        assert il.convert(body, source=source, target=target).losses == (), said


@pytest.mark.parametrize("target", ["gemini", "google_genai", "gemini_interactions"])
def test_no_call_at_all_is_said_beside_a_search(target: il.FormatName) -> None:
    body = {"input": "a", "tools": [{"type": "web_search"}], "tool_choice": "none"}
    losses = il.convert(body, source="openai_responses", target=target).losses
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/tools/0"), ("dropped", "/tool_choice")]


@pytest.mark.parametrize("target", OTHERS)
def test_what_differs_from_it_is_a_loss(target: il.FormatName) -> None:
    for said in ({"n": 129}, {"tool_choice": "required"}):
        assert len(il.convert(CHAT | said, source="openai_chat", target=target).losses) == 1, said


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "cohere", "gemini", "gemini_interactions", "ollama"])
def test_an_answer_that_always_follows_its_schema_is_as_strict_as_asked(target: il.FormatName) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    for strict in (True, False):
        form = {"type": "json_schema", "json_schema": {"name": "response", "schema": schema, "strict": strict}}
        found = il.convert(CHAT | {"response_format": form}, source="openai_chat", target=target).losses
        assert [loss.path for loss in found if loss.path.endswith("strict")] == []


@pytest.mark.parametrize("target", ["anthropic", "mistral"])
def test_the_number_of_a_call_in_a_stream_is_of_responses_only(target: il.FormatName) -> None:
    call = {"id": "abcdefgh1", "type": "function", "function": {"name": "f", "arguments": "{}"}, "index": 0}
    body = {"messages": [*CHAT["messages"], {"role": "assistant", "content": "t", "tool_calls": [call]}]}
    assert il.dump(il.load(body, "openai_chat"), "openai_chat", on_loss="raise") == body
    losses = il.convert(body, source="openai_chat", target=target, strict=True).losses
    assert [(loss.kind, loss.path) for loss in losses] == [("response_only", "/messages/1/tool_calls/0/index")]


def test_a_profile_sends_penalties() -> None:
    older = il.format_for(il.GeminiProfile(penalties=True))
    result = il.convert(CHAT | {"presence_penalty": 1, "frequency_penalty": 3}, source="openai_chat", target=older)
    assert settings(result.payload) == {"generationConfig": {"presencePenalty": 1}}
    assert [loss.detail for loss in result.losses] == ["`frequencyPenalty` must be from -2 to 2"]


@pytest.mark.parametrize("source", ["openai_chat", "openai_responses", "bedrock_converse"])
def test_a_profile_sends_labels(source: il.FormatName) -> None:
    """Vertex AI takes labels, by which requests are billed, and AI Studio refuses them."""
    field = "requestMetadata" if source == "bedrock_converse" else "metadata"
    asked = {**MESSAGES.get(source, CHAT), field: {"team": "a", "Team": "a", "cost": "1.5 $"}}
    vertex = il.format_for(il.GeminiProfile(labels=True), "vertex")
    there = il.convert(asked, source=source, target=vertex)
    assert there.payload["labels"] == {"team": "a"}
    assert [loss.path for loss in there.losses if loss.kind == "dropped"] == [f"/{field}/Team", f"/{field}/cost"]
    back = il.convert(there.payload, source=vertex, target=source)
    if source == "openai_chat":  # which takes metadata only of requests that it stores
        assert [(loss.kind, loss.path) for loss in back.losses] == [("dropped", "/labels")]
    else:
        assert back.payload[field] == {"team": "a"}
        assert not back.losses
    assert [loss.path for loss in il.convert(asked, source=source, target="gemini").losses] == [f"/{field}"]


def test_what_the_target_says_itself_is_not_replaced() -> None:
    data: dict[str, Any] = {"openai": {"seed": 1, "n": 2}, "gemini": {"generationConfig": {"seed": 2, "candidateCount": 2}}}
    request = il.Request(messages=[il.UserMessage(content="a")], provider_data=data)
    losses: list[il.Loss] = []
    assert il.dump(request, "gemini", on_loss=losses.append).get("generationConfig") == {"seed": 2, "candidateCount": 2}
    assert [loss.path for loss in losses] == ["/provider_data/openai/seed"]


@pytest.mark.parametrize(("target", "field"), [("openai_chat", "presencePenalty"), ("openai_responses", "logprobs")])
def test_a_setting_that_a_model_refuses_while_it_reasons_says_so(target: il.FormatName, field: str) -> None:
    values = {"presencePenalty": 0.1, "responseLogprobs": True, "logprobs": 3}
    settings = {"thinkingConfig": {"thinkingBudget": 1024}, **values}
    payload = {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}], "generationConfig": settings}
    result = il.convert(payload, source="gemini", target=target)
    lost = {loss.path.rpartition("/")[2]: loss.detail for loss in result.losses}
    assert lost[field] == "models refuse this setting while they reason"
