"""What Gemini accepts as schemas: JSON Schema in `parametersJsonSchema` and `responseJsonSchema`, or a subset of OpenAPI.

Evidence: the server's text "If a schema node has $ref set, then only description and default can be set alongside it"
(anomalyco/opencode#12295); whole JSON Schemas of MCP servers are accepted otherwise (NousResearch/hermes-agent#98928).
The subset, in `parameters` and `responseSchema`, is `Schema` of the discovery document; the rules that refuse the rest have the
evidence (`rules/schemas.py`). Of formats, the server accepts only some: "only 'enum' and 'date-time' are supported for STRING
type" (google-gemini/gemini-cli#3178).
"""

import sys
from dataclasses import replace

from ...codec.schemas.dialects import Dialect, Dialects
from ...codec.schemas.keywords import CHECKS
from ...model.base import Json
from .spellings import spellings

_JSON = Dialect(beside_refs=frozenset({"description", "default", "$defs", "definitions"}))
DIALECTS = Dialects(_JSON, _JSON, _JSON, _JSON)
"""Gemini has no field for strict functions or strict answers."""


def _is_int64(value: Json) -> bool:
    return isinstance(value, int | float) and CHECKS["minItems"](value) and value < 2**63


def _is_double(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


KEYWORDS = spellings(
    *"type format title description nullable enum example default pattern minimum maximum items anyOf properties".split(),
    *"required minItems maxItems minLength maxLength minProperties maxProperties propertyOrdering".split(),
)
"""The keywords of Google's `Schema`."""
_ANSWER = Dialect(
    openapi=True,
    allowed=KEYWORDS,
    values={"format": ("enum", "date-time", "float", "double", "int32", "int64")},
    checks={
        **CHECKS,
        **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"), _is_int64),
        **dict.fromkeys(("minimum", "maximum"), _is_double),
        "nullable": bool.__instancecheck__,
        "propertyOrdering": CHECKS["required"],
    },
)
_TOOL = replace(_ANSWER, object_root=True, not_at_root=("anyOf",))
OPENAPI_DIALECTS = Dialects(_TOOL, _TOOL, _ANSWER, _ANSWER)
