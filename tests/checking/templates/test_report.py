"""What a report says a template carries is what the template prints."""

import re

import pytest

import interlingua as il

pytest.importorskip("jinja2")

PLAIN = """{% for message in messages %}{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Roles must alternate') }}{% endif %}
<|{{ message.role }}|>{{ message.content | trim }}<|end|>
{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"""
"""Text alone, in turn."""

RICH = """
{% if tools %}{% for tool in tools %}{{ tool | tojson }}{% endfor %}{% endif %}
{% for d in documents or [] %}{{ d.text }}{% endfor %}{% for message in messages %}
<{{ message.role }}>{% if message.role == 'assistant' %}{% generation %}{% if loop.last and message.reasoning_content %}
<think>{{ message.reasoning_content }}</think>{% endif %}{% if message.content is string %}{{ message.content }}{% endif %}
{% for call in message.tool_calls or [] %}<call id={{ call.id }}>{{ call.function.name }} {{ call.function.arguments }}</call>
{% endfor %}{% endgeneration %}{% elif message.content is string %}{{ message.content }}{% else %}
{% for part in message.content %}{% if part.type == 'image' %}<image>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}
{% endfor %}"""
"""Calls, whose arguments are printed as Python does, tools, images, and the reasoning of the last message."""


def test_a_template_of_text_alone() -> None:
    report = il.template_report(PLAIN)
    carried = {name for name, verdict in report.carries.items() if verdict == "yes"}
    assert carried == {"user text", "assistant text"}
    assert report.carries["tool result"] == report.carries["system message"] == "raises"
    assert report.carries["tool names"] == report.carries["reasoning of the last answer"] == "no"
    assert report.carries["several texts"] == "python"
    assert (report.content, report.null_content) == ("text", "raises")
    assert (report.roles_alternate, report.prefix_stable, report.generation_prompt) == (True, True, True)
    assert not report.generation_blocks


def test_a_template_of_nearly_all() -> None:
    report = il.template_report(RICH)
    lacking = {name: verdict for name, verdict in report.carries.items() if verdict != "yes"}
    assert lacking == {
        "result names": "no",
        "result ids": "no",
        "reasoning between calls": "no",
        "reasoning of earlier answers": "no",
        "documents": "part",
    }
    assert (report.content, report.null_content) == ("both", "nothing")
    assert (report.roles_alternate, report.prefix_stable, report.generation_prompt) == (False, False, False)
    assert report.generation_blocks


def test_a_report_is_a_value_that_prints_a_line_for_each_thing() -> None:
    report = il.template_report(PLAIN)
    assert report == il.template_report(PLAIN)
    lines = str(report).splitlines()
    assert len(lines) == len(report.carries) + 6
    assert re.fullmatch(r"user text +yes", lines[2])
    assert lines[-1].split() == ["generation", "blocks", "no"]


def test_a_template_of_lists_of_parts_is_asked_with_lists() -> None:
    source = "{% for m in messages %}{{ m.role }}: {% for part in m.content %}{{ part.text }}{% endfor %}\n{% endfor %}"
    report = il.template_report(source)
    assert report.content == "parts"
    assert report.carries["system message"] == report.carries["assistant text"] == "yes"
