"""What a template does to a request: each loss, refusal and misprint is one problem, and nothing else is."""

from typing import Any

import pytest

import interlingua as il

pytest.importorskip("jinja2")

CHATML = """{% if tools %}Tools:{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
{% endif %}{% for d in documents or [] %}{{ d.title }}: {{ d.text }}
{% endfor %}{% for m in messages %}
<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}
{% if m.content is string %}{{ m.content }}{% else %}{% for part in m.content or [] %}
{{ '<image>' if part.type == 'image' else part.text }}{% endfor %}{% endif %}
{% for call in m.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}<|end|>
{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}
"""
"""A template that prints everything but ids and names of results."""

ARGUMENTS: dict[str, Any] = {"city": "Ålesund", "days": 3, "warm": True, "sides": ["nørth"], "unit": None}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": ARGUMENTS}}
OTHER = {"id": "call_2", "type": "function", "function": {"name": "tide", "arguments": {"city": "Bergen"}}}
BODY: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": 'Is it "warm"?\n\nSay it.'},
        {"role": "assistant", "content": "Let me look.", "reasoning_content": "Look it up.", "tool_calls": [CALL, OTHER]},
        {"role": "tool", "name": "weather", "tool_call_id": "call_1", "content": "Four degrees."},
        {"role": "tool", "name": "tide", "tool_call_id": "call_2", "content": '{"tide": "high"}'},
        {"role": "assistant", "content": "No.", "reasoning_content": "Four is cold."},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "weather",
                "description": "How warm it is.",
                "parameters": {
                    "type": "object",
                    "properties": {"city": {"type": "string", "enum": ["Oslo"]}},
                    "required": ["city"],
                },
            },
        }
    ],
    "documents": [{"title": "Weather", "text": "It rains."}],
    "add_generation_prompt": True,
}


def found(template: str, body: dict[str, Any] = BODY) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in il.check(body, "hf_chat_template", template=template)]


def without(*texts: str) -> str:
    """The template without some of its text."""
    template = CHATML
    for text in texts:
        assert text in template
        template = template.replace(text, "")
    return template


def test_a_template_that_prints_everything_has_no_problems() -> None:
    assert found(CHATML) == []


LOST = {
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}": [
        ("reasoning-dropped", "/messages/2/reasoning_content"),
        ("reasoning-dropped", "/messages/5/reasoning_content"),
    ],
    "{% for call in m.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}": [
        ("tool-call-dropped", "/messages/2/tool_calls/0"),
        ("tool-call-dropped", "/messages/2/tool_calls/1"),
    ],
    "{{ tool | tojson }}": [("tool-dropped", "/tools/0")],
    ": {{ d.text }}": [("document-dropped", "/documents/0/text")],
    "<|assistant|>": [("generation-prompt-missing", "/add_generation_prompt")],
}


@pytest.mark.parametrize("text", LOST)
def test_what_is_not_printed_is_found(text: str) -> None:
    assert found(without(text)) == LOST[text]


CHANGED: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "system": (
        "{% for m in messages %}",
        "{% for m in messages if m.role != 'system' %}",
        [("system-message-dropped", "/messages/0/content")],
    ),
    "results": (
        "{% if m.content is string %}",
        "{% if m.role == 'tool' %}{% elif m.content is string %}",
        [("tool-result-dropped", "/messages/3/content"), ("tool-result-dropped", "/messages/4/content")],
    ),
    "the name of a call": (
        "{{ call.function | tojson }}",
        "{{ call.function.arguments | tojson }}",
        [
            ("tool-call-name-dropped", "/messages/2/tool_calls/0/function/name"),
            ("tool-call-name-dropped", "/messages/2/tool_calls/1/function/name"),
        ],
    ),
    "some arguments": (
        "{{ call.function | tojson }}",
        "{{ call.function.name }}{% for k, v in call.function.arguments.items() if k != 'sides' %}{{ k }}={{ v }} {% endfor %}",
        [("argument-dropped", "/messages/2/tool_calls/0/function/arguments/sides")],
    ),
    "the schema of a tool": (
        "{{ tool | tojson }}",
        "{{ tool.function.name }}: {{ tool.function.description }}",
        [("tool-schema-dropped", "/tools/0/function/parameters")],
    ),
    "all but the end of a text": (
        "{% if m.content is string %}{{ m.content }}",
        "{% if m.content is string %}{{ m.content.split('warm')[-1] }}",
        [("text-changed", "/messages/1/content")],
    ),
    "all but the beginning of a text": (
        "{% if m.content is string %}{{ m.content }}",
        "{% if m.content is string %}{{ m.content.split('Say')[0] }}",
        [("text-changed", "/messages/1/content")],
    ),
    "a template that fails": (
        "{{ m.content }}",
        "{{ m.content + 1 }}",
        [("template-raises", "/messages/0")],
    ),
    "a template that refuses": (
        "<|{{ m.role }}|>",
        "{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}",
        [("template-raises", "/messages/3")],
    ),
    "a template that refuses tools": ("Tools:", "{{ raise_exception('no tools') }}", [("template-raises", "/tools")]),
    "roles in turn": (
        "<|{{ m.role }}|>",
        "{% if loop.previtem and loop.previtem.role == m.role %}{{ raise_exception('Roles must alternate!') }}{% endif %}",
        [("roles-must-alternate", "/messages/4")],
    ),
    "Python": (
        "{{ call.function | tojson }}",
        "{{ call.function.name }} {{ call.function.arguments }}",
        [
            ("arguments-as-python", "/messages/2/tool_calls/0/function/arguments"),
            ("arguments-as-python", "/messages/2/tool_calls/1/function/arguments"),
        ],
    ),
    "a boolean as in Python": (
        "{{ call.function | tojson }}",
        "{{ call.function.name }}{% for name, value in call.function.arguments.items() %}<{{ name }}>{{ value }}{% endfor %}",
        [("boolean-as-python", "/messages/2/tool_calls/0/function/arguments/warm")],
    ),
    "JSON in JSON": (
        "{{ call.function | tojson }}",
        "{{ dict(name=call.function.name, arguments=call.function.arguments | tojson) | tojson }}",
        [
            ("arguments-encoded-twice", "/messages/2/tool_calls/0/function/arguments"),
            ("arguments-encoded-twice", "/messages/2/tool_calls/1/function/arguments"),
        ],
    ),
    "reasoning of the last turn alone": (
        "{% if m.reasoning_content %}",
        "{% if m.reasoning_content and not messages[-1].role == 'user' %}",
        [
            ("reasoning-dropped", "/messages/2/reasoning_content"),
            ("reasoning-dropped", "/messages/5/reasoning_content"),
            ("prefix-unstable", "/messages/2"),
        ],
    ),
}


@pytest.mark.parametrize("case", CHANGED)
def test_what_is_refused_or_printed_wrongly_is_found(case: str) -> None:
    old, new, expected = CHANGED[case]
    assert old in CHATML
    assert found(CHATML.replace(old, new)) == expected


def messages(*given: dict[str, Any]) -> dict[str, Any]:
    return {"messages": list(given)}


USER = {"role": "user", "content": "Is it warm?"}
IMAGE = {"type": "image", "url": "https://example.org/a.png"}
PARTS = {"role": "user", "content": [IMAGE, {"type": "text", "text": "What is it?"}]}


def test_media_that_are_not_printed_are_found() -> None:
    assert found(CHATML, messages(PARTS)) == []
    assert found(CHATML.replace("<image>", ""), messages(PARTS)) == [("media-dropped", "/messages/0/content/0")]


def test_a_list_that_is_printed_as_python_prints_it_is_found() -> None:
    several = {"role": "user", "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]}
    template = "{% for m in messages %}{{ m.content | trim }}\n{% endfor %}"
    assert found(template, messages(several)) == [("content-as-python", "/messages/0/content")]


def test_null_is_found_where_it_is_printed() -> None:
    body = messages(USER, {"role": "assistant", "content": None, "tool_calls": [OTHER]}, {**BODY["messages"][4]})
    template = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}{% endfor %}"
    missing = ("content-missing", "/messages/1/content")  # a rule's, whatever the template is
    assert found(template, body) == [missing, ("null-as-none", "/messages/1/content")]
    refusing = template.replace("{{ m.content }}", "{{ 'a' + m.content if 'content' in m else '' }}")
    assert found(refusing, body) == [missing, ("null-refused", "/messages/1/content")]


def test_results_in_another_order_than_their_calls_are_found_unless_their_ids_are_printed() -> None:
    first, second = BODY["messages"][3:5]
    body = {**BODY, "messages": [*BODY["messages"][:3], second, first, *BODY["messages"][5:]]}
    assert found(CHATML, body) == [("tool-results-out-of-order", "/messages/3")]
    assert found(CHATML.replace("<|{{ m.role }}|>", "<|{{ m.tool_call_id or m.role }}|>"), body) == []
    looking_up = """{% for m in messages %}{% for call in m.tool_calls or [] %}
    {% for r in messages if r.tool_call_id == call.id %}{{ r.content }}{% endfor %}{% endfor %}{% endfor %}"""
    assert "tool-results-out-of-order" not in dict(found(looking_up, body))


def test_a_mark_leaves_what_a_template_looks_for_as_it_is() -> None:
    body = messages(USER, {"role": "assistant", "content": "Hm, yes</think>Is warm"})
    template = "{% for m in messages %}{{ m.content.split('</think>')[-1] }}{% endfor %}"
    assert found(template, body) == [("text-changed", "/messages/1/content")]


def test_a_text_that_stands_elsewhere_too_is_missed() -> None:
    """Values are not looked for but marked, so that one that is printed does not hide another that is not."""
    body = messages(USER, {"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Yes."})
    template = "{% for m in messages %}{{ m.content if m.role == 'assistant' or loop.first else '' }}{% endfor %}"
    assert found(template, body) == [("text-dropped", "/messages/2/content")]


def test_what_depends_on_a_value_is_found_with_that_value() -> None:
    """Marks change what such a template prints, so that the values themselves are looked for, too."""
    body = messages(USER, {"role": "assistant", "content": "No."}, {"role": "user", "content": "secret"})
    template = "{% for m in messages %}{% if m.content != 'secret' %}{{ m.content }}{% endif %}{% endfor %}"
    assert found(template, body) == [("text-dropped", "/messages/2/content")]


def test_severities_and_words() -> None:
    hidden = {"role": "user", "content": "hidden words"}
    refusing = "{% for m in messages %}{% if loop.index == 2 %}{{ raise_exception('Not ' + m.content) }}{% endif %}{% endfor %}"
    [problem] = il.check(messages(USER, hidden), "hf_chat_template", template=refusing)
    assert problem.severity == "error"
    assert "hidden" not in problem.message
    [problem] = il.check(messages(USER), "hf_chat_template", template="a")
    assert (problem.code, problem.severity) == ("text-dropped", "error")
    body = {**messages(USER), "add_generation_prompt": True}
    [problem] = il.check(body, "hf_chat_template", template="{{ messages[0].content }}")
    assert (problem.code, problem.severity) == ("generation-prompt-missing", "warning")


def test_a_canonical_request_gets_canonical_paths() -> None:
    history = [il.UserMessage(content="Is it warm?"), il.AssistantMessage(reasoning_content="Hm.", content="Yes.")]
    problems = il.check(history, "hf_chat_template", template="{% for m in messages %}{{ m.content }}{% endfor %}")
    assert [(problem.code, problem.path) for problem in problems] == [("reasoning-dropped", "/1/reasoning_content")]


def test_only_formats_that_templates_render_take_a_template() -> None:
    with pytest.raises(ValueError, match="template"):
        il.check(messages(USER), "openai_chat", template="a")
