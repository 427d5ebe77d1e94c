"""`interlingua diff`: what means the same is the same, everything else is shown once, and no input takes more than its time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st

import interlingua as il
from display import test_show
from interlingua import testing
from interlingua.cli.commands import interlingua
from interlingua.display.beside import drawn_difference
from interlingua.display.difference import Difference, changed_words, matches
from interlingua.display.terminal import console
from laws.everything import EVERYTHING
from laws.samples import RESPONSE
from laws.steps import steps

CHAT: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "Is it warm in Oslo?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "4 °C"},
    ],
}
ANTHROPIC: dict[str, Any] = {
    "model": "m",
    "max_tokens": 100,
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Is it warm in Oslo?"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_9", "name": "weather", "input": {"city": "Oslo"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_9", "content": "4 °C"}]},
    ],
}


BLOCKS = (il.SystemMessage, il.DeveloperMessage, il.UserMessage, il.AssistantMessage, il.ToolMessage)


def text_of(found: Difference, width: int = 100, **options: Any) -> str:
    out = StringIO()
    console(file=out, width=width).print(*drawn_difference(found, ("A", "B"), **options), sep="\n")
    return out.getvalue()


def edited(payload: dict[str, Any], before: str, after: str) -> dict[str, Any]:
    text = json.dumps(payload, ensure_ascii=False)
    assert before in text
    made: dict[str, Any] = json.loads(text.replace(before, after))
    return made


# What is the same


@given(testing.stored_conversations(), testing.stored_conversations(), st.booleans())
@settings(max_examples=8)
def test_the_same_is_what_has_the_same_fingerprint(a: il.Conversation, b: il.Conversation, respelled: bool) -> None:
    blocks: list[Any] = [each.to_blocks() if isinstance(each, BLOCKS) else each for each in a.messages]
    other = il.Conversation(messages=blocks) if respelled else b
    found = il.diff(a, other)
    assert found.equal is (il.fingerprint(a) == il.fingerprint(other))
    assert il.diff(a, b, exact=True).equal is (a.to_dict() == b.to_dict())
    for side in ("a", "b"):
        value = a if side == "a" else other
        alone = il.diff(value, value)
        shown = [field.at for row in found.rows for pair in row.fields if (field := getattr(pair, side)) is not None]
        assert shown == [pair.a.at for row in alone.rows for pair in row.fields if pair.a is not None]


@pytest.mark.parametrize("message", EVERYTHING)
def test_with_exact_every_field_counts(message: dict[str, Any]) -> None:
    whole = il.Conversation(messages=[message])
    assert il.diff(whole, whole, exact=True).equal
    for name in message.keys() - {"role", "content", "format", "value", "tool_calls", "thinking_blocks"}:
        less = il.Conversation(messages=[{key: value for key, value in message.items() if key != name}])
        found = il.diff(whole, less, exact=True)
        assert [pair.change for row in found.rows for pair in row.fields if pair.change != "same"]


def test_with_exact_absent_null_and_empty_differ() -> None:
    messages = [il.AssistantMessage(), il.AssistantMessage(content=None), il.AssistantMessage(content=[])]
    for a in messages:
        for b in messages:
            assert il.diff([a], [b]).equal
            assert il.diff([a], [b], exact=True).equal is (a is b)


def test_formats_ids_and_spellings_do_not_count() -> None:
    a, b = il.load(CHAT, "openai_chat"), il.load(ANTHROPIC, "anthropic")
    assert il.diff(a, b).equal
    assert not il.diff(a, b, exact=True).equal
    assert text_of(il.diff(a, b)) == "= 3 turns the same\nthe same\n"


def test_answers_of_a_response_are_compared() -> None:
    response = il.Response(**RESPONSE)
    other = response.replace(choices=[*response.choices, il.Choice(message=il.AssistantMessage(content="more"))])
    assert il.diff(response, response).equal
    assert [row.change for row in il.diff(response, other).rows] == ["same", "added"]
    assert not il.diff(response, response.replace(id="other"), exact=True).equal


# What differs


def test_what_differs_is_shown_beside_each_other() -> None:
    a = il.load(CHAT, "openai_chat")
    b = il.load(edited(edited(ANTHROPIC, "Oslo", "Rome"), "4 °C", "13 °C"), "anthropic")
    assert text_of(il.diff(a, b)).splitlines() == [
        "~ user",
        "A                                                  B",
        "~ text /messages/0/content                         ~ text /messages/0/content/0",
        "  Is it warm in [-Oslo-]?                            Is it warm in {+Rome+}?",
        "~ assistant",
        "A                                                  B",
        "~ call of weather /messages/1/tool_calls/0         ~ call of weather /messages/1/content/0",
        '  {"city": "[-Oslo-]"}                               {"city": "{+Rome+}"}',
        "~ tool",
        "A                                                  B",
        "~ result of weather, of call 1 /messages/2         ~ result of weather, of call 1",
        "  [-4-] °C                                         /messages/2/content/0",
        "                                                     {+13+} °C",
        "different",
    ]


def test_media_that_differ_have_other_hashes() -> None:
    def image(data: str) -> list[dict[str, Any]]:
        source = {"type": "base64", "data": data, "media_type": "image/png"}
        return [{"role": "user", "content": [{"type": "image", "source": source}]}]

    labels = re.findall(r"sha256 \w{12}", text_of(il.diff(image("AAAA"), image("BBBB"))))
    assert len(set(labels)) == 2


def test_messages_that_are_put_in_or_left_out_move_no_others() -> None:
    messages = [
        il.UserMessage(content=f"number {i}") if i % 2 else il.AssistantMessage(content=f"answer {i}") for i in range(40)
    ]
    other = [*messages[:10], *messages[12:30], il.SystemMessage(content="new"), *messages[30:]]
    assert [row.change for row in il.diff(messages, other).rows if row.change != "same"] == ["removed", "removed", "added"]


def test_whose_words_differ_is_said() -> None:
    found = il.diff([il.UserMessage(content="hi", name="mira")], [il.UserMessage(content="hi")])
    assert "~ user mira / user" in text_of(found)
    assert [[pair.change for pair in row.fields] for row in found.rows] == [["same"]]


@pytest.mark.parametrize("width", [20, 40, 100])
def test_it_fits_into_any_terminal_and_harms_none(width: int) -> None:
    for exact in (False, True):
        found = il.diff(test_show.EVERYWHERE, EVERYTHING, exact=exact)
        for whole in (False, True):
            out = text_of(found, width, whole=whole)
            assert test_show.CONTROL.search(out) is None
            assert max(map(len, out.splitlines())) <= width
            assert [line for line in out.splitlines() if line != line.rstrip()] == []


# Lining up


@settings(max_examples=50)
@given(st.lists(st.sampled_from("abcd"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=30))
def test_matches_are_equal_and_in_order(a: list[str], b: list[str]) -> None:
    found = matches(a, b)
    assert all(a[i] == b[j] for i, j in found)
    assert all(i < m and j < n for (i, j), (m, n) in pairwise(found))
    assert len(matches(a, a)) == len(a)


@pytest.mark.parametrize(
    ("a", "b", "count"), [("abcdef", "fabcde", 5), ("abcdef", "fedcba", 1), ("abcdef", "abxdef", 5), ("", "a", 0)]
)
def test_the_longest_chain_is_matched(a: str, b: str, count: int) -> None:
    found = matches(a, b)
    assert (len(found), sorted(found), sorted(j for _, j in found)) == (count, found, [j for _, j in found])


def test_texts_with_little_in_common_differ_as_a_whole() -> None:
    a, b = changed_words("It is cold and dark in the north", "Rates of exchange in the second half")
    assert [[changed for _, changed in side] for side in (a, b)] == [[True], [True]]


def test_words_are_put_together_again() -> None:
    a, b = changed_words("the red house", "the big red house!")
    assert ("".join(word for word, _ in a), "".join(word for word, _ in b)) == ("the red house", "the big red house!")
    assert [word for word, changed in b if changed] == ["big ", "!"] or [word for word, changed in b if changed] == [
        " big",
        "!",
    ]


HOSTILE: dict[str, Callable[[int], tuple[list[str], list[str]]]] = {
    "all alike": lambda n: (["a"] * n, ["a"] * (2 * n)),
    "two kinds": lambda n: (["a", "b"] * n, ["b", "b", "a"] * n),
    "reversed": lambda n: (list(map(str, range(n))), list(map(str, reversed(range(n))))),
    "every other": lambda n: (list(map(str, range(n))), [str(i) if i % 2 else "x" for i in range(n)]),
    "repeated": lambda n: ([str(i % 7) for i in range(n)], [str(i % 5) for i in range(n)]),
    "nothing": lambda n: (["a"] * n, ["b"] * n),
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_twice_the_messages_take_twice_the_steps(shape: str) -> None:
    def taken(n: int) -> int:
        def messages(texts: Sequence[str]) -> list[il.Message]:
            return [
                il.UserMessage(content=text) if i % 2 else il.AssistantMessage(content=text) for i, text in enumerate(texts)
            ]

        a, b = HOSTILE[shape](n)
        values = messages(a), messages(b)
        words = " ".join(a), " ".join(b)
        return steps(lambda: (il.diff(*values), changed_words(*words)))

    taken(2)
    few, more, most = (taken(size) for size in (24, 48, 96))
    assert most - more <= 2.3 * (more - few)


# The command


def run(*argv: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(interlingua, ["diff", *argv], input=stdin, standalone_mode=False)


def status(result: Result) -> int:
    return int(getattr(result.exception, "exit_code", result.return_value))


def file_of(folder: Path, name: str, *documents: Any) -> str:
    (folder / name).write_text("\n".join(map(json.dumps, documents)), "utf-8")
    return str(folder / name)


def test_the_exit_status_says_whether_they_differ(tmp_path: Path) -> None:
    a, b = file_of(tmp_path, "a.json", CHAT), file_of(tmp_path, "b.json", ANTHROPIC)
    c = file_of(tmp_path, "c.json", edited(CHAT, "warm", "cold"))
    formats = ("--from-a", "openai_chat", "--from-b", "anthropic")
    assert status(run(a, b, *formats)) == 0
    assert status(run(a, b, *formats, "--exact")) == 1
    assert status(run(a, c, "--from", "openai_chat")) == 1
    assert run(a, c, "--from", "openai_chat", "--quiet").output == ""
    assert status(run("-", c, "--from", "openai_chat", stdin=json.dumps(CHAT).encode())) == 1


def test_json_has_what_differs(tmp_path: Path) -> None:
    a, c = file_of(tmp_path, "a.json", CHAT), file_of(tmp_path, "c.json", edited(CHAT, "warm", "cold"))
    result = run(a, c, "--from", "openai_chat", "--json")
    side = {"role": "user", "name": None, "at": ["/messages/0/content"]}
    field = {"at": "/messages/0/content", "label": "text"}
    data = json.loads(result.stdout)
    assert (data["equal"], [row["change"] for row in data["rows"]]) == (False, ["changed", "same", "same"])
    assert data["rows"][0] == {
        "change": "changed",
        "a": side,
        "b": side,
        "fields": [
            {
                "change": "changed",
                "a": field | {"text": "Is it warm in Oslo?"},
                "b": field | {"text": "Is it cold in Oslo?"},
            }
        ],
    }


def test_quiet_prints_no_json_either(tmp_path: Path) -> None:
    a = file_of(tmp_path, "a.json", CHAT)
    result = run(a, a, "--from", "openai_chat", "--json", "--quiet")
    assert (status(result), result.output) == (0, "")


def test_a_line_or_a_column_is_chosen(tmp_path: Path) -> None:
    lines = file_of(tmp_path, "a.jsonl", CHAT, edited(CHAT, "warm", "cold"))
    one = file_of(tmp_path, "b.json", CHAT)
    assert status(run(lines, one, "--from", "openai_chat")) == 2
    assert status(run(lines, one, "--from", "openai_chat", "--line", "1")) == 2  # the other file has no lines
    assert status(run(lines, lines, "--from", "openai_chat", "--line", "2")) == 0
    rows = file_of(tmp_path, "c.json", {"prompt": CHAT["messages"]})
    assert status(run(rows, rows, "--from", "openai_chat", "--column", "prompt")) == 0


@pytest.mark.parametrize("document", [{"messages": 5}, {}, 7])
def test_what_cannot_be_read_is_status_2(tmp_path: Path, document: Any) -> None:
    good, bad = file_of(tmp_path, "a.json", CHAT), file_of(tmp_path, "b.json", document)
    for pair in ((good, bad), (bad, good), (good, "/no/such/file")):
        assert status(run(*pair, "--from", "openai_chat")) == 2
    assert status(run("-", "-")) == 2
