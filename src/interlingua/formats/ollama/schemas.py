"""What Ollama takes of JSON Schema: `parameters` of functions, which must be of type object, and any schema of an answer."""

from ...codec.dialects import Dialect, Dialects

_TOOL, _ANSWER = Dialect(object_root=True), Dialect()
DIALECTS = Dialects(_TOOL, _TOOL, _ANSWER, _ANSWER)
"""There are no strict tools. The server reads other keywords of parameters without an error, and gives the model only some."""
