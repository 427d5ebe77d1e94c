"""Stand-ins for the signature of a call, which another provider's model does not make.

Models since Gemini 3 refuse a request if the first call of a step in the current turn has no `thoughtSignature`. For calls of
other models Google documents a text to send instead (ai.google.dev/gemini-api/docs/thought-signatures). It must reach the
server as that text: base64 of it was refused (langchain-ai/langchain-google#1570). google-genai 3.4.0 sends a `str` as it
is, and encodes `bytes`.
"""

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire
from ...model.base import Json
from .base import OF_MODEL, FirstCall, GeminiDump, value_of

STAND_IN = "skip_thought_signature_validator"
STAND_INS = frozenset({STAND_IN, "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=", "context_engineering_is_the_way_to_go"})
"""What requests have in place of a signature: Google's two texts, and base64 of the first, which some clients send."""


_ADDED = (
    "the first call of a step must have a signature: the documented stand-in is sent; "
    "to send none, use `GeminiProfile(stand_ins=False)`"
)


def with_stand_in(call: Any) -> Any:
    """The call with the stand-in, as a request that has it would be loaded."""
    record: dict[str, Any] = {} if call.wire is None else call.wire.to_dict()
    record["spelling"] = {**record.get("spelling", {}), "stand_in": STAND_IN}
    return call.replace(wire=record)


def is_stand_in(signature: Json) -> bool:
    """Whether the signature of a call is only a stand-in."""
    return type(signature) is str and signature in STAND_INS


def note_first_call(call: Any, out: Wire, path: str, at: str, d: GeminiDump) -> None:
    """Note the first call of a content, which must have a signature, and lacks one if another provider's model made it."""
    content, _, part = at[len("/contents/") :].partition("/parts/")
    if content not in d.first_calls and part.isdigit():  # not inside a result
        key = d.key(call, "thoughtSignature")
        foreign = not d.same_family or call.signature is not None
        d.first_calls[content] = FirstCall(path, int(content), int(part), key) if foreign and key not in out else None


def add_stand_ins(contents: Sequence[Wire], d: GeminiDump) -> None:
    """Give the stand-in to the noted calls after the last user text."""
    noted = [first for first in d.first_calls.values() if first is not None]
    if not (noted and d.profile.stand_ins):
        return
    begun = next((i for i in range(len(contents) - 1, -1, -1) if _begins_turn(contents[i])), -1)
    for path, content, part, key in noted:
        if content > begun:
            contents[content]["parts"][part][key] = STAND_IN
            at = f"/contents/{content}/parts/{part}/{key}"
            d.report("added", path, at, _ADDED)


def _begins_turn(content: Json) -> bool:
    """Whether a content is user text without results beside it."""
    if type(content) is not dict or content.get("role") in OF_MODEL:
        return type(content) is str
    parts: Json = content.get("parts")
    listed: list[Any] = parts if type(parts) is list else [parts]
    texts = any(type(value_of(part, "text")) is str for part in listed)
    return texts and not any(value_of(part, "functionResponse") for part in listed)
