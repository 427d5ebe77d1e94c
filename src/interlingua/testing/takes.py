"""What each format can carry of a conversation, as strategies.

There is no table of features: `takes_of` dumps small conversations to the format, each with one feature. A format carries a
feature if that dump reports no loss. `conversations(valid_for=format)` draws only features that the format carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from hypothesis import strategies as st

from ..codec.format import Format
from ..codec.ids import ANY_ID
from ..codec.strategies.primitives import (
    BASE64,
    DATA_URIS,
    MEDIA_TYPES,
    NAMES,
    URLS,
    arguments,
    json_objects,
    json_values,
    text,
)
from ..codec.strategies.shapes import given
from ..formats import new_dump
from ..model import messages as m, parts as p
from ..model.exchange import Request
from .known import FAMILIES, ISSUERS, THINKERS, known_to

Parts = st.SearchStrategy[list[Any]]
_OTHERS = tuple(issuer for issuer in ISSUERS if issuer not in THINKERS)
"""Who issues the files of videos, and of media whose type is said: those who take all kinds of media."""

# Media, as both families spell them

_DETAILS: tuple[Literal["low", "high", "auto"], ...] = ("low", "high", "auto")
_DETAIL = {"detail": st.sampled_from(_DETAILS)}
_NAMED: dict[str, Any] = {"filename": NAMES}
_URL = given(p.UrlSource, {"url": URLS}, {})
_IMAGE = _URL | given(p.Base64Source, {"data": BASE64, "media_type": MEDIA_TYPES}, {})
_PDF = given(p.Base64Source, {"data": BASE64, "media_type": st.just("application/pdf")}, {})
_TEXT_SOURCE = given(p.TextSource, {"text": text(blank=False)}, {"media_type": st.just("text/plain")})
_AUDIO = given(p.Base64Source, {"data": BASE64, "media_type": st.sampled_from(["audio/wav", "audio/mp3"])}, {})
_SOUND = given(p.InputAudio, {"data": BASE64, "format": st.sampled_from(["wav", "mp3"])}, {})


def _images(detail: dict[str, Any]) -> st.SearchStrategy[Any]:
    url = given(p.ImageUrl, {"url": URLS | DATA_URIS}, detail)
    return given(p.ImageUrlPart, {"image_url": url}, {}) | given(p.ImagePart, {"source": _IMAGE}, detail)


def _uploads(*issuers: str) -> st.SearchStrategy[p.FileIdSource]:
    return given(p.FileIdSource, {"file_id": NAMES}, {"issuer": st.sampled_from(issuers)})


_JSON = given(p.JsonPart, {"value": json_values()}, {})
_OBJECTS = given(p.JsonPart, {"value": json_objects()}, {})
_SOUNDS = given(p.InputAudioPart, {"input_audio": _SOUND}, {}) | given(p.AudioPart, {"source": _AUDIO}, {})
_VIDEOS = given(p.VideoPart, {"source": _URL | _uploads(*_OTHERS)}, {})
_FILES = given(p.FilePart, {"source": _PDF | _URL | _TEXT_SOURCE | _uploads(*THINKERS)}, _NAMED)
_TYPED_URL = given(p.UrlSource, {"url": URLS, "media_type": MEDIA_TYPES}, {})
_TYPED_UPLOAD = given(p.FileIdSource, {"file_id": NAMES, "media_type": MEDIA_TYPES}, {"issuer": st.sampled_from(_OTHERS)})
_TYPED = given(p.ImagePart, {"source": _TYPED_URL | _TYPED_UPLOAD}, {})


# Reasoning


def _thinking(*, signed: bool, unsigned: bool, summaries: bool = False, issuers: tuple[str, ...]) -> Parts:
    issuer: dict[str, Any] = {"issuer": st.sampled_from(issuers)}
    kinds: list[st.SearchStrategy[Any]] = []
    if unsigned:
        kinds.append(given(p.ThinkingPart, {"thinking": text(blank=False)}, {}))
    if signed:
        kinds.append(given(p.ThinkingPart, {"thinking": text(), "signature": BASE64}, issuer))
        kinds.append(given(p.RedactedThinkingPart, {"data": BASE64}, issuer))
    if summaries:
        marked = st.booleans() if unsigned else st.just(True)
        kinds.append(given(p.ThinkingPart, {"thinking": text(blank=False), "summary": marked}, {}))
    if not kinds:
        return st.just([])
    return st.lists(st.one_of(kinds), max_size=2 if signed else 1)


# What a text or a call may have beside its content

_KINDS: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "url": (p.UrlCitation, {"url": "https://a"}),
    "document": (p.DocumentCitation, {"document": 0, "unit": "character", "source_start": 0, "source_end": 1}),
    "search_result": (p.SearchResultCitation, {"source": "https://a", "result": 0, "source_start": 0, "source_end": 1}),
}
_BESIDE = {"start": 0, "end": 1, "title": "a", "cited_text": "a"}
"""What citations of all kinds may have."""
_DRAWN: dict[str, st.SearchStrategy[Any]] = {
    "url": URLS,
    "source": URLS,
    "title": NAMES,
    "cited_text": text(blank=False),
    "unit": st.sampled_from(["character", "page", "block"]),
    "document": st.integers(0, 2),
    "result": st.integers(0, 2),
    "source_start": st.integers(0, 9),
    "source_end": st.integers(10, 19),
    "start": st.integers(0, 1),
    "end": st.just(1),  # as some texts are no longer
}


def _citations(says: Callable[..., bool] | None = None) -> st.SearchStrategy[Any] | None:
    """Citations of the kinds that are carried, each with as much as is carried of it; of all, if it is not asked for."""
    if says is None:
        return st.one_of([given(kind, _beside(fixed), _beside(_BESIDE)) for kind, fixed in _KINDS.values()])
    found: list[st.SearchStrategy[Any]] = []
    for kind, fixed in _KINDS.values():
        for left_out in ((), ("cited_text",), ("start", "end"), ("start", "end", "cited_text"), tuple(_BESIDE)):
            fields = fixed | {key: value for key, value in _BESIDE.items() if key not in left_out}
            if says(p.TextPart(text="a", citations=[kind(**fields)])):
                found.append(given(kind, _beside(fields), {}))
                break
    return st.one_of(found) if found else None


def _beside(keys: Iterable[str]) -> dict[str, Any]:
    return {key: _DRAWN[key] for key in keys}


# What one family alone knows

_FAMILIES = st.sampled_from(FAMILIES)
_NOVEL = json_objects().map(lambda value: {**value, "type": "x_novel"})
_OPAQUE = given(p.OpaquePart, {"format": _FAMILIES, "value": _NOVEL}, {})
Data = st.SearchStrategy[dict[str, Any]]
_DATA: Data = st.dictionaries(_FAMILIES, json_objects(), min_size=1, max_size=1)
_OWNERS = ("system", "user", "assistant", "tool", "text", "tool_use")


# The record


def _listed(words: st.SearchStrategy[str], *others: st.SearchStrategy[Any], most: int = 3) -> Parts:
    return st.lists(st.one_of(given(p.TextPart, {"text": words}, {}), *others), min_size=1, max_size=most)


class Takes(NamedTuple):
    """What a conversation may have, to be carried whole; the defaults are all that a sound conversation can have."""

    leading: tuple[type[m.SystemMessage | m.DeveloperMessage], ...] = (m.SystemMessage, m.DeveloperMessage)
    """The kinds of messages that may lead."""
    leaders: int = 2
    """How many of them there may be."""
    user_first: bool = False
    """Whether the assistant waits until it is spoken to."""
    words: st.SearchStrategy[str] = text()
    texts: Parts = _listed(text(), most=2)
    """Text as parts."""
    leading_texts: Parts = _listed(text(), most=2)
    """The text of what leads, as parts."""
    shown: Parts = _listed(text(), _images(_DETAIL), _SOUNDS, _VIDEOS, _FILES, _TYPED, _OPAQUE)
    """What a user may say and show."""
    results: Parts = _listed(text(), _images(_DETAIL), _SOUNDS, _FILES, _JSON, _OPAQUE)
    """What a tool may give back, as parts."""
    failures: Parts = _listed(text(), most=2)
    """What a failed tool may give back: text as parts."""
    names: bool = True
    """Whether participants have names."""
    tool_names: bool = True
    """Whether a result may have its tool's name."""
    errors: bool = True
    """Whether a result may be marked as an error, or as none."""
    thinking: Parts = _thinking(signed=True, unsigned=True, summaries=True, issuers=THINKERS)
    """Reasoning as parts."""
    unsigned_thinking: bool = True
    """Whether reasoning may be text alone."""
    any_order: bool = True
    """Whether reasoning, text and calls stand in any order, or in just that one."""
    refusals: bool = True
    opaque: Parts = st.lists(_OPAQUE, max_size=1)
    """What the assistant may have among its parts that one family alone knows."""
    data: Mapping[str, Data] = dict.fromkeys(_OWNERS, _DATA)
    """The provider data of messages by role (system for all that lead), and of parts by type."""
    signed: Mapping[str, tuple[str, ...]] = dict.fromkeys(("text", "tool_use"), ISSUERS)
    """Whose signatures parts of a type may have, besides reasoning."""
    citations: st.SearchStrategy[Any] | None = _citations()
    """What the assistant's texts may cite."""
    calls: bool = True
    """Whether tools may be called."""
    reasoned_calls: bool = False
    """Whether a message that calls tools must have reasoning."""
    custom: bool = True
    """Whether custom tools may be called."""
    argument_texts: st.SearchStrategy[str] = arguments()
    ids: tuple[str, ...] = ("call", "toolu", "a.b", "a b", "functions.f:", "il_a_2e_b", "é")
    """What ids begin with."""
    marks: bool = True
    """Whether what leads, and what the user shows, may have cache marks."""


_WORDS = text(blank=False)
_ASKED = m.UserMessage(content="a")
_CALL: dict[str, Any] = {"id": "a", "name": "f"}
_RESULT = m.ToolMessage(tool_call_id="a", content="a")


def _called(call: Mapping[str, Any] | None = None, **fields: Any) -> m.AssistantMessage:
    """A message that calls a tool."""
    values: dict[str, Any] = {**_CALL, "arguments": "{}", **(call or {})}
    return m.AssistantMessage(tool_calls=[p.ToolCall(**values)], **fields)


def _thought(carries: Callable[..., bool]) -> dict[str, Any]:
    """The reasoning that a message with calls must have, if any."""
    needed = not carries(_ASKED, _called(), _RESULT) and carries(_ASKED, _called(reasoning_content="a"), _RESULT)
    return {"reasoning_content": "a"} if needed else {}


@cache
def takes_texts(format: Format) -> bool:
    """Whether a format that has text alone carries several texts, as its dump of two shows."""
    dump = new_dump(format, None)
    format.dump(Request(messages=()), [m.TextMessage(content="a")] * 2, dump)
    return not dump.losses


@cache
def takes_of(format: Format) -> Takes | None:
    """What a format carries of a conversation, as its dumps of small ones show; None for one that has text alone."""
    if format.listed == "prompt" and not format.in_text:
        return None

    def carries(*messages: m.Message) -> bool:
        dump = new_dump(format, None)
        format.dump(Request(messages=()), messages, dump)
        return not dump.losses

    thought = _thought(carries)

    def shows(*parts: Any) -> bool:
        return carries(m.UserMessage(content=parts))

    def returns(*parts: Any, **fields: Any) -> bool:
        return carries(_ASKED, _called(**thought), m.ToolMessage(tool_call_id="a", content=parts or "a", **fields))

    def says(*parts: Any) -> bool:
        return carries(_ASKED, m.AssistantMessage(content=parts))

    word = p.TextPart(text="a")
    one = not shows(word, word)
    texts = _listed(_WORDS, most=2 if not one and says(word, word) else 1)
    reasoned = m.AssistantMessage(content=(p.ThinkingPart(thinking="a"), word))
    unsigned = carries(_ASKED, reasoned) and carries(_ASKED, reasoned, _ASKED)
    issuers = [i for i in THINKERS if says(p.ThinkingPart(thinking="a", signature="a", issuer=i), word)]
    order: list[p.Part] = [p.ToolUsePart(**_CALL, input={}), word]
    broken = _called({"arguments": "{"}, **thought)
    custom = _called({"arguments": "a", "custom": True}, **thought)
    known = known_to(format)
    page = p.OpaquePart(format=format.family, value=known.page or {})
    pages = [st.just(page)] if known.page is not None and shows(page) and returns(page) else []
    search = [p.OpaquePart(format=format.family, value=value) for value in known.search]
    return Takes(
        leading=tuple(kind for kind in Takes().leading if carries(kind(content="a"), _ASKED)),
        leaders=2 if carries(m.SystemMessage(content="a"), m.SystemMessage(content="a"), _ASKED) else 1,
        user_first=format.system is not None,  # a rule of the providers that lift it, which no dump can fulfil
        words=_WORDS,
        texts=texts,
        leading_texts=_listed(_WORDS, most=2 if carries(m.SystemMessage(content=(word, word)), _ASKED) else 1),
        shown=_listed(_WORDS, *_media(shows), *pages, most=1 if one else 3),
        results=_results(returns, pages, most=1 if one else 3),
        failures=_listed(_WORDS, most=2 if returns(word, word, is_error=True) else 1),
        names=carries(m.UserMessage(content="a", name="f"), m.AssistantMessage(content="a", name="f")),
        tool_names=returns(name="f"),
        errors=returns(is_error=True) and returns(is_error=False),
        thinking=_thinking(
            signed=bool(issuers),
            unsigned=unsigned,
            summaries=says(p.ThinkingPart(thinking="a", summary=True), word),
            issuers=tuple(issuers),
        ),
        unsigned_thinking=unsigned,
        any_order=carries(_ASKED, m.AssistantMessage(content=order), _RESULT),
        refusals=says(p.RefusalPart(refusal="a")),
        opaque=st.sampled_from([[], search]) if pages else st.just([]),
        data={
            owner: st.just({format.family: data})
            for owner, data in known.data.items()
            if carries(*_with_data(owner, {format.family: data}, thought))
        },
        signed=_signers(carries, thought),
        citations=_citations(says),
        calls=carries(_ASKED, _called(**thought), _RESULT),
        reasoned_calls=bool(thought),
        custom=carries(_ASKED, custom, _RESULT),
        argument_texts=arguments(broken=carries(_ASKED, broken, _RESULT)),
        ids=tuple(id for id in Takes().ids if (format.ids or ANY_ID).takes_plainly(id)),
        marks=shows(p.TextPart(text="a", cache_control=p.CacheControl())),
    )


def _results(returns: Callable[..., bool], pages: list[st.SearchStrategy[Any]], most: int) -> Parts:
    """What a tool may give back: parts in any order, or what it says in one and then media."""
    word = p.TextPart(text="a")
    media = _media(returns)
    json: list[st.SearchStrategy[Any]] = []
    if returns(p.JsonPart(value="a")):
        json = [_JSON]
    elif returns(p.JsonPart(value={})):
        json = [_OBJECTS]
    if most == 1 or returns(word, word):
        return _listed(_WORDS, *media, *json, *pages, most=most)
    shown = st.lists(st.one_of(media), max_size=2) if media else st.just(list[Any]())
    return st.builds(list[Any].__add__, _listed(_WORDS, *json, most=1), shown)


def _signers(carries: Callable[..., bool], thought: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Whose signatures are carried on parts of a type, where any are."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in ("text", "tool_use"):
        if issuers := tuple(issuer for issuer in ISSUERS if carries(_ASKED, *_signed(kind, issuer, thought))):
            found[kind] = issuers
    return found


def _signed(kind: str, issuer: str, thought: dict[str, Any]) -> tuple[m.Message, ...]:
    signature: dict[str, Any] = {"signature": "YQ==", "issuer": issuer}
    if kind == "text":
        return (m.AssistantMessage(content=[p.TextPart(text="a", **signature)]),)
    return _called(signature, **thought), m.ToolMessage(tool_call_id="a", content="a")


def _with_data(owner: str, data: dict[str, Any], thought: dict[str, Any]) -> tuple[m.Message, ...]:
    if owner == "tool_use":
        return _ASKED, _called({"provider_data": data}, **thought), m.ToolMessage(tool_call_id="a", content="a")
    return _ASKED, m.AssistantMessage(content="a", provider_data=data)


def _media(carries: Callable[..., bool]) -> list[st.SearchStrategy[Any]]:
    """The kinds of media that are carried, as strategies."""
    url = p.UrlSource(url="https://a")
    data = p.Base64Source(data="YQ==", media_type="application/pdf")
    uploads = {issuer: p.FileIdSource(file_id="a", issuer=issuer) for issuer in THINKERS}
    kinds: list[st.SearchStrategy[Any]] = []
    if carries(p.ImageUrlPart(image_url=p.ImageUrl(url="https://a"))):
        details = [detail for detail in _DETAILS if carries(p.ImagePart(source=url, detail=detail))]
        kinds.append(_images({"detail": st.sampled_from(details)} if details else {}))
    if carries(p.InputAudioPart(input_audio=p.InputAudio(data="YQ==", format="wav"))):
        kinds.append(_SOUNDS)
    if carries(p.ImagePart(source=p.UrlSource(url="https://a", media_type="image/png"))):
        kinds.append(given(p.ImagePart, {"source": _TYPED_URL}, {}))
    if issuers := [issuer for issuer, source in uploads.items() if carries(p.ImagePart(source=source))]:
        kinds.append(given(p.ImagePart, {"source": _uploads(*issuers)}, {}))
    bare = carries(p.FilePart(source=data))
    sources: list[tuple[p.Source, st.SearchStrategy[Any]]] = [(data, _PDF), (url, _URL), (p.TextSource(text="a"), _TEXT_SOURCE)]
    for source, drawn in [*sources, *((source, _uploads(issuer)) for issuer, source in uploads.items())]:
        named_file = p.FilePart(source=source, filename="get_weather")
        if carries(named_file, named_file):  # whatever their names are, and however often they occur
            named = {} if bare or source.type == "file_id" else _NAMED
            kinds.append(given(p.FilePart, {"source": drawn, **named}, {} if named else _NAMED))
    return kinds
