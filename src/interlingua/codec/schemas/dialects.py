"""The part of JSON Schema that a provider accepts, as data for `check` and `adapt_schema`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from ...errors import Loss
from ...model.base import Json
from ..limits import SchemaLimits, Totals
from .keywords import CLASSES, HOLDS, ONE, SWITCHES

Purpose: TypeAlias = Literal["tool", "response"]


@dataclass(frozen=True, eq=False)
class Dialect:
    """The schemas that one field of a provider accepts."""

    refused: frozenset[str] = frozenset()
    """Keywords that are refused in all schemas."""
    allowed: frozenset[str] | None = None
    """The only keywords that are accepted; None if all that are not refused are accepted."""
    values: Mapping[str, tuple[Json, ...]] = field(default_factory=dict[str, tuple[Json, ...]])
    """Keywords that are accepted only with these values."""
    not_at_root: tuple[str, ...] = ()
    """Keywords that are refused in the root schema only."""
    object_root: bool = False
    """Whether the root schema must be of type object."""
    root_properties: bool = False
    """Whether the root schema must have `properties`."""
    checks: Mapping[str, Callable[[Json], bool]] = field(default_factory=dict[str, Callable[[Json], bool]])
    """Checks of the values of keywords."""
    closed: bool = False
    """Whether each object must have `additionalProperties: false`."""
    all_required: bool = False
    """Whether each object must require all its properties."""
    nullable: bool = False
    """Whether null then means that a property is absent; such nulls are removed from the arguments of calls."""
    beside_refs: frozenset[str] | None = None
    """Keywords that are accepted beside `$ref`; None if all are."""
    lone_refs: bool = False
    """Whether `$ref` must stand alone, but for a description that the schema it names lacks, and `items` be one schema."""
    acyclic: bool = False
    """Whether a schema must not refer to itself."""
    items: bool = False
    """Whether each array must have `items`."""
    defined: bool = False
    """Whether required names must be among the properties."""
    limits: SchemaLimits | None = None
    """The limits of size; a schema that exceeds one is sent without `strict`."""
    totals: Totals | None = None
    """The limits of all strict schemas of a request together; a tool that exceeds one is sent without `strict`."""
    objects: bool = False
    """Whether each schema inside a schema must be an object, where JSON Schema also allows `true` and `false`."""
    typed: bool = False
    """Whether a schema must refuse some value; one that does not is sent without `strict`."""
    loosened_by: frozenset[str] = frozenset()
    """Refused keywords that change the meaning of a schema: `strict` is given up to keep them."""
    looser: Dialect | None = None
    """The dialect without `strict`, if `strict` can be given up."""
    openapi: bool = False
    """Whether this is the subset of OpenAPI 3.0: one type in capitals, `nullable`, no references, only texts in `enum`."""

    @cached_property
    def classes(self) -> Mapping[str, frozenset[type]]:
        """The classes of values that are accepted unchanged, by keyword; empty for a keyword that may need a change."""
        inside = [key for key, holds in HOLDS.items() if holds == ONE and key not in SWITCHES] if self.objects else []
        only_objects = dict.fromkeys(inside, frozenset[type]({dict}))
        return {**CLASSES, **only_objects, **dict.fromkeys((*self.refused, *self.values), frozenset[type]())}

    @cached_property
    def demanding(self) -> bool:
        """Whether the dialect requires anything of the schemas inside a schema, other than the `items` of arrays."""
        asked = self.closed or self.all_required or self.defined or self.typed or self.openapi
        return asked or self.lone_refs or self.beside_refs is not None or self.allowed is not None

    @cached_property
    def few(self) -> int:
        """A number of schemas so small that they exceed no limit."""
        if self.limits is None or self.limits.values is not None or self.limits.characters is not None:
            return 0
        return min(most for most in self.limits if most is not None)

    def takes(self, keyword: str, value: Json) -> bool:
        """Whether a keyword is accepted with this value."""
        if keyword in self.refused or (self.allowed is not None and keyword not in self.allowed):
            return False
        values = self.values.get(keyword)
        return values is None or value in values


def strictly(loose: Dialect, strict: Dialect) -> Dialect:
    """The dialect of strict schemas in a field that also accepts others; it has the requirements of both dialects."""
    return replace(
        strict,
        not_at_root=loose.not_at_root,
        object_root=loose.object_root or strict.object_root,
        root_properties=loose.root_properties,
        checks=loose.checks,
        items=loose.items,
        defined=loose.defined,
        looser=loose,
    )


@dataclass(frozen=True, eq=False)
class Dialects:
    """The dialects of a format: for tools, strict tools, answers and strict answers."""

    tool: Dialect
    strict_tool: Dialect
    response: Dialect
    strict_response: Dialect

    def of(self, purpose: Purpose, *, strict: bool) -> Dialect:
        """The dialect for a purpose."""
        if purpose == "tool":
            return self.strict_tool if strict else self.tool
        return self.strict_response if strict else self.response


class Adaptation(NamedTuple):
    """A schema that the target accepts, the losses, and whether `strict` was kept.

    The paths of the losses point into the schema before the adaptation.
    """

    schema: dict[str, Any]
    losses: tuple[Loss, ...]
    strict: bool
