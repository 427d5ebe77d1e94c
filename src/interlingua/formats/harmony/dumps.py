"""Dump messages: report what harmony cannot carry, and write the rest.

Text of users, tools and models never becomes structure: special tokens in it get a space inside, which is reported. A message
that was loaded from harmony is written as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.carrying import unreadable
from ...codec.dump import NOTHING_LEFT
from ...codec.fields import spelling
from ...codec.one_text import following, has_text, plain_text, text_pieces
from ...model.messages import content_of, piece_kind, pieces_of
from ...model.parts import to_json
from .base import FAMILY, HarmonyDump
from .messages import NAME, AnswerPart, recorded_text, write_answer, write_given, write_result
from .texts import SPECIAL, escaped, neutral

NEUTRAL = "the text has special tokens of harmony, which would become structure: a space is written inside each"


def safe(text: str, path: str, d: HarmonyDump) -> str:
    """The text as a content may have it; reports special tokens in what is at `path`."""
    made = neutral(text)
    if made != text:
        d.report("changed", path, d.at, NEUTRAL)
    return made


# All messages


def _settled_before(messages: Sequence[Any]) -> int:
    """The number of messages up to the last final answer that is not the last message."""
    for i in range(len(messages) - 2, -1, -1):
        if messages[i].role == "assistant" and _is_final(messages[i]):
            return i + 1
    return 0


def _is_final(answer: Any) -> bool:
    """Whether an assistant message has a text, which may be empty, and no calls."""
    content: str | tuple[Any, ...] | None = answer.content
    kinds = ["text"] if isinstance(content, str) else [part.type for part in content or ()]
    return "text" in kinds and "tool_use" not in kinds and not answer.tool_calls


def dump_messages(messages: Sequence[Any], start: int, base: HarmonyDump) -> Iterator[str]:
    """The texts of the messages from `start`."""
    settled = _settled_before(messages)
    results: list[tuple[str, Any, HarmonyDump]] = []
    for i in range(start, len(messages)):
        message = messages[i]
        path = f"/messages/{i}"
        d = base.rules_for(message)
        if message.role == "tool":
            results.append((path, message, d))
            continue
        yield from _dump_results(results, base)
        results = []
        if message.role == "opaque":
            text = message.value.get("text") if message.format == FAMILY else None
            if type(text) is str:
                yield text
            else:
                d.drop(path, d.no_place_for(message, "message"))
        elif message.role == "assistant":
            yield dump_answer(message, path, d, is_settled=i < settled)
        else:
            yield from _dump_given(message, path, base, d)
    yield from _dump_results(results, base)


def finish(message: Any, path: str, d: HarmonyDump, *names: str) -> None:
    """Report the fields of a message that harmony does not have."""
    d.drop_named(message, path, "cache_control", *names)
    d.drop_fields(message, path)


def dump_answer(message: Any, path: str, d: HarmonyDump, *, is_settled: bool = False) -> str:
    """Dump an assistant message."""
    text = recorded_text(message) if d.exact else None
    parts = list(dump_parts(message, path, d, is_settled=is_settled))
    if not parts:
        d.drop(path, NOTHING_LEFT)
    return text or write_answer(parts)


def dump_parts(message: Any, path: str, d: HarmonyDump, *, is_settled: bool = False) -> Iterator[AnswerPart]:
    """The parts of an assistant message, of which those in a turn that has ended are written without the reasoning."""
    pieces = content_of(message, path)
    if not pieces and message.content == "" and d.exact:
        pieces = [(f"{path}/content", "")]
    yield from _parts_of(pieces, path, d, is_settled=is_settled)
    finish(message, path, d, "name")


def _parts_of(pieces: list[tuple[str, Any]], path: str, d: HarmonyDump, *, is_settled: bool) -> Iterator[AnswerPart]:
    """The parts of an assistant message; texts that follow one another are one text, which is reported once."""
    joined = 0
    before = ""
    texts: list[AnswerPart] = []
    for where, piece in pieces:
        kind = piece_kind(piece)
        part: AnswerPart | None = None
        if kind == "tool_use":
            part = _call(piece, where, d)
        elif kind in ("thinking", "redacted_thinking"):
            part = dump_thinking(piece, where, d, is_settled=is_settled)
        else:
            more = dump_text(piece, where, path, d)
            is_next = bool(texts) and not d.from_target
            texts += [each._replace(text=following(each.text, kind, before)) for each in more] if is_next else more
            before = kind if more else before
        if part is not None:
            joined = max(joined, len(texts))
            yield from _of_text(texts, path, d)
            yield part
            texts = []
    yield from _of_text(texts, path, d)
    if max(joined, len(texts)) > 1 and not d.from_target:
        d.report("changed", path, d.at, JOINED)


JOINED = "an answer of harmony has one text: several are joined"


def dump_text(piece: Any, where: str, path: str, d: HarmonyDump, *, streamed: bool = False) -> list[AnswerPart]:
    """The text of a part, in a list that is empty if the part says nothing or has no text.

    What is `streamed` may have special tokens, which are neutralised with the text that follows.
    """
    if d.exact and piece_kind(piece) == "opaque" and piece.format == FAMILY:
        return [AnswerPart("opaque", str(piece.value.get("text")))]
    text = plain_text([(where, piece)], path, d.at, d)
    if not (has_text([(where, piece)], d) and (text or d.exact)):
        return []
    is_preamble = d.from_target and type(piece) is not str and spelling(piece, "channel") == "commentary"
    text = text if streamed else safe(text, where, d)
    return [AnswerPart("text", text, channel="commentary" if is_preamble else "")]


def _of_text(texts: list[AnswerPart], path: str, d: HarmonyDump) -> list[AnswerPart]:
    """The texts that follow one another, joined; those of harmony itself are in channels of their own."""
    if texts and not d.from_target:
        joined = "".join([part.text for part in texts])
        return [AnswerPart("text", joined if len(texts) == 1 else safe(joined, path, d))]
    return texts


def dump_thinking(
    part: Any, where: str, d: HarmonyDump, *, is_settled: bool = False, streamed: bool = False
) -> AnswerPart | None:
    """The reasoning of a part; None, with a report, if it is left out."""
    if part.type == "redacted_thinking":
        d.drop(where, unreadable(part))
        return None
    if is_settled and not d.exact:
        d.report("response_only" if d.from_response else "dropped", where, None, _SETTLED)
        return None
    if not d.exact and not part.thinking:
        d.drop(where, "empty reasoning is left out")
        return None
    d.drop_named(part, where, "cache_control", "signature")
    if part.summary is not None:
        d.report("changed", where, d.at, "harmony does not mark reasoning as a summary")
    d.drop_fields(part, where)
    return AnswerPart("thinking", part.thinking if streamed else safe(part.thinking, where, d))


_SETTLED = "reasoning from earlier turns must not be sent to the model again"


def _call(call: Any, where: str, d: HarmonyDump) -> AnswerPart:
    """A call with its whole arguments."""
    name = call_name(call, where, d)
    arguments = call.arguments
    if call.custom and not d.exact:
        arguments = to_json(fit_arguments(call, arguments, where, d.at, d))
    if SPECIAL.search(arguments):
        arguments = _safe_arguments(arguments, where, d)
    return AnswerPart("tool_use", arguments, name)


def call_name(call: Any, where: str, d: HarmonyDump) -> str:
    """The name of the function that is called; reports the other fields of the call that harmony does not have."""
    name = call.name if d.exact else d.tool_name(d.full_name(call, where), where, 64)
    d.note_call(call, name)
    if call.id is not None:
        d.report("changed", f"{where}/id", None, "harmony's calls have no ids: they are paired with their results by order")
    d.drop_named(call, where, "cache_control", "signature")
    d.drop_fields(call, where)
    return name


def _safe_arguments(text: str, where: str, d: HarmonyDump) -> str:
    """Escape special tokens as JSON does, which changes nothing; where the text is not JSON, write a space inside them."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        d.report("changed", where, d.at, NEUTRAL)
        return neutral(text)
    return escaped(text)


def _dump_given(message: Any, path: str, base: HarmonyDump, d: HarmonyDump) -> Iterator[str]:
    """Dump a message of the user or the application: its results, then its text."""
    pieces = text_pieces(message, path)
    results = [piece for piece in pieces if getattr(piece[1], "type", None) == "tool_result"]
    rest = [piece for piece in pieces if getattr(piece[1], "type", None) != "tool_result"]
    yield from _dump_results([(where, part, d) for where, part in results], base)
    if results and pieces[: len(results)] != results and has_text(rest, d):
        d.report("moved", path, d.at, "tool results must come before the other content of their message")
    text = given_text(message, path, rest, d)
    if text is None:
        if not results:
            d.drop(path, NOTHING_LEFT)
        return
    role = message.role if d.exact else _GIVEN[message.role]
    recorded = recorded_text(message) if d.exact else None
    yield recorded or write_given(role, text, fit_name(message, path, d))


_GIVEN = {"system": "developer", "developer": "developer", "user": "user", "text": "user"}
"""The roles to write; harmony's system message says who the model is, and has no instructions."""


def fit_developer(messages: Sequence[Any], base: HarmonyDump) -> tuple[str | None, int]:
    """The instructions to write before the tools, from the first message, and the index of the next message to write."""
    for i, message in enumerate(messages):
        d: HarmonyDump = base.rules_for(message)
        if message.role not in ("system", "developer") or (d.exact and message.role == "system"):
            return None, i
        text = given_text(message, f"/messages/{i}", text_pieces(message, f"/messages/{i}"), d)
        if text is not None:
            return text, i + 1
        d.drop(f"/messages/{i}", NOTHING_LEFT)
    return None, len(messages)


def given_text(message: Any, path: str, pieces: list[tuple[str, Any]], d: HarmonyDump) -> str | None:
    """The text of a message that is not the assistant's; None if it has none. Reports a change of its role."""
    finish(message, path, d, *(() if message.role == "user" else ("name",)))
    pieces = _not_empty(pieces, d)
    if not has_text(pieces, d):
        plain_text(pieces, path, d.at, d)
        return None
    changed: str | None = None
    if not d.exact and _GIVEN[message.role] != message.role:
        changed = f"harmony does not take a {message.role} message in this place: it becomes a {_GIVEN[message.role]} message"
    return safe(plain_text(pieces, path, d.at, d, changed), path, d)


def _not_empty(pieces: list[tuple[str, Any]], d: HarmonyDump) -> list[tuple[str, Any]]:
    """The pieces without parts of empty text."""
    return pieces if d.exact else [piece for piece in pieces if getattr(piece[1], "text", None) != ""]


def fit_name(message: Any, path: str, d: HarmonyDump) -> str | None:
    """The name of a user, if harmony can write it."""
    name: str | None = message.name if message.role == "user" else None
    if name is None or d.exact or NAME.fullmatch(name):
        return name
    d.drop(f"{path}/name", "the name of a user must have only letters, digits, _ and -")
    return None


def _dump_results(results: Sequence[tuple[str, Any, HarmonyDump]], base: HarmonyDump) -> Iterator[str]:
    """Dump consecutive results in the order of their calls; those without a call come last."""
    answered = [(base.answered(result), path, result, d) for path, result, d in results]
    answered.sort(key=lambda item: item[0][0] or base.count + 1)
    for number, ((_, name), path, result, d) in enumerate(answered):
        if results[number][0] != path:
            d.report("moved", path, d.at, "tool results must be in the order of their calls")
        yield from _dump_result(result, name, path, d)


def _dump_result(result: Any, name: str | None, path: str, d: HarmonyDump) -> Iterator[str]:
    if name is None:
        d.drop(path, "a tool result of harmony must have the name of its function: give the result a `name`")
        return
    own: str | None = result.name
    name = name if d.exact else d.tool_name(name, path, 64, "" if own is None else "/name")
    for key in ("tool_call_id", "tool_use_id"):
        if getattr(result, key, None) is not None:
            d.report("changed", f"{path}/{key}", None, "harmony's results have no ids; they have the name of their function")
    d.drop_error_flag(result, path)
    finish(result, path, d, "signature")
    pieces = _not_empty(pieces_of(result.content, path), d)
    text = safe(plain_text(pieces, path, d.at, d), path, d)
    recorded = recorded_text(result) if d.exact else None
    yield recorded or write_result(name, text)
