"""Strategies from types: the values of a model or of a wire object, by its annotations.

`values` handles literals, unions, lists, free JSON, models and typed dicts. A hint says what a type cannot (the form of a URL,
the words that a field may have); its key is the field's name, or the class's and the field's. Two members of a union are never
drawn: null, and the one for all unknown values (`<other>`).
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, NotRequired, Required, TypeVar, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import Tag
from typing_extensions import TypeAliasType, get_type_hints, is_typeddict

from ...model.base import Label, Model
from .primitives import BASE64, COUNTS, IDS, MEDIA_TYPES, NAMES, SCHEMAS, URLS, json_objects, json_values, text

ModelT = TypeVar("ModelT", bound=Model)
Strategy = st.SearchStrategy[Any]
Hints = Mapping[str, Strategy]
COMMON: Hints = {
    "data": BASE64,
    "description": text(),
    "file_id": NAMES,
    "id": IDS,
    "input_schema": SCHEMAS,
    "media_type": MEDIA_TYPES,
    "name": NAMES,
    "parameters": SCHEMAS,
    "signature": BASE64,
    "title": NAMES,
    "tool_call_id": IDS,
    "tool_use_id": IDS,
    "url": URLS,
}
"""Fields that have the same meaning in all objects."""
_OTHER = Tag("<other>")
_NULL = Tag("<null>")


def given(model: type[ModelT], required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[ModelT]:
    """Values of a model with fields that are always set, and fields that may be absent, or null if the model allows it."""
    nullable = {
        name: st.none() | value if model.model_fields[name].default is None else value for name, value in optional.items()
    }
    return st.fixed_dictionaries(required, optional=nullable).map(lambda fields: model(**fields))


def of_model(model: type[ModelT], hints: Hints) -> st.SearchStrategy[ModelT]:
    """Values of a model whose fields are all drawn by their types."""
    required: dict[str, Strategy] = {}
    optional: dict[str, Strategy] = {}
    tagged = getattr(model, "_tag", None)
    for name, field in model.model_fields.items():
        if tagged is None or name != tagged[0]:
            kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
            fields = required if field.is_required() else optional
            fields[name] = member(model, name, kind, hints)
    return given(model, required, optional)


def of_object(
    wire: Any, hints: Hints, more: Mapping[str, Strategy] | None = None, always: Collection[str] = ()
) -> st.SearchStrategy[dict[str, Any]]:
    """Values of a typed dict; `more` are undeclared fields, and `always` are optional fields that are always present.

    A field with the hint `st.nothing()` is never present.
    """
    kinds = get_type_hints(wire, include_extras=True)
    known = {name: member(wire, name, kind, hints) for name, kind in kinds.items()} | dict(more or {})
    required = {key: known[key] for key in known if key in always or _is_required(wire, key, kinds.get(key))}
    optional = {key: value for key, value in known.items() if key not in required and not value.is_empty}
    return st.fixed_dictionaries(required, optional=optional)


def _is_required(wire: Any, name: str, kind: Any) -> bool:
    # The class itself does not know this if its annotations are text.
    origin = get_origin(kind)
    return origin is Required or (origin is not NotRequired and name in wire.__required_keys__)


def member(owner: Any, name: str, kind: Any, hints: Hints) -> Strategy:
    """Values of a field."""
    hint = hints.get(f"{owner.__name__}.{name}", hints.get(name))
    return values(kind, hints) if hint is None else hint


def values(kind: Any, hints: Hints) -> Strategy:
    """Values of a type."""
    if isinstance(kind, TypeAliasType):
        kind = kind.__value__
    origin = get_origin(kind)
    arguments = get_args(kind)
    if kind == Label:
        return NAMES
    if origin in (Annotated, Required, NotRequired):
        return values(arguments[0], hints)
    if origin in (Union, types.UnionType):
        return st.one_of([values(item, hints) for item in arguments if not _is_left_out(item)])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (list, tuple):
        return st.lists(values(arguments[0], hints), max_size=2)
    if isinstance(kind, type) and kind.__name__ in hints:
        return hints[kind.__name__]
    if is_typeddict(kind):
        return of_object(kind, hints)
    if isinstance(kind, type) and issubclass(kind, Model):
        return of_model(kind, hints)
    return _SIMPLE[origin or kind]


def _is_left_out(item: Any) -> bool:
    return item is types.NoneType or any(mark in get_args(item)[1:] for mark in (_OTHER, _NULL))


_SIMPLE: dict[Any, Strategy] = {
    str: text(),
    int: COUNTS,
    float: st.sampled_from([0.5, 1.0]),
    bool: st.booleans(),
    dict: json_objects(),
    Any: json_values(max_leaves=2),
}
