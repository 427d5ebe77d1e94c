"""A request's body as rules see it: its messages in order, and one list for each kind of thing.

Each format's module makes the view of its bodies in one walk, so that a rule looks only at what it is about. A view holds what
is of the right type and leaves out the rest, whose faults the wire types report: rules never fail on malformed input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ...errors import escape, quick
from ...model.base import Json

Found: TypeAlias = Iterator[tuple[str, str]]
"""The faults that a rule finds: JSON Pointers into the body, each with a sentence for people, without content."""


class Turn(NamedTuple):
    """One message, content or item of the body; `role` is None if it has none."""

    at: str
    role: str | None
    value: dict[str, Any]


class Text(NamedTuple):
    """A text that the model reads; `turn` is the index of its turn, and -1 for system text outside the list of messages."""

    at: str
    text: str
    turn: int
    in_result: bool = False


class Call(NamedTuple):
    """A tool call; its id, name and arguments are as the wire has them, and None where it has none."""

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
    """The result of a tool call, with the id or, where a format has no ids, the name of the call that it answers."""

    at: str
    turn: int
    id: Any
    id_at: str
    name: Any = None
    content: Any = None
    failed: bool = False


class Thought(NamedTuple):
    """Reasoning of the model; `signature` is None where it has none."""

    at: str
    turn: int
    signature: Any
    value: dict[str, Any]


class Media(NamedTuple):
    """An image, audio, video or document: inline (`data` is base64, `raw` bytes), by URL, or by an id (all None)."""

    at: str
    turn: int
    kind: str
    media_type: str | None
    data: str | None
    url: str | None
    in_result: bool = False
    raw: bytes | None = None
    value: dict[str, Any] | None = None
    """The object of the media, where the view of a format has it."""


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
    """A part of a message; its kind is the name of its type, empty where it has none."""

    at: str
    turn: int
    kind: str
    value: dict[str, Any]


class Mark(NamedTuple):
    """A cache mark, and where it is: in a block or a tool, or as a separate block."""

    at: str
    ttl: str
    kind: str
    holder: dict[str, Any]


class SchemaNode(NamedTuple):
    """A schema inside a tool's or an answer's schema: `steps` lead to it from the schema `within`, or the root's pointer.

    Its types are in small letters, and none where it does not say.
    """

    schema: dict[str, Any]
    types: tuple[str, ...]
    strict: bool
    within: SchemaNode | str
    steps: tuple[str, ...]
    depth: int = 0

    @property
    def root(self) -> bool:
        """Whether this is the whole schema."""
        return self.depth == 0

    @property
    def at(self) -> str:
        """Its pointer."""
        steps: list[str] = []
        node: SchemaNode | str = self
        while isinstance(node, SchemaNode):
            steps += reversed(node.steps)
            node = node.within
        return "/".join((node, *(escape(str(step)) for step in reversed(steps))))


new_node = quick(SchemaNode)


class Unpaired(NamedTuple):
    """The calls of a turn without a result in the next one, and the results there without a call."""

    turn: int
    calls: list[Call]
    results: list[Result]


class Partners(NamedTuple):
    """The calls that have no result at all, the results that answer no call, and those whose call is further up."""

    unanswered: list[Call]
    orphans: list[Result]
    far: list[Result]


@dataclass(slots=True)
class SchemaView:
    """A body, with its tools and the schemas of its answers: all that rules about schemas look at."""

    body: dict[str, Any]
    tools: list[ToolDefinition] = field(default_factory=list[ToolDefinition])
    outputs: list[OutputSchema] = field(default_factory=list[OutputSchema])
    tool_nodes: list[SchemaNode] | None = None
    output_nodes: list[SchemaNode] | None = None
    strict_nodes: list[SchemaNode] | None = None
    """The schemas inside those of the tools and answers, and those of them that are strict, once a rule has asked for them."""


@dataclass(slots=True)
class View(SchemaView):
    """A body, and lists of the things in it."""

    turns: list[Turn] = field(default_factory=list[Turn])
    seen_texts: list[Text] = field(default_factory=list[Text])
    unseen_texts: Callable[[View], Iterator[Text]] | None = None
    """Finds the texts when a rule asks for them, in formats of which few rules do."""
    wide: list[Text] = field(default_factory=list[Text])
    """The texts that are not ASCII; in Chat's view also very long ones, and arguments of calls."""
    blank: list[Text] = field(default_factory=list[Text])
    """In the views of formats of blocks: the texts that are empty or white space."""
    special: list[Turn] = field(default_factory=list[Turn])
    """The messages that are more than text; in the views of Chat and Responses also more than calls or one result."""
    parts: list[Block] = field(default_factory=list[Block])
    """In Chat's view: the parts of messages."""
    calls: list[Call] = field(default_factory=list[Call])
    results: list[Result] = field(default_factory=list[Result])
    by_turn: tuple[dict[int, list[Call]], dict[int, list[Result]]] | None = None
    """The calls and the results of each turn that has any, once a rule has asked for them."""
    thoughts: list[Thought] = field(default_factory=list[Thought])
    media: list[Media] = field(default_factory=list[Media])
    others: list[Block] = field(default_factory=list[Block])
    """The blocks that are in no other list."""
    marks: list[Mark] = field(default_factory=list[Mark])
    unpaired: list[Unpaired] | None = None
    """The calls and results without a partner, once a rule has asked for them."""
    partners: Partners | None = None
    """The faulty pairs of calls and results, once a rule has asked for them."""

    @property
    def texts(self) -> list[Text]:
        """The texts that the model reads."""
        find = self.unseen_texts
        self.unseen_texts = None
        if find is not None:
            self.seen_texts += find(self)
        return self.seen_texts


def objects(value: Json, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list, each with its pointer."""
    items: list[Json] = value if isinstance(value, list) else []
    for index, item in enumerate(items):
        if isinstance(item, dict):
            yield f"{at}/{index}", item


def strings(value: Json, at: str) -> Iterator[tuple[str, str]]:
    """The strings of a list, each with its pointer."""
    items: list[Json] = value if isinstance(value, list) else []
    for index, item in enumerate(items):
        if isinstance(item, str):
            yield f"{at}/{index}", item


def object_of(value: Json, key: str) -> dict[str, Any]:
    """The object at a key of an object, or an empty object if it has none."""
    found: Json = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}
