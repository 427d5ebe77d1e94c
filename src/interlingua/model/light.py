"""Light values: canonical values with the fields of models, but without the models.

`convert` does not return its canonical request, so it builds no models. The wire types have checked the shape of what a format
loads; what they do not check (that text is valid, and free JSON is JSON) is checked here. For each model there is a class with
the same fields, defaults and properties, whose instances keep the data as a dict. Functions that dump accept both.

With models, a conversion of plain text would cost 49 % more, and one of content in lists 35 % (instructions, compiled).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set as AbstractSet
from functools import partial
from typing import Any, get_args

from .base import Json, Model, json_copier, members
from .exchange import AnyTool, Request, ResponseFormat, ToolChoice
from .messages import Message
from .parts import CacheControl, Citation, ImageUrl, InputAudio, Part, Source, ToolCall, WireRecord

Data = dict[str, Any]


class Light:
    """A canonical value that has not been validated; equal to nothing else, and never given to a user."""

    @property
    def model_fields_set(self) -> AbstractSet[str]:
        return self.__dict__.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__

    def __getitem__(self, name: str) -> Any:
        return _as_json(self.__dict__[name])

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a field as JSON data."""
        return _as_json(self.__dict__.get(name, default))

    def to_dict(self) -> Data:
        """The fields as JSON data."""
        return {name: _as_json(value) for name, value in self.__dict__.items()}


def _as_json(value: Light | tuple[Any, ...] | Json) -> Any:
    if isinstance(value, Light):
        return value.to_dict()
    return [_as_json(item) for item in value] if isinstance(value, tuple) else value


def _light(model: type[Model]) -> type[Light]:
    """The class that stands for a model."""
    properties = {name: value for name, value in vars(model).items() if isinstance(value, property)}
    return type(model.__name__, (Light,), properties | dict.fromkeys(model.model_fields))


def _one(model: Any, key: str | None = None) -> Callable[[Data], Light]:
    build = _list(model, key)
    return lambda data: build((data,))[0]


def _list(model: Any, key: str | None = None) -> Callable[[Sequence[Data]], tuple[Light, ...]]:
    """A function that builds light values of a model. Of a union, the field `key` names the model of each value."""
    if key is None:
        return partial(_build, {None: _light(model)}, None)
    kinds = {get_args(each.model_fields[key].annotation)[0]: _light(each) for each in members(model)}
    return partial(_build, kinds, key)


def _build(kinds: Mapping[str | None, type[Light]], key: str | None, objects: Sequence[Data]) -> tuple[Light, ...]:
    built: list[Light] = []
    for data in objects:
        for name, value in data.items():
            if type(value) is str:
                if not value.isascii():
                    value.encode()
            elif type(value) not in _KEPT:
                data[name] = _BUILDERS.get(name, _copy)(value)
        made = kinds[None if key is None else data[key]]()
        made.__dict__ = data
        built.append(made)
    return tuple(built)


_KEPT = frozenset({int, bool, type(None)})
"""The types of values that are kept; all others but text are copied."""


def _texts(texts: list[str]) -> tuple[str, ...]:
    return tuple(_copy(texts))


_copy = json_copier().validate_python
_parts = _list(Part, "type")
_BUILDERS: Mapping[str, Callable[[Any], Any]] = {
    "messages": _list(Message, "role"),
    "content": _parts,
    "thinking_blocks": _parts,
    "tool_calls": _list(ToolCall),
    "tools": _list(AnyTool, "type"),
    "citations": _list(Citation, "type"),
    "source": _one(Source, "type"),
    "image_url": _one(ImageUrl),
    "input_audio": _one(InputAudio),
    "cache_control": _one(CacheControl),
    "wire": _one(WireRecord),
    "stop": _texts,
    "allowed": _texts,
    "partial": _texts,
    "standalone": _texts,
    "tool_choice": _one(ToolChoice),
    "response_format": _one(ResponseFormat),
}
"""What builds the values of fields with these names. All other fields are text, numbers, or free JSON."""

light_request: Callable[[Data], Any] = _one(Request)
"""The request of loaded data, which becomes part of it. Raises `ValueError` for a value that JSON cannot hold."""
