"""The schema of responses, from which `tests/schemas/test_loaders.py` draws documents; chunks are judged as recorded."""

from interlingua.formats.bedrock_text.maps import adapter
from schemas.wires import Schemas, of_types


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response,), shared = of_types(adapter("Response"))
    return Schemas(response, response, shared)
