"""Settings that several providers have and a canonical request does not, such as a seed.

A request has them as provider data of the format that it was loaded from. A dump to another format that has the setting writes
it there. Each format says in the field `shared` of its record where it has these settings, and with which words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from ..errors import escape
from ..model.base import Json
from .fields import Wire, value_at

Path: TypeAlias = "tuple[str, ...]"

_NUMBER: tuple[type, ...] = (int, float)
KINDS: Mapping[str, tuple[type, ...]] = {
    "adaptive_thinking": (bool,),
    "aspect_ratio": (str,),
    "automatic_caching": (dict,),
    "cached_content": (str,),
    "compaction": (int, bool),
    "encrypted_reasoning": (bool,),
    "frequency_penalty": _NUMBER,
    "image_size": (str,),
    "include_obfuscation": (bool,),
    "include_usage": (bool,),
    "logprobs": (bool,),
    "modalities": (list,),
    "moderation": (dict,),
    "n": (int,),
    "presence_penalty": _NUMBER,
    "prompt_cache_key": (str,),
    "prompt_cache_options": (dict,),
    "prompt_cache_retention": (str,),
    "safety_identifier": (str,),
    "seed": (int,),
    "service_tier": (str,),
    "store": (bool,),
    "thought_summaries": (str,),
    "top_logprobs": (int,),
    "verbosity": (str,),
}
"""The names of the settings, which are OpenAI's, and the types of their values.

`adaptive_thinking` is true if the model decides how much it thinks. `aspect_ratio` and `image_size` are those of the images in
the answer, such as `16:9` and `2K`. `automatic_caching` is a cache mark of the request itself,
with which the provider marks the last block. `cached_content` names content that was cached before. `compaction` is the number
of tokens at which the provider starts to summarise the conversation, or true if the provider chooses it. `encrypted_reasoning`
asks for reasoning in a form that can be sent back. `modalities` are the kinds of media in the answer. `thought_summaries` is
the kind of summary of the reasoning, or `none`.
"""
USUAL: Mapping[str, Json] = {
    "frequency_penalty": 0,
    "logprobs": False,
    "modalities": ["text"],
    "n": 1,
    "presence_penalty": 0,
    "service_tier": "auto",
    "store": False,
    "top_logprobs": 0,
    "verbosity": "medium",
}
"""Values that ask for what providers without the setting do anyway, so nothing is lost if they are left out."""


def is_usual(name: str, value: Json) -> bool:
    """Whether a setting has a value that asks for what a provider without the setting does."""
    return name in USUAL and type(value) in KINDS[name] and value == USUAL[name]


@dataclass(frozen=True, eq=False)
class Setting:
    """The place of a setting in a format, and the values that it accepts."""

    path: Path
    """The path at which a dump writes it."""
    others: tuple[Path, ...] = ()
    """Other paths at which a request may have it."""
    words: Mapping[Any, str] | None = None
    """The shared word for each of the provider's words or truth values; None if it uses the shared words."""
    nearest: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The word to write for a shared word that the provider lacks."""
    least: float | None = None
    most: float | None = None
    item: str | None = None
    """The list entry that means true, if the setting is an entry in the list at the path."""
    needs: str | None = None
    """Another setting that must be true beside this one; it is added if it is absent."""
    unless: str | None = None
    """A field beside which the target refuses this setting."""
    fits: Callable[[Wire], bool] | None = None
    """Whether a body, as written so far, may have the setting; None if any may."""
    unfit: str | None = None
    """Why a body may not have it; None if the loss only says that the target has no place for the setting."""
    implied: Callable[[Wire], bool] | None = None
    """Whether other settings of a body, as written so far, ask for the same."""
    check: Callable[[Any], str | None] | None = None
    """Returns why a value is refused; None if it is accepted."""
    reads: Callable[[Json], Json] | None = None
    """Returns the shared value for the provider's value, if they differ; None if other providers cannot have it."""
    writes: Callable[[Any], Json] | None = None
    """Returns the provider's value for a shared value."""
    left_out: Callable[[Any], Sequence[str]] | None = None
    """Pointers to the other fields of the value's object, which other providers do not have."""
    raised: bool = False
    """Whether a number that is too small is raised to the smallest that is accepted."""
    changed: str | None = None
    """The detail of the loss to report when it is written, if its meaning then differs a little."""

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """All paths at which a request may have it."""
        return (self.path, *self.others)

    def place(self, out: Wire) -> tuple[Path, Json]:
        """The path at which a body has the setting, or would have it, and its value there."""
        for path in self.paths:
            if (value := value_at(out, path)) is not None:
                return path, value
        return next((path for path in self.paths if len(path) > 1 and path[0] in out), self.path), None

    def read(self, overlay: Wire) -> tuple[Json, Path]:
        """The shared value in provider data, or None if other formats cannot have it; and its path, or its list entry's."""
        for path in self.paths:
            value: Json = value_at(overlay, path)
            if value is None:
                continue
            if self.reads is not None:
                return self.reads(value), path
            if self.item is not None:
                listed: list[Json] = value if type(value) is list else []
                return (True, (*path, str(listed.index(self.item)))) if self.item in listed else (None, path)
            if self.words is not None:
                value = self.words.get(value) if type(value) in (str, bool) else None
            return value, path
        return None, ()

    def repeated(self, overlay: Wire, path: Path) -> list[Path]:
        """The paths of this setting at which the provider data have the same value, including `path`."""
        if self.item is not None:
            listed: Json = value_at(overlay, path[:-1])
            items: list[Json] = listed if type(listed) is list else []
            return [(*path[:-1], str(n)) for n, item in enumerate(items) if item == self.item]
        value: Json = value_at(overlay, path)
        return [each for each in dict.fromkeys(self.paths) if value_at(overlay, each) == value]

    def write(self, value: Json) -> tuple[Json, str | None]:
        """The provider's value, or None and why the provider has none."""
        name = f"`{self.path[-1] if self.words is None else self.path[0]}`"
        if self.check is not None and (why := self.check(value)) is not None:
            return None, why
        if self.raised and self.least is not None and type(value) is int:
            value = max(value, int(self.least))
        if self.writes is not None:
            return self.writes(value), None
        if self.item is not None:
            items: Json = [self.item] if value else []
            return items, None
        if self.words is not None:
            own = next((word for word, shared in self.words.items() if shared == value), self.nearest.get(str(value)))
            if own is None:
                return None, f"{name} must be one of {', '.join(sorted(map(str, self.words)))}"
            return own, None
        if isinstance(value, int | float) and self._is_outside(value):
            return None, f"{name} must be {self._range()}"
        return value, None

    def _is_outside(self, value: float) -> bool:
        return (self.least is not None and value < self.least) or (self.most is not None and value > self.most)

    def _range(self) -> str:
        if self.most is None:
            return f"at least {self.least:g}"
        return f"from {self.least:g} to {self.most:g}"


def adaptive_thinking(*path: str, fits: Callable[[Wire], bool]) -> Setting:
    """Adaptive thinking, where the model decides how much it thinks: `adaptive` as the `type` of the object at this path.

    `fits` says whether a body, as written so far, allows thinking.
    """
    return Setting((*path, "type"), reads=_is_adaptive, writes=lambda _: "adaptive", fits=fits, unfit=THINKING_REFUSED)


SEALED: dict[str, tuple[Json, ...]] = {"encrypted_reasoning": (True,)}
"""For providers whose reasoning always comes with what is needed to send it back (`Format.unasked`)."""
SHOWN: dict[str, tuple[Json, ...]] = {"thought_summaries": ("auto", "concise", "detailed")}
"""For providers that always show the reasoning (`Format.unasked`)."""
HIDDEN: dict[str, tuple[Json, ...]] = {"thought_summaries": ("none",)}
"""For providers that show no reasoning unless they are asked to (`Format.unasked`)."""
THINKING_REFUSED = "thinking is refused where the tool choice forces a call or the last message is the assistant's"


def _is_adaptive(kind: Json) -> Json:
    return True if kind == "adaptive" else None


def thinking_display(*path: str) -> Setting:
    """Whether thinking is shown as a summary or left out: `display` in the object at this path, where thinking is enabled."""

    def thinks(out: Wire) -> bool:
        return value_at(out, (*path, "type")) in ("enabled", "adaptive")

    return Setting((*path, "display"), words={"summarized": "auto", "omitted": "none"}, nearest=_SUMMARIZED, fits=thinks)


_SUMMARIZED = {"concise": "summarized", "detailed": "summarized"}


_MARK = ("type", "ttl")
"""The fields of a cache mark."""


_MODALITIES = frozenset({"text", "image", "audio", "video", "document"})


def read_modalities(value: Json) -> Json:
    """The modalities of an answer in lower case; None if any is unknown."""
    words = [each.lower() for each in value if isinstance(each, str)] if isinstance(value, list) else []
    known: Json = [*words]
    return known if isinstance(value, list) and len(words) == len(value) and _MODALITIES.issuperset(words) else None


def automatic_caching() -> Setting:
    """The cache mark of a request itself."""
    return Setting(("cache_control",), reads=_mark, left_out=_beside_mark)


def _mark(value: Json) -> Json:
    if type(value) is not dict or value.get("type") != "ephemeral":
        return None
    return {key: value[key] for key in _MARK if key in value}


def _beside_mark(value: Any) -> Sequence[str]:
    return [f"/{escape(key)}" for key in value if key not in _MARK]


@dataclass(frozen=True, eq=False)
class Tier:
    """Where a format's answers have the service tier."""

    path: Path
    """Its path in a body."""
    words: Mapping[str, str]
    """The shared word for each of the provider's words."""
    in_usage: bool = False
    """Whether its path is in the usage."""
    others: tuple[Path, ...] = ()
    """Other paths at which provider data may have it."""
    beside: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """The other fields that its object must have; they are added if the answer lacks them."""

    @cached_property
    def own(self) -> Mapping[str, str]:
        """The word to write for each shared word."""
        return {shared: word for word, shared in self.words.items()}

    def read(self, overlay: Wire) -> tuple[str | None, Path]:
        """The shared word in provider data, and its path; None and an empty path if there is none."""
        for path in (self.path[self.in_usage :], *self.others):
            if type(word := value_at(overlay, path)) is str:
                return self.words.get(word), path
        return None, ()


Shared: TypeAlias = Mapping[str, Setting]


def same(*names: str) -> dict[str, Setting]:
    """Settings that a format has under their shared names and with the same values."""
    return {name: Setting((name,)) for name in names}


def at_path(path: Path, value: Json) -> Any:
    """The value inside nested objects, at this path."""
    return {path[0]: at_path(path[1:], value)} if path else value


def without(overlay: Wire, partial: Collection[str], paths: Collection[Path]) -> tuple[Wire, Collection[str]]:
    """Provider data without the values at these paths, and the pointers to objects read in part, now also those around them."""
    whole = [path[0] for path in paths if len(path) == 1]
    left = overlay
    pointers: Collection[str] = partial
    for path in paths:
        if len(path) == 1 or path[0] not in whole:
            left = _removed(left, path)
            pointers = {*pointers, *("/" + "/".join(path[:i]) for i in range(1, len(path)))}
    return left, pointers


def _removed(overlay: Wire, path: Path) -> Wire:
    left = overlay.copy()
    inner = left.pop(path[0])
    if len(path) > 1 and (kept := _removed(inner, path[1:])):
        left[path[0]] = kept
    return left
