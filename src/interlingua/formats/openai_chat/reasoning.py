"""Load and dump reasoning, which each host puts into its own field of an assistant message.

Reasoning text is in `reasoning_content`, `reasoning` or `reasoning_text`; blocks are in `thinking_blocks` (Anthropic's shape)
or `reasoning_details` (OpenRouter's). A message is dumped to the field that it was loaded from if the host is the same, and to
the host's one field otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...codec.carrying import issuer_of
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.one_text import following_block
from ...model.base import Json
from ...model.parts import ThinkingPart
from .base import FAMILY, ChatDump, dump_cache, own_fields, spell
from .beside import load_detail_signatures
from .listed import dump_texts, form_of_thinking
from .parts import Pointed, load_block
from .profiles import ChatProfile
from .repeated_blocks import repeat_blocks

DETAIL_FIELDS = {"reasoning.text": "text", "reasoning.summary": "summary", "reasoning.encrypted": "data"}
_DETAIL_ISSUERS = {"anthropic": "anthropic", "openai": "openai", "azure": "openai", "google": "gemini", "xai": "xai"}
DETAIL_FORMATS = {
    "anthropic": "anthropic-claude-v1",
    "bedrock": "anthropic-claude-v1",
    "openai": "openai-responses-v1",
    "gemini": "google-gemini-v1",
    "xai": "xai-responses-v1",
}
DETAIL_SIGNER = "openrouter"
"""The issuer of blocks without a label."""


BLOCK_FIELDS = frozenset({"thinking_blocks", "reasoning_details", "content"})
"""The fields of a message that may have blocks of reasoning."""


def detail_issuer(label: Json) -> str:
    """The issuer of a reasoning detail, by its `format`."""
    return _DETAIL_ISSUERS.get(label.partition("-")[0], label) if type(label) is str else DETAIL_SIGNER


def _label(issuer: str | None) -> str | None:
    """The `format` of a reasoning detail by this issuer; None if it has none. An unknown label is an issuer's name itself."""
    return DETAIL_FORMATS.get(issuer or "", issuer if issuer is not None and "-" in issuer else None)


def reasoning_fields(word: str | None, profile: ChatProfile) -> tuple[str, ...]:
    """The fields of reasoning text: those that a message was loaded from, or the host's."""
    if word == "both":
        return "reasoning_content", "reasoning"
    known = profile.reasoning_texts
    usual = profile.reasoning if profile.reasoning in known else "reasoning_content"
    field = word if word in known else usual
    return (field,)


def block_field(word: str | None, profile: ChatProfile) -> str:
    """The field of reasoning blocks: the one that a message was loaded from, or the host's."""
    usual = profile.reasoning if profile.reasoning in BLOCK_FIELDS else "thinking_blocks"
    return word if word in BLOCK_FIELDS else usual


def load_reasoning(fields: FieldReader, out: dict[str, Any], profile: ChatProfile) -> None:
    """Take reasoning text and blocks from all fields that have them."""
    for field in profile.reasoning_texts:
        if (text := fields.take(field, str)) is not None:
            out["reasoning_content"] = text
            if field == "reasoning_content" and fields.wire.get("reasoning") == text:
                fields.know("reasoning")
                fields.spelling["reasoning"] = "both"
            elif field not in reasoning_fields(None, profile):
                fields.spelling["reasoning"] = field
            break
    for field, load in (("thinking_blocks", load_block), ("reasoning_details", load_detail)):
        items: Json = fields.wire.get(field)
        if type(items) is not list or "thinking_blocks" in out:
            continue
        blocks = [load(item) for item in items]
        if None in blocks:
            continue
        fields.know(field)
        if field == "reasoning_details":
            blocks = blocks[: load_detail_signatures(items, fields, out, profile)]
        if blocks or not items:
            out["thinking_blocks"] = blocks
        if field != block_field(None, profile):
            fields.spelling["thinking"] = field
        break


class Reasoning(NamedTuple):
    """The reasoning of one message: its text, and its blocks, each with its pointer."""

    path: str
    """The pointer to the message."""
    text: str | None
    blocks: Pointed
    moved: Mapping[str, str]
    """Why a block changes its place, by pointer."""

    def block_text(self) -> str:
        """The text of all readable blocks."""
        return "".join(block.thinking for _, block in self.blocks if block.type == "thinking")

    def one_text(self) -> str:
        """All readable reasoning as one text, with a blank line between two blocks."""
        text = "" if self.text is None or self.text == self.block_text() else self.text
        last: Json = None
        for _, block in self.blocks:
            if block.type == "thinking":
                index = own_fields(block).get("index")  # the same in all fragments of a block, which some clients do not join
                goes_on = index is not None and index == last
                text += block.thinking if goes_on or not text else following_block(block.thinking)
                last = index
        return text


def dump_reasoning(message: Any, parts: Pointed, moved: Mapping[str, str], out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Write reasoning to the fields that it was loaded from, or to the host's one field; report it if the host has none."""
    blocks = [(f"{path}/thinking_blocks/{i}", block) for i, block in enumerate(message.thinking_blocks or ())]
    reasoning = Reasoning(path, message.reasoning_content, blocks + parts, moved)
    field = d.profile.reasoning
    if d.exact:
        _dump_as_loaded(message, reasoning, out, at, d)
    elif field is None:
        if reasoning.text is not None:
            d.drop(path + "/reasoning_content", f"{d.target.name} does not take reasoning")
        for where, _ in reasoning.blocks:
            d.drop(where, f"{d.target.name} does not take reasoning")
    elif field in BLOCK_FIELDS:
        _dump_to_blocks(reasoning, field, out, at, d)
    else:
        _dump_to_text(reasoning, field, out, at, d)


def _dump_as_loaded(message: Any, reasoning: Reasoning, out: Wire, at: str, d: ChatDump) -> None:
    if reasoning.text is not None:
        out.update(dict.fromkeys(reasoning_fields(spelling(message, "reasoning"), d.profile), reasoning.text))
    if message.thinking_blocks is not None:
        field = block_field(spelling(message, "thinking"), d.profile)
        out[field] = _dump_blocks(reasoning, field, at, d)
        repeat_blocks(out, spelling(message, "blocks"))


# Reasoning as text


def _dump_to_text(reasoning: Reasoning, field: str, out: Wire, at: str, d: ChatDump) -> None:
    text = reasoning.text
    here = f"{at}/{field}"
    readable = sum(block.type == "thinking" for _, block in reasoning.blocks)
    whole = reasoning.one_text()
    one_block = readable == 1 and whole == reasoning.block_text()
    if whole or text is not None:
        out[field] = whole
        if text is not None and not one_block:
            d.places[here] = reasoning.path + "/reasoning_content"
    for where, block in reasoning.blocks:
        if block.type == "redacted_thinking" or field not in out:
            d.drop(where, f"{d.target.name} takes only readable reasoning")
        elif not one_block:
            d.places.setdefault(here, where)
            d.report("changed", where, here, "the reasoning of a message is one text: its blocks are joined")
            _report_lost(block, where, d)
        else:
            d.places[here] = where
            if where in reasoning.moved:
                d.report("moved", where, here, reasoning.moved[where])
            report_block(block, where, here, d)


def without_stand_in(out: dict[str, Any], profile: ChatProfile) -> dict[str, Any]:
    """A loaded message of a request, without placeholder text for reasoning."""
    stand_in = profile.reasoning_stand_in
    if stand_in is None or out.get("reasoning_content") != stand_in:
        return out
    spelled = "reasoning" in out.get("wire", {}).get("spelling", {})
    if out.get("tool_calls") and "thinking_blocks" not in out and not spelled:
        del out["reasoning_content"]
        spell(out, "reasoning", "stand_in")
    return out


def add_stand_in(message: Any, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Add the reasoning that the host requires beside tool calls, if another provider's model gave none."""
    if d.is_response:
        return
    if "reasoning_content" in out:
        if not d.exact and out["reasoning_content"] == d.profile.reasoning_stand_in:
            here = at + "/reasoning_content"
            d.report("changed", d.places.get(here, path), here, _BLANK)
        return
    if d.exact:
        if spelling(message, "reasoning") == "stand_in":
            out["reasoning_content"] = d.profile.reasoning_stand_in
    elif not d.from_target:
        out["reasoning_content"] = d.profile.reasoning_stand_in
        d.report("added", path, at + "/reasoning_content", _STAND_IN_ADDED)


_BLANK = "blank reasoning beside tool calls is only a stand-in for missing reasoning"
_STAND_IN_ADDED = (
    "a message with tool calls must have `reasoning_content`: a stand-in is sent; "
    "to send none, use a profile with `reasoning_stand_in=None`"
)


def report_block(block: Any, where: str, here: str | None, d: ChatDump) -> None:
    """Report what a block has besides the text that it becomes."""
    if block.summary is not None:
        d.report("changed", where, here, f"{d.target.name} does not mark reasoning as a summary")
    _report_lost(block, where, d)


def _report_lost(block: Any, where: str, d: ChatDump) -> None:
    for key in ("signature", "cache_control"):
        if getattr(block, key) is not None:
            d.drop(f"{where}/{key}", f"{d.target.name} has reasoning as text, without `{key}`")
    d.drop_fields(block, where)


# Reasoning as blocks


def _dump_to_blocks(reasoning: Reasoning, field: str, out: Wire, at: str, d: ChatDump) -> None:
    path, text, blocks, _ = reasoning
    where = path + "/reasoning_content"
    if text is not None and field == "thinking_blocks":
        out["reasoning_content"] = text
        d.places[at + "/reasoning_content"] = where
    elif text is not None and (not blocks or text != reasoning.block_text()):
        if text:
            blocks.insert(0, (where, ThinkingPart(thinking=text)))
        else:
            d.drop(where, "empty reasoning is left out")
    written = _dump_blocks(reasoning, field, at, d)
    if d.is_response and d.profile.text_beside_blocks:
        is_from_content = text is None and all(where.startswith(path + "/content/") for where, _ in blocks)
        _write_beside(written, field, out, is_from_content=is_from_content)
    if field == "content" and d.is_response and len(written) > 1:
        written = [_joined(written, at, d)]
    if written:
        out[field] = written


def _write_beside(blocks: list[Wire], field: str, out: Wire, *, is_from_content: bool) -> None:
    """Write the text of the blocks of an answer beside them, too."""
    is_detail = field == "reasoning_details"
    names = ("text", "summary") if is_detail else ("thinking",)
    text = "".join(block[name] for block in blocks for name in names if block.get(name))
    if text and (is_detail or is_from_content):
        out["reasoning" if is_detail else "reasoning_content"] = text


def _joined(blocks: list[Wire], at: str, d: ChatDump) -> Wire:
    """Join the blocks at the beginning of an answer's content: in a stream, fragments do not name their block."""
    text = "\n\n".join(filter(None, [block["thinking"][0]["text"] for block in blocks]))
    here = f"{at}/content/0"
    for where in [d.places.pop(f"{at}/content/{i}") for i in range(len(blocks))]:
        if not where.endswith("/reasoning_content"):
            d.report("changed", where, here, "the reasoning of a message is one text: its blocks are joined")
    out: Wire = {}
    for block in blocks:
        out |= block
    return out | {"thinking": [{"type": "text", "text": text}]}


def _dump_blocks(reasoning: Reasoning, field: str, at: str, d: ChatDump) -> list[Wire]:
    written: list[Wire] = []
    joined = field == "content" and d.is_response
    for where, block in reasoning.blocks:
        here = f"{at}/{field}/{0 if joined else len(written)}"
        out = dump_block(block, field, where, here, d)
        if out is not None:
            if where in reasoning.moved:
                d.report("moved", where, here, reasoning.moved[where])
            d.places[f"{at}/{field}/{len(written)}"] = where
            written.append(out)
    return written


def dump_block(block: Any, field: str, where: str, here: str | None, d: ChatDump) -> Wire | None:
    """Dump a block for this field; None, with a report, if it cannot be sent."""
    out = form_of_thinking(block, d)
    if field == "content" and block.type == "redacted_thinking":
        out = f"{d.target.name} takes only readable reasoning"
    if isinstance(out, str):
        return d.refuse(where, out)
    if block.type == "thinking":
        d.sent_signature(block, where)  # the form leaves out a signature that it reports
    elif not d.exact:
        d.drop_unplaced(block, where)
    if field == "reasoning_details":
        out = _dump_detail(block, out, where, d)
    elif block.type == "thinking" and block.summary is not None:
        d.report("changed", where, here, f"{d.target.name} does not mark reasoning as a summary")
    if field == "content":
        out["thinking"] = dump_texts(block, exact=d.exact)
    dump_cache(block, out, where, d)
    d.keep_fields(block, out, where, d.profile.part_fields)
    return out


def load_detail(detail: Json) -> dict[str, Any] | None:
    """Load an entry of `reasoning_details`; None if it has no canonical form."""
    kind: Json = detail.get("type") if type(detail) is dict else None
    if type(detail) is not dict or type(kind) is not str or kind not in DETAIL_FIELDS:
        return None
    field = DETAIL_FIELDS[kind]
    fields = FieldReader(detail)
    fields.take("type")
    text = fields.take(field, str)
    if text is None:
        if field in detail or field == "data":
            return None
        text = ""
        fields.spelling["text"] = "absent"
    label = detail.get("format")
    issuer = detail_issuer(label)
    out: dict[str, Any] = {"type": "thinking", "thinking": text}
    if field == "data":
        out = {"type": "redacted_thinking", "data": text, "issuer": issuer_of(text, issuer)}
    elif field == "summary":
        out["summary"] = True
    elif (signature := fields.take("signature", str)) is not None:
        out |= {"signature": signature, "issuer": issuer_of(signature, issuer)}
    if "issuer" in out and label in DETAIL_FORMATS.values():
        # The label follows from the issuer, and a dump writes it again from there.
        fields.spelling["format"] = fields.take("format")
    return fields.keep(out, FAMILY)


def _dump_detail(block: Any, form: Wire, path: str, d: ChatDump) -> Wire:
    kind = "reasoning.text"
    value = form.get("thinking")
    if block.type == "redacted_thinking":
        kind = "reasoning.encrypted"
        value = form["data"]
    elif block.summary:
        kind = "reasoning.summary"
    detail: Wire = {"type": kind}
    if value or block.type == "redacted_thinking" or spelling(block, "text") != "absent":
        detail[DETAIL_FIELDS[kind]] = value
    signature = form.get("signature")
    if signature or (signature == "" and d.exact):
        if block.summary:
            d.drop(path + "/signature", f"{d.target.name} has no field for the signature of a summary")
        else:
            detail["signature"] = signature
    elif signature is not None:
        d.drop(path + "/signature", "an empty signature is left out")
    label = spelling(block, "format")
    has_issuer = signature or block.type == "redacted_thinking"
    may_add = has_issuer and not d.exact
    if label is None and may_add and "format" not in own_fields(block):
        label = _label(block.issuer)
    if label is not None:
        detail["format"] = label
    return detail
