"""The functions of a request that are not in its list of tools: tools in groups, custom tools, and tools that messages add.

A provider's own tool may be a group of tools (a namespace), and an item among its messages may add tools. Other providers have
one flat list of functions, so a dump writes all tools in one list: the name of a tool from a group then begins with the name of
the group. Names are decided for the whole request. A free-form tool, whose input is text, becomes a function with one text,
`input`, if the target has no free-form tools; its calls change in the same way (`fit_arguments`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set as AbstractSet
from functools import cached_property
from typing import Any, Literal, cast

from pydantic import ValidationError

from ..errors import escape, excerpt
from ..model.base import Json
from ..model.exchange import OpaqueTool, Tool, is_one_tool
from .fields import Wire, copy_wire, value_at
from .free_text import grammar_of, text_schema
from .hosted.mcp_servers import in_field, in_tool
from .hosted.server_tools import WEB_SEARCH, ServerTool, ToolSettings, fit_settings
from .hosted.tool_search import Search, searches
from .ids import tool_name
from .members import NAMED_BY_GROUP, HostedTool, Member, Offered, SentTool, additions, undeferred
from .strictness import loses_strict, no_longer_strict

_KNOWN = {
    "function": frozenset({"type", "name", "description", "parameters", "strict"}),
    "custom": frozenset({"type", "name", "description", "format"}),
}
_LONGEST = 64
"""The longest name that most providers accept."""
_FREE_FORM = "a free-form tool becomes a function with one text parameter, `input`"


class OfferedTools:
    """The tools of one dump: `written` yields the tools to write, `added` has those from messages, and `names` all names.

    `d` is the `Dump`, which this module cannot import.
    """

    def __init__(self, tools: Sequence[Any], messages: Sequence[Any], d: Any) -> None:
        self._d = d
        self._names: dict[tuple[str | None, str], str] = {}
        self._taken: set[str] = set()
        self._kinds: dict[tuple[str | None, str], Literal["function", "custom"]] = {}
        self._read: dict[str, list[Offered]] = {}
        self._served: set[str] = set()
        """The names of the tools of the target's server that are already sent."""
        self._defers = False
        """Whether tools that another provider's request defers are deferred in the target, too."""
        self._searches: dict[str, tuple[str, Search]] = {}
        """The searches in earlier messages that become searches of the target, by pointer, each with its id."""
        self._tools = tools
        for tool in tools:
            if tool.type == "function":
                self.full_name(None, tool.name)
                self._kinds[None, tool.name] = "function"
        self._reserve_added(messages)
        opaque = [(f"/tools/{i}", tool) for i, tool in enumerate(tools) if tool.type == "opaque"]
        for path, tool in opaque:
            if (search := self._tool_search(tool, path)) is not None:
                self._read[path] = [search]
                self._defers = True
        for path, tool in opaque:
            if path not in self._read and (members := self._callable(tool, path)) is not None:
                self._read[path] = members
        if self._defers:
            self._find_searches(messages)
        self._allowed: AbstractSet[str] = frozenset()
        """The full names of the only tools to write; empty if all tools are written."""
        self._own_allowed: AbstractSet[Json] = frozenset()
        """The types of the source's own tools that are written beside them."""
        self.added: list[Offered] = []
        self.moved: set[str] = set()
        """The pointers of items and parts that do nothing but add tools; they are written as tools."""
        # Functions come first: the target may refuse its own tools beside them, or an own tool with the name of one.
        self._find_added(messages, self._callable)
        for path, tool in opaque:
            if path not in self._read and (own := self._own(tool, path)) is not None:
                self._read[path] = own
        self._find_added(messages, self._own)

    def _reserve_added(self, messages: Sequence[Any]) -> None:
        """Reserve the names of the tools without a group that items among the messages add, as these tools keep their names."""
        for _, owner in additions(messages):
            source = next(self._d.formats.of_family(owner.format), None)
            members = () if source is None or source.offers is None else source.offers(owner.value)
            for member in members:
                name: Json = member.value.get("name") if member.namespace is None else None
                if type(name) is str:
                    self.full_name(None, name)

    def _find_searches(self, messages: Sequence[Any]) -> None:
        """Find the tool searches in earlier assistant messages."""
        for i, message in enumerate(messages):
            if message.role == "assistant":
                found = searches(message, f"/messages/{i}", self._search_in)
                self._searches.update((path, (id, search)) for path, id, search in found)

    def _find_added(self, messages: Sequence[Any], find: Callable[[Any, str], list[Offered] | None]) -> None:
        """Find the tools that items among the messages add, or parts of system messages."""
        for path, owner in additions(messages):
            members = find(owner, path) or []
            self.added += members
            kind = owner.value.get("type", owner.value.get("role"))
            if members and kind in self._d.format_of(owner.format).tool_items:
                self.moved.add(path)

    def written(self, tools: Sequence[Any]) -> Iterator[tuple[str, Any]]:
        """The tools to write, in order, with their pointers; tools that messages add come last.

        The changes to a tool are reported after the caller has written it, because the report has its place.
        """
        d = self._d
        found = [*self._in_order(tools)]
        is_limited = bool(self._allowed) and any(_called(offered.tool) in self._allowed for offered in found)
        for offered in found:
            if is_limited and not (offered.always or _called(offered.tool) in self._allowed or self._is_own_allowed(offered)):
                d.drop(offered.path, f"the tool choice does not allow this tool, and {d.target.name} cannot allow only some")
                continue
            before = len(d.losses)
            yield offered.path, offered.tool
            if offered.changes:
                at = next(reversed(d.places), None)
                at = at if at is not None and d.places[at] in (offered.path, "") else None
                known = {loss.path for loss in d.losses[before:]}
                for path, detail in offered.changes:
                    if not (path in known and path.endswith("/name")):  # a name that is shortened, too, is already reported
                        d.report("changed", path, at, detail)
            if offered.server is not None:
                d.declare_server(offered.server, offered.path)

    def allow(self, request: Any) -> None:
        """Write only the tools that a tool choice allows, if the target's tool choice cannot allow only some tools."""
        choice = request.tool_choice
        among = choice.type in ("auto", "required") and not is_one_tool(choice, self._d.target.allowed_tools)
        if among and self._d.target.allowed_tools is None:
            self._allowed = {self.chosen(name) for name in choice.allowed}
            source = self._d.source
            path = (source.family, *source.own_allowed) if source is not None and source.own_allowed else None
            own: Json = None if path is None else value_at(request.provider_data, path)
            kinds = [value_at(entry, ("type",)) for entry in own] if type(own) is list else []
            self._own_allowed = {kind for kind in kinds if type(kind) is str}

    def _is_own_allowed(self, offered: Offered) -> bool:
        """Whether the source's tool choice also allows this tool of the source's server."""
        number = offered.path.removeprefix("/tools/")
        source = self._tools[int(number)] if self._own_allowed and number.isdecimal() else None
        return source is not None and source.type == "opaque" and source.value.get("type") in self._own_allowed

    def _in_order(self, tools: Sequence[Any]) -> Iterator[Offered]:
        loses = loses_strict(self._d)
        for i, tool in enumerate(tools):
            path = f"/tools/{i}"
            if path in self._read:
                yield from self._read[path]
                continue
            changes = tuple(no_longer_strict(tool, path, self._d)) if loses else ()
            yield Offered(path, self._deferred(tool) if self._defers else tool, changes)
        yield from self.added

    def full_name(self, namespace: str | None, name: str) -> str:
        """The name of a tool in the flat list, before the target's rules for names: the name of its group and its own."""
        key = (namespace, name)
        if (full := self._names.get(key)) is None:
            full = name if namespace is None else f"{namespace}__{name}"
            if namespace is not None and full in self._taken:
                full = tool_name(f"{full} {len(namespace)}", _LONGEST)  # the space is not allowed, so the name gets a hash
            self._names[key] = full
            self._taken.add(full)
        return full

    @property
    def names(self) -> AbstractSet[str]:
        """The full names of all tools."""
        return self._taken

    def called(self, namespace: str, name: str) -> str:
        """The full name of the tool that a call names together with a group.

        The group of a call may be the name of the function itself, if that was loaded late, or a group that is not declared.
        """
        has_no_group = (namespace, name) not in self._kinds and ((None, name) in self._kinds or namespace == name)
        return self.full_name(None if has_no_group else namespace, name)

    def chosen(self, name: str) -> str:
        """The full name of the tool that a tool choice names: a tool without a group, else the only one in any group."""
        if (None, name) in self._kinds:
            return name
        found = [key for key in self._kinds if key[1] == name]
        return self._names[found[0]] if len(found) == 1 else name

    def sent(self, names: Mapping[str, str]) -> dict[str, SentTool]:
        """Each tool by the name that was written for it; `names` has the target's names by full name."""
        kinds = self._kinds.items()
        return {names.get(full := self._names[key], full): SentTool(*key, kind) for key, kind in kinds}

    def _own(self, owner: Any, path: str) -> list[Offered] | None:
        """The target's own tools in place of an opaque tool of another provider; None if it has none for it."""
        source = next(self._d.formats.of_family(owner.format), None) if owner.format != self._d.family else None
        if source is None:
            return None
        if (hosted := self._hosted(owner, source, path)) is not None:
            return hosted
        if (servers := self._servers(owner, source, path)) is not None:
            return servers
        return self._on_server(owner, source, path)

    def _callable(self, owner: Any, path: str) -> list[Offered] | None:
        """The functions and free-form tools inside an opaque value; None if it has none.

        A value of the same family is searched for free-form tools alone, if the target has none.
        """
        d = self._d
        source = next(d.formats.of_family(owner.format), None)
        is_kept = owner.format == d.family and d.takes_custom
        if source is None or is_kept:
            return None
        found: list[Offered] = []
        members = self._inside(owner, source)
        for member in members:
            if member.whole and d.takes_custom:
                self._note(member.namespace, member.value)
                return [Offered(path, owner)]
            inside = f"{path}/value{member.pointer}"
            if member.about and found and member.value.get("type") == "description":
                d.report("changed", inside, None, "the description of a group is put before that of each of its tools")
                continue
            made = self._offer(member, path if member.whole else inside, inside, owner.format)
            found += [] if made is None else [made]
        return found if members else None

    def _inside(self, owner: Any, source: Any) -> list[Member]:
        """The tools inside an opaque value; only free-form tools inside one of the target's family."""
        members: Iterator[Member] = iter(()) if source.offers is None else source.offers(owner.value)
        return [member for member in members if member.whole or owner.format != self._d.family]

    @cached_property
    def _function_names(self) -> AbstractSet[str]:
        """The full names of all tools that are sent as functions."""
        kinds = ("function",) if self._d.takes_custom else ("function", "custom")
        return {self._names[key] for key, kind in self._kinds.items() if kind in kinds}

    def _why_alone(self) -> str | None:
        """Why the target refuses its own tools in this request; None if it accepts them."""
        form: ServerTool | None = self._d.target.server_tools.get(WEB_SEARCH)
        return form.alone if form is not None and self._function_names else None

    def _hosted(self, owner: Any, source: Any, path: str) -> list[Offered] | None:
        """The tools that the target has in place of this opaque tool: none if it refuses them here; None if it has none."""
        d = self._d
        make = d.target.tools_from.get(owner.format) or source.tools_for.get(d.family)
        made: list[HostedTool] = [] if make is None else make(owner.value)
        if not made:
            return None
        if (refused := self._why_alone()) is not None:
            d.drop(path, refused)
            return []
        found: list[Offered] = []
        for tool in made:
            for pointer in tool.rest:
                d.drop(f"{path}/value{pointer}", f"{d.target.name} does not have this field of the tool")
            at = path if len(made) == 1 else f"{path}/value{tool.pointer}"
            changes = ((at, f"the tool is sent in the form of {d.target.name}"),)
            found.append(Offered(at, OpaqueTool(format=d.family, value=tool.value), changes))
        return found

    def search_option(self, found: ToolSettings, path: str) -> None:
        """Turn on web search because a field of the request does; the field becomes a tool."""
        if (tool := self._serve(WEB_SEARCH, found, path, path)) is not None:
            self.added += tool
            self.moved.add(path)

    def _servers(self, owner: Any, source: Any, path: str) -> list[Offered] | None:
        """The MCP server that an opaque tool declares, as the target does it; None for any other tool."""
        if source.mcp is None:
            return None
        return in_tool(owner.value, source, path, self._d)

    def declare(self, servers: Sequence[Json], path: str) -> None:
        """Find the MCP servers in a field of the request, whose tools may refer to them."""
        if self._d.target.mcp is None:
            return
        for offered in in_field(servers, path, self._tools, self._d):
            if offered.path.startswith("/tools/"):
                self._read[offered.path] = [offered]
            else:
                self.added.append(offered)
        self.moved.add(path)

    def _on_server(self, owner: Any, source: Any, path: str) -> list[Offered] | None:
        """The target's forms of the tools that another provider's server runs; None if the target has none of them."""
        forms: Iterator[tuple[str, ServerTool]] = source.server_tools.items()
        asked = [(kind, found) for kind, form in forms if (found := form.read(owner.value)) is not None]
        inside = f"{path}/value"
        places = [path if len(asked) == 1 else inside + found.pointer for _, found in asked]
        served = [self._serve(kind, found, at, inside) for (kind, found), at in zip(asked, places, strict=True)]
        if not any(made is not None for made in served):
            return None
        for (kind, _), at, made in zip(asked, places, served, strict=True):
            if made is None:
                self._d.drop(at, f"{self._d.target.name} has no {kind}")
        for pointer in asked[0][1].beside:
            self._d.drop(inside + pointer, f"{self._d.target.name} does not have this field of the tool")
        return [offered for made in served for offered in made or ()]

    def _serve(self, kind: str, found: ToolSettings, path: str, inside: str) -> list[Offered] | None:
        """The target's form of a tool that servers run; empty if it is a field or is left out, None if the target has none."""
        form: ServerTool | None = self._d.target.server_tools.get(kind)
        if form is None or form.write is None:
            return None
        d = self._d
        if form.name in self._function_names:
            d.drop(path, f"a function has this tool's name at {d.target.name}, {form.name}: rename the function")
            return []
        if (refused := self._why_alone()) is not None:
            d.drop(path, refused)
            return []
        if kind in self._served:
            d.report("changed", path, None, f"{kind} is already requested; it is sent once")
            return []
        self._served.add(kind)
        settings, changes = fit_settings(kind, found, form, inside, d)
        changes.append((path, f"{kind} is sent in the form of {d.target.name}"))
        made = form.write(copy_wire(settings))
        if not form.in_option:
            return [Offered(path, OpaqueTool(format=d.family, value=made), tuple(changes))]
        d.search_options = made
        d.places[f"/{form.option}"] = path
        for where, detail in changes:
            d.report("changed", where, f"/{form.option}", detail)
        return []

    def _tool_search(self, owner: Any, path: str) -> Offered | None:
        """The target's tool search in place of another provider's; None for any other tool, or if the target has none."""
        d = self._d
        form = self._d.target.tool_search
        source = next(d.formats.of_family(owner.format), None) if owner.format != d.family else None
        rest = None if source is None or source.tool_search is None else source.tool_search.read(owner.value)
        if rest is None or form is None or form.kind is None:
            return None
        if self._defers or (None, form.name) in self._kinds:
            return None
        for pointer in rest:
            d.drop(f"{path}/value{pointer}", f"{d.target.name} does not have this setting of tool search")
        changes = ((path, f"tool search is sent in the form of {d.target.name}"),)
        return Offered(path, OpaqueTool(format=d.family, value=form.tool), changes, always=True)

    def _search_in(self, part: Any) -> Search | None:
        """The queries or the found tools in a part of another provider's tool search; None for any other part."""
        source = next(self._d.formats.of_family(part.format), None) if part.format != self._d.family else None
        return None if source is None or source.tool_search is None else source.tool_search.read_part(part.value)

    def searched(self, path: str, d: Any) -> Wire | None:
        """The target's form of a part that another provider made for a tool search; None for any other part."""
        form = d.target.tool_search
        if path not in self._searches or form is None:
            return None
        id, search = self._searches[path]
        d.report("changed", path, None, f"a search among tools is sent in the form of {d.target.name}")
        if search.found is None:
            made: Wire = form.write_search(id, search.queries)
            return made
        names = {self.full_name(group, name) for group, name in search.found}
        places = sorted(place for name in names for place in self._functions.get(name, ()))
        tools = [self._sent[place] for place in places]
        return cast("Wire", form.write_found(id, [(each.path, each.tool) for each in tools], d))

    @cached_property
    def _sent(self) -> list[Offered]:
        """The tools to write, in order, made once for all searches."""
        return [*self._in_order(self._tools)]

    @cached_property
    def _functions(self) -> dict[str, list[int]]:
        """The indices in `_sent` of the functions, by name."""
        found: dict[str, list[int]] = {}
        for place, each in enumerate(self._sent):
            if each.tool.type == "function":
                found.setdefault(each.tool.name, []).append(place)
        return found

    def searches_at(self, path: str) -> bool:
        """Whether a part of an answer belongs to a search that becomes one of the target."""
        return path in self._searches

    def _deferred(self, tool: Any) -> Any:
        """The tool for a target that defers tools; a deferred function of another provider is marked in the target's way."""
        data: Mapping[str, Wire] = (tool.provider_data or {}) if tool.type == "function" else {}
        for family, overlay in data.items():
            search = None if family == self._d.family else self._d.format_of(family).tool_search
            if search is not None and overlay.get(search.deferral) is True:
                left = {key: value for key, value in overlay.items() if key != search.deferral}
                own = data.get(self._d.family, {}) | self._deferral
                return Tool.model_validate(tool.to_dict() | {"provider_data": {**data, family: left, self._d.family: own}})
        return tool

    @property
    def _deferral(self) -> Wire:
        """The field that marks a tool of the target as deferred; empty if it defers none."""
        form = self._d.target.tool_search
        return {form.deferral: True} if self._defers and form is not None else {}

    def _note(self, namespace: str | None, value: Wire) -> bool:
        """Record a tool and its full name; returns whether the tool is new."""
        key = (namespace, value["name"])
        is_new = key not in self._kinds
        self.full_name(*key)
        self._kinds.setdefault(key, value["type"])
        return is_new

    def _offer(self, member: Member, path: str, inside: str, family: str) -> Offered | None:
        """A tool that the target accepts, whose fields are at `inside`; None, with a report, if it cannot be sent."""
        d = self._d
        value = member.value
        kind = member.value.get("type")
        name: Json = value.get("name")
        if kind not in _KNOWN or type(name) is not str or not name:
            what = "this description of a group of tools" if kind == "description" else "this tool"
            d.drop(path, d.no_place(what, family))
            return None
        if not self._note(member.namespace, value):
            d.report("changed", path, None, "an earlier tool has this name; only that tool is sent")
            return None
        value = _described(member)
        tool = self._made(value, self.full_name(member.namespace, name), family)
        if tool is None:
            del self._kinds[member.namespace, name]
            d.drop(path, "this tool is malformed: it must have a `name`, and `parameters` that are an object")
            return None
        if kind == "custom" and tool.type == "function":
            d.free_form.add(path)
        changes = [*self._changes(member, tool, path, inside)]
        for key, each in value.items():
            is_unset = each is None or each is False or each == []
            if is_unset or key in _KNOWN[kind]:
                continue
            if not self._is_deferral(family, key, each):
                d.drop(f"{inside}/{escape(key)}", f"{d.target.name} has no field `{excerpt(key)}` of a tool")
            elif self._defers and tool.type == "function" and path.startswith("/tools/"):
                tool = tool.replace(provider_data={d.family: self._deferral})
            else:
                changes.append((f"{inside}/{key}", undeferred(d.target.name)))
        return Offered(path, tool, tuple(changes))

    def _made(self, value: Wire, full: str, family: str) -> Any:
        """The tool to write under its full name; None if its fields are malformed."""
        if value["type"] != "custom" or not self._d.takes_custom:
            return _function(value, full)
        kept = {key: copy_wire(each) for key, each in value.items() if key in _KNOWN["custom"]}
        return OpaqueTool(format=family, value={**kept, "name": full})

    def _is_deferral(self, family: str, key: str, value: Json) -> bool:
        """Whether a field marks a tool as deferred."""
        search = self._d.format_of(family).tool_search
        return search is not None and key == search.deferral and value is True

    def _changes(self, member: Member, tool: Any, path: str, inside: str) -> Iterator[tuple[str, str]]:
        """The changes to report for a tool that is sent."""
        less_strict = [*no_longer_strict(tool, inside, self._d)] if member.value["type"] == "function" else []
        yield from less_strict
        if member.namespace is not None:
            full = self.full_name(member.namespace, member.value["name"])
            yield f"{inside}/name", f"{NAMED_BY_GROUP}; sent as {excerpt(full)}"
        if member.value["type"] == "custom" and not self._d.takes_custom:
            yield path, _FREE_FORM
            if grammar_of(member.value.get("format")) is not None:
                yield f"{inside}/format", "the grammar of a free-form tool becomes a description"
        elif member.namespace is None and member.value["type"] == "function" and not less_strict:
            yield path, f"{self._d.target.name} has all tools in one list"


def _called(tool: Any) -> Json:
    """The name by which the model calls a tool; None if the model does not call it."""
    name: Json = tool.name if tool.type == "function" else tool.value.get("name")
    return name if type(name) is str else None


def _function(value: Wire, full: str) -> Tool | None:
    """A function with this name; None if the fields are not those of a function."""
    data = {key: each for key, each in value.items() if key in _KNOWN["function"] and each is not None}
    data |= {"type": "function", "name": full}
    if value["type"] == "custom":
        data["parameters"] = text_schema(value.get("format"))
    try:
        return Tool.model_validate(data)
    except ValidationError:
        return None


def _described(member: Member) -> Wire:
    """A tool whose description begins with its group's. A description that is not text stays: the tool is malformed."""
    about = member.about
    own = member.value.get("description")
    if not about or not isinstance(own, str | None):
        return member.value
    return member.value | {"description": f"{about}\n\n{own}" if own else about}
