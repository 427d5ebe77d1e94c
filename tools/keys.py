"""Writes `src/interlingua/model/_keys.pyi`: for type checkers, the type of each key of each model, and of `replace`.

Run `python tools/keys.py` after a change of a model's fields. With `--check` it writes nothing and reports whether the file is
stale. The types are those of JSON data, as `to_dict` returns it. `model.get` accepts a key of another model of the same union
and returns the default: a tool message has no `tool_calls`. Any other key is an error, in `model.get` and in `model[key]`.
`model.replace` takes what the constructor takes. A base of messages or of parts has the keys of each of them.
"""

import sys
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from typing_extensions import TypeAliasType

import interlingua as il
from generated import PACKAGE, overloads, run
from interlingua.formats import CHOICES
from interlingua.model.base import Model, members

FILE = PACKAGE / "model" / "_keys.pyi"

HEAD = """\
# The types of each model's keys, as `to_dict` returns them, and of what `replace` takes. Written by `tools/keys.py`.

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

from typing_extensions import TypeVar

from ..errors import Loss
from . import {modules}

# What is above the models, as far as their methods need it.
FormatName: TypeAlias = Literal{names}
OnLoss: TypeAlias = Literal["warn", "raise", "ignore"] | Callable[[Loss], object]

class Format(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def new_dump(self) -> Callable[..., Any]: ...

# Each overload of `Items.__getitem__` is for one kind of `self`, which mypy takes for a mistake.
# mypy: disable-error-code=misc

# Where no default is passed, the type variable has one.
# pyright: reportInvalidTypeVarUse=false
_T = TypeVar("_T", default=None)
_Model = TypeVar("_Model", bound=base.Model)
_Copy_co = TypeVar("_Copy_co", covariant=True)
"""

Types: TypeAlias = tuple[str, ...]
"""The members of a union."""


def text() -> str:
    """The whole file, before it is formatted."""
    shown: list[Any] = [getattr(il, name) for name in il.__all__]
    models: list[type[Model]] = [value for value in shown if isinstance(value, type) and issubclass(value, Model)]
    bases = [model for model in models if model.__subclasses__()]
    models = [model for model in models if model not in bases]
    unions = [members(value) for value in shown if isinstance(value, TypeAliasType)]
    modules = sorted({"base", *(home(model).partition(".")[0] for model in models)})
    lines = [HEAD.format(modules=", ".join(modules), names=[*il.FORMATS, *CHOICES])]
    kinds = {model: [model] for model in models} | {base: [one for one in models if issubclass(one, base)] for base in bases}
    # A method, since editors offer no keys after `model["` where it is a descriptor; `self` says which overloads a class has.
    lines += ["class Items:", *overloads("__getitem__", [each for model, of in kinds.items() for each in items(model, of)])]
    more = {
        "Get": [f"(self, model: {home(base)}, owner: type, /) -> {base.__name__}Get" for base in bases],
        "Replace": [
            "(self, model: _Model, owner: type, /) -> ModelReplace[_Model]",
            "(self, model: None, owner: type, /) -> Callable[..., Any]",
        ],
    }
    # As descriptors, so that `Model` has them once and each class gets its own.
    for what in ("Get", "Replace"):
        getters = [f"(self, model: {home(model)}, owner: type, /) -> {model.__name__}{what}" for model in models]
        getters += more[what]
        lines += [f"class {what}:", *overloads("__get__", getters)]
    for model in models:
        kin = {name: None for union in unions if model in union for one in union for name in one.model_fields}
        lines += [f"class {model.__name__}Get(Protocol):", *overloads("__call__", gets(model, kin))]
        lines += [f"class {model.__name__}Replace(Protocol):", *overloads("__call__", [replacing(model)])]
    for base in bases:
        lines += [f"{base.__name__}Get: TypeAlias = {' | '.join(f'{kind.__name__}Get' for kind in kinds[base])}"]
    lines += ["class ModelReplace(Protocol[_Copy_co]):", *overloads("__call__", ["(self, **changes: Any) -> _Copy_co"])]
    return "\n".join(lines)


def home(model: type[Model] | TypeAliasType) -> str:
    return f"{model.__module__}.{model.__name__}".removeprefix("interlingua.model.")


def items(model: type[Model], kinds: list[type[Model]]) -> list[str]:
    """The signatures of `model[key]`, one for all keys of a type; for a base, the keys that all its kinds have."""
    keys: dict[Types, list[str]] = {}
    for name in kinds[0].model_fields:
        fields = [kind.model_fields[name] for kind in kinds if name in kind.model_fields]
        if len(fields) == len(kinds):
            types = dict.fromkeys(each for field in fields for each in json_types(field.annotation))
            keys.setdefault(tuple(types), []).append(name)
    return [f"(self: {home(model)}, key: Literal{names}, /) -> {union(types)}" for types, names in keys.items()]


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


def replacing(model: type[Model]) -> str:
    """The signature of `model.replace`."""
    fields = [f"{name}: {union(taken_types(field.annotation))} = ..." for name, field in model.model_fields.items()]
    return f"(self, *, {', '.join(fields)}) -> {home(model)}"


def taken_types(annotation: Any) -> Types:
    """The types that the constructor takes for a field: lists for tuples, dicts for models."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return taken_types(args[0])
    if origin in (Union, UnionType):
        return tuple(dict.fromkeys(member for arg in args for member in taken_types(arg)))
    if origin is tuple:
        item = union(taken_types(args[0]))
        return ("list[str]", "tuple[str, ...]") if item == "str" else (f"Sequence[{item}]",)  # a str is a Sequence[str] too
    if origin is dict:
        return (f"dict[str, {union(taken_types(args[1]))}]",)
    if annotation is il.Message:
        return ("messages.MessageBase", "dict[str, Any]")  # which a list of several kinds is a list of
    if isinstance(annotation, TypeAliasType) or (isinstance(annotation, type) and issubclass(annotation, Model)):
        return (home(annotation), "dict[str, Any]")
    return json_types(annotation)


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
    literals = [member[len("Literal[") : -1] for member in types if member.startswith("Literal[")]
    others = sorted((member for member in types if not member.startswith("Literal[")), key=lambda each: each == "None")
    return " | ".join([*([f"Literal[{', '.join(literals)}]"] if literals else []), *others])  # None last


if __name__ == "__main__":
    sys.exit(run(FILE, text, "keys.py"))
