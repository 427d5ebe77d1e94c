"""Hypothesis strategies for payloads of Gemini."""

from ....codec.strategies.wire import Known, ResponseStrategies, Strategies
from . import chunks, requests, responses

STRATEGIES = Strategies(
    requests.requests,
    requests.spoil,
    ResponseStrategies(responses.responses, chunks.streamable, chunks.split),
    Known("gemini"),
)
