"""The server that the tests of a module share."""

from collections.abc import Iterator

import pytest

from clients.streaming_app import Door, served


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    door = Door()
    with served(door) as door.url:
        yield door
