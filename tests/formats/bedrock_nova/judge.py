"""botocore's model of Converse judges the bodies of Nova for InvokeModel, in which few names differ; it has no other model."""

import copy
from typing import Any

from formats.bedrock_converse import judge as converse
from interlingua.testing.lawbook.documents import is_object
from laws.judge import Judge, with_defaults

_OWN = {"cacheReadInputTokenCount": "cacheReadInputTokens", "cacheWriteInputTokenCount": "cacheWriteInputTokens"}


def _request(payload: Any) -> Any:
    made = copy.deepcopy(payload)
    version = made.pop("schemaVersion", None)
    settings = made.get("inferenceConfig", {})
    for name in ("topK", "reasoningConfig"):
        settings.pop(name, None)
    return converse.JUDGE.request(made if version in (None, "messages-v1") else payload)


def _in_names_of_converse(body: Any) -> Any:
    """A response or an event with Converse's names of counts, without what Bedrock and its SDKs add, and other counts."""
    made = {key: value for key, value in body.items() if not key.startswith(("amazon-bedrock-", "$"))}
    if is_object(made.get("usage")):
        made["usage"] = {_OWN.get(key, key): value for key, value in made["usage"].items() if key != "serverToolUsage"}
    return made


def _response(body: Any) -> Any:
    assert converse.JUDGE.response is not None
    return converse.JUDGE.response(with_defaults(_in_names_of_converse(body), converse.JUDGE.required))


def _chunk(chunk: Any) -> Any:
    made = _in_names_of_converse(chunk)
    if is_object(made.get("metadata")):
        made["metadata"] = _in_names_of_converse(made["metadata"])
    assert converse.JUDGE.chunk is not None
    return converse.JUDGE.chunk(converse.JUDGE.complete(made))


JUDGE = Judge(_request, _response, _chunk, required=converse.JUDGE.required)
