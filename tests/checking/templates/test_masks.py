"""A training mask has the characters that each message made, and keeps those that the caller asks for."""

from typing import Any

import pytest

import interlingua as il

pytest.importorskip("jinja2")

CALL = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Oslo", "days": 2}}}
BODY: dict[str, Any] = {
    "messages": [
        {"role": "user", "content": " Is it warm? "},
        {"role": "assistant", "content": "", "reasoning_content": "Look it up.", "tool_calls": [CALL], "weight": 0},
        {"role": "tool", "name": "weather", "content": "4 degrees"},
        {"role": "assistant", "content": 'It is\n "cold".'},
        {"role": "user", "content": "Thanks."},
        {"role": "assistant", "content": "Bye."},
    ]
}
WORDS = """{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content | trim }}
{%- for call in m.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}<|end|>"""
PLAIN = f"""{{% for m in messages %}}<|{{{{ m.role }}}}|>{WORDS}
{{% endfor %}}{{% if add_generation_prompt %}}<|assistant|>{{% endif %}}"""
MARKING = f"""{{% for m in messages %}}<|{{{{ m.role }}}}|>
{{%- if m.role == 'assistant' %}}{{% generation %}}{WORDS}{{% endgeneration %}}{{% else %}}{WORDS}{{% endif %}}
{{% endfor %}}"""

CALLED = '<think>Look it up.</think><call>{"name": "weather", "arguments": {"city": "Oslo", "days": 2}}</call><|end|>'


def kept(template: str, **options: Any) -> list[str]:
    mask = il.training_mask(BODY, template=template, **options)
    return [mask.text[start:end] for start, end in mask.trained]


@pytest.mark.parametrize("template", [PLAIN, MARKING])
def test_what_the_assistant_wrote_is_kept_with_its_tags_and_its_end(template: str) -> None:
    assert kept(template) == [CALLED, 'It is\n "cold".<|end|>', "Bye.<|end|>"]
    assert kept(template, train_on="last") == ["Bye.<|end|>"]
    assert kept(template, train_on="marked") == ['It is\n "cold".<|end|>', "Bye.<|end|>"]
    assert kept(template, train_on=["user", "tool"]) == ["Is it warm?", "4 degrees", "Thanks."]
    assert kept(template, train_on=()) == []


def test_what_the_generation_prompt_has_is_not_trained_on() -> None:
    assert kept(PLAIN.replace("<|assistant|>", "<|assistant|><think>"))[0] == CALLED.removeprefix("<think>")


def test_each_text_reasoning_and_call_has_its_span() -> None:
    mask = il.training_mask(BODY, template=PLAIN)
    found = {(span.kind, span.path): mask.text[span.start : span.end] for span in mask.spans if span.kind != "message"}
    assert found == {
        ("text", "/messages/0/content"): "Is it warm?",
        ("reasoning", "/messages/1/reasoning_content"): "Look it up.",
        ("tool_call", "/messages/1/tool_calls/0"): 'weather", "arguments": {"city": "Oslo", "days": 2',
        ("text", "/messages/2/content"): "4 degrees",
        ("text", "/messages/3/content"): 'It is\n "cold".',
        ("text", "/messages/4/content"): "Thanks.",
        ("text", "/messages/5/content"): "Bye.",
    }
    assert {span.path for span in mask.spans if span.trained and span.kind == "message"} == {
        "/messages/1",
        "/messages/3",
        "/messages/5",
    }


def test_tokens_are_kept_if_a_part_of_them_is() -> None:
    mask = il.TrainingMask("abcdefgh", (), ((2, 4), (6, 7)))
    assert mask.of_tokens([(0, 2), (2, 3), (3, 5), (5, 6), (6, 8), (8, 8)]) == [0, 1, 1, 0, 1, 0]


def test_messages_of_ours_are_dumped_and_the_spans_point_into_them() -> None:
    history = [il.UserMessage(content="Warm?"), il.AssistantMessage(reasoning_content="Hm.", content="Yes.")]
    mask = il.training_mask(history, template=PLAIN)
    assert [(span.kind, span.path) for span in mask.spans if span.trained] == [
        ("message", "/1"),
        ("reasoning", "/1/reasoning_content"),
        ("text", "/1"),
    ]
    assert [mask.text[start:end] for start, end in mask.trained] == ["<think>Hm.</think>Yes.<|end|>"]


def test_what_cannot_be_masked_is_refused_without_content() -> None:
    refusing = "{{ raise_exception('No: ' + messages[0].content) }}"
    with pytest.raises(il.InvalidPayload, match="does not render this request, because it raises an error that repeats"):
        il.training_mask(BODY, template=refusing)
    with pytest.raises(il.InvalidPayload, match="their places cannot be found"):
        il.training_mask(BODY, template="{{ messages[0].content | length }}")
    with pytest.raises(il.InvalidPayload, match="/messages/0"):
        il.training_mask({"messages": [5]}, template=PLAIN)
    with pytest.raises(ValueError, match="hf_chat_template"):
        il.training_mask(BODY, template=PLAIN, format="openai_chat")
