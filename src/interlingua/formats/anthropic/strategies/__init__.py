"""Hypothesis strategies for payloads of Anthropic Messages."""

from ....codec.strategies.spoiling import spoil_messages
from ....codec.strategies.wire import Known, ResponseStrategies, Strategies
from . import chunks, requests, responses

STRATEGIES = Strategies(
    requests.requests,
    spoil_messages,
    ResponseStrategies(responses.responses, chunks.streamable, chunks.split),
    Known(
        "anthropic",
        thinks=True,
        data={"tool_use": {"caller": {"type": "direct"}}},
        page={"type": "search_result", "source": "https://a", "title": "a", "content": [{"type": "text", "text": "a"}]},
        search=(
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
        ),
    ),
)
