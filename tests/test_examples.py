"""The examples run: the demo, and the agent that changes its provider."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
from pathlib import Path

import pytest

import replay
import three_providers

ROOT = Path(__file__).parents[1]


def test_demo() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(ROOT / "examples" / "demo.py"), run_name="__main__")
    assert printed.getvalue().count("The way back") == 2


def test_an_agent_that_changes_its_provider(capsys: pytest.CaptureFixture[str]) -> None:
    answers = json.loads((ROOT / "examples" / "three_providers.json").read_text("utf-8"))
    with replay.Replay(answers) as server:
        messages = three_providers.main(server.url)
    printed = capsys.readouterr().out
    assert [path for path, _ in server.requests] == list(answers)
    assert messages[-1].text in printed
    assert [use.name for message in messages if message.role == "assistant" for use in message.tool_uses] == ["temperature"] * 3
    secret = re.compile(r'"(?:encrypted_content|thoughtSignature|signature)": "([^"]+)"').findall(json.dumps(answers))
    assert len(secret) == 3
    for _, body in server.requests:  # nobody is sent what another has signed or encrypted
        assert not [each for each in secret if each in json.dumps(body)]
    lost = [line.split(": ", 1)[1] for line in printed.splitlines() if line.startswith("  lost: ")]
    assert sum("only openai can" in line for line in lost) == 2
    assert any("/signature" in line for line in lost)
