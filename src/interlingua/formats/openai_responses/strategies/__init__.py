"""Hypothesis strategies for payloads of OpenAI Responses."""

from ....codec.strategies.spoiling import spoil_items
from ....codec.strategies.wire import Known, ResponseStrategies, Strategies
from . import chunks, requests, responses

STRATEGIES = Strategies(
    requests.requests,
    spoil_items,
    ResponseStrategies(responses.responses, chunks.streamable, chunks.split),
    Known("openai", thinks=True),
)
