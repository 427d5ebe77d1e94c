"""The README's Python runs, and prints what it says; so does the demo."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
import replay
import three_providers
from streaming_app import Provider, served

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
[AGENT] = [block for block in BLOCKS if "anthropic.Anthropic()" in block]
SNIPPETS = [block for block in BLOCKS if block != AGENT]


def answer(id: str, reason: str, *content: dict[str, Any]) -> dict[str, Any]:
    """A whole message of the provider that the agent asks."""
    frame = {"id": id, "type": "message", "role": "assistant", "model": "claude-x", "stop_reason": reason}
    return frame | {"content": [*content], "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 7}}


def call(id: str, city: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "temperature", "input": {"city": city}}


def streamed(body: dict[str, Any]) -> list[bytes]:
    """The same message as the pieces of a stream."""
    content = body["content"]
    opening: dict[str, Any] = {"content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": body | opening}]
    for index, block in enumerate(content):
        is_text = block["type"] == "text"
        empty = block | {"text" if is_text else "input": "" if is_text else {}}
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        for piece in re.findall(".{1,7}", block["text"] if is_text else json.dumps(block["input"])):
            delta = {"type": "text_delta", "text": piece} if is_text else {"type": "input_json_delta", "partial_json": piece}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": 7}})
    return list(il.sse([*events, {"type": "message_stop"}], "anthropic"))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A server that gives the answers of the agent's model, at the address that the client takes from the environment."""
    provider = Provider()
    provider.answers += [
        answer("msg_1", "tool_use", call("toolu_1", "Oslo"), call("toolu_2", "Rome")),
        answer("msg_2", "end_turn", {"type": "text", "text": "In Rome, by 9 °C."}),
        streamed(answer("msg_3", "tool_use", {"type": "text", "text": "Let me see. "}, call("toolu_3", "Bergen"))),
        streamed(answer("msg_4", "end_turn", {"type": "text", "text": "I do not know."})),
    ]
    with served(provider) as url:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield provider


def test_the_agent(provider: Provider) -> None:
    """With the official client, over HTTP; the server refuses what the provider's types refuse."""
    run(AGENT)
    assert provider.faults == []
    assert not provider.answers
    last = provider.requests[-1]
    assert [tool["name"] for tool in last["tools"]] == ["temperature"]
    assert last["system"] == "You are a weather bot."
    assert [block["tool_use_id"] for block in last["messages"][2]["content"]] == ["toolu_1", "toolu_2"]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippet(snippet: str) -> None:
    run(snippet)


def run(snippet: str) -> None:
    """Run a snippet, in which a line `# > text` is what the lines before it print."""
    told = re.findall(r"^\s*# ?> ?(.*)$", snippet, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore", il.LossWarning)
        exec(compile(snippet, "<README>", "exec"), {"__name__": "readme"})  # noqa: S102 -- our own README
    assert printed.getvalue().splitlines() == told


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) > 1


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
