"""Read what is known of an answer only when it ends: signatures, citations and images beside its text and its calls."""

from __future__ import annotations

from ...codec.fields import FieldReader, Wire
from ...model import events as e
from ...model.base import Json
from .base import FAMILY
from .beside import load_beside, load_detail_signatures
from .deltas import add_unknown, begin_blocks, flush_signatures, growing_text
from .images import load_image
from .open_choice import OpenChoice, Part, spelling_of
from .pages import cite_pages, pages_in
from .repeated_blocks import HOLDER
from .spoken import FIELD as AUDIO


def read_beside(choice: OpenChoice, events: list[e.Event]) -> None:
    """Report the signatures and citations of the text and the calls, read by the loader of whole messages."""
    if choice.empty_calls:
        add_unknown(choice, "tool_calls", choice.empty_calls, events)
        choice.empty_calls = []
    beside = choice.beside
    choice.beside = {}
    pages = pages_in(choice.frame.latest) if _may_cite(choice) else []
    if not beside and not choice.blocks.signatures and not pages:
        return
    if _read_images(choice, beside, events):
        choice.cited = True
        pages = []
    fields = _fields_beside(choice, beside)
    loaded: list[Wire] = [{"id": call.id, **call.record()} for call in choice.calls]
    out: Wire = {"tool_calls": loaded, "content": _outline(choice)}
    if choice.blocks.signatures:
        begin_blocks(choice, "reasoning_details", events)
    if load_detail_signatures(choice.blocks.signatures, fields, out, choice.profile):
        flush_signatures(choice, events)
    choice.blocks.signatures = []
    load_beside(fields, out, choice.profile)
    if pages:
        cite_pages(out, pages)
        fields.spelling |= spelling_of(out)
    if record := fields.keep({}, FAMILY):
        events.append(choice.update(record))
    _report_text(choice, out["content"], events)
    for call, data in zip(choice.calls, loaded, strict=True):
        if "issuer" in data:
            events += call.report({key: data[key] for key in ("signature", "wire") if key in data})


def _may_cite(choice: OpenChoice) -> bool:
    """Whether the text may cite the pages of the response: that of the first answer, if it is written and has no citations."""
    is_spoken = choice.message.valued.get(AUDIO, False)
    return not (choice.where or choice.text is None or choice.cited or is_spoken)


def _outline(choice: OpenChoice) -> Json:
    """Content like that of the message, without the data of its parts. The last part is the text that grows."""
    if choice.text is None:
        return "" if choice.has_content and not choice.content_parts else None
    parts: list[Json] = [*({"type": "opaque"} for _ in range(choice.content_parts - 1)), {"type": "text"}]
    return parts if choice.text.listed or len(parts) > 1 else "text"


def _report_text(choice: OpenChoice, content: Json, events: list[e.Event]) -> None:
    """Report what was found about the text at the end of the content."""
    last: Json = content[-1] if type(content) is list else None
    if type(last) is not dict:
        return
    choice.cited |= "citations" in last
    text = choice.text
    if text is None:  # empty content becomes a part only if a signature or citation belongs to it
        text = growing_text(choice)
        events.append(e.TextDelta(**text.where, text=""))
    events += text.report(last)


def _fields_beside(choice: OpenChoice, beside: Wire) -> FieldReader:
    """A reader of the fields beside the text; what was beside a copy of the blocks stands without it."""
    fields = FieldReader(beside)
    if choice.blocks.twice and HOLDER in beside:
        fields.left(HOLDER, beside[HOLDER], standalone=True)
    return fields


def _read_images(choice: OpenChoice, beside: Wire, events: list[e.Event]) -> bool:
    """Take the images from the fields of the message, if all of them can be read; whether there are any."""
    images = [load_image(item, choice.profile) for item in beside.get("images", ())]
    if not images or None in images:
        return False
    del beside["images"]
    for image in images:
        part = choice.keep_open(Part(choice.next_place()))
        events.append(e.WholePart.model_validate({**part.where, "type": "part", "part": image}))
    if choice.spoken is None and (choice.text is None or not choice.text.listed):
        word = "text" if choice.text is not None else "empty" if choice.has_content else "null"
        events.append(choice.spelled("content", word))
    return True
