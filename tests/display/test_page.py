"""Pages: whatever a conversation says is text on them, all of it, and nothing on them runs or loads anything."""

import base64
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import interlingua as il
from display.reading_pages import Read, squeezed
from interlingua import testing
from interlingua.display.forms import forms
from interlingua.display.images import shown
from interlingua.display.json_text import indented, members
from interlingua.display.markup import Markup, element
from interlingua.display.outline import Media, Outline, marks_of, nodes_of, outline
from interlingua.display.page import fragment, page, page_of_difference, pages
from interlingua.display.texts import harmless, with_code, without_base64
from laws.hostile_texts import HOSTILE, conversation, request, response

PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (2).to_bytes(4) + (3).to_bytes(4) + b"\x08\x02\0\0\0" + b"\0" * 13
).decode()


def said(whole: Outline) -> Iterator[str]:
    """What a page of an outline has to say."""
    for node in (whole, *nodes_of(whole)):
        yield from (mark.text for mark in node.marks)
        for name in ("text", "name", "description", "schema"):
            text = getattr(node, name, None) or ""
            found = members(text) if getattr(node, "kind", "") == "call" else None
            if found is None:
                yield text
            else:
                yield from (part for member in found for part in (member.name, member.value))


def expect_said(whole: Outline, read: Read) -> None:
    for text in said(whole):
        assert squeezed(harmless(without_base64(text))) in read.text


def fences(text: str) -> list[str]:
    """The blocks of code in a text, as the page of a message shows them."""
    return re.findall(
        r'<code class="il-fence" dir="ltr">(.*?)</code>', page(outline([il.UserMessage(content=text)])), re.DOTALL
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So:\n```py\nx = 1\n```\nThat is all.", ["```py\nx = 1\n```\n"]),
        ("```\na\n```\n\n~~~~\n```\n~~~\n~~~~", ["```\na\n```\n", "~~~~\n```\n~~~\n~~~~"]),
        ("1. Run\n\n   ```sh\n   ls\n   ```\n2. Wait", ["   ```sh\n   ls\n   ```\n"]),
        ("```py\nx = 1", ["```py\nx = 1"]),
        ("```py\r\nx\r\n```\r\ny", ["```py\nx\n```\n"]),
        ("```x``` and ``y`` are inline, and so is\n```z``` here", []),
        ("``\nx\n``", []),
    ],
)
def test_fenced_code_is_code(text: str, expected: list[str]) -> None:
    assert fences(text) == expected


@given(st.lists(st.sampled_from(["```", "~~~~", "`", "\n", "a", " ", "\r\n", "\u2028"])).map("".join))
def test_pieces_with_code_are_the_text(text: str) -> None:
    assert "".join(piece for piece, _ in with_code(text)) == text


# Everything is text


@settings(max_examples=10)
@given(testing.stored_conversations())
def test_every_text_is_on_the_page(stored: il.Conversation) -> None:
    whole = outline(stored)
    expect_said(whole, Read(page(whole)))


@settings(max_examples=25)
@given(testing.requests(), st.sampled_from(sorted(il.FORMATS)))
def test_losses_and_problems_are_on_the_page_of_a_request(asked: il.Request, name: Any) -> None:
    losses: list[il.Loss] = []
    il.dump(asked, name, on_loss=losses.append)
    whole = outline(asked, marks=[*marks_of(losses, name), *marks_of(il.check(asked, name), name)])
    read = Read(page(whole, "a.json"))
    expect_said(whole, read)
    ids = [each.attributes["id"] for each in read.elements if each.attributes.get("id")]
    links = [str(each.attributes["href"])[1:] for each in read.elements if each.name == "a"]
    assert len(ids) == len(set(ids))
    assert set(links) <= set(ids)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(text: str) -> None:
    losses = [il.Loss(text, text, "dropped", text), il.Loss(f"/messages/0/{text}", None, "changed", text)]
    problems = [il.Problem(text, text, text, "error", text)]
    whole = outline(request(text), marks=marks_of([*losses, *problems], text))
    read = Read(page(whole, text))
    expect_said(whole, read)
    for drawn in (page(whole, text), fragment(outline(response(text)))):
        assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", drawn) is None
        assert squeezed(harmless(without_base64(text))) in Read(drawn).text


@pytest.mark.parametrize("text", HOSTILE[::4], ids=range(len(HOSTILE[::4])))
def test_hostile_text_stays_text_in_forms_and_differences(text: str) -> None:
    whole = forms(conversation(text), [il.FORMATS["openai_chat"], il.FORMATS["gemini"]])
    read = Read(page(whole, text))
    for row in whole.rows:
        for cell in row.cells:
            assert all(squeezed(harmless(line.text)) in read.text for lines in cell.owners.values() for line in lines)
            assert all(squeezed(harmless(mark.text)) in read.text for mark in cell.marks)
    difference = il.diff(conversation(text), conversation(text + "!"), exact=True)
    read = Read(page_of_difference(difference, (text, text)))
    fields = [field for row in difference.rows for pair in row.fields for field in (pair.a, pair.b) if field is not None]
    assert all(squeezed(harmless(without_base64(field.text))) in read.text for field in fields)


def test_only_markup_is_markup() -> None:
    assert element("p", None, "<b>", element("i", None, "&")) == "<p>&lt;b&gt;<i>&amp;</i></p>"
    assert element("p", None, f"{element('i', None)}") == "<p>&lt;i&gt;&lt;/i&gt;</p>"
    assert element("p", "'\"", id='"><script>\0') == '<p class="&#x27;&quot;" id="&quot;&gt;&lt;script&gt;␀"></p>'
    assert type(element("p", None)) is Markup


def test_a_page_allows_its_own_style_and_images_alone() -> None:
    read = Read(page(outline([{"role": "user", "content": "hi"}])))
    hashed = base64.b64encode(sha256(read.style.encode()).digest()).decode()
    (policy,) = [each.attributes["content"] for each in read.elements if "http-equiv" in each.attributes]
    assert policy == (f"default-src 'none'; style-src 'sha256-{hashed}'; img-src data:; base-uri 'none'; form-action 'none'")
    assert re.search(r"@import|url\(|expression|</", read.style) is None


# What is shown, and how


def test_a_result_is_in_one_box_with_its_call() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": '{"city": "Oslo", "n": 1.50}'}]}
    drawn = page(outline([call, {"role": "tool", "tool_call_id": "c", "content": "4 °C"}]))
    (box,) = re.findall(r'<div class="il-call">.*?</li>', drawn)
    assert (
        re.sub("<[^>]*>", " ", box).split()
        == "Call of f /0/tool_calls/0 city Oslo n 1.50 id c Result of f /1 4 °C tool_call_id c".split()
    )
    assert drawn.count("<li") == 1


def test_reasoning_and_long_texts_are_folded() -> None:
    drawn = page(outline([{"role": "assistant", "reasoning_content": "hm", "content": "so " * 3000}]))
    summaries = re.findall("<details[^>]*><summary>(.*?)</summary>", drawn)
    assert summaries[0] == "Reasoning, 2 characters"
    assert summaries[1].startswith("9,000 characters: <bdi>so so")


def test_like_losses_are_one_line_of_the_report() -> None:
    losses = [il.Loss(f"/{i}/name", None, "dropped", "Anthropic messages have no `name` field") for i in range(5)]
    drawn = page(outline([{"role": "user", "content": "hi"}] * 5, marks=marks_of(losses, "anthropic")))
    report, _, turns = drawn.partition('<ol class="il-turns">')
    assert report.count("Anthropic messages have no `name` field") == 1
    assert turns.count("Anthropic messages have no `name` field") == 5
    assert "5 places" in report
    assert "for anthropic" in report
    assert "anthropic" not in turns


def test_a_fragment_has_room_for_some_of_a_long_conversation() -> None:
    messages = [{"role": "user", "content": f"<{i}>" + "long " * 4000} for i in range(1000)]
    drawn = fragment(outline(messages))
    assert len(drawn) < 400_000
    assert "960 messages more" in drawn
    assert ("&lt;29&gt;" in drawn, "&lt;30&gt;" in drawn, "&lt;999&gt;" in drawn) == (True, False, True)
    assert re.search("<h[1-6]| id=|<a ", drawn) is None


def test_a_page_of_several_conversations_leads_to_each_and_mixes_up_none() -> None:
    losses = [il.Loss("/0/name", None, "dropped", "no names")]
    whole = outline([{"role": "user", "content": "hi"}], marks=marks_of(losses))
    read = Read(pages([("<1>", whole), ("<2>", whole)], "<both>"))
    ids = [str(each.attributes["id"]) for each in read.elements if "id" in each.attributes]
    links = [str(each.attributes["href"])[1:] for each in read.elements if each.name == "a"]
    assert links == ["main", "c1", "c2", "c1-at-mark-0", "c2-at-mark-0"]
    assert len(set(ids)) == len(ids)
    assert set(links) <= set(ids)
    assert [each.name for each in read.elements if re.fullmatch("h[1-6]", each.name)] == ["h1", *["h2", "h3", "h3", "h4"] * 2]
    assert page(whole, "<1>") == pages([("<1>", whole)], "<both>")


def test_forms_have_a_column_for_each_format_and_mark_what_is_lost() -> None:
    messages = [{"role": "user", "name": "mira", "content": "hi"}, {"role": "assistant", "content": None, "refusal": "no"}]
    formats = [il.FORMATS[name] for name in ("openai_chat", "anthropic")]
    drawn = page(forms(il.validate(messages), formats))
    rows = drawn.split('<section class="il-row')[1:]
    assert [re.findall('class="il-format">(.*?)<', row) for row in rows] == [["openai_chat", "anthropic"]] * 2
    assert "Anthropic messages have no `name` field" in rows[0]
    assert re.search("<mark[^>]*>[^<]*no", rows[1])
    assert "2 dropped" in drawn or "1 dropped" in drawn
    assert "nothing is lost" in drawn


def test_a_difference_marks_the_words_that_only_one_side_has() -> None:
    a, b = (
        [il.UserMessage(content="same"), il.UserMessage(content=f"is it {word} here?", name="m")] for word in ("warm", "cold")
    )
    drawn = page_of_difference(il.diff(a, b), ("a<b", "c"))
    assert re.findall("<del>(.*?)</del>|<ins>(.*?)</ins>", drawn) == [("warm", ""), ("", "cold")]
    assert "1 turn the same, 1 turn changed" in drawn
    assert ("<summary>1 turn the same</summary>" in drawn, "a&lt;b" in drawn) == (True, True)
    assert "The same" in page_of_difference(il.diff(a, a), ("a", "b"))


def test_a_fragment_has_room_for_some_of_everything() -> None:
    calls = [{"type": "tool_use", "id": f"c{i}", "name": "f", "input": {f"k{j}": j for j in range(30)}} for i in range(30)]
    results = [{"type": "tool_result", "tool_use_id": "c0", "content": [{"type": "text", "text": "x"}] * 30}] * 30
    asked = il.Request(
        messages=[{"role": "assistant", "content": calls}, {"role": "user", "content": results}],
        tools=[il.Tool(name="f")] * 30,
        provider_data={"openai": {}},
    )
    losses = [il.Loss("/messages/0", None, "dropped", f"reason {i}") for i in range(30)]
    losses += [il.Loss(f"/messages/{i}", None, "changed", "same") for i in range(30)]
    drawn = fragment(outline(asked, marks=marks_of(losses)))
    for said in ("10 parts more", "10 tools more", "10 reasons more", "10 places more", "<dd>10 more</dd>"):
        assert said in drawn
    assert " more" not in page(outline(asked, marks=marks_of(losses)))


# Images


@pytest.mark.parametrize(
    ("data", "is_shown"),
    [
        (PNG, True),
        (PNG[:20] + "\r\n " + PNG[20:], True),
        (base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode(), False),
        (base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (70_000).to_bytes(4) * 2 + b"\0" * 20).decode(), False),
        (PNG + '" onerror="', False),
        (PNG[:-1] + "=" * 5, False),
        (PNG + "A" * 800_000, False),
        ("", False),
    ],
)
def test_only_small_images_whose_bytes_are_an_image_are_shown(data: str, is_shown: bool) -> None:
    source = {"type": "base64", "data": data, "media_type": "image/svg+xml"}
    as_url = {"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64," + data}}
    read = Read(page(outline([{"role": "user", "content": [{"type": "image", "source": source}, as_url]}])))
    images = [each.attributes for each in read.elements if each.name == "img"]
    assert len(images) == 2 * is_shown
    assert all((each["width"], each["height"]) == ("2", "3") for each in images)
    assert all(str(each["src"]).startswith("data:image/png;base64,") for each in images)
    assert "data:" not in read.text


def test_media_elsewhere_are_named_and_not_fetched() -> None:
    media = [
        {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
        {"type": "file", "source": {"type": "file_id", "file_id": "file_1"}, "filename": "a.pdf"},
        {"type": "image_url", "image_url": {"url": "javascript:alert(1)"}},
    ]
    read = Read(page(outline([{"role": "user", "content": media}])))
    assert not [each for each in read.elements if each.name in ("img", "a") and each.attributes.get("href") != "#main"]
    for place in ("https://example.com/a.png", "file_1", "a.pdf", "javascript:alert(1)"):
        assert place in read.text
    assert shown(Media("audio", "base64", data=PNG)) is None


# JSON text


@given(testing.json_values(), st.integers(1, 90))
def test_json_is_indented_token_by_token(value: Any, width: int) -> None:
    text = json.dumps(value, ensure_ascii=False)
    lines = indented(text, width)
    assert json.dumps(json.loads(lines), ensure_ascii=False) == text
    assert json.dumps(json.loads(lines), indent=2) if "\n" in lines else True
    assert re.sub(r"\s", "", lines) == re.sub(r"\s", "", text)


@given(st.lists(st.tuples(testing.text(), testing.json_values()), max_size=5), st.booleans())
def test_the_members_of_an_object_are_all_there_and_exact(items: list[tuple[str, Any]], spaced: bool) -> None:
    separators = (" , ", " : ") if spaced else (",", ":")
    inside = separators[0].join(f"{json.dumps(name)}{separators[1]}{json.dumps(value)}" for name, value in items)
    found = members(f" {{{inside}}} ")
    assert found is not None
    assert [member.name for member in found] == [name for name, _ in items]
    for member, (_, value) in zip(found, items, strict=True):
        assert member.value == (value if member.is_text else json.dumps(value))


@pytest.mark.parametrize("text", ["", "[]", '"a"', '{"a": 1', '{"a": 1,}', '{"a" 1}', '{"a": 1} x', "{,}", "{1: 2}", "nul"])
def test_what_is_no_object_has_no_members(text: str) -> None:
    assert members(text) is None
    assert indented(text * 100) == text * 100


def test_numbers_and_repeated_members_are_shown_as_they_are_written() -> None:
    text = '{"a": 1e999, "a": 123456789012345678901234567890.50, "b": "12", "c": "true", "d": "words"}'
    found = members(text)
    assert found is not None
    assert [(each.name, each.value) for each in found] == [
        ("a", "1e999"),
        ("a", "123456789012345678901234567890.50"),
        ("b", '"12"'),
        ("c", '"true"'),
        ("d", "words"),
    ]
    assert members("[" * 100_000) is None
    assert indented('{"a":' * 100_000 + "1" + "}" * 100_000).startswith('{"a":{"a":')


# In notebooks


def shown_in_notebook(value: Any) -> str:
    found: str = value._repr_html_()
    return found


def test_values_show_themselves_in_notebooks() -> None:
    payload = {"model": "m", "messages": [{"role": "user", "name": "<mira>", "content": "hi"}]}
    asked = il.load(payload, "openai_chat")
    result = il.convert(payload, source="openai_chat", target="anthropic", check=True)
    answer = il.Response(choices=[il.Choice(message=il.AssistantMessage(content="<hello>"))])
    for value, text in (
        (asked, "<mira>"),
        (il.Conversation(id="<c>", messages=asked.messages), "<c>"),
        (answer, "<hello>"),
        (result, "Anthropic messages have no `name` field"),
        (result, "/messages/0/name"),
    ):
        assert squeezed(text) in Read(shown_in_notebook(value)).text
