"""The cases of every format, by hand: `<format>/cases/<case>/` has its request, response, stream or error as JSON."""

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import interlingua as il

FOLDER = Path(__file__).parent

Kind = Literal["request", "response", "stream", "error", "losses"]


class Case(NamedTuple):
    format: il.FormatName
    name: str

    def __str__(self) -> str:
        return f"{self.format}/{self.name}"

    @property
    def folder(self) -> Path:
        return FOLDER / self.format / "cases" / self.name

    def has(self, kind: Kind) -> bool:
        return (self.folder / f"{kind}.json").is_file()

    def read(self, kind: Kind) -> Any:
        """What the file of this kind says, made anew by each call."""
        return json.loads((self.folder / f"{kind}.json").read_text("utf-8"))


def cases(kind: Kind) -> list[Case]:
    """The cases with a file of this kind, by their formats and names."""
    found = sorted(FOLDER.glob(f"*/cases/*/{kind}.json"))
    formats: list[Any] = [file.parts[-4] for file in found]
    return [Case(format, file.parent.name) for format, file in zip(formats, found, strict=True)]
