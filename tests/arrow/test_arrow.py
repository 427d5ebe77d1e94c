"""Batches in Arrow: every kind of column, the same as one conversation after the other; a bad row stops nothing."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from typing import Any

import batches
import pytest
from hypothesis import given, settings, strategies as st

import interlingua as il
from interlingua.arrow import LOSSES, check_batch, convert_batch, fingerprint_batch, load_batch, output_schema, validate_batch
from interlingua.testing import malformed, payloads
from interlingua.testing.lawbook import share
from laws.steps import steps

# Its stubs leave most types unknown.
pa: Any = import_module("pyarrow")

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "hi é🙂", "name": "mira"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": "x"},
]
NO_CONTENT: list[dict[str, Any]] = [{"role": "user", "content": "hi"}, {"role": "user"}]
TEXTS = [json.dumps(CHAT), json.dumps({"messages": CHAT, "n": 2}), json.dumps(NO_CONTENT), None, "no JSON", "7", "null", '"x"']
FAULTY = [False, False, True, True, True, True, True, True]

to_anthropic = partial(convert_batch, source="openai_chat", target="anthropic")


def of_text(kind: Any) -> Any:
    return pa.array([text if text is None or pa.types.is_string(kind) else text.encode() for text in TEXTS], kind)


KINDS: dict[str, Callable[[], Any]] = {
    "string": lambda: of_text(pa.string()),
    "large_string": lambda: of_text(pa.large_string()),
    "string_view": lambda: of_text(pa.string_view()),
    "binary": lambda: of_text(pa.binary()),
    "large_binary": lambda: of_text(pa.large_binary()),
    "binary_view": lambda: of_text(pa.binary_view()),
    "dictionary of strings": lambda: of_text(pa.string()).dictionary_encode(),
    "dictionary of bytes": lambda: of_text(pa.binary()).dictionary_encode(),
    "arrow.json": lambda: pa.ExtensionArray.from_storage(pa.json_(), of_text(pa.string())),
    "slice": lambda: pa.concat_arrays([of_text(pa.string())] * 2)[len(TEXTS) :],
}
WITHOUT_JSON = [kind for kind in KINDS if kind != "arrow.json" or hasattr(pa, "json_")]  # pyarrow 19 has it


def batch_of(array: Any) -> Any:
    others = {"id": pa.array(range(len(array))), "seen": pa.array(["a"] * len(array), pa.string_view())}
    return pa.RecordBatch.from_pydict({**others, "messages": array}, metadata={"made": "here"})


def one(text: str | None) -> dict[str, Any]:
    """What the row of a batch is, by the functions for one conversation."""
    if text is None:
        fault = {"path": "", "reason": "the row must have a conversation, but its column is null"}
        return {"messages": None, "losses": [], "error": fault}
    try:
        result = il.convert(text, source="openai_chat", target="anthropic")
    except il.InvalidPayload as error:
        return {"messages": None, "losses": [], "error": il.error_body(error)["errors"][0]}
    return {"messages": result.payload, "losses": [loss._asdict() for loss in result.losses], "error": None}


def rows(batch: Any) -> list[dict[str, Any]]:
    return [{**row, "messages": row["messages"] and json.loads(row["messages"])} for row in batch.to_pylist()]


@pytest.mark.parametrize("kind", WITHOUT_JSON)
def test_every_kind_of_text_is_converted_like_one_conversation_after_the_other(kind: str) -> None:
    batch = batch_of(KINDS[kind]())
    made = to_anthropic(batch)
    assert rows(made) == [{"id": i, "seen": "a", **one(text)} for i, text in enumerate(TEXTS)]
    assert [row["error"] is not None for row in rows(made)] == FAULTY
    wanted = batch.schema.field("messages").type
    assert made.schema.field("messages").type == (wanted.value_type if pa.types.is_dictionary(wanted) else wanted)
    assert made.schema.field("losses").type == LOSSES
    assert made.schema.metadata == {b"made": b"here"}
    made.validate(full=True)


@pytest.mark.parametrize("kind", WITHOUT_JSON)
@pytest.mark.parametrize("on_error", ["column", "drop"])
def test_the_schema_is_known_before_any_row_is(kind: str, on_error: Any) -> None:
    batch = batch_of(KINDS[kind]())
    functions: list[Any] = [
        to_anthropic,
        partial(validate_batch, source="openai_chat"),
        partial(check_batch, target="openai_chat"),
    ]
    for function in functions:
        step = pickle.loads(pickle.dumps(partial(function, on_error=on_error, prefix="a_")))  # noqa: S301 -- our own
        schema = output_schema(step, batch.schema)
        for part in (batch, batch[:2], batch[2:], batch[:0]):
            made = step(part)
            assert made.schema.equals(schema, check_metadata=True)
            kept = [i for i in part.column("id").to_pylist() if on_error == "column" or step(batch[i : i + 1]).num_rows]
            assert made.column("id").to_pylist() == kept
        table = pa.Table.from_batches([batch, batch[3:]])
        assert step(table).schema.equals(schema, check_metadata=True)
        assert step(table).to_pylist() == [*step(batch).to_pylist(), *step(batch[3:]).to_pylist()]
        assert step(table[:0]).schema.equals(schema, check_metadata=True)


@settings(max_examples=15)
@given(
    st.lists(
        payloads("openai_chat") | payloads("openai_chat", odd=False) | malformed("openai_chat").map(itemgetter(0)), max_size=5
    ),
    st.booleans(),
)
def test_any_batch_is_converted_like_one_conversation_after_the_other(listed: list[Any], compact: bool) -> None:
    texts = [json.dumps(payload, ensure_ascii=compact) for payload in listed]
    made = to_anthropic(pa.RecordBatch.from_pydict({"messages": pa.array(texts, pa.string())}))
    expected = [one(text) for text in texts]
    assert json.dumps(rows(made)) == json.dumps(expected)
    for row in expected:
        share.judged(row["error"] is None, least=0.2)


def test_structs_are_converted_without_the_nulls_that_arrow_fills_in() -> None:
    lists = [CHAT, NO_CONTENT, None, [{"role": "assistant", "content": None, "refusal": "no"}]]
    batch = pa.RecordBatch.from_pylist([{"messages": each} for each in lists])
    texts = [json.dumps(CHAT), json.dumps(NO_CONTENT), None, '[{"role": "assistant", "refusal": "no"}]']
    assert rows(to_anthropic(batch)) == [one(text) for text in texts]
    requests = pa.RecordBatch.from_pylist([{"messages": {"messages": CHAT, "n": 2}}])
    assert rows(to_anthropic(requests)) == [one(json.dumps({"messages": CHAT, "n": 2}))]


PLAIN: list[dict[str, Any]] = [{"role": "user", "content": "hi"}]
THINKS = {"messages": PLAIN, "max_tokens": 9, "thinking": {"type": "enabled", "budget_tokens": 2000}}
"""A request of Anthropic, of a host with the shape of Chat, or of Cohere, which keeps the budget for itself."""
FOUND_OUT: list[tuple[Any, str | None, str | None]] = [
    ({"messages": CHAT}, "openai_chat", None),
    ({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}, "gemini", None),
    ({"version": 1, "messages": PLAIN}, "interlingua", None),
    ({"custom_id": "1", "method": "POST", "url": "/v1/responses", "body": {"input": "hi"}}, "openai_responses", "openai_batch"),
    ({"prompt": PLAIN, "chosen": [], "rejected": []}, "openai_chat", "trl_preference"),
    (THINKS, None, None),
    ({"a": 1}, None, None),
]


def test_each_row_says_what_it_was_taken_for() -> None:
    batch = batch_of(pa.array([json.dumps(payload) for payload, _, _ in FOUND_OUT]))
    auto = partial(convert_batch, source="auto", target="anthropic")
    made = auto(batch)
    assert made.schema == output_schema(auto, batch.schema)
    found = rows(made)
    assert [(row["source"], row["layout"]) for row in found] == [(source, layout) for _, source, layout in FOUND_OUT]
    assert [row["error"] is None for row in found] == [source is not None for _, source, _ in FOUND_OUT]
    assert "anthropic and cohere" in found[5]["error"]["reason"]
    assert found[3]["messages"] == {"custom_id": "1", "params": {"messages": PLAIN}}
    assert found[4]["messages"] == FOUND_OUT[4][0]
    assert found[0]["messages"] == il.convert({"messages": CHAT}, source="openai_chat", target="anthropic").payload
    assert rows(convert_batch(batch, source="auto", target="anthropic", prefer=["anthropic"]))[5]["source"] == "anthropic"


@pytest.mark.parametrize("work", [fingerprint_batch, validate_batch, load_batch, partial(check_batch, target="gemini")])
def test_other_work_finds_out_the_source_of_conversations(work: Any) -> None:
    batch = batch_of(pa.array([json.dumps(payload) for payload, _, _ in FOUND_OUT]))
    found = work(batch, source="auto", prefer=["anthropic"]).to_pylist()
    expected = ["openai_chat", "gemini", "interlingua", None, None, "anthropic", None]
    assert [row["source"] for row in found] == expected
    assert [row["error"] is None for row in found] == [source is not None for source in expected]


@pytest.mark.parametrize("key", [pa.string(), pa.large_string(), pa.string_view()])
def test_maps_dictionaries_and_json_in_structs(key: Any) -> None:
    arguments = [("a", 1), ("b", None)]
    call = pa.struct({"type": pa.string(), "id": pa.string(), "name": pa.string(), "input": pa.map_(key, pa.int64())})
    kind = pa.large_list(pa.struct({"role": pa.dictionary(pa.int8(), pa.string()), "content": pa.list_(call, 1)}))
    call_of = {"type": "tool_use", "id": "c", "name": "f", "input": arguments}
    lists = pa.array([[{"role": "assistant", "content": [call_of]}]], kind)
    batch = pa.RecordBatch.from_pydict({"messages": lists})
    made = convert_batch(batch, source="anthropic", target="interlingua")
    [message] = rows(made)[0]["messages"]
    assert message["content"][0]["input"] == dict(arguments)


@pytest.mark.skipif(not hasattr(pa, "json_"), reason="pyarrow 19 has the type arrow.json")
def test_json_in_structs() -> None:
    texts = pa.array(['[{"type": "text", "text": "a"}]', None])
    content = pa.ExtensionArray.from_storage(pa.json_(), texts)
    messages = pa.StructArray.from_arrays([pa.array(["user", "assistant"]), content], ["role", "content"])
    batch = pa.RecordBatch.from_pydict({"messages": pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), messages)})
    wanted = [{"role": "user", "content": [{"type": "text", "text": "a"}]}, {"role": "assistant"}]
    assert rows(to_anthropic(batch)) == [one(json.dumps(wanted))]
    assert output_schema(to_anthropic, batch.schema).equals(to_anthropic(batch).schema)


def test_the_schema_does_not_depend_on_types_that_python_values_cannot_be_put_into() -> None:
    unions = pa.nulls(1, pa.dense_union([pa.field("a", pa.string())]))
    batch = pa.RecordBatch.from_pydict({"messages": ["[]"], "other": unions})
    assert output_schema(to_anthropic, batch.schema).equals(to_anthropic(batch).schema)


@pytest.mark.parametrize("nulls", [pa.nulls(2), pa.nulls(2).dictionary_encode()])
def test_a_batch_of_nothing_but_nulls_stops_nothing(nulls: Any) -> None:
    """Where engines read a type from values, such a batch has the type null."""
    batch = pa.RecordBatch.from_pydict({"messages": nulls})
    made = to_anthropic(batch)
    assert (rows(made), made.schema.field("messages").type) == ([one(None)] * 2, pa.string())
    assert output_schema(to_anthropic, batch.schema).equals(made.schema)
    assert load_batch(batch, source="interlingua").column("error").null_count == 0
    assert validate_batch(batch).column("error").null_count == 0


def test_the_rest_of_a_conversation_is_one_column_of_text() -> None:
    loaded = load_batch(pa.RecordBatch.from_pydict({"messages": ["[]"]}), source="openai_chat").drop_columns(["error"])
    [error] = validate_batch(loaded.set_column(1, "messages_rest", pa.array([1]))).column("error").to_pylist()
    assert error == {"path": "", "reason": "the rest of a conversation must be a JSON object"}
    with pytest.raises(ValueError, match="the batch has 2 columns of the name 'messages_rest'"):
        validate_batch(loaded.append_column("messages_rest", loaded.column("messages_rest")))


def test_to_and_from_the_own_form() -> None:
    batch = pa.RecordBatch.from_pydict({"messages": [json.dumps(CHAT), json.dumps({"messages": CHAT}), "[]", "7"]})
    made = convert_batch(batch, source="openai_chat", target="interlingua")
    bare, request, nothing, wrong = rows(made)
    assert bare["messages"] == [message.to_dict() for message in il.load(CHAT, "openai_chat").messages]
    assert request["messages"] == il.load({"messages": CHAT}, "openai_chat").to_dict()
    assert (nothing["messages"], wrong["messages"]) == ([], None)
    again = convert_batch(made, source="interlingua", target="openai_chat", prefix="again_")
    assert [row["messages"] for row in rows(again)] == [{"messages": CHAT}, {"messages": CHAT}, {"messages": []}, None]
    assert [row["again_error"] is None for row in rows(again)] == [True, True, True, False]
    lost = rows(convert_batch(made, source="interlingua", target="anthropic", prefix="again_"))[0]["again_losses"]
    assert [(loss["path"], loss["kind"]) for loss in lost] == [("/0/name", "dropped")]
    checked = check_batch(made, source="interlingua", target="anthropic", prefix="again_").to_pylist()
    assert [row["again_problems"] for row in checked][:2] == [
        [problem._asdict() for problem in il.check(value, "anthropic")]
        for value in (il.validate(bare["messages"]), il.validate(request["messages"], il.Request))
    ]


def test_problems_are_those_of_the_payload_or_of_its_conversion() -> None:
    batch = pa.RecordBatch.from_pydict({"messages": [json.dumps({"messages": CHAT[1:2]}), json.dumps(NO_CONTENT), "7"]})
    plain = check_batch(batch, target="openai_chat").to_pylist()
    converted = check_batch(batch, target="anthropic", source="openai_chat").to_pylist()
    assert [[problem["code"] for problem in row["problems"]] for row in plain] == [
        [problem.code for problem in il.check(text, "openai_chat")] for text in batch.column("messages").to_pylist()
    ]
    result = il.convert({"messages": CHAT[1:2]}, source="openai_chat", target="anthropic", check=True)
    assert result.problems
    assert converted[0]["problems"] == [problem._asdict() for problem in result.problems]
    assert [row["error"] and row["error"]["path"] for row in converted] == [None, "/1/content", ""]


def test_fingerprints_are_those_of_the_messages() -> None:
    batch = pa.RecordBatch.from_pydict({"messages": TEXTS})
    made = fingerprint_batch(batch, source="openai_chat").to_pylist()
    wanted = il.fingerprint(il.load(CHAT, "openai_chat"))
    assert [row["fingerprint"] for row in made] == [wanted, wanted, *[None] * (len(TEXTS) - 2)]
    converted = convert_batch(batch, source="openai_chat", target="interlingua", on_error="drop").drop_columns(["error"])
    assert fingerprint_batch(converted).column("fingerprint").to_pylist() == [wanted, wanted]


def test_valid_rows_are_left_alone() -> None:
    batch = batch_of(of_text(pa.string()))
    made = validate_batch(batch, source="openai_chat")
    assert made.drop_columns(["error"]).equals(batch)
    assert [row["error"] for row in made.to_pylist()] == [one(text)["error"] for text in TEXTS]
    left = validate_batch(batch, source="openai_chat", on_error="drop")
    assert left.column("messages").to_pylist() == TEXTS[:2]


DEEP = "[" * 230 + "]" * 230
"""What pydantic-core's parser of JSON does not read, and Python's does, with lone surrogates around it."""
HOSTILE = [
    b"[" * 100_000,
    b"\xff",
    b"\x00",
    b"\xef\xbb\xbf[]",
    b"NaN",
    b'{"messages": [[], null, 1]}',
    b'{"messages": [], "messages": 3}',
    b'{"messages": [{"role": "user", "content": "x", "n": 1e999}]}',
    b'{"messages": [{"role": "user", "content": "x", "n": ' + b"9" * 5000 + b"}]}",
    f'{{"messages": [{{"role": "user", "content": "\\ud800"}}], "\\ud800": {DEEP}}}'.encode(),
    f'[{{"role": "user", "content": "x", "\\ud800": {DEEP}}}]'.encode(),
]
FORMS: list[Any] = [*il.FORMATS, "interlingua"]


@pytest.mark.parametrize("source", FORMS)
def test_no_row_stops_a_batch(source: Any) -> None:
    batch = pa.RecordBatch.from_pydict({"messages": pa.array(HOSTILE, pa.binary())})
    for target in ("openai_chat", "anthropic", "interlingua"):
        assert convert_batch(batch, source=source, target=target).num_rows == len(HOSTILE)
    for function in (validate_batch, fingerprint_batch, load_batch):
        assert function(batch, source=source).num_rows == len(HOSTILE)
    assert check_batch(batch, source=source, target="gemini").num_rows == len(HOSTILE)


def test_text_that_is_not_utf_8() -> None:
    """Arrow reads it from a file as any other."""
    fine, bad = json.dumps(CHAT).encode(), b'[{"role": "user", "content": "\xff"}]'
    texts = pa.array([fine, bad, None, fine], pa.binary()).view(pa.string())
    roles = pa.array(["user"] * 4)
    contents = pa.array([b"hi", b"\xff", None, b"hi"], pa.binary()).view(pa.string())
    structs = pa.StructArray.from_arrays([roles, contents], ["role", "content"])
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3, 4], pa.int32()), structs)
    for array in (texts, pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3]), texts), lists):
        made = to_anthropic(pa.RecordBatch.from_arrays([array], ["messages"])).to_pylist()
        assert [row["error"] is None for row in made] == [True, False, False, True]
        assert made[1]["error"] == {"path": "", "reason": "the text must be UTF-8"}
    loaded = load_batch(pa.RecordBatch.from_pydict({"messages": ["[]"]}), source="openai_chat").drop_columns(["error"])
    rest = pa.array([b"\xff"], pa.binary()).view(pa.string())
    [error] = validate_batch(loaded.set_column(1, "messages_rest", rest)).column("error").to_pylist()
    assert error["reason"] == "the text must be UTF-8"


def test_a_column_without_nulls_may_get_some() -> None:
    field = pa.field("messages", pa.string(), nullable=False, metadata={"a": "b"})
    made = to_anthropic(pa.RecordBatch.from_arrays([pa.array(["7"])], schema=pa.schema([field])))
    assert made.schema.field("messages").equals(field.with_nullable(True), check_metadata=True)
    made.validate(full=True)


def test_a_row_that_loses_something_is_wrong_under_strict() -> None:
    batch = pa.RecordBatch.from_pydict({"messages": [json.dumps(CHAT), json.dumps(CHAT[1:])]})
    lossy, fine = rows(to_anthropic(batch, strict=True))
    assert (lossy["messages"], lossy["error"]) == (
        None,
        {"path": "/0/name", "reason": "dropped: Anthropic messages have no `name` field"},
    )
    assert (fine["error"], fine["losses"]) == (None, [])
    with pytest.raises(il.LossyConversion) as caught:
        to_anthropic(batch, strict=True, on_error="raise")
    assert caught.value.losses[0].path == "/0/messages/0/name"


def test_an_error_names_the_row_of_the_table() -> None:
    fine = pa.RecordBatch.from_pydict({"messages": [json.dumps(CHAT)]})
    table = pa.Table.from_batches([fine, fine, pa.RecordBatch.from_pydict({"messages": [json.dumps(NO_CONTENT)]})])
    with pytest.raises(il.InvalidPayload) as caught:
        to_anthropic(table, on_error="raise")
    assert caught.value.faults == (("/2/messages/1/content", "Field required"),)


def test_what_the_url_says_is_that_of_every_row() -> None:
    batch = pa.RecordBatch.from_pydict({"messages": [json.dumps({"contents": [{"parts": [{"text": "a"}]}]})]})
    [row] = rows(convert_batch(batch, source="gemini", target="openai_chat", model="m", stream=True))
    assert (row["messages"]["model"], row["messages"]["stream"]) == ("m", True)


WRONG: list[tuple[dict[str, Any], Any, str]] = [
    ({"column": "prompt"}, pa.array(["[]"]), "the batch has no column of the name 'prompt'; its columns are messages"),
    (
        {"prefix": "x", "column": "messages", "on_error": "skip"},
        pa.array(["[]"]),
        'on_error must be "column", "raise" or "drop"',
    ),
    ({}, pa.array([1]), "must have JSON text, structs or lists, not int64"),
    ({}, pa.array([{"role": b"user"}]), "must not have values of type binary, which JSON does not have"),
    ({}, pa.array([[{"at": None}]], pa.list_(pa.struct({"at": pa.timestamp("s")}))), "type timestamp"),
    ({}, pa.array([], pa.struct([("a", pa.string()), ("a", pa.string())])), "must have different names"),
    ({}, pa.array([], pa.list_(pa.map_(pa.int8(), pa.int8()))), "must have strings as keys"),
    ({"target": "bedrock_boto3"}, pa.array(["[]"]), "bedrock_boto3 has bytes"),
]


@pytest.mark.parametrize(("options", "array", "reason"), WRONG, ids=range(len(WRONG)))
def test_what_no_row_can_be_right_with(options: dict[str, Any], array: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        to_anthropic(pa.RecordBatch.from_pydict({"messages": array}), **options)


def test_a_name_is_taken_once() -> None:
    batch = to_anthropic(pa.RecordBatch.from_pydict({"messages": ["[]"]}))
    with pytest.raises(ValueError, match="already has a column 'losses': rename or drop it, or pass another prefix"):
        to_anthropic(batch)
    twice = pa.RecordBatch.from_arrays([pa.array(["[]"])] * 2, ["messages"] * 2)
    with pytest.raises(ValueError, match="the batch has 2 columns of the name 'messages'"):
        to_anthropic(twice)
    with pytest.raises(il.UnknownFormat):
        convert_batch(batch[:0], source="openai", target="anthropic")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] -- which is the point


def test_without_pyarrow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("interlingua.arrow")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'interlingua\[arrow\]'"):
        import_module("interlingua.arrow")


# What it costs


def test_twice_the_rows_take_twice_the_steps() -> None:
    text = json.dumps(CHAT)
    few, more, most = (steps(partial(to_anthropic, pa.RecordBatch.from_pydict({"messages": [text] * n}))) for n in (20, 40, 80))
    assert most - more <= 2.15 * (more - few)


@pytest.mark.scale
@pytest.mark.deep
def test_memory_does_not_grow_with_the_rows(scale: int, record_property: Any) -> None:
    """20,000 and 200,000 rows at `--scale 20`."""
    program = Path(batches.__file__)
    peaks: list[int] = []
    for number in (1_000 * scale, 10_000 * scale):
        done = subprocess.run([sys.executable, program, str(number)], check=True, capture_output=True, text=True)
        said = json.loads(done.stdout)
        assert (said["rows"], said["wrong"]) == (number, number // 100)
        record_property(f"peak of memory in MB, {number} rows", said["peak of memory in MB"])
        peaks.append(said["peak of memory in MB"])
    assert peaks[1] < peaks[0] + 60
