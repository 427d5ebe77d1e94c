"""Reports what a template prints, by rendering a small conversation with marks for each kind of content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from .locating import Arrival, locate
from .marks import mark
from .rendering import Body, Refused, Rendered, Template, open_template
from .stability import unstable

Content: TypeAlias = Literal[
    "system message",
    "developer message",
    "user text",
    "several texts",
    "assistant text",
    "tool call",
    "arguments",
    "text beside a call",
    "parallel calls",
    "call ids",
    "tool result",
    "result names",
    "result ids",
    "tool names",
    "tool descriptions",
    "tool schemas",
    "reasoning of the last answer",
    "reasoning between calls",
    "reasoning of earlier answers",
    "documents",
    "images",
    "an unknown role",
]
"""The kinds of content that a template may print."""

Verdict: TypeAlias = Literal["yes", "python", "part", "no", "raises"]
"""Whether a template prints a content whole, as Python prints a list, in part or not at all, or raises."""


@dataclass(frozen=True, slots=True)
class TemplateReport:
    """Which kinds of content a chat template prints, and how it behaves.

    `rows` has the verdict on each kind of content: `yes`, `python` (as Python prints a list of parts), `part` (only some of
    it), `no`, or `raises`.
    """

    rows: tuple[tuple[Content, Verdict], ...]
    content: Literal["text", "parts", "both", "neither"]
    """whether the template prints content that is a text, a list of parts, both or neither"""
    null_content: Literal["nothing", "None", "raises"]
    """what is printed for a content that is null, if the template gets it"""
    roles_alternate: bool
    """whether the template refuses two consecutive user messages"""
    prefix_stable: bool
    """whether the first messages are printed the same when others follow them"""
    generation_prompt: bool
    """whether `add_generation_prompt` adds anything"""
    generation_blocks: bool
    """whether `{% generation %}` marks what the assistant wrote; transformers makes masks from it"""

    @property
    def carries(self) -> dict[Content, Verdict]:
        """The verdict on each kind of content."""
        return dict(self.rows)

    def __str__(self) -> str:
        shown: dict[str, str] = {
            **dict[str, str](self.rows),
            "content": self.content,
            "null content prints": self.null_content,
            "roles must alternate": _word(self.roles_alternate),
            "prefix stable": _word(self.prefix_stable),
            "generation prompt": _word(self.generation_prompt),
            "generation blocks": _word(self.generation_blocks),
        }
        width = max(map(len, shown))
        return "\n".join(f"{name:{width}}  {value}" for name, value in shown.items())


def _word(value: bool) -> str:
    return "yes" if value else "no"


def template_report(template: str) -> TemplateReport:
    """Report which kinds of content a chat template in Jinja prints, by rendering small conversations with marks.

    The template is rendered as transformers does it, in a separate process, with limits of time, memory and output. Needs the
    extra `templates`. Raises `BrokenTemplate` for a template that is not Jinja or exceeds a limit.
    """
    with open_template(template) as opened:
        as_text, as_parts = (_verdict(opened, _Probe("user text", {"messages": [each]}, "/content")) for each in (USER, PARTS))
        listed = as_text != "yes" == as_parts
        rows: list[tuple[Content, Verdict]] = [
            (probe.content, _verdict(opened, _listed(probe) if listed else probe)) for probe in PROBES
        ]
        rows.append(("images", _images(opened)))
        return TemplateReport(
            rows=tuple(rows),
            content=_CONTENTS[as_text == "yes", as_parts == "yes"],
            null_content=_null_content(opened),
            roles_alternate=isinstance(opened.render({"messages": [USER, USER]}), Refused) and as_text == "yes",
            prefix_stable=all(_is_stable(opened, body, listed) for body in CONVERSATIONS),
            generation_prompt=_prompts(opened, listed),
            generation_blocks=bool(re.search(r"\{%-?\s*generation\s*-?%\}", template)),
        )


_CONTENTS: dict[tuple[bool, bool], Literal["text", "parts", "both", "neither"]] = {
    (True, True): "both",
    (True, False): "text",
    (False, True): "parts",
    (False, False): "neither",
}


class _Probe(NamedTuple):
    """A conversation for one kind of content, and the text that pointers to the marks of this content contain."""

    content: Content
    body: dict[str, Any]
    ends: str
    """a text that the pointers contain, or a key of `OTHER_WORDS`"""


def _call(id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


ARGUMENTS = {"city": "Ålesund", "days": 3, "where": {"sides": ["north", "søuth"]}}
USER = {"role": "user", "content": "Is it warm?"}
PARTS = {"role": "user", "content": [{"type": "text", "text": "Is it warm?"}, {"type": "text", "text": "Say it."}]}
ANSWER = {"role": "assistant", "content": "It is warm."}
THOUGHT = {"role": "assistant", "content": "It is cold.", "reasoning_content": "They want to know."}
CALL = {"role": "assistant", "content": "", "tool_calls": [_call("a1b2c3d4e", "temperature", ARGUMENTS)]}
RESULT = {"role": "tool", "tool_call_id": "a1b2c3d4e", "name": "temperature", "content": "Four degrees."}
OTHER = {**RESULT, "tool_call_id": "f5g6h7i8j", "content": "Nine degrees."}
BOTH = {**CALL, "tool_calls": [*CALL["tool_calls"], _call("f5g6h7i8j", "temperature", {"city": "Bergen"})]}
THOUGHT_CALL = {**CALL, "reasoning_content": "Look it up."}
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where it is."},
        "unit": {"type": "string", "enum": ["celsius", "kelvin"]},
    },
    "required": ["city"],
}
TOOL = {"type": "function", "function": {"name": "temperature", "description": "How warm it is.", "parameters": SCHEMA}}
TOOLS = [TOOL]


def _body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"messages": list(messages), **more}


PROBES = (
    _Probe("system message", _body({"role": "system", "content": "Be brief."}, USER, ANSWER), "/messages/0/content"),
    _Probe("developer message", _body({"role": "developer", "content": "Be brief."}, USER, ANSWER), "/messages/0/content"),
    _Probe("user text", _body(USER), "/content"),
    _Probe("several texts", _body(PARTS), "/text"),
    _Probe("assistant text", _body(USER, ANSWER, USER, ANSWER), "/messages/1/content"),
    _Probe("tool call", _body(USER, CALL, RESULT, tools=TOOLS), "/1/tool_calls/0/function/name"),
    _Probe("arguments", _body(USER, CALL, RESULT, tools=TOOLS), "/1/tool_calls/0/function/arguments"),
    _Probe("text beside a call", _body(USER, {**CALL, "content": "Let me look."}, RESULT, tools=TOOLS), "/messages/1/content"),
    _Probe("parallel calls", _body(USER, BOTH, RESULT, OTHER, tools=TOOLS), "/1/tool_calls"),
    _Probe("call ids", _body(USER, CALL, RESULT, tools=TOOLS), "id of the call"),
    _Probe("tool result", _body(USER, CALL, RESULT, tools=TOOLS), "/messages/2/content"),
    _Probe("result names", _body(USER, CALL, RESULT, tools=TOOLS), "name of the result"),
    _Probe("result ids", _body(USER, CALL, RESULT, tools=TOOLS), "id of the result"),
    _Probe("tool names", _body(USER, tools=TOOLS), "/tools/0/function/name"),
    _Probe("tool descriptions", _body(USER, tools=TOOLS), "/tools/0/function/description"),
    _Probe("tool schemas", _body(USER, tools=TOOLS), "/tools/0/function/parameters"),
    _Probe("reasoning of the last answer", _body(USER, THOUGHT), "/1/reasoning_content"),
    _Probe(
        "reasoning between calls",
        _body(USER, THOUGHT_CALL, RESULT, tools=TOOLS, add_generation_prompt=True),
        "/1/reasoning_content",
    ),
    _Probe("reasoning of earlier answers", _body(USER, THOUGHT, USER, ANSWER), "/1/reasoning_content"),
    _Probe("documents", _body(USER, documents=[{"title": "Weather", "text": "It rains."}]), "/documents/0"),
    _Probe("an unknown role", _body(USER, ANSWER, {"role": "narrator", "content": "A door opens."}), "/messages/2/content"),
)
CONVERSATIONS = (
    _body(USER, ANSWER, USER, ANSWER),
    _body(USER, THOUGHT, USER, THOUGHT),
    _body(USER, THOUGHT_CALL, RESULT, ANSWER, USER, ANSWER, tools=TOOLS),
)
"""Conversations whose first messages must be printed the same when others follow, unless the template refuses them."""

OTHER_WORDS: dict[str, tuple[int, str, str]] = {
    "id of the call": (1, "id", "zz9yy8xx7"),
    "id of the result": (2, "tool_call_id", "zz9yy8xx7"),
    "name of the result": (2, "name", "zz9yy8xx7"),
}
"""Contents without a mark, because templates decide by them: the message, the field, and another word for the field."""


def _verdict(template: Template, probe: _Probe) -> Verdict:
    if probe.ends in OTHER_WORDS:
        return _of_word(template, probe)
    marked = mark(probe.body)
    rendered = template.render(marked.body)
    if isinstance(rendered, Refused):
        return "raises"
    located = locate(rendered.text, marked)
    places = enumerate(marked.marks)
    return _summed({located.found[number].arrival for number, each in places if probe.ends in each.path})


def _summed(arrivals: set[Arrival]) -> Verdict:
    if arrivals == {"whole"}:
        return "yes"
    if "python" in arrivals:
        return "python"
    return "no" if arrivals == {"missing"} else "part"


def _of_word(template: Template, probe: _Probe) -> Verdict:
    """Whether an id or a name is printed, found out by replacing it with another word."""
    number, field, word = OTHER_WORDS[probe.ends]
    messages = [*probe.body["messages"]]
    for at in {1, 2} if field != "name" else {2}:  # both ids, because templates compare them
        messages[at] = _with_word(messages[at], word, "name" if field == "name" else "id")
    rendered = template.render({**probe.body, "messages": messages})
    if isinstance(rendered, Refused):
        return "raises"
    if field == "name":
        return "yes" if word in rendered.text else "no"
    other = template.render({**probe.body, "messages": [*probe.body["messages"][:number], *messages[number:][:1]]})
    return "yes" if isinstance(other, Rendered) and word in other.text else "no"


def _with_word(message: dict[str, Any], word: str, field: str) -> dict[str, Any]:
    if "tool_calls" in message:
        return {**message, "tool_calls": [{**call, field: word} for call in message["tool_calls"]]}
    return {**message, "name" if field == "name" else "tool_call_id": word}


def _listed(probe: _Probe) -> _Probe:
    return probe._replace(body=_with_parts(probe.body))


def _with_parts(body: Body) -> dict[str, Any]:
    """The body with each text content as a list of one part."""
    messages: list[dict[str, Any]] = []
    for message in body["messages"]:
        content = message["content"]
        messages.append({**message, "content": [{"type": "text", "text": content}]} if isinstance(content, str) else message)
    return {**body, "messages": messages}


def _images(template: Template) -> Verdict:
    """Whether a part with an image changes what is printed, in any of the spellings that templates know."""
    without = template.render(_body({"role": "user", "content": [{"type": "text", "text": "What is it?"}]}))
    verdicts: set[Verdict] = set()
    for part in ({"type": "image"}, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}):
        message = {"role": "user", "content": [part, {"type": "text", "text": "What is it?"}]}
        rendered = template.render(_body(message))
        if isinstance(rendered, Refused):
            verdicts.add("raises")
        else:
            verdicts.add("no" if rendered == without or _shows_code(rendered) else "yes")
    return "yes" if "yes" in verdicts else "no" if "no" in verdicts else "raises"


def _shows_code(rendered: Rendered) -> bool:
    """Whether the list of parts is printed as Python or JSON."""
    return bool(re.search(r"""['"]type['"]\s*:\s*['"]image""", rendered.text))


def _null_content(template: Template) -> Literal["nothing", "None", "raises"]:
    body = _body(USER, {**CALL, "content": None}, RESULT, tools=TOOLS)
    rendered = template.render(body, keep_null=True)
    if isinstance(rendered, Refused):
        return "raises"
    return "None" if re.search(r"\bNone\b", rendered.text) else "nothing"


def _is_stable(template: Template, body: Body, listed: bool) -> bool:
    return unstable(template, mark(_with_parts(body) if listed else body)) is None


def _prompts(template: Template, listed: bool) -> bool:
    body = _with_parts(_body(USER)) if listed else _body(USER)
    return template.render({**body, "add_generation_prompt": True}) != template.render(body)


def facts(report: TemplateReport) -> Iterator[tuple[str, str]]:
    """The name and the value of each line of a report."""
    for row in str(report).splitlines():
        name, _, value = row.partition("  ")
        yield name, value.strip()
