"""Pages in a browser: nothing on them runs or loads anything, everybody can read them, and the keyboard is enough."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import interlingua as il
from display.browsing import PHONE, WIDE, Visit, Visited
from display.reading_pages import ALLOWED, squeezed
from display.showcase import REQUEST, conversion, marked, response as answered
from interlingua import testing
from interlingua.display.drawing import PAGE
from interlingua.display.forms import forms
from interlingua.display.outline import Outline, marks_of, outline
from interlingua.display.page import fragment, page, page_of_difference, pages
from interlingua.display.side_by_side import drawn_difference, drawn_forms
from interlingua.display.texts import harmless, without_base64
from laws.hostile_texts import HOSTILE, conversation, request, response

pytestmark = pytest.mark.browser

NOTEBOOK = """<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Notebook</title><style>
body { margin: 1rem; background: white; color: rgba(0, 0, 0, .87) }
@media (prefers-color-scheme: dark) { body { background: #111; color: rgba(255, 255, 255, .87) } }
</style><main><h1>Notebook</h1>%s</main></html>"""


OTHER_THEME = "<style>body { background: %s !important; color: %s !important }</style></main>"


def notebook(*values: Any) -> str:
    """A page of a notebook that shows values."""
    return NOTEBOOK % "<hr>".join(value._repr_html_() for value in values)


def themed(background: str, text: str) -> str:
    """A notebook whose theme is its own, whatever the system prefers."""
    return notebook(marked(), answered(), conversion()).replace("</main>", OTHER_THEME % (background, text))


def words_on_paper(pdf: bytes) -> str:
    """The text of a PDF without its white space; letters that are printed as one, such as ﬁ, are taken apart."""
    read: Any = import_module("pypdf").PdfReader(BytesIO(pdf))
    return squeezed(unicodedata.normalize("NFKC", "".join(each.extract_text() for each in read.pages)))


def stained(text: str) -> Outline:
    """A request with a text everywhere, in its losses and problems, too."""
    losses = [il.Loss(text, text, "dropped", text), il.Loss(f"/messages/0/{text}", None, "changed", text)]
    return outline(request(text), marks=marks_of([*losses, il.Problem(text, text, text, "error", text)], text))


def hostile_page(text: str) -> str:
    """A page with a text everywhere, and what a notebook shows of the same on it."""
    columns = drawn_forms(
        forms(conversation(text), [il.FORMATS["anthropic"], il.FORMATS["gemini"]]), replace(PAGE, prefix="as-")
    )
    texts = [il.UserMessage(content=text, name=text), il.UserMessage(content=f"{text} {text}")]
    differing = drawn_difference(il.diff(conversation(text), texts, exact=True), (text, text), replace(PAGE, prefix="diff-"))
    inside = fragment(stained(text)) + fragment(outline(response(text))) + "".join([*columns, *differing])
    return page(stained(text), text).replace("</main>", f"{inside}</main>")


PAGES: dict[str, Callable[[], str]] = {
    "show": lambda: page(marked(), "weather.json"),
    "show-as": lambda: page(forms(REQUEST, [il.FORMATS["anthropic"], il.FORMATS["gemini"]]), "weather.json"),
    "diff": lambda: page_of_difference(il.diff(REQUEST, REQUEST.replace(messages=REQUEST.messages[1:6])), ("a.json", "b.json")),
    "show-several": lambda: pages([("1", marked()), ("2", outline(answered())), ("3", marked("gemini"))], "chat.jsonl"),
    "show-response": lambda: page(outline(answered())),
    "notebook-dark": lambda: themed("#111", "rgba(255, 255, 255, .87)"),
    "notebook-light": lambda: themed("white", "rgba(0, 0, 0, .87)"),
    "notebook": lambda: notebook(REQUEST, answered(), conversion(), il.Conversation(id="c", messages=REQUEST.messages)),
}
"""Each kind of page, with everything on it."""

# Nothing runs, and nothing is loaded


def poke(visited: Visited) -> None:
    """What a reader may do by chance: open everything, and go over the page with the mouse and the keyboard."""
    visited.open_all()
    for y in range(20, 900, 150):
        visited.page.mouse.move(300, y)
    for _ in range(10):
        visited.page.keyboard.press("Tab")


@pytest.mark.parametrize("policy", [True, False], ids=["policy", "no-policy"])
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_shown_and_does_nothing(visit: Visit, text: str, policy: bool) -> None:
    visited = visit(hostile_page(text), policy=policy)
    poke(visited)
    visited.expect_inert()
    assert squeezed(harmless(without_base64(text))) in squeezed(visited.evaluate("document.body.textContent"))
    assert set(visited.evaluate("[...document.querySelectorAll('*')].map(e => e.localName)")) <= ALLOWED.keys()


def test_the_policy_refuses_what_a_page_would_run_or_load(visit: Visit) -> None:
    smuggled = (
        "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><iframe src='data:text/html,x'></iframe>"
        "<link rel=stylesheet href='https://example.invalid/a.css'><p style='color: red'>x</p>"
        "<form id=f action='https://example.invalid/'></form>"
    )
    whole = page(outline([il.UserMessage(content="hi")]))
    visited = visit(whole.replace("</main>", f"{smuggled}</main>"))
    visited.evaluate("document.getElementById('f').submit()")
    visited.page.wait_for_timeout(200)
    assert visited.evaluate("window.ran") is None
    assert [url for url in visited.requests if url != visited.address and url not in visited.refused] == []
    for refused in ("script", "image", "frame", "stylesheet", "inline style", "form"):
        assert any(refused in message.lower() for message in visited.messages), refused


def test_any_text_stays_text(visit: Visit) -> None:
    @settings(max_examples=120)
    @given(
        st.lists(testing.text() | st.text() | st.text("<>&\"'/=! -abcs\0\r\n") | st.from_regex(r"</?[a-z]+[^a]*>"), max_size=8)
    )
    def expect_text(texts: list[str]) -> None:
        visited.page.set_content(page(outline([il.UserMessage(content=text, name=text) for text in texts])))
        shown: list[str] = visited.evaluate("[...document.querySelectorAll('.il-text')].map(e => e.textContent)")
        names: list[str] = visited.evaluate("[...document.querySelectorAll('bdi.il-name')].map(e => e.textContent)")
        assert shown == [harmless(without_base64(text)) for text in texts if text]
        assert names == [harmless(text) for text in texts]

    visited = visit("<!doctype html>")
    expect_text()
    visited.expect_inert()


def test_images_in_the_conversation_are_seen_and_others_are_named(visit: Visit) -> None:
    visited = visit(page(marked()))
    assert visited.evaluate("[...document.images].map(e => [e.naturalWidth, e.naturalHeight])") == [[240, 120]]
    assert "https://example.com/2026/11/window-over-the-harbour.jpg" in visited.evaluate("document.body.innerText")
    visited.expect_inert()


# Everybody can read them


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", PAGES)
def test_pages_are_accessible(visit: Visit, axe: str, kind: str, dark: bool, width: int) -> None:
    visited = visit(PAGES[kind](), dark=dark, width=width)
    visited.expect_inert()
    visited.expect_accessible(axe)


# In about every second try, Chromium 156 breaks no lines in a text with some 25,000 letters outside the basic plane. The page
# has the text up to 17 times in one element: 300 of them stay clear of that fault, and are still ten times as wide as a phone.
LONG_WORDS = ["W" * 3000, "x-" * 500, "𝔸" * 300, "<b>wide</b>" * 100]


@pytest.mark.parametrize("text", LONG_WORDS, ids=range(4))
def test_long_words_fit_a_phone(visit: Visit, text: str) -> None:
    visit(hostile_page(text), width=PHONE).expect_no_scrolling()


def test_recorded_conversations_are_accessible(visit: Visit, axe: str, traffic: Any) -> None:
    for name in ("anthropic", "openai_chat", "gemini"):
        lines = (traffic / f"{name}.requests.jsonl").read_text("utf-8").splitlines()
        found = sorted(lines, key=len)[-400::80]
        for line in found:
            asked = il.load(json.loads(line)["body"], il.format_of(name))
            visited = visit(page(outline(asked)), width=PHONE)
            visited.expect_inert()
            visited.expect_accessible(axe)


def test_a_page_has_landmarks_a_language_and_headings_in_order(visit: Visit) -> None:
    visited = visit(PAGES["show"]())
    assert visited.evaluate("document.documentElement.lang") == "en"
    assert visited.evaluate("document.title") == "weather.json"
    assert visited.evaluate("['header', 'main', 'footer'].map(name => document.querySelectorAll(name).length)") == [1, 1, 1]
    levels: list[int] = visited.evaluate("[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => +e.localName[1])")
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


# The keyboard is enough


def focused(visited: Visited) -> dict[str, Any]:
    """What has the focus, and how that is seen."""
    found: dict[str, Any] = visited.evaluate(
        """() => {
            const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
            return {
                name: e.localName, href: e.getAttribute('href'), at: e.id,
                outline: style.outlineStyle, wide: parseFloat(style.outlineWidth),
                seen: box.width > 0 && box.height > 0 && box.left >= 0 && box.right <= innerWidth + 1,
            };
        }"""
    )
    return found


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize("kind", ["show", "notebook"])
def test_what_is_folded_is_reached_by_tab_and_opened_by_enter(visit: Visit, kind: str, width: int) -> None:
    visited = visit(PAGES[kind](), width=width)
    folded = visited.evaluate("document.querySelectorAll('details').length")
    opened = 0
    for _ in range(1000):
        visited.page.keyboard.press("Tab")
        here = focused(visited)
        if here["name"] == "body":
            break
        assert here["outline"] != "none", here
        assert here["wide"] >= 2, here
        assert here["seen"], here
        if here["name"] == "summary":
            before = visited.evaluate("document.activeElement.parentElement.open")
            visited.page.keyboard.press("Enter")
            assert visited.evaluate("document.activeElement.parentElement.open") is not before
            opened += 1
    assert opened == folded > 5
    visited.expect_inert()


def test_the_first_tab_leads_past_the_head(visit: Visit) -> None:
    visited = visit(PAGES["show"]())
    visited.page.keyboard.press("Tab")
    here = focused(visited)
    assert (here["href"], here["seen"]) == ("#main", True)
    visited.page.keyboard.press("Enter")
    assert focused(visited)["at"] == "main"


def test_a_loss_of_the_report_leads_to_its_place_even_where_that_is_folded(visit: Visit) -> None:
    visited = visit(PAGES["show"]())
    for link in visited.page.locator(".il-report a").all():
        link.click()
        target = visited.page.locator(link.get_attribute("href"))
        assert target.is_visible(), link.text_content()


# Without scripts, on paper


def test_a_page_needs_no_scripts(visit: Visit) -> None:
    visited = visit(PAGES["show"](), scripts=False)
    summary = visited.page.locator("details.il-think > summary").first
    summary.click()
    assert visited.page.locator("details.il-think .il-text").first.is_visible()


def test_paper_has_everything(visit: Visit) -> None:
    visited = visit(PAGES["show"]())
    assert "The user wants a comparison." not in visited.evaluate("document.body.innerText")
    printed = words_on_paper(visited.page.pdf())
    visited.open_all()
    folded = visited.page.locator("details > :not(summary)").all_inner_texts()
    assert any("The user wants a comparison." in text for text in folded)
    assert [word for text in folded for word in text.split() if word not in printed] == []
