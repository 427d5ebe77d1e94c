"""What OpenAI accepts of JSON Schema in Chat Completions and the Responses API: in function `parameters` and in answer schemas.

The rules that refuse the rest have the evidence (`rules/functions.py`). Strict schemas are adapted as the
SDK's `to_strict_json_schema` adapts them (openai 3.57.0): it closes objects, requires all properties, and merges an `allOf` of
one. An optional property of a tool may then be null, as OpenAI's guide on structured outputs has it.
"""

from dataclasses import replace

from ...codec.limits import SchemaLimits
from ...codec.schemas.dialects import Dialect, Dialects, strictly
from ...codec.schemas.keywords import OLDER

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
    limits=SchemaLimits(properties=5000, levels=10, values=1000, characters=120_000),
    loosened_by=frozenset({"allOf", "patternProperties"}),
)

_STRICT_TOOL = replace(STRICT, nullable=True)
"""The options for a strict tool. An answer is text, from which nothing is dropped: its optional properties become required."""
DIALECTS = Dialects(TOOL, strictly(TOOL, _STRICT_TOOL), ANSWER, strictly(ANSWER, STRICT))
"""The dialects of OpenAI and of most hosts of its shape."""

_LONE = replace(TOOL, lone_refs=True)
LONE_REFS = Dialects(_LONE, strictly(_LONE, replace(_STRICT_TOOL, lone_refs=True)), ANSWER, strictly(ANSWER, STRICT))
"""The dialects of Moonshot: "when using $ref, type should be defined in the referenced schema" (lidge-jun/opencodex#2673),
"conflicting keywords found after $ref expansion: description" (MoonshotAI/kimi-cli#2061), and no list in `items`
(NousResearch/hermes-agent#27104)."""

_DEFINED = replace(TOOL, defined=True)
GEMINI_DIALECTS = Dialects(_DEFINED, strictly(_DEFINED, _STRICT_TOOL), ANSWER, strictly(ANSWER, STRICT))
"""The dialects of Gemini's endpoint of this shape, which refuses a required name that is not among the properties."""
