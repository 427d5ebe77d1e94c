"""Amazon Bedrock's user guide judges these bodies, by the fields that it lists for each family of models.

No SDK has their types: in botocore's model of InvokeModel they are bytes.
"""

from collections.abc import Iterator
from typing import Any

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault
from laws.judge import Judge

_REQUESTS = {
    "inputText": "inputText textGenerationConfig",
    "max_gen_len": "prompt max_gen_len temperature top_p images",
    "max_tokens_to_sample": "prompt max_tokens_to_sample temperature top_k top_p stop_sequences",
    "message": "message chat_history preamble documents max_tokens temperature p k stop_sequences seed tools tool_results",
    "maxTokens": "prompt maxTokens temperature topP stopSequences countPenalty presencePenalty frequencyPenalty numResults",
    "stop_sequences": "prompt max_tokens temperature p k stop_sequences num_generations return_likelihoods stream",
    "prompt": "prompt max_tokens temperature top_p top_k stop p k num_generations",
}
"""The fields of requests, by a field that the family has; the first that is there counts."""
_CONFIG = "temperature topP maxTokenCount stopSequences"
_ANSWERS = {
    "results": ("inputTextTokenCount results", "tokenCount outputText completionReason"),
    "generation": ("generation prompt_token_count generation_token_count stop_reason", ""),
    "outputs": ("outputs", "text stop_reason"),
    "generations": ("id prompt generations", "id text finish_reason likelihood token_likelihoods is_finished index"),
    "completions": ("id prompt completions", "data finishReason"),
    "completion": ("completion stop_reason stop type", ""),
    "text": ("text finish_reason generation_id response_id chat_history is_finished event_type response", ""),
    "outputText": ("outputText index completionReason inputTextTokenCount totalOutputTextTokenCount", ""),
    "event_type": ("event_type is_finished finish_reason response", ""),
}
"""The fields of responses and of chunks, and of the answers in a list."""


def _extra(value: Any, known: str, at: str = "") -> Iterator[Fault]:
    for key in value.keys() - known.split() if is_object(value) else ():
        if not key.startswith("amazon-bedrock-") and not key.endswith("Exception"):
            yield Fault(f"{at}/{key}", "extra_forbidden", "the user guide does not have this field")


def _request(payload: Any) -> list[Fault]:
    known = next((fields for key, fields in _REQUESTS.items() if key in payload), "")
    return [*_extra(payload, known), *_extra(payload.get("textGenerationConfig"), _CONFIG, "/textGenerationConfig")]


def _answer(body: Any) -> list[Fault]:
    listed, (known, inner) = next(((key, fields) for key, fields in _ANSWERS.items() if key in body), ("", ("", "")))
    items = body.get(listed)
    return [
        *_extra(body, known),
        *(fault for i, item in enumerate(items if is_array(items) else ()) for fault in _extra(item, inner, f"/{listed}/{i}")),
    ]


JUDGE = Judge(_request, _answer, _answer)
