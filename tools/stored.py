"""Writes what a release stores, for later releases to read: `python tools/stored.py FOLDER`.

Run it with an interpreter that has the wheel of a commit, and not the source tree: `tests/house/stored/<commit>` was written by
the wheel of that commit. A folder that is there is never written again. `tests/house/test_stored_values.py` reads all of them.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import interlingua as il

TESTS = Path(__file__).parents[1] / "tests"
DRAWN = 8
"""How many documents of each kind and format are drawn, besides those of the corpus."""

ROWS: list[dict[str, Any]] = [
    {"messages": [{"role": "user", "content": "Rain in Rome?", "name": "mira"}], "temperature": 1.5},
    {"messages": [{"role": "user", "content": "Rain in Rome?", "name": "mira"}], "temperature": 1.5},
    {"messages": [{"role": "user", "content": 5}]},
    {"messages": [{"role": "tool", "tool_call_id": "a b", "content": "It rains."}], "user": "mira@example.com"},
    {"messages": [{"role": "assistant", "content": "No.", "refusal": "No."}], "logit_bias": {"5": 1}},
]
COMMANDS = {
    "convert": "convert in.jsonl --from openai_chat --to anthropic -o out.jsonl --losses losses.jsonl --errors no.jsonl --json",
    "check": "check in.jsonl --for openai_chat --errors errors.jsonl --json",
    "detect": "detect in.jsonl",
    "validate": "validate in.jsonl --from openai_chat --errors errors.jsonl --json",
    "dedupe": "dedupe in.jsonl --from openai_chat -o out.jsonl --duplicates twice.jsonl --errors errors.jsonl",
    "split": "split in.jsonl --from openai_chat --train 0.5 --errors errors.jsonl",
}
"""Runs of the command that write records."""


def main() -> int:
    """Write the folder that the command line names."""
    sys.path.insert(0, str(TESTS))
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    kinds = {
        "values": values(),
        "requests": requests(),
        "responses": responses(),
        "streams": streams(),
        "growing": growing(),
        "commands": commands(),
    }
    for kind, lines in kinds.items():
        with (folder / f"{kind}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_rows(folder)
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return 0


def formats() -> list[il.FormatName]:
    """Those whose wire is JSON: that of `bedrock_boto3` has bytes."""
    names: list[Any] = [name for name in il.FORMATS if name != "bedrock_boto3"]
    return names


def values() -> Iterator[dict[str, Any]]:
    """A value of every canonical class, with every field."""
    for value in import_module("laws.samples").values():
        yield {"class": type(value).__name__, "value": value.to_dict()}


def drawn(kind: str, format: str) -> list[Any]:
    return list(import_module("laws.attacking").Seeds(DRAWN).of(kind, format))


def requests() -> Iterator[dict[str, Any]]:
    """Requests of the corpus, and drawn ones: the wire, what it was read as, and its fingerprint."""
    for format in formats():
        files = sorted((TESTS / "formats" / format / "cases").glob("*/request.json"))
        for wire in [*(json.loads(file.read_text("utf-8")) for file in files), *drawn("requests", format)]:
            request = il.load(wire, format)
            yield {"format": format, "wire": wire, "value": request.to_dict(), "fingerprint": il.fingerprint(request)}


def responses() -> Iterator[dict[str, Any]]:
    """Responses: the wire, and what it was read as."""
    for format in formats():
        if il.FORMATS[format].load_response is not None:
            for wire in drawn("responses", format):
                yield {"format": format, "wire": wire, "value": il.load_response(wire, format).to_dict()}


def streams() -> Iterator[dict[str, Any]]:
    """Streams: the chunks, the events, and the response that they fold into."""
    for format in formats():
        if il.FORMATS[format].reading is not None:
            for chunks in drawn("streams", format):
                reader = il.reader(format)
                events = [event.to_dict() for event in reader.read(chunks)]
                yield {"format": format, "chunks": chunks, "events": events, "response": reader.response.to_dict()}


def conversation() -> list[dict[str, Any]]:
    """A conversation of every kind of message, as it grows."""
    call = {"id": "call_1", "type": "function", "function": {"name": "forecast", "arguments": '{"city": "Rome"}'}}
    return [
        {"role": "system", "content": "You forecast the weather."},
        {"role": "user", "content": "Rain in Rome?", "cache_control": {"type": "ephemeral"}},
        {"role": "assistant", "content": "I will look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "It rains."},
        {"role": "assistant", "content": "It rains in Rome."},
    ]


def growing() -> Iterator[dict[str, Any]]:
    """What a builder writes after each message."""
    for format in formats():
        builder = il.ChatMessageBuilder()
        for message in conversation():
            builder.append_openai_message(message)
            yield {
                "format": format,
                "messages": [each.to_dict() for each in builder.messages],
                "dump": written(builder, format),
            }


def written(builder: il.ChatMessageBuilder, format: il.FormatName) -> Any:
    return builder.dump(format, on_loss="ignore")


def commands() -> Iterator[dict[str, Any]]:
    """Runs of the command: what went in, and all files and lines that came out."""
    for name, line in COMMANDS.items():
        yield {"name": name, "arguments": line.split(), "input": ROWS, **ran(line.split(), ROWS)}


def ran(arguments: list[str], rows: Iterable[Any]) -> dict[str, Any]:
    """The exit status of a run of the command, its output, and the files that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [sys.executable, "-m", "interlingua", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        files = sorted(file for file in Path(folder).rglob("*") if file.is_file() and file.name != "in.jsonl")
        return {
            "status": done.returncode,
            "output": done.stdout.splitlines(),
            "said": done.stderr.splitlines(),
            "files": {str(file.relative_to(folder)): file.read_text("utf-8").splitlines() for file in files},
        }


def write_rows(folder: Path) -> None:
    """The stored conversations as Arrow's rows, beside their JSON."""
    arrow, parquet = import_module("interlingua.arrow"), import_module("pyarrow.parquet")
    table = import_module("pyarrow").Table
    stored = [il.validate(file.read_bytes(), il.Conversation) for file in import_module("laws.samples").STORED]
    parquet.write_table(table.from_batches([arrow.to_arrow(stored)]), folder / "rows.parquet")
    lines = [json.dumps(one.to_dict(), ensure_ascii=False) + "\n" for one in stored]
    (folder / "rows.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or Path(sys.argv[1]).exists():
        sys.exit("usage: python tools/stored.py NEW_FOLDER")
    sys.exit(main())
