"""Compressed files, whoever wrote them: whole frames, frames one after the other, and files that are cut."""

import io
import json
from typing import Any

import pytest
import zstandard

from interlingua.cli.documents import decompressed

CONTENT = b"".join(json.dumps({"n": number, "text": "x" * (number % 700)}).encode() + b"\n" for number in range(3000))


@pytest.mark.parametrize("level", [1, 3, 19])
@pytest.mark.parametrize("options", [{}, {"write_checksum": True}, {"write_content_size": False}], ids=str)
def test_frames_of_zstandard_are_read_however_they_were_written(options: dict[str, Any], level: int) -> None:
    def packed(content: bytes) -> bytes:
        return zstandard.ZstdCompressor(level, **options).compress(content)

    streamed = zstandard.ZstdCompressor(level, **options).compressobj()
    skipped = (0x184D2A53).to_bytes(4, "little") + (70_000).to_bytes(4, "little") + bytes(70_000)
    whole = packed(CONTENT) + skipped + packed(b"") + streamed.compress(CONTENT) + streamed.flush() + packed(b"z" * 10**6)
    with decompressed("a.zst", io.BytesIO(whole)) as file:
        assert file.read() == CONTENT + CONTENT + b"z" * 10**6
    for end in (1, 3, 4, 5, 9, 20, len(whole) // 2, len(whole) - 1):
        with decompressed("a.zst", io.BytesIO(whole[:end])) as file, pytest.raises((EOFError, zstandard.ZstdError)):
            file.read()
    for wrong in (b"not zstandard at all", b"\x28\xb5\x2f\xfd" + b"\xff" * 50, whole + b"x"):
        with decompressed("a.zst", io.BytesIO(wrong)) as file, pytest.raises((EOFError, zstandard.ZstdError)):
            file.read()
