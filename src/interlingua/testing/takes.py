"""What each format can take of a conversation: what its profile says, as strategies."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from ..codec.format import Format
from ..errors import UnknownFormat
from ..formats import FORMATS
from ..formats.anthropic import AnthropicProfile
from ..formats.openai_chat import ChatProfile
from ..model import messages as m
from .primitives import BASE64, DATA_URIS, MEDIA_TYPES, NAMES, URLS, arguments, text
from .shapes import given

Parts = st.SearchStrategy[list[Any]]

# Media, as both families spell them

_DETAIL = {"detail": st.sampled_from(["low", "high", "auto"])}
_NAMED: dict[str, Any] = {"filename": NAMES}
_URL = given(m.UrlSource, {"url": URLS}, {})
_IMAGE = _URL | given(m.Base64Source, {"data": BASE64, "media_type": MEDIA_TYPES}, {})
_PDF = given(m.Base64Source, {"data": BASE64, "media_type": st.just("application/pdf")}, {})
_PLAIN = given(m.TextSource, {"text": text(blank=False)}, {"media_type": st.just("text/plain")})
_AUDIO = given(m.Base64Source, {"data": BASE64, "media_type": st.sampled_from(["audio/wav", "audio/mp3"])}, {})
_SOUND = given(m.InputAudio, {"data": BASE64, "format": st.sampled_from(["wav", "mp3"])}, {})


def _images(detail: dict[str, Any]) -> st.SearchStrategy[Any]:
    url = given(m.ImageUrl, {"url": URLS | DATA_URIS}, detail)
    return given(m.ImageUrlPart, {"image_url": url}, {}) | given(m.ImagePart, {"source": _IMAGE}, detail)


def _uploads(*issuers: str) -> st.SearchStrategy[m.FileIdSource]:
    return given(m.FileIdSource, {"file_id": NAMES}, {"issuer": st.sampled_from(issuers)})


_SOUNDS = given(m.InputAudioPart, {"input_audio": _SOUND}, {}) | given(m.AudioPart, {"source": _AUDIO}, {})
_VIDEOS = given(m.VideoPart, {"source": _URL | _uploads("gemini")}, {})
_FILES = given(m.FilePart, {"source": _PDF | _URL | _PLAIN | _uploads("anthropic", "openai")}, _NAMED)


# Reasoning


def _thinking(*, signed: bool, unsigned: bool, summaries: bool = False, issuers: tuple[str, ...] = ("anthropic",)) -> Parts:
    issuer: dict[str, Any] = {"issuer": st.sampled_from(issuers)}
    kinds: list[st.SearchStrategy[Any]] = []
    if unsigned:
        kinds.append(given(m.ThinkingPart, {"thinking": text(blank=False)}, {}))
    if signed:
        kinds.append(given(m.ThinkingPart, {"thinking": text(), "signature": BASE64}, issuer))
        kinds.append(given(m.RedactedThinkingPart, {"data": BASE64}, issuer))
    if summaries:
        kinds.append(given(m.ThinkingPart, {"thinking": text(blank=False), "summary": st.booleans()}, {}))
    return st.lists(st.one_of(kinds), max_size=2 if signed else 1) if kinds else st.just([])


# The record


def _listed(words: st.SearchStrategy[str], *others: st.SearchStrategy[Any], most: int = 3) -> Parts:
    return st.lists(st.one_of(given(m.TextPart, {"text": words}, {}), *others), min_size=1, max_size=most)


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
    shown: Parts = _listed(text(), _images(_DETAIL), _SOUNDS, _VIDEOS, _FILES)
    """What a user may say and show."""
    results: Parts = _listed(text(), _images(_DETAIL), _SOUNDS, _FILES)
    """What a tool may give back, as parts."""
    names: bool = True
    """Whether participants have names."""
    tool_names: bool = True
    """Whether a result may have its tool's name."""
    errors: bool = True
    """Whether a result may be marked as an error, or as none."""
    thinking: Parts = _thinking(signed=True, unsigned=True, summaries=True, issuers=("anthropic", "openai"))
    """Reasoning as parts."""
    plain_thinking: bool = True
    """Whether reasoning may be text alone."""
    any_order: bool = True
    """Whether reasoning, text and calls stand in any order, or in just that one."""
    refusals: bool = True
    argument_texts: st.SearchStrategy[str] = arguments()
    ids: tuple[str, ...] = ("call", "toolu", "a.b", "a b", "functions.f:", "il_a_2e_b", "é")
    """What ids begin with."""
    marks: bool = True
    """Whether what leads, and what the user shows, may have cache marks."""


_WORDS = text(blank=False)
_PORTABLE = ("call", "toolu")


def takes_of(format: Format) -> Takes | None:
    """What a format takes of a conversation; None for one that has text alone."""
    profile = format.profile
    if isinstance(profile, ChatProfile):
        return _chat(profile)
    if isinstance(profile, AnthropicProfile):
        return _anthropic(profile)
    if format.name == "openai_completions":
        return None
    raise UnknownFormat(f"{format.name} (of conversations)", FORMATS)


def _chat(profile: ChatProfile) -> Takes:
    one = profile.content == "string"
    media: list[st.SearchStrategy[Any]] = []
    if profile.media and not one:
        ids = _uploads("openai", *(["anthropic"] if "*" in profile.issuers else []))
        sources = _PDF | _PLAIN | _URL if profile.cache == "cache_control" else _PDF | _PLAIN
        media = [
            _images(_DETAIL),
            _SOUNDS,
            given(m.FilePart, {"source": sources, **_NAMED}, {}),
            given(m.FilePart, {"source": ids}, _NAMED),
        ]
    texts = _listed(_WORDS, most=1 if one else 2)
    return Takes(
        leading=(m.SystemMessage, m.DeveloperMessage) if profile.developer else (m.SystemMessage,),
        words=_WORDS,
        texts=texts,
        shown=_listed(_WORDS, *media) if media else texts,
        results=_listed(_WORDS, *media) if media and profile.tool_media else texts,
        names=profile.names,
        tool_names=profile.tool_name,
        errors=False,
        thinking=_chat_thinking(profile),
        plain_thinking=profile.reasoning is not None,
        any_order=False,
        ids=(*_PORTABLE, "functions.f:"),
        marks=profile.cache is not None,
    )


def _chat_thinking(profile: ChatProfile) -> Parts:
    if profile.reasoning == "reasoning_details":
        issuers = ("anthropic", "openai") if "*" in profile.signers else tuple(profile.signers)
        return _thinking(signed=True, unsigned=True, summaries=True, issuers=issuers)
    if profile.reasoning == "thinking_blocks":
        return _thinking(signed="anthropic" in profile.signers, unsigned=True)
    return _thinking(signed=False, unsigned=profile.reasoning is not None)


def _anthropic(profile: AnthropicProfile) -> Takes:
    sources = _PDF | _URL | _PLAIN | _uploads("anthropic")
    media = [
        _images({}),
        given(m.ImagePart, {"source": _uploads("anthropic")}, {}),
        given(m.FilePart, {"source": sources}, _NAMED),
    ]
    one = profile.content == "string"
    texts = _listed(_WORDS, most=1 if one else 2)
    listed = _listed(_WORDS, *media, most=1 if one else 3)
    return Takes(
        leading=(m.SystemMessage,),
        leaders=1,
        user_first=True,
        words=_WORDS,
        texts=texts,
        shown=listed,
        results=listed,
        names=False,
        tool_names=False,
        thinking=_thinking(signed=True, unsigned=profile.unsigned_thinking),
        plain_thinking=profile.unsigned_thinking,
        refusals=False,
        argument_texts=arguments(broken=profile.input_as_text),
        ids=_PORTABLE,
    )
