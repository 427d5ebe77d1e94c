"""What Anthropic's Messages API accepts of JSON Schema: in `input_schema` of tools, and in the schema of `output_config`.

The rules that refuse the rest name the evidence (`rules/tools.py`). Strict schemas lose what the SDK's own
`transform_schema` moves into descriptions (anthropic 2.14.0), except for bounds of texts, which the server has accepted.
"""

from ...codec.rules.claude import SCHEMA_LIMITS, TOTALS
from ...codec.schemas.dialects import Dialect, Dialects, strictly
from ...codec.schemas.keywords import CHECKS

TOOL = Dialect(not_at_root=("oneOf", "allOf", "anyOf"), object_root=True, checks=CHECKS)
STRICT = Dialect(
    refused=frozenset(
        {
            *("oneOf", "not", "if", "then", "else", "prefixItems", "contains", "dependentRequired", "unevaluatedProperties"),
            *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxItems", "uniqueItems"),
            *("patternProperties", "propertyNames", "minProperties", "maxProperties"),
        }
    ),
    values={
        "minItems": (0, 1),
        "format": ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
    },
    checks=CHECKS,
    closed=True,
    acyclic=True,
    limits=SCHEMA_LIMITS,
    totals=TOTALS,
    objects=True,
    typed=True,
    loosened_by=frozenset({"patternProperties"}),
)
STRICT_TOOL = strictly(TOOL, STRICT)

DIALECTS = Dialects(TOOL, STRICT_TOOL, STRICT, STRICT)
"""An answer must always match its schema."""
