"""Load and dump messages: each `dump_x` undoes its `load_x`.

A message has one text, and images beside it that have no place in the text. The server puts the images' marks before the text
(`server/prompt.go`, `imageTaggedMessages`), so canonical content has the reasoning, the images, the text and the calls, in
this order. A message of text alone keeps it as a string.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ...codec.arguments import fit_arguments
from ...codec.carrying import unreadable
from ...codec.dump import NOTHING_LEFT
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...codec.ids import given_id
from ...codec.one_by_one import Writers, dump_each
from ...codec.one_text import following
from ...codec.readable import send_as_media, send_as_text
from ...codec.text_files import file_as_text
from ...errors import LossKind
from ...model.messages import content_of, piece_kind, pieces_of
from ...model.parts import to_json
from .base import FAMILY, LONGEST_NAME, OllamaDump
from .images import dump_image, image_in_file, is_kept_image, load_image

Pointed: TypeAlias = list[tuple[str, Any]]
"""Parts, calls or texts, each with its pointer."""
ROLES = ("system", "user", "assistant", "tool")
THINKING, IMAGE, TEXT, CALL = range(4)
"""The positions of the kinds of parts in a message, in order."""
_KINDS = {
    "thinking": THINKING,
    "redacted_thinking": THINKING,
    "image": IMAGE,
    "image_url": IMAGE,
    "tool_use": CALL,
}
_TAKES = {"system": (TEXT,), "user": (IMAGE, TEXT), "tool": (IMAGE, TEXT), "assistant": (THINKING, IMAGE, TEXT, CALL)}
"""The kinds of parts that a message of each role may have."""

# Messages


def load_message(wire: Wire) -> dict[str, Any]:
    """Load a validated message; one of an unknown role is kept whole. The server reads roles in any case."""
    role = wire["role"].lower()
    if role not in ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    fields = FieldReader(wire, "role")
    if wire["role"] != role:
        fields.spelling["role"] = wire["role"]
    out: dict[str, Any] = {"role": role}
    if role == "assistant":
        load_answer(fields, out)
    else:
        _load_content(fields, out, load_images(fields) if role != "system" else [])
    if role == "tool":
        _load_answered(fields, out)
    return fields.keep(out, FAMILY)


def _load_answered(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load a result's call and function; if the name is missing, record that, as a result that a program builds gets one."""
    for key in ("tool_name", "tool_call_id"):
        if fields.wire.get(key) == "":
            fields.spelling[key] = "empty"
            fields.know(key)
    fields.move(out, *(("tool_call_id",) if "tool_call_id" not in fields.spelling else ()))
    if "tool_name" in fields.spelling:
        return
    fields.move(out, tool_name="name")
    if "name" not in out:
        fields.spelling["tool_name"] = "absent"


def forget_names(messages: list[dict[str, Any]]) -> None:
    """Remove the names of results that only repeat the names of their calls: a dump takes them from the calls."""
    called: dict[str | None, str] = {}
    for message in messages:
        if message["role"] == "tool" and "name" in message:
            if message["name"] == called.get(message.get("tool_call_id"), ...):
                del message["name"]
        elif message["role"] == "assistant" and type(message.get("content")) is list:
            called |= {part["id"]: part["name"] for part in message["content"] if part["type"] == "tool_use" and "id" in part}


def _load_content(fields: FieldReader, out: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    """Load the text, as a string if there is nothing beside it."""
    text = load_text(fields)
    out["content"] = [*parts, *_text_part(text)] if parts else text or ""


def load_text(fields: FieldReader) -> str | None:
    """Load the text of a message; if it has none, that is recorded."""
    text: str | None = fields.take("content")
    if text is None:
        fields.spelling["content"] = "null" if "content" in fields.wire else "absent"
        fields.know("content")
    return text


def _text_part(text: str | None) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}] if text else []


def load_images(fields: FieldReader) -> list[dict[str, Any]]:
    """Load the images of a message."""
    images = fields.wire.get("images")
    if not images:
        return []
    fields.know("images")
    return [load_image(image) for image in images]


def load_answer(fields: FieldReader, out: dict[str, Any], *, listed: bool = False) -> None:
    """Load the content of an assistant message; if `listed`, as a list even if it is text alone."""
    thinking = fields.wire.get("thinking")
    calls = fields.wire.get("tool_calls")
    parts: list[dict[str, Any]] = []
    if thinking:
        fields.know("thinking")
        parts.append({"type": "thinking", "thinking": thinking})
    elif thinking == "":
        fields.know("thinking")
        fields.spelling["thinking"] = "empty"
    parts += load_images(fields)
    if not (parts or calls or listed):
        if "content" in fields.wire:
            out["content"] = fields.wire["content"]
            fields.know("content")
        return
    parts += _text_part(load_text(fields))
    if calls:
        fields.know("tool_calls")
        parts += [load_call(call, i) for i, call in enumerate(calls)]
    out["content"] = parts


# Calls


def load_call(wire: Wire, place: int) -> dict[str, Any]:
    """Load a call of a function, at this place in its message; its arguments are usually an object."""
    fields = FieldReader(wire)
    function = dict(wire["function"])
    out: dict[str, Any] = {"type": "tool_use"}
    fields.move(out, "id")
    out["name"] = function.pop("name")
    word = "null" if "arguments" in function else "absent"
    arguments = function.pop("arguments", None)
    if arguments is None:
        fields.spelling["arguments"] = word
    out["input"] = {} if arguments is None else arguments
    if wire.get("type") == "function":
        fields.know("type")
        fields.spelling["type"] = "function"
    index = function.get("index")
    if type(index) is int and index == place:
        del function["index"]
        fields.spelling["index"] = "place"
    fields.left("function", function)
    return fields.keep(out, FAMILY)


def dump_call(call: Any, path: str, at: str, d: OllamaDump, place: int) -> Wire:
    """Dump a call, from a flat message or from a part; `place` is its number in its message."""
    d.places[at] = path
    name: str = call.name if d.exact else d.full_name(call, path)
    id = given_id(call.id, exact=d.exact)
    d.note_call(id, name)
    out: Wire = {}
    if id is not None:
        out["id"] = d.ids.exact_call(id) if d.exact else d.ids.call(id, path, d.source_ids)
    if d.same_family and spelling(call, "type") == "function":
        out["type"] = "function"
    function = out["function"] = Wire()
    if d.same_family and spelling(call, "index") == "place":
        function["index"] = place
    function["name"] = name if d.exact else d.tool_name(name, path, LONGEST_NAME)
    given: Any = call.input if "input" in vars(call) else call.arguments
    word = spelling(call, "arguments") if d.exact and given == {} else None
    if word is None:
        function["arguments"] = copy_wire(given) if d.exact else fit_arguments(call, given, path, f"{at}/function/arguments", d)
    elif word == "null":
        function["arguments"] = None
    if call.cache_control is not None:
        d.drop(path + "/cache_control", "Ollama has no cache marks")
    d.drop_unplaced(call, path)
    d.lay_provider_data(call, out, path)
    return out


# What a message becomes


class Content:
    """The form of a message's pieces: each kind goes into one field, where its texts are joined."""

    def __init__(self, at: str, role: str, d: OllamaDump) -> None:
        self._at = at
        self._role = role
        self._d = d
        self.fields: dict[int, Pointed] = {THINKING: [], IMAGE: [], TEXT: [], CALL: []}
        """The written values of each kind, each with the pointer of its source."""
        self._before = ""
        """The type of the last text."""
        self._reported = set[str]()
        """The pointers of pieces whose change was reported, so that each is reported once."""

    def _read(self, where: str, piece: Any) -> tuple[Any, int]:
        """A piece and its kind: an image that is in a file or in another provider's part takes the place of that."""
        name = piece_kind(piece)
        if is_kept_image(piece):
            return piece, IMAGE
        image: Any = None
        if name == "file" and IMAGE in _TAKES[self._role]:
            image = image_in_file(piece, where, self._d)
        elif name == "opaque" and IMAGE in _TAKES[self._role] and not self._d.is_response:
            image = send_as_media(piece, where, None, self._d, "image")
        return (piece, _KINDS.get(name, TEXT)) if image is None else (image, IMAGE)

    def take(self, where: str, piece: Any) -> None:
        """Take a piece; if it has no place, that is reported."""
        d = self._d
        piece, kind = self._read(where, piece)
        if kind not in _TAKES[self._role]:
            d.drop(where, f"Ollama does not take {_word(piece)} in a message of role {self._role}")
            return
        if kind == IMAGE and d.is_response and not d.exact:
            d.drop(where, "Ollama's official client refuses an answer with images: they are left out")
            return
        if kind == CALL:
            self.fields[CALL].append((where, piece))
            return
        count = len(d.losses)
        made = _write(piece, where, f"{self._at}/{_PLACES[kind]}", d, kind)
        if made is None:
            return
        self._reported.update([loss.path for loss in d.losses[count:]])
        # In a stream of Ollama's shape, reasoning may come after text; the whole response has no order.
        is_own_answer = d.same_format and d.is_response
        if not (d.same_family or is_own_answer) and any(self.fields[later] for later in range(kind + 1, 4)):
            self._report("moved", where, None, MOVED)
        own = piece_kind(piece)
        if self.fields[kind]:
            made = following(made, own, self._before)
        if kind == TEXT:
            self._before = own
        self.fields[kind].append((where, made))

    def _report(self, kind: LossKind, where: str, at: str | None, why: str) -> None:
        if where not in self._reported:
            self._reported.add(where)
            self._d.report(kind, where, at, why)

    def lay(self, out: Wire) -> None:
        """Write the fields, except the calls."""
        d = self._d
        between, why = ("", ANSWER_JOINED) if self._role == "assistant" else ("\n", JOINED)
        for kind, key in ((TEXT, "content"), (THINKING, "thinking")):
            found = self.fields[kind]
            if found:
                out[key] = between.join([text for _, text in found])
                d.places[f"{self._at}/{key}"] = found[0][0]
            for where, _ in found if len(found) > 1 else ():
                self._report("changed", where, f"{self._at}/{key}", why)
        images = self.fields[IMAGE]
        if images:
            out["images"] = [image for _, image in images]
            d.places.update((f"{self._at}/images/{i}", where) for i, (where, _) in enumerate(images))


MOVED = "Ollama puts reasoning and images before the text, and calls after it"
JOINED = "a message of Ollama has one text: several are joined by line breaks"
ANSWER_JOINED = "an answer of Ollama has one text, and one of reasoning: several are joined"
"""Nothing comes between them: the texts of an answer are one, interrupted by citations and other parts."""
_PLACES = {THINKING: "thinking", IMAGE: "images", TEXT: "content"}
"""The field for each kind."""


def _word(piece: Any) -> str:
    kind = piece_kind(piece)
    return "tool calls" if kind == "tool_use" else f"{kind.replace('_', ' ')} parts"


def _write(piece: Any, where: str, at: str, d: OllamaDump, kind: int) -> str | None:
    """The text or the base64 of a piece; None, with a report, if it has none."""
    if type(piece) is str:
        return piece
    made = dump_image(piece, where, at, d) if kind == IMAGE else write_text(piece, where, at, d)
    if made is not None:
        finish_part(piece, where, d)
    return made


def write_text(part: Any, where: str, at: str, d: OllamaDump) -> str | None:
    """Dump the text of a part of text or reasoning; None, with a report, if it has no text that Ollama accepts."""
    kind: str = part.type
    made: str | None = None
    if kind == "opaque":
        made = send_as_text(part, where, at, d)
        why = d.no_place_for(part, "part")
    elif kind == "refusal":
        made = part.refusal
        d.report("changed", where, at, "Ollama has no refusals: the refusal becomes text")
        return made
    elif kind == "json":
        return to_json(part.value)
    elif kind in ("text", "thinking"):
        made = getattr(part, kind)
        why = f"empty {'reasoning' if kind == 'thinking' else 'text'} is left out"
        if made == "" and kind == "text" and part.model_fields_set <= {"type", "text", "wire"}:
            return None
        made = made or None
        if made is not None and kind == "thinking" and part.summary is not None:
            d.report("changed", where, at, "Ollama does not mark reasoning as a summary")
    elif kind == "redacted_thinking":
        why = unreadable(part)
    else:
        made = file_as_text(part, where, at, d)
        why = f"Ollama does not take {_word(part)}"
    if made is None:
        d.drop(where, why)
    return made


def finish_part(part: Any, path: str, d: OllamaDump) -> None:
    """Report the fields of a part besides its content: Ollama has none for text, reasoning and images."""
    d.drop_unplaced(part, path)
    if part.cache_control is not None:
        d.drop(path + "/cache_control", "Ollama has no cache marks")
    d.drop_fields(part, path)


def dump_messages(messages: Sequence[Any], start: int, out: list[Wire], base: OllamaDump) -> None:
    """Append the wire forms of the messages from `start`."""
    dump_each(messages, start, out, base, _WRITERS)


_OTHERS = {
    "developer": ("system", "Ollama has no developer role: it becomes a system message"),
    "text": ("user", "Ollama's chat has no completion-style text: it becomes a user message"),
}
"""For each role that Ollama lacks, the role that replaces it, and the text that is reported."""


def _role(message: Any, role: str, d: OllamaDump) -> str:
    """The role as it was spelled."""
    word = spelling(message, "role") if d.same_family else None
    return word if word is not None and word.lower() == role else role


def _dump_given(message: Any, path: str, at: str, d: OllamaDump) -> Wire | None:
    """Dump a message of the user or the application."""
    role: str = message.role
    if role in _OTHERS:
        role, why = _OTHERS[role]
        d.report("changed", path, at, why)
    return _dump_pieces(message, pieces_of(message.content, path), path, at, d, role)


def _dump_pieces(message: Any, pieces: Pointed, path: str, at: str, d: OllamaDump, role: str) -> Wire | None:
    """Dump these pieces as a message; None, with a report, if nothing in it has a place."""
    out: Wire = {"role": _role(message, role, d)}
    lay_content(message, pieces, out, at, d, role)
    if "content" not in out and "images" not in out and not d.exact:
        return d.refuse(path, NOTHING_LEFT)
    _spell_content(message, out, d)
    _dump_frame(message, out, path, d)
    return out


def lay_content(message: Any, pieces: Pointed, out: Wire, at: str, d: OllamaDump, role: str) -> Content:
    """Write what the pieces become, except the calls."""
    content = Content(at, role, d)
    for where, piece in pieces:
        content.take(where, piece)
    content.lay(out)
    return content


def _spell_content(message: Any, out: Wire, d: OllamaDump) -> None:
    """Write an empty text if a message has none, as the server does; or nothing, if that was recorded."""
    if "content" in out and (out["content"] or not d.exact):
        return
    word = spelling(message, "content") if d.exact else None
    out["content"] = None if word == "null" else ""
    if word == "absent":
        del out["content"]


def _dump_frame(message: Any, out: Wire, path: str, d: OllamaDump) -> None:
    """Write and report the fields of a message besides its content."""
    d.drop_named(message, path, "name", "cache_control")
    if message.provider_data is not None:
        d.lay_provider_data(message, out, path)


# Results


def _dump_rest(message: Any, rest: Pointed, path: str, at: str, d: OllamaDump) -> Wire | None:
    """Dump a user message without its tool results."""
    made: Wire = {"role": "user"}
    lay_content(message, rest, made, at, d, "user")
    if len(made) == 1:
        for where, piece in rest:
            if piece_kind(piece) == "text":
                d.drop(where, "an empty text beside tool results is left out")
        d.drop_named(message, path, "name", "cache_control")
        d.drop_fields(message, path)
        return None
    made.setdefault("content", "")
    _dump_frame(message, made, path, d)
    return made


def _dump_result(owner: Any, path: str, at: str, d: OllamaDump) -> Wire:
    """Dump a tool result, from a tool message or from a part, as a message."""
    is_message = "role" in vars(owner)
    out: Wire = {"role": _role(owner, "tool", d)}
    raw = given_id(owner.tool_call_id if is_message else owner.tool_use_id, exact=d.exact)
    given = owner.name if owner.name is None or d.exact else d.full_name(owner, path)
    called = d.answered(raw, given)
    lay_content(owner, pieces_of(owner.content, path), out, at, d, "tool")
    _spell_content(owner, out, d)
    if d.exact:
        _lay(owner, out, "tool_name", called if given is None and spelling(owner, "tool_name") is None and raw else given)
        _lay(owner, out, "tool_call_id", None if raw is None else d.ids.exact_result(raw))
    else:
        if called is not None:
            out["tool_name"] = d.names.get(called, called)
        if raw is not None:
            out["tool_call_id"] = d.ids.result(raw, path, "/tool_call_id" if is_message else "/tool_use_id", d.source_ids)
    d.drop_named(owner, path, "cache_control")
    d.drop_error_flag(owner, path)
    if not is_message:
        d.drop_unplaced(owner, path)
    d.lay_provider_data(owner, out, path)
    return out


def _lay(owner: Any, out: Wire, key: str, value: str | None) -> None:
    """Write a field, also if it was loaded as an empty text."""
    if value is not None:
        out[key] = value
    elif spelling(owner, key) == "empty":
        out[key] = ""


# Messages of the assistant


def dump_assistant(message: Any, path: str, at: str, d: OllamaDump) -> Wire | None:
    """Dump an assistant message; None, with a report, if nothing in it has a place."""
    out: Wire = {"role": _role(message, "assistant", d)}
    pieces = content_of(message, path)
    if not pieces and message.content == "":
        pieces = [(path + "/content", "")]
    calls = lay_content(message, pieces, out, at, d, "assistant").fields[CALL]
    if d.exact and "thinking" not in out and spelling(message, "thinking") == "empty":
        out["thinking"] = ""
    if calls:
        out["tool_calls"] = [dump_call(call, where, f"{at}/tool_calls/{i}", d, i) for i, (where, call) in enumerate(calls)]
    if len(out) == 1 and not d.exact and not d.is_response:
        return d.refuse(path, NOTHING_LEFT)
    if d.exact and not d.is_response and type(message.content) is not tuple:
        if message.content is None and "content" in message:
            out["content"] = None  # a message of text alone has no parts
    else:
        _spell_content(message, out, d)
    _dump_frame(message, out, path, d)
    return out


_WRITERS = Writers(assistant=dump_assistant, result=_dump_result, given=_dump_given, rest=_dump_rest)
