"""Convert the tests' cases, so that the compiler learns which lines of the conversions run.

`hatch_build.py` runs it with modules that count this. The cases are small and odd, and none is a benchmark's: no kind of work
is preferred.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import interlingua as il

CASES = Path(__file__).parents[1] / "tests" / "formats"
TARGETS: tuple[il.FormatName, ...] = ("anthropic", "bedrock_converse", "gemini", "openai_chat", "openai_responses")
ROUNDS = 4
"""More than one, because the first prepares tables that all others use."""


def _request(body: Any, source: Any, target: il.FormatName) -> None:
    il.convert(body, source=source, target=target)
    il.fingerprint(il.load(body, source))


def _response(body: Any, source: Any, target: il.FormatName) -> None:
    il.dump_response(il.load_response(body, source), target, on_loss="ignore")


def _stream(body: Any, source: Any, target: il.FormatName) -> None:
    deque(il.restream(body, source=source, target=target, on_loss="ignore"), maxlen=0)
    events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in body]
    deque(il.restream(events, source=source, target=target, on_loss="ignore"), maxlen=0)


KINDS: dict[str, Callable[[Any, Any, il.FormatName], None]] = {"request": _request, "response": _response, "stream": _stream}


def main() -> None:
    """Convert each case to each of the main formats; what one of them cannot hold is left. Fails if nothing is converted."""
    converted = 0
    for file in sorted(CASES.glob("*/cases/*/*.json")):
        if (convert := KINDS.get(file.stem)) is not None:
            body = json.loads(file.read_text(encoding="utf-8"))
            for target in TARGETS * ROUNDS:
                with suppress(il.InterlinguaError):
                    convert(body, file.parents[2].name, target)
                    converted += 1
    if not converted:
        raise SystemExit(f"no case in {CASES} was converted")


if __name__ == "__main__":
    main()
