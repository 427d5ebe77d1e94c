"""The schema of Gemini's responses and chunks, which are the same: `tests/schemas/test_loaders.py` draws documents from it."""

from interlingua.formats.gemini.base import adapter
from schemas.wires import Schemas, of_types


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response,), shared = of_types(adapter("Response"))
    return Schemas(response, response, shared)
