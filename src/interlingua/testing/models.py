"""Every public model and its strategy."""

from __future__ import annotations

from .canonical import CONTENT, Strategies
from .envelopes import ENVELOPES
from .streams import EVENTS

STRATEGIES: Strategies = {**CONTENT, **ENVELOPES, **EVENTS}
