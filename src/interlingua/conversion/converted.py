"""What `convert` and `endpoint` return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from ..codec.fields import Wire
from ..codec.format import Format
from ..errors import Loss, Problem
from ..model.shortened import shortened
from ..model.shown import repr_html, rich_console
from .context import NO_CONTEXT, RequestContext

PayloadT_co = TypeVar("PayloadT_co", covariant=True)


class Endpoint(NamedTuple):
    """Where to send a request, and its settings that some providers read from the URL instead of the body.

    `path` is the path and query under the base URL of the provider's own client. It is None if it needs a model and the request
    names none. `model` and `stream` are those of the request, or None if it does not set them.
    """

    path: str | None
    model: str | None
    stream: bool | None


@dataclass(frozen=True, init=False)
class Conversion(Generic[PayloadT_co]):
    """What `convert` returns: the payload in the target's shape, its losses, and where to send it (`endpoint`).

    `problems` is what the target would refuse, if `check` asked for it. `source` is the name of the format that the source
    payload was read as. `context` is what the conversion of the answer needs: pass it, or the whole conversion, as `request` to
    `load_response`, `dump_response`, `restream`, `reader` or `writer`.

    The `path` of a loss points into the source payload, its `at` into `payload`. `places` maps the pointer of each message,
    part, call and tool in `payload` to the pointer of what it was made from in the source payload.
    """

    payload: PayloadT_co
    losses: tuple[Loss, ...]
    places: Mapping[str, str]
    endpoint: Endpoint
    problems: tuple[Problem, ...] = ()
    source: str = ""
    context: RequestContext = NO_CONTEXT

    def __init__(
        self,
        payload: PayloadT_co,
        losses: tuple[Loss, ...],
        places: Mapping[str, str],
        endpoint: Endpoint,
        problems: tuple[Problem, ...] = (),
        source: str = "",
        context: RequestContext = NO_CONTEXT,
    ) -> None:
        # What a frozen dataclass does field by field, at twice the cost.
        vars(self).update(
            payload=payload,
            losses=losses,
            places=places,
            endpoint=endpoint,
            problems=problems,
            source=source,
            context=context,
        )

    _repr_html_ = repr_html
    __rich_console__ = rich_console

    def __repr__(self) -> str:
        shown = f"payload={shortened(self.payload)}, losses={shortened(self.losses)}, places=… {len(self.places)}"
        found = f", problems={shortened(self.problems)}" if self.problems else ""
        return f"Conversion({shown}, endpoint={shortened(self.endpoint)}{found})"


class Places(Mapping[str, str]):
    """The places of a conversion, whose pointers are translated when they are read."""

    def __init__(self, canonical: Mapping[str, str], origin: Format, shape: Wire | None, cut: int) -> None:
        self._canonical = canonical
        self._origin = origin
        self._shape = shape
        self._cut = cut

    @cached_property
    def _translated(self) -> dict[str, str]:
        cut = self._cut
        if self._shape is None:
            return {at: path[cut:] for at, path in self._canonical.items()}
        locate = self._origin.locating(self._shape)
        return {at: locate(path)[0][cut:] for at, path in self._canonical.items()}

    def __getitem__(self, at: str) -> str:
        return self._translated[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self._canonical)

    def __len__(self) -> int:
        return len(self._canonical)

    def __repr__(self) -> str:
        return repr(self._translated)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._translated,)
