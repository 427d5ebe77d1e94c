"""Hypothesis strategies for payloads of Chat Completions."""

from ....codec.strategies.spoiling import spoil_messages
from ....codec.strategies.wire import Known, ResponseStrategies, Strategies
from . import chunks, requests, responses

STRATEGIES = Strategies(
    requests.requests,
    spoil_messages,
    ResponseStrategies(responses.responses, chunks.streamable, chunks.split),
    Known("openai", thinks=True, data={"assistant": {"audio": {"id": "a"}}}, reasoning_format="anthropic-claude-v1"),
)
