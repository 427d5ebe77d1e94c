"""The treatments: a function for each group of problems that are fixed in the same way.

A treatment gets its problems as a dict from the pointer into the draft to the code, and returns whether it changed anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ...codec.fields import spelling
from ...codec.ids import IdRules, tool_name
from ...codec.ordering import is_history
from ...codec.rules.rule import FaultKind
from ...conversion.requests import load
from ...formats import new_dump
from ...model.base import Json
from ...model.exchange import Request
from ...model.messages import AssistantMessage, ToolMessage
from ...model.parts import FilePart, OpaquePart, TextPart, ToolResultPart
from ...model.turns import joined, joins, spans
from .draft import GONE, Change, Draft, FieldValue, owners_in
from .pairs import Call, Result, leave_out_misplaced, pairs_of

Codes: TypeAlias = Mapping[str, str]
"""The codes of problems, by pointer."""


class Edit(NamedTuple):
    """A change of one owner, the code of the problem that it is made for, and what it does."""

    code: str
    change: Change
    does: str


def gone(_owner: Any) -> Any:
    return GONE


def _becoming(value: Any) -> Change:
    return lambda _: value


def in_messages(codes: Codes) -> dict[int, str]:
    """The code of the first problem in each message that has any."""
    found: dict[int, str] = {}
    for pointer, code in codes.items():
        tokens = pointer.split("/")
        if tokens[1:2] == ["messages"] and len(tokens) > 2:
            found.setdefault(int(tokens[2]), code)
    return found


def _says_nothing(message: Any) -> bool:
    if message.role == "assistant":
        return not any(part.type != "text" or part.text for part in message.parts)
    return message.role not in ("opaque", "tool") and not message.content


def apply(draft: Draft, edits: Mapping[str, Edit]) -> bool:
    """Make these edits, each with its code and what it does, and leave out the messages that say nothing any more."""
    changes: dict[str, Change] = {}
    for pointer, (code, change, does) in edits.items():
        value = draft.find(pointer)
        if value is None or any(owner in edits for owner in _owners_of(pointer)):
            continue
        made = change(value)
        if made is value or (type(made) is type(value) and made == value):
            continue
        draft.note(code, pointer, does, gone=made is GONE)
        changes[pointer] = _becoming(made)
    if not changes:
        return False
    for pointer in [*changes]:
        at = "/".join(pointer.split("/")[:3])
        if pointer.startswith("/messages/") and at not in changes:
            changes[at] = lambda message: GONE if _says_nothing(message) else message
    draft.edit(changes)
    return True


def _owners_of(pointer: str) -> list[str]:
    """The pointers of everything that holds what is at a pointer, the request among them."""
    tokens = pointer.split("/")
    return ["/".join(tokens[:length]) for length in range(1, len(tokens))]


# Texts and messages


def leave_out_texts(draft: Draft, codes: Codes) -> bool:
    """Leave out texts that are empty or blank."""
    does = "the blank text is left out"
    return apply(draft, {pointer: Edit(code, _without_text, does) for pointer, code in codes.items()})


def _without_text(owner: Any) -> Any:
    """What is left of an owner without the text that it is or holds."""
    if isinstance(owner, str | TextPart):
        return GONE
    content: FieldValue = getattr(owner, "content", None)
    if isinstance(content, tuple):
        return owner.replace(content=tuple(part for part in content if part.type != "text" or part.text.strip()))
    if isinstance(owner, ToolMessage | ToolResultPart):
        return owner.replace(content="") if content else owner
    if isinstance(owner, AssistantMessage) and content is not None:
        return AssistantMessage(**{name: getattr(owner, name) for name in owner.model_fields_set - {"content"}})
    return GONE if isinstance(content, str) and not content.strip() else owner


def leave_out(draft: Draft, codes: Codes) -> bool:
    """Leave out empty messages, and parts in places where they are refused."""
    does = "the part is left out, because it is empty or the provider does not take it"
    return apply(draft, {pointer: Edit(code, gone, does) for pointer, code in codes.items() if "/messages/" in pointer})


def fill_content(draft: Draft, codes: Codes) -> bool:
    """Leave out empty assistant messages; content that is null beside something else becomes empty text."""
    edits: dict[str, Edit] = {}
    for i, code in in_messages(codes).items():
        if draft.messages[i].role == "opaque" or _says_nothing(draft.messages[i]):
            edits[f"/messages/{i}"] = Edit(code, gone, "the message is left out, because it has no content")
        else:
            edits[f"/messages/{i}"] = Edit(code, _setting(content=""), "the content of the message becomes empty text")
    return apply(draft, edits)


def strip_end(draft: Draft, codes: Codes) -> bool:
    """Leave out the white space at the end of the text that the answer is to continue."""
    does = "the white space at the end of the text is left out"
    return apply(draft, {pointer: Edit(code, _stripped, does) for pointer, code in codes.items()})


def _stripped(owner: Any) -> Any:
    if isinstance(owner, str):
        return owner.rstrip() or GONE
    if isinstance(owner, TextPart):
        text = owner.text.rstrip()
        return owner.replace(text=text) if text else GONE
    content: FieldValue = owner.content
    if isinstance(content, str):
        return owner.replace(content=content.rstrip())
    if not isinstance(content, tuple) or not content or not isinstance(content[-1], TextPart):
        return owner
    last = _stripped(content[-1])
    rest = content[:-1]
    return owner.replace(content=rest if last is GONE else (*rest, last))


_MOVED = "content that the provider refuses in the message is moved or left out"


def write_anew(draft: Draft, codes: Codes, does: str = _MOVED) -> bool:
    """Write messages as a conversion does: what is refused in them goes where the provider has it, or is left out.

    A message that a conversion would leave out as a whole keeps its content. What has no settings is a history, of which
    nothing is asked.
    """
    found = in_messages(codes)
    messages: dict[int, Any] = {i: draft.messages[i] for i in sorted(found)}
    made = _written_anew(draft, messages)
    left = {i: message for i, message in messages.items() if i not in made and _has_parts(message)}
    if left:
        # A text stands in for their content.
        spoken = {i: message.replace(content="a") for i, message in left.items()}
        made |= {i: message.replace(content=left[i].content) for i, message in _written_anew(draft, spoken).items()}
    edits = {
        f"/messages/{i}": Edit(found[i], _becoming(_as_known(message, draft.messages[i])), does) for i, message in made.items()
    }
    return apply(draft, edits)


def _has_parts(message: Any) -> bool:
    return message.role in ("system", "developer", "user", "assistant") and isinstance(message.content, tuple)


def _written_anew(draft: Draft, messages: Mapping[int, Any]) -> dict[int, Any]:
    """These messages of the draft, by position, as a conversion writes them; without those that it leaves out."""
    positions = [*messages]
    request = Request(messages=[*messages.values()])
    d = new_dump(draft.format, None)
    if positions and positions[-1] == len(draft.messages) - 1 and not is_history(draft.request):
        d.begun = f"/messages/{len(positions) - 1}"
    written = draft.format.dump(request, request.messages, d)
    made: dict[int, Any] = {}
    for position, message in enumerate(load(written, draft.format).messages):
        origin = d.places.get(f"/messages/{position}", "").split("/")
        if origin[1:2] == ["messages"] and len(origin) == 3:
            made[positions[int(origin[2])]] = message
    return made


def _as_known(message: Any, before: Any) -> Any:
    """A message that was written anew, with the ids that others know it by, and the application's own data."""
    kept: dict[str, Any] = {"extra": before.extra} if "extra" in before else {}
    if message.role == before.role == "tool" and before.tool_call_id is not None:
        kept["tool_call_id"] = before.tool_call_id
    if message.role == before.role == "assistant" and message.tool_calls:
        ids = [call.id for call in before.tool_uses]
        if len(ids) == len(message.tool_calls):
            pairs = zip(message.tool_calls, ids, strict=True)
            kept["tool_calls"] = [call if id is None else call.replace(id=id) for call, id in pairs]
    return message.replace(**kept) if kept else message


# The order of messages


def begin_with_user(draft: Draft, codes: Codes) -> bool:
    """Leave out calls that are not the assistant's, and what comes before the user's first turn."""
    if leave_out_misplaced(draft, codes):
        return True
    code = next(iter(codes.values()))
    turns = [span for span in spans(draft.messages) if span.role != "system"]
    start = next((span.start for span in turns[1:] if span.role == "user"), None)
    if start is None:
        return False
    kept: list[Any] = []
    for i, message in enumerate(draft.messages):
        if i < start and message.role not in ("system", "developer"):
            draft.note(code, f"/messages/{i}", "the message comes before the first user message, and is left out", gone=True)
        else:
            kept.append(message)
    draft.set_messages(kept)
    return True


def merge_turns(draft: Draft, codes: Codes) -> bool:
    """Join messages to the one before them, which has the same role."""
    found = in_messages(codes)
    runs: list[list[Any]] = []
    for i, message in enumerate(draft.messages):
        if i in found and runs and joins(runs[-1][-1], message):
            draft.note(found[i], f"/messages/{i}", "the message joins the one before it, which has the same role")
            runs[-1].append(message)
        else:
            runs.append([message])
    if len(runs) == len(draft.messages):
        return False
    made: list[Any] = [joined(run) for run in runs]
    for one, run in zip(made, runs, strict=True):
        if len(run) > 1:
            draft.adopt(one, *(origin for message in run for origin in draft.origins(message)))
    draft.set_messages(made)
    return True


# Ids and names


class _Words:
    """Words of letters, digits, `_` and `-`, at most 40 or 64 long, for those that are refused or used twice."""

    def __init__(self, used: Iterable[str], longest: int, ids: IdRules | None = None) -> None:
        self.used = set(used)
        self.longest = longest
        self.ids = ids
        """What the words are to be accepted by besides."""
        self.found: dict[str, str] = {}
        self.count: dict[str, int] = defaultdict(int)

    def of(self, raw: str) -> str:
        """The word for this one, the same each time."""
        if raw not in self.found:
            self.found[raw] = self.other(raw)
        return self.found[raw]

    def other(self, raw: str) -> str:
        """A word for this one that no other has."""
        begun = raw if re.match("[A-Za-z_]", raw) else f"_{raw}"  # as every provider accepts it
        while True:
            self.count[raw] += 1
            word = tool_name(f"{begun}.{self.count[raw]}", self.longest)  # which the dot makes one with a hash
            if self.ids is not None and not self.ids.accepts(word):
                word = self.ids.hashed(word)
            if word not in self.used:
                self.used.add(word)
                return word


_MISSING = ("id-missing", "result-without-call")
_REPEATED = ("id-repeated", "result-repeated")


def change_ids(draft: Draft, codes: Codes) -> bool:
    """Give calls another id, and their results the same one, where an id is refused, missing or used already."""
    pairs = pairs_of(draft.messages)
    partners: list[tuple[Call | Result, ...]] = [
        (call,) if call.result is None else (call, call.result) for call in pairs.all_calls()
    ]
    partners += [(result,) for result in pairs.all_results() if result.call is None]
    used = [each.id for owners in partners for each in owners if each.id is not None]
    words = _Words(used, 40, draft.format.ids)
    edits: dict[str, Edit] = {}
    does = "the tool call and its result get an id that is accepted"
    for owners in partners:
        code = next((codes[each.at] for each in owners if each.at in codes), None)
        raw = owners[0].id
        is_alone = len(owners) == 1
        if code is None or (not raw and is_alone):
            continue
        lacks_its_own = owners[0].at not in codes and not owners[-1].id  # the call's id is not refused
        id = raw if raw and lacks_its_own else _accepted_id(raw, draft.faults[code], words)
        for each in owners:
            if each.id != id:
                edits[each.at] = Edit(code, _setting(**{_id_field(each.value): id}), does)
    return apply(draft, edits)


def _accepted_id(raw: str | None, fault: FaultKind, words: _Words) -> str:
    """The id for a call and its result, whose id so far has this fault."""
    if not raw:
        return words.other("call")
    if fault in _MISSING:
        return raw
    return words.other(raw) if fault in _REPEATED else words.of(raw)


def _id_field(owner: Any) -> str:
    if isinstance(owner, ToolMessage):
        return "tool_call_id"
    return "tool_use_id" if isinstance(owner, ToolResultPart) else "id"


def _setting(**fields: Any) -> Change:
    return lambda owner: owner.replace(**fields)


def unsetting(*fields: str) -> Change:
    def change(owner: Any) -> Any:
        return type(owner)(**{name: getattr(owner, name) for name in owner.model_fields_set - set(fields)})

    return change


def change_names(draft: Draft, codes: Codes) -> bool:
    """Give tools another name, the same in definitions, calls, results and the choice of a tool."""
    named = [(pointer, owner) for pointer, owner in _named(draft) if owner.name is not None]
    refused = {owner.name: codes[pointer] for pointer, owner in named if pointer in codes}
    words = _Words((owner.name for _, owner in named), 64)
    does = "the tool is renamed everywhere to a name that the provider accepts"
    edits: dict[str, Edit] = {}
    for pointer, owner in named:
        if owner.name in refused:
            edits[pointer] = Edit(refused[owner.name], _setting(name=words.of(owner.name)), does)
    choice = draft.request.tool_choice
    allowed = [] if choice is None else [name for name in choice.allowed or () if name in refused]
    if choice is not None and allowed:
        names = [words.of(name) if name in refused else name for name in choice.allowed or ()]
        edits["/tool_choice"] = Edit(refused[allowed[0]], _setting(allowed=names), does)
    return apply(draft, edits)


def _named(draft: Draft) -> Iterator[tuple[str, Any]]:
    """All that has the name of a tool."""
    for i, tool in enumerate(draft.request.tools or ()):
        if tool.type == "function":
            yield f"/tools/{i}", tool
    if draft.request.tool_choice is not None:
        yield "/tool_choice", draft.request.tool_choice
    pairs = pairs_of(draft.messages)
    owners: list[Call | Result] = [*pairs.all_calls(), *pairs.all_results()]
    yield from ((each.at, each.value) for each in owners)


def change_participants(draft: Draft, codes: Codes) -> bool:
    """Write the names of messages' authors with accepted characters only."""
    does = "the author's name is written with accepted characters only"
    edits: dict[str, Edit] = {}
    for i, code in in_messages(codes).items():
        name: str | None = getattr(draft.messages[i], "name", None)
        if name is not None:
            edits[f"/messages/{i}"] = Edit(code, _setting(name=tool_name(name, 64)), does)
    return apply(draft, edits)


def leave_out_participants(draft: Draft, codes: Codes) -> bool:
    """Leave out the names of messages' authors, if the provider has no such field."""
    does = "the author's name is left out"
    return apply(draft, {f"/messages/{i}": Edit(code, unsetting("name"), does) for i, code in in_messages(codes).items()})


def change_filenames(draft: Draft, codes: Codes) -> bool:
    """Give documents different names, written with accepted characters only."""
    files: dict[str, str] = {}
    for i, message in enumerate(draft.messages):
        for pointer, owner in owners_in(message, f"/messages/{i}"):
            filename = _filename(owner)
            if isinstance(filename, str):
                files[pointer] = filename
    used = set(files.values())
    count: dict[str, int] = defaultdict(int)
    edits: dict[str, Edit] = {}
    for pointer, raw in files.items():
        if pointer in codes:
            accepted = " ".join(re.findall(r"[A-Za-z0-9_()\[\]-]+", raw))[:100] or "document"
            name = accepted
            while name in used:
                count[accepted] += 1
                name = f"{accepted} {count[accepted] + 1}"
            used.add(name)
            edits[pointer] = Edit(codes[pointer], _with_filename(name), "the document gets a name that is accepted")
    return apply(draft, edits)


def _filename(owner: Any) -> Json:
    """The name of a document, also one that says nothing, and that of one that is kept whole."""
    if isinstance(owner, OpaquePart):
        document: Json = owner.value.get("document")
        return document.get("name") if isinstance(document, dict) else None
    return (owner.filename or spelling(owner, "name")) if isinstance(owner, FilePart) else None


def _with_filename(name: str) -> Change:
    def change(owner: Any) -> Any:
        if isinstance(owner, FilePart):
            return owner.replace(filename=name)
        return owner.replace(value={**owner.value, "document": {**owner.value["document"], "name": name}})

    return change


def leave_out_tools(draft: Draft, codes: Codes) -> bool:
    """Leave out tools whose name an earlier one has."""
    code = next(iter(codes.values()))
    seen: set[str] = set()
    edits: dict[str, Edit] = {}
    for i, tool in enumerate(draft.request.tools or ()):
        name: Json = tool.name if tool.type == "function" else tool.value.get("name")
        if isinstance(name, str):
            if name in seen:
                edits[f"/tools/{i}"] = Edit(code, gone, "the tool is left out, because an earlier one has its name")
            seen.add(name)
    return apply(draft, edits)


def leave_out_list(draft: Draft, codes: Codes) -> bool:
    """Leave out empty lists."""
    edits: dict[str, Edit] = {}
    for pointer, code in codes.items():
        if pointer == "/tools":
            edits[pointer] = Edit(code, gone, "the empty list of tools is left out")
        elif getattr(draft.find(pointer), "tool_calls", None) == ():
            edits[pointer] = Edit(code, unsetting("tool_calls"), "the empty list of tool calls is left out")
    return apply(draft, edits)


def leave_out_calls(draft: Draft, codes: Codes) -> bool:
    """Leave out messages with calls that cannot be sent, and the results of all calls in them."""
    pairs = pairs_of(draft.messages)
    edits: dict[str, Edit] = {}
    for i, code in in_messages(codes).items():
        edits[f"/messages/{i}"] = Edit(code, gone, "the message is left out, because a tool call in it cannot be sent")
        for call in pairs.calls.get(i, ()):
            if call.result is not None:
                edits[call.result.at] = Edit(code, gone, "the tool result is left out with its call")
    return apply(draft, edits)
