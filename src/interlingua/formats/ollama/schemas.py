"""What Ollama accepts of JSON Schema: in function `parameters` only type object, with objects as properties; any answer."""

from ...codec.schemas.dialects import Dialect, Dialects

_TOOL = Dialect(object_root=True, objects=True)
_ANSWER = Dialect()
DIALECTS = Dialects(_TOOL, _TOOL, _ANSWER, _ANSWER)
"""Ollama has no strict tools. The server accepts other keywords in parameters, and passes only some to the model."""
