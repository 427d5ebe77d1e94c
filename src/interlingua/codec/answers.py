"""Writes what answers have besides their messages: stop reasons, log probabilities, and provider data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import escape
from ..model.exchange import Choice, Response
from .dump import Dump
from .fields import Wire
from .probabilities import Probabilities, Read, has_other_bytes
from .usage import MEANT, StopTable


def finish_answer(response: Response, choice: Choice, out: Wire, d: Dump, *absent: str) -> None:
    """Write the provider data of an answer; report its stop sequence and those fields in `absent` that it has."""
    if choice.stop_sequence is not None:
        d.drop("/choices/0/stop_sequence", f"responses of {d.target.name} have no field for the stop sequence")
    for key in absent:
        if getattr(response, key) is not None:
            d.report("response_only", "/" + key, None, f"responses of {d.target.name} have no field for `{key}`")
    d.lay_provider_data(choice, out, "/choices/0")
    d.lay_provider_data(response, out, "")


def stop_beside_calls(table: StopTable, choice: Choice, path: str, at: str, d: Dump, *, calls: bool) -> str | None:
    """The target's word for why an answer ended, if that word does not say whether the answer has tool calls.

    Its readers treat an answer with calls as stopped for the calls; a different reason is reported.
    """
    reason = choice.stop_reason
    has_own_word = d.same_family and choice.native_stop_reason not in (None, *table.ends_calls)
    if reason not in ("stop", "tool_calls") or has_own_word:
        return d.stop_word(table, choice, path, at)
    word = d.stop_word(table, choice.replace(stop_reason="stop"), path, at)
    if reason != ("tool_calls" if calls else "stop"):
        why = f"in {d.target.name}, an answer with calls is read as stopped for them" if calls else MEANT["stop"]
        d.report("changed", path + "/stop_reason", at, f"{why}; sent as {word}")
    return word


# Log probabilities


def _owners(choice: Choice, path: str, *, in_texts: bool) -> Iterator[tuple[str, Any]]:
    content = choice.message.content
    if not in_texts:
        yield path, choice
    elif isinstance(content, tuple):
        for i, part in enumerate(content):
            if part.type == "text":
                yield f"{path}/message/content/{i}", part


def has_probabilities(choice: Choice, d: Dump) -> bool:
    """Whether a choice from another provider has probabilities, in a format with one list of them for each choice."""
    source = _foreign_source(d)
    if source is None or not choice.provider_data:
        return False
    return source.probabilities.read(choice.provider_data.get(source.family) or {}) is not None


class _Source(NamedTuple):
    """The format of the source, which has probabilities in another place or form than the target."""

    family: str
    probabilities: Probabilities


def _foreign_source(d: Dump) -> _Source | None:
    """The source, if it has probabilities in another place or form than the target; some APIs of one family differ in that."""
    source = d.source
    if source is None or source.probabilities is None:
        return None
    same = source.probabilities is d.target.probabilities if source.family == d.family else d.same_family
    return None if same else _Source(source.family, source.probabilities)


def probabilities_of(choice: Choice, path: str, at: str, d: Dump, *, streamed: bool = False) -> list[Wire] | None:
    """The probabilities in another provider's answer, in the shared form, to be written at `at`; None if it has none.

    Their losses, which were reported with the other fields, are removed. In a stream, those of texts were already reported.
    """
    source = _foreign_source(d)
    if source is None or d.target.probabilities is None:
        return None
    if streamed and source.probabilities.in_texts:
        return None
    tokens: list[Wire] = []
    carried: dict[str, Read] = {}
    for where, owner in _owners(choice, path, in_texts=source.probabilities.in_texts):
        overlays: dict[str, Wire] = owner.provider_data or {}
        overlay = overlays.get(source.family)
        if overlay and (found := source.probabilities.read(overlay)) is not None:
            tokens += found.tokens
            carried[f"{where}/provider_data/{escape(source.family)}/{found.field}"] = found
    if not carried:
        return None
    d.losses[:] = [loss for loss in d.losses if loss.path not in carried]
    for pointer, found in carried.items():
        _report(found, pointer, at, d)
    return tokens


def take_probabilities(data: Wire, path: str, d: Dump, *, in_texts: bool) -> tuple[list[Wire], Wire] | None:
    """The probabilities in the data of an event for an answer or a text, and the data without them; None if there are none."""
    source = _foreign_source(d)
    if source is None or d.target.probabilities is None:
        return None
    overlays: dict[str, Wire] = data.get("provider_data") or {}
    overlay = overlays.get(source.family) if source.probabilities.in_texts is in_texts else None
    if not overlay or (found := source.probabilities.read(overlay)) is None:
        return None
    _report(found, f"{path}/provider_data/{escape(source.family)}/{found.field}", None, d)
    left = {key: value for key, value in overlay.items() if key != found.field}
    return found.tokens, data | {"provider_data": overlays | {source.family: left}}


def _report(found: Read, pointer: str, at: str | None, d: Dump) -> None:
    if found.others is not None:
        d.report("changed", pointer, at, found.others)
    probabilities = d.target.probabilities
    if probabilities is not None and not probabilities.has_bytes and has_other_bytes(found.tokens):
        d.report("changed", pointer, at, f"tokens of {d.target.name} have no bytes; those of partial characters are left out")
