"""Joins an answer whose calls are in choices of their own, as some gateways send them (HKUDS/nanobot#1555)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ..errors import Loss, escape, new_loss
from ..model.exchange import Choice, Response
from ..model.turns import calls_of

_CALLS = "/choices/0/message/tool_calls/"
_OF_CHOICE = {"message", "stop_reason", "native_stop_reason", "provider_data", "wire"}
_OF_MESSAGE = {"role", "content", "tool_calls", "provider_data", "wire"}


class Joined(NamedTuple):
    """A response whose first choice has the calls of others."""

    response: Response
    origins: list[str]
    """The pointer of each of its calls in the response as it came."""
    taken: list[int]
    """The choices that had only calls, and were removed."""
    kept: list[int]
    """The former numbers of its choices."""
    lost: list[Loss]
    """What the removed choices had beside their calls."""

    def losses(self, losses: Iterable[Loss]) -> list[Loss]:
        """The losses of its dump, with paths into the response as it came."""
        why = "this choice has only tool calls: they are moved to the first choice"
        moved = [new_loss((f"/choices/{i}", "", "moved", why)) for i in self.taken]
        return [*moved, *self.lost, *(loss._replace(path=self._original(loss.path)) for loss in losses)]

    def _original(self, path: str) -> str:
        if path.startswith(_CALLS):
            index, slash, rest = path.removeprefix(_CALLS).partition("/")
            return self.origins[int(index)] + slash + rest
        tokens = path.split("/", 3)
        if tokens[1:2] == ["choices"] and len(tokens) > 2:
            tokens[2] = str(self.kept[int(tokens[2])])
            return "/".join(tokens)
        return path


def joined_answer(response: Response) -> Joined | None:
    """The response with the calls of other choices in the first, if that stopped for calls and has none; else None."""
    first = response.choices[0]
    if first.stop_reason != "tool_calls" or any(calls_of(first.message)):
        return None
    taken = [i for i, choice in enumerate(response.choices) if i and _has_only_calls(choice)]
    if not taken:
        return None
    calls = [response.choices[i].message.tool_calls or () for i in taken]
    message = first.message.replace(tool_calls=[*chain.from_iterable(calls)])
    kept = [i for i in range(len(response.choices)) if i not in taken]
    choices = [first.replace(message=message), *(response.choices[i] for i in kept[1:])]
    origins = [f"/choices/{i}/message/tool_calls/{j}" for i, each in zip(taken, calls, strict=True) for j in range(len(each))]
    lost = [loss for i in taken for loss in _lost(f"/choices/{i}", response.choices[i])]
    return Joined(response.replace(choices=choices), origins, taken, kept, lost)


def _has_only_calls(choice: Choice) -> bool:
    if choice.stop_reason != "tool_calls" or not choice.message.tool_calls or choice.message.content:
        return False
    return choice.model_fields_set <= _OF_CHOICE and choice.message.model_fields_set <= _OF_MESSAGE


def _lost(start: str, choice: Choice) -> Iterator[Loss]:
    """The fields that a choice has beside its calls; a null, and anything empty, says nothing."""
    for at, owner in ((start, choice), (f"{start}/message", choice.message)):
        for family, overlay in (owner.provider_data or {}).items():
            for key, value in overlay.items():
                if key != "index" and value not in (None, "", [], {}):
                    path = f"{at}/provider_data/{family}/{escape(key)}"
                    yield new_loss((path, None, "dropped", "its choice is left out: the calls are moved to the first choice"))
