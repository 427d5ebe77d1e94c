"""The maps between Anthropic Messages requests and the canonical ones: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...codec.fields import Wire, copy_wire, keep_unknown, spelling
from ...codec.growing import Steps
from ...model.base import Json
from ...model.exchange import INVENTED_NAME, Caching, OpaqueTool, Request, ResponseFormat, Tool, choice_without_tool
from .base import (
    CACHE_TIMES,
    EFFORTS,
    FAMILY,
    LONGEST_NAME,
    MOST_MARKS,
    MessagesDump,
    adapter,
    dump_cache,
    load_cache,
)
from .blocks import dump_block, load_block
from .messages import TURNS, load_message, mark_last

# Tools and the choice among them

_TOOL_FIELDS = {"name": "name", "description": "description", "input_schema": "parameters", "strict": "strict"}


def load_tool(wire: Wire) -> dict[str, Any]:
    """A tool that the client runs; a server's tool is kept whole."""
    if wire.get("type") not in (None, "custom") or "name" not in wire:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    out: dict[str, Any] = {"type": "function"}
    taken = set[str]()
    for key, name in _TOOL_FIELDS.items():
        if wire.get(key) is not None:
            out[name] = wire[key]
            taken.add(key)
    load_cache(wire, out, taken)
    if wire.get("type") == "custom":
        return keep_unknown(out, wire, taken | {"type"}, FAMILY, {"type": "custom"})
    return keep_unknown(out, wire, taken, FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: MessagesDump) -> Wire | None:
    """A tool."""
    if isinstance(tool, OpaqueTool):
        if tool.format == FAMILY:
            d.places[at] = path
            return copy_wire(tool.value)
        d.drop(path, f"only {tool.format} has this tool")
        return None
    d.places[at] = path
    out: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if d.exact and spelling(tool, "type") == "custom":
        out["type"] = "custom"
    if tool.description is not None:
        out["description"] = tool.description
    if tool.parameters is not None:
        out["input_schema"] = copy_wire(tool.parameters)
    if not d.exact:
        schema = out.setdefault("input_schema", {})
        if schema.get("type") != "object":
            if schema:
                d.report("changed", path + "/parameters", at + "/input_schema", "a schema is of type object")
            else:
                d.report("added", path, at + "/input_schema", "a tool has a schema of type object")
            out["input_schema"] = schema | {"type": "object"} if schema else {"type": "object", "properties": {}}
    if tool.strict is not None:
        out["strict"] = tool.strict
    if tool.cache_control is not None:
        dump_cache(tool, out, path, at, d)
    if tool.provider_data is not None:
        d.lay_provider_data(tool, out, path)
    return out


_CHOICES = {"auto": "auto", "none": "none", "any": "required"}


def load_tool_choice(wire: Wire) -> tuple[dict[str, Any], bool | None, Wire] | None:
    """The choice among tools, whether calls may be parallel, and what else was said; None for an unknown type."""
    kind = wire.get("type")
    rest = {key: value for key, value in wire.items() if key != "type"}
    if kind == "tool" and type(wire.get("name")) is str:
        choice = {"type": "tool", "name": rest.pop("name")}
    elif type(kind) is str and kind in _CHOICES:
        choice = {"type": _CHOICES[kind]}
    else:
        return None
    one = rest.get("disable_parallel_tool_use")
    if type(one) is bool:
        del rest["disable_parallel_tool_use"]
        return choice, not one, rest
    return choice, None, rest


def dump_tool_choice(request: Request, out: Wire, d: MessagesDump) -> None:
    """The choice among tools, which also says whether calls may be parallel."""
    choice, parallel = request.tool_choice, request.parallel_tool_calls
    sent = [str(tool.get("name")) for tool in out.get("tools", ())]
    name = choice.name if choice is not None else None
    if name is not None and not d.exact:
        name = d.tool_name(name, "/tool_choice", LONGEST_NAME)
    if not d.exact and choice_without_tool(choice, sent, name):
        d.drop("/tool_choice", "none of the tools that it is about can be sent")
        choice = None
    written: Wire = {}
    if choice is not None:
        out["tool_choice"] = written
        written["type"] = "any" if choice.type == "required" else choice.type
        if name is not None:
            written["name"] = name
    if parallel is None:
        return
    if choice is None and not parallel and out.get("tools"):
        d.report("added", "", "/tool_choice", "parallel calls are switched off in the choice of tools")
        out["tool_choice"] = written
        written["type"] = "auto"
    elif choice is None or (choice.type == "none" and not d.exact):
        d.drop("/parallel_tool_calls", "it is said with the choice of tools, and there is none")
        return
    written["disable_parallel_tool_use"] = not parallel


# Requests


def load_request(wire: Wire) -> dict[str, Any]:
    """A request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    wire = adapter().validate_python(wire)
    out: dict[str, Any] = {}
    taken, rest = set[str](), dict[str, Any]()
    if "messages" in wire:
        out["messages"] = [load_message(message) for message in wire["messages"]]
        taken.add("messages")
        system = wire.get("system")
        if system is not None:
            content = system if type(system) is str else [load_block(block) for block in system]
            out["messages"].insert(0, {"role": "system", "content": content})
            taken.add("system")
    for key in ("model", "max_tokens", "temperature", "top_p", "top_k", "stream"):
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    if wire.get("stop_sequences") is not None:
        out["stop"] = wire["stop_sequences"]
        taken.add("stop_sequences")
    if wire.get("tools") is not None:
        out["tools"] = [load_tool(tool) for tool in wire["tools"]]
        taken.add("tools")
    if wire.get("tool_choice") is not None and (choice := load_tool_choice(wire["tool_choice"])) is not None:
        out["tool_choice"], parallel, rest["tool_choice"] = choice
        if parallel is not None:
            out["parallel_tool_calls"] = parallel
        taken.add("tool_choice")
    _load_reasoning(wire, out, taken, rest)
    metadata = wire.get("metadata")
    if metadata is not None and type(metadata.get("user_id")) is str:
        out["user"] = metadata["user_id"]
        rest["metadata"] = {key: value for key, value in metadata.items() if key != "user_id"}
        taken.add("metadata")
    # What is left of the metadata or the output's settings means something alone; what is left of a choice of tools does not.
    return keep_unknown(out, wire, taken, FAMILY, partial=rest, standalone=("metadata", "output_config"))


def _load_reasoning(wire: Wire, out: dict[str, Any], taken: set[str], rest: Wire) -> None:
    thinking, config = wire.get("thinking"), wire.get("output_config")
    if thinking is not None and thinking.get("type") == "enabled" and type(thinking.get("budget_tokens")) is int:
        out["reasoning_budget"] = thinking["budget_tokens"]
        rest["thinking"] = {key: value for key, value in thinking.items() if key not in ("type", "budget_tokens")}
        taken.add("thinking")
    if config is None:
        return
    more = dict(config)
    if type(more.get("effort")) is str:
        out["reasoning_effort"] = more.pop("effort")
    form: Json = more.get("format")
    if type(form) is dict and form.get("type") == "json_schema" and type(form.get("schema")) is dict:
        out["response_format"] = {"type": "json_schema", "json_schema": form["schema"]}
        del more["format"]
        rest["output_config/format"] = {key: value for key, value in form.items() if key not in ("type", "schema")}
    if len(more) < len(config):
        rest["output_config"] = more
        taken.add("output_config")


def dump_request(request: Request, given: Sequence[Any], d: MessagesDump) -> Wire:
    """A request body."""
    d.reserve(given, request.tools or ())
    out = _dump_conversation(given, d)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    limit_marks(out, d)
    if request.caching is not None:
        _dump_caching(request.caching, out, d)
    return out


def _dump_conversation(given: Sequence[Any], d: MessagesDump) -> Wire:
    messages: list[Wire] = []
    out: Wire = {"messages": messages}
    count = _count_lifted(given, d)
    TURNS.write(given, count, messages, d)
    if count and not messages and not d.same_format:
        # A request needs a message: what would be the last system text stays, as the user's.
        count -= 1
        TURNS.write(given[: count + 1], count, messages, d)
    reported = len(d.losses)
    dump_system(given[:count], out, d)
    # The system text comes first, and so do its losses.
    d.losses[:] = d.losses[reported:] + d.losses[:reported]
    trim_end(messages, given, d)
    return out


def _lead(messages: Sequence[Any], out: Wire, d: MessagesDump) -> int:
    count = _count_lifted(messages, d)
    dump_system(messages[:count], out, d)
    return count


def _finish(out: Wire, messages: list[Wire], d: MessagesDump) -> None:
    trim_end(messages, (), d)
    limit_marks(out, d)


STEPS = Steps(lead=_lead, write=TURNS.write, finish=_finish)


def limit_marks(out: Wire, d: MessagesDump) -> None:
    """Drop cache marks beyond the number that the server accepts; those of the tools and of the last messages stay."""
    room = max(MOST_MARKS - sum(mark.exact for mark in d.marks), 0)
    counted = sorted((mark for mark in d.marks if not mark.exact), key=lambda mark: _MARK_ORDER[mark.at.split("/")[1]])
    for mark in counted[: max(len(counted) - room, 0)]:
        owner: Any = out
        for token in mark.at.split("/")[1:]:
            owner = owner[int(token) if token.isdecimal() else token]
        if owner.pop("cache_control", None) is not None:
            d.drop(mark.path + "/cache_control", f"there are at most {MOST_MARKS} cache marks")


_MARK_ORDER = {"system": 0, "messages": 1, "tools": 2}


def _count_lifted(messages: Sequence[Any], d: MessagesDump) -> int:
    """How many leading system messages become the `system` field."""
    if d.same_format:
        return int(bool(messages) and messages[0].role == "system" and spelling(messages[0], "system") != "message")
    count = 0
    while count < len(messages) and messages[count].role in ("system", "developer"):
        count += 1
    return count


def dump_system(lifted: Any, out: Wire, d: MessagesDump) -> None:
    """Write leading system messages to the `system` field."""
    if not lifted:
        return
    count, first = len(lifted), lifted[0]
    d = d.rules_for(first)
    if count == 1 and type(first.content) is str:
        if d.exact or first.content.strip():
            out["system"] = first.content
            d.places["/system"] = "/messages/0"
        else:
            d.drop("/messages/0", "empty text is refused")
    else:
        blocks: list[Wire] = []
        for i, message in enumerate(lifted):
            _lift(message, f"/messages/{i}", blocks, d, alone=count == 1)
        if blocks or d.exact:
            out["system"] = blocks
    for i, message in enumerate(lifted):
        path = f"/messages/{i}"
        if message.role == "developer" and (count == 1 or type(message.content) is not str):
            d.report("changed", path, "/system", "the developer role becomes system")
        if "system" in out:
            holder: Wire = {"role": "system", "content": out["system"]}
            if message.name is not None:
                d.drop(path + "/name", "messages have no name here")
            if message.cache_control is not None:
                mark_last(message, holder, path, "/system", d)
                out["system"] = holder["content"]
            if message.provider_data is not None:
                d.lay_provider_data(message, {}, path, lambda _: False)


def _lift(message: Any, path: str, blocks: list[Wire], d: MessagesDump, *, alone: bool) -> None:
    count = len(blocks)
    if type(message.content) is str:
        if message.content and not message.content.isspace():
            d.places[f"/system/{count}"] = path + "/content"
            blocks.append({"type": "text", "text": message.content})
    else:
        for i, part in enumerate(message.content):
            block = dump_block(part, f"{path}/content/{i}", f"/system/{len(blocks)}", d, "system")
            if block is not None:
                blocks.append(block)
    if len(blocks) == count:
        if not d.exact:
            d.drop(path, "nothing that it holds has a place here")
    else:
        if alone or path == "/messages/0":
            d.places["/system"] = path
        if not alone:
            d.report("changed", path, f"/system/{count}", "the leading system messages become one")


def trim_end(messages: list[Wire], given: Sequence[Any], d: MessagesDump) -> None:
    """Remove white space at the end of a final assistant message, which the server refuses; not from one of its own format."""
    if not messages or messages[-1].get("role") != "assistant":
        return
    if d.same_format and given and d.rules_for(given[-1]).exact:
        return
    last, at = messages[-1], f"/messages/{len(messages) - 1}"
    content: list[Json] | str | None = last.get("content")
    holder, key, here = last, "content", at + "/content"
    where = d.places.get(at, "") + "/content"
    if isinstance(content, list) and content and isinstance(content[-1], dict):
        holder, key, here = content[-1], "text", f"{at}/content/{len(content) - 1}"
        where = d.places.get(here, where)
    text = holder.get(key) if holder.get("type", "text") == "text" else None
    if not isinstance(text, str):
        return
    if text != text.rstrip():
        holder[key] = text.rstrip()
        d.report("changed", where, here, "a final assistant text may not end in white space")


def _dump_settings(request: Request, out: Wire, d: MessagesDump) -> None:
    for key in ("model", "max_tokens", "stream"):
        if getattr(request, key) is not None:
            out[key] = getattr(request, key)
    for key in ("temperature", "top_p", "top_k"):
        if getattr(request, key) is not None:
            if d.exact or d.profile.sampling:
                out[key] = getattr(request, key)
            else:
                d.drop("/" + key, "sampling is no longer a setting here")
    if request.stop is not None:
        stop: list[str] = []
        for i, sequence in enumerate(request.stop):
            if d.exact or sequence.strip():
                stop.append(sequence)
            else:
                d.drop(f"/stop/{i}", "stop sequences of white space are refused")
        if stop or d.exact:
            out["stop_sequences"] = stop
    if request.tools is not None:
        tools: list[Wire] = []
        for i, tool in enumerate(request.tools):
            dumped = dump_tool(tool, f"/tools/{i}", f"/tools/{len(tools)}", d)
            if dumped is not None:
                tools.append(dumped)
        if tools or d.exact:
            out["tools"] = tools
    if request.tool_choice is not None or request.parallel_tool_calls is not None:
        dump_tool_choice(request, out, d)
    if request.reasoning_budget is not None:
        if d.exact or _may_think(out):
            out["thinking"] = {"type": "enabled", "budget_tokens": request.reasoning_budget}
        else:
            d.drop("/reasoning_budget", "thinking is refused where a tool must be called, or an answer is begun")
    if request.reasoning_effort is not None:
        _dump_effort(request, request.reasoning_effort, out, d)
    if request.response_format is not None:
        _dump_format(request.response_format, out, d)
    if request.user is not None:
        if d.exact or len(request.user) <= 256:
            out["metadata"] = {"user_id": request.user}
        else:
            d.drop("/user", "user ids have at most 256 characters")
    if request.metadata is not None:
        d.drop("/metadata", "there is no metadata but the user's id")
    if request.provider_data is not None:
        d.lay_provider_data(request, out, "")


def _may_think(out: Wire) -> bool:
    """Whether thinking is taken: not where a tool must be called, and not where the answer is begun for the model."""
    begun = out["messages"] and out["messages"][-1].get("role") == "assistant"
    return not begun and out.get("tool_choice", {}).get("type") not in ("any", "tool")


def _dump_effort(request: Request, effort: str, out: Wire, d: MessagesDump) -> None:
    if not d.exact and effort not in EFFORTS:
        d.drop("/reasoning_effort", "there is no such effort")
        return
    out["output_config"] = {"effort": effort}
    given = "thinking" in out or "thinking" in (request.provider_data or {}).get(FAMILY, {})
    if not d.exact and not given and _may_think(out):
        out["thinking"] = {"type": "adaptive"}
        d.report("added", "", "/thinking", "effort is spent where thinking is on")


def _dump_format(form: ResponseFormat, out: Wire, d: MessagesDump) -> None:
    if form.type != "json_schema" or form.json_schema is None:
        d.drop("/response_format", "answers have a form by JSON Schema only")
        return
    out.setdefault("output_config", {})["format"] = {"type": "json_schema", "schema": copy_wire(form.json_schema)}
    for key in ("name", "description", "strict"):
        if getattr(form, key) is not None and not (key == "name" and form.name == INVENTED_NAME):
            d.drop(f"/response_format/{key}", "a schema stands alone here")


def _markable(out: Wire) -> Iterator[Wire]:
    """What may hold a cache mark: tools, blocks of the system text and of messages, blocks in tool results."""
    yield from out.get("tools", ())
    holders = [{"content": out.get("system")}, *out["messages"]]
    while holders:
        content = holders.pop().get("content")
        blocks: list[Wire] = [block for block in content if type(block) is dict] if type(content) is list else []
        yield from blocks
        holders += [block for block in blocks if block.get("type") == "tool_result"]


def _dump_caching(caching: Caching, out: Wire, d: MessagesDump) -> None:
    """Set the cache marks that the request asks for, as far as the server takes them."""
    mark: Wire = {"type": "ephemeral"}
    if caching.ttl in CACHE_TIMES:
        mark["ttl"] = caching.ttl
    elif caching.ttl is not None:
        d.drop("/caching/ttl", "cache times here are 5m and 1h")
    left = MOST_MARKS - sum("cache_control" in block for block in _markable(out))
    holders: list[tuple[Wire, str]] = []
    if caching.tools and out.get("tools"):
        holders.append((out, "tools"))
    if caching.system and out.get("system"):
        holders.append((out, "system"))
    if caching.messages:
        last = out["messages"][-caching.messages :]
        holders += [(message, "content") for message in last if isinstance(message.get("content"), str | list)]
    for holder, key in holders:
        if isinstance(holder[key], str):
            holder[key] = [{"type": "text", "text": holder[key]}]
        block: Wire = holder[key][-1] if holder[key] else {}
        if left > 0 and block and "cache_control" not in block and block.get("type") not in ("thinking", "redacted_thinking"):
            block["cache_control"] = dict(mark)
            left -= 1
