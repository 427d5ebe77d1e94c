"""What Gemini takes of JSON Schema: `parametersJsonSchema` of functions, and `responseJsonSchema`.

Evidence: the server's text "If a schema node has $ref set, then only description and default can be set alongside it"
(anomalyco/opencode#12295); whole JSON Schemas of MCP servers are taken otherwise (NousResearch/hermes-agent#98928).
"""

from ...codec.dialects import Dialect, Dialects

_JSON = Dialect(beside_refs=frozenset({"description", "default", "$defs", "definitions"}))
DIALECTS = Dialects(_JSON, _JSON, _JSON, _JSON)
"""No field of a function or an answer says that it is strict."""
