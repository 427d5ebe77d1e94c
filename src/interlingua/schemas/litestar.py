"""A plugin for Litestar: `Litestar([handler], plugins=[InterlinguaPlugin()])`.

Litestar validates and documents pydantic's models in its own way, without calling their validators. With the plugin, pydantic
itself validates, writes and documents every body and answer whose type has one of this package's types in it: a typed body or a
canonical model, alone, in a list or in a field of a model. The components are the same as in FastAPI.

A body with faults is answered with 422 and pydantic's errors, without the values of the input.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from litestar.dto import AbstractDTO
from litestar.exceptions import ValidationException
from litestar.openapi.spec import Reference, Schema
from litestar.plugins import SerializationPlugin
from litestar.typing import FieldDefinition
from pydantic import BaseModel, TypeAdapter, ValidationError

from ..model.base import Json, Model
from .bodies.typed import Body

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator
    from litestar.dto import DTOFieldDefinition

REFERENCE = "#/components/schemas/{model}"


class InvalidBody(ValidationException):
    """The error for a body with faults; list it in a handler's `raises` to document the answer with 422."""

    status_code = 422


class InterlinguaPlugin(SerializationPlugin):
    """Lets pydantic validate, write and document the types of this package."""

    def supports_type(self, field_definition: FieldDefinition) -> bool:
        """Whether a type has one of this package's in it."""
        return _has_ours(field_definition.annotation, set())

    def create_dto_for_type(self, field_definition: FieldDefinition) -> type[AbstractDTO[Any]]:
        """The reader and writer of a type."""
        adapter = TypeAdapter[Any](field_definition.annotation)
        return type("PydanticDTO", (PydanticDTO,), {"adapter": adapter, "model_type": field_definition.annotation})


def _has_ours(annotation: Any, seen: set[Any]) -> bool:
    inner: tuple[Any, ...] = get_args(getattr(annotation, "__value__", annotation))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if issubclass(annotation, Body | Model):
            return True
        if annotation in seen:
            return False
        seen.add(annotation)
        inner = tuple(field.annotation for field in annotation.model_fields.values())
    return any(_has_ours(each, seen) for each in inner)


class PydanticDTO(AbstractDTO[Any]):
    """Reads, writes and documents a type as pydantic does."""

    adapter: ClassVar[TypeAdapter[Any]]

    def decode_bytes(self, value: bytes) -> Any:
        """The value of a JSON body. Raises `InvalidBody`."""
        try:
            return self.adapter.validate_json(value)
        except ValidationError as error:
            raise _refused(error) from None

    def decode_builtins(self, value: dict[str, Any]) -> Any:
        """The value of a form. Raises `InvalidBody`."""
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            raise _refused(error) from None

    def data_to_encodable_type(self, data: Any) -> Any:
        """The JSON value of an answer."""
        return self.adapter.dump_python(data, mode="json")

    @classmethod
    def create_for_field_definition(cls, *_: Any, **__: Any) -> None:
        """Do nothing: Litestar's own classes analyse the fields of a model."""

    @classmethod
    def is_supported_model_type_field(cls, field_definition: FieldDefinition) -> bool:
        """Whether a handler returns what this class writes."""
        return bool(field_definition.annotation == cls.model_type)

    @classmethod
    def generate_field_definitions(
        cls,
        model_type: type[Any],  # noqa: ARG003 -- Litestar's signature
    ) -> Generator[DTOFieldDefinition, None, None]:
        """No definitions: pydantic knows the fields."""
        yield from ()

    @classmethod
    def detect_nested_field(
        cls,
        field_definition: FieldDefinition,  # noqa: ARG003 -- likewise
    ) -> bool:
        """No field is looked at."""
        return False

    @classmethod
    def create_openapi_schema(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,  # noqa: ARG003 -- Litestar's signature
        schema_creator: SchemaCreator,
    ) -> Reference | Schema:
        """A reference to the type's component, or its schema; the components are registered."""
        mode: Literal["validation", "serialization"] = "validation" if field_definition.name == "data" else "serialization"
        found, shared = TypeAdapter.json_schemas([(0, mode, cls.adapter)], ref_template=REFERENCE)
        components = shared.get("$defs", {})
        registry = schema_creator.schema_registry

        def linked(schema: Json) -> Any:
            if isinstance(schema, list):
                return [linked(each) for each in schema]
            if not isinstance(schema, dict):
                return schema
            return refer(schema["$ref"]) if "$ref" in schema else {key: linked(each) for key, each in schema.items()}

        def refer(path: str) -> Reference | None:
            name = path.rpartition("/")[2]
            field = _component(name)
            known = registry.get_reference_for_field_definition(field)
            if known is not None:
                return known
            registered = registry.get_schema_for_field_definition(field)  # known by its name from here on: it may hold itself
            _fill(registered, linked(components[name]))
            return registry.get_reference_for_field_definition(field)

        schema = linked(found[0, mode])
        return schema if isinstance(schema, Reference) else _fill(Schema(), schema)


@cache
def _component(name: str) -> FieldDefinition:
    """What Litestar knows a component by: a class of its name."""
    return FieldDefinition.from_annotation(type(name, (), {"__module__": "interlingua"}))


def _fill(made: Schema, schema: dict[str, Any]) -> Schema:
    """Put a JSON Schema into Litestar's object; what stands in it is taken as it is."""
    fields = Schema.field_aliases()
    for key, value in schema.items():
        setattr(made, fields.get(key, key), value)
    return made


def _refused(error: ValidationError) -> InvalidBody:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return InvalidBody("The body has faults", extra=[{**each} for each in details])
