"""One conversion, and which owner on one side was made of which on the other, by what the conversion says of places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import interlingua as il
from interlingua.testing.lawbook.documents import under
from laws.owners import REASONING, Key, Owner, is_result, owners

LOST = frozenset({"dropped", "response_only"})


class Reported(Protocol):
    """What law 3 and 4 need of a loss."""

    @property
    def path(self) -> str: ...
    @property
    def at(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def detail(self) -> str: ...


class Outcome(Protocol):
    """What law 3 and 4 need of a conversion."""

    @property
    def payload(self) -> Any: ...
    @property
    def losses(self) -> Sequence[Reported]: ...
    @property
    def places(self) -> Mapping[str, str]: ...


def _sources(outcome: Outcome, before: list[Owner], after: list[Owner]) -> dict[Key, Key | None]:
    """For each owner that came out, the one that it was made of."""
    known = {owner.key: owner for owner in before}
    children: dict[Key, list[Owner]] = {}
    for owner in before:
        if owner.parent is not None:
            children.setdefault(owner.parent, []).append(owner)
    sources: dict[Key, Key | None] = {}
    for owner in after:
        pointer = outcome.places.get(owner.pointer)
        found: Key | None = None
        if pointer is not None:
            same, other = (pointer, owner.kind == "message"), (pointer, owner.kind != "message")
            found = same if same in known else other if other in known else None
            if found is not None and found[1] and owner.kind == "part" and not is_result(owner) and not is_result(known[found]):
                # A part said to be made of a message is made of its only part.
                found = children[found][0].key if len(children.get(found, [])) == 1 else found
        elif owner.parent is not None:
            # A text that is a field of its message goes without saying where the message goes, if it was such a field there.
            of = sources.get(owner.parent)
            field = owner.pointer[len(owner.parent[0]) :]
            is_kept = owner.kind == "tool" or owner.own.get("type") in ("tool_addition", "tool_removal")  # with its message
            fields = () if of is None else (of[0] + field,) if is_kept else _fields(field, of)
            found = next(((field, False) for field in fields if (field, False) in known), None)
        sources[owner.key] = found
    return sources


def _fields(field: str, of: Key) -> tuple[str, ...]:
    """Where a text that is a whole field of a message may have been such a field before."""
    if field in ("/content", ""):
        return ("/system",) if of == ("/system", True) else (f"{of[0]}/content",)
    if field[1:] in REASONING:
        return tuple(f"{of[0]}/{name}" for name in (field[1:], *REASONING))
    if field == "/refusal" or field.startswith(("/reasoning_details/", "/images/")):
        return (of[0] + field,)  # carried as they stand
    return ()


def _images(sources: dict[Key, Key | None]) -> dict[Key, list[Key]]:
    images: dict[Key, list[Key]] = {}
    for image, source in sources.items():
        if source is not None:
            images.setdefault(source, []).append(image)
    return images


@dataclass(frozen=True)
class Leg:
    """One conversion, with the owners on both of its sides."""

    outcome: Outcome
    before: list[Owner]
    after: list[Owner]
    sources: dict[Key, Key | None]
    images: dict[Key, list[Key]]

    @classmethod
    def of(cls, outcome: Outcome, payload: dict[str, Any], source: il.FormatName, target: il.FormatName) -> "Leg":
        before, after = owners(payload, source), owners(outcome.payload, target)
        sources = _sources(outcome, before, after)
        # The request is one on both sides; nobody needs a map to find it.
        sources["", False] = "", False
        return cls(outcome, before, after, sources, _images(sources))

    def reported(self, pointer: str, *kinds: str) -> bool:
        """Whether a loss names just this."""
        return any(
            loss.path == pointer and loss.kind != "added" and (not kinds or loss.kind in kinds) for loss in self.outcome.losses
        )

    def lost(self, pointer: str) -> bool:
        """Whether a loss names this, or names all of something that holds it."""
        held = {owner.pointer for owner in self.before}
        return self.reported(pointer) or any(
            # The field that holds all parts is not an owner, but for the system text's, which goes by its message's name.
            under(pointer, loss.path) and loss.kind != "added" and (loss.kind in LOST or loss.path not in held - {"/system"})
            for loss in self.outcome.losses
        )

    def added(self, pointer: str) -> bool:
        return any(
            loss.kind == "added" and loss.at is not None and (loss.at == pointer or under(pointer, loss.at))
            for loss in self.outcome.losses
        )
