"""Usage: one meaning for every provider's counts, and sums of them."""

from typing import Any

from hypothesis import given, strategies as st

import interlingua as il

COUNTS = [name for name in il.Usage.model_fields if name != "native"]
usages = st.fixed_dictionaries({}, optional={name: st.none() | st.integers(0, 10**9) for name in COUNTS}).map(
    il.Usage.model_validate
)


@given(usages, usages)
def test_a_sum_counts_what_either_counts_and_has_no_count_where_neither_has_one(one: il.Usage, other: il.Usage) -> None:
    both = one + other
    for name in COUNTS:
        counts = [count for count in (getattr(one, name), getattr(other, name)) if count is not None]
        assert getattr(both, name) == (sum(counts) if counts else None)
    assert both.total_input_tokens == one.total_input_tokens + other.total_input_tokens
    assert both.total_tokens == one.total_tokens + other.total_tokens
    assert both == other + one


@given(st.lists(usages, min_size=1, max_size=4))
def test_python_can_sum_them(several: list[il.Usage]) -> None:
    assert sum(several, start=il.Usage()).total_tokens == sum(usage.total_tokens for usage in several)
    added: Any = sum(several)
    assert added == sum(several, start=il.Usage())


def test_a_sum_is_no_providers_own_object() -> None:
    usage = il.Usage(input_tokens=1, native={"openai": {"prompt_tokens": 1}})
    assert (usage + usage).to_dict() == {"input_tokens": 2}


def test_anything_else_does_not_add() -> None:
    other: Any = "x"
    assert il.Usage.__add__(il.Usage(), other) is NotImplemented
    assert il.Usage.__radd__(il.Usage(), other) is NotImplemented
