"""The words of spoken answers, whose message has `"audio": {"id": ..., "data": ..., "transcript": ...}` and no text.

In a canonical message, the transcript is the text, so that it reaches providers whose answers have no audio. The rest of the
audio stays a field of Chat. A request refers to the audio of an answer by its id, without the words. In OpenAI's streams, the
words come in deltas of the audio, and the content is null (platform.openai.com/docs: audio, chat completions).
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import FieldReader, Wire, lay_over, spelling
from ...model.base import Json
from .base import FAMILY, ChatDump, own_fields
from .parts import Pointed

FIELD = "audio"
"""The field of a message that has its audio; also the recorded place of a text that was loaded from there."""
SPOKEN: Wire = {"spelling": {"place": FIELD}}
"""The record of a text that was a transcript."""
_TEXT_FIELDS = frozenset({"type", "text", "wire"})
"""The fields of a text that can be written as a transcript."""


def load_spoken(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the transcript of an answer as its text, if it has no other content."""
    audio: Json = fields.wire.get(FIELD)
    content: Json = out.get("content")
    if type(audio) is not dict or content not in (None, ""):
        return
    transcript = audio.get("transcript")
    if type(transcript) is not str or not transcript:
        return
    fields.know(FIELD)
    if rest := {key: value for key, value in audio.items() if key != "transcript"}:
        fields.rest[FIELD] = rest
    fields.spelling["content"] = "absent" if "content" not in out else "null" if content is None else "empty"
    out["content"] = [{"type": "text", "text": transcript, "wire": SPOKEN}]


def is_spoken(part: Any, d: ChatDump) -> bool:
    """Whether a text was the transcript of an answer's audio, and has no other fields."""
    return part.wire is not None and spelling(part, "place") == FIELD and (d.exact or part.model_fields_set <= _TEXT_FIELDS)


def without_spoken(message: Any, parts: Pointed, out: Wire, d: ChatDump) -> Pointed:
    """Write the transcript of an answer into its audio, and return the other parts."""
    if message.wire is None or not (d.exact or d.same_family):
        return parts
    kept = [each for each in parts if not is_spoken(each[1], d)]
    if len(kept) == len(parts) or not _keeps_audio(message, d):
        return parts
    spoken = [each for each in parts if is_spoken(each[1], d)]
    out[FIELD] = {"transcript": "".join(part.text for _, part in spoken)}
    if not d.is_response:
        for path, _ in spoken:
            d.report(
                "response_only", path, None, "a request must name the audio of an answer only by its id, without its words"
            )
    return kept


def _keeps_audio(message: Any, d: ChatDump) -> bool:
    """Whether the audio of an answer is written; a request has only its id."""
    if d.exact:
        return True
    takes = d.profile.open or FIELD in (d.profile.answer_fields if d.is_response else d.profile.message_fields)
    audio: Json = own_fields(message).get(FIELD, {})
    if not takes or not d.same_family or type(audio) is not dict:
        return False
    if d.is_response:
        return True
    may_be_alone = d.profile.empty_content in ("null", "absent")  # at other hosts, a message without calls must have content
    return may_be_alone and d.from_response and type(audio.get("id")) is str


def finish_audio(spoken: Wire | None, out: Wire, path: str, d: ChatDump) -> None:
    """Write the transcript of an answer into its audio, of which a request has only the id."""
    if spoken is not None:
        lay_over(out, FIELD, spoken)
    if d.from_response and FIELD in out:
        _refer_to_audio(out, path, d)


def _refer_to_audio(out: Wire, path: str, d: ChatDump) -> None:
    """Reduce the audio of an answer to its id, as a request must refer to it."""
    audio: Json = out[FIELD]
    if type(audio) is dict and type(audio.get("id")) is str:
        out[FIELD] = {"id": audio["id"]}
    else:
        del out[FIELD]
    if audio is not None:
        d.report(
            "response_only",
            f"{path}/provider_data/{FAMILY}/{FIELD}",
            None,
            "a request must name the audio of an answer only by its id",
        )
