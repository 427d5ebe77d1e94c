"""The dump under way, which the functions of a format write to and report to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from ..errors import Loss, LossKind, escape, excerpt, new_loss
from ..model.base import Json
from ..model.exchange import Choice
from ..model.messages import kinds_of
from .carrying import is_unreadable, unverifiable
from .fields import Wire, copy_wire, displaced, has_place, lay_over, leaves, read_in_part, says_nothing, spelling, unread
from .format import Format, Formats
from .hosted.server_tools import search_by_option
from .ids import ANY_ID, FreeNames, ToolIds, given_id, tool_name
from .media_types import report_media_type
from .members import NAMED_BY_GROUP, SentTool, additions
from .native import is_native
from .nouns import noun, type_of
from .strictness import reporting
from .usage import MEANT, NO_COUNTS, StopTable

if TYPE_CHECKING:
    from .offered import OfferedTools
    from .schemas.dialects import Dialects

NOTHING_LEFT = "nothing in this message can be sent to the target"
ONLY_REFERS = "this refers to something that only its provider has"


@cache
def _offered_tools() -> type[OfferedTools]:
    from .offered import OfferedTools  # noqa: PLC0415 -- would slow down each start, for tools that few requests have

    return OfferedTools


class Dump:
    """One dump under way: the rules for the current owner, the losses and places so far, the ids and names in use.

    An owner is an object that losses point at: a request, message, part, call or tool. Paths are JSON Pointers into the
    canonical request or response; the caller of the dump translates them into its document.

    A request may have messages of other formats. `rules_for` returns the dump for a message: this one, or a view of it.
    """

    profile: Any
    """The profile of the target, of the class of its format."""
    from_response = False
    """Whether the message being written came in a response of the target's family."""
    longest_name = 64
    """How long the name of a tool may be."""
    settings = True
    """Whether the settings of a request are written. If not, it has none, but the record of their spelling may be there."""
    begun: str | None = None
    """The path of the assistant message at the end, which the answer continues; None in a history, which may end with one."""
    takes_custom = False
    """Whether the target has custom tools, whose input is free text."""
    kinds: Collection[str] | None = None
    """The kinds of the parts of an answer that is written as a stream; its message does not have the parts."""
    of_response = False
    """Whether a response is written, whose calls name the tools of the client."""
    refers: frozenset[str] = frozenset()
    """The names of the tools that references in another provider's results name."""
    collect_losses = True
    """False when the caller ignores losses; then no work is done to find them."""

    def __init__(self, target: Format, source: Format | None, *, same_format: bool, formats: Formats) -> None:
        self.losses: list[Loss] = []
        self.places: dict[str, str] = {}
        """The pointer in the canonical request or response of each owner, by its pointer in the output."""
        self.target = target
        self.source = source
        self.formats = formats
        self.family = target.family
        self.profile = target.profile
        self.same_format = same_format
        """Whether the request or response was loaded from the target."""
        self.exact = same_format
        """Whether the current owner is written as it was loaded, without the rules for conversions."""
        self.same_family = same_format or (source is not None and source.family == target.family)
        """Whether the current owner comes from the target's family."""
        self.from_target = same_format
        """Whether the current message was loaded from the target, so that it may be written by the target's rules."""
        self.names: dict[str, str] = {}
        """The names that tools are written with, by their own names."""
        self.nulls: dict[str, Any] = {}
        """The places of the nulls that mean an absent property, by the names that the tools are written with."""
        self.free_form: set[str] = set()
        """The pointers of the free-form tools that become functions, whose schemas are not the source's."""
        self._free_names = FreeNames()
        self._offered: OfferedTools | None = None
        self.native: dict[int, tuple[Any, bool]] = {}
        """Whether a message is native, by the `id()` of the object, so that each is checked once."""
        self.source_ids = source.ids or ANY_ID if source is not None else None
        self._ids: ToolIds | None = None
        self.begin()

    def begin(self) -> None:
        """Set the attributes that a format's subclass adds."""

    @property
    def ids(self) -> ToolIds:
        """The ids of tool calls, made on first use."""
        if self._ids is None:
            self._ids = ToolIds(self.target.ids or ANY_ID, self.losses)
        return self._ids

    @property
    def dialects(self) -> Dialects | None:
        """The schemas that the target accepts; None if the source accepts the same, or if they are not known."""
        found = self.target.known_dialects
        return None if self.source is not None and self.source.known_dialects is found else found

    def unsaid(self, family: str, usage: Wire) -> Iterable[tuple[str, str]]:
        """The fields of a family's usage that no count keeps, and why; nothing if the caller ignores losses."""
        source = self.format_of(family)
        table = source.usage if source.family == family else None
        return (table or NO_COUNTS).unsaid(usage) if self.collect_losses else ()

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"native": {}}  # copies have other ids

    def report(self, kind: LossKind, path: str, at: str | None, detail: str) -> None:
        """Report one loss."""
        self.losses.append(new_loss((path, at, kind, detail)))

    def drop(self, path: str, detail: str) -> None:
        """Report that what is at `path` is left out, or moved if it only adds tools."""
        if self._offered is not None and path in self._offered.moved:
            self.report("moved", path, None, f"{self.target.name} puts all tools in one place, before the messages")
        else:
            self.losses.append(new_loss((path, None, "response_only" if detail == ONLY_REFERS else "dropped", detail)))

    def refuse(self, path: str, detail: str) -> Wire | None:
        """Report that what is at `path` is left out; returns None, because nothing is written."""
        self.drop(path, detail)
        return None

    def own_value(self, owner: Any, path: str, what: str) -> Wire | None:
        """A copy of an opaque value, such as a "part"; None, with a report, if it is another family's."""
        searched = None if self._offered is None or owner.format == self.family else self._offered.searched(path, self)
        own: Wire | None = copy_wire(owner.value) if owner.format == self.family else searched
        return self.refuse(path, self.no_place_for(owner, what)) if own is None else own

    def is_searched(self, path: str) -> bool:
        """Whether an opaque part of another provider belongs to a tool search, which the target has, too."""
        return self._offered is not None and self._offered.searches_at(path)

    def own_tool(self, tool: Any, path: str, at: str) -> Wire | None:
        """A copy of an opaque tool, whose place is recorded; None, with a report, if it is another family's."""
        own = self.own_value(tool, path, "tool")
        if own is not None:
            self.places[at] = path
        return own

    def is_foreign(self, issuer: str | None) -> bool:
        """Whether the target cannot verify or read what this issuer made.

        A format whose profile does not name issuers, or without a profile, accepts only its own family as issuer.
        """
        if self.exact or issuer is None:
            return False
        return issuer not in getattr(self.target.profile, "issuers", (self.family,))

    def sent_signature(self, signed: Any, path: str) -> str | None:
        """The signature of a part or an event; None, with a report, if another issuer made it."""
        signature: str | None = signed.signature
        if signature is None or not is_unreadable(signed, self):
            return signature
        self.drop(path + "/signature", unverifiable(signed))
        return None

    def no_place(self, what: str, family: str) -> str:
        """Why something without a canonical form is left out: it belongs to another family or dialect."""
        other = f" of the {excerpt(family)} family" if family != self.family else ""
        return f"{self.target.name} has no place for {what}{other}"

    def no_place_for(self, owner: Any, what: str) -> str:
        """Why an opaque value of another family, such as a "part", is left out; the text names its type, if it has one."""
        source = next(self.formats.of_family(owner.format), None)
        if source is not None and source.left_out is not None and (why := source.left_out(owner.value)) is not None:
            return why
        if source is not None and source.only_refers is not None and source.only_refers(owner.value):
            return ONLY_REFERS
        named = type_of(owner.value, "")
        return self.no_place(f"a {what} of type {named}" if named else f"this {what}", owner.format)

    def is_native(self, message: Any) -> bool:
        """Whether a message could have been loaded from the target."""
        if (key := id(message)) not in self.native:
            self.native[key] = message, is_native(message, self.target)
        return self.native[key][1]

    def response_rules(self, message: Any) -> Self:
        """The dump for the message of a response, which is exact if the message is native."""
        return self if self.same_format and self.is_native(message) else self.by_rules()

    def fork(self, _written: Sequence[Wire], _copied: list[Wire], /) -> Self:
        """A copy for a trial of the rest of a dump, with the same ids; `_copied` has copies of what was written."""
        return self._view(losses=self.losses.copy(), places=self.places.copy(), names=self.names.copy())

    def separate_ids(self) -> None:
        """From now on, use a copy of the ids, so that those of the original dump stay as they are."""
        self._ids = self.ids.fork(self.losses)

    def drop_unplaced(self, owner: Any, path: str, *placed: str) -> None:
        """Report the fields of a part or call that most formats do not have; `placed` names those that the target has.

        They are `signature`, `citations`, and the `media_type` of a source that is a URL or a file id.
        """
        if owner.signature is not None and "signature" not in placed:
            self.drop(path + "/signature", f"{self.target.name} has no field for the signature of this {noun(owner)}")
        fields = owner.__dict__  # `getattr` is slow if a model does not have the field
        if fields.get("citations") and "citations" not in placed:
            self.drop(path + "/citations", f"{self.target.name} has no field for the citations of this {noun(owner)}")
        if fields.get("source") is not None:
            report_media_type(owner, path, self, placed="media_type" in placed)

    def drop_named(self, owner: Any, path: str, *names: str) -> None:
        """Report fields that the target lacks, except those that say nothing and those that are defaults of the source."""
        for name in names:
            value = getattr(owner, name, None)
            if says_nothing(name, value):
                continue
            if getattr(owner, "wire", None) is None or spelling(owner, name) != "absent":
                self.drop(f"{path}/{name}", f"{self.target.name} has no field `{name}`")

    def drop_error_flag(self, result: Any, path: str) -> None:
        """Report that the target cannot mark a tool result as an error; `false` is not a loss."""
        if result.is_error:
            kind = "dropped" if self.source is None else self.source.lost_error
            self.report(kind, path + "/is_error", None, f"tool results of {self.target.name} have no error flag")

    # Rules, message by message

    def rules_for(self, message: Any) -> Self:
        """The dump for a message: exact if it is native and the format is the same; else by the rules for conversions."""
        record = message.wire
        if record is not None and (record.response or record.origin is not None):
            return self._rules_for_record(record.origin, response=bool(record.response), message=message)
        # A result without an id gets the id that was given to a call of another provider.
        answers = message.role == "tool" and message.tool_call_id is None and self.ids.unanswered.names
        return self.by_rules() if self.same_format and (answers or not self.is_native(message)) else self

    def by_rules(self) -> Self:
        """The dump by the rules for conversions, for an owner that this format did not write."""
        return self._view(exact=False, same_family=False, source_ids=None, from_target=False) if self.exact else self

    def _rules_for_record(self, origin: str | None, *, response: bool, message: Any) -> Self:
        source = self.target if origin == self.target.name else self.formats.get(origin or "")
        own_family = source is not None and source.family == self.family
        is_own = source is self.target and not response
        if self.same_format and is_own and self.is_native(message):
            return self
        ids = source.ids or ANY_ID if source is not None else self.source_ids
        own = {"from_target": source is self.target, "from_response": response and own_family}
        return self._view(exact=False, same_family=own_family, source_ids=ids, **own)

    def _view(self, **rules: Any) -> Self:
        made = object.__new__(type(self))  # cheaper than `copy.copy`
        vars(made).update(vars(self), _ids=self.ids, **rules)
        return made

    def reserve(self, messages: Sequence[Any], tools: Sequence[Any] = ()) -> None:
        """Reserve the ids and tool names of native messages and tools, so that no other call or tool gets them."""
        self._free_names.request = messages, tools
        self.find_tools(messages, tools)
        if not self.same_format or all(self.rules_for(message) is self for message in messages):
            return
        self.names |= {name: name for tool in tools if (name := getattr(tool, "name", None)) is not None}
        for message in messages:
            if message.role == "assistant" and self.rules_for(message) is self:
                for call in message.tool_uses:
                    self.names[call.name] = call.name
                    if call.id is not None:
                        self.ids.reserve(call.id)

    # Responses

    def stop_word(self, table: StopTable, choice: Choice, path: str, at: str, *, accepts_any: bool = False) -> str | None:
        """The stop reason to write at `at`, in the target's words; reports what the target has no field for."""
        if choice.incomplete and not self.exact:
            self.drop(path + "/incomplete", f"{self.target.name} has no field that says that an answer is incomplete")
        if choice.stop_reason is None:
            return None
        reason, native = choice.stop_reason, choice.native_stop_reason
        if reason in ("stop", "tool_calls") and not self.same_family:
            kinds = self.kinds if self.kinds is not None else kinds_of(choice.message)
            if (meant := table.meaning(reason, kinds)) != reason:
                return self.meant_word(table, meant, path, at)
        word, same = table.dump(reason, native, same_family=self.same_family, exact=self.exact, accepts_any=accepts_any)
        if not same:
            detail = f"{self.target.name} does not have the stop reason {excerpt(choice.stop_reason)}; sent as {excerpt(word)}"
            self.report("changed", path + "/stop_reason", at, detail)
        return word

    def meant_word(self, table: StopTable, meant: str, path: str, at: str | None) -> str:
        """The target's word for what the stop reason means for this answer; reports the change."""
        word, _ = table.dump(meant, None, same_family=False)
        self.report("changed", path + "/stop_reason", at, f"{MEANT[meant]}; sent as {excerpt(word)}")
        return word

    # Provider data

    def lay_provider_data(self, owner: Any, out: Wire, path: str, accepts: Callable[[str], bool] | None = None) -> None:
        """Add the provider data of an owner to what was written for it; report data that are foreign or not accepted."""
        data: Mapping[str, Wire] | None = owner.provider_data
        if not data:
            return
        partial, standalone = read_in_part(owner.wire)
        for family, overlay in data.items():
            if family != self.family:
                left = self.adopt(family, overlay, out) if out else overlay
                if left and self.collect_losses:
                    named = owner.__dict__.get("name") is not None
                    self.drop_overlay(f"{path}/provider_data/{family}", left, family, partial, named=named)
                continue
            for key, value in overlay.items():
                if self.from_response and self.is_response_only(key):
                    at = f"{path}/provider_data/{family}/{escape(key)}"
                    why = f"requests of {self.target.name} must not have `{excerpt(key)}`, which only responses have"
                    self.report("response_only", at, None, why)
                elif self.exact or accepts is None or accepts(key):
                    if has_place(key, out, partial, standalone):
                        lay_over(out, key, value)
                    if key in out and self.collect_losses and not self.exact:
                        for where in displaced(value, out[key], "/" + escape(key)):
                            self.drop(f"{path}/provider_data/{family}{where}", "something else is written in its place")
                else:
                    self.drop_overlay(f"{path}/provider_data/{family}", {key: value}, family, partial)

    def adopt(self, _family: str, overlay: Wire, _out: Wire, /) -> Wire:
        """Write the fields of another family's provider data that the target has, too; returns the others."""
        return overlay

    def drop_overlay(self, path: str, overlay: Wire, family: str, partial: Collection[str], *, named: bool = False) -> None:
        """Report fields of provider data that the target does not have; `partial` has pointers to objects read in part.

        `named` is whether the owner has a name, which then includes the group of its tool.
        """
        source = self.format_of(family)
        why = self.no_place("this field", family)
        only_there = () if source is self.target else source.item_fields
        moved = () if self._offered is None else self._offered.moved
        is_at_end = self.begun is not None and path.removesuffix(f"/provider_data/{family}") in ("", self.begun)
        at_end = overlay if is_at_end else None
        value: Json
        for key, value in overlay.items():
            pointer = "/" + escape(key)
            if value is None or source.is_usual(key, value) or path + pointer in moved:
                continue
            instead = None if self.of_response else source.change_of(key, value, self.target, named=named, at_end=at_end)
            if instead is not None:
                if instead:
                    self.report("changed", path + pointer, None, instead)
                continue
            if key in source.wrappers:
                detail = "the object around these fields is left out: the fields are sent without it"
                self.report("changed", path + pointer, None, detail)
                lost = leaves(value, pointer)
            elif type(value) is dict and (value or key not in source.switches):
                lost = unread(value, pointer, partial)
            else:
                lost = [pointer]
            for where in lost:
                self.report("response_only" if key in only_there else "dropped", path + where, None, why)

    def format_of(self, family: str) -> Format:
        """The format that a family's data come from: the source, else the family's first format, else the target."""
        if self.source is not None and self.source.family == family:
            return self.source
        return next(self.formats.of_family(family), self.target)

    def is_response_only(self, key: str) -> bool:
        """Whether a field of a message or part from a response must not be sent back."""
        return key in self.target.response_only

    def drop_fields(self, owner: Any, path: str) -> None:
        """Report the provider data of an owner as left out."""
        self.lay_provider_data(owner, {}, path, lambda _key: False)

    # Tools

    def find_tools(self, messages: Sequence[Any], tools: Sequence[Any]) -> None:
        """Find the tools inside another provider's tools, and inside its items and parts among the messages."""
        if self.exact:
            return
        may_add = self.source is not None and bool(self.source.tool_items)
        if (tools and "opaque" in [tool.type for tool in tools]) or (may_add and any(additions(messages))):
            self._offered = _offered_tools()(tools, messages, self)

    def tools_of(self, request: Any) -> Iterable[tuple[str, Any]]:
        """The tools to write, with their pointers: those of the request, and those that its items add."""
        tools = request.tools or ()
        if (choice := request.tool_choice) is not None and choice.allowed and not self.exact:
            self._all_offered(tools).allow(request)
        return reporting(tools, self) if self._offered is None else self._offered.written(tools)

    def has_tools(self, request: Any) -> bool:
        """Whether there is a list of tools to write: the request's own, or from items and settings that add tools."""
        if request.provider_data:
            self._find_in_settings(request)
        return request.tools is not None or (self._offered is not None and bool(self._offered.added))

    def _find_in_settings(self, request: Any) -> None:
        """Find web search that a field of another provider's request turns on, and MCP servers that a field declares."""
        if (source := self.source) is None or source.family == self.family:
            return
        data: dict[str, Json] = request.provider_data.get(source.family, {})
        if asked := search_by_option(source.server_tools, data):
            self._all_offered(request.tools or ()).search_option(asked[0], f"/provider_data/{source.family}/{asked[1]}")
        if source.mcp and source.mcp.field and type(servers := data.get(source.mcp.field)) is list:
            self._all_offered(request.tools or ()).declare(servers, f"/provider_data/{source.family}/{source.mcp.field}")

    @property
    def sent_tools(self) -> Mapping[str, SentTool]:
        """Each function and custom tool of the source, by the name that it was written with.

        Empty if all names and kinds are those of the source.
        """
        return {} if self._offered is None else self._offered.sent(self.names)

    def full_name(self, owner: Any, path: str) -> str:
        """The name of the owner's tool; it begins with the name of its group if the target has no groups."""
        name: str = owner.name
        data: Mapping[str, Wire] | None = owner.provider_data
        for family, overlay in data.items() if data and not (self.exact or self.of_response) else ():
            field = None if family == self.family else self.format_of(family).namespace
            if field is not None and type(group := overlay.get(field)) is str:
                full = self._all_offered().called(group, name)
                if full != name:
                    self.report("changed", path + "/name", None, f"{NAMED_BY_GROUP}; sent as {excerpt(full)}")
                return full
        return name

    def chosen_name(self, name: str) -> str:
        """The full name of the tool that a tool choice names, as in `full_name`."""
        return name if self._offered is None else self._offered.chosen(name)

    def _all_offered(self, tools: Sequence[Any] = ()) -> OfferedTools:
        """The offered tools of the request; only those of its calls if there is no list of tools."""
        if self._offered is None:
            self._offered = _offered_tools()(tools, (), self)
        return self._offered

    # Ids and names

    def call_id(self, call: Any, path: str, at: str) -> str | None:
        """The id to write for a call; None only for a call that is written exactly."""
        if call.id:
            self.ids.names[call.id] = call.name
        if self.exact:
            return None if call.id is None else self.ids.exact_call(call.id)
        if call.id:
            return self.ids.call(call.id, path, self.source_ids)
        self.report("changed", path, at, "a tool call must have an id; sent with an invented one")
        return self.ids.call_without_id(call.name)

    def result_id(self, result: Any, path: str, at: str) -> tuple[str | None, bool]:
        """The id of the call that a tool result (a message or a part) answers, and whether the call has the result's name."""
        is_message = "role" in vars(result)
        raw = given_id(result.tool_call_id if is_message else result.tool_use_id, exact=self.exact)
        if self.exact:
            exact = None if raw is None else self.ids.exact_result(raw)
            return exact, False
        if raw is None:
            detail = "a tool result must have the id of its call; sent with that of the call that it answers"
            self.report("changed", path, at, detail)
            return self.ids.result_without_id(result.name)
        if result.wire is not None and not self.same_family and (role := spelling(result, "role")) is not None:
            self.report("changed", path, at, f"a message of role {excerpt(role)} becomes a tool result")
        named = result.name is not None and self.ids.names.get(raw) == result.name
        return self.ids.result(raw, path, "/tool_call_id" if is_message else "/tool_use_id", self.source_ids), named

    def tool_name(self, raw: str, path: str, longest: int, field: str = "/name") -> str:
        """The name of a tool as the target accepts it; reports a change at this field of the owner."""
        if (name := self.names.get(raw)) is None:
            name = self.new_name(raw, longest)
        if name != raw:
            at = path + field
            if self.losses and self.losses[-1].path == at:
                self.losses.pop()  # the report of the group's prefix; the next one shows the whole name
            detail = f"the name of a tool must have at most {longest} letters, digits, _ and -; sent as {excerpt(name)}"
            self.report("changed", at, None, detail)
        return name

    def new_name(self, raw: str, longest: int) -> str:
        """The name of a tool that has not been written yet, as the target accepts it."""
        name = self.fitting_name(raw, longest)
        if name != raw:
            name = self._free_names.take(name, longest, () if self._offered is None else self._offered.names)
        self.names[raw] = name
        return name

    def fitting_name(self, raw: str, longest: int, /) -> str:
        """A name that the target accepts: this one if possible, and always if it comes from the target's family."""
        return raw if self.same_family else tool_name(raw, longest)
