"""What the details of losses and the messages of errors say of the input: short names, escaped, and no base64 or secrets."""

import base64
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import pytest

import interlingua as il
from laws.hostile_texts import HOSTILE, request, response

NAMES = get_args(il.FormatName)
LONGEST = 200
"""How long a detail is at most."""
MOST = 41
"""How much of a text a detail shows at most: 40 characters and an ellipsis."""
SECRETS = [
    base64.b64encode(bytes(range(256))).decode(),
    "sk-proj-" + "Ab1_" * 30,
    "data:image/png;base64," + "iVBORw0KGgo" * 20,
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" * 3,
]
NASTY = [text for text in (*HOSTILE, *SECRETS, "\x1b[2J\r\n" * 30, "a\u202eb" * 50, "\x00" * 300) if text]


def faults(detail: str, text: str) -> Iterator[str]:
    """What is wrong with a detail about a request that has this text everywhere."""
    if len(detail) > LONGEST:
        yield f"{len(detail)} characters"
    if not detail.isprintable():
        yield "a character that is not printed"
    if re.search(r"[A-Za-z0-9+/]{42,}|[A-Za-z0-9_-]{42,}", detail):
        yield "what may be base64"
    if len(text) > MOST and any(text[at : at + MOST + 1] in detail for at in range(len(text) - MOST)):
        yield "more than an excerpt"


def losses(text: str) -> Iterator[il.Loss]:
    """The losses of dumps of a request and an answer with this text everywhere, to every format."""
    asked, answered = request(text), response(text)
    for name in NAMES:
        found: list[il.Loss] = []
        il.dump(asked, name, on_loss=found.append)
        if il.FORMATS[name].dump_response is not None:
            il.dump_response(answered, name, on_loss=found.append)
        yield from found


def wrong(details: Iterable[str], text: str) -> Counter[str]:
    return Counter(f"{fault}: {detail[:250]!r}" for detail in details for fault in faults(detail, text))


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_details_say_little_of_hostile_names(text: str) -> None:
    found = list(losses(text))
    assert len(found) > 100
    assert wrong((loss.detail for loss in found), text) == {}
    for loss in found:
        assert str(loss).isprintable()


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_messages_of_errors_are_one_line(text: str) -> None:
    wire: Any = [{"role": "user", "content": "a", text: 1}, {"role": text}, {"role": "user", "content": [{"type": text}]}]
    calls: list[Any] = [
        lambda: il.validate(wire),
        lambda: il.load({"messages": wire, text: object()}, "openai_chat"),
        lambda: il.load({"messages": [{"role": "user", "content": [{"type": "text", text: float("nan")}]}]}, "anthropic"),
        lambda: il.load("{" + text, "gemini"),
        lambda: il.dump(request(text), "anthropic", on_loss="raise"),
        lambda: il.load_response({"error": {"message": text, "type": text}}, "openai_chat"),
        lambda: il.format_of(text),
    ]
    for call in calls:
        with pytest.raises(il.InterlinguaError) as caught:
            call()
        assert str(caught.value).isprintable(), call
        assert len(str(caught.value)) < 8000


def test_a_warning_is_one_line() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        il.dump(request("\x1b[31m\n" * 50), "anthropic")
    assert [str(warning.message).isprintable() for warning in caught] == [True]
