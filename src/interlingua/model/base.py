"""The base of every canonical model: strict, frozen, closed, and readable like a dict.

A model is exactly its `to_dict()`: the fields that were set, as plain JSON values. Absent, null, `""` and `[]` stay
different. Equality, hashing and dict access are those of that dict. Two facts of pydantic 2.14 shape the code. A strict `str`
accepts a lone surrogate, and the JSON dump then fails; so text carries a constraint. `exclude_unset` leaves out a tag that has
its default; so a tag is put into the data before validation.
"""

from __future__ import annotations

import copy
import json
import math
import sys
from abc import ABCMeta
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    Tag,
    model_serializer,
)
from pydantic_core import PydanticCustomError, PydanticUndefined, SchemaValidator, core_schema, from_json
from typing_extensions import TypeAliasType

from .docs import field_docs
from .shortened import fields_shown, shortened

T = TypeVar("T")

Json: TypeAlias = dict[str, Any] | list[Any] | str | int | float | bool | None
"""A JSON value, for type checkers: narrowed by `type(value) is dict`, its keys and values have known types."""

_kind: Callable[[object], type[Any]] = type
"""The type of a value that may be anything."""

MAX_DEPTH = 200
"""How many levels free JSON may nest; pydantic-core reads JSON text to the same depth."""

_LARGEST = 10**4300 - 1
_SMALLEST = 1 - 10**4299
"""The bounds of integers: Python writes at most 4300 digits, and pydantic-core (2.41) reads as many characters."""
_MANY_BITS = _SMALLEST.bit_length()
_TOO_LONG = "an integer must have at most 4300 characters to be written as JSON"


class _ValidText:
    """A `str` that UTF-8 can encode: with any constraint, pydantic-core decodes the string and refuses lone surrogates.

    The choice of constraint matters for speed alone: a minimum length is cheapest for short text, an empty pattern for long.
    JSON text needs none: its parser refuses them.
    """

    def __init__(self, **constraint: Any) -> None:
        self.constraint = constraint

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        given, read = (core_schema.str_schema(strict=True, **constraint) for constraint in (self.constraint, {}))
        return core_schema.json_or_python_schema(read, given)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        return handler(core_schema.str_schema())


Text = Annotated[str, _ValidText(pattern="")]
"""Valid Unicode text."""

Label = Annotated[str, _ValidText(min_length=0)]
"""Valid Unicode text that is usually short: an id, a name."""


class Says:
    """The JSON Schema of a type that a function recognizes."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        return dict(self.schema)


def other_than(key: str, *known: str) -> Says:
    """The schema of an object whose `key` is text and none of these values."""
    named: dict[str, Any] = {"type": "string", "not": {"enum": sorted(known)}}
    return Says({"type": "object", "properties": {key: named}, "required": [key]})


def _too_long(value: int) -> bool:
    return value.bit_length() >= _MANY_BITS and not _SMALLEST <= value <= _LARGEST


def _writable(value: int) -> int:
    if _too_long(value):
        raise _refuse(_TOO_LONG, "")
    return value


Integer = Annotated[int, AfterValidator(_writable)]
"""An integer that JSON text can carry."""


def _number(value: Any) -> str | None:
    kind = _kind(value)
    return "<integer>" if kind is int else "<number>" if kind is float else None


Number = Annotated[
    Annotated[Integer, Tag("<integer>")] | Annotated[float, Field(allow_inf_nan=False), Tag("<number>")],
    Discriminator(_number, custom_error_type="number", custom_error_message="Input should be a number"),
    Says({"type": "number"}),
]
"""A finite JSON number; an integer stays an integer."""


def _refuse(reason: str, at: str) -> PydanticCustomError:
    return PydanticCustomError("free_json", "{reason}", {"reason": reason, "at": at})


class _NotJson(Exception):
    """A value that JSON cannot hold. The containers around it add their keys as it passes, so only a fault costs a path."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.keys: list[str | int] = []

    def at(self) -> str:
        return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in reversed(self.keys))


@cache
def json_copier() -> SchemaValidator:
    """The validator, and copier, of JSON values that are built-in types: text, numbers, dicts and lists, in 200 levels.

    It refuses what JSON cannot hold, and also tuples, models and integers of more than 64 bits: longer bounds are slow. A
    definition for each level limits the depth; the type of a value is its tag, so that no Python runs. It stops at the first
    fault, since pydantic-core keeps a path for each.
    """
    options: Any = {"strict": True, "fail_fast": True}
    text = core_schema.str_schema(strict=True, min_length=0)
    leaves: dict[Any, core_schema.CoreSchema] = {
        str: text,
        int: core_schema.int_schema(strict=True, ge=-(2**63), le=2**63 - 1),
        float: core_schema.float_schema(strict=True, allow_inf_nan=False),
        bool: core_schema.bool_schema(strict=True),
        type(None): core_schema.none_schema(),
    }
    levels: list[core_schema.CoreSchema] = []
    for level in range(MAX_DEPTH):  # outermost first: pydantic-core's names for them would grow exponentially the other way
        inner = core_schema.definition_reference_schema(str(level + 1))
        nested = {dict: core_schema.dict_schema(text, inner, **options), list: core_schema.list_schema(inner, **options)}
        levels.append(core_schema.tagged_union_schema(leaves | nested, _kind, ref=str(level)))
    levels.append(core_schema.tagged_union_schema(leaves, _kind, ref=str(MAX_DEPTH)))
    return SchemaValidator(core_schema.definitions_schema(core_schema.definition_reference_schema("0"), levels))


def parse_json(text: str | bytes | bytearray) -> Any:
    """The data of a JSON text. Raises `ValueError` and, for more levels than Python's parser reads, `RecursionError`."""
    try:
        return from_json(text)
    except (TypeError, ValueError) as error:
        if isinstance(error, ValueError) and "recursion limit" not in str(error):
            raise
    # Python's parser reads deeper documents, and text with lone surrogates; validation says where a fault is.
    return json.loads(text)


def exact_object(text: str) -> dict[str, Any] | None:
    """The object of a JSON text; None if it is not an object, or has a number that Python cannot hold as it is."""
    try:
        value: Json = from_json(text, allow_inf_nan=False)
        if type(value) is not dict or not all(type(item) in _EXACT for item in value.values()):
            json.loads(text, parse_float=exact_number)
    except (TypeError, ValueError):  # of text that is not JSON, or not valid Unicode
        return None
    return value if type(value) is dict else None


_EXACT = (str, int, bool, type(None))


def exact_number(text: str) -> float:
    """The double that is this decimal number; `ValueError` if there is none."""
    from decimal import Decimal  # noqa: PLC0415 -- few programs meet fractions, and importing the package should cost little

    value = float(text)
    try:
        if math.isfinite(value) and Decimal(repr(value)) == Decimal(text):
            return value
    except ArithmeticError:  # an exponent that no decimal has
        pass
    raise ValueError("a double cannot hold this number")


def copy_json(value: Any) -> Any:
    """Copy a JSON value: finite numbers, valid text in keys and values, at most 200 levels; `ValueError` otherwise."""
    try:
        return json_copier().validate_python(value)
    except ValueError:  # a fault to be placed, or a tuple or model
        try:
            return _copy(value, 0)
        except _NotJson as fault:
            raise _refuse(fault.reason, fault.at()) from None


def _copy(value: Any, depth: int) -> Any:
    kind = _kind(value)
    if kind is str:
        return _valid(value)
    if value is None or kind is bool:
        return value
    if kind is int or kind is float:
        return _valid_number(value)
    if depth >= MAX_DEPTH:
        raise _NotJson(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict:
        return _copy_dict(value, depth + 1)
    if kind is list or kind is tuple:
        return _copy_list(value, depth + 1)
    if isinstance(value, Model):
        return _copy(value.to_dict(), depth)
    raise _NotJson(f"{kind.__name__} is not a JSON value")


def _copy_dict(value: dict[Any, Any], depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, item in value.items():
        if type(key) is not str:
            raise _NotJson("the keys of an object must be strings")
        _valid(key)
        try:
            made[key] = _copy(item, depth)
        except _NotJson as fault:
            fault.keys.append(key)
            raise
    return made


def _copy_list(value: Iterable[Any], depth: int) -> list[Any]:
    made: list[Any] = []
    try:
        for item in value:
            made.append(_copy(item, depth))  # noqa: PERF401 -- the length says which item has a fault
    except _NotJson as fault:
        fault.keys.append(len(made))
        raise
    return made


def _valid(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _NotJson("text must not have a lone surrogate, which JSON text cannot hold") from None
    return text


def _valid_number(value: float) -> float:
    if isinstance(value, int):
        if _too_long(value):
            raise _NotJson(_TOO_LONG)
    elif not math.isfinite(value):
        raise _NotJson("a number must be finite: NaN and infinities are not JSON")
    return value


def _copy_object(value: Any) -> Any:
    if type(value) is not dict:
        raise _refuse("Input should be an object", "")
    return copy_json(value)


class _Free:
    """Free JSON, copied so that the model shares no object with the caller."""

    def __init__(self, copy: Callable[[Any], Any], shape: dict[str, Any]) -> None:
        self.copy = copy
        self.shape = shape

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.copy)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        return dict(self.shape)


FreeJson = Annotated[Any, _Free(copy_json, {})]
"""Any JSON value: finite numbers, valid text, at most 200 levels deep; copied."""

JsonObject = Annotated[dict[str, Any], _Free(_copy_object, {"type": "object", "additionalProperties": True})]
"""A JSON object under the rules of `FreeJson`."""


class ByShape:
    """Chooses the member of a union by the type of the value: text, list, object, null; it refuses any other type unread.

    The type is the tag, so that no Python runs for it; the locations of pydantic's errors have it as `<class 'list'>`.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        choices: dict[Any, core_schema.CoreSchema] = {}
        if get_origin(source) in (Union, UnionType):
            for member in get_args(source):
                choices |= dict.fromkeys(_types_of(member), handler.generate_schema(member))
        else:  # one type, with annotations before this one
            choices |= dict.fromkeys(_types_of(source), handler(source))
        words = " or ".join(word for kind, word in _SHAPES.items() if kind in choices)
        return core_schema.tagged_union_schema(
            choices, _kind, custom_error_type="wrong_shape", custom_error_message=f"Input should be {words}"
        )

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> Any:
        once = {kind: choice for kind, choice in schema["choices"].items() if kind is not tuple}
        shown: Any = {**schema, "choices": once} if len(once) > 1 else once.popitem()[1]
        return handler(shown)


_SHAPES: dict[type, str] = {str: "text", list: "a list", dict: "an object", type(None): "null"}


def _types_of(member: Any) -> tuple[type, ...]:
    """The types that the values of a member have; a tuple may be given as a list."""
    origin = get_origin(member)
    if origin is Annotated:
        return _types_of(get_args(member)[0])
    if origin in (list, tuple):
        return (list, tuple)
    return (member,) if member in _SHAPES else (dict,)


BY_SHAPE = ByShape()


def members(union: TypeAliasType) -> tuple[type[Model], ...]:
    """The classes of a union that has a name, such as `Message`."""
    return get_args(get_args(union.__value__)[0])


def tag(value: T) -> T:
    """Declare a tag field: type checkers see a default, validation sees a required field."""
    return cast("T", PydanticUndefined)


if TYPE_CHECKING:
    from _typeshed import SupportsKeysAndGetItem
    from pydantic import PrivateAttr
    from pydantic._internal._model_construction import ModelMetaclass
    from typing_extensions import dataclass_transform

    from ._keys import Get, Items, Replace  # pyright: ignore[reportMissingModuleSource] -- a stub for type checkers only

    ValueT_co = TypeVar("ValueT_co", covariant=True)
    InputT_contra = TypeVar("InputT_contra", contravariant=True)

    class Given(Protocol[ValueT_co, InputT_contra]):
        """A field that holds one type and accepts another, such as a tuple of parts and any sequence of parts.

        Type checkers take the attribute's type from `__get__` and the constructor argument's from `__set__`. Pydantic sees
        the type that the field holds.
        """

        def __get__(self, model: object, owner: object = None, /) -> ValueT_co: ...
        def __set__(self, model: object, value: InputT_contra, /) -> None: ...

    # With the `__eq__` of a dataclass, pyright assumes that no dict is equal.
    @dataclass_transform(kw_only_default=True, field_specifiers=(Field, PrivateAttr), eq_default=False)
    class _Meta(ModelMetaclass): ...

    # `Items` is narrower than `Mapping`: a key that the class does not have is an error.
    class _Mapping(  # type: ignore[misc]
        Items, BaseModel, Mapping[str, Any], SupportsKeysAndGetItem[str, Any], metaclass=_Meta, frozen=True
    ):
        """A mapping whose keys are known by name; through the type `Mapping`, any key may be asked for."""

        get: ClassVar[Get]  # pyright: ignore[reportIncompatibleMethodOverride] -- narrower, too
        replace: ClassVar[Replace]

        def __iter__(self) -> Iterator[str]: ...  # type: ignore[override]  # pydantic's gives pairs

else:
    _Mapping = BaseModel  # registered as a mapping below

    class Given:
        def __class_getitem__(cls, types: tuple[Any, Any]) -> Any:
            return types[0]


NOT_GIVEN: Any = None
"""The default of a `Given` field; its type accepts None only if the field does."""


class Model(_Mapping, frozen=True):
    """A canonical value: frozen, strict, closed; a read-only mapping that equals its `to_dict()`.

    JSON objects behind attributes (`extra`, `parameters`) must not be changed; dict access gives copies, which may be.
    """

    # A subclass's own fields would be missing in the dump of what holds it, so they are refused there.
    model_config = ConfigDict(
        strict=True, extra="forbid", defer_build=True, hide_input_in_errors=True, revalidate_instances="subclass-instances"
    )

    _tag: ClassVar[tuple[str, Any] | None] = None

    def __init__(self, /, **data: Any) -> None:
        tag = self._tag
        if tag and tag[0] not in data:
            data = {tag[0]: tag[1], **data}
        self.__pydantic_validator__.validate_python(data, self_instance=self)

    # pydantic-core validates nested data without calling `__init__` for each object.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # an attribute of pydantic's own on a function

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        # A class's own fields come before inherited ones, so that every dump begins with the tag.
        for inherited in [name for name in cls.model_fields if name not in cls.__annotations__]:
            cls.model_fields[inherited] = cls.model_fields.pop(inherited)
        for name in ("role", "type", "version"):
            field = cls.model_fields.get(name)
            if field is not None and get_origin(field.annotation) is Literal and len(get_args(field.annotation)) == 1:
                cls._tag = (name, get_args(field.annotation)[0])
        # Where Hypothesis is in use, it must know every model.
        if registration := sys.modules.get("interlingua.testing.registration"):
            registration.register(cls)

    def __repr__(self) -> str:
        return shortened(self)

    __str__ = __repr__

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:  # for rich and other printers
        return fields_shown(self)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        """Pydantic's JSON Schema, with the docstrings of fields as their descriptions."""
        found = handler(schema)
        docs = field_docs(cls)
        for name, field in handler.resolve_ref_schema(found).get("properties", {}).items():
            doc = f"Always `{cls._tag[1]}`." if cls._tag and name == cls._tag[0] else docs.get(name)
            if doc is not None:
                field["description"] = doc
        return found

    # A model in an envelope (a user's model, a web framework's response) is exact too: the dump of an envelope asks for all
    # fields of what it holds, and this gives those that were set. It costs less than a microsecond a model.
    @model_serializer(mode="wrap")
    def _serialize(self, handler: SerializerFunctionWrapHandler, info: SerializationInfo):  # type: ignore[no-untyped-def] # noqa: ANN202 -- an annotation would make the serialization schema less precise
        if info.context and (form := self._in_context(info.context)) is not None:
            return form
        if info.exclude_unset and info.mode == "json":
            return handler(self)
        return self.__pydantic_serializer__.to_python(
            self,
            mode="json",
            exclude_unset=True,
            include=cast("Any", info.include),
            exclude=cast("Any", info.exclude),
            exclude_none=info.exclude_none,
            context=info.context,
        )

    def _in_context(self, _context: Any, /) -> dict[str, Any] | None:
        """Another form, if the context of the dump names a format."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """The value as new, plain JSON data: the fields that were set and no others."""
        made: dict[str, Any] = self.__pydantic_serializer__.to_python(self, mode="json", exclude_unset=True)
        return made

    def model_dump(self, *, mode: str = "json", exclude_unset: bool = True, **options: Any) -> dict[str, Any]:
        """Pydantic's `model_dump`, with exact defaults: JSON values, and only the fields that were set."""
        return super().model_dump(mode=mode, exclude_unset=exclude_unset, **options)

    def model_dump_json(self, *, exclude_unset: bool = True, **options: Any) -> str:
        """Pydantic's `model_dump_json`, of the fields that were set."""
        return super().model_dump_json(exclude_unset=exclude_unset, **options)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, validated if fields change. Models are frozen, so a deep copy is the same."""
        return self.replace(**(update or {})) if update or not deep else copy.deepcopy(self)

    def __replace__(self, **changes: Any) -> Self:
        return self.replace(**changes)

    def _canonical(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Model):
            return type(self) is type(other) and (self is other or self._canonical() == other._canonical())
        if isinstance(other, dict):
            try:
                return self._canonical() == json.dumps(copy_json(other), sort_keys=True)
            except PydanticCustomError:
                return False
        return NotImplemented

    def __hash__(self) -> int:
        """Equal values have equal hashes within a process. Python salts hashes of text, so another process gives others."""
        return hash(self._canonical())

    # The mapping holds what is in `to_dict()`: no methods, and no fields that were not set.

    if not TYPE_CHECKING:

        def replace(self, **changes: Any) -> Self:
            """A copy with these fields changed, validated; raises pydantic's `ValidationError`."""
            return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | changes)

        def __getitem__(self, key: str) -> Any:
            if key not in self.__pydantic_fields_set__:
                raise KeyError(key)
            value = self.__dict__[key]
            if value is None or type(value) is str or type(value) is bool:
                return value
            return self.__pydantic_serializer__.to_python(self, mode="json", exclude_unset=True, include={key})[key]

        def get(self, key: str, default: Any = None) -> Any:
            """The value under `key` as plain JSON data, or `default`."""
            return self[key] if key in self.__pydantic_fields_set__ else default

    def __contains__(self, key: object) -> bool:
        return key in self.__pydantic_fields_set__

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # pydantic's gives pairs
        return (name for name in type(self).model_fields if name in self.__pydantic_fields_set__)

    def __len__(self) -> int:
        return len(self.__pydantic_fields_set__)

    def keys(self) -> KeysView[str]:
        """The names of the fields that were set."""
        return self.to_dict().keys()

    def values(self) -> ValuesView[Any]:
        """The values of the fields that were set, as plain JSON data."""
        return self.to_dict().values()

    def items(self) -> ItemsView[str, Any]:
        """The fields that were set, as pairs of name and plain JSON data."""
        return self.to_dict().items()

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        """A dict of both, in which `other` wins, as with dicts. A changed model is what `replace` returns."""
        return {**self.to_dict(), **other}

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        """A dict of both, in which this value wins."""
        return {**other, **self.to_dict()}


ModelT = TypeVar("ModelT", bound=Model)
# The slots that pydantic's `model_construct` sets by name, at more than twice the cost.
_set_data, _set_given, _set_extra, _set_private = (
    vars(BaseModel)[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


def known(kind: type[ModelT], data: dict[str, Any], given: set[str]) -> ModelT:
    """What validation makes of `data`, which has all fields and is known to be valid; `given` names those that were set."""
    made = object.__new__(kind)
    _set_data(made, data)
    _set_given(made, given)
    _set_extra(made, None)
    _set_private(made, None)
    return made


cast("ABCMeta", Mapping).register(Model)
