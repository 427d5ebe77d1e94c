"""The strict schemas of a request that is written, for providers that limit all of them together."""

from __future__ import annotations

from functools import cached_property

from ..model.exchange import Request
from .arguments import EMPTY, fit_parameters
from .dump import Dump
from .fields import Wire
from .limits import Totals
from .schemas.adapting import adapt
from .schemas.dialects import Dialects
from .schemas.nodes import nodes
from .schemas.sizes import optional, over, total_of


class StrictSchemas:
    """What the strict schemas have together; that of the answer counts first, because it cannot be sent without `strict`."""

    def __init__(self, request: Request, d: Dump) -> None:
        self.request = request
        self.d = d
        self.used: Totals | None = None
        """None until a tool is strict."""

    @cached_property
    def may_exceed(self) -> bool:
        """Whether the schemas, before they are adapted, may exceed a total; those of most requests are far below."""
        offered = self.request.tools or ()
        tools = [tool for tool in offered if tool.type == "function"]
        if len(tools) < len(offered):
            return True  # a group of tools may have any number of them
        tools = [tool for tool in tools if tool.strict]
        form = self.request.response_format
        if len(tools) + (form is not None) < 2:
            return False  # one alone is within the totals, because its own limits are smaller
        schemas = [each.parameters for each in tools]
        schemas += [] if form is None else [form.json_schema]
        return len(tools) > _FEW or sum([_open(schema) for schema in schemas if schema]) > _FEW

    def fit_parameters(
        self, schema: Wire | None, path: str, at: str, *, strict: bool | None = None
    ) -> tuple[Wire, bool | None]:
        """The same as the function of this name, for a tool that is strict only if the totals of the request allow it."""
        d = self.d
        why = self._refusal(schema or EMPTY) if strict and self.may_exceed else None
        if why is None:
            return fit_parameters(schema, path, at, d, strict=strict)
        if schema:
            d.report("changed", path + "/parameters", None, f"{why}, so `strict` is given up")
        d.drop(path + "/strict", f"{why}; sent without")
        return fit_parameters(schema, path, at, d)

    def _refusal(self, schema: Wire) -> str | None:
        """Why a tool cannot be strict beside the others; None if it can, and then it is counted."""
        dialects = self.d.dialects
        if dialects is None:
            return None
        most = dialects.strict_tool.totals
        adapted = adapt(schema, dialects.strict_tool, strict=True)
        if most is None or not adapted.strict:
            return None
        if self.used is None:
            self.used = self._of_answer(dialects)
        used = self.used.plus(total_of(adapted.schema, tools=1))
        why = over(used, most)
        if why is None:
            self.used = used
        return why

    def _of_answer(self, dialects: Dialects) -> Totals:
        form = self.request.response_format
        schema: Wire | None = None if form is None else form.json_schema
        return Totals() if schema is None else total_of(adapt(schema, dialects.response).schema)


_FEW = 15
"""Fewer than any total."""
_MERGED = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
"""The keywords that an adaptation merges into the root."""
_SEVERAL = frozenset({"anyOf", "oneOf"})


def _open(schema: Wire) -> int:
    """The number of properties that are not required, and of schemas that are not of one type; many if it will be merged."""
    if not _MERGED.isdisjoint(schema):
        return _FEW + 1
    found = nodes(schema, "")
    return sum([len(optional(node.schema)) + (len(node.types) != 1 or not _SEVERAL.isdisjoint(node.schema)) for node in found])
