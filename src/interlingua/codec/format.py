"""A format is a frozen record of functions and facts. Its functions write to the dump under way, which they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from ..errors import Loss, LossKind, ProviderError
from ..model.base import Json
from ..model.exchange import Request, Response
from .carrying import OpaqueFields
from .citable import ReadableMedia, ReadableText
from .error_bodies import read_error
from .error_words import ErrorWords
from .fields import Wire, copy_wire
from .ids import IdRules
from .members import Hosted, Member, undeferred
from .pointers import Locate
from .probabilities import Probabilities
from .required import RequiredFields
from .shared import Path, Setting, Shared, Tier
from .usage import UsageTable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from ..model.events import Event
    from .batches import Batches
    from .event_frames import Frame
    from .hosted.mcp_servers import McpServers
    from .hosted.references import References
    from .hosted.server_calls import ServerCall
    from .hosted.server_tools import ServerTools
    from .hosted.tool_search import ToolSearch
    from .marks import Marks
    from .payloads import PayloadTypes
    from .rules.rule import RuleSet
    from .schemas.dialects import Dialects
    from .strategies.wire import Strategies


ContentForm: TypeAlias = Literal["keep", "string", "list"]
"""How content is written: as it was spelled, as one string if it is only text, or always as a list."""


class Choice(NamedTuple):
    """Chooses one of several formats for a name that stands for all of them; each function returns the name of a format."""

    of_request: Callable[[Json, str | None], str]
    """The format of a request body, given also the model that its URL names."""
    of_response: Callable[[Json], str]
    """The format of a response body."""
    to_write: Callable[[str | None, str | None], str]
    """The format to write, given the model and the format of origin; may raise `InvalidPayload`."""


@dataclass(frozen=True, eq=False)
class Steps:
    """How a format writes a list of messages that grows."""

    write: Callable[[Sequence[Any], int, list[Wire], Any], None]
    """Appends the messages from this index on."""
    lead: Callable[[Sequence[Any], Wire, Any], int] = lambda _messages, _out, _d: 0
    """Writes the system text that is not written as a message; returns the index of the first other message."""
    finish: Callable[[Wire, list[Wire], Any], None] = lambda _out, _written, _d: None
    """Does what depends on how the messages end."""


class Reading(Protocol):
    """Reads the chunks of one stream of a format, in order."""

    # Returns the events of a chunk that only adds text to an open part, as nearly all chunks do. Returns None, and changes
    # nothing, for any other chunk, which is then given to `read`. A format may return None for every chunk.
    def grow(self, chunk: Wire, /) -> list[Event] | None: ...

    # Returns the events of any chunk. Raises `StreamError` if the chunk is malformed.
    def read(self, chunk: Wire) -> list[Event]: ...

    # Returns the events that remain when the provider says that the stream is complete.
    def end(self) -> list[Event]: ...


class Writing(Protocol):
    """Writes the events of one stream in a format, in order; `losses` has what it could not carry."""

    losses: list[Loss]
    names: dict[str, str]
    """The written names of tools whose own names are replaced; the caller who begins the stream adds the unchanged names."""

    # Returns the chunks for an event: none, one or several.
    def write(self, event: Event) -> list[Wire]: ...


class Formats(Protocol):
    """What a dump needs of the table of formats."""

    # Returns the format with a name, or None.
    def get(self, name: str, /) -> Format | None: ...

    # Returns the formats of a family, the main one first.
    def of_family(self, family: str) -> Iterator[Format]: ...


@dataclass(frozen=True, eq=False)
class Mcp:
    """How a format declares MCP servers, whose tools the provider calls."""

    servers: Callable[[], McpServers]
    """Imports and returns the functions that read and write them."""
    field: str | None = None
    """The field of a request with the servers, if tools only refer to them."""


@dataclass(frozen=True, eq=False)
class Format:
    """One provider's wire shape, and the functions that map it to and from the canonical one.

    Formats of one `family` share `provider_data`. `load` maps a wire request to the data of a `Request`, and may raise
    pydantic's `ValidationError` at the first fault. `adapter` builds, on first use, the validator that finds all faults. `dump`
    writes the body of a request with the given messages and reports its losses to the `Dump`. `locating(wire)` translates
    pointers into the canonical request to pointers into the wire; a message that the wire has as several objects has several.
    `native` says whether a message could have been loaded from this format, or None if only a round trip can tell.
    """

    name: str
    family: str
    adapter: Callable[[], TypeAdapter[Any]]
    load: Callable[[Wire], dict[str, Any]]
    dump: Callable[[Request, Sequence[Any], Any], Wire]
    locating: Callable[[Wire], Locate]
    native: Callable[[Any], bool | None]
    new_dump: Callable[..., Any]
    """Begins a dump: a `Dump`, or a subclass with what this format keeps track of."""
    shape: Callable[[Wire], Wire | None] = copy_wire
    """Copies what `locating` needs of a request; None if all pointers stay the same."""
    ids: IdRules | None = None
    """What it accepts as the id of a tool call."""
    profile: Any = None
    """What its host or model accepts, if that differs between hosts."""
    made_for: Callable[[Any, str], Format] | None = None
    """Makes this format for another profile of the same class, under another name."""
    beside: Callable[[Wire, Locate], Locate] | None = None
    """Finds fields of a request that are about a message, part or tool but outside of it; they are lost when it is dropped."""
    with_content: Callable[[ContentForm], Format] | None = None
    """The same format with content written in another form."""
    listed: str = "messages"
    """The field that has the messages; a bare list is read as this field."""
    in_text: frozenset[str] = frozenset()
    """Pointers of the texts that have several messages or tools each: whatever is lost of them changes the text."""
    roles: frozenset[str] = frozenset()
    """The words for the role of a message; empty if messages have no role."""
    role_field: str = "role"
    """The field of a message that has its role."""
    system: str | None = None
    """The field for the leading system text, if that is not a message."""
    path: Callable[[str, bool], str] | None = None
    """The path and query of a request, after the base URL of the provider's client, by model and whether it is streamed."""
    in_url: frozenset[str] = frozenset()
    """Those of `model` and `stream` that are in the URL and not in the body; leaving them out is not a loss."""
    response_adapter: Callable[[], TypeAdapter[Any]] | None = None
    """Builds, on first use, the validator of a response body."""
    load_response: Callable[[Wire], dict[str, Any]] | None = None
    """Maps a wire response to the data of a `Response`; raises pydantic's `ValidationError` with every fault."""
    dump_response: Callable[[Response, Any], Wire] | None = None
    """Writes a response body and reports its losses to the `Dump`."""
    response_fields: tuple[str, ...] = ()
    """The fields of which a response has at least one; a body without any is not a response of this format."""
    required: RequiredFields | None = None
    """The fields that the models of its official client require in a response; `fill=` adds them."""
    dump_error: Callable[[ProviderError], Wire] | None = None
    """Writes an error body."""
    error_words: ErrorWords | None = None
    """The words that its provider uses for errors."""
    stream_error: Callable[[ProviderError], Wire] = lambda error: {"message": error.message}
    """Makes the value of an `ErrorEvent` from an error that is already in its words."""
    reading: Callable[[Format], Reading] | None = None
    """Begins to read a stream of this format, which is the argument."""
    writing: Callable[[Format, Formats], Writing] | None = None
    """Begins to write a stream of this format; the arguments are this format and the table of formats."""
    event_field: str | None = None
    """The field of a chunk that repeats the name of its server-sent event, if its events have names."""
    unframe: Callable[[Wire, str | None], Wire] | None = None
    """Takes the chunk out of an event of its transport, given the event's name; None if the event is the chunk."""
    frame: Callable[[Wire], Frame] | None = None
    """Puts a chunk into a message of an AWS event stream, if the provider streams that way."""
    stream_type: str = "text/event-stream"
    """The content type of a stream's body."""
    end_mark: str | None = None
    """The data of the server-sent event that ends a stream, if it is not a chunk."""
    stops_early: bool = False
    """Whether its streams may continue after a stop reason, and then give another one; the last of them counts."""
    signs_calls_last: bool = False
    """Whether its streams may give the signature of a call after the call, so that it is certain only when the message ends."""
    pieces_in: frozenset[str] | None = None
    """The fields for text: every chunk with text has at least one of these. None if they are not known."""
    rules: Callable[[Format], RuleSet] | None = None
    """What the provider refuses; the rules are imported when this is called."""
    dialects: Callable[[Format], Dialects] | None = None
    """The dialects of JSON Schema that it accepts; None if they are not known. Imported when this is called."""
    payloads: Callable[[Format], PayloadTypes] | None = None
    """The types of what a dump returns, if they are more precise than `dict[str, Any]`; imported when this is called."""
    marks: Callable[[], Marks] | None = None
    """How its payloads are recognised; the marks are imported when this is called."""
    batch: Callable[[], Batches] | None = None
    """The rows of batch files and datasets that its requests and responses are in; imported when this is called."""
    strategies: Callable[[], Strategies] | None = None
    """The strategies of `interlingua.testing` for requests and responses; Hypothesis is imported when this is called."""
    writing_without_usage: Callable[[Format, Formats], Writing] | None = None
    """Like `writing`, without the usage, if a stream has it only when the request asks for it."""
    asks_for_usage: Callable[[Wire], bool] | None = None
    """Whether a request asks for the usage in its stream; None if every stream has it."""
    free_functions: bool = False
    """Whether other messages may come between a call and its result if both have only the function's name, and no id."""
    free_results: bool = False
    """Whether other messages may come between any call and its result."""
    split_calls: Literal["accepted", "refused"] | None = None
    """Whether the calls of a turn may be in several messages, with all results behind the last; None if that is not known."""
    answered_calls: bool = False
    """Whether an answer may contain the results of calls that it makes, because the server runs some tools itself."""
    response_only: frozenset[str] = frozenset()
    """Fields of messages and parts that are allowed in responses but not in requests."""
    response_metadata: frozenset[str] = frozenset()
    """Fields that say how a response or choice was made (hosts, times, fingerprints), which other providers do not have.

    The name of a field of a message begins with `message/`.
    """
    rendered: bool = False
    """Whether its requests reach the model as text that a chat template prints."""
    json_form: str | None = None
    """The name of the format that has the same requests as JSON, if requests of this format contain bytes."""
    lost_error: LossKind = "dropped"
    """The kind of loss if the target cannot mark a result as an error: `changed` if the mark is the name of a field."""
    wrappers: frozenset[str] = frozenset()
    """Fields of parts that wrap their content, such as a guard around a text: that the field is present is information."""
    switches: frozenset[str] = frozenset()
    """Fields that are switched on by an empty object; in any other field, an empty object has no meaning."""
    item_fields: frozenset[str] = frozenset()
    """Fields with the numbers and states of messages and parts in a response; they have no meaning in other formats."""
    with_stand_in: Callable[[Any], Any] | None = None
    """Adds a stand-in to a call without a signature, if the provider documents one."""
    opaque: OpaqueFields | None = None
    """Its fields that clients send back unchanged; they can carry the signatures of other providers."""
    readable: Callable[[Wire], ReadableText | None] | None = None
    """The text to send to other providers for a part that only this one has; None if the part has no such text."""
    left_out: Callable[[Wire], str | None] | None = None
    """Why other providers do not get a message or part that is kept whole; None if its type says enough."""
    only_refers: Callable[[Wire], bool] | None = None
    """Whether a part that is kept whole has nothing but the id of what the provider has kept for itself."""
    usual_fields: Mapping[str, Json] = field(default_factory=dict[str, Json], hash=False)
    """Fields, each with the value that means the same as leaving the field out; of an object, with the values of its fields."""
    sent_in_part: Callable[[Wire], Mapping[Path, str]] | None = None
    """Returns the paths of values in provider data of which a canonical field carries only a part, each with what is lost."""
    usage: UsageTable | None = None
    """Where its responses have each count of tokens."""
    offers: Callable[[Wire], Iterator[Member]] | None = None
    """Finds the functions and custom tools inside one of its own tools or items."""
    tools_from: Hosted = field(default_factory=dict[str, Any], hash=False)
    """Its own tools, made from those of the provider's other APIs, by their families."""
    tools_for: Hosted = field(default_factory=dict[str, Any], hash=False)
    """The tools of the provider's other APIs, made from its own, by their families."""
    own_allowed: Path = ()
    """The path in provider data to its own tools that a tool choice allows beside functions; each has a `type`."""
    tool_items: frozenset[str] = frozenset()
    """The types of items and parts among its messages that do nothing but add tools, or roles, for messages without a type."""
    namespace: str | None = None
    """The field of calls and results that names the tool's group, if its tools have groups."""
    unasked: Mapping[str, tuple[Json, ...]] = field(default_factory=dict[str, tuple[Json, ...]], hash=False)
    """The values of shared settings that ask for what its answers have anyway, by the names in `codec.shared.KINDS`."""
    shared: Shared = field(default_factory=dict[str, Setting], hash=False)
    """Its settings that have no canonical field but that other formats have, too."""
    probabilities: Probabilities | None = None
    """Reads and writes the log probabilities in its answers."""
    tier: Tier | None = field(default=None, hash=False)
    """Reads and writes the service tier in its answers."""
    server_tools: ServerTools = field(default_factory=dict[str, Any], hash=False)
    """Its forms of the tools that several providers run, by their names: web search, web fetch, code execution."""
    ran: Callable[[Wire], ServerCall | None] | None = None
    """Reads a part of this format that is a call the provider's server ran, or the result of one; None for any other part."""
    mcp: Mcp | None = None
    """How its requests declare MCP servers, if the provider calls such servers."""
    media: Callable[[Wire], ReadableMedia | None] | None = None
    """Returns the image or audio that other providers get for a part that only this one has; None if it has neither."""
    tool_search: ToolSearch | None = None
    """Reads and writes its tool search and deferred tools, if it has them."""
    references: References | None = None
    """How it spells references to tools that the client has found, if it has them."""
    makes_strict: bool = False
    """Whether it makes a function without `strict` strict if the schema allows it."""
    allowed_tools: int | None = None
    """The fewest tools that a tool choice can allow; None if no choice allows only some tools, 0 if it has no tool choice."""
    history: Steps | None = None
    """Writes a list of messages that grows, without a request."""
    goes_on: Literal["never", "marked", "always"] = "never"
    """Whether answers continue an assistant message at the end of a request; `marked`: only if a field says so."""
    prefill_marks: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    """The fields that ask for this, each with the field that must be true for it."""
    choice: Choice | None = None
    """Chooses the format that is read or written instead, if this one stands for several."""

    def __repr__(self) -> str:
        return f"Format({self.name!r})"

    @cached_property
    def known_dialects(self) -> Dialects | None:
        """The dialects of JSON Schema that the provider accepts; None if they are not known."""
        return None if self.dialects is None else self.dialects(self)

    @cached_property
    def _shared_by_field(self) -> Mapping[str, list[str]]:
        """The names of the settings in `shared`, in order, by the fields of a request that may have them."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.shared):
            for field_name in {path[0]: None for path in self.shared[name].paths}:
                found.setdefault(field_name, []).append(name)
        return found

    def shared_in(self, overlay: Wire) -> Sequence[str]:
        """The names of the settings in `shared` that provider data of a request may have, in order."""
        by_field = self._shared_by_field
        fields = [name for name in overlay if name in by_field]
        if len(fields) == 1:
            return by_field[fields[0]]
        return sorted({name for field_name in fields for name in by_field[field_name]})

    def is_usual(self, key: str, value: Json) -> bool:
        """Whether leaving out a field of a part or tool means the same as this value; of an object, leaving out its fields."""
        usual = self.usual_fields.get(key, [])
        if type(value) is dict and type(usual) is dict:
            return value.items() <= usual.items()
        return bool(value == usual)

    def change_of(self, key: str, value: Json, target: Format, *, named: bool, at_end: Wire | None) -> str | None:
        """The text to report for a field that names a tool's group, defers a tool, or marks an unfinished answer.

        Empty if nothing is lost; None for all other fields. `named` is whether the tool's name already contains its group,
        `at_end` has the fields beside it, if it is of an assistant message at the end or of the request that ends with one.
        """
        if key == self.namespace and type(value) is str:
            return "" if named else "the name of the tool that is called begins with its group"
        if self.tool_search is not None and key == self.tool_search.deferral and type(value) is bool:
            return undeferred(target.name) if value else ""
        if at_end is not None and (mark := self.prefill_marks.get(key)) is not None:
            is_carried = value is False if at_end.get(mark) is False else at_end.get(mark) is True and target.goes_on != "never"
            return "" if is_carried else None
        return None

    @property
    def always_counts(self) -> bool:
        """Whether each of its streams has the usage, even if the request does not ask for it."""
        return self.writing is not None and self.writing_without_usage is None

    def _repr_pretty_(self, printer: Any, _is_cycle: bool) -> None:
        # Otherwise IPython and Hypothesis show all the fields of a dataclass.
        printer.text(repr(self))

    def __deepcopy__(self, _memo: object) -> Format:
        return self

    def own_error(self, error: ProviderError, source: Format | None) -> ProviderError:
        """An error of another provider in the words of this one; `source` is None if it is not known who reported it."""
        words = self.error_words
        if words is None or (source is not None and source.error_words is words):
            return error
        return words.translated(error, foreign=source is not None)

    def own_stream_error(self, error: Wire, source: Format | None) -> Wire:
        """The value of an `ErrorEvent` in the words of this format; unchanged if it has no words of another provider."""
        found = read_error({"error": error})
        own = self.own_error(found, source)
        return error if own is found else self.stream_error(own)

    def may_stop_again(self, target: Format) -> bool:
        """Whether its streams may continue after a stop reason, although the target's clients stop reading at the first."""
        return self.stops_early and self.family != target.family

    def locate(self, wire: Wire, pointer: str) -> str:
        """The pointer into a wire request for a pointer into its canonical form; the first one, if there are several."""
        return self.locating(wire)(pointer)[0]
