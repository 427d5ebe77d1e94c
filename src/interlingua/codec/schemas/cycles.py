"""Resolves the references of a schema, and finds the definitions that lead back to themselves."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...errors.texts import unescape
from ...model.base import Json

_DEFINITIONS = ("$defs", "definitions")


class Cycles:
    """The definitions of a schema, and other schemas that it refers to, from which references lead to a cycle.

    They are found on first use, in linear time.
    """

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root

    def endless(self, schema: Json, at: str) -> bool:
        """Whether a schema at this pointer is a reference that leads to a cycle, so that every value contains another one."""
        ref: Json = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(ref, str):
            return False
        return ref in self._cyclic or f"{at}/".startswith(f"{ref[1:]}/")

    def leads_back(self, ref: str, at: str) -> bool:
        """Whether a reference at this pointer makes the schema recursive: every cycle has at least one such reference."""
        if f"{at}/".startswith(f"{ref[1:]}/"):
            return ref[:1] == "#"
        if ref not in self._cyclic:
            return False
        own = "#" + at
        while own not in self._cyclic and own != "#":
            own = own.rpartition("/")[0]
        # References to later definitions alone make no cycle.
        return own in self._cyclic and self._order[ref] <= self._order[own]

    @cached_property
    def _order(self) -> dict[str, int]:
        """The place of each schema that leads to a cycle."""
        return {name: place for place, name in enumerate(self._leads) if name in self._cyclic}

    def _definitions(self, key: str) -> dict[str, Json]:
        found: Json = self.root.get(key)
        return found if isinstance(found, dict) else {}

    @cached_property
    def references(self) -> set[str]:
        """All references in the schema."""
        return _references(self.root)

    @cached_property
    def _leads(self) -> dict[str, set[str]]:
        """The references in each definition, and in each other schema that references name."""
        leads: dict[str, set[str]] = {}
        for key in _DEFINITIONS:
            for name, each in self._definitions(key).items():
                leads[f"#/{key}/{name}"] = _references(each)
        for ref in sorted(self.references - leads.keys() - {"#"}):
            if (named := resolve(self.root, ref)) is not None:
                leads[ref] = _references(named)
        return leads

    @cached_property
    def _cyclic(self) -> set[str]:
        """The references that lead to a cycle: those that remain when all others are removed, step by step."""
        leads = self._leads
        comes: dict[str, list[str]] = {}
        for name, targets in leads.items():
            for target in targets:
                comes.setdefault(target, []).append(name)
        left = {name: len(targets) for name, targets in leads.items()}
        ends = [name for name, count in left.items() if count == 0]
        ends += [target for target in comes if target not in leads and target != "#"]
        while ends:
            for name in comes.get(ends.pop(), ()):
                left[name] -= 1
                if left[name] == 0:
                    ends.append(name)
        return {name for name, count in left.items() if count > 0}


def _references(schema: Json) -> set[str]:
    """All references in a value, at any depth."""
    found: set[str] = set()
    waiting: list[Json] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            ref: Json = value.get("$ref")
            if isinstance(ref, str):
                found.add(ref)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return found


def resolve(root: dict[str, Any], ref: str) -> dict[str, Any] | None:
    """The schema that a reference inside a document points to; None if it does not exist."""
    if ref != "#" and not ref.startswith("#/"):
        return None
    found: Json = root
    for token in ref.split("/")[1:]:
        found = _inside(found, unescape(token))
    return found if isinstance(found, dict) else None


def _inside(value: Json, token: str) -> Json:
    if isinstance(value, dict):
        child: Json = value.get(token)
        return child
    # RFC 6901: without leading zeros, so that no two references name one item.
    is_index = token == "0" or (token.isdigit() and token.isascii() and token[0] != "0" and len(token) < 10)
    if isinstance(value, list) and is_index and int(token) < len(value):
        listed: list[Json] = value
        return listed[int(token)]
    return None
