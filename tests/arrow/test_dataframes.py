"""Polars, DuckDB and pandas: what they are given comes back exactly, and their rows are those of a plain batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import batches
import conversations
import pytest

import interlingua as il
from interlingua.arrow import convert_batch, fingerprint_batch, from_arrow, load_batch, output_schema, to_arrow
from laws.samples import STORED, sorted_json

pytestmark = pytest.mark.engines

pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

ROWS = 1_000
to_anthropic = partial(convert_batch, source="openai_chat", target="anthropic")


@pytest.fixture(scope="module")
def table() -> Any:
    return pa.table({"id": range(ROWS), "messages": batches.texts(ROWS)})


@pytest.fixture(scope="module")
def expected(table: Any) -> list[Any]:
    return rows(to_anthropic(table))


def rows(table: Any) -> list[dict[str, Any]]:
    return [row | {"messages": row["messages"] and json.loads(row["messages"])} for row in table.to_pylist()]


# Through each program and back, by Arrow and by Parquet


def through_polars(table: Any) -> Any:
    return import_module("polars").from_arrow(table).to_arrow()


def through_duckdb(table: Any) -> Any:
    return import_module("duckdb").connect().from_arrow(table).filter("true").to_arrow_table()


def through_pandas(table: Any) -> Any:
    return pa.Table.from_pandas(table.to_pandas(types_mapper=import_module("pandas").ArrowDtype), preserve_index=False)


def through_pandas_objects(table: Any) -> Any:
    return pa.Table.from_pandas(table.to_pandas(), preserve_index=False)


def written_by_polars(table: Any, file: Path) -> None:
    import_module("polars").from_arrow(table).write_parquet(file)


def written_by_duckdb(table: Any, file: Path) -> None:
    import_module("duckdb").connect().from_arrow(table).write_parquet(str(file))


def written_by_pandas(table: Any, file: Path) -> None:
    table.to_pandas(types_mapper=import_module("pandas").ArrowDtype).to_parquet(file)


PROGRAMS = [through_polars, through_duckdb, through_pandas, through_pandas_objects]
WRITERS = [written_by_polars, written_by_duckdb, written_by_pandas]


def stored() -> list[il.Conversation]:
    return [il.validate(path.read_bytes(), il.Conversation) for path in STORED]


def dicts(values: Iterable[il.Conversation]) -> list[str]:
    return [sorted_json(value.to_dict()) for value in values]


@pytest.mark.parametrize("program", PROGRAMS)
def test_stored_conversations_come_back_exactly(program: Callable[[Any], Any]) -> None:
    made = program(pa.Table.from_batches([to_arrow(stored())]))
    assert dicts(from_arrow(made)) == dicts(stored())


@pytest.mark.parametrize("write", WRITERS)
def test_their_parquet_is_read_exactly(write: Callable[[Any, Path], None], tmp_path: Path) -> None:
    write(pa.Table.from_batches([to_arrow(stored())]), tmp_path / "a.parquet")
    assert dicts(from_arrow(parquet.read_table(tmp_path / "a.parquet"))) == dicts(stored())


@pytest.mark.parametrize("program", PROGRAMS)
def test_loaded_conversations_come_back_exactly(program: Callable[[Any], Any], table: Any) -> None:
    loaded = load_batch(table, source="openai_chat", on_error="drop").drop_columns(["error"])
    again = convert_batch(program(loaded), source="interlingua", target="openai_chat")
    texts = [
        text
        for text, row in zip(table["messages"].to_pylist(), to_anthropic(table).to_pylist(), strict=True)
        if not row["error"]
    ]
    assert [sorted_json(row["messages"]) for row in rows(again)] == [sorted_json(json.loads(text)) for text in texts]


# Steps in each program


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_step_over_their_tables(program: Callable[[Any], Any], table: Any, expected: list[Any]) -> None:
    assert rows(program(to_anthropic(program(table)))) == expected


def test_a_step_in_a_lazy_frame_of_polars(table: Any, expected: list[Any], tmp_path: Path) -> None:
    polars: Any = import_module("polars")
    polars.from_arrow(table).write_parquet(tmp_path / "in.parquet", row_group_size=100)
    frame = polars.scan_parquet(tmp_path / "in.parquet")

    def convert(part: Any) -> Any:
        return polars.from_arrow(to_anthropic(part.to_arrow()))

    made = frame.map_batches(convert, schema=convert(frame.head(0).collect()).schema, streamable=True)
    made.sink_parquet(tmp_path / "out.parquet")
    assert rows(parquet.read_table(tmp_path / "out.parquet")) == expected


def test_a_step_over_the_batches_of_duckdb(table: Any, expected: list[Any], tmp_path: Path) -> None:
    duckdb: Any = import_module("duckdb")
    reader = duckdb.connect().from_arrow(table).to_arrow_reader(100)
    made = pa.RecordBatchReader.from_batches(output_schema(to_anthropic, reader.schema), map(to_anthropic, reader))
    duckdb.connect().from_arrow(made).write_parquet(str(tmp_path / "out.parquet"))
    assert rows(parquet.read_table(tmp_path / "out.parquet")) == expected


def test_structs_of_pandas() -> None:
    pandas: Any = import_module("pandas")
    lists = [payload["messages"] for payload in batches.flat(ROWS)]
    frame = pandas.DataFrame({"messages": lists})
    made = to_anthropic(pa.Table.from_pandas(frame, preserve_index=False))
    without_nulls = [[{name: value for name, value in m.items() if value is not None} for m in each] for each in lists]
    assert rows(made) == rows(to_anthropic(pa.table({"messages": list(map(json.dumps, without_nulls))})))


def test_a_query_over_roles_and_fingerprints(table: Any) -> None:
    duckdb: Any = import_module("duckdb")
    valid = load_batch(table, source="openai_chat", on_error="drop").drop_columns(["error"])
    made = fingerprint_batch(pa.concat_tables([valid, valid]))
    question = "select count(distinct fingerprint), sum(len(list_filter(messages, lambda m: m.role = 'assistant'))) from made"
    distinct, answers = duckdb.connect().from_arrow(made).query("made", question).fetchall()[0]
    whole = [json.loads(text) for i, text in enumerate(batches.texts(ROWS)) if not conversations.is_broken(i)]
    assert distinct == len({il.fingerprint(il.load(payload, "openai_chat")) for payload in whole})
    assert answers == 2 * sum(message["role"] == "assistant" for payload in whole for message in payload["messages"])
