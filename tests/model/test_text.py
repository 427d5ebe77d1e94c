"""Text and free JSON in canonical messages: what JSON can write, and nothing else."""

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

import interlingua as il
from laws.everything import TEXTS, everything, fault_paths, faults, misjudged, nested, nodes, put, same, user


def test_a_lone_surrogate_is_a_fault_in_its_place() -> None:
    assert misjudged(TEXTS, "\ud800") == {}


@pytest.mark.parametrize("field", ["input", "value", "provider_data"])
def test_a_lone_surrogate_in_a_key_is_a_fault(field: str) -> None:
    data = everything()
    path = next(path for path, value in nodes(data) if path.endswith("/" + field) and isinstance(value, dict))
    put(data, path, {"vendor": {"\udfff": 1}})
    (fault,) = faults(data)
    assert fault["path"].startswith(path)
    json.dumps(fault).encode()


def test_a_lone_surrogate_in_json_text_is_a_fault() -> None:
    assert len(faults(r'[{"role": "user", "content": "\ud800"}]')) == 1
    assert il.validate(r'[{"role": "user", "content": "\ud83d\ude00"}]')[0].get("content") == "😀"


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, b"x", {1}, Decimal(1), 1j, {1: "x"}], ids=repr)
def test_free_json_is_json(wrong: Any) -> None:
    for field, path in (("provider_data", "/0/provider_data/vendor/a"), ("input", "/0/content/0/input/a")):
        data: list[dict[str, Any]] = [{"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]}]
        put(
            data,
            "/0/provider_data" if field == "provider_data" else path[:-2],
            {"vendor": {}} if field == "provider_data" else {},
        )
        put(data, path, wrong)
        (fault,) = faults(data)
        assert fault["path"].startswith(path)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_no_number_beyond_a_float_comes_from_json_text(number: str) -> None:
    assert len(faults(f'[{{"role": "user", "content": "x", "provider_data": {{"vendor": {{"a": {number}}}}}}}]')) == 1


def test_numbers_stay_exact() -> None:
    data = {"big": 10**40, "small": -(2**70), "float": 0.1, "whole": 1.0, "zero": -0.0}
    part = il.ToolUsePart(name="f", input=data)
    assert same(part["input"], data)
    assert same(json.loads(part.model_dump_json())["input"], data)
    assert same(part.parsed, data)


PLACES: dict[str, Callable[[dict[str, Any]], list[dict[str, Any]]]] = {
    "input": lambda value: [{"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": value}]}],
    "provider data": lambda value: [{"role": "user", "content": "x", "provider_data": {"vendor": value}}],
    "provider data of a part": lambda value: [
        {"role": "user", "content": [{"type": "text", "text": "x", "provider_data": {"vendor": value}}]}
    ],
    "provider data of a call": lambda value: [
        {"role": "assistant", "tool_calls": [{"name": "f", "arguments": "", "provider_data": {"vendor": value}}]}
    ],
    "opaque part": lambda value: [{"role": "user", "content": [{"type": "opaque", "format": "vendor", "value": value}]}],
    "opaque message": lambda value: [{"role": "opaque", "format": "vendor", "value": value}],
}
places = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())


@places
@pytest.mark.parametrize("depth", [201, 1_000, 10_000])
def test_deep_nesting_is_one_fault(place: Callable[[dict[str, Any]], Any], depth: int) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(place(nested(depth)))
    assert len(caught.value.errors) == 1
    assert len(json.dumps(il.error_body(caught.value))) < 1000


@places
@pytest.mark.parametrize("depth", [100, 195, 199, 200])
def test_nesting_up_to_the_limit_is_kept_in_python_and_in_json_text(place: Callable[[dict[str, Any]], Any], depth: int) -> None:
    data = place(nested(depth))
    found = il.validate(data)
    assert same([message.to_dict() for message in found], data)
    assert same(json.loads(found[0].model_dump_json()), data[0])
    assert il.validate(json.dumps(data)) == found


def test_deep_parameters_of_a_tool() -> None:
    assert il.Tool(name="f", parameters=nested(200))["parameters"] == nested(200)
    with pytest.raises(ValidationError):
        il.Tool(name="f", parameters=nested(10_000))


@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_json_text_is_one_fault(opening: str, depth: int) -> None:
    assert fault_paths(opening * depth) == [""]
    assert len(faults(f'[{{"role": "user", "content": {opening * depth}')) == 1


def test_depth_elsewhere_is_one_fault() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    assert fault_paths(deep) == ["/0"]
    assert fault_paths([{"role": "user", "content": deep}]) == ["/0/content/0"]
    assert user(content="x") != {"role": "user", "content": deep}
