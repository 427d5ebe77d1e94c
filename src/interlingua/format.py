"""What a format is: a frozen record of functions, and the notes one dump takes while they run."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

from pydantic_core import SchemaSerializer, core_schema

from ._model import Json
from .errors import escape
from .exchange import Request, Response
from .ids import IdRules, tool_name
from .losses import Ledger, Loss

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from .streams import Reading, Writing

T = TypeVar("T")
Wire = dict[str, Any]

SPELLING = "<spelling>"
"""The key of an owner's `provider_data[family]` that records which of several wire spellings it came in."""


class Format(NamedTuple):
    """One provider's wire shape and the functions that map it to and from the canonical one.

    `family` names the formats that share `provider_data`. `load` maps a wire request to the data of a `Request`, and may
    stop with pydantic's `ValidationError` at the first fault; `adapter` builds, on first use, the validator that finds
    them all. `dump` writes the body of a request with these messages, telling its losses to the `Dumping`.
    `locate(wire, pointer)` translates a pointer into the canonical request to one into the wire, and `owners_stay(wire)`
    tells whether owners have the same in both.
    """

    name: str
    family: str
    adapter: Callable[[], TypeAdapter[Any]]
    load: Callable[[Wire], dict[str, Any]]
    dump: Callable[[Request, Sequence[Any], Dumping], Wire]
    locate: Callable[[Wire, str], str]
    owners_stay: Callable[[Wire], bool]
    ids: IdRules | None = None
    """What it takes as the id of a tool call."""
    profile: Any = None
    listed: str = "messages"
    """The field that a bare list stands for."""
    load_response: Callable[[Wire], dict[str, Any]] | None = None
    """Maps a wire response to the data of a `Response`; raises pydantic's `ValidationError` with every fault."""
    dump_response: Callable[[Response, Dumping], Wire] | None = None
    """Writes a response body, telling its losses to the `Dumping`."""
    reading: Callable[[], Reading] | None = None
    """Begins to read a stream."""
    writing: Callable[[Mapping[str, Format]], Writing] | None = None
    """Begins to write a stream; the formats by name tell it of where the stream comes from."""
    response_only: frozenset[str] = frozenset()
    """Fields of messages and parts that responses have and requests may not."""
    growing: Callable[[Dumping], Growing] | None = None
    """Begins a dump of bare messages that goes on as they become more."""
    load_plainly: Callable[[Wire], dict[str, Any]] | None = None
    """`load`, with a `Plain` in the place of each message that is one; any other fault in it is left for `load` to find."""
    dumps_plain: bool = False
    """Whether `dump` takes such messages: it looks at them through nothing but what `Plain` and `PlainCall` have."""

    def __repr__(self) -> str:
        return f"Format({self.name!r})"


class Growing(Protocol):
    """Dumps of one list of bare messages that grows: each costs what is new, and a copy of the rest."""

    def dump(self, messages: Sequence[Any], settled: int) -> tuple[Wire, list[Loss]]:
        """The body of the messages, and its losses; the first `settled` messages will be the same in every later call."""
        ...


class PlainCall(NamedTuple):
    """What a dump looks at in a tool call that has an id, a name and arguments alone."""

    id: str
    name: str
    arguments: str
    custom: None = None
    cache_control: None = None
    provider_data: None = None


class Plain(NamedTuple):
    """What a dump looks at in a message that has a role and text, and perhaps a call id or plain calls, alone.

    Most messages of a history are of this kind, and `convert`, which shows its messages to nobody, need not pay for models
    of them. Its text is ASCII, which is valid without a further look.
    """

    role: str
    content: str | None
    tool_call_id: str | None
    tool_calls: tuple[PlainCall, ...] | None
    name: None = None
    cache_control: None = None
    provider_data: None = None
    is_error: None = None
    reasoning_content: None = None
    thinking_blocks: None = None
    refusal: None = None


class Dumping(Ledger):
    """One dump under way, and what has been told so far.

    `home`: to the very format that the request was loaded from; `native`: to one of the same family.
    """

    def __init__(self, target: Format, source: Format | None, *, home: bool) -> None:
        super().__init__()
        self.family = target.family
        self.home = home
        self.response_only = target.response_only
        self.from_response = False
        """Whether the message that is being dumped came in a response of this family."""
        self.native = home or (source is not None and source.family == target.family)
        self.names: dict[str, str] = {}
        self.source_ids = source.ids if source is not None else None

    def extras(self, owner: Any, out: Wire, path: str, accepts: Callable[[str], bool] | None = None) -> None:
        """Lay the owner's provider data over what was written for it; tell what belongs to others or is not accepted."""
        for family, overlay in owner.provider_data.items():
            recorded: Json = overlay.get(SPELLING)
            about = recorded if isinstance(recorded, dict) else {}
            within, beside = about.get("within", ()), about.get("beside", ())
            for key, value in overlay.items():
                if key == SPELLING and isinstance(recorded, dict):
                    continue
                if family == self.family and self.from_response and key in self.response_only:
                    at = f"{path}/provider_data/{family}/{escape(key)}"
                    self.tell("response_only", at, None, "requests have no such field")
                elif family == self.family and ((self.home and not self.from_response) or accepts is None or accepts(key)):
                    # The rest of an object that was read in part has no place without the part that was read, unless it
                    # stands on its own (`beside`); an object that could not be read at all has none beside the field that
                    # an edit has put there since.
                    if key in beside or (key in out) == (key in within):
                        lay_over(out, wire_name(key), value)
                else:
                    partly = key in within or key in beside
                    self._foreign(value, f"{path}/provider_data/{family}/{escape(key)}", family, within=partly)

    def tool_name(self, raw: str, path: str, longest: int) -> str:
        """A tool's name as a place of the usual alphabet takes it; told at the `name` of the owner where it is another."""
        name = raw if self.native else self.names.get(raw)
        if name is None:
            name = self.names[raw] = tool_name(raw, longest)
        if name != raw:
            self.tell(
                "changed", path + "/name", None, f"names have letters, digits, _ and -, {longest} at most; sent as {name}"
            )
        return name

    def _foreign(self, value: Json, path: str, family: str, *, within: bool) -> None:
        """Tell a field that only another family has; `within` if the object it stands in was read but for what is here."""
        if within and isinstance(value, dict):
            for key, item in value.items():
                self._foreign(item, f"{path}/{escape(key)}", family, within=key == "json_schema")
        elif value is not None and value != []:
            self.tell("dropped", path, None, f"only {family} has this field")

    def fork(self) -> Self:
        """The same so far, to go on apart."""
        made = copy.copy(self)
        made.losses, made.places = self.losses.copy(), self.places.copy()
        return made

    def drop(self, path: str, detail: str) -> None:
        """Tell that what is at `path` is left out."""
        self.losses.append(Loss(path, None, "dropped", detail))


def lay_over(out: Wire, key: str, value: Json) -> None:
    """Add a recorded field to what was written: objects merge, nothing written is replaced."""
    if key not in out:
        out[key] = copy_plain(value)
    elif isinstance(value, dict) and isinstance(out[key], dict):
        for inner, item in value.items():
            lay_over(out[key], inner, item)


def copy_plain(value: T) -> T:
    """A copy of validated JSON data, so that the caller owns what it gets."""
    copied: T = _COPY(value)
    return copied


_COPY = SchemaSerializer(core_schema.any_schema()).to_python  # no loop of Python's own is as fast


class Kept:
    """JSON objects that are copied again and again: where the objects and lists in them are is found out once."""

    def __init__(self) -> None:
        self._containers: list[Any] = []
        self._links: list[tuple[int, Any, int]] = []
        """Which container has which other under which key."""
        self._tops: list[int] = []

    def __len__(self) -> int:
        return len(self._tops)

    def add(self, value: Wire) -> None:
        """Keep one more; it is not to be changed any more."""
        self._tops.append(self._find(value))

    def _find(self, container: dict[str, Any] | list[Any]) -> int:
        place = len(self._containers)
        self._containers.append(container)
        item: Json
        for key, item in container.items() if type(container) is dict else enumerate(container):
            if type(item) is dict or type(item) is list:
                self._links.append((place, key, self._find(item)))
        return place

    def copies(self) -> list[Wire]:
        """A copy of each that was added, in order."""
        made = [container.copy() for container in self._containers]
        for parent, key, child in self._links:
            made[parent][key] = made[child]
        return [made[place] for place in self._tops]


def leave(
    out: dict[str, Any],
    wire: Wire,
    taken: Container[str],
    family: str,
    spelled: Wire | None = None,
    within: Wire | None = None,
) -> dict[str, Any]:
    """Put what `load` did not take from `wire` into `out`'s provider data, with the spelling where it is worth recording.

    `within` is what is left of objects that it took in part.
    """
    rest = {kept_name(key): value for key, value in wire.items() if key not in taken}
    if within:
        rest |= within
        spelled = {**(spelled or {}), "within": list(within)}
    if spelled:
        rest[SPELLING] = spelled
    if rest:
        out["provider_data"] = {family: rest}
    return out


_LIKE_OURS = re.compile("<+spelling>").fullmatch


def kept_name(key: str) -> str:
    """The name of a wire field in provider data: its own, but for those that look like our record of spellings."""
    return "<" + key if _LIKE_OURS(key) else key


def wire_name(key: str) -> str:
    """The name on the wire of a field of provider data."""
    return key[1:] if key != SPELLING and _LIKE_OURS(key) else key


def wire_names(tokens: Sequence[str]) -> list[str]:
    """The tokens of a pointer beneath an owner's provider data, as the wire has them."""
    return [*map(wire_name, tokens[:1]), *tokens[1:]]


def join(tokens: Iterable[str]) -> str:
    """A JSON Pointer of escaped tokens."""
    return "".join("/" + token for token in tokens)


def spelling(owner: Any, family: str, key: str) -> Any:
    """How the owner's wire spelled `key`, where that was recorded for this family."""
    data = owner.provider_data
    if data is None:
        return None
    overlay = data.get(family)
    if overlay is None or not isinstance(overlay.get(SPELLING), dict):
        return None
    return overlay[SPELLING].get(key)


def came_in_response(message: Any, family: str) -> bool:
    """Whether the message came in a response of this family: its fields are then held to what requests may have."""
    return message.provider_data is not None and spelling(message, family, "came") == "response"
