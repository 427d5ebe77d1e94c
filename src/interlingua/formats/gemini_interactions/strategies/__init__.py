"""Hypothesis strategies for payloads of the Interactions API."""

from ....codec.strategies.wire import Known, ResponseStrategies, Strategies
from . import chunks, requests, responses

STRATEGIES = Strategies(
    requests.requests,
    requests.spoil,
    ResponseStrategies(responses.responses, chunks.streamable, chunks.split),
    Known("gemini"),
)
