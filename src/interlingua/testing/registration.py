"""Registers the models of this package with Hypothesis, so that `st.from_type` draws them.

Hypothesis registers strategies by type, and the types here are pydantic models, which take time to import. Importing Hypothesis
imports this module alone, through its entry point. It registers the models that exist by then; `model.base` registers each
later one. The registered function imports the strategies when it is first called.
"""

from __future__ import annotations

import sys
from typing import Any


def register(model: type[Any]) -> None:
    """Register a model of this package; classes that users derive from one are not registered."""
    from hypothesis import strategies as st  # noqa: PLC0415 -- its import may be what imports this module

    if model.__module__.startswith("interlingua."):
        st.register_type_strategy(model, _strategy)


def register_all() -> None:
    """Register all models that exist."""
    base = sys.modules.get("interlingua.model.base")
    waiting: list[type[Any]] = [base.Model] if base is not None else []
    while waiting:
        model = waiting.pop()
        register(model)
        waiting += model.__subclasses__()


def _strategy(model: type[Any]) -> Any:
    """The strategy of a type that Hypothesis asks for, which may be the base of a registered one."""
    from hypothesis import strategies as st  # noqa: PLC0415 -- as above

    from ..model.base import Model  # noqa: PLC0415 -- here is where the import of the models is put off to
    from .canonical import of  # noqa: PLC0415 -- likewise

    if not issubclass(model, Model):
        return NotImplemented
    derived = [each for each in model.__subclasses__() if each.__module__.startswith("interlingua.")]
    return st.one_of(*map(_strategy, derived)) if derived else of(model)


register_all()
