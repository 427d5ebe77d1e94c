"""Writes `src/interlingua/formats/bodies.py`: the types of bodies, for type checkers and by name, with their formats.

Run `python tools/body_names.py` after a change of `FORMATS`. With `--check` it only says whether the file is stale.
"""

import sys

from generated import PACKAGE, run
from interlingua.formats import FORMATS
from interlingua.schemas.bodies.components import names

FILE = PACKAGE / "formats" / "bodies.py"

HEAD = '''\
"""The names of typed bodies. Written by `tools/body_names.py`: do not edit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.exchange import Request, Response
'''


def text() -> str:
    """The whole file, before it is formatted. A format with bytes has no bodies: JSON cannot hold them."""
    formats = {name: format for name, format in FORMATS.items() if format.json_form is None}
    requests = {names(name)[0]: name for name in formats}
    responses = {names(name)[1]: name for name, format in formats.items() if format.load_response is not None}
    aliases = [f"    {each} = Request" for each in requests] + [f"    {each} = Response" for each in responses]
    return "\n".join(
        [
            HEAD,
            *aliases,
            f"__all__ = {sorted([*requests, *responses])}",
            f"REQUESTS = {requests}",
            '"""The format of each type of requests."""',
            f"RESPONSES = {responses}",
            '"""The format of each type of responses."""',
        ]
    )


if __name__ == "__main__":
    sys.exit(run(FILE, text, "body_names.py"))
