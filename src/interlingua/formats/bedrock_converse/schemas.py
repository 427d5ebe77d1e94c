"""What Bedrock's Converse accepts of JSON Schema: in `inputSchema` of tools, and in the schema of `outputConfig`.

The rules that refuse the rest name the evidence (`rules/tools.py`). It comes from Claude, the models on Bedrock that accept
strict schemas.
"""

from ...codec.rules.claude import SCHEMA_LIMITS, TOTALS
from ...codec.schemas.dialects import Dialect, Dialects, strictly

TOOL = Dialect(object_root=True)
STRICT = Dialect(
    refused=frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxItems"}),
    closed=True,
    limits=SCHEMA_LIMITS,
    totals=TOTALS,
    objects=True,
    typed=True,
)

DIALECTS = Dialects(TOOL, strictly(TOOL, STRICT), STRICT, STRICT)
"""An answer must always match its schema."""
