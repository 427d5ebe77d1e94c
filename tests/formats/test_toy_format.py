"""A new format is one file: the toy format, written by "To add a format", works as the caller's own and in the table."""

import ast
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import blocks
import interlingua as il
import signatures
from formats import interlingua_toy, toys
from formats.interlingua_toy import FORMAT
from interlingua import formats
from interlingua.codec.table import Row, Table
from interlingua.conversion import requests as front

TESTS = Path(__file__).parents[1]
GUIDE = TESTS.parent / "docs" / "guides" / "adding-a-format.md"
MOST_LINES = 180
"""How many lines of code the file stays below; blank lines, comments and docstrings do not count."""

UNHASHABLE: dict[str, Any] = {}

WIRE: dict[str, Any] = {
    "engine": "toy-1",
    "seed": 3,
    "turns": [
        {"role": "guide", "items": [{"kind": "text", "text": "Be brief."}]},
        {"role": "human", "items": [{"kind": "text", "text": "Rain?", "lang": "en"}, {"kind": "map", "x": 1}], "mood": None},
        {"role": "bot", "items": [{"kind": "call", "id": "c1", "tool": "rain", "input": '{"in": "Oslo"'}]},
        {"role": "human", "items": [{"kind": "result", "id": "c1", "output": "no"}, {"kind": "text", "text": ""}]},
        {"role": "bot", "items": []},
    ],
}

CHAT: dict[str, Any] = {
    "model": "toy-1",
    "temperature": 1,
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "Rain?", "name": "mira"},
        {
            "role": "assistant",
            "content": "I'll look.",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "rain", "arguments": '{"in": "Oslo"}'}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "no"},
    ],
}


def test_the_file_is_short() -> None:
    source = Path(interlingua_toy.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source)
    documented = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef))]
    docstrings = [node.body[0] for node in documented if ast.get_docstring(node) is not None]
    undocumented = {line for node in docstrings for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = [line.strip() for number, line in enumerate(source.splitlines(), 1) if number not in undocumented]
    assert len([line for line in lines if line and not line.startswith("#")]) < MOST_LINES


def test_it_reads_in_the_order_of_every_format() -> None:
    source = Path(interlingua_toy.__file__).read_text(encoding="utf-8")
    marks = [
        "Wire reference:",
        "Cannot carry:",
        "# Wire types",
        "# Tables",
        "def load_item",
        "def dump_item",
        "FORMAT = Format(",
    ]
    assert sorted(marks, key=source.index) == marks


def test_the_guide_shows_this_file() -> None:
    for file in Path(interlingua_toy.__file__).parent.glob("*.py"):
        shown = [block.code for block in blocks.blocks(GUIDE) if block.title == f"interlingua_toy/{file.name}"]
        assert lines("".join(shown)) == lines(file.read_text(encoding="utf-8"))


def lines(code: str) -> list[str]:
    return [line for line in code.splitlines() if line]


def test_a_request_in_the_same_format_is_exact() -> None:
    request = il.load(WIRE, FORMAT)
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "user", "assistant"]
    assert (request.model, request.messages[2].tool_uses[0].arguments) == ("toy-1", '{"in": "Oslo"')
    assert il.dump(request, FORMAT, on_loss="raise") == WIRE
    assert il.dump(il.load(WIRE["turns"], FORMAT).messages, FORMAT, on_loss="ignore")["turns"][0] == WIRE["turns"][0]


@pytest.mark.parametrize(
    ("turn", "path"),
    [
        ({"role": "alien", "items": []}, "/turns/0/role"),
        ({"role": "human", "items": [{"kind": "text"}]}, "/turns/0/items/0/text"),
        ({"role": "bot", "items": [{"kind": "call", "tool": 7, "input": ""}]}, "/turns/0/items/0/tool"),
        ({"role": "bot", "items": [{"kind": "call", "tool": "f", "input": "\ud800"}]}, "/turns/0/items/0/input"),
        ({"role": "human", "items": ["text"]}, "/turns/0/items/0"),
        ({"role": "human", "items": [{"kind": 7}]}, "/turns/0/items/0"),
        ({"role": "human", "items": [{"kind": UNHASHABLE}]}, "/turns/0/items/0"),
    ],
)
def test_a_fault_is_one_error_that_points_into_the_payload(turn: Any, path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load({"turns": [turn]}, FORMAT)
    assert [fault.path for fault in caught.value.faults] == [path]


def test_it_converts_to_chat_with_losses() -> None:
    result = il.convert(WIRE, source=FORMAT, target="openai_chat")
    assert [message["role"] for message in result.payload["messages"]] == ["system", "user", "assistant", "tool", "user"]
    assert sorted((loss.kind, loss.path) for loss in result.losses) == [
        ("dropped", "/seed"),
        ("dropped", "/turns/1/items/0/lang"),
        ("dropped", "/turns/1/items/1"),
        ("dropped", "/turns/4"),
    ]
    assert result.places["/messages/2/tool_calls/0"] == "/turns/2/items/0"


def test_it_converts_from_chat_with_losses() -> None:
    result = il.convert(CHAT, source="openai_chat", target=FORMAT)
    assert result.payload == {
        "engine": "toy-1",
        "turns": [
            {"role": "human", "items": [{"kind": "text", "text": "Be brief."}]},
            {"role": "human", "items": [{"kind": "text", "text": "Rain?"}]},
            {
                "role": "bot",
                "items": [
                    {"kind": "text", "text": "I'll look."},
                    {"kind": "call", "tool": "rain", "input": '{"in": "Oslo"}', "id": "c1"},
                ],
            },
            {"role": "human", "items": [{"kind": "result", "output": "no", "id": "c1"}]},
        ],
    }
    assert sorted((loss.kind, loss.path) for loss in result.losses) == [
        ("changed", "/messages/0"),
        ("dropped", "/messages/1/name"),
        ("dropped", "/temperature"),
    ]
    assert result.places["/turns/2/items/1"] == "/messages/2/tool_calls/0"
    back = il.convert(result.payload, source=FORMAT, target="openai_chat", strict=True).payload
    assert back["messages"][2]["tool_calls"] == CHAT["messages"][2]["tool_calls"]


def test_messages_of_another_provider_in_a_loaded_request_follow_the_rules_for_conversions() -> None:
    request = il.load(WIRE, FORMAT)
    losses: list[il.Loss] = []
    image = il.ImagePart(source=il.UrlSource(url="https://host/a.png"))
    added = il.UserMessage(content=[il.TextPart(text="And this?"), image])
    written = il.dump(request.replace(messages=[*request.messages, added]), FORMAT, on_loss=losses.append)
    assert written["turns"] == [*WIRE["turns"], {"role": "human", "items": [{"kind": "text", "text": "And this?"}]}]
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/messages/5/content/1")]


def test_a_builder_and_a_single_message_are_dumped_to_it() -> None:
    builder = il.ChatMessageBuilder("Be brief.")
    builder.append({"role": "user", "content": "Rain?"})
    assert builder.dump(FORMAT)["turns"][1] == {"role": "human", "items": [{"kind": "text", "text": "Rain?"}]}


def test_what_it_does_not_have_is_an_error_that_says_so() -> None:
    for use in (il.reader, il.writer):
        with pytest.raises(il.UnknownFormat, match="toy"):
            use(FORMAT)
    with pytest.raises(il.UnknownFormat, match="toy"):
        il.load_response({}, FORMAT)


def test_a_row_in_the_table_is_all_that_its_name_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(formats.ROWS | {"toy": Row("toy", toys.__name__)})
    for module in (formats, front, signatures):
        monkeypatch.setattr(module, "FORMATS", table)
    toy = il.format_of("toy")
    assert il.dump(il.load(WIRE, toy), toy, on_loss="raise") == WIRE
    row = next(row for row in signatures.rows() if "toy" in row.names)
    assert row.payload == signatures.OTHERS  # it has no types of its own
    assert f'target: {row.literal}, *, on_loss: OnLoss = "warn"' in signatures.text()


LAWS = [
    *("laws/test_format_laws.py", "laws/test_laws.py", "laws/test_spoke.py", "laws/test_strategies.py"),
    *("codec/test_native.py", "codec/test_wire.py", "codec/test_profiles.py"),
    *("conversion/test_convert.py", "conversion/test_detection.py", "schemas/test_loaders.py"),
]
"""Where laws are parametrised by the formats of the table."""


def test_every_law_over_formats_runs_over_a_new_row_and_holds() -> None:
    """With its strategies and marks, the toy is judged like any other format, and no test has to name it."""
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    options = ["-q", "-k", "toy", "-p", "formats.with_toy", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *(str(TESTS / law) for law in LAWS)],
        cwd=TESTS.parent,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    passed = re.search(r"^(\d+) passed", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 30


def dump_under_way() -> Any:
    return FORMAT.new_dump(FORMAT, None, same_format=False, formats=il.FORMATS)


def test_a_format_without_a_profile_knows_whose_signatures_it_takes() -> None:
    """Those of its family; all that a dump asks of a profile has an answer without one."""
    d = dump_under_way()
    assert FORMAT.profile is None
    assert [d.is_foreign(issuer) for issuer in (None, "toy", "anthropic")] == [False, False, True]
    signed = il.ThinkingPart(thinking="a", signature="b", issuer="anthropic")
    assert d.sent_signature(signed, "/messages/0/content/0") is None
    assert [(loss.path, loss.kind) for loss in d.losses] == [("/messages/0/content/0/signature", "dropped")]
    assert d.sent_signature(signed.replace(issuer="toy"), "") == "b"


def test_a_format_without_a_profile_writes_later_system_messages() -> None:
    turns = replace(interlingua_toy.TURNS, joins="role", later_system=True)
    messages = [il.UserMessage(content="a"), il.SystemMessage(content="b"), il.UserMessage(content="c")]
    written: list[Any] = []
    turns.write(messages, 0, written, dump_under_way())
    assert [turn["role"] for turn in written] == ["human", "guide", "human"]
