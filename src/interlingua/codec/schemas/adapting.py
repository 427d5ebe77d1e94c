"""Adapts a schema to what a provider accepts: refused keywords are rewritten, put in words, or left out, with a report of each.

Each step in `_STEPS` repairs one kind of fault in one schema; then the schemas inside it follow. References are inlined only
for the subset of OpenAPI, with a limit, so the work is linear. Schemas that are nested deeper than any provider accepts are
left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import Loss, LossKind, new_loss
from ...errors.texts import unescape
from ...model.base import Json
from ...model.parts import to_json
from ..fields import Wire, copy_wire
from .anything import say_types, spell_out
from .cycles import Cycles, resolve
from .dialects import Adaptation, Dialect
from .fitting import fits
from .keywords import DEEPEST, HOLDS, LISTED, NAMED, OLDER, ONE, types
from .lone_refs import stand_alone
from .nodes import SchemaNode, new_node, nodes
from .nullable import Nulls, nulls_of, or_null, takes_null
from .sizes import too_large

if TYPE_CHECKING:
    from .inlining import Inlining


class _Unkeepable(Exception):
    """Raised if a schema cannot be adapted under `strict`."""

    def __init__(self, path: str, why: str, looser: Dialect) -> None:
        super().__init__(why)
        self.path = path
        self.why = why
        self.looser = looser


def adapt(schema: Wire, dialect: Dialect, *, strict: bool = False) -> Adaptation:
    """The schema as a dialect accepts it; `strict` is whether the dialect is for strict schemas."""
    return adapt_with_nulls(schema, dialect, strict=strict)[0]


def adapt_with_nulls(schema: Wire, dialect: Dialect, *, strict: bool = False) -> tuple[Adaptation, Nulls | None]:
    """The adapted schema, and the places in it where null means that a property is absent."""
    if fits(schema, dialect):
        return Adaptation(copy_wire(schema), (), strict), None
    try:
        adapting = Adapting(schema, dialect)
        made = adapting.whole()
        _measure(made, dialect)
        return Adaptation(made, tuple(adapting.losses), strict), nulls_of(made, adapting.forced)
    except _Unkeepable as error:
        looser = adapt(schema, error.looser)
        given_up = new_loss((error.path, None, "changed", f"{error.why}, so `strict` is given up"))
        return Adaptation(looser.schema, (given_up, *looser.losses), strict=False), None


def _measure(schema: Wire, dialect: Dialect) -> None:
    """Give up `strict` if the schema is too large for it."""
    if dialect.limits is not None and dialect.looser is not None:
        found = too_large(nodes(schema, ""), dialect.limits)
        if found is not None:
            raise _Unkeepable("", found, dialect.looser)


class Adapting:
    """One adaptation under way."""

    def __init__(self, root: Wire, dialect: Dialect) -> None:
        self.root = root
        self.dialect = dialect
        self.losses: list[Loss] = []
        self.cycles = Cycles(root)
        self.moved: dict[int, SchemaNode] = {}
        """The former places of schemas that have moved, by identity."""
        self.words: list[str] = []
        """The sentences to add to the description of the current schema."""
        self.made_nullable: tuple[str, ...] = ()
        """The properties of the current schema whose null means that they are absent."""
        self.forced: dict[int, tuple[str, ...]] = {}
        """The same for each schema that was written, by identity."""
        self.wrapped: set[str] = set()
        """The pointers of the schemas that became the first of two alternatives."""
        self.inlining: Inlining
        self.origins: dict[str, tuple[SchemaNode, str]] = {}
        """The former places of the keywords that were merged into the current schema."""
        self.steps = _STEPS
        if dialect.openapi:
            self.steps = self._steps_for_openapi()

    def _steps_for_openapi(self) -> tuple[Step, ...]:
        from .inlining import Inlining  # noqa: PLC0415 -- imported on first use
        from .openapi import gather, reduce, shape, tidy  # noqa: PLC0415 -- imported on first use

        self.inlining = Inlining(self.root)
        self.tidy = tidy
        return gather, _root, reduce, _say, shape

    def whole(self) -> Wire:
        made = self.adapted(self.root, new_node((self.root, types(self.root), False, "", (), 0)))
        if self.dialect.openapi:
            self.losses = list(dict.fromkeys(self.losses))  # what is inlined several times is reported once
        elif self.losses:
            self._cut_dangling(made)
        return made

    def report(self, kind: LossKind, node: SchemaNode, keyword: str, why: str) -> None:
        """Report what became of a keyword of a schema; an empty keyword means the schema itself."""
        if keyword in self.origins:
            node, keyword = self.origins[keyword]
        at = f"{node.at}/{keyword}" if keyword else node.at
        self.losses.append(new_loss((at, None, kind, why)))

    def mend(self, out: Wire, node: SchemaNode) -> None:
        """Repair or leave out keywords whose values JSON Schema does not allow."""
        _mend(out, node, self)

    def put_in_words(self, out: Wire, key: str, node: SchemaNode, value: Json = None) -> None:
        """Add a keyword, or the given value for it, in words to the schema's description, and leave the keyword out."""
        if value is not None:
            out[key] = value
        _put_in_words(out, key, node, self)

    def give_up(self, node: SchemaNode, keyword: str, why: str) -> None:
        """Give up `strict`, if the target also accepts schemas that are not strict."""
        if self.dialect.looser is not None:
            raise _Unkeepable(f"{node.at}/{keyword}" if keyword else node.at, why, self.dialect.looser)

    def adapted(self, schema: Wire, node: SchemaNode) -> Wire:
        """The adapted schema, with the schemas inside it adapted."""
        if node.depth > DEEPEST:
            if schema:
                self.report("dropped", node, "", f"a schema must not be nested deeper than {DEEPEST}: make it flatter")
            return {}
        out = dict(schema)
        for step in self.steps:
            step(out, node, self)
        forced = self.made_nullable
        self.made_nullable = ()
        if self.dialect.openapi:
            return self._with_open(out, node)
        made = {key: self._adapted_value(key, value, node) for key, value in out.items()}
        if forced:
            self.forced[id(made)] = forced
        return made

    def _with_open(self, out: Wire, node: SchemaNode) -> Wire:
        """The schema with those inside it adapted; references there to the schemas that it was merged from are circular."""
        entered = self.inlining.entered
        self.origins = {}
        self.inlining.open |= entered
        made = {key: self._adapted_value(key, value, node) for key, value in out.items()}
        self.inlining.open -= entered
        return self.tidy(made, node, self)

    def _adapted_value(self, key: str, value: Json, node: SchemaNode) -> Any:
        holds = HOLDS.get(key)
        if holds == ONE:
            return self._child(value, node, key)
        if holds == LISTED and isinstance(value, list):
            return [self._child(each, node, key, str(i)) for i, each in enumerate(value)]
        if holds == NAMED and isinstance(value, dict):
            return {name: self._child(each, node, key, name) for name, each in value.items()}
        return copy_wire(value)

    def _child(self, value: Json, node: SchemaNode, *steps: str) -> Any:
        if not isinstance(value, dict):
            return copy_wire(value)
        origin = self.moved.get(id(value))
        within, steps = (node, steps) if origin is None else (origin.within, origin.steps)
        return self.adapted(value, new_node((value, types(value), False, within, steps, node.depth + 1)))

    def _cut_dangling(self, made: Wire) -> None:
        """Remove references to schemas that were removed or moved."""
        known: dict[str, bool] = {}
        for node in nodes(made, ""):
            ref: Json = node.schema.get("$ref")
            if isinstance(ref, str) and ref.startswith("#"):
                if self.wrapped and (new := self._inside_wrapped(ref)) != ref:
                    ref = node.schema["$ref"] = new
                if ref not in known:
                    known[ref] = resolve(made, ref) is not None or resolve(self.root, ref) is None
                if not known[ref]:
                    self.report("dropped", node, "$ref", "the schema that this reference names was removed or moved")
                    del node.schema["$ref"]
                    say_types(node.schema, node, self)

    def _inside_wrapped(self, ref: str) -> str:
        """A reference to the same schema, which may now be one of two alternatives, or inside one."""
        steps = ref.split("/")
        if len(steps) > 2 * DEEPEST:
            return ref
        at = ""
        to = steps[0]
        for step in steps[1:]:
            at = f"{at}/{step}"
            to = f"{to}/{step}"
            if at in self.wrapped:
                to += "/anyOf/0"
        return to


# Steps


def _mend(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Repair or leave out keywords whose values JSON Schema does not allow."""
    for key in [*out]:
        check = a.dialect.checks.get(key)
        if check is None or key not in out or check(out[key]):
            continue
        value: Json = out.pop(key)
        if key in _BOUNDS and value is True and a.dialect.checks[key](out.get(_BOUNDS[key])):
            out[key] = out.pop(_BOUNDS[key])
        elif key == "items" and "prefixItems" not in out and a.dialect.checks["prefixItems"](value):
            out["prefixItems"] = value
        elif key == "required" and isinstance(value, list) and OLDER[key](value):
            out[key] = [*dict.fromkeys(value)]
            a.report("changed", node, key, "`required` must not repeat a name; each name is sent once")
            continue
        elif HOLDS.get(key) == NAMED and isinstance(value, dict):
            named: dict[str, Any] = value
            out[key] = {name: each if isinstance(each, dict | bool) else {} for name, each in named.items()}
        else:
            a.report("dropped", node, key, f"JSON Schema does not allow this value of {_named(key)}")
            continue
        a.report("changed", node, key, f"JSON Schema does not allow this value of {_named(key)}; sent in the current spelling")


_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
"""Keywords that are numbers today; in older drafts, each was true beside the keyword with the number."""


def _root(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Make the root schema one of type object, without the keywords that the root must not have."""
    if not node.root:
        return
    if a.dialect.object_root and "type" not in out and "$ref" in out:
        _open_root(out, a)
    for key in a.dialect.not_at_root:
        if key not in out:
            continue
        if key in ("anyOf", "oneOf", "allOf"):
            a.report("changed", node, key, f"{_named(key)} must not be at the root of the schema; its properties are merged")
            _merge(out, key, out.pop(key), node, a)
        else:
            _put_in_words(out, key, node, a)
    kinds = types(out)
    if a.dialect.object_root and kinds != ("object",):
        if kinds and "object" not in kinds:
            a.give_up(node, "type", "the schema must be of type object")
        a.report("changed", node, "type" if kinds else "", "the schema must be of type object; sent with this type")
        out["type"] = "object"
    if a.dialect.root_properties and "object" in types(out) and "properties" not in out:
        # The schema means the same with it.
        out["properties"] = {}


def _open_root(out: Wire, a: Adapting) -> None:
    """Replace the root schema by the one that it refers to."""
    seen: set[str] = set()
    while True:
        ref: Json = out.get("$ref")
        if not isinstance(ref, str) or ref in seen:
            return
        found = resolve(a.root, ref)
        if found is None:
            return
        seen.add(ref)
        del out["$ref"]
        _move(found, _place(ref), a)
        for key, value in found.items():
            out.setdefault(key, value)


def _place(ref: str) -> SchemaNode:
    return new_node(({}, (), False, "", tuple(map(unescape, ref.split("/")[1:])), 0))


def _move(schema: Wire, place: SchemaNode, a: Adapting) -> None:
    """Record the former places of a schema's properties."""
    properties: Json = schema.get("properties")
    each: Json
    for name, each in properties.items() if isinstance(properties, dict) else ():
        if isinstance(each, dict):
            a.moved.setdefault(id(each), new_node((each, (), False, place, ("properties", name), 0)))


def _merge(out: Wire, key: str, value: Json, node: SchemaNode, a: Adapting) -> None:
    """Merge the properties of the schemas in `allOf` or `anyOf` into the root schema."""
    listed: list[Json] = value if isinstance(value, list) else []
    schemas: list[Wire] = []
    for i, each in enumerate(listed):
        if isinstance(each, dict):
            ref: Json = each.get("$ref")
            found = resolve(a.root, ref) if isinstance(ref, str) else None
            schemas.append(each if found is None else found)
            _move(schemas[-1], new_node((each, (), False, node, (key, str(i)), 0)) if found is None else _place(str(ref)), a)
    _merge_properties(out, schemas, "allOf" if key == "allOf" else "anyOf")
    required = [_required(each) for each in schemas]
    if key == "allOf":
        _require_more(out, set[str]().union(*required))
    elif required and len(required) == len(listed):
        _require_more(out, required[0].intersection(*required))


def _merge_properties(out: Wire, schemas: list[Wire], keyword: str) -> None:
    """Add the properties of schemas; if several have one, a keyword combines them. Those of the root itself take precedence."""
    own: Json = out.get("properties")
    found: dict[str, list[Json]] = {}
    for each in schemas:
        properties: Json = each.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            found.setdefault(name, []).append(schema)
    if found:
        merged: Wire = {name: _one(each, keyword) for name, each in found.items()}
        out["properties"] = merged | (own if isinstance(own, dict) else {})


def _required(schema: Wire) -> set[str]:
    names: Json = schema.get("required")
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


def _require_more(out: Wire, names: set[str]) -> None:
    """Require these properties, if the schema has them."""
    required: Json = out.get("required")
    new = names - _required(out)
    more = [name for name in out.get("properties", ()) if name in new]
    if more:
        out["required"] = [*(required if isinstance(required, list) else []), *more]


def _one(schemas: list[Json], keyword: str) -> Json:
    """One schema in place of several for the same property, combined by the keyword if they differ."""
    distinct = list({to_json(each): each for each in schemas}.values())
    return distinct[0] if len(distinct) == 1 else {keyword: distinct}


def _refs(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Put a reference that has other keywords beside it into an `anyOf` of one schema, which means the same."""
    allowed = a.dialect.beside_refs
    if allowed is None or "$ref" not in out or node.root:
        return
    if out.keys() <= {"$ref", *allowed}:
        return
    if "anyOf" in out:
        a.give_up(node, "$ref", "`$ref` must have no `anyOf` beside it")
        a.report("dropped", node, "$ref", "`$ref` must have no other keyword beside it")
        del out["$ref"]
        return
    out["anyOf"] = [{"$ref": out.pop("$ref")}]


def _refuse(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Rewrite refused keywords, or put them in words."""
    dialect = a.dialect
    for key in [key for key in out if not dialect.takes(key, out[key])]:
        value: Json = out[key]
        alone: Json = value[0] if key == "allOf" and isinstance(value, list) and len(value) == 1 else None
        if isinstance(alone, dict) and alone.keys().isdisjoint(out.keys() - {"allOf"}) and alone.keys() <= _MERGEABLE:
            del out[key]
            _move(alone, new_node((alone, (), False, node, (key, "0"), 0)), a)
            out |= alone
        elif key == "oneOf" and "anyOf" not in out and "anyOf" not in dialect.refused:
            out["anyOf"] = out.pop(key)
            a.report(
                "changed", node, key, "`oneOf` is refused in this schema; sent as `anyOf`, which allows more than one to match"
            )
        else:
            if key in dialect.loosened_by:
                a.give_up(node, key, f"{_named(key)} is refused in a strict schema")
            _put_in_words(out, key, node, a)


_MERGEABLE = frozenset({"$ref", "type", "description", "title", "enum", "const", "properties", "required", "default"})


def _put_in_words(out: Wire, key: str, node: SchemaNode, a: Adapting) -> None:
    """Add a refused keyword to the description in words, as the official clients do."""
    value = out.pop(key)
    a.words.append(f"{key}: {value if type(value) is str else to_json(value)}")
    a.report("changed", node, key, f"{_named(key)} is refused in this schema; the description now says it in words")


def _say(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Add to the description the keywords that were put in words."""
    if not a.words:
        return
    description: Json = out.get("description")
    keyword = "description" if "description" in out else ""
    a.report("changed", node, keyword, "the description also says in words what its keywords said")
    words = "{" + ", ".join(a.words) + "}"
    a.words.clear()
    out["description"] = f"{description}\n\n{words}" if isinstance(description, str) and description else words


def _cut_cycles(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Put in words the references by which a schema refers to itself."""
    ref: Json = out.get("$ref")
    if a.dialect.acyclic and isinstance(ref, str) and a.cycles.leads_back(ref, node.at):
        a.give_up(node, "$ref", "a strict schema must not refer to itself")
        _put_in_words(out, "$ref", node, a)


def _fill(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Give arrays their `items`; remove names without a property from `required`."""
    kinds = types(out)
    if a.dialect.items and "array" in kinds and out.get("items") is None:
        # The schema means the same with it.
        out["items"] = {}
    names: Json = out.get("required")
    if a.dialect.defined and isinstance(names, list):
        defined: Json = out.get("properties")
        known = defined if isinstance(defined, dict) else {}
        kept = [name for name in names if not isinstance(name, str) or name in known]
        if len(kept) < len(names):
            a.report("changed", node, "required", "a property in `required` must be defined in `properties`: sent without it")
            out["required"] = kept


def _close(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Forbid additional properties."""
    if not a.dialect.closed or "object" not in types(out) or (additional := out.get("additionalProperties")) is False:
        return
    is_empty_root = node.root and "additionalProperties" not in out
    if isinstance(additional, dict) or not (out.get("properties") or is_empty_root):
        at = "additionalProperties" if additional is not None else ""
        a.give_up(node, at, "an object that takes any properties cannot be strict")
    keyword = "additionalProperties" if "additionalProperties" in out else ""
    a.report("changed", node, keyword, "each object must have `additionalProperties: false`; sent with it")
    out["additionalProperties"] = False


def _require(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Require every property; where possible, null then means that an optional property is absent."""
    properties: Json = out.get("properties")
    if not a.dialect.all_required or not isinstance(properties, dict) or "object" not in types(out):
        return
    listed: Json = out.get("required")
    named: list[Json] = listed if isinstance(listed, list) else []
    known = {name for name in named if isinstance(name, str)}
    missing = [name for name in properties if name not in known]
    if not missing:
        return
    keyword = "required" if "required" in out else ""
    if a.dialect.nullable:
        _make_nullable(out, missing, node, a)
        why = "a strict schema must require every property; null stands for leaving out one that was optional"
    else:
        for name in missing:
            here = new_node((properties[name], (), False, node, ("properties", name), 0))
            if a.cycles.endless(properties[name], here.at):
                a.give_up(here, "", "a property that repeats the schema cannot be required")
        why = "a strict schema must require every property; sent with all of them required"
    a.report("changed", node, keyword, why)
    out["required"] = [*named, *missing]


def _make_nullable(out: Wire, names: list[str], node: SchemaNode, a: Adapting) -> None:
    """Let these properties be null, if they cannot be null yet."""
    properties = out["properties"] = dict(out["properties"])
    forced = [name for name in names if not takes_null(properties[name], a.root)]
    for name in forced:
        schema: Json = properties[name]
        place = a.moved.get(id(schema)) or new_node((out, (), False, node, ("properties", name), 0))
        at = place.at
        made, is_wrapped = or_null(schema, whole=f"#{at}" in a.cycles.references)
        properties[name] = made
        a.report("changed", place, "", "this property is optional, and must be required: it may be null instead")
        a.moved[id(made)] = place._replace(schema=made)
        if is_wrapped:
            a.wrapped.add(at)
            a.moved[id(schema)] = place
    if forced and "minProperties" in out:
        a.report("changed", node, "minProperties", "a property that is null counts towards `minProperties`")
    a.made_nullable = tuple(forced)


def _named(keyword: str) -> str:
    return f"`{keyword}`"  # a name from one of our tables


Step: TypeAlias = Callable[[Wire, SchemaNode, Adapting], None]
_STEPS: tuple[Step, ...] = (
    *(_mend, _root, _refuse, stand_alone, _cut_cycles, _say, _refs),
    *(_fill, spell_out, say_types, _close, _require),
)
