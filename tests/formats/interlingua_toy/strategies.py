"""What Toy accepts, for property tests."""

from typing import Any

from hypothesis import strategies as st

from interlingua.codec.strategies.primitives import NAMES, arguments, fields, text, unknown_fields
from interlingua.codec.strategies.wire import Strategies

Wire = dict[str, Any]


def requests(_: Any, odd: bool) -> st.SearchStrategy[Wire]:
    return _requests(odd)


@st.composite
def _requests(draw: st.DrawFn, odd: bool) -> Wire:
    """The guide may lead; then human and bot take turns, and each call of the bot has its result."""
    more = unknown_fields(odd)
    said = fields({"kind": st.just("text"), "text": text(blank=odd)}, more)
    turns = [{"role": "guide", "items": [draw(said)]}] if draw(st.booleans()) else []
    for number in range(draw(st.integers(1, 3))):
        turns.append({"role": "human", "items": [draw(said)]})
        calls = [
            {"kind": "call", "id": f"call_{number}_{index}", "tool": tool, "input": draw(arguments(broken=odd))}
            for index, tool in enumerate(draw(st.lists(NAMES, max_size=2)))
        ]
        if calls:
            results = [{"kind": "result", "id": call["id"], "output": draw(text(blank=odd))} for call in calls]
            turns += [{"role": "bot", "items": calls}, {"role": "human", "items": results}]
        turns.append({"role": "bot", "items": [draw(said)]})
    return draw(fields({"turns": st.just(turns)}, {"engine": st.just("toy-1"), **more}))


def spoil(draw: st.DrawFn, payload: Wire) -> str:
    """Spoil the role of a turn."""
    index = draw(st.integers(0, len(payload["turns"]) - 1))
    payload["turns"][index]["role"] = draw(st.sampled_from([5, None, "alien"]))
    return f"/turns/{index}/role"


STRATEGIES = Strategies(requests, spoil)
