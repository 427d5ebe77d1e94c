"""Writes `src/interlingua/model/_keys.pyi`: for type checkers, the type of each key of each model.

Run `python tools/keys.py` after a change of a model's fields. With `--check` it writes nothing and reports whether the file is
stale. The types are those of JSON data, as `to_dict` returns it. `model.get` accepts a key of another model of the same union
and returns the default: a tool message has no `tool_calls`. Any other key is an error, in `model.get` and in `model[key]`.
"""

import sys
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from typing_extensions import TypeAliasType

import interlingua as il
from generated import PACKAGE, overloads, run
from interlingua.model.base import Model, members

FILE = PACKAGE / "model" / "_keys.pyi"

HEAD = """\
# The type of each key of each model, as `to_dict` returns it. Written by `tools/keys.py`: do not edit.

from typing import Any, Literal, Protocol, overload

from typing_extensions import TypeVar

from . import {modules}

# Where no default is passed, the type variable has one.
# pyright: reportInvalidTypeVarUse=false
_T = TypeVar("_T", default=None)
"""

Types: TypeAlias = tuple[str, ...]
"""The members of a union."""


def text() -> str:
    """The whole file, before it is formatted."""
    shown: list[Any] = [getattr(il, name) for name in il.__all__]
    models: list[type[Model]] = [value for value in shown if isinstance(value, type) and issubclass(value, Model)]
    models = [model for model in models if not model.__subclasses__()]
    unions = [members(value) for value in shown if isinstance(value, TypeAliasType)]
    modules = sorted({home(model).partition(".")[0] for model in models})
    lines = [HEAD.format(modules=", ".join(modules))]
    for what in ("Item", "Get"):
        # As descriptors, so that `Model` has them once and each class gets its own.
        getters = [f"(self, model: {home(model)}, owner: type, /) -> {model.__name__}{what}" for model in models]
        lines += [f"class {what}:", *overloads("__get__", getters)]
    for model in models:
        kin = {name: None for union in unions if model in union for one in union for name in one.model_fields}
        lines += [f"class {model.__name__}Item(Protocol):", *overloads("__call__", items(model))]
        lines += [f"class {model.__name__}Get(Protocol):", *overloads("__call__", gets(model, kin))]
    return "\n".join(lines)


def home(model: type[Model]) -> str:
    return f"{model.__module__}.{model.__name__}".removeprefix("interlingua.model.")


def items(model: type[Model]) -> list[str]:
    """The signatures of `model[key]`, one for all keys of a type."""
    keys: dict[Types, list[str]] = {}
    for name, field in model.model_fields.items():
        keys.setdefault(json_types(field.annotation), []).append(name)
    return [f"(self, key: Literal{names}, /) -> {union(types)}" for types, names in keys.items()]


def gets(model: type[Model], kin: Iterable[str]) -> list[str]:
    """The signatures of `model.get(key)` and `model.get(key, default)`."""
    keys: dict[tuple[Types, bool], list[str]] = {}
    for name, field in model.model_fields.items():
        keys.setdefault((json_types(field.annotation), field.is_required()), []).append(name)
    signatures: list[str] = []
    for (types, required), names in keys.items():
        default, result = "_T", union((*types, "_T"))
        if required:
            default, result = "object", union(types)
        elif "None" in types:  # null may be the value: a default needs no other type than that of the key
            default = result
        signatures.append(f"(self, key: Literal{names}, default: {default} = ..., /) -> {result}")
    absent = [name for name in kin if name not in model.model_fields]
    if absent:
        signatures.append(f"(self, key: Literal{absent}, default: _T = ..., /) -> _T")
    return signatures


def json_types(annotation: Any) -> Types:
    """The types that a field's value may have in `to_dict`."""
    origin, args = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, TypeAliasType):
        return json_types(annotation.__value__)
    if origin is Annotated:
        return json_types(args[0])
    if origin in (Union, UnionType):
        return tuple(dict.fromkeys(member for arg in args for member in json_types(arg)))
    if origin is Literal:
        return (f"Literal{[*args]}",)
    if origin is tuple:
        return (f"list[{union(json_types(args[0]))}]",)
    if origin is dict or (isinstance(annotation, type) and issubclass(annotation, Model)):
        return ("dict[str, Any]",)
    return ({Any: "Any", NoneType: "None", str: "str", int: "int", float: "float", bool: "bool"}[annotation],)


def union(types: Types) -> str:
    return " | ".join(sorted(types, key=lambda member: member == "None"))  # None last


if __name__ == "__main__":
    sys.exit(run(FILE, text, "keys.py"))
