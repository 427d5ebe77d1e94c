"""Another language: TypeScript types made of the schemas, compiled, and a program in them that edits our conversations."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import interlingua as il
from laws.everything import EVERYTHING
from schemas.parity import INTEROP, needs_node

pytestmark = needs_node


def run(command: Sequence[str | Path], *, expected: int = 0) -> str:
    done = subprocess.run([str(word) for word in command], cwd=INTEROP, capture_output=True, text=True, check=False)
    assert done.returncode == expected, done.stdout + done.stderr
    return done.stdout


def compile(project: str, *options: str | Path, expected: int = 0) -> str:
    return run([INTEROP / "node_modules/.bin/tsc", "-p", project, "--pretty", "false", *options], expected=expected)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, compiled."""
    folder = tmp_path_factory.mktemp("compiled")
    compile("tsconfig.json", "--outDir", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder / "tests/schemas/interop/edit.js"


def test_a_program_in_another_language_edits_a_conversation(program: Path, tmp_path: Path) -> None:
    said = [*il.validate(EVERYTHING), il.AssistantMessage(tool_calls=[il.ToolCall(id="c1", name="look", arguments="{}")])]
    tools: list[il.AnyTool] = [il.Tool(name="look"), il.OpaqueTool(format="anthropic", value={"type": "web_search"})]
    stored = il.Conversation(id="a", messages=tuple(said), tools=tuple(tools), metadata={"kept": [1.5, None, "é 🙂"]})
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(stored.model_dump_json())

    printed = run(["node", program, before, after]).splitlines()
    assert [line.partition(":")[0] for line in printed] == [*(message.role for message in said), "tools"]
    assert printed[-1] == "tools: look, anthropic"

    edited = il.validate(after.read_bytes(), il.Conversation)
    calls = [call for message in said if isinstance(message, il.AssistantMessage) for call in message.tool_calls or ()]
    answers = [il.ToolMessage(tool_call_id=call.id, content=f"done: {call.name}") for call in calls]
    thanks = il.UserMessage(content=[il.TextPart(text="Thank you, 漢字 🙂.")])
    expected = stored.replace(messages=(*said, *answers, thanks), metadata={"kept": [1.5, None, "é 🙂"], "edited": True})
    assert len(answers) >= 1
    assert edited == expected


def test_a_wrong_edit_does_not_compile() -> None:
    marked = enumerate((INTEROP / "wrong.ts").read_text().splitlines(), 1)
    expected = {(number, found[1]) for number, line in marked if (found := re.search(r"// (TS\d+)$", line))}
    printed = compile("tsconfig.wrong.json", expected=2)
    assert {
        (int(number), code) for number, code in re.findall(r"^wrong\.ts\((\d+),\d+\): error (TS\d+)", printed, re.MULTILINE)
    } == expected
    assert len(expected) == 9
