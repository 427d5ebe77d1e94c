"""What earlier releases stored is read with the same meaning: values, wire, events, rows of Arrow, what the command wrote.

Each folder of `stored/` that has these files was written by the wheel of the commit in its name, with `tools/stored.py`.
"""

import hashlib
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import interlingua as il
import stored
from interlingua.arrow import from_arrow
from interlingua.testing.lawbook import documents
from laws.samples import canonical_classes

# Its stubs leave most types unknown.
parquet: Any = import_module("pyarrow.parquet")

FOLDERS = sorted(file.parent for file in (Path(__file__).parent / "stored").glob("*/values.jsonl"))
CLASSES = {cls.__name__: cls for cls in canonical_classes()}
EVENTS: TypeAdapter[list[il.Event]] = TypeAdapter(list[il.Event])
MARKED = re.compile(r'\[\{"type": "text", "text": ("[^"]*"), "[a-z_]+": \{"(?:mode": "explicit|type": "ephemeral)"\}\}\]')
STAND_IN = re.compile(', "(thoughtSignature|thought_signature)": "skip_thought_signature_validator"|, "reasoning_content": " "')
FOR_PEOPLE = frozenset({"message", "detail", "reason", "evidence", "excerpt", "errors", "url"})
"""The fields of records whose texts a release may change; `url` leads to the page of a rule."""

pytestmark = [
    pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name),
    pytest.mark.filterwarnings("ignore::interlingua.LossWarning"),
]


def lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in (folder / f"{kind}.jsonl").read_bytes().splitlines()]
    assert found
    return found


def same(made: object, stored: object) -> bool:
    return documents.canonical(made) == documents.canonical(stored)


def test_nothing_stored_has_changed(folder: Path) -> None:
    files = sorted(file for file in folder.iterdir() if file.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files]
    assert (folder / "SHA256SUMS").read_text("utf-8").splitlines() == sums


def test_values_are_read_and_written_as_they_were(folder: Path) -> None:
    for line in lines(folder, "values"):
        value = CLASSES[line["class"]].model_validate(line["value"])
        assert same(value.to_dict(), line["value"])
        assert same(json.loads(value.model_dump_json()), line["value"])


def test_every_class_is_stored(folder: Path) -> None:
    """A new class needs a new folder, which the wheel of its commit writes."""
    stored_in_any = {line["class"] for each in FOLDERS for line in lines(each, "values")}
    assert stored_in_any == CLASSES.keys()
    assert {line["format"] for line in lines(folder, "requests")} <= il.FORMATS.keys()


def test_requests_go_back_to_their_wire(folder: Path) -> None:
    for line in lines(folder, "requests"):
        request = il.validate(line["value"], il.Request)
        assert same(request.to_dict(), line["value"])
        assert il.fingerprint(request) == line["fingerprint"]
        wire: object = il.dump(request, il.format_of(line["format"]), on_loss="raise")
        assert same(wire, line["wire"])
        assert il.fingerprint(il.load(line["wire"], line["format"])) == line["fingerprint"]


def test_responses_go_back_to_their_wire(folder: Path) -> None:
    for line in lines(folder, "responses"):
        response = il.validate(line["value"], il.Response)
        assert same(response.to_dict(), line["value"])
        assert same(il.dump_response(response, line["format"], on_loss="raise"), line["wire"])


def test_events_fold_into_the_same_response(folder: Path) -> None:
    for line in lines(folder, "streams"):
        events = EVENTS.validate_python(line["events"])
        written: list[Any] = [event.to_dict() for event in events]
        assert same(written, line["events"])
        assert same(il.accumulate(events).to_dict(), line["response"])
        writer, client = il.writer(line["format"]), il.reader(line["format"])
        list(client.read(chunk for event in events for chunk in writer.feed(event)))
        assert il.fingerprint([client.response.message]) == il.fingerprint([spoken(il.accumulate(events).message)])


def spoken(message: il.AssistantMessage) -> il.AssistantMessage:
    """The message with the transcript of its audio as its text, as streams are read since then if they have no other text."""
    given: dict[str, Any] = {**((message.provider_data or {}).get("openai") or {})}
    audio = given.get("audio")
    if message.content or not audio:
        return message
    own = given | {"audio": {key: value for key, value in audio.items() if key != "transcript"}}
    return message.replace(content=[il.TextPart(text=audio["transcript"])], provider_data={"openai": own})


def test_rows_hold_the_same_conversations(folder: Path) -> None:
    read = from_arrow(parquet.read_table(folder / "rows.parquet"))
    assert same([conversation.to_dict() for conversation in read], lines(folder, "rows"))


def test_a_conversation_that_grows_is_written_as_it_was(folder: Path) -> None:
    for line in lines(folder, "growing"):
        builder = il.ChatMessageBuilder()
        for message in line["messages"]:
            builder.append(message)
        # Calls that go to Gemini have got a stand-in for a signature since then, and those to DeepSeek one for reasoning. The
        # cache marks of messages, which were dropped, have gone on their last part at hosts that have marks on parts alone.
        written = STAND_IN.sub("", json.dumps(stored.written(builder, line["format"])))
        if line["format"] in ("openai_chat", "openrouter", "clacky"):
            written = MARKED.sub(r"\1", written)
        assert same(json.loads(written), line["dump"])


def test_the_command_writes_the_same_records(folder: Path) -> None:
    for line in lines(folder, "commands"):
        made = stored.ran(line["arguments"], line["input"])
        assert made["status"] == line["status"]
        assert records(made["output"]) == records(line["output"])
        assert {name: records(made["files"][name]) for name in made["files"]} == {
            name: records(line["files"][name]) for name in line["files"]
        }
        assert len(made["said"]) == len(line["said"])


def records(written: list[str]) -> list[dict[str, Any]]:
    return [_record(json.loads(line)) for line in written]


def _record(written: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in written.items() if key not in FOR_PEOPLE}
    if "candidates" in kept:
        # The marks become more precise, and with them which formats are excluded; the likeliest stays what it was.
        kept["candidates"] = [{key: value for key, value in one.items() if key != "reasons"} for one in kept["candidates"][:1]]
    return kept
