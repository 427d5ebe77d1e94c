"""Templates are rendered as transformers renders them, and whatever they do, the caller gets an answer or an error of ours."""

import os
import pickle
import subprocess
import sys
from importlib import util
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.checking.templates import rendering
from interlingua.checking.templates.rendering import Refused, Rendered, open_template

pytest.importorskip("jinja2")

USER = {"role": "user", "content": "é <b>"}


def rendered(source: str, **body: Any) -> Rendered | Refused:
    with open_template(source) as template:
        return template.render({"messages": [USER], **body})


PRINTED = {
    "{{ messages|tojson }}": '[{"role": "user", "content": "é <b>"}]',
    "{{ messages|tojson(ensure_ascii=True, indent=1) }}": '[\n {\n  "role": "user",\n  "content": "\\u00e9 <b>"\n }\n]',
    "  {% if true %}\na\n  {% endif %}\n": "a\n",
    "{% for m in [1, 2, 3] %}{% if m == 2 %}{% break %}{% endif %}{{ m }}{% endfor %}": "1",
    "{{ bos_token }}{{ tools }}{{ documents }}{{ add_generation_prompt }}{{ other }}": "<s>NoneNoneFalse",
    "{% set ns = namespace(self=1) %}{{ ns.self }}{{ dict(a=1) }}": "1{'a': 1}",
    "{{ strftime_now('%Y')|length }}": "4",
}


def test_what_a_template_finds_is_as_in_transformers() -> None:
    assert {source: rendered(source) for source in PRINTED} == {source: Rendered(text, ()) for source, text in PRINTED.items()}


def test_what_stands_in_generation_blocks_is_noted() -> None:
    found = rendered("é{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}!{% endfor %}")
    assert found == Rendered("éé <b>!", ((1, 6),))


REFUSALS = {
    "{{ raise_exception('No ' + 'system') }}": Refused("template", "No system"),
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}": Refused("failure", "RecursionError"),
    "{{ a.b.c }}": Refused("failure", "UndefinedError"),
    "{{ messages.append(1) }}": Refused("failure", "SecurityError"),
    "{{ ''.__class__.__mro__ }}": Refused("failure", "SecurityError"),
    "{% set ns = namespace(_a=1) %}": Refused("failure", "SecurityError"),
}


def test_what_a_template_raises_is_a_value() -> None:
    assert {source: rendered(source) for source in REFUSALS} == REFUSALS


BROKEN = {
    "{% if %}": "syntax",
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}": "time",
    "{{ 'a' * 10**10 }}": "memory",
    "{% for a in range(99999) %}{{ 'a' * 99999 }}{% endfor %}": "output",
    "{{" + "(" * 99999: "nesting",
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
@pytest.mark.parametrize("source", BROKEN)
def test_a_template_that_exceeds_a_limit_is_an_error(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "SECONDS", 1)
    with pytest.raises(il.BrokenTemplate) as caught:
        rendered(source)
    assert caught.value.reason == BROKEN[source]
    assert pickle.loads(pickle.dumps(caught.value)) == caught.value  # noqa: S301 -- what was just written


def test_a_process_renders_many_times_and_is_kept() -> None:
    source = "{{ messages[0].content }} kept"
    with open_template(source) as first:
        number = first.process.pid
        with open_template(source) as second:
            assert second is not first
    with open_template(source) as third:
        assert third.process.pid == number
        os.kill(number, 9)
        with pytest.raises(il.BrokenTemplate, match="ends the process"):
            third.render({"messages": [USER]})
    assert rendered(source) == Rendered("é <b> kept", ())


def test_the_time_is_that_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    years: list[str] = []
    for year in (2001, 2002):
        monkeypatch.setattr(
            "interlingua.checking.templates.rendering.time.time", lambda year=year: (year - 1969.5) * 31_557_600.0
        )
        found = rendered("{{ strftime_now('%Y') }}")
        years.append(found.text if isinstance(found, Rendered) else "")
    assert years == ["2001", "2002"]


def test_nothing_of_the_environment_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    with open_template("nothing of the environment") as template:
        names = Path(f"/proc/{template.process.pid}/environ").read_bytes() if sys.platform == "linux" else b""
    assert b"SOME_KEY" not in names


def test_nulls_are_left_out_as_in_transformers_unless_they_are_asked_for() -> None:
    body: dict[str, Any] = {"messages": [{"role": "assistant", "content": None, "reasoning": "r"}]}
    with open_template("{{ messages[0].content }}{{ messages[0].thinking }}{{ messages[0].reasoning_content }}") as template:
        assert template.render(body) == Rendered("rr", ())
        assert template.render(body, keep_null=True) == Rendered("Nonerr", ())


def test_without_jinja_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> object:
        return None if name == "jinja2" else util.find_spec(name)

    monkeypatch.setattr(rendering, "find_spec", find)
    with pytest.raises(ImportError, match=r"pip install 'interlingua\[templates\]'"):
        rendered("{{ messages[0].content }}")


def test_a_template_that_is_not_text_is_refused() -> None:
    ours: Any = rendered
    with pytest.raises(TypeError, match="template must be text"):
        ours(b"a")


def test_jinja_is_not_imported_into_the_process_of_the_caller() -> None:
    program = "import sys, interlingua as il; il.template_report('a'); print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
