"""What Cohere takes of JSON Schema: `parameters` of functions, which must be of type object, and any schema of an answer."""

from ...codec.dialects import Dialect, Dialects

_TOOL = Dialect(object_root=True)
_ANSWER = Dialect()
DIALECTS = Dialects(_TOOL, _TOOL, _ANSWER, _ANSWER)
"""Strict tools have the same demands: no refusal of a keyword is known."""
