"""Code that a provider's server ran, between the four formats that have it: in answers, in streams and in requests."""

from functools import partial
from typing import Any

import pytest

import interlingua as il
from conversion.server_answers import blocks, chunks_of_blocks, converted, items, of_content, said
from interlingua.testing.lawbook.documents import canonical
from laws import sdks
from laws.steps import steps

A: il.FormatName = "anthropic"
R: il.FormatName = "openai_responses"
G: il.FormatName = "gemini"
S: il.FormatName = "gemini_interactions"
QUESTION: dict[str, Any] = {"role": "user", "content": "What is 1 + 1?"}
SAYS = {"type": "text", "text": "It is 2."}
SAID = said("It is 2.")
PRINT = "print(1 + 1)"


def blocks_of(number: int, stdout: str, stderr: str = "", status: int = 0, *, bash: bool = False) -> list[dict[str, Any]]:
    """Anthropic's two blocks."""
    name, field = ("bash_code_execution", "command") if bash else ("code_execution", "code")
    id = f"srvtoolu_{number}"
    result = {"type": f"{name}_result", "stdout": stdout, "stderr": stderr, "return_code": status, "content": list[Any]()}
    return [
        {"type": "server_tool_use", "id": id, "name": name, "input": {field: PRINT}},
        {"type": f"{name}_tool_result", "tool_use_id": id, "content": result},
    ]


def item_of(id: str, *logs: str, status: str = "completed", container: str = "") -> dict[str, Any]:
    """The item of Responses."""
    outputs = [{"type": "logs", "logs": text} for text in logs]
    made = {"type": "code_interpreter_call", "id": id, "code": PRINT, "container_id": container}
    return {**made, "outputs": outputs, "status": status}


def parts_of(id: str | None, output: str, outcome: str = "OK", language: str = "PYTHON") -> list[dict[str, Any]]:
    """Gemini's two parts."""
    named = {} if id is None else {"id": id}
    text = {"output": output} if output else {}
    return [
        {"executableCode": {**named, "language": language, "code": PRINT}},
        {"codeExecutionResult": {**named, "outcome": f"OUTCOME_{outcome}", **text}},
    ]


def steps_of(id: str, result: str, *, failed: bool = False, language: str | None = "python") -> list[dict[str, Any]]:
    """The two steps of the Interactions API."""
    arguments = {"code": PRINT} if language is None else {"code": PRINT, "language": language}
    return [
        {"type": "code_execution_call", "id": id, "arguments": arguments},
        {"type": "code_execution_result", "call_id": id, "result": result, **({"is_error": True} if failed else {})},
    ]


def candidates(*parts: Any) -> dict[str, Any]:
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP"}]}


def interaction(*steps: Any) -> dict[str, Any]:
    return {"id": "i", "model": "m", "status": "completed", "steps": [*steps]}


def answer(format: il.FormatName, *ran: Any) -> dict[str, Any]:
    """An answer with what was run, and a text."""
    if format == "anthropic":
        return blocks(*ran, SAYS)
    if format == "openai_responses":
        return items(*ran, SAID)
    if format == "gemini":
        return candidates(*ran, {"text": "It is 2."})
    return interaction(*ran, {"type": "model_output", "content": [SAYS]})


def ran_in(body: Any) -> list[dict[str, Any]]:
    """What was run, in an answer of any format."""
    content: Any = body.get("content", body.get("output", body.get("steps")))
    found: list[dict[str, Any]] = body["candidates"][0]["content"]["parts"] if content is None else content
    return [each for each in found if "text" not in each and each.get("type") not in ("text", "message", "model_output")]


# Answers

PAIRS: list[tuple[il.FormatName, list[Any], il.FormatName, list[Any]]] = [
    (A, blocks_of(1, "2\n"), R, [item_of("ci_1", "2\n")]),
    (A, blocks_of(1, "2\n"), G, parts_of("srvtoolu_1", "2\n")),
    (A, blocks_of(1, "2\n"), S, steps_of("srvtoolu_1", "2\n")),
    (A, blocks_of(1, "2", "No.", 1), R, [item_of("ci_1", "2", "No.", status="failed")]),
    (A, blocks_of(1, "2", "No.", 1), G, parts_of("srvtoolu_1", "2\nNo.", "FAILED")),
    (A, blocks_of(1, "2\n", "No.", 1), S, steps_of("srvtoolu_1", "2\nNo.", failed=True)),
    (A, blocks_of(1, "", bash=True), R, [item_of("ci_bash_1")]),
    (A, blocks_of(1, "", bash=True), G, parts_of("bash_srvtoolu_1", "", language="LANGUAGE_UNSPECIFIED")),
    (A, blocks_of(1, "", bash=True), S, steps_of("srvtoolu_1", "", language="bash")),
    (R, [item_of("ci_1", "2")], A, blocks_of(1, "2")),
    (R, [item_of("ci_1", "2", "3")], A, blocks_of(1, "2\n3")),
    (R, [item_of("ci_1", "No.", status="failed")], A, blocks_of(1, "", "No.", 1)),
    (R, [item_of("ci_bash_1", "2")], A, blocks_of(1, "2", bash=True)),
    (R, [item_of("ci_1", "2", "3")], G, parts_of("ci_1", "2\n3")),
    (R, [item_of("ci_1", "2")], S, steps_of("ci_1", "2")),
    (G, parts_of("1", "2"), A, blocks_of(1, "2")),
    (G, parts_of("1", "No.", "FAILED"), A, blocks_of(1, "", "No.", 1)),
    (G, parts_of("bash_1", "2", language="LANGUAGE_UNSPECIFIED"), A, blocks_of(1, "2", bash=True)),
    (G, parts_of("1", "2"), R, [item_of("ci_1", "2")]),
    (G, parts_of("1", "2"), S, steps_of("1", "2")),
    (G, parts_of("1", "", "FAILED"), S, steps_of("1", "", failed=True)),
    (S, steps_of("1", "2"), A, blocks_of(1, "2")),
    (S, steps_of("1", "No.", failed=True, language="bash"), A, blocks_of(1, "", "No.", 1, bash=True)),
    (S, steps_of("1", "2"), R, [item_of("ci_1", "2")]),
    (S, steps_of("1", "2"), G, parts_of("1", "2")),
    (S, steps_of("1", "2", language=None), G, parts_of("1", "2", language="LANGUAGE_UNSPECIFIED")),
]


@pytest.mark.parametrize(("source", "ran", "target", "made"), PAIRS)
def test_code_and_its_result_are_those_of_the_target(
    source: il.FormatName, ran: list[Any], target: il.FormatName, made: list[Any]
) -> None:
    payload, losses = converted(answer(source, *ran), source, target)
    assert ran_in(payload) == made
    assert sdks.response_faults(sdks.whole(payload, target), target) == []
    about = [loss for loss in losses if loss[1] in ("/0", "/1") and loss[0] != "response_only"]
    added = [("added", "/0")] if source == R else []
    assert about == [*(("changed", f"/{i}") for i in range(len(ran))), *added]
    assert [loss for loss in losses if loss[0] == "dropped"] == []


@pytest.mark.parametrize("target", [R, G, S])
@pytest.mark.parametrize("bash", [False, True])
def test_an_answer_comes_home_as_it_was(target: il.FormatName, bash: bool) -> None:
    ran = [*blocks_of(1, "2\n", bash=bash), *blocks_of(2, "3\n", bash=not bash)]
    payload, _ = converted(answer(A, *ran), A, target)
    assert ran_in(converted(payload, target, A).payload) == ran


def test_code_that_ran_for_too_long_says_so() -> None:
    ran = blocks_of(1, "")
    ran[1]["content"] = {"type": "code_execution_tool_result_error", "error_code": "execution_time_exceeded"}
    payload, losses = converted(answer(A, *ran), A, G)
    assert ran_in(payload) == parts_of("srvtoolu_1", "", "DEADLINE_EXCEEDED")
    assert losses == [("changed", "/0"), ("changed", "/1")]
    assert ran_in(converted(payload, G, A).payload) == ran


@pytest.mark.parametrize(("target", "count"), [(A, 4), (R, 2), (S, 4)])
def test_code_without_an_id_gets_one_that_its_result_has_too(target: il.FormatName, count: int) -> None:
    """Vertex AI and older models have no ids."""
    ran = [*parts_of(None, "2"), *parts_of(None, "3")]
    made = ran_in(converted(answer(G, *ran), G, target).payload)
    assert len(made) == count
    calls = [each["id"] for each in made if "id" in each]
    assert len(set(calls)) == 2
    results = [each.get("tool_use_id", each.get("call_id")) for each in made if "id" not in each]
    assert results == ([] if target == R else calls)


def test_what_others_have_no_field_for_is_reported() -> None:
    ran = blocks_of(1, "2", status=3)
    ran[0] |= {"caller": {"type": "direct"}}
    ran[1]["content"] |= {"content": [{"type": "code_execution_output", "file_id": "f"}], "abort_reason": "x"}
    lost = [path for kind, path in converted(answer(A, *ran), A, R).losses if kind == "dropped"]
    assert sorted(lost) == [f"/1/value/content/{field}" for field in ("abort_reason", "content/0", "return_code")]
    image = {"type": "image", "url": "data:image/png;base64,AAAA"}
    item = item_of("ci_1", "2", container="cntr_1")
    losses = converted(answer(R, {**item, "outputs": [*item["outputs"], image]}), R, A).losses
    dropped = [path for kind, path in losses if kind == "dropped"]
    assert sorted(dropped) == ["/0/value/container_id", "/0/value/outputs/1"]
    signed = [part | {"thoughtSignature": "c2ln"} for part in parts_of("1", "2")]
    dropped = [path for kind, path in converted(answer(G, *signed), G, A).losses if kind == "dropped"]
    assert dropped == ["/0/value/thoughtSignature", "/1/value/thoughtSignature"]


def test_encrypted_output_is_reported() -> None:
    ran = blocks_of(1, "")
    del ran[1]["content"]["stdout"]
    ran[1]["content"] |= {"type": "encrypted_code_execution_result", "encrypted_stdout": "eA=="}
    payload, losses = converted(answer(A, *ran), A, R)
    assert ran_in(payload) == [item_of("ci_1")]
    assert ("dropped", "/1/value/content/encrypted_stdout") in losses


_EDITED = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "text_editor_code_execution", "input": {"command": "view"}}


@pytest.mark.parametrize(
    ("source", "ran", "target"),
    [
        *((A, blocks_of(1, "2")[1:], target) for target in (R, G, S)),  # a result alone
        (G, parts_of(None, "2")[1:], A),
        (A, blocks_of(1, "2")[:1], R),  # the result is still to come
        (A, [_EDITED], R),
        (A, [{**blocks_of(1, "2")[0], "input": None}], R),
        (R, [{**item_of("ci_1"), "code": None}], A),
        (G, parts_of("1", "2", language="LANGUAGE_UNSPECIFIED"), A),
        (G, parts_of("1", "2", "UNSPECIFIED")[1:], A),
        (S, steps_of("1", "2", language=None), R),
        (A, blocks_of(1, "2"), "openai_chat"),
    ],
)
def test_what_has_no_place_is_reported(source: il.FormatName, ran: list[Any], target: il.FormatName) -> None:
    payload, losses = converted(answer(source, *ran), source, target)
    assert "code" not in str(payload.get("content", payload.get("output", payload.get("steps"))))
    assert sorted(path for kind, path in losses if kind == "dropped") == [f"/{i}" for i in range(len(ran))]


def test_only_the_first_result_belongs_to_the_code() -> None:
    """Gemini sometimes has several."""
    code, result = parts_of(None, "2")
    payload, losses = converted(answer(G, code, result, result), G, A)
    assert len(ran_in(payload)) == 2
    assert [loss for loss in losses if loss[0] == "dropped"] == [("dropped", "/2")]


# Streams


def _chunks_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    if "content" in body:
        return chunks_of_blocks(body)
    if "candidates" in body:
        *parts, last = body["candidates"][0]["content"]["parts"]
        first = [{"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]} for part in parts]
        return [*first, candidates(last)]
    return _chunks_of_items(body) if "output" in body else _chunks_of_steps(body)


def _chunks_of_items(body: dict[str, Any]) -> list[dict[str, Any]]:
    begun: dict[str, Any] = {**body, "status": "in_progress", "output": []}
    chunks: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for i, item in enumerate(body["output"]):
        empty: dict[str, Any] = {"code": "", "outputs": []} if "code" in item else {"content": []}
        chunks.append(
            {"type": "response.output_item.added", "output_index": i, "item": {**item, **empty, "status": "in_progress"}}
        )
        which = {"output_index": i, "item_id": item["id"]}
        if "code" in item:
            chunks.append({"type": "response.code_interpreter_call_code.delta", **which, "delta": item["code"]})
        chunks.append({"type": "response.output_item.done", "output_index": i, "item": item})
    return [*chunks, {"type": "response.completed", "response": body}]


def _chunks_of_steps(body: dict[str, Any]) -> list[dict[str, Any]]:
    chunks: list[dict[str, Any]] = [
        {"event_type": "interaction.created", "interaction": {**body, "steps": [], "status": "in_progress"}}
    ]
    for i, step in enumerate(body["steps"]):
        fields = {key: value for key, value in step.items() if key not in ("id", "call_id")}
        start = {"type": step["type"], **{key: value for key, value in step.items() if key not in fields}}
        deltas = step["content"] if step["type"] == "model_output" else [fields]
        chunks.append({"event_type": "step.start", "index": i, "step": start})
        chunks += [{"event_type": "step.delta", "index": i, "delta": delta} for delta in deltas]
        chunks.append({"event_type": "step.stop", "index": i})
    return [*chunks, {"event_type": "interaction.completed", "interaction": {k: v for k, v in body.items() if k != "steps"}}]


@pytest.mark.parametrize(
    ("source", "ran", "target"),
    [
        *((source, ran, target) for source, ran, target, _ in PAIRS),
        *((G, [*parts_of(None, "2"), *parts_of(None, "3")], target) for target in (A, R, S)),
        *((A, blocks_of(1, "2")[:1], target) for target in (R, G, S)),
        (A, blocks_of(1, "2")[1:], R),
    ],
)
def test_a_stream_has_the_same_as_the_whole_answer(source: il.FormatName, ran: list[Any], target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    body = answer(source, *ran)
    written = list(il.restream(_chunks_of(body), source=source, target=target, on_loss=losses.append, fill=True))
    assert [fault for chunk in written for fault in sdks.chunk_faults(sdks.complete(chunk, target), target)] == []
    reader = il.reader(target)
    list(reader.read(written))
    made = converted(body, source, target)
    assert canonical(ran_in(il.dump_response(reader.response, target))) == canonical(ran_in(made.payload))
    assert sorted(of_content(losses)) == sorted(made.losses)


@pytest.mark.parametrize(("status", "last"), [(0, "call.completed"), (1, "call.interpreting")])
def test_a_stream_to_responses_has_the_events_of_code(status: int, last: str) -> None:
    body = answer(A, *blocks_of(1, "2", status=status))
    written: list[Any] = list(il.restream(_chunks_of(body), source=A, target=R, on_loss="ignore"))
    about = [chunk for chunk in written if chunk.get("item_id") == "ci_1"]
    stages = ["call.in_progress", "call_code.delta", "call_code.done", "call.interpreting", "call.completed"]
    stages = stages[: stages.index(last) + 1]
    assert [chunk["type"].removeprefix("response.code_interpreter_") for chunk in about] == stages
    assert about[1]["delta"] == about[2]["code"] == PRINT
    added = next(chunk["item"] for chunk in written if chunk["type"] == "response.output_item.added")
    assert added == {**item_of("ci_1"), "code": "", "status": "in_progress"}


# Requests


def _history(format: il.FormatName, *ran: Any) -> dict[str, Any]:
    if format == R:
        return {"model": "m", "max_output_tokens": 99, "input": [QUESTION, *ran, SAID, QUESTION]}
    if format == G:
        asked = {"role": "user", "parts": [{"text": QUESTION["content"]}]}
        return {"contents": [asked, {"role": "model", "parts": [*ran, {"text": "It is 2."}]}, asked]}
    messages = [QUESTION, {"role": "assistant", "content": [*ran, SAYS]}, QUESTION]
    return {"model": "m", "max_tokens": 99, "messages": messages}


def test_a_request_to_anthropic_has_the_code_of_its_history() -> None:
    made: Any = il.convert(_history(R, item_of("ci_1", "2", container="cntr_1")), source=R, target=A)
    assert made.payload["messages"][1]["content"] == [*blocks_of(1, "2"), SAYS]
    assert (made.places["/messages/1/content/0"], made.places["/messages/1/content/1"]) == ("/input/1", "/input/1")
    assert il.check(made.payload, A) == []
    made = il.convert(_history(G, *parts_of("1", "2")), source=G, target=A)
    assert made.payload["messages"][1]["content"] == [*blocks_of(1, "2"), SAYS]


def test_a_request_to_gemini_has_the_code_of_its_history() -> None:
    made: Any = il.convert(_history(A, *blocks_of(1, "2")), source=A, target=G)
    assert made.payload["contents"][1]["parts"] == [*parts_of("srvtoolu_1", "2"), {"text": "It is 2."}]
    assert il.check(made.payload, G) == []
    made = il.convert(_history(R, item_of("ci_1", "2")), source=R, target=G)
    assert (made.places["/contents/1/parts/0"], made.places["/contents/1/parts/1"]) == ("/input/1", "/input/1")


@pytest.mark.parametrize(
    ("ran", "target"),
    [
        (blocks_of(1, "2"), R),  # which container it ran in is not known
        (blocks_of(1, "2"), S),
        (blocks_of(1, "2", bash=True), G),
    ],
)
def test_a_request_has_no_code_that_the_target_refuses(ran: list[Any], target: il.FormatName) -> None:
    made = il.convert(_history(A, *ran), source=A, target=target)
    assert "print" not in str(made.payload)
    assert "It is 2." in str(made.payload)
    lost = [loss.path for loss in made.losses if loss.kind == "dropped" and "/content/" in loss.path]
    assert lost == ["/messages/1/content/0", "/messages/1/content/1"]


@pytest.mark.parametrize("target", ["anthropic_vertex", "anthropic_bedrock"])
def test_hosts_that_run_no_code_get_none(target: il.FormatName) -> None:
    made = il.convert(_history(R, item_of("ci_1", "2")), source=R, target=target)
    assert "print" not in str(made.payload)
    assert "dropped" in [loss.kind for loss in made.losses if loss.path == "/input/1"]


@pytest.mark.parametrize("format", [A, R, G])
def test_a_request_in_its_own_format_stays_as_it_is(format: il.FormatName) -> None:
    ran = {A: blocks_of(1, "2"), R: [item_of("ci_1", "2")], G: parts_of("1", "2")}[format]
    body = _history(format, *ran)
    assert il.convert(body, source=format, target=format).payload == body


def test_many_answers_with_code_take_linear_time() -> None:
    def long(count: int) -> dict[str, Any]:
        messages: list[Any] = [QUESTION]
        for i in range(count):
            messages += [{"role": "assistant", "content": [*blocks_of(i, "2"), SAYS]}, QUESTION]
        return {"model": "m", "max_tokens": 99, "messages": messages}

    _, few, more, most = (steps(partial(il.convert, long(count), source=A, target=G)) for count in (2, 50, 100, 200))
    assert most - more < 2.15 * (more - few)


def test_the_made_up_id_of_code_does_not_depend_on_its_place() -> None:
    def ids_in(*contents: Any) -> list[str]:
        made: Any = il.convert({"contents": [*contents]}, source=G, target=A).payload
        listed: list[list[Any]] = [each["content"] for each in made["messages"] if each["role"] == "assistant"]
        return [block["id"] for blocks in listed for block in blocks if block["type"] == "server_tool_use"]

    asked = {"role": "user", "parts": [{"text": "?"}]}
    ran = {"role": "model", "parts": [*parts_of(None, "2"), {"text": "It is 2."}]}
    said = {"role": "model", "parts": [{"text": "Hello."}, {"text": "Again."}]}
    [alone] = ids_in(asked, ran, asked)
    assert ids_in(asked, said, asked, ran, asked) == [alone]
    first, second = ids_in(asked, ran, asked, ran, asked)
    assert first == alone != second
