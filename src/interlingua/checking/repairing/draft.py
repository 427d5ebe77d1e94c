"""A request under repair: its current state, and the original place of each message, part and call.

Repairs are reported with pointers into the caller's value, but a treatment sees pointers into the draft, which earlier
treatments have changed. Therefore every message, part and call becomes a separate object at the beginning, and its pointer is
recorded by the identity of the object. An object that replaces others takes over their pointers.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ...codec.format import Format
from ...codec.rules.rule import FaultKind
from ...errors import Repair
from ...model.base import Model
from ...model.exchange import Request
from ...model.messages import Message

GONE: Any = object()
"""What a change returns for what is to be left out."""

Change: TypeAlias = Callable[[Any], Any]
"""What becomes of a field or an owner."""


FieldValue: TypeAlias = Model | tuple[Any, ...] | str | None
"""The value of a field of an owner, as far as pointers go."""


class _Note(NamedTuple):
    code: str
    path: str
    message: str
    gone: bool


class Draft:
    """A request under repair, which changes; everything in it that was there in the beginning has its origin."""

    def __init__(self, request: Request, format: Format, faults: Mapping[str, FaultKind]) -> None:
        self.format = format
        self.faults = faults
        """The kinds of faults that are treated, by the codes of the format's rules."""
        self._origins: dict[int, tuple[str, ...]] = {}
        self._kept: list[Model] = []
        """All objects that have an origin, so that no other gets their id."""
        self._notes: list[_Note] = []
        changes: dict[str, Any] = {"messages": self._distinct(request.messages, "/messages")}
        if request.tools:
            changes["tools"] = self._distinct(request.tools, "/tools")
        self.request = request.replace(**changes)

    def _distinct(self, owners: Iterable[Any], at: str) -> tuple[Any, ...]:
        """The owners as separate objects, whose origins are known from now on."""
        made: list[Any] = []
        for i, owner in enumerate(owners):
            owners_inside = list(owners_in(owner, f"{at}/{i}"))
            if any(id(each) in self._origins for _, each in owners_inside):
                owners_inside = list(owners_in(copy.deepcopy(owner), f"{at}/{i}"))
            for pointer, each in owners_inside:
                self.adopt(each, pointer)
            made.append(owners_inside[0][1])
        return tuple(made)

    def adopt(self, owner: Model, *origins: str) -> None:
        """Record where an owner comes from."""
        self._origins[id(owner)] = origins
        self._kept.append(owner)

    @property
    def messages(self) -> tuple[Message, ...]:
        return self.request.messages

    def origins(self, owner: Model) -> tuple[str, ...]:
        """Where an owner comes from; nowhere for one that is new."""
        return self._origins.get(id(owner), ())

    def find(self, pointer: str) -> Any:
        """What is at a pointer now; None if there is nothing."""
        value: Any = self.request
        for token in pointer.split("/")[1:]:
            value = _member(value, token)
        return value

    # Changes

    def set_messages(self, messages: Sequence[Any]) -> None:
        """Go on with other messages."""
        self.request = self.request.replace(messages=tuple(messages))

    def edit(self, changes: Mapping[str, Change]) -> None:
        """Change what is at these pointers, which may be in one another; what a change makes `GONE` is left out."""
        tree: dict[str, Any] = {}
        for pointer, change in changes.items():
            node = tree
            for token in pointer.split("/")[1:]:
                node = node.setdefault(token, {})
            node[""] = change
        self.request = self._edited(self.request, tree)

    def _edited(self, value: FieldValue, tree: Mapping[str, Any]) -> Any:
        """The value with the changes of a tree of tokens, innermost first; a node's own change is under the empty token."""
        under = {token: node for token, node in tree.items() if token}
        made = self._with_members(value, under) if under else value
        if "" in tree:
            made = tree[""](made)
        if isinstance(made, Model) and made is not value and isinstance(value, Model):
            self.adopt(made, *self.origins(value))
        return made

    def _with_members(self, value: FieldValue, under: Mapping[str, Any]) -> Any:
        """The value with its fields or items edited."""
        if isinstance(value, tuple):
            items = [self._edited(item, under[str(i)]) if str(i) in under else item for i, item in enumerate(value)]
            return tuple(item for item in items if item is not GONE)
        if isinstance(value, Model):
            fields = {name: getattr(value, name) for name in value.model_fields_set}
            fields |= {name: self._edited(fields.get(name), node) for name, node in under.items()}
            return type(value)(**{name: field for name, field in fields.items() if field is not GONE})
        return value

    # Repairs

    def note(self, code: str, pointer: str, message: str, *, gone: bool = False) -> None:
        """Record a repair of what is at a pointer now; it has to be recorded before it is made."""
        self._notes.append(_Note(code, self._origin(pointer), message, gone))

    def _origin(self, pointer: str) -> str:
        """Where what is at a pointer now was in the beginning."""
        value: Any = self.request
        found = ""
        rest = ""
        for token in pointer.split("/")[1:]:
            rest += "/" + token
            value = _member(value, token)
            if isinstance(value, Model) and self.origins(value):
                found = self.origins(value)[0]
                rest = ""
        return found + rest

    def repairs(self, cut: int) -> list[Repair]:
        """All repairs, with pointers into what was passed, and into what it has become; `cut` characters shorter."""
        places: dict[str, str] = {}
        for name in ("messages", "tools"):
            for i, owner in enumerate(getattr(self.request, name) or ()):
                for pointer, each in owners_in(owner, f"/{name}/{i}"):
                    places |= {origin: pointer for origin in self.origins(each) if origin not in places}
        return [
            Repair(note.code, note.path[cut:], None if note.gone else _place(note.path, places, cut), note.message)
            for note in self._notes
        ]


def _member(value: FieldValue, token: str) -> Any:
    return value[int(token)] if isinstance(value, tuple) else getattr(value, token, None)


def _place(path: str, places: Mapping[str, str], cut: int) -> str | None:
    """Where something is now; nowhere, if its owner is no longer there."""
    if path in places:
        return places[path][cut:]
    owner, _, field = path.rpartition("/")
    if owner in places and not field.isdigit():
        return f"{places[owner]}/{field}"[cut:]
    return None if path.startswith(("/messages/", "/tools/")) else path


def owners_in(owner: Any, at: str) -> Iterator[tuple[str, Model]]:
    """A message or tool, and all parts and calls in it, each with its pointer."""
    yield at, owner
    for name in ("thinking_blocks", "content", "tool_calls"):
        value: FieldValue = getattr(owner, name, None)
        if isinstance(value, tuple):
            for i, part in enumerate(value):
                yield from owners_in(part, f"{at}/{name}/{i}")
