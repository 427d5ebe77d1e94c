"""Other providers' signatures and encrypted reasoning, through a client and back (`carry=True`)."""

from __future__ import annotations

from ..codec.carrying import place_before
from ..codec.dump import Dump
from ..codec.format import Format
from ..model.exchange import Response


def carried(response: Response, target: Format) -> Response:
    """A response in which what another provider issued is packed into the parts that the target has opaque fields for."""
    if target.opaque is None or response.origin == target.name:
        return response
    choices = list(response.choices)
    for i, choice in enumerate(choices):
        content = target.opaque.parts(choice.message.parts)
        if content is not None:
            choices[i] = choice.replace(message=choice.message.to_blocks().replace(content=content))
    return response.replace(choices=choices)


def move_back(d: Dump, moved: dict[str, str]) -> None:
    """Give the places and losses of a dump the pointers that they had before the unpacking."""
    for at, path in d.places.items():
        d.places[at] = place_before(path, moved)
    d.losses[:] = [loss._replace(path=place_before(loss.path, moved)) for loss in d.losses]
