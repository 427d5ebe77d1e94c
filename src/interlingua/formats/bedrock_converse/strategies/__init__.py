"""Hypothesis strategies for payloads of Converse."""

from ....codec.strategies.wire import ResponseStrategies, Strategies
from . import requests, responses

STRATEGIES = Strategies(
    requests.requests,
    requests.spoil,
    ResponseStrategies(responses.responses, responses.streamable, responses.split),
)
