"""What `repair` makes of what a provider would refuse: nothing that it treats is refused any more, and nothing else changes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

import interlingua as il
from checking.rule_sets import RULES
from formats.refused import Refused
from formats.test_refused import ALL_RULES, CASES
from interlingua import testing
from interlingua.checking.repairing import PLACEHOLDER, TREATED
from interlingua.model.turns import results_of, says_something
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import resolves
from laws import over, sdks
from laws.steps import steps

FORMATS = list(RULES)
POLICIES = st.sampled_from(["drop", "placeholder"])


def is_treated(format: str, code: str) -> bool:
    rule = ALL_RULES.get((format, code))
    return rule is not None and rule.fault in TREATED


SOMETIMES = {
    "file-data-format": "where the first bytes show a PDF",
    "image-url-scheme": "where the URL is an image in base64",
    "strict-additional-properties": "where the schema does not ask for further properties",
}
"""What is treated only where the value itself says how."""


def treated(value: Any, format: il.FormatName) -> list[tuple[str, str]]:
    """The errors that repair always treats, in what is sent."""
    found = [each for each in il.check(value, format) if each.severity == "error" and each.code not in SOMETIMES]
    return [(each.code, each.path) for each in found if is_treated(format, each.code)]


def without_name(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "name"}


def refused(value: Any, format: il.FormatName) -> set[str]:
    """What the official SDK and the published specification of its family say against what is sent."""
    body, judge = il.dump(value, format, on_loss="ignore"), sdks.judge_of(format)
    if judge not in sdks.SDKS:
        return set()
    if il.FORMATS[judge].dump is not il.FORMATS[format].dump:  # the arguments of a client, of which the judge knows the body
        body = il.convert(body, source=format, target=il.format_of(judge)).payload
    elif judge != format and getattr(il.FORMATS[format].profile, "tool_name", False):  # a field that the judge does not know
        body = {**body, "messages": [without_name(each) if each.get("role") == "tool" else each for each in body["messages"]]}
    return {fault.rule for fault in (*sdks.request_faults(body, judge), *sdks.spec_faults(body, judge))}


NEED_A_USER = ("first-not-user", "call-turn-misplaced")
"""What cannot be treated where the user says nothing."""


UNREPAIRABLE = {
    "no-messages": "nobody says anything that can be sent",
    "shape": "an opaque value is no message or part of this format",
    "part-type-missing": "an opaque value is no part of this format",
    "media-data-invalid": "only the caller has the data",
    "file-data-format": "only the caller knows the type of a file, or has another one",
    "pdf-refused": "only the caller has the document",
    "url-source-unsupported": "only the caller can fetch it",
    "modality-unsupported-image": "nothing stands for an image",
    "error-result-content": "only the caller knows what went wrong",
    **dict.fromkeys(NEED_A_USER, "nobody speaks for the user"),
}
"""What is refused of messages and cannot be repaired without inventing something."""


def messages_of(value: Any) -> Any:
    return value.messages if hasattr(value, "messages") else value


def repaired(value: Any, format: il.FormatName, policy: Any, *, warnings: bool) -> tuple[Any, list[il.Repair]]:
    repair: Any = il.repair
    found: tuple[Any, list[il.Repair]] = repair(value, format, policy=policy, warnings=warnings)
    return found


def plain(value: Any) -> Any:
    return value.to_dict() if hasattr(value, "messages") else [message.to_dict() for message in value]


# What each treatment does


UNTREATED = {
    ("call-turn-misplaced", "/contents/0"): "the user says nothing",
    **{
        ("file-data-format", path): "nothing says that it is a PDF, or it is none"
        for path in (
            "/messages/1/content/0/file/file_data",
            "/messages/1/content/1/file/file_data",
            "/input/2/output/0/file_data",
        )
    },
    **{
        ("image-url-scheme", path): "the name of a file, which only the caller has"
        for path in ("/messages/1/content/0/image_url/url", "/input/1/content/0/image_url")
    },
    **{
        ("strict-additional-properties", path): "the schema asks for further properties"
        for path in ("/tools/0/function/parameters", "/text/format/schema")
    },
    ("responses-call-id-length", "/input/1"): "a call without an id, whose result cannot be known",
    ("thinking-must-lead", "/messages/1/content/0"): "there is no thinking that could lead",
    ("tool-name-pattern", "/tools/0/tools/0/name"): "a tool of the provider's own kind",
}
"""Cases of treated rules that stay refused, and why."""
REPAIRED = [case for case in CASES if is_treated(case.format, case.code) and (case.code, case.path) not in UNTREATED]


@pytest.mark.parametrize("case", REPAIRED, ids=[f"{case.format}-{case.code}-{i}" for i, case in enumerate(REPAIRED)])
def test_what_a_rule_catches_is_repaired(case: Refused) -> None:
    request = il.load(case.refused, case.format)
    warns = ALL_RULES[case.format, case.code].severity == "warning"
    fixed, repairs = il.repair(request, case.format, warnings=warns)
    assert repairs
    assert [each for each in il.check(fixed, case.format) if each.code == case.code] == []


NAMED = {"filename": "a"}


@pytest.mark.parametrize(
    ("part", "becomes"),
    [
        ({"file": NAMED | {"file_data": "JVBERi0="}}, {"file": NAMED | {"file_data": "data:application/pdf;base64,JVBERi0="}}),
        ({"file": NAMED | {"file_data": "iVBORw0KGgo="}}, None),
        ({"file": NAMED | {"file_data": "aGVsbG8="}}, None),
        ({"file": NAMED | {"file_data": "JVBERi0x" + 32 * "A" + "%PDF"}}, None),
        ({"image_url": {"url": "/9j/4AAQ"}}, {"image_url": {"url": "data:image/jpeg;base64,/9j/4AAQ"}}),
        ({"image_url": {"url": "JVBERi0="}}, None),
        ({"image_url": {"url": "cat.png"}}, None),
    ],
)
def test_bare_base64_gets_the_media_type_that_its_first_bytes_show(part: Any, becomes: Any) -> None:
    body = {"messages": [{"role": "user", "content": [{"type": kind, **part}]} for kind in part]}
    fixed, repairs = il.repair(il.load(body, "openai_chat"), "openai_chat")
    assert [repair.path for repair in repairs] == ([] if becomes is None else ["/messages/0/content/0"])
    (message,) = il.dump(fixed, "openai_chat")["messages"]
    assert message["content"] == [{"type": kind, **(becomes or part)} for kind in part]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("data:application/pdf;base64,JVBERi0=", "document.pdf"),
        ("data:text/csv;base64,YSxi", "document.csv"),
        ("JVBERi0=", "document.pdf"),
        ("data:x/y;base64,YSxi", "document.bin"),
        ("data:application/pdf;name=x.pdf;base64,JVBERi0=", "document.pdf"),
        ("DATA:Application/PDF;base64,JVBERi0=", "document.pdf"),
    ],
)
def test_a_file_without_a_name_gets_one_by_its_media_type(data: str, name: str) -> None:
    body = {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_data": data}}]}]}
    fixed, repairs = il.repair(il.load(body, "openai_chat"), "openai_chat")
    assert ("filename-missing", "/messages/0/content/0") in [(each.code, each.path) for each in repairs]
    assert il.dump(fixed, "openai_chat")["messages"][0]["content"][0]["file"]["filename"] == name


@pytest.mark.parametrize(
    ("content", "role"),
    [
        ({"role": "assistant", "parts": [{"text": "4", "thoughtSignature": "c2ln"}]}, "model"),
        ({"role": "function", "parts": [{"functionResponse": {"name": "f", "response": {"a": 1}}}]}, "user"),
        ({"role": "system", "parts": [{"text": "s"}]}, None),
        ({"role": "assistant", "parts": 5}, None),
    ],
)
@pytest.mark.parametrize("format", ["gemini", "google_genai"])
def test_a_role_is_said_in_the_word_of_the_provider(content: Any, role: str | None, format: il.FormatName) -> None:
    asked: dict[str, Any] = {"role": "user", "parts": [{"text": "q"}]}
    calls: dict[str, Any] = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
    before = [asked, calls] if content["role"] == "function" else [asked]
    try:
        messages = list(il.load({"contents": [*before, content]}, format).messages)
    except il.InvalidPayload:
        messages = [user("q"), il.OpaqueMessage(format="gemini", value=content)]
    fixed, repairs = il.repair(il.Request(messages=messages, origin=format), format, warnings=True)
    assert [repair.path for repair in repairs] == ([] if role is None else [f"/messages/{len(before)}"])
    assert fixed.messages[-1] == messages[-1] if role is None else fixed.messages[-1].wire is None
    assert il.dump(fixed, format)["contents"][-1] == {**content, "role": role or content["role"]}


@pytest.mark.parametrize("format", ["openai_chat", "openai_responses"])
def test_different_names_of_schemas_stay_different(format: il.FormatName) -> None:
    names = ["A[int]", "A[str]", "A(int)", "A" * 64, "A" * 65, "A" * 66, ""]
    found: list[str] = []
    for name in names:
        form = il.ResponseFormat(type="json_schema", name=name, json_schema={"type": "object", "properties": {}})
        fixed, repairs = il.repair(il.Request(messages=[user("1")], response_format=form), format)
        assert [repair.path for repair in repairs] == ([] if name == "A" * 64 else ["/response_format"])
        assert fixed.response_format is not None
        assert il.check(fixed, format) == []
        found.append(fixed.response_format.name or "")
    assert len(set(found)) == len(names)


def strict_tool(**more: Any) -> il.Tool:
    inner: dict[str, Any] = {"type": "array", "items": {"type": ["object", "null"], "properties": {}, **more}}
    free: dict[str, Any] = {"type": "object", "additionalProperties": True}
    parameters = {"type": "object", "properties": {"inner": inner, "free": free}, "required": ["inner", "free"], **more}
    return il.Tool(name="f", parameters=parameters, strict=True)


@pytest.mark.parametrize("format", ["anthropic", "openai_chat", "openai_responses", "bedrock_converse"])
def test_objects_of_strict_schemas_take_no_further_properties_where_nothing_says_that_they_do(format: il.FormatName) -> None:
    open, closed = strict_tool(), strict_tool(additionalProperties=False)
    asked = il.ResponseFormat(type="json_schema", name="n", json_schema=open.parameters, strict=True)
    tools = [open, open.replace(name="g", strict=None)]
    request = il.Request(messages=[user("1")], tools=tools, response_format=asked, origin=format)
    fixed, repairs = il.repair(request, format, warnings=True)
    assert fixed.tools == (closed, open.replace(name="g", strict=None))
    answer = asked if format == "bedrock_converse" else asked.replace(json_schema=closed.parameters)
    assert fixed.response_format == answer
    assert {each.path for each in repairs} == {"/tools/0", *(["/response_format"] if answer != asked else [])}
    assert open == strict_tool()


def user(text: str) -> il.Message:
    return il.UserMessage(content=text)


def called(*ids: str, text: str | None = None) -> il.Message:
    calls = [il.ToolCall(id=id, name="f", arguments="{}") for id in ids]
    return il.AssistantMessage(content=text, tool_calls=calls)


def result(id: str) -> il.Message:
    return il.ToolMessage(tool_call_id=id, content="r")


def results(*ids: str, text: str | None = None) -> il.Message:
    held: list[il.Part] = [il.ToolResultPart(tool_use_id=id, content="r") for id in ids]
    return il.UserMessage(content=[*held, *([] if text is None else [il.TextPart(text=text)])])


def shape(messages: Sequence[il.Message]) -> str:
    """The roles of messages, and the ids of the results in them."""
    shown = [message.role[0] + "".join(answered.id for answered in results_of(message) if answered.id) for message in messages]
    return " ".join(shown)


@pytest.mark.parametrize(
    ("history", "dropped", "filled"),
    [
        ([user("1"), called("a", "b"), result("a"), user("2")], "u u", "u a ta tb u"),
        ([user("1"), called("a"), user("2"), result("a"), user("3")], "u a ta u u", "u a ta u u"),
        ([user("1"), result("a"), called("a"), user("2")], "u a ta u", "u a ta u"),
        ([user("1"), result("a"), user("2")], "u u", "u u"),
        ([user("1"), called("a"), result("a"), result("a"), user("2")], "u a ta u", "u a ta u"),
        ([user("1"), called("a", "b"), results("b"), user("2"), results("a", text="3")], "u a uba u u", "u a uba u u"),
        ([user("1"), called("a", "b"), results("b", text="2")], "u u", "u a uba"),
        ([user("1"), called("a", "b"), result("b"), results("a", text="2")], "u a tb ua", "u a tb ua"),
        ([user("1"), called("a", "b"), result("b"), user("2"), results("a", text="3")], "u a uba u u", "u a uba u u"),
        ([user("1"), called("a"), user("2"), called("a"), result("a")], "u u a ta", "u a ta u a ta"),
    ],
)
def test_results_go_behind_their_calls(history: list[il.Message], dropped: str, filled: str) -> None:
    fixed, _ = il.repair(history, "anthropic")
    assert shape(fixed) == dropped
    fixed, _ = il.repair(history, "anthropic", policy="placeholder")
    assert shape(fixed) == filled


def test_a_placeholder_says_that_there_is_no_result() -> None:
    fixed, repairs = il.repair([user("1"), called("a"), user("2")], "openai_chat", policy="placeholder")
    assert fixed[2] == il.ToolMessage(tool_call_id="a", content=PLACEHOLDER)
    does = "the tool call gets a placeholder as its result"
    assert repairs == [il.Repair("call-without-result", "/1/tool_calls/0", "/1/tool_calls/0", does)]
    assert str(repairs[0]) == f"repaired /1/tool_calls/0: {does} [call-without-result]"


@pytest.mark.parametrize("format", ["openai_chat", "deepseek", "openrouter", "litellm"])
@pytest.mark.parametrize("id", [{}, {"id": ""}], ids=["no id", "an empty id"])
def test_a_placeholder_for_a_call_without_an_id_gives_both_one(format: il.FormatName, id: dict[str, str]) -> None:
    call = {**id, "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked, answer = {"role": "user", "content": "Go."}, {"role": "tool", "tool_call_id": "x", "content": "r"}
    messages = [asked, {"role": "assistant", "content": None, "tool_calls": [call]}, answer, asked]
    fixed, _ = il.repair(il.load({"model": "m", "messages": messages}, format), format, policy="placeholder")
    assert [problem.code for problem in il.check(fixed, format) if problem.severity == "error"] == []
    assert [message.role for message in fixed.messages] == ["user", "assistant", "tool", "user"]


@pytest.mark.parametrize("format", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(("given", "becomes"), [(("", ""), ("1", "2")), (("", "1"), ("2", "1")), (("2", ""), ("2", "1"))])
def test_a_result_with_an_empty_id_gets_that_of_the_call_which_it_answers(
    given: tuple[str, str], becomes: tuple[str, str], format: il.FormatName
) -> None:
    def asked(*ids: str) -> il.Request:
        results = [il.ToolMessage(tool_call_id=id, content=str(n)) for n, id in enumerate(ids)]
        return il.Request(messages=[user("a"), called("1", "2"), *results], origin=format)

    fixed, _ = il.repair(asked(*given), format)
    assert fixed == asked(*becomes)


def test_a_repair_says_where_its_owner_is_now() -> None:
    history = [user("1"), user("2"), called("a"), user("3"), result("a")]
    request = il.Request(messages=[result("b"), *history], model="m")
    fixed, repairs = il.repair(request, "openai_chat")
    assert [(repair.path, repair.at) for repair in repairs] == [("/messages/0", None), ("/messages/5", "/messages/3")]
    assert fixed.model == "m"
    conversation, repairs = il.repair(il.Conversation(messages=history, id="x"), "openai_chat")
    assert [(repair.path, repair.at) for repair in repairs] == [("/messages/4", "/messages/3")]
    assert conversation.id == "x"
    assert il.repair(conversation, "openai_chat") == (conversation, [])


def test_messages_that_are_one_object_are_distinguished() -> None:
    orphan = result("a")
    fixed, repairs = il.repair((orphan, user("1"), orphan), "openai_chat")
    assert [repair.path for repair in repairs] == ["/0", "/2"]
    assert fixed == [user("1")]


def test_a_repair_of_a_placeholder_has_the_place_of_its_call() -> None:
    def uses(*ids: str) -> dict[str, Any]:
        return {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}} for id in ids]}

    def answers(id: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "1"}]}

    messages = [{"role": "user", "content": "q"}, uses("b"), answers("b"), uses("a", "b"), answers("a")]
    fixed, repairs = il.repair(il.load(messages, "anthropic"), "anthropic", policy="placeholder")
    assert {repair.path for repair in repairs} == {"/messages/3/content/1"}
    assert treated(fixed, "anthropic") == []


@pytest.mark.parametrize("format", ["openai_chat", "litellm"])
def test_a_result_is_moved_before_a_message_without_parts(format: il.FormatName) -> None:
    empty: dict[str, Any] = {"role": "user", "content": []}
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in "ab"]
    first, second = ({"role": "tool", "tool_call_id": id, "content": "1"} for id in "ba")
    asked = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    fixed, repairs = il.repair(il.load([*asked, first, empty, second], format), format, warnings=format == "litellm")
    assert [(repair.path, repair.at) for repair in repairs] == [("/messages/4", "/messages/3")]
    assert treated(fixed, format) == []


@pytest.mark.parametrize("policy", ["drop", "placeholder"])
@pytest.mark.parametrize(
    "roles",
    ["user orphan uses orphan user", "user called uses result", "uses called result", "user called result uses"],
)
def test_calls_of_the_user_are_left_out_for_gemini(roles: str, policy: Any) -> None:
    made = {
        "user": user("1"),
        "orphan": result("x"),
        "uses": il.UserMessage(content=[il.ToolUsePart(id="b", name="f", input={})]),
        "called": called("a"),
        "result": result("a"),
    }
    fixed, _ = il.repair([made[each] for each in roles.split()], "gemini", policy=policy)
    assert [each for each in treated(fixed, "gemini") if each[0] not in NEED_A_USER] == []
    assert ("called" in roles) is (made["called"] in fixed)


@pytest.mark.parametrize("policy", ["drop", "placeholder"])
@pytest.mark.parametrize("made", [il.SystemMessage, il.DeveloperMessage, il.AssistantMessage])
def test_results_in_messages_of_other_roles_are_moved_to_the_user(made: Any, policy: Any) -> None:
    said = il.TextPart(text="2")
    held = made(content=[il.ToolResultPart(tool_use_id="a", content="r"), said])
    fixed, repairs = il.repair([user("1"), called("a"), held], "openai_chat", policy=policy)
    assert fixed == [user("1"), called("a"), results("a"), made(content=[said])]
    assert [(repair.path, repair.at) for repair in repairs] == [("/2/content/0", "/2/content/0")]


@pytest.mark.parametrize("format", ["deepseek", "xai", "mistral"])
@pytest.mark.parametrize("other", [{"reasoning_content": "Hm."}, {"refusal": "No."}])
def test_an_answer_without_text_keeps_what_it_says(format: il.FormatName, other: dict[str, str]) -> None:
    asked: Any = {"role": "user", "content": "Why?"}
    answer = {"role": "assistant", "content": None, **other}
    body = {"model": "m", "messages": [asked, answer, asked]}
    fixed, repairs = il.repair(il.load(body, format), format)
    written = il.dump(fixed, format, on_loss="ignore")
    assert [repair.path for repair in repairs] == ["/messages/1"]
    assert next(iter(other.values())) in str(written["messages"][1])
    assert [problem for problem in il.check(written, format) if problem.severity == "error"] == []


@pytest.mark.parametrize("format", ["bedrock_converse", "openrouter"])
def test_a_result_that_some_hosts_take_further_down_moves_only_on_demand(format: il.FormatName) -> None:
    history = [user("1"), called("a"), user("2"), il.AssistantMessage(content="3"), result("a"), user("4")]
    assert il.repair(history, format) == (history, [])
    fixed, repairs = il.repair(history, format, warnings=True)
    assert shape(fixed[:3]) == "u a ta"
    assert {repair.code for repair in repairs} >= {"result-far-from-call"}
    fixed, repairs = il.repair([*history, called("b"), user("5")], format)
    assert [repair.code for repair in repairs] == ["call-without-result"]
    assert shape(fixed) == "u a u a ta u u"


def test_documents_whose_name_says_nothing_get_different_names() -> None:
    document = {"document": {"format": "pdf", "name": "document", "source": {"bytes": "JVBERi0="}}}
    request = il.load({"messages": [{"role": "user", "content": [{"text": "q"}, document, document]}]}, "bedrock_converse")
    fixed, repairs = il.repair(request, "bedrock_converse")
    assert [repair.path for repair in repairs] == ["/messages/0/content/2"]
    assert treated(fixed, "bedrock_converse") == []


PDF = {"type": "file", "file": {"file_data": "data:application/pdf;base64,ZGF0YTA="}}
REFUSED_BESIDE: list[tuple[il.FormatName, dict[str, Any], dict[str, Any]]] = [
    ("groq", {"role": "user", "x_unknown": 1}, {"role": "user"}),
    ("groq", {"role": "assistant", "x_unknown": 1}, {"role": "assistant"}),
    ("mistral", {"role": "system", "x_unknown": 1}, {"role": "system"}),
    ("deepseek", {"role": "developer"}, {"role": "system"}),
]


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(("format", "said", "becomes"), REFUSED_BESIDE)
def test_a_message_that_a_conversion_would_leave_out_keeps_its_content_without_what_is_refused_beside_it(
    format: il.FormatName, said: Any, becomes: Any, alone: bool
) -> None:
    others = [] if alone else [{"role": "user", "content": "a"}]
    request = il.load({"messages": [{**said, "content": [PDF]}, *others]}, format)
    fixed, [repair] = il.repair(request, format)
    assert il.dump(fixed, format)["messages"] == [{**becomes, "content": [PDF]}, *others]
    assert (repair.path, repair.at) == ("/messages/0", "/messages/0")


# Laws


THOUGHT = il.RedactedThinkingPart(data="ZGF0YTA=")


def judge(value: Any, format: il.FormatName, policy: Any, *, before: set[str] | None = None) -> None:
    """Judge the repair of a value; `before` is what was refused of it before its messages were spoiled."""
    fixed = judge_alone(value, format, policy, warnings=False)
    asked = any(unit.role == "user" and any(map(says_something, unit.messages)) for unit in il.units(messages_of(fixed)))
    assert [each for each in treated(fixed, format) if asked or each[0] not in NEED_A_USER] == []
    if not isinstance(value, il.Request):
        left = [each for each in il.check(fixed, format) if each.severity == "error" and each.code not in UNREPAIRABLE]
        assert left == []
    says_nothing = not messages_of(fixed) or any(each.code == "no-messages" for each in il.check(fixed, format))
    if share.judged(not says_nothing, least=0.5):
        assert refused(fixed, format) <= (refused(value, format) if before is None else before)


def judge_alone(value: Any, format: il.FormatName, policy: Any, *, warnings: bool) -> Any:
    """The repaired value, whose repairs are all reported and need not be made again."""
    fixed, repairs = repaired(value, format, policy, warnings=warnings)
    assert bool(repairs) is (fixed is not value)
    again, more = repaired(fixed, format, policy, warnings=warnings)
    assert again is fixed
    assert more == []
    before, after = plain(value), plain(fixed)
    for repair in repairs:
        assert resolves(before, repair.path), repair
        assert repair.at is None or resolves(after, repair.at), repair
    return fixed


@over.formats(FORMATS)
@given(data=st.data())
def test_spoiled_histories_are_repaired(format: il.FormatName, data: st.DataObject) -> None:
    history = data.draw(testing.conversations(valid_for=format))
    before = refused(history, format)
    judge(data.draw(testing.spoiled_histories(st.just(history))), format, data.draw(POLICIES), before=before)


@over.formats(FORMATS)
@given(data=st.data())
def test_spoiled_histories_of_others_are_repaired(format: il.FormatName, data: st.DataObject) -> None:
    judge(data.draw(testing.spoiled_histories()), format, data.draw(POLICIES))


@over.formats(FORMATS)
@given(data=st.data())
def test_spoiled_requests_are_repaired(format: il.FormatName, data: st.DataObject) -> None:
    request = il.load(data.draw(testing.payloads(format, odd=False)), format)
    spoiled = data.draw(testing.spoiled_histories(st.just(request.messages)))
    judge(request.replace(messages=spoiled), format, data.draw(POLICIES))


@over.formats(FORMATS)
@given(messages=st.lists(testing.messages(), max_size=6), policy=POLICIES)
@example([called("a"), il.SystemMessage(content=[il.ToolResultPart(tool_use_id="a")])], "drop")
@example([il.AssistantMessage(content=[THOUGHT], cache_control=il.CacheControl())], "drop")
@example([user("1"), il.AssistantMessage(content=[THOUGHT.replace(cache_control=il.CacheControl())])], "drop")
@example([il.UserMessage(content=[il.FilePart(source=il.Base64Source(data="ZGF0YTA="))])], "drop")
@example([il.UserMessage(content=[il.ToolUsePart(name="f", input="{}")])], "drop")
@example([il.SystemMessage(content=[]), il.ToolMessage(content="")], "drop")
@example([il.AssistantMessage(tool_calls=[il.ToolCall(name="f", arguments="{}")])], "placeholder")
@example(
    [called("a", "b"), il.UserMessage(content=[il.ToolResultPart()]), il.ToolMessage(content=[il.ThinkingPart(thinking="")])],
    "drop",
)
@example([called("call_1", "call_1"), il.ToolMessage(content=""), il.ToolMessage(content="")], "drop")
@example(
    [user("1"), called("a", "b"), result("b"), results("a", text="2"), il.DeveloperMessage(content=results("a").parts)], "drop"
)
def test_any_messages_are_repaired(format: il.FormatName, messages: list[il.Message], policy: Any) -> None:
    judge(messages, format, policy)


@over.formats(FORMATS)
@given(data=st.data())
def test_what_may_be_refused_is_repaired_on_request(format: il.FormatName, data: st.DataObject) -> None:
    request = il.load(data.draw(testing.payloads(format)), format)
    spoiled = data.draw(testing.spoiled_histories(st.just(request.messages)))
    fixed = judge_alone(request.replace(messages=spoiled), format, data.draw(POLICIES), warnings=True)
    assert [each for each in treated(fixed, format) if each[0] not in NEED_A_USER] == []


@over.formats(FORMATS)
@given(data=st.data())
def test_what_is_valid_stays(format: il.FormatName, data: st.DataObject) -> None:
    conversation = data.draw(testing.conversations(valid_for=format))
    if share.judged(not treated(conversation, format), least=0.95):
        assert il.repair(conversation, format) == (conversation, [])
        assert il.repair(conversation, format)[0] is conversation


def test_a_mark_of_a_message_that_is_joined_to_another_is_left_out() -> None:
    alone = il.AssistantMessage(thinking_blocks=[il.ThinkingPart(thinking="Hm.", signature="c2ln")])
    messages = [il.UserMessage(content="2 + 2?"), alone, alone.replace(cache_control=il.CacheControl())]
    losses: list[il.Loss] = []
    il.dump(messages, "bedrock_converse", on_loss=losses.append)
    assert ("/2/cache_control", "dropped") in [(loss.path, loss.kind) for loss in losses]
    assert il.repair(messages, "bedrock_converse") == (messages, [])


def test_many_faults_of_one_message_are_repaired_in_linear_time() -> None:
    def call(n: int) -> Callable[[], object]:
        asked: list[Any] = [{"type": "tool_use", "id": "a", "name": "f", "input": {}}] * n
        answers = [{"type": "tool_result", "tool_use_id": "a", "content": "x"}] * n
        turns: list[Any] = [{"role": "assistant", "content": asked}, {"role": "user", "content": answers}]
        return partial(il.repair, il.load({"messages": turns}, "anthropic"), "openai_chat")

    steps(call(2))  # what is done once
    few, more, most = (steps(call(n)) for n in (100, 200, 400))
    assert most - more < 2.1 * (more - few)


def test_a_mark_is_left_out_before_an_answer_that_is_only_calls() -> None:
    call = il.ToolCall(id="a", name="f", arguments="{}")
    messages = [
        il.SystemMessage(content=[il.TextPart(text="Long rules.", cache_control=il.CacheControl())]),
        il.UserMessage(content="Hello.", cache_control=il.CacheControl(ttl="1h")),
        il.AssistantMessage(tool_calls=[call]),
        il.ToolMessage(tool_call_id="a", content="1"),
    ]
    fixed, repairs = il.repair(messages, "anthropic")
    assert [(each.path, each.code) for each in repairs] == [("/1", "cache-ttl-order")]
    assert fixed[1] == il.UserMessage(content="Hello.")
