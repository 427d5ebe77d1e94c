"""The classes of typed bodies, with which pydantic, and every framework that uses pydantic, validates, writes and documents.

A class is never instantiated. Its validator returns a canonical `Request` or `Response`, and for type checkers its name is an
alias of that model. It inherits from pydantic's `BaseModel`, because by that frameworks tell a body from a query parameter.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import core_schema

from ...codec.format import Format
from ...conversion.requests import dump
from ...conversion.responses import dump_response, load_response
from ...errors import InvalidPayload, ProviderError
from ...errors.texts import bounded, unescape
from ...formats import FORMATS
from ...formats.bodies import REQUESTS, RESPONSES
from ...model.base import Json
from ...model.exchange import Request, Response
from .components import describe, names
from .strict import Refusal, line, read

RequestT = TypeVar("RequestT", bound=Request)


class Body(BaseModel):
    """The base class of typed bodies."""

    of: ClassVar[Format]
    """The format of the body."""

    def __init__(self, **_: Any) -> None:
        raise TypeError(f"{type(self).__name__} is a type for annotations and cannot be called: use its model_validate")

    @classmethod
    def accept(cls, value: Any) -> Any:
        """Read a body as a canonical value. Raises `ValidationError`, with places in the body but none of its values."""
        raise NotImplementedError

    @classmethod
    def write(cls, value: Any) -> Any:
        """Write a canonical value as a body."""
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        if not hasattr(cls, "of"):
            return core_schema.none_schema()
        written = core_schema.plain_serializer_function_ser_schema(cls.write)
        # The name of its component is what stands before the colon, without the module.
        of_request, of_response = names(cls.of.name)
        name = of_response if issubclass(cls, ResponseBody) else of_request
        reference = f"{__name__}.{cls.__name__}.{name}:{id(cls)}"
        return core_schema.no_info_plain_validator_function(cls.accept, serialization=written, ref=reference)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return describe(cls.of, handler, response=issubclass(cls, ResponseBody))


class RequestBody(Body):
    """The base class of the bodies of requests."""

    checked: ClassVar[bool] = False
    """Whether a body in which `check` finds an error is refused."""

    @classmethod
    def accept(cls, value: Any) -> Request:
        """Read a request's body; a canonical `Request` is returned as it is."""
        if isinstance(value, Request):
            return value
        found = read(value, cls.of, checked=cls.checked)
        if isinstance(found, list):
            raise refused(cls.__name__, found, value)
        return found

    @classmethod
    def write(cls, value: Any) -> Any:
        """Write a request's body, as `dump` does."""
        return dump(value, cls.of)


class ResponseBody(Body):
    """The base class of the bodies of responses."""

    @classmethod
    def accept(cls, value: Any) -> Response:
        """Read a response's body; a canonical `Response` is returned as it is."""
        if isinstance(value, Response):
            return value
        try:
            return load_response(value, cls.of)
        except InvalidPayload as error:
            found = [Refusal("invalid", path, reason) for path, reason in error.faults]
        except ProviderError:
            found = [Refusal("provider_error", "", "this is the body of an error")]
        raise refused(cls.__name__, found, value)

    @classmethod
    def write(cls, value: Any) -> Any:
        """Write a response's body, as `dump_response` does."""
        return dump_response(value, cls.of)


def request_body(format: Format, *, checked: bool = False) -> type[Body]:
    """Make the type of a format's requests."""
    name = names(format.name)[0]
    return type(f"Checked{name}" if checked else name, (RequestBody,), {"of": format, "checked": checked, **_PUBLIC})


def response_body(format: Format) -> type[Body]:
    """Make the type of a format's responses."""
    return type(names(format.name)[1], (ResponseBody,), {"of": format, **_PUBLIC})


if TYPE_CHECKING:
    Checked: TypeAlias = Annotated[RequestT, "checked"]
    """A body that is also refused if `check` finds an error in it: `Checked[Body]`, for any type of requests `Body`."""
else:

    class Checked:
        """A body that is also refused if `check` finds an error in it: `Checked[Body]`, for any type of requests `Body`."""

        def __class_getitem__(cls, body: Any) -> type[Body]:
            if not (isinstance(body, type) and issubclass(body, RequestBody)):
                raise TypeError("Checked takes the type of a format's requests in brackets, such as Checked[Body]")
            return _checked(body)


@cache
def _checked(body: type[RequestBody]) -> type[Body]:
    return request_body(body.of, checked=True)


def __getattr__(name: str) -> type[Body]:
    if name in REQUESTS:
        made = request_body(FORMATS[REQUESTS[name]])
    elif name in RESPONSES:
        made = response_body(FORMATS[RESPONSES[name]])
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made
    return made


_PUBLIC: dict[str, Any] = {"__module__": "interlingua", "__annotations__": {}}


def refused(title: str, found: Iterable[Refusal], body: Json) -> ValidationError:
    """Pydantic's error with these refusals."""
    lines = [line(code, location(path, body), bounded(reason)) for code, path, reason in found]
    return ValidationError.from_exception_data(title, lines)


def location(path: str, body: Json) -> tuple[str | int, ...]:
    """A JSON Pointer as a location of pydantic, in which the indices of lists are numbers."""
    found: list[str | int] = []
    at: Json = body
    for token in map(unescape, path.split("/")[1:]):
        if isinstance(at, list) and token.isdecimal():
            index = int(token)
            found.append(index)
            at = at[index] if index < len(at) else None
        else:
            found.append(token)
            at = at.get(token) if isinstance(at, dict) else None
    return tuple(found)
