"""What OpenAI takes of JSON Schema, in Chat Completions and the Responses API: `parameters` of functions, and answers' schemas.

The rules that refuse the rest have the evidence (`rules/functions.py`). Strict schemas are adapted as the
SDK's `to_strict_json_schema` adapts them (openai 3.57.0): it closes objects, requires all properties, and merges an `allOf` of
one.
"""

from dataclasses import replace

from ...codec.dialects import Dialect, Dialects, strictly
from ...codec.keywords import OLDER

TOOL = Dialect(
    not_at_root=("oneOf", "anyOf", "allOf", "enum", "not"), object_root=True, root_properties=True, checks=OLDER, items=True
)
ANSWER = Dialect(checks=OLDER)
STRICT = Dialect(
    refused=frozenset(
        {
            *("oneOf", "allOf", "not", "if", "then", "else"),
            *("dependentRequired", "dependentSchemas", "patternProperties", "uniqueItems"),
        }
    ),
    closed=True,
    all_required=True,
    beside_refs=frozenset(),
    object_root=True,
    loosened_by=frozenset({"allOf", "patternProperties"}),
)

DIALECTS = Dialects(TOOL, strictly(TOOL, STRICT), ANSWER, strictly(ANSWER, STRICT))
"""Those of OpenAI and of most hosts of the shape."""

_DEFINED = replace(TOOL, defined=True)
GEMINI_DIALECTS = Dialects(_DEFINED, strictly(_DEFINED, STRICT), ANSWER, strictly(ANSWER, STRICT))
"""Those of Gemini's endpoint of this shape, which refuses to require what is not among the properties."""
