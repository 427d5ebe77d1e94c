"""Hypothesis strategies for payloads of Cohere's Chat."""

from ....codec.strategies.spoiling import spoil_messages
from ....codec.strategies.wire import Known, ResponseStrategies, Strategies
from . import chunks, requests, responses

STRATEGIES = Strategies(
    requests.requests,
    spoil_messages,
    ResponseStrategies(responses.responses, chunks.streamable, chunks.split),
    Known(),
)
