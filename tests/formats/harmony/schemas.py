"""The schemas of responses and chunks of text completions, from which `tests/schemas/test_loaders.py` draws documents."""

from interlingua.formats.openai_completions.answers import adapter
from schemas.wires import Schemas, of_types


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, which are the same, and the definitions that they refer to."""
    (response,), shared = of_types(adapter())
    return Schemas(response, response, shared)
