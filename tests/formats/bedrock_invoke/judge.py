"""The judge of the format that a body is of judges it; which one that is follows from a field that only one of them has."""

from typing import Any

from formats.anthropic import judge as claude
from formats.bedrock_nova import judge as nova
from formats.bedrock_text import judge as text
from laws.closed import Fault
from laws.judge import Judge

_PROMPTS = {"prompt", "inputText", "message"}
_OF_NOVA = {"output", "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata"}


def _request(payload: Any) -> list[Fault]:
    if not _PROMPTS.isdisjoint(payload):
        return text.JUDGE.request(payload)
    if "anthropic_version" not in payload:
        return nova.JUDGE.request(payload)
    return claude.JUDGE.request({key: value for key, value in payload.items() if key != "anthropic_version"} | {"model": "m"})


def _judge_of(body: Any) -> Judge:
    if not _OF_NOVA.isdisjoint(body):
        return nova.JUDGE
    return claude.JUDGE if "content" in body or ("index" in body and "type" in body) else text.JUDGE


def _response(body: Any) -> list[Fault]:
    judge = _judge_of(body).response
    assert judge is not None
    return judge(body)


def _chunk(chunk: Any) -> list[Fault]:
    judge = _judge_of(chunk).chunk
    assert judge is not None
    return judge(chunk)


JUDGE = Judge(_request, _response, _chunk, missing=("/max_tokens",))
