"""What Cohere accepts of JSON Schema: in function `parameters` only type object, and for an answer any schema."""

from ...codec.schemas.dialects import Dialect, Dialects

_TOOL = Dialect(object_root=True)
_ANSWER = Dialect()
DIALECTS = Dialects(_TOOL, _TOOL, _ANSWER, _ANSWER)
"""The same for strict tools: no keyword is known to be refused."""
