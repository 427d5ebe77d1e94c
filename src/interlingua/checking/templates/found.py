"""Finds the problems of a request with a template: what the template refuses, leaves out, or prints wrongly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from string import ascii_letters, digits
from typing import Any

from ...errors import Problem
from ...model.base import Json
from .locating import Located, absent, locate, unmark
from .marks import Mark, Marked, mark, media
from .rendering import REASONING, Body, Refused, Rendered, Template, messages_of, open_template, why
from .stability import unstable

_RENDERED = "the template was rendered with marks in the texts, names and numbers of this request"
_RAISED = "the template raises when it renders this request"

_LOST = {
    "system-message-dropped": "the template does not print this system message: move its text into the first user message",
    "text-dropped": "the template does not print this text: use the role and the kind of content that it prints",
    "reasoning-dropped": "the template does not print this reasoning: use a template that keeps it, or leave it out on purpose",
    "tool-call-dropped": "the template does not print this tool call: use a template for tools, or write the call as text",
    "tool-call-name-dropped": "the template prints this tool call without its name: use a template for tools",
    "argument-dropped": "the template prints this tool call without this argument: use a template that prints all of them",
    "tool-result-dropped": "the template does not print this tool result: use a template for tools, or a user message",
    "tool-dropped": "the template does not print this tool: use a template for tools, or describe it in a system message",
    "tool-schema-dropped": "the template prints this tool without this part of it: put it in the tool's description",
    "document-dropped": "the template does not print this document, or this part: put its text into a message",
    "text-changed": "the template changes this text or cuts it: remove what it looks for, such as reasoning tags",
}
"""The messages for what a template may lose, each with a way out."""


def template_problems(body: Body, source: str) -> list[Problem]:
    """What a template refuses, leaves out or prints wrongly, with pointers into the body.

    Raises `BrokenTemplate` for a template that is not Jinja or exceeds a limit, and `ImportError` without Jinja.
    """
    with open_template(source) as template:
        printed = template.render(body)
        if isinstance(printed, Refused):
            return [_refusal(template, body, printed)]
        marked = mark(body)
        rendered = template.render(marked.body)
        located = locate(rendered.text, marked) if isinstance(rendered, Rendered) else None
        found = [*_lost(body, marked, printed, located)]
        if located is not None:
            found += _misprinted(marked, located)
            found += _unstable(template, marked)
        found += _rendered_otherwise(template, body, printed)
    return found


def _refusal(template: Template, body: Body, refused: Refused) -> Problem:
    """The problem that the template raises, at the first message with which it does."""
    alternate = refused.by == "template" and "alternat" in refused.words.lower()
    path = _place_of_refusal(template, body)
    reason = why(refused, template.source)
    message = f"the template does not render this request, because {reason}: change what it refuses, or use another template"
    if alternate:
        message = f"the roles must alternate, because {reason}: join neighbouring messages of one role"
    return Problem("roles-must-alternate" if alternate else "template-raises", path, message, "error", _RAISED)


def _place_of_refusal(template: Template, body: Body) -> str:
    messages = messages_of(body)
    renders = 0
    refuses = len(messages)
    while refuses - renders > 1:
        middle = (renders + refuses) // 2
        if isinstance(template.render({**body, "messages": messages[:middle]}), Refused):
            refuses = middle
        else:
            renders = middle
    if not body.get("tools") or isinstance(template.render({**body, "messages": messages[:refuses], "tools": None}), Refused):
        return f"/messages/{refuses - 1}" if messages else "/messages"
    return "/tools"


def _lost(body: Body, marked: Marked, printed: Rendered, located: Located | None) -> Iterator[Problem]:
    """The problems of missing contents: one for each that is missing as a whole, else one for each missing part."""
    missing = set[int]()
    changed: list[int] = []
    if located is not None:
        missing |= {*located.missing()}
        changed = [number for number, each in enumerate(located.found) if each.arrival == "changed"]
    if located is None or unmark(located.text, marked).text != printed.text:
        missing |= {*absent(printed.text, marked)}  # the marks change what the template prints
    for path, number in _widest(marked.marks, missing):
        code = _code(body, marked.marks[number], path)
        yield Problem(code, path, _LOST[code], "error", _RENDERED)
    for number in changed:
        if number not in missing:
            yield Problem("text-changed", marked.marks[number].path, _LOST["text-changed"], "error", _RENDERED)


def _widest(marks: list[Mark], missing: set[int]) -> Iterator[tuple[str, int]]:
    """Pointers to the largest values of which nothing is printed, up to owners, each with the number of one mark in it."""
    total: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for number, each in enumerate(marks):
        for path in _upward(each):
            total[path] += 1
            lost[path] += number in missing
    seen: set[str] = set()
    for number in sorted(missing):
        widest = [path for path in _upward(marks[number]) if lost[path] == total[path]][-1:]
        path = widest[0] if widest else marks[number].path
        if path not in seen:
            seen.add(path)
            yield path, number


def _upward(mark: Mark) -> Iterator[str]:
    """The pointers to a mark and to all values around it, up to its owner."""
    path = mark.path
    yield path
    while path != mark.owner:
        path = path.rpartition("/")[0]
        yield path


def _code(body: Body, mark: Mark, path: str) -> str:
    whole = path == mark.owner
    _, first, number, *rest = mark.owner.split("/")
    if first == "tools":
        return "tool-dropped" if whole else "tool-schema-dropped"
    if first == "documents":
        return "document-dropped"
    if rest[0] == "tool_calls":
        if whole:
            return "tool-call-dropped"
        return "tool-call-name-dropped" if mark.kind == "name" else "argument-dropped"
    if rest[0] in REASONING:
        return "reasoning-dropped"
    return _OF_ROLE.get(str(body["messages"][int(number)].get("role")), "text-dropped")


_OF_ROLE = {
    "system": "system-message-dropped",
    "developer": "system-message-dropped",
    "tool": "tool-result-dropped",
}


_PYTHON = re.compile(r"\W{1,12}?(True|False|None)\b")
_KEY_IN_PYTHON = re.compile(r"'\s*:")
_KEY_TWICE = re.compile(r"\\+\"\s*:")


def _misprinted(marked: Marked, located: Located) -> Iterator[Problem]:
    """Contents that are printed as Python prints lists, and arguments printed as Python or as JSON in JSON; each once."""
    both = zip(marked.marks, located.found, strict=True)
    lists = [each.owner for each, found in both if found.arrival == "python"]
    for owner in dict.fromkeys(lists):
        message = "the template prints this list of parts as Python does: pass the content as one text"
        yield Problem("content-as-python", owner, message, "warning", _RENDERED)
    following: dict[str, list[tuple[Mark, str]]] = {}
    for number, each in enumerate(marked.marks):
        if each.kind == "key" and each.owner.startswith("/messages"):
            texts = [located.text[place.end : place.end + 32] for place in located.places[number]]
            following.setdefault(each.owner, []).extend((each, text) for text in texts)
    for keys in following.values():
        if any(text.startswith("=") for _, text in keys):
            continue  # the call is in Python's syntax, which some models write
        yield from islice(filter(None, (_misprint(mark, text) for mark, text in keys)), 1)


def _misprint(mark: Mark, following: str) -> Problem | None:
    arguments = f"{mark.owner}/function/arguments" if "/function/" in mark.path else f"{mark.owner}/arguments"
    if _KEY_TWICE.match(following):
        message = "the template prints these arguments as JSON in a JSON string: pass them as an object"
        return Problem("arguments-encoded-twice", arguments, message, "warning", _RENDERED)
    if _KEY_IN_PYTHON.match(following):
        message = "the template prints these arguments as Python does, not as JSON: pass them as JSON text"
        return Problem("arguments-as-python", arguments, message, "warning", _RENDERED)
    value = mark.of
    printed = _PYTHON.match(following) if value is None or isinstance(value, bool) else None
    if printed is None:
        return None
    message = f"the template prints {printed[1]} for this value, where JSON has {_JSON_WORDS[printed[1]]}: pass it as text"
    code = "null-as-none" if value is None else "boolean-as-python"
    return Problem(code, mark.path, message, "warning", _RENDERED)


_JSON_WORDS = {"True": "true", "False": "false", "None": "null"}


def _unstable(template: Template, marked: Marked) -> Iterator[Problem]:
    found = unstable(template, marked)
    if found is not None:
        path, cut = found
        message = (
            f"the template prints this message differently when it renders the first {cut} messages alone, so that caches of "
            "prompts miss and masks made turn by turn are wrong: use a template that keeps what it printed"
        )
        yield Problem("prefix-unstable", path, message, "warning", "the first messages were rendered alone, and as part of all")


def _rendered_otherwise(template: Template, body: Body, printed: Rendered) -> Iterator[Problem]:
    """The problems that appear when the body is changed and rendered again."""
    for look in _LOOKS:
        yield from look(template, body, printed)


def _generation_prompt(template: Template, body: Body, printed: Rendered) -> Iterator[Problem]:
    if body.get("add_generation_prompt") and template.render({**body, "add_generation_prompt": False}) == printed:
        message = "the template does not print a generation prompt: leave out `add_generation_prompt`, or add the prompt"
        yield Problem("generation-prompt-missing", "/add_generation_prompt", message, "warning", _AGAIN)


_AGAIN = "the template was rendered with and without it"
_NONE = re.compile(r"\bNone\b")
_MOST_MEDIA = 16
"""The most media that are checked; each needs a rendering of its own."""


def _nulls(template: Template, body: Body, printed: Rendered) -> Iterator[Problem]:
    """Fields that are null: transformers leaves them out since version 5, other programs pass them to the template."""
    path = next(_null_fields(body), None)
    if path is None:
        return
    rendered = template.render(body, keep_null=True)
    if isinstance(rendered, Refused):
        message = f"the template raises an error for this null, because {why(rendered, template.source)}: leave it out"
        yield Problem("null-refused", path, message, "warning", _AGAIN)
    elif len(_NONE.findall(rendered.text)) > len(_NONE.findall(printed.text)):
        message = 'the template prints "None" for this null: leave the field out, or write an empty text'
        yield Problem("null-as-none", path, message, "warning", _AGAIN)


def _null_fields(body: Body) -> Iterator[str]:
    for number, message in enumerate(messages_of(body)):
        yield from (f"/messages/{number}/{name}" for name in ("content", *REASONING) if message.get(name, "") is None)


def _media(template: Template, body: Body, printed: Rendered) -> Iterator[Problem]:
    """Media without which the template prints the same."""
    places = [*media(body)][:_MOST_MEDIA]
    if not places:
        return
    for number, part in places:
        if template.render(_without(body, [(number, part)])) == printed:
            message = "the template prints nothing for this part: use a template for media, or describe it in a text"
            yield Problem("media-dropped", f"/messages/{number}/content/{part}", message, "error", _AGAIN)


def _without(body: Body, places: Iterable[tuple[int, int]]) -> dict[str, Any]:
    messages = messages_of(body)
    for number, part in places:
        content = messages[number]["content"]
        messages[number] = {**messages[number], "content": [*content[:part], *content[part + 1 :]]}
    return {**body, "messages": messages}


def _order_of_results(template: Template, body: Body, printed: Rendered) -> Iterator[Problem]:
    """Results in another order than their calls, if only their ids show this and the template does not print ids."""
    for start, results in _runs_in_other_order(messages_of(body)):
        messages = [*body["messages"][:start], *results, *body["messages"][start + len(results) :]]
        asked = {**body, "messages": messages}
        if template.render(_renamed(body)) == printed and template.render(asked) != printed:
            message = (
                "the results are in a different order from their calls, and the template does not print their ids: put them "
                "into the order of the calls"
            )
            yield Problem("tool-results-out-of-order", f"/messages/{start}", message, "warning", _AGAIN)
            return


def _runs_in_other_order(messages: list[dict[str, Any]]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """For results in another order than their calls: the index of the first, and the results in the order of the calls."""
    for number, message in enumerate(messages):
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        order = {str(call.get("id")): at for at, call in enumerate(calls)}
        results = messages[number + 1 : number + 1 + len(calls)]
        ids = [str(result.get("tool_call_id")) for result in results]
        if len({*ids}) == len(ids) == len(calls) and {*ids} <= {*order} and ids != sorted(ids, key=order.__getitem__):
            yield number + 1, [result for _, result in sorted(zip(ids, results, strict=True), key=lambda each: order[each[0]])]


def _renamed(body: Body) -> dict[str, Any]:
    """The body with other ids of the same lengths."""

    def other(id: Json) -> Json:
        return id.translate(_OTHER_LETTERS) if isinstance(id, str) else id

    messages: list[dict[str, Any]] = []
    for message in messages_of(body):
        changed = dict(message)
        if "tool_call_id" in changed:
            changed["tool_call_id"] = other(changed["tool_call_id"])
        if changed.get("tool_calls"):
            calls: list[dict[str, Any]] = changed["tool_calls"]
            changed["tool_calls"] = [{**call, "id": other(call["id"])} if "id" in call else call for call in calls]
        messages.append(changed)
    return {**body, "messages": messages}


_LETTERS = ascii_letters + digits
_OTHER_LETTERS = str.maketrans(_LETTERS, _LETTERS[1:] + _LETTERS[:1])
_LOOKS: tuple[Callable[[Template, Body, Rendered], Iterator[Problem]], ...] = (
    _generation_prompt,
    _nulls,
    _media,
    _order_of_results,
)
