"""What a provider would refuse: no rule fails on odd bodies, and what was accepted is not refused."""

import copy
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from openai.types.chat import ChatCompletionMessage

import interlingua as il
from checking.refusals import __main__ as refusals_table, alarms
from checking.refusals.rows import FAMILIES, codes_of, table_rows
from checking.rule_sets import RULES
from interlingua import testing
from interlingua.model.base import Json
from laws import over, recorded

ROWS = {family: import_module(f"formats.{FAMILIES[family][0]}.rows") for family in FAMILIES}
ALL_RULES = {(name, rule.code): rule for name, known in RULES.items() for rule in known.rules}


def codes(body: Any, format: str) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in il.check(body, il.format_of(format))]


def test_a_rule_says_what_is_demanded_and_how_that_is_known() -> None:
    unclear = [place for place, rule in ALL_RULES.items() if not rule.says.endswith(".")]
    assert unclear == []
    assert [place for place, rule in ALL_RULES.items() if rule.evidence in ("", rule.says)] == []


@over.formats(list(RULES))
@given(data=st.data())
def test_check_never_fails_on_malformed_bodies(format: il.FormatName, data: st.DataObject) -> None:
    body, _ = data.draw(testing.malformed(format))
    assert il.check(body, format) != []


@over.formats(list(RULES))
@given(data=st.data())
def test_check_never_fails_on_any_json(format: il.FormatName, data: st.DataObject) -> None:
    body = copy.deepcopy(data.draw(testing.payloads(format)))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(places(body)))
        holder[key] = data.draw(testing.json_values())
    assert all(each.path.startswith("/") for each in il.check(body, format))


def places(value: Json) -> list[tuple[Any, Any]]:
    """Every holder of a value in some JSON, with its key."""
    key: Any
    each: Json
    found: list[tuple[Any, Any]] = []
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += [(value, key), *places(each)]
    return found


def test_objects_of_an_sdk_are_looked_into() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    made = ChatCompletionMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]})
    asked = {"role": "user", "content": "What is 2 + 2?"}
    answered = [asked, made, {"role": "tool", "tool_call_id": "a", "content": "4"}]
    assert il.check({"messages": answered}, "openai_chat") == il.check(answered, "openai_chat") == []
    assert codes({"messages": [asked, made]}, "openai_chat") == [("call-without-result", "/messages/1/tool_calls/0")]


# Recorded traffic


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "format"), recorded.READ_AS)
def test_what_was_accepted_is_not_refused(
    traffic: Path, api: str, format: il.FormatName, record_property: Callable[[str, int], None]
) -> None:
    judged = {record.id: il.check(record.body, il.format_of(format)) for record in recorded.requests(traffic, api)}
    record_property(f"{api} as {format}: requests checked", len(judged))
    errors = {id: [p for p in found if p.severity == "error"] for id, found in judged.items()}
    assert {id: found for id, found in errors.items() if found} == {}


@pytest.mark.traffic
def test_few_accepted_requests_get_a_warning(traffic: Path, record_property: Callable[[str, int], None]) -> None:
    warned: Counter[str] = Counter()
    total = any_warning = 0
    for api, format in recorded.READ_AS:
        for record in recorded.requests(traffic, api):
            total += 1
            found = {problem.code for problem in il.check(record.body, il.format_of(format))}
            any_warning += bool(found)
            warned.update(found)
    record_property("requests checked for warnings", total)
    for code, count in warned.items():
        record_property(f"requests with the warning {code}", count)
    assert any_warning <= total * 0.02, warned


@pytest.mark.traffic
def test_the_table_of_alarms_counts_every_accepted_request(traffic: Path) -> None:
    checked, found = alarms.alarms(traffic)
    assert checked == sum(1 for api, _ in recorded.READ_AS for _ in recorded.requests(traffic, api))
    assert {each.severity for each in found} == {"warning"}
    rows = [line for line in alarms.lines(traffic) if line.startswith("| ")]
    assert len(rows) == 2 + len(found)


# Recorded refusals, and the tables of refusals that people met


@pytest.mark.parametrize("family", FAMILIES)
def test_only_what_is_not_covered_has_a_reason(family: str) -> None:
    known, found = ROWS[family], codes_of(family)
    assert [code for code in known.RULE_OF.values() if code not in found] == []
    assert found & (known.UNDECIDED.keys() | known.NOT_YET) == set()
    assert known.PREDICTED.keys() & (known.UNPREDICTED.keys() | known.NOT_YET) == set()


@pytest.mark.parametrize("key", [1, None, 1.5, b"x", (1,)])
def test_a_key_of_a_schema_that_is_no_text_raises_nothing(key: Any) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: {"type": "string"}},
        "$defs": {key: {}},
        "additionalProperties": False,
    }
    function = {"name": "f", "description": "d", "parameters": schema, "strict": True}
    body = {"model": "m", "messages": [], "tools": [{"type": "function", "function": function}]}
    assert ("strict-required-all", "/tools/0/function/parameters") in codes(body, "openai_chat")
    il.check({"model": "m", "messages": [], "tools": [{"name": "f", "strict": True, "input_schema": schema}]}, "anthropic")


@pytest.mark.traffic
@pytest.mark.parametrize("family", FAMILIES)
def test_every_strong_row_of_the_tables_has_a_rule_or_a_reason(
    traffic: Path, family: str, record_property: Callable[[str, int], None]
) -> None:
    known, found = ROWS[family], codes_of(family)
    strong = {row.code for row in table_rows(traffic.parent) if row.strong and family in row.families}
    covered = {code for code in strong if known.RULE_OF.get(code, code) in found}
    record_property(f"rows of {family} with a rule", len(covered))
    record_property(f"rows of {family} without one", len(strong - covered))
    assert strong - covered == (known.UNDECIDED.keys() | known.NOT_YET) & strong


@pytest.mark.traffic
def test_every_recorded_refusal_is_predicted_or_has_a_reason(
    traffic: Path, record_property: Callable[[str, int], None]
) -> None:
    refused = {record.id: record.body for api in dict(recorded.READ_AS) for record in recorded.refusals(traffic, api)}
    predicted = {id: each for known in ROWS.values() for id, each in known.PREDICTED.items()}
    reasons = {id for known in ROWS.values() for id in {*known.UNPREDICTED, *known.NOT_YET}}
    record_property("refusals predicted", len(predicted))
    record_property("refusals not predicted", len(refused) - len(predicted))
    assert [id for id, (format, *found) in predicted.items() if tuple(found) not in codes(refused[id], format)] == []
    assert refused.keys() - predicted.keys() - reasons == set()


@pytest.mark.traffic
def test_the_table_of_refusals_has_a_case_for_each_row_with_a_rule(traffic: Path) -> None:
    rows = [line.split(" | ") for line in refusals_table.lines(traffic.parent)]
    assert [row for row in rows if row[-1].strip(" |") == "" and len(row) > 1] == []
