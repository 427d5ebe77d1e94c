"""A request's body as rules see it: its messages in order, and one list for each kind of thing.

The module of each format makes the view of a body in one walk, so that a rule reads only what it needs. A view leaves out
values of a wrong type, which the wire types report. So rules never fail on malformed input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ...model.base import Json
from ..schemas.nodes import SchemaNode

Found: TypeAlias = Iterator[tuple[str, str]]
"""The faults that a rule finds: JSON Pointers into the body, each with a sentence for people, without content."""


class Turn(NamedTuple):
    """One message, content or item of the body; `role` is None if it has none."""

    at: str
    role: str | None
    value: dict[str, Any]


class Text(NamedTuple):
    """A text that the model reads; `turn` is the index of its turn, or -1 for system text outside the list of messages."""

    at: str
    text: str
    turn: int
    in_result: bool = False


class Call(NamedTuple):
    """A tool call; its id, name and arguments are those of the wire, or None if it has none."""

    at: str
    turn: int
    id: Any
    id_at: str
    name: Any
    name_at: str
    arguments: Any
    arguments_at: str
    signature: Any = None


class Result(NamedTuple):
    """The result of a tool call, with the call's id or, in a format without ids, the name of its function."""

    at: str
    turn: int
    id: Any
    id_at: str
    name: Any = None
    content: Any = None
    failed: bool = False


class Thought(NamedTuple):
    """Reasoning of the model; `signature` is None if it has none."""

    at: str
    turn: int
    signature: Any
    value: dict[str, Any]


class Media(NamedTuple):
    """An image, audio, video or document: inline (`data` is base64, `raw` is bytes), by URL, or by id (all are None)."""

    at: str
    turn: int
    kind: str
    media_type: str | None
    data: str | None
    url: str | None
    in_result: bool = False
    raw: bytes | None = None
    value: dict[str, Any] | None = None
    """The wire object of the media, if the format's view has it."""


class ToolDefinition(NamedTuple):
    """A function that the model may call."""

    at: str
    name: Any
    name_at: str
    schema: Any
    schema_at: str
    strict: bool
    value: dict[str, Any]


class OutputSchema(NamedTuple):
    """The JSON Schema of a structured answer."""

    schema: Any
    at: str
    strict: bool


class Block(NamedTuple):
    """A part of a message; `kind` is its type, empty if it has none."""

    at: str
    turn: int
    kind: str
    value: dict[str, Any]


class Mark(NamedTuple):
    """A cache mark, and where it is: in a block, in a tool, or as a block of its own."""

    at: str
    ttl: str
    kind: str
    holder: dict[str, Any]


class Unpaired(NamedTuple):
    """The calls of a turn without a result in the next turn, and the results in the next turn without a call."""

    turn: int
    calls: list[Call]
    results: list[Result]


class Partners(NamedTuple):
    """The calls without any result, the results without any call, and the results whose call is too far above."""

    unanswered: list[Call]
    orphans: list[Result]
    far: list[Result]


@dataclass(slots=True)
class SchemaView:
    """A body, its tools, and the schemas of its answers: all that rules about schemas need."""

    body: dict[str, Any]
    tools: list[ToolDefinition] = field(default_factory=list[ToolDefinition])
    outputs: list[OutputSchema] = field(default_factory=list[OutputSchema])
    tool_nodes: list[SchemaNode] | None = None
    output_nodes: list[SchemaNode] | None = None
    strict_nodes: list[SchemaNode] | None = None
    """The strict schemas inside tools and answers. This list and the two above are None until a rule needs them."""


@dataclass(slots=True)
class View(SchemaView):
    """A body, and lists of the things in it."""

    turns: list[Turn] = field(default_factory=list[Turn])
    seen_texts: list[Text] = field(default_factory=list[Text])
    unseen_texts: Callable[[View], Iterator[Text]] | None = None
    """Finds the texts when a rule first needs them, in formats in which few rules do."""
    wide: list[Text] = field(default_factory=list[Text])
    """The texts that are not ASCII; in the view of Chat also very long texts, and arguments of calls."""
    blank: list[Text] = field(default_factory=list[Text])
    """The texts that are empty or only white space, in the views of formats with blocks."""
    special: list[Turn] = field(default_factory=list[Turn])
    """The messages that are more than text; in the views of Chat and Responses, also more than calls or one result."""
    parts: list[Block] = field(default_factory=list[Block])
    """The parts of messages, in the view of Chat."""
    calls: list[Call] = field(default_factory=list[Call])
    results: list[Result] = field(default_factory=list[Result])
    by_turn: tuple[dict[int, list[Call]], dict[int, list[Result]]] | None = None
    """The calls and the results by turn; None until a rule needs them."""
    thoughts: list[Thought] = field(default_factory=list[Thought])
    media: list[Media] = field(default_factory=list[Media])
    others: list[Block] = field(default_factory=list[Block])
    """The blocks that are in no other list."""
    marks: list[Mark] = field(default_factory=list[Mark])
    unpaired: list[Unpaired] | None = None
    """The calls and results without a partner; None until a rule needs them."""
    partners: Partners | None = None
    """The calls and results that are not paired; None until a rule needs them."""

    @property
    def texts(self) -> list[Text]:
        """The texts that the model reads."""
        find = self.unseen_texts
        self.unseen_texts = None
        if find is not None:
            self.seen_texts += find(self)
        return self.seen_texts


def objects(value: Json, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects in a list, with their pointers."""
    items: list[Json] = value if isinstance(value, list) else []
    for index, item in enumerate(items):
        if isinstance(item, dict):
            yield f"{at}/{index}", item


def strings(value: Json, at: str) -> Iterator[tuple[str, str]]:
    """The strings in a list, with their pointers."""
    items: list[Json] = value if isinstance(value, list) else []
    for index, item in enumerate(items):
        if isinstance(item, str):
            yield f"{at}/{index}", item


def object_of(value: Json, key: str) -> dict[str, Any]:
    """The object at a key of an object, or an empty object if it has none."""
    found: Json = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}
