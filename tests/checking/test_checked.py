"""`check` joined to `dump` and `convert`: where the problems of what is sent are in what was passed."""

from typing import Any

import pytest

import interlingua as il

CALL: dict[str, Any] = {"id": "a", "type": "function", "function": {"name": "add", "arguments": "{}"}}
UNANSWERED: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Add."},
        {"role": "user", "content": "What is 2 + 2?"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "user", "content": "Well?"},
    ],
}


def found(problems: Any) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in problems]


def test_the_problems_of_a_conversion_point_into_the_source() -> None:
    result = il.convert(UNANSWERED, source="openai_chat", target="gemini", check=True)
    assert found(result.problems) == [("result-count-mismatch", "/messages/2")]
    bare = il.convert(UNANSWERED["messages"], source="openai_chat", target="gemini", check=True)
    assert found(bare.problems) == [("result-count-mismatch", "/2")]


def test_a_conversion_is_checked_on_request_only() -> None:
    assert il.convert(UNANSWERED, source="openai_chat", target="gemini").problems == ()


def test_a_dump_that_would_be_refused_is_an_error_on_request() -> None:
    request = il.load(UNANSWERED, "openai_chat")
    il.dump(request, "openai_chat")
    with pytest.raises(il.RefusedRequest, match="call-without-result") as error:
        il.dump(request, "openai_chat", check="raise")
    assert found(error.value.problems) == [("call-without-result", "/messages/2/tool_calls/0")]
    [entry] = il.error_body(error.value)["errors"]
    assert entry["path"] == "/messages/2/tool_calls/0"
    assert entry["reason"].endswith("[call-without-result]")


def test_warnings_alone_do_not_refuse_a_dump() -> None:
    request = il.load({"contents": [{"parts": [{"text": ""}]}]}, "gemini")
    assert [problem.severity for problem in il.check(request, "gemini")] == ["warning"]
    il.dump(request, "gemini", check="raise")


def test_problems_of_models_point_into_the_list_that_was_passed() -> None:
    request = il.load(UNANSWERED, "openai_chat")
    assert found(il.check(request.messages, "openai_chat")) == [("call-without-result", "/2/tool_calls/0")]
    assert found(il.check(list(request.messages), "gemini")) == [("result-count-mismatch", "/2")]
    assert found(il.check(il.Conversation(messages=request.messages), "openai_chat")) == [
        ("call-without-result", "/messages/2/tool_calls/0")
    ]


def test_messages_alone_are_not_blamed_for_settings_that_they_lack() -> None:
    messages = [il.UserMessage(content="Hi")]
    for format in il.FORMATS.values():
        assert il.check(messages, format) == []
        assert il.check(il.Conversation(messages=messages), format) == []
    assert found(il.check(il.Request(messages=messages), "anthropic_vertex")) == [("max-tokens-missing", "")]


def test_lists_of_texts_are_no_problem_for_a_host_that_takes_them() -> None:
    texts = [{"type": "text", "text": "Hi."}]
    messages = [{"role": role, "content": texts} for role in ("system", "user", "assistant", "user")]
    body = {"model": "m", "messages": messages}
    assert found(il.check(body, "groq")) == []
    assert {code for code, _ in found(il.check(body, "deepseek"))} == {"content-must-be-string"}


def test_problems_of_settings_point_at_the_setting() -> None:
    request = il.Request(messages=[il.UserMessage(content="Hi")], temperature=-0.5)
    assert found(il.check(request, "gemini")) == [("number-out-of-range", "/temperature")]


def test_of_messages_alone_no_setting_is_missing() -> None:
    answered = [*UNANSWERED["messages"][:3], {"role": "tool", "tool_call_id": "a", "content": "4"}]
    messages = il.load(answered, "openai_chat").messages
    for format in ("anthropic", "anthropic_vertex", "bedrock_converse"):
        assert il.check(messages, il.format_of(format)) == []
    request = il.Request(messages=messages, model="m")
    assert set(found(il.check(request, "anthropic"))) == {("tools-missing-for-history", ""), ("max-tokens-missing", "")}


def test_a_body_may_be_json_text_or_a_bare_list() -> None:
    assert found(il.check(UNANSWERED["messages"], "openai_chat")) == [("call-without-result", "/2/tool_calls/0")]
    assert found(il.check('{"contents": []}', "gemini")) == [("no-messages", "/contents")]
    with pytest.raises(il.InvalidPayload):
        il.check("{", "gemini")


def test_a_format_of_the_callers_own_has_the_rules_of_its_kind() -> None:
    format = il.format_for(il.ChatProfile(names=False), "mine")
    assert found(il.check(UNANSWERED, format)) == [("call-without-result", "/messages/2/tool_calls/0")]


def test_a_host_of_the_callers_own_may_take_results_further_down() -> None:
    format = il.format_for(il.ChatProfile(names=False), "mine")
    body = {"messages": [*UNANSWERED["messages"], {"role": "tool", "tool_call_id": "a", "content": "4"}]}
    assert [(problem.severity, problem.code) for problem in il.check(body, format)] == [("warning", "result-far-from-call")]
    assert {problem.severity for problem in il.check(body, "openai_chat")} == {"error"}


def test_a_problem_is_a_line_for_people() -> None:
    [problem] = il.check(UNANSWERED, "openai_chat")
    assert str(problem) == (
        "error /messages/2/tool_calls/0: the result of a tool call must follow "
        "the call directly: add one, or leave the call out [call-without-result]"
    )


def test_nothing_of_the_content_is_shown() -> None:
    secret = "a-secret-of-the-user"
    body = {"contents": [{"role": secret, "parts": [{"inlineData": {"mimeType": secret, "data": secret + "!"}}]}]}
    problems = il.check(body, "gemini")
    assert len(problems) == 3
    assert secret not in str(problems)


def test_empty_ids_of_hosts_that_make_none_are_no_duplicates() -> None:
    calls = [{"id": "", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in "fg"]
    results = [{"role": "tool", "tool_call_id": "", "content": "1"}] * 2
    body = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": calls}, *results]}
    assert il.check(body, "gemini_openai") == []
    assert {problem.code for problem in il.check(body, "openai_chat")} == {"call-id-missing"}


def test_another_word_for_raise_is_an_error() -> None:
    with pytest.raises(ValueError, match="check must be"):
        il.dump([il.UserMessage(content="Hi")], "anthropic", check="warn")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]  # on purpose
