"""The examples run: the demo, and the agent that changes its provider."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
from pathlib import Path

import pytest

import fine_tuning
import interlingua as il
import replay
import three_providers
from laws import sdks

ROOT = Path(__file__).parents[2]


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


def test_fine_tuning_data_from_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = ROOT / "examples" / "logs"
    rows = sum(len(file.read_text("utf-8").splitlines()) for file in logs.glob("*.jsonl"))
    counts = fine_tuning.main(logs, tmp_path)
    assert sum(count for what, count in counts.items() if not what.startswith("lost: ")) == rows
    assert {what: count for what, count in counts.items() if what not in ("train", "test")} == {
        "said before": 2,
        "malformed": 2,
        "cut off or refused": 1,
        "the provider failed": 1,
        "lost: openai_chat has no field for the signature of this text": 1,
    }
    sides = [(tmp_path / f"{side}.jsonl").read_text("utf-8").splitlines() for side in ("train", "test")]
    assert [len(side) for side in sides] == [counts["train"], counts["test"]]
    assert min(map(len, sides)) > 0
    for line in (line for side in sides for line in side):
        example = json.loads(line)
        assert sdks.request_faults(example | {"model": "m"}, "openai_chat") == []
        assert example["messages"][-1]["role"] == "assistant"
        assert il.dump(il.load(example, "openai_chat"), "openai_chat") == example
        assert "Look it up." not in line
    said = [il.fingerprint(il.load(line, "openai_chat")) for side in sides for line in side]
    assert len({*said}) == len(said)
    assert [line.split(": ")[0] for line in capsys.readouterr().out.splitlines()] == ["gpt.jsonl:3", "gpt.jsonl:4"]
