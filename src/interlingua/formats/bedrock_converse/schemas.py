"""What Bedrock's Converse takes of JSON Schema: `inputSchema` of tools, and the schema of `outputConfig`.

The rules that refuse the rest have the evidence (`rules/tools.py`), which is of Claude, the models there that take strict
schemas.
"""

from ...codec.dialects import Dialect, Dialects, strictly

TOOL = Dialect(object_root=True)
STRICT = Dialect(
    refused=frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxItems"}),
    closed=True,
)

DIALECTS = Dialects(TOOL, strictly(TOOL, STRICT), STRICT, STRICT)
"""An answer is always held to its schema."""
