"""botocore's validator judges Converse, with its own service model, which takes any text for a blob."""

import base64
import binascii
import functools
from collections.abc import Iterator
from typing import Any

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault
from laws.judge import Judge, with_defaults


@functools.cache
def _converse(operation: str) -> Any:
    import botocore.session

    return botocore.session.get_session().get_service_model("bedrock-runtime").operation_model(operation)


def _shaped(value: Any, shape: Any) -> list[Fault]:
    from botocore.validate import ParamValidator

    found: Any = ParamValidator().validate(value, shape)
    said = found.generate_report()
    return [Fault("", "sdk", line) for line in said.splitlines()] + list(_blobs(value, shape, ""))


def _blobs(value: Any, shape: Any, pointer: str) -> Iterator[Fault]:
    """Blobs that are no base64, where they are text."""
    if shape.type_name == "structure" and is_object(value) and not getattr(shape, "is_document_type", False):
        for name in value.keys() & shape.members.keys():
            yield from _blobs(value[name], shape.members[name], f"{pointer}/{name}")
    elif shape.type_name == "list" and is_array(value):
        for index, item in enumerate(value):
            yield from _blobs(item, shape.member, f"{pointer}/{index}")
    elif shape.type_name == "blob" and isinstance(value, str):
        try:
            base64.b64decode(value, validate=True)
        except binascii.Error:
            yield Fault(pointer, "base64", "")


def _request(payload: Any) -> list[Fault]:
    return _shaped({"modelId": "m", **payload}, _converse("Converse").input_shape)


def _response(body: Any) -> list[Fault]:
    return _shaped(body, _converse("Converse").output_shape)


def _chunk(chunk: Any) -> list[Fault]:
    return _shaped(chunk, _converse("ConverseStream").output_shape.members["stream"])


_COUNTED: dict[str, Any] = {
    "usage": {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
    "metrics": {"latencyMs": 0},
}


def _complete(chunk: Any) -> Any:
    return {"metadata": with_defaults(chunk["metadata"], _COUNTED)} if is_object(chunk.get("metadata")) else chunk


JUDGE = Judge(_request, _response, _chunk, required=_COUNTED, complete=_complete)
