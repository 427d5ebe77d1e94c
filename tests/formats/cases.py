"""The cases of every format, by hand: `<format>/cases/<case>/` has its request, response, stream or error as JSON.

`losses.json` is what conversions of the request lose, by target; `faults.json` is what the format's judge finds wrong with the
response, where that is odd on purpose. Beside `cases`, a format has files of what laws ask of it alone (`facts`).
"""

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import interlingua as il
from laws.families import ANSWERING, MAIN, main_of

FOLDER = Path(__file__).parent

HAS_BYTES = ("bedrock_boto3",)
"""What has bytes where JSON has base64; `test_bedrock.py` holds it against the JSON."""

Kind = Literal["request", "response", "stream", "error", "losses", "faults"]


class Case(NamedTuple):
    format: il.FormatName
    name: str

    def __str__(self) -> str:
        return f"{self.format}/{self.name}"

    def file(self, kind: Kind) -> Path:
        return FOLDER / self.format / "cases" / self.name / f"{kind}.json"

    def has(self, kind: Kind) -> bool:
        return self.file(kind).is_file()

    def read(self, kind: Kind) -> Any:
        """What the file of this kind says, made anew by each call."""
        return json.loads(self.file(kind).read_text("utf-8"))


def cases(kind: Kind) -> list[Case]:
    """The cases with a file of this kind, by their formats and names."""
    found = sorted(FOLDER.glob(f"*/cases/*/{kind}.json"))
    formats: list[Any] = [file.parts[-4] for file in found]
    return [Case(format, file.parent.name) for format, file in zip(formats, found, strict=True)]


def dialects(main: il.FormatName) -> list[il.FormatName]:
    """The other formats of the same wire, as JSON."""
    return [name for name in ANSWERING if name not in (main, *HAS_BYTES) and main_of(name) == main]


Fact = Literal["batches", "paths", "errors", "nothing"]


def facts(fact: Fact) -> dict[il.FormatName, Any]:
    """What the files `<format>/<fact>.json` say, by format.

    `paths` has the path of a request for the model `a/b:0@c`, whole and streamed. `errors` has what the provider calls errors:
    `at`, where a body says so; the `words` for each kind; what chunks have of them `in_streams`, if that is not the same; the
    `status` of a kind, if it is not the usual one; how a stream has `begun`; and bodies and chunks that it has `said`.
    `nothing` has fields of requests with values that say nothing. `batches` has a row of each layout.
    """
    files = {file.parent.name: file for file in FOLDER.glob(f"*/{fact}.json")}
    names: list[Any] = [name for name in il.FORMATS if name in files]
    return {name: json.loads(files[name].read_text("utf-8")) for name in names}


def losses(case: Case) -> dict[str, list[str]]:
    """What conversions of the case's request to each main format lose, as kinds and paths."""
    wire = case.read("request")
    made = {target: il.convert(wire, source=case.format, target=target) for target in MAIN if target != case.format}
    return {
        target: sorted(f"{loss.kind} {loss.path or loss.at}" for loss in conversion.losses)
        for target, conversion in made.items()
    }


def written_alike(format: str) -> set[str]:
    """The format, and those that write the same shape."""
    known = il.FORMATS.get(format)
    return {format} | {
        name
        for name, other in il.FORMATS.items()
        if known is not None and (other.dump is known.dump or other.dump_response is known.dump_response is not None)
    }
