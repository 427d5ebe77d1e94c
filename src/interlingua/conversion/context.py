"""What the conversion of an answer needs from the conversion of its request.

If the target refuses the name of a tool, the conversion renames the tool, and the model calls it by a name that the client does
not know. The context has the names, so the answer calls the client's own tools again. If the target requires all properties of
a schema, the conversion lets optional ones be null. The context has these, too, and the answer's arguments are without such
nulls, as the client's schema wants them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard

from ..codec.dump import Dump
from ..codec.fields import Wire
from ..codec.format import Format
from ..codec.schemas.nullable import Nulls, are_nulls


class RequestContext(NamedTuple):
    """What the conversion of an answer needs from that of its request: small, plain data, which can be pickled.

    `tools` has, by the name that the target was sent, the fields of a call of the client's own tool. `usage` says whether the
    client expects the counts of tokens in a stream, which some formats send only if the request asks for them. `nulls` has,
    by the same names, the properties of each object in the tool's schema for which null means that the property is left out.
    """

    tools: Mapping[str, Mapping[str, Any]] = {}
    usage: bool = True
    nulls: Mapping[str, Nulls] = {}

    @property
    def restores(self) -> bool:
        """Whether calls may have to be restored."""
        return bool(self.tools or self.nulls)

    @property
    def names(self) -> dict[str, str]:
        """The client's own names of tools, which an answer must have as they are, whatever the format usually takes."""
        return {name: name for name in (fields["name"] for fields in self.tools.values())}


NO_CONTEXT = RequestContext()
_WITHOUT_USAGE = RequestContext(usage=False)


def context_of(d: Dump, origin: Format, wire: Any) -> RequestContext:
    """The context of a request that this dump wrote."""
    usage = origin.asks_for_usage is None or origin.asks_for_usage(wire)
    offered = d.sent_tools
    if not (d.names or offered or d.nulls):
        return NO_CONTEXT if usage else _WITHOUT_USAGE
    tools: dict[str, Wire] = {sent: {"name": name} for name, sent in d.names.items()}
    for sent, tool in offered.items():
        fields: Wire = {"name": tool.name}
        if tool.kind == "custom":
            fields["custom"] = True
        if tool.namespace is not None and origin.namespace is not None:
            fields["provider_data"] = {origin.family: {origin.namespace: tool.namespace}}
        tools[sent] = fields
    return RequestContext(tools, usage, d.nulls)


def context_in(request: Any) -> RequestContext | None:
    """The context that a caller gave: itself, or a conversion that has one. Raises `TypeError`."""
    context = getattr(request, "context", request)
    if request is None:
        return None
    if not isinstance(context, RequestContext):
        raise TypeError("request must be a Conversion, or the RequestContext that it has")
    if not _is_whole(context):
        raise TypeError("the RequestContext of a request must have `tools`, `usage` and `nulls` as `convert` wrote them")
    return context


_CALL_FIELDS = {"name": str, "custom": bool, "provider_data": Mapping}


def _is_whole(context: RequestContext) -> bool:
    """Whether a context, which may have been stored, has what `context_of` writes, in the right types."""
    fields: tuple[Any, ...] = context
    if len(fields) != len(NO_CONTEXT):
        return False
    tools, usage, nulls = fields
    if not (type(usage) is bool and _is_mapping(tools) and _is_mapping(nulls)):
        return False
    return all(map(_is_tool, tools, tools.values())) and all(map(are_nulls, nulls.values()))


def _is_tool(sent: Any, fields: Any) -> bool:
    if type(sent) is not str or not _is_mapping(fields) or "name" not in fields:
        return False
    known = all(isinstance(value, _CALL_FIELDS.get(key, ())) for key, value in fields.items())
    return known and all(map(_is_mapping, fields.get("provider_data", {}).values()))


def _is_mapping(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)
