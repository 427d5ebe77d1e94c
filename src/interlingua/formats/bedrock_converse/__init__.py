"""Amazon Bedrock's Converse: messages of blocks that are objects with one key, with cache points between them.

Wire reference: `Converse` and `ConverseStream`, botocore 1.44.5 (`bedrock-runtime` 2023-09-30). `bedrock_converse` is the JSON
of the HTTP API, with the model in the URL and base64 text for blobs; `bedrock_boto3` is what boto3's `converse` takes and
returns, with `modelId` and bytes. `bedrock_nova` is the body of Amazon's Nova for `InvokeModel`, and its stream (`nova`).

Cannot carry: the developer role, participants' names, empty text, image detail, media by http URL, refusals as such, custom
tools' free text, argument text that is not a JSON object, other providers' signatures and file ids, signatures of anything but
reasoning, a choice of no tool, the ids of users, whether calls may be parallel; of responses the id, the model and the time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...codec.carrying import OpaqueFields
from ...codec.error_bodies import exception_object
from ...codec.event_frames import Frame, frame_bytes, frame_named, unframe
from ...codec.exceptions import EXCEPTION_WORDS, stream_exception
from ...codec.fields import Wire
from ...codec.format import Format, Formats, Reading, Writing
from ...codec.shared import SEALED
from . import base, blobs, citable, maps, native, pointers, responses
from .base import ConverseProfile

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "FORMATS", "ConverseProfile", "format_for"]


def format_for(profile: ConverseProfile, name: str = "bedrock_converse") -> Format:
    """A format for the calling form that `profile` describes."""
    return Format(
        name=name,
        family=base.FAMILY,
        adapter=partial(base.adapter, "SdkRequest" if profile.sdk else "Request"),
        load=partial(maps.load_request, profile),
        dump=maps.dump_request,
        locating=partial(pointers.locating, nova=True) if profile.nova else pointers.locating,
        shape=pointers.shape,
        native=native.is_native,
        goes_on="always",
        roles=frozenset({"user", "assistant", "system"}),
        new_dump=base.ConverseDump,
        ids=base.IDS,
        profile=profile,
        made_for=format_for,
        system="system",
        path=partial(_path, *(_INVOKE if profile.nova else _CONVERSE)),
        in_url=frozenset({"stream"} if profile.sdk else {"model", "stream"}),
        history=maps.STEPS,
        response_adapter=partial(base.adapter, "Response"),
        load_response=partial(responses.load_response, profile),
        dump_response=responses.dump_response,
        response_fields=("output", "stopReason"),
        required=responses.REQUIRED,
        dump_error=exception_object,
        error_words=EXCEPTION_WORDS,
        stream_error=stream_exception,
        reading=_read,
        writing=_write,
        rules=_rules,
        dialects=_dialects,
        marks=_marks,
        batch=None if profile.sdk else _batch,
        payloads=_payloads,
        strategies=_strategies,
        readable=citable.readable,
        pieces_in=frozenset({"contentBlockDelta", "delta"}),
        json_form="bedrock_converse" if profile.sdk else None,
        wrappers=frozenset({"guardContent"}),
        unframe=_unframing(profile),
        frame=frame_bytes if profile.nova else None if profile.sdk else _frame,
        stream_type="application/vnd.amazon.eventstream",
        response_metadata=responses.METADATA,
        opaque=OpaqueFields(base.FAMILY, frozenset({"thinking", "redacted_thinking"})),
        usage=responses.counts_for(profile),
        tier=responses.TIER,
        shared={} if profile.nova else maps.SHARED,
        unasked={} if profile.nova else SEALED,
    )


_CONVERSE = ("converse", "converse-stream")
_INVOKE = ("invoke", "invoke-with-response-stream")


def _path(whole: str, streamed: str, model: str, stream: bool) -> str:
    return f"/model/{quote(model, safe=':')}/{streamed if stream else whole}"


def _unframing(profile: ConverseProfile) -> Callable[[Wire, str | None], Wire]:
    """Return the function that takes a chunk out of an event of the transport."""
    if profile.nova:
        return unframe
    return partial(_unframe, encode=blobs.encoded_answer) if profile.sdk else _unframe


def _unframe(chunk: Wire, event: str | None, encode: Callable[[Wire], Wire] | None = None) -> Wire:
    """Wrap the chunk in the name of its event; if it may have bytes, encode them."""
    named: Wire = chunk if event is None or event in chunk else {event: chunk}
    return named if encode is None else encode(named)


def _frame(chunk: Wire) -> Frame:
    """The message of a chunk; its name is the event's, or follows from the chunk's fields."""
    from .stream import event_of  # noqa: PLC0415 -- events are imported on first use

    name, event = event_of(chunk)
    return frame_named(chunk if name is None else {name: event})


def _read(format: Format) -> Reading:
    from .stream import ConverseReading  # noqa: PLC0415 -- events are imported on first use

    return ConverseReading(format.name, responses.counts_for(format.profile))


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import ConverseShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, ConverseShape(format.profile), at="/output/message/content")


def _rules(format: Format) -> RuleSet:
    known = _known_rules()
    return known.get(format.name) or known["bedrock_converse"]


@cache
def _known_rules() -> dict[str, RuleSet]:
    from .rules.request import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _payloads(format: Format) -> PayloadTypes:
    from .payloads import CALL, PAYLOADS  # noqa: PLC0415 -- imported on first use

    return CALL if format.profile.sdk else PAYLOADS


def _dialects(_: Format) -> Dialects:
    from .schemas import DIALECTS  # noqa: PLC0415 -- imported on first use

    return DIALECTS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


_PROFILES = {
    "bedrock_converse": ConverseProfile(),
    "bedrock_boto3": ConverseProfile(sdk=True),
    "bedrock_nova": ConverseProfile(nova=True, unsigned_thinking=True),
}
FORMATS = {name: format_for(profile, name) for name, profile in _PROFILES.items()}
FORMAT = FORMATS["bedrock_converse"]
