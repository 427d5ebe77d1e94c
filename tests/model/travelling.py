"""Values on their way between processes: `write FILE` stores the samples, `read FILE...` checks what others have stored.

Run under any version of Python, each with another seed for the hashes of strings.
"""

import copy
import json
import pickle
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import interlingua as il
from interlingua.model.base import Model
from laws.samples import sorted_json, values


def write(file: Path) -> None:
    stored = [
        {
            "json": value.model_dump_json(),
            "pickles": [
                b64encode(pickle.dumps(value, protocol)).decode() for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
            ],
        }
        for value in values()
    ]
    file.write_text(json.dumps(stored), encoding="utf-8")


def read(file: Path) -> int:
    """How many values the file has; each of them must be the value that is made here."""
    stored: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    for value, entry in zip(values(), stored, strict=True):
        same(value, il.validate(entry["json"], type(value)))
        for text in entry["pickles"]:
            same(value, pickle.loads(b64decode(text)))  # noqa: S301 -- written by this script
        if sys.version_info >= (3, 13):
            same(value, copy.replace(value))
    return len(stored)


def same(mine: Model, other: Model) -> None:
    assert type(other) is type(mine)
    assert other == mine
    assert hash(other) == hash(mine)
    assert {mine: 1}[other] == 1
    assert sorted_json(other.to_dict()) == sorted_json(mine.to_dict())
    assert other.model_dump_json() == mine.model_dump_json()
    assert other.model_fields_set == mine.model_fields_set


if __name__ == "__main__":
    command, *files = sys.argv[1:]
    if command == "write":
        write(Path(files[0]))
    else:
        print(sum(read(Path(file)) for file in files))  # noqa: T201 -- what the test reads
