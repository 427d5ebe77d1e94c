"""Rows of datasets and batch files: only the conversations in them change, and their losses point into the row."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from anthropic.types.messages import MessageBatchIndividualResponse
from click.testing import CliRunner
from hypothesis import given, strategies as st
from openai.types.chat import ChatCompletion

import interlingua as il
from formats.cases import facts
from interlingua import testing
from interlingua.cli import run as running
from interlingua.cli.commands import interlingua
from interlingua.cli.document import Document
from interlingua.cli.documents import Source
from interlingua.cli.run import Setting
from interlingua.cli.work import Options, Outcome, convert_document, perform
from interlingua.conversion.layouts import LAYOUTS, layout_of
from interlingua.testing.lawbook import share
from laws import over

ASK: dict[str, Any] = {"role": "user", "content": "Is it warm in Oslo?"}
SYSTEM: dict[str, Any] = {"role": "system", "content": "Be brief."}
CALL: dict[str, Any] = {"id": "c", "type": "function", "function": {"name": "temperature", "arguments": '{"in": "Oslo"}'}}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "c", "content": "4 °C"}
ANSWER: dict[str, Any] = {"role": "assistant", "content": "No."}
TOOL: dict[str, Any] = {"type": "function", "function": {"name": "temperature", "parameters": {"type": "object"}}}
ROWS: dict[str, dict[str, Any]] = {name: row for rows in facts("batches").values() for name, row in rows.items()}
"""A row of each layout."""


def run(tmp_path: Path, row: Any, *options: str, command: str = "convert") -> tuple[int, Any, str]:
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    done = CliRunner().invoke(interlingua, [command, str(tmp_path / "rows.jsonl"), *options], standalone_mode=False)
    text = done.stdout
    return int(done.return_value or 0), json.loads(text) if text.startswith("{") else text, done.stderr


@pytest.mark.parametrize("name", ROWS)
def test_a_row_in_its_own_format_stays_as_it_is(name: str, tmp_path: Path) -> None:
    format = LAYOUTS[name].format
    assert run(tmp_path, ROWS[name], "--layout", name, "--to", format, "-q") == (0, ROWS[name], "")
    status, _, said = run(tmp_path, ROWS[name], "--layout", name, command="validate")
    assert (status, "1 valid, 0 failed" in said) == (0, True)


@pytest.mark.parametrize("name", [name for name, layout in LAYOUTS.items() if layout.marks])
def test_a_row_with_marks_is_known_by_them(name: str, tmp_path: Path) -> None:
    assert layout_of(ROWS[name]) == name
    _, made, said = run(tmp_path, ROWS[name], "--from", "auto", "--to", LAYOUTS[name].format)
    assert made == ROWS[name]
    assert f"rows.jsonl:1: detected as a row of {name}" in said


def test_every_layout_has_a_row_and_is_documented() -> None:
    assert LAYOUTS.keys() == ROWS.keys()
    page = (Path(__file__).parents[2] / "docs" / "command.md").read_text("utf-8")
    assert [name for name in LAYOUTS if f"`{name}`" not in page] == []
    rows: list[Any] = [None, [], {}, {"prompt": "text", "completion": "text"}, {"messages": [ASK]}]
    for row in rows:
        assert layout_of(row) is None


def test_a_batch_of_openai_becomes_one_of_anthropic_and_back(tmp_path: Path) -> None:
    _, there, _ = run(tmp_path, ROWS["openai_batch"], "--layout", "openai_batch", "--to", "anthropic")
    params = {"model": "gpt-x", "max_tokens": 99, "system": "Be brief.", "messages": [ASK]}
    assert there == {"custom_id": "1", "params": params}
    _, back, _ = run(tmp_path, there, "--from", "auto", "--to", "openai_chat")
    assert back == ROWS["openai_batch"]
    _, responses, _ = run(tmp_path, there, "--layout", "anthropic_batch", "--to", "openai_responses")
    assert (responses["url"], responses["body"]["max_output_tokens"]) == ("/v1/responses", 99)
    assert run(tmp_path, responses, "--from", "auto", "--to", "anthropic", "-q")[1] == there


def test_results_of_openai_become_those_of_anthropic_and_back(tmp_path: Path) -> None:
    row = ROWS["openai_batch_results"]
    _, there, said = run(tmp_path, row, "--layout", "openai_batch_results", "--to", "anthropic")
    read = MessageBatchIndividualResponse.model_validate(there)
    assert read.result.type == "succeeded"
    assert read.result.message.content[0].model_dump(exclude_none=True) == {"type": "text", "text": "No."}
    assert "1 × dropped /response/request_id" in said
    _, back, _ = run(tmp_path, there, "--from", "auto", "--to", "openai_chat")
    assert (back["custom_id"], back["error"], back["response"]["status_code"]) == ("1", None, 200)
    body = {"created": 1, **back["response"]["body"]}  # Anthropic's responses do not say when
    assert ChatCompletion.model_validate(body).choices[0].message.content == "No."


TUNING = ("openai_finetuning", "gemini_tuning", "bedrock_tuning", "mistral_finetuning")


@pytest.mark.parametrize("name", TUNING)
@pytest.mark.parametrize("other", TUNING)
def test_a_row_for_tuning_becomes_one_of_another_provider(name: str, other: str, tmp_path: Path) -> None:
    target, row = LAYOUTS[other].format, ROWS[name]
    _, made, _ = run(tmp_path, row, "--layout", name, "--to", target, "-q")
    assert made.get("schemaVersion") == LAYOUTS[other].constants.get("schemaVersion")
    assert LAYOUTS[other].listed in made
    _, back, said = run(tmp_path, made, "--layout", other, "--to", LAYOUTS[name].format)
    assert back.get("schemaVersion") == row.get("schemaVersion")
    assert "1 converted, 0 failed" in said


def test_rows_for_tuning_have_weights_and_nothing_that_only_requests_need(tmp_path: Path) -> None:
    row = {"messages": [ASK, ANSWER | {"weight": 0}, ASK, CALLED, RESULT, ANSWER]}
    _, made, said = run(tmp_path, row, "--layout", "openai_finetuning", "--to", "mistral")
    assert (made["messages"][1]["weight"], "prefix" in json.dumps(made), "weight" in said) == (0, False, False)
    _, back, said = run(tmp_path, made, "--layout", "mistral_finetuning", "--to", "openai_chat")
    assert (back["messages"][1]["weight"], "dropped" in said) == (0, False)
    _, made, said = run(tmp_path, row, "--layout", "openai_finetuning", "--to", "gemini")
    assert ("thoughtSignature" in json.dumps(made), "dropped /messages/*/weight" in said) == (False, True)


def test_a_version_says_which_rows_are_for_tuning() -> None:
    assert layout_of(ROWS["bedrock_tuning"]) == "bedrock_tuning"
    assert layout_of({**ROWS["bedrock_tuning"], "schemaVersion": "messages-v1"}) is None


def test_each_of_the_completions_continues_the_prompt(tmp_path: Path) -> None:
    row = ROWS["gemini_preference"]
    _, made, _ = run(tmp_path, row, "--layout", "gemini_preference", "--to", "anthropic", "-q")
    assert made["completions"][1] == {
        "score": 0,
        "completion": {"role": "assistant", "content": [{"type": "text", "text": "It is cold."}]},
    }
    for broken, path in (
        ({"completions": 5}, "/completions"),
        ({"completions": [5]}, "/completions/0/completion"),
        (
            {"completions": [{"completion": {"role": "model", "parts": [{"text": 5}]}}]},
            "/completions/0/completion/parts/0/text",
        ),
    ):
        _, _, said = run(tmp_path, row | broken, "--layout", "gemini_preference", "--to", "anthropic")
        assert said.splitlines()[0].split(": ")[1] == path


def test_a_row_with_a_preference_becomes_one_of_another_provider(tmp_path: Path) -> None:
    row: dict[str, Any] = ROWS["gemini_preference"] | {"n": 1}
    _, there, _ = run(tmp_path, row | {"completions": row["completions"][::-1]}, "--from", "auto", "--to", "openai_chat", "-q")
    texts = [there[key][0]["content"][0]["text"] for key in ("preferred_output", "non_preferred_output")]
    assert (sorted(there), texts) == (["input", "n", "non_preferred_output", "preferred_output"], ["No.", "It is cold."])
    _, back, _ = run(tmp_path, there, "--from", "auto", "--to", "gemini", "-q")
    assert back == row
    for broken, target in (
        (row | {"completions": row["completions"][:1]}, "openai_chat"),
        (row | {"completions": [{**item, "score": 1} for item in row["completions"]]}, "openai_chat"),
        (there | {"preferred_output": [CALLED, RESULT, ANSWER]}, "gemini"),
    ):
        assert "takes two answers of one message each" in run(tmp_path, broken, "--from", "auto", "--to", target)[2]


def test_functions_are_the_tools_of_older_rows(tmp_path: Path) -> None:
    row = {"messages": [ASK], "functions": [TOOL["function"]], "n": 1}
    for name, held in (("openai_finetuning", row), ("openai_preference", {**ROWS["openai_preference"], "input": row})):
        assert run(tmp_path, held, "--layout", name, "--to", "openai_chat", "-q")[1] == held
        _, made, _ = run(tmp_path, held, "--layout", name, "--to", "anthropic", "-q")
        assert made.get("input", made) == {
            "messages": [ASK],
            "tools": [{"name": "temperature", "input_schema": {"type": "object"}}],
            "n": 1,
        }


FAILED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "anthropic",
        {"response": {"status_code": 429, "body": {"error": {"message": "slow", "type": "rate_limit_error"}}}, "error": None},
        {"type": "errored", "error": {"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}}},
    ),
    (
        "anthropic",
        {"response": {"status_code": 502, "body": "Bad Gateway"}, "error": None},
        {"type": "errored", "error": {"type": "error", "error": {"type": "api_error", "message": "Bad Gateway"}}},
    ),
    ("anthropic", {"response": None, "error": {"code": "batch_expired", "message": "late"}}, {"type": "expired"}),
    ("anthropic", {"response": None, "error": {"code": "batch_cancelled", "message": "x"}}, {"type": "canceled"}),
    (
        "openai_chat",
        {"result": {"type": "errored", "error": {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}}},
        {"code": "server_error", "message": "busy"},
    ),
    (
        "openai_chat",
        {"result": {"type": "expired"}},
        {"code": "batch_expired", "message": "The request was not executed before the batch expired."},
    ),
]


@pytest.mark.parametrize(("target", "row", "expected"), FAILED)
def test_a_result_without_a_response_says_why(target: str, row: Any, expected: Any, tmp_path: Path) -> None:
    row = {"custom_id": "1", **row}
    _, made, _ = run(tmp_path, row, "--from", "auto", "--to", target)
    assert made.get("result", made.get("error")) == expected
    own = "openai_chat" if target == "anthropic" else "anthropic"
    assert run(tmp_path, row, "--from", "auto", "--to", own, "-q")[1] == row
    if target == "anthropic":
        MessageBatchIndividualResponse.model_validate(made)


CLAUDE: dict[str, Any] = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 99, "messages": [ASK]}
NOVA: dict[str, Any] = {"schemaVersion": "messages-v1", "messages": [{"role": "user", "content": [{"text": "Hm?"}]}]}


@pytest.mark.parametrize("target", ["anthropic", "openai_chat", "gemini", "mistral", "bedrock_converse", "anthropic_bedrock"])
@pytest.mark.parametrize("name", [name for name in ROWS if name.endswith("_batch")])
def test_a_request_of_a_batch_becomes_one_of_any_providers_and_back(name: str, target: str, tmp_path: Path) -> None:
    _, there, _ = run(tmp_path, ROWS[name], "--layout", name, "--to", target, "-q")
    unmarked = "vertex_batch" if "request" in there else "mistral_batch"
    layout, own = layout_of(there) or unmarked, LAYOUTS[name].format
    assert LAYOUTS[layout].at[0] in there
    _, back, _ = run(tmp_path, there, "--layout", layout, "--to", own, "-q")
    row, ids = ROWS[name], {"custom_id", "key", "recordId"}
    assert {row.get(key) for key in ids} == {back.get(key) for key in ids}
    assert il.load(there[LAYOUTS[layout].at[0]], il.format_of(target)).messages[-1].role == "user"


def test_the_bodies_of_a_batch_on_bedrock_are_those_of_its_models(tmp_path: Path) -> None:
    row: dict[str, Any]
    for body in (CLAUDE, NOVA):
        _, made, _ = run(tmp_path, {"recordId": "1", "modelInput": body}, "--from", "auto", "--to", "openai_chat", "-q")
        assert [message["role"] for message in made["body"]["messages"]] == ["user"]
    row = {"recordId": "1", "modelInput": {"inputText": "Hm?", "textGenerationConfig": {}}}
    status, _, said = run(tmp_path, row, "--from", "auto", "--to", "openai_chat")
    assert (status, "/modelInput: the body must have one of the fields" in said) == (1, True)
    assert "Bedrock's text models" in said


ERRORS: list[tuple[dict[str, Any], int | None, str]] = [
    ({"recordId": "1", "modelInput": CLAUDE, "error": {"errorCode": 400, "errorMessage": "no"}}, 400, "no"),
    ({"key": "1", "error": {"code": 8, "message": "no"}}, 429, "no"),
    (
        {
            "status": 'Bad Request: {"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}',
            "processed_time": "t",
            "request": {},
            "response": {},
        },
        400,
        "no",
    ),
    ({"status": "Internal error", "processed_time": "t", "request": {}, "response": {}}, None, "Internal error"),
]


@pytest.mark.parametrize(("row", "status", "message"), ERRORS, ids=json.dumps)
def test_an_error_in_place_of_a_response_is_kept(row: Any, status: int | None, message: str, tmp_path: Path) -> None:
    _, made, _ = run(tmp_path, row, "--from", "auto", "--to", "anthropic", "-q")
    words = {400: "invalid_request_error", 429: "rate_limit_error", None: "api_error"}
    assert made["result"]["error"]["error"] == {"type": words[status], "message": message}
    MessageBatchIndividualResponse.model_validate(
        {"custom_id": "1", **made, **({} if made["custom_id"] else {"custom_id": "1"})}
    )
    for target in ("bedrock_converse", "gemini"):
        _, other, _ = run(tmp_path, made, "--from", "auto", "--to", target, "-q")
        assert (other["error"].get("errorMessage") or other["error"]["message"]) == message


def test_a_completion_continues_its_prompt(tmp_path: Path) -> None:
    _, made, said = run(tmp_path, ROWS["trl_completion"], "--layout", "trl_completion", "--to", "anthropic")
    assert (made["system"], made["prompt"], [tool["name"] for tool in made["tools"]]) == ("Be brief.", [ASK], ["temperature"])
    assert [message["role"] for message in made["completion"]] == ["assistant", "user", "assistant"]
    assert made["completion"][1]["content"][0]["tool_use_id"] == "c"
    assert "1 converted, 0 failed" in said


def conversion(row: Any, name: str, target: str) -> Outcome:
    return perform(convert_document, Document("a", 1, json.dumps(row).encode()), Options("", target, layout=name))


@over.formats(["openai_chat", "anthropic", "gemini", "openai_responses", "sharegpt"], "target")
@given(payload=testing.payloads("openai_chat", odd=False), cut=st.integers(0, 5))
def test_a_row_that_is_divided_says_what_the_whole_says(target: str, payload: Any, cut: int) -> None:
    messages, beside = payload["messages"], {"tools": payload["tools"]} if payload.get("tools") else {}
    outcome = conversion({"prompt": messages[:cut], "completion": messages[cut:], "n": 1, **beside}, "trl_completion", target)
    whole: Any = il.convert({"messages": messages, **beside}, source="openai_chat", target=il.format_of(target))
    listed = whole.payload.pop(il.FORMATS[target].listed, [])
    if not share.judged(not outcome.failed, least=0.65):
        assert [(fault.path, fault.reason.split(" ")[1:]) for fault in outcome.faults] == [("/completion", DIVIDED)]
        return
    row = json.loads(outcome.output or "")
    assert [*row.pop("prompt", []), *row.pop("completion")] == listed
    assert row == {"n": 1, **whole.payload}
    whole_losses = sorted((loss.path, loss.kind) for loss in whole.losses)
    assert sorted((_in_one_list(loss.path, cut), loss.kind) for loss in outcome.losses) == whole_losses


def test_losses_of_a_prompt_that_depend_on_what_continues_it_are_reported_once() -> None:
    calls = {"role": "assistant", "content": None, "tool_calls": [CALL, CALL | {"id": "d"}]}
    row = {"prompt": [ASK, calls, RESULT | {"tool_call_id": "d"}], "chosen": [RESULT], "rejected": [RESULT]}
    outcome = conversion(row, "trl_preference", "sharegpt")
    assert [loss.path for loss in outcome.losses if loss.kind == "moved"] == ["/chosen/0", "/prompt/2", "/rejected/0"]


DIVIDED = "cannot divide the conversation where the row does".split(" ")


def _in_one_list(path: str, cut: int) -> str:
    """The pointer in the whole conversation for one in its row."""
    tokens = path.split("/")
    if tokens[1] in ("prompt", "completion") and len(tokens) > 2:
        tokens[2] = str(int(tokens[2]) + (cut if tokens[1] == "completion" else 0))
    return "/".join(["", "messages", *tokens[2:]]) if tokens[1] in ("prompt", "completion") else path


def test_json_text_in_a_row_is_json_text_again(tmp_path: Path) -> None:
    row = ROWS["trl_completion"]
    texts = {key: json.dumps(value) for key, value in row.items()}
    _, made, _ = run(tmp_path, texts, "--layout", "trl_completion", "--to", "anthropic", "-q")
    _, plain, _ = run(tmp_path, row, "--layout", "trl_completion", "--to", "anthropic", "-q")
    assert {key: json.loads(value) if key in row else value for key, value in made.items()} == plain
    broken = {**texts, "completion": '[{"role"'}
    assert "/completion: not JSON" in run(tmp_path, broken, "--layout", "trl_completion", "--to", "anthropic")[2]


def test_losses_and_faults_point_into_the_row(tmp_path: Path) -> None:
    named = {**ROWS["trl_preference"], "rejected": [{**ANSWER, "name": "x"}], "prompt": [ASK, ANSWER, {**ASK, "name": "mira"}]}
    losses = tmp_path / "losses.jsonl"
    run(tmp_path, named, "--layout", "trl_preference", "--to", "anthropic", "--losses", str(losses))
    assert [json.loads(line)["path"] for line in losses.read_text("utf-8").splitlines()] == [
        "/prompt/2/name",
        "/rejected/0/name",
    ]
    alone = {**named, "prompt": [ASK], "rejected": {**ANSWER, "name": "x"}}
    run(tmp_path, alone, "--layout", "trl_preference", "--to", "anthropic", "--losses", str(losses))
    assert json.loads(losses.read_text("utf-8"))["path"] == "/rejected/name"
    faulty: list[tuple[Any, str]] = [
        ({**ROWS["trl_preference"], "chosen": {"role": "assistant", "content": 7}}, "/chosen/content"),
        ({**ROWS["trl_preference"], "chosen": [{"role": "assistant", "content": 7}]}, "/chosen/0/content"),
        ({**ROWS["trl_preference"], "chosen": "text"}, "/chosen"),
        ({"prompt": [ASK]}, "/chosen"),
        ({**ROWS["trl_preference"], "prompt": 7}, "/chosen"),
        ([], "(the whole)"),
    ]
    for row, path in faulty:
        status, _, said = run(tmp_path, row, "--layout", "trl_preference", "--to", "anthropic")
        assert (status, said.splitlines()[0].split(": ")[1]) == (1, path)
    odd = {**ROWS["openai_batch"], "url": "/v1/embeddings"}
    assert "/url: Input should be one of /v1/chat/completions" in run(tmp_path, odd, "--from", "auto", "--to", "anthropic")[2]


def test_a_field_that_is_taken_and_a_conversation_that_cannot_be_divided_are_faults(tmp_path: Path) -> None:
    taken = {"messages": [SYSTEM, ASK], "system": 1}
    assert "/system: the row already has" in run(tmp_path, taken, "--layout", "trl", "--to", "anthropic")[2]
    joined = {"prompt": [ASK, CALLED, RESULT], "completion": [ASK, ANSWER]}
    said = run(tmp_path, joined, "--from", "auto", "--to", "bedrock_converse")[2]
    assert "/completion: bedrock_converse cannot divide the conversation where the row does" in said


def test_check_looks_at_each_conversation_of_a_row(tmp_path: Path) -> None:
    row = {**ROWS["trl_preference"], "chosen": [CALLED, ANSWER]}
    status, _, _ = run(tmp_path, row, "--layout", "trl_preference", "--for", "openai_chat", command="check")
    assert status == 1
    status, said, _ = run(tmp_path, row, "--layout", "trl_preference", "--for", "openai_chat", "--json", command="check")
    assert (said["path"], said["code"]) == ("/chosen/0/tool_calls/0", "call-without-result")


def test_text_is_no_conversation(tmp_path: Path) -> None:
    row = {"prompt": "The sky is", "completion": " blue.", "reward": 1}
    assert run(tmp_path, row, "--layout", "verifiers", "--to", "anthropic", "-q") == (0, row, "")


def test_a_wrong_use_is_refused(tmp_path: Path) -> None:
    for options in (
        ["--layout", "openai_batch", "--to", "cohere"],
        ["--to", "gemini"],
        ["--layout", "trl", "--column", "a", "--to", "gemini"],
    ):
        (tmp_path / "x.jsonl").write_text("{}\n", "utf-8")
        assert CliRunner().invoke(interlingua, ["convert", str(tmp_path / "x.jsonl"), *options]).exit_code == 2


def test_the_fields_of_rows_are_those_of_the_sdks() -> None:
    from anthropic.types.messages.batch_create_params import Request

    assert set(Request.__annotations__) == {*LAYOUTS["anthropic_batch"].marks}
    assert il.load(ROWS["anthropic_batch"]["params"], "anthropic").model == "claude-x"


MIXED: list[Any] = [
    {"messages": [ASK]},
    {"prompt": [ASK], "completion": [ANSWER]},
    {"messages": [ASK], "n": 2},
    {"prompt": [ASK], "chosen": [ANSWER], "rejected": [ANSWER]},
    [ASK],
]
TAKEN: list[tuple[str, str | None]] = [
    ("openai_chat", None),
    ("openai_chat", "trl_completion"),
    ("openai_chat", None),
    ("openai_chat", "trl_preference"),
    ("openai_chat", None),
]


SHAPED = "(the whole): the first document became a request or a conversation, and this document would become "


def converted(tmp_path: Path, rows: list[Any], *options: str) -> tuple[list[Any], str]:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    command = ["convert", str(file), "--from", "auto", "--to", "anthropic", *options]
    done = CliRunner().invoke(interlingua, command, standalone_mode=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_written_has_the_shape_of_the_first(tmp_path: Path, jobs: str) -> None:
    made, said = converted(tmp_path, MIXED, "--jobs", jobs)
    assert [sorted(row) for row in made] == [["messages"]] * 3
    for line, shape in ((2, "a row of trl_completion"), (4, "a row of trl_preference")):
        assert f"rows.jsonl:{line}: {SHAPED}{shape}: " in said
    assert "3 converted, 2 failed" in said
    made, said = converted(tmp_path, MIXED[1:])
    assert [sorted(row) for row in made] == [["completion", "prompt"]]


def test_rows_of_batches_of_several_providers_have_one_shape(tmp_path: Path) -> None:
    made, said = converted(tmp_path, [ROWS["openai_batch"], ROWS["anthropic_batch"]])
    assert [sorted(row) for row in made] == [["custom_id", "params"]] * 2
    assert "2 converted, 0 failed" in said


def test_a_field_says_what_each_was_taken_for(tmp_path: Path) -> None:
    made, said = converted(tmp_path, MIXED, "--say-source")
    assert [(row["source"], row["layout"]) for row in made] == TAKEN
    _, said = converted(tmp_path, [{**MIXED[1], "source": "logs"}], "--say-source")
    assert "/source: the row already has this field" in said


def test_lists_of_messages_are_another_shape_where_they_stay_lists(tmp_path: Path) -> None:
    own: list[Any] = [{"version": 1, "messages": [ASK]}, [ASK]]
    made, said = converted(tmp_path, own, "--to", "interlingua")
    assert len(made) == 1
    assert f"rows.jsonl:2: {SHAPED}a list of messages: " in said
    made, said = converted(tmp_path, own, "--to", "interlingua", "--say-source")
    assert made == [{**own[0], "source": "interlingua", "layout": None}]
    assert "rows.jsonl:2: (the whole): a list of messages has no place" in said


def test_a_run_that_goes_on_keeps_its_shape(tmp_path: Path) -> None:
    file, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in MIXED[:2]), "utf-8")
    source = Source([str(file)])
    options = Options("auto", "anthropic")
    sink_of: Any = vars(running)["_Sink"]
    setting = Setting("converted", out=str(out), one_shape=True)
    sink = sink_of(source, setting, options, convert_document)
    first, second = (perform(convert_document, document, options) for document in source)
    sink.take([first])
    sink.keep()
    again = sink_of(source, replace(setting, resume=True), options, convert_document)
    again.take([second])
    assert (again.counts.done, again.counts.failed) == (2, 1)
    again.keep()
