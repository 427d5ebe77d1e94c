"""What each provider refuses: `<format>/refused/<rule>.json` has bodies that a rule catches, and a near miss of each.

A near miss is as much like the refused body as can be, and has no error. In the files, `{"$repeat": x, "$times": n}` stands for
so many items of a list, which `{#}` numbers from 0, or for a text that repeats `x`; `{"$text": [...]}` joins texts, and
`{"$base64": "..."}` stands for bytes.
"""

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import interlingua as il
from interlingua.testing.lawbook.documents import is_array, is_object

FOLDER = Path(__file__).parent


class Refused(NamedTuple):
    """One case of a rule."""

    format: il.FormatName
    code: str
    number: int
    """Its place in the file."""
    said: dict[str, Any]
    """What the file says of it; bodies that are said in short may be large, so that they are made when they are asked for."""

    def __str__(self) -> str:
        return f"{self.format}-{self.code}-{self.number}"

    @property
    def refused(self) -> Any:
        """The body that the rule catches."""
        return spelled_out(self.said["refused"])

    @property
    def path(self) -> str:
        """Where the problem is."""
        path: str = self.said["path"]
        return path

    @property
    def accepted(self) -> Any:
        """The near miss."""
        return spelled_out(self.said["accepted"])


@cache
def refused() -> list[Refused]:
    """The cases of all formats and rules."""
    found: list[Refused] = []
    for file in sorted(FOLDER.glob("*/refused/*.json")):
        format: Any = file.parts[-3]
        said = json.loads(file.read_text("utf-8"))
        found += [Refused(format, file.stem, number, case) for number, case in enumerate(said)]
    return found


def spelled_out(value: Any) -> Any:
    """What a file says, with what it says in short."""
    if is_array(value):
        return [each for item in value for each in _items(item)]
    if not is_object(value):
        return value
    if "$base64" in value:
        return base64.b64decode(value["$base64"])
    if "$text" in value:
        return "".join(map(spelled_out, value["$text"]))
    if "$repeat" in value:
        return value["$repeat"] * value["$times"]
    return {key: spelled_out(item) for key, item in value.items()}


def _items(value: Any) -> list[Any]:
    if is_object(value) and "$repeat" in value and not isinstance(value["$repeat"], str):
        text = json.dumps(value["$repeat"])
        return [spelled_out(json.loads(text.replace("{#}", str(number)))) for number in range(value["$times"])]
    return [spelled_out(value)]
