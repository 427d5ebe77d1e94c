"""Tool-call ids across formats: reversible, paired, never merged."""

import re

from hypothesis import given, strategies as st

from interlingua.codec.ids import IdRules, ToolIds, decode, encode

STRICT = IdRules("[A-Za-z0-9_-]", 128, unique=True)
LOOSE = IdRules(".", 64, unique=False, shortest=0)
NINE = IdRules("[A-Za-z0-9]", 9, unique=True)

RAW = st.text(max_size=12) | st.sampled_from(["a.b", "a:b", "il_a_2e_b", "il2_a", "il_", "ilx", "il_il_5f_a", "call_1"])


def mapped(ids: list[str], target: IdRules, source: IdRules | None) -> list[str]:
    told: list[tuple[str, str]] = []
    tool_ids = ToolIds(target, lambda path, new: told.append((path, new)))
    out: list[str] = []
    for id in ids:  # each call is answered before the next one
        out.append(tool_ids.call(id, "/x", source))
        assert tool_ids.result(id, "/y", "/id", source) == out[-1]
    return out


@given(RAW, st.integers(1, 20))
def test_an_escape_is_undone(raw: str, ordinal: int) -> None:
    assert decode(encode(raw, ordinal)) == (raw, ordinal)
    assert STRICT.accepts(encode(raw, ordinal)) or len(encode(raw, ordinal)) > 128


@given(st.text(max_size=20))
def test_only_what_is_an_escape_is_taken_for_one(text: str) -> None:
    found = decode(text)
    assert found is None or encode(*found) == text


@given(st.lists(RAW, max_size=6))
def test_ids_come_back_from_a_stricter_format(ids: list[str]) -> None:
    there = mapped(ids, STRICT, LOOSE)
    assert len(set(there)) == len(there)
    assert all(STRICT.accepts(id) for id in there)
    assert mapped(there, LOOSE, STRICT) == ids


# An id and what looks like the escape of its second use cannot be told from an id that was used twice.
@given(st.lists(RAW.filter(lambda raw: re.fullmatch("(?!il[0-9])[A-Za-z0-9_-]{1,64}", raw)), max_size=6, unique=True))
def test_ids_come_back_from_a_looser_format(ids: list[str]) -> None:
    there = mapped(ids, LOOSE, STRICT)
    assert len(set(there)) == len(there)
    assert mapped(there, STRICT, LOOSE) == ids


@given(st.lists(RAW, max_size=8, unique=True))
def test_where_no_escape_fits_ids_are_hashed_apart(ids: list[str]) -> None:
    there = mapped(ids, NINE, LOOSE)
    assert len(set(there)) == len(there)
    assert all(NINE.accepts(id) for id in there)


def test_calls_without_an_id_get_one_that_no_call_has() -> None:
    ids = ToolIds(STRICT, lambda _path, _new: None)
    assert ids.call("call-1", "", LOOSE) == "call-1"
    assert [ids.call_without_id("f"), ids.call_without_id("g"), ids.call_without_id("f")] == ["call-2", "call-3", "call-4"]
    assert [ids.result_without_id("g"), ids.result_without_id("f"), ids.result_without_id(None)] == [
        "call-3",
        "call-2",
        "call-4",
    ]
    assert ids.result_without_id("g") == "call-5"
