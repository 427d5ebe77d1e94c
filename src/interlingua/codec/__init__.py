"""What formats are made of: the record of a format, and the parts with which its functions are written.

A package that adds its own format imports only this module, and registers the format under the entry point
`interlingua.formats`. Kits for the format's rules and strategies are in `interlingua.codec.rules` and
`interlingua.codec.strategies`. Every name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..errors import escape, excerpt
    from ..model.base import BY_SHAPE, Json, JsonObject, Number, Says, copy_json, exact_object, other_than
    from ..model.exchange import INVENTED_NAME
    from ..model.messages import content_of, pieces_of
    from ..model.parts import to_json
    from .arguments import fit_answer, fit_arguments, fit_parameters, fit_schema
    from .batches import Batches, BatchFiles, Failure, Layout, Row, object_at
    from .citations import dump_page, load_page
    from .dump import NOTHING_LEFT, Dump
    from .error_bodies import error_fields, error_object, exception_object, is_error, read_error
    from .error_words import ErrorWords
    from .fields import Content, FieldReader, Wire, copy_wire, is_empty, lay_over, spelling, value_at
    from .format import Format, Formats, Reading, Steps, Writing
    from .ids import IdRules
    from .marks import Marks, Meaning, Shape
    from .media import (
        MEDIA_TYPE_BY_SUFFIX,
        Media,
        data_uri,
        encode_text,
        image_by_url,
        image_url_part,
        invented_filename,
        media_type_of,
        read_data_uri,
        report_media,
        source_of,
    )
    from .media_types import usual_type
    from .native import NativeTable, all_of, is_usual_source, settable
    from .one_text import has_text, plain_text
    from .payloads import PayloadTypes
    from .pointers import Kind, Locate, locator, system_in
    from .required import RequiredFields
    from .settings import (
        drop_sampling,
        dump_empty_system,
        dump_rest,
        fit_choice,
        fit_effort,
        fit_stop,
        load_system,
        report_budget,
    )
    from .streams.block_shape import MESSAGE, Block, BlockShape, added_text, late_citations
    from .streams.block_stream import BlockWriting, made_of
    from .streams.open_arguments import OpenArguments, without_arguments
    from .streams.part_events import PartEvents, StreamedPart, field_of, in_pieces
    from .turns import BlockDump, Turns, is_silent, lead, trim_end
    from .usage import StopTable, UsageTable

__all__ = [
    "BY_SHAPE",
    "INVENTED_NAME",
    "MEDIA_TYPE_BY_SUFFIX",
    "MESSAGE",
    "NOTHING_LEFT",
    "BatchFiles",
    "Batches",
    "Block",
    "BlockDump",
    "BlockShape",
    "BlockWriting",
    "Content",
    "Dump",
    "ErrorWords",
    "Failure",
    "FieldReader",
    "Format",
    "Formats",
    "IdRules",
    "Json",
    "JsonObject",
    "Kind",
    "Layout",
    "Locate",
    "Marks",
    "Meaning",
    "Media",
    "NativeTable",
    "Number",
    "OpenArguments",
    "PartEvents",
    "PayloadTypes",
    "Reading",
    "RequiredFields",
    "Row",
    "Says",
    "Shape",
    "Steps",
    "StopTable",
    "StreamedPart",
    "Turns",
    "UsageTable",
    "Wire",
    "Writing",
    "added_text",
    "all_of",
    "content_of",
    "copy_json",
    "copy_wire",
    "data_uri",
    "drop_sampling",
    "dump_empty_system",
    "dump_page",
    "dump_rest",
    "encode_text",
    "error_fields",
    "error_object",
    "escape",
    "exact_object",
    "exception_object",
    "excerpt",
    "field_of",
    "fit_answer",
    "fit_arguments",
    "fit_choice",
    "fit_effort",
    "fit_parameters",
    "fit_schema",
    "fit_stop",
    "has_text",
    "image_by_url",
    "image_url_part",
    "in_pieces",
    "invented_filename",
    "is_empty",
    "is_error",
    "is_silent",
    "is_usual_source",
    "late_citations",
    "lay_over",
    "lead",
    "load_page",
    "load_system",
    "locator",
    "made_of",
    "media_type_of",
    "object_at",
    "other_than",
    "pieces_of",
    "plain_text",
    "read_data_uri",
    "read_error",
    "report_budget",
    "report_media",
    "settable",
    "source_of",
    "spelling",
    "system_in",
    "to_json",
    "trim_end",
    "usual_type",
    "value_at",
    "without_arguments",
]

_HOMES = {
    ".errors": "escape excerpt",
    ".model.base": "BY_SHAPE Json JsonObject Number Says copy_json exact_object other_than",
    ".model.exchange": "INVENTED_NAME",
    ".model.messages": "content_of pieces_of",
    ".model.parts": "to_json",
    "arguments": "fit_answer fit_arguments fit_parameters fit_schema",
    "batches": "BatchFiles Batches Failure Layout Row object_at",
    "citations": "dump_page load_page",
    "dump": "NOTHING_LEFT Dump",
    "error_bodies": "error_fields error_object exception_object is_error read_error",
    "error_words": "ErrorWords",
    "fields": "Content FieldReader Wire copy_wire is_empty lay_over spelling value_at",
    "format": "Format Formats Reading Steps Writing",
    "ids": "IdRules",
    "marks": "Marks Meaning Shape",
    "media": (
        "MEDIA_TYPE_BY_SUFFIX Media data_uri encode_text image_by_url image_url_part invented_filename media_type_of "
        "read_data_uri report_media source_of"
    ),
    "media_types": "usual_type",
    "native": "NativeTable all_of is_usual_source settable",
    "one_text": "has_text plain_text",
    "payloads": "PayloadTypes",
    "pointers": "Kind Locate locator system_in",
    "required": "RequiredFields",
    "settings": "drop_sampling dump_empty_system dump_rest fit_choice fit_effort fit_stop load_system report_budget",
    "streams.block_shape": "MESSAGE Block BlockShape added_text late_citations",
    "streams.block_stream": "BlockWriting made_of",
    "streams.open_arguments": "OpenArguments without_arguments",
    "streams.part_events": "PartEvents StreamedPart field_of in_pieces",
    "turns": "BlockDump Turns is_silent lead trim_end",
    "usage": "StopTable UsageTable",
}
"""The module of each name."""


if not TYPE_CHECKING:  # type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = next(module for module, names in _HOMES.items() if name in names.split())
        value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
