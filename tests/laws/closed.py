"""The official SDKs' types, closed: extra keys are faults."""

import os
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, NotRequired, Required, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Discriminator, Tag, TypeAdapter, ValidationError
from typing_extensions import TypeAliasType, TypedDict, is_typeddict

from interlingua.testing.lawbook.documents import is_array, is_object


class Fault(NamedTuple):
    pointer: str
    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.rule}: {self.reason}"


def pointer_of(path: Iterable[Any]) -> str:
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in path)


def typed_faults(adapter: TypeAdapter[Any], payload: Any, who: str = "sdk") -> list[Fault]:
    """What a type finds wrong, and what is left over in its models."""
    try:
        made = adapter.validate_python(payload)
    except ValidationError as error:
        faults: list[Fault] = []
        for item in error.errors(include_url=False):
            path = [token for token in item["loc"] if not (isinstance(token, str) and token.isdigit())]  # union tags are digits
            # A key of digits looks like a tag; such a key is in free JSON, where the types find no fault.
            faults.append(Fault(pointer_of(path), f"{who} {item['type']}", item["msg"]))
        return faults
    return list(_left_over(made, "", who))


def _left_over(value: Any, pointer: str, who: str) -> Iterator[Fault]:
    if isinstance(value, BaseModel):
        for name in value.model_extra or ():
            yield Fault(f"{pointer}/{name}", f"{who} extra", f"{type(value).__name__} has no such field")
        for name in value.model_fields_set & type(value).model_fields.keys():
            yield from _left_over(getattr(value, name), f"{pointer}/{name}", who)
    elif is_array(value):
        for index, item in enumerate(value):
            yield from _left_over(item, f"{pointer}/{index}", who)


def _aliased(alias: Any) -> Any:
    """What an alias stands for, with its arguments if it has any."""
    origin, args = get_origin(alias), get_args(alias)
    return alias.__value__ if origin is None else origin.__value__[args]


class Closed:
    """Rewrites an SDK's TypedDicts: extra keys forbidden, iterables held, members of unions known by their literal tags."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}

    def hint(self, hint: Any) -> Any:
        if is_typeddict(hint):
            return self.typed_dict(hint)
        if isinstance(hint, TypeAliasType) or isinstance(get_origin(hint), TypeAliasType):
            return self.hint(_aliased(hint))
        origin, args = get_origin(hint), get_args(hint)
        if origin is typing.Annotated:
            return self.hint(args[0])
        if origin in (Required, NotRequired):
            return origin[self.hint(args[0])]
        if origin in (Union, types.UnionType):
            return self.union([self.hint(arg) for arg in self._members(hint)])
        if origin is Literal or hint in (str, int, float, bool, type(None), Any):
            return hint
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return types.GenericAlias(dict, (str, self.hint(args[1])))
        if isinstance(origin, type) and issubclass(origin, Iterable):
            return types.GenericAlias(list, (self.hint(args[0]),))
        if hint is object:
            return Any
        if str in getattr(hint, "__mro__", ()):
            return str  # an SDK's own class of texts
        raise NotImplementedError(hint)

    def _members(self, hint: Any) -> Iterator[Any]:
        """A union's members, also those of unions in it, but for what is not JSON: files, and the SDK's response objects."""
        if isinstance(hint, TypeAliasType) or isinstance(get_origin(hint), TypeAliasType):
            yield from self._members(_aliased(hint))
            return
        origin, args = get_origin(hint), get_args(hint)
        if origin is typing.Annotated:
            yield from self._members(args[0])
        elif origin in (Union, types.UnionType):
            for arg in args:
                yield from self._members(arg)
        elif (origin or hint) not in (os.PathLike, typing.IO) and not (isinstance(hint, type) and issubclass(hint, BaseModel)):
            yield hint

    def typed_dict(self, hint: Any) -> Any:
        if hint not in self.made:
            # A type that holds itself is not looked into a second time.
            self.made[hint] = Any
            fields = {name: self.hint(field) for name, field in typing.get_type_hints(hint, include_extras=True).items()}
            total = getattr(hint, "__total__", True)
            made = cast("Callable[..., Any]", TypedDict)(hint.__name__, fields, total=total)
            # An SDK's type that says itself that it is open stays so.
            made.__pydantic_config__ = getattr(hint, "__pydantic_config__", ConfigDict(extra="forbid", strict=True))
            self.made[hint] = made
        return self.made[hint]

    def union(self, members: list[Any]) -> Any:
        if len(members) == 1:
            return members[0]
        tests = [self._test(member) for member in members]

        def choose(value: Any) -> str | None:
            fits = [place for place, test in enumerate(tests) if test(value)]
            # Several with the same tag: the one that asks the least of what is missing.
            return str(max(fits, key=lambda place: self._overlap(members[place], value))) if fits else None

        tagged: Any = Union[tuple(typing.Annotated[member, Tag(str(place))] for place, member in enumerate(members))]  # noqa: UP007 - a runtime tuple
        return typing.Annotated[
            tagged,
            Discriminator(choose, custom_error_type="variant", custom_error_message="no variant takes this"),
        ]

    @staticmethod
    def _overlap(member: Any, value: Any) -> int:
        if not is_typeddict(member) or not is_object(value):
            return 0
        hints = typing.get_type_hints(member, include_extras=True)
        missing = [name for name, hint in hints.items() if get_origin(hint) is Required and name not in value]
        return len(hints.keys() & value.keys()) - len(missing)

    def _test(self, member: Any) -> Callable[[Any], bool]:
        origin = get_origin(member)
        if is_typeddict(member):
            tags: dict[str, tuple[tuple[Any, ...], bool]] = {}
            for name, field in typing.get_type_hints(member, include_extras=True).items():
                required = get_origin(field) is Required
                inner = get_args(field)[0] if required or get_origin(field) is NotRequired else field
                if get_origin(inner) is Literal and name in ("type", "role", "mode"):
                    tags[name] = get_args(inner), required
            return lambda value: (
                is_object(value)
                and all(
                    value[name] in literals if name in value else not required for name, (literals, required) in tags.items()
                )
            )
        if origin is Literal:
            return lambda value: any(value == literal and type(value) is type(literal) for literal in get_args(member))
        kinds: dict[Any, tuple[type, ...]] = {
            str: (str,), bool: (bool,), int: (int,), float: (int, float), type(None): (type(None),), Any: (object,),
            list: (list, tuple), dict: (dict,),
        }  # fmt: skip
        wanted = kinds[origin or member]
        return lambda value: (
            isinstance(value, wanted) and not (isinstance(value, bool) and bool not in wanted and object not in wanted)
        )
