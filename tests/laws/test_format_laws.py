"""Every format of the table keeps the laws that the package ships for the formats of others."""

import dataclasses
from collections import Counter
from typing import Any

import pytest
from hypothesis import settings

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook.book import ENACTED
from interlingua.testing.lawbook.law import Law
from laws import over

pytestmark = [pytest.mark.filterwarnings("ignore::interlingua.LossWarning"), pytest.mark.hypothesis]

LAWS = [law for format in il.FORMATS for law in testing.laws(il.FORMATS[format])]
OF_EACH = Counter(law.name for law in LAWS)
"""How many formats each law is held over, among which its examples are shared."""

HELD_ELSEWHERE = frozenset(
    {
        "a_growing_history_is_dumped_as_the_whole",  # history/test_growing_dumps.py
        "an_answer_goes_on_in_the_next_request",  # conversion/test_responses.py
        "check_accepts_sound_requests",  # checking/test_checking.py
        "conversions_add_no_errors",  # laws/test_no_new_faults.py
        "conversions_change_nothing_passed_in",  # laws/test_laws.py
        "native_is_true",  # codec/test_native.py
        "native_messages_with_other_data_come_back",  # likewise
    }
)
"""Laws that other tests hold with more examples; here, a few examples show that each law holds as it is shipped."""


@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law}-{law.format.name}")
def test_a_format_keeps_the_laws(law: Law) -> None:
    law(settings(max_examples=3 if law.name in HELD_ELSEWHERE else over.examples(OF_EACH[law.name])))


def test_every_law_is_held_over_some_format() -> None:
    assert set(OF_EACH) == {law.__name__ for law in ENACTED}
    assert all(law.__doc__ for law in LAWS)


def test_a_format_without_strategies_is_one_clear_error() -> None:
    chat = il.FORMATS["openai_chat"]
    without: dict[str, Any] = {"strategies": lambda: chat.strategies and chat.strategies()._replace(responses=None)}
    for lacking, missing in (({"strategies": None}, "strategies"), (without, "strategies for responses")):
        with pytest.raises(il.UnknownFormat, match=missing):
            testing.laws(dataclasses.replace(chat, **lacking))
