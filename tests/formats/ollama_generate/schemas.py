"""The schemas of Ollama's answers to prompts and of their lines, from which `tests/schemas/test_loaders.py` draws documents."""

from interlingua.formats.ollama.base import adapter
from schemas.wires import Schemas, of_types


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, which are the same, and the definitions that they refer to."""
    (response,), shared = of_types(adapter("GenerateResponse"))
    return Schemas(response, response, shared)
