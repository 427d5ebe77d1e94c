"""What `st.from_type` makes of this package's models: told to Hypothesis by class, made when it is asked for.

Hypothesis registers strategies by type, and the types here are pydantic models, whose import is worth saving where nobody
uses them. So whoever imports Hypothesis gets this module by way of its entry point and no more; models that exist are
registered at once, others when they are made (see `_model`), and all with a function that imports the strategies on its
first call.
"""

from __future__ import annotations

import sys
from typing import Any


def register(model: type[Any]) -> None:
    """Tell Hypothesis of a model of this package; others, those derived from ours too, are none of our business."""
    from hypothesis import strategies as st  # noqa: PLC0415 -- which may be what imports this module, and not be done yet

    if model.__module__.startswith("interlingua."):
        st.register_type_strategy(model, _strategy)


def register_all() -> None:
    """Tell Hypothesis of all models that exist by now."""
    base = sys.modules.get("interlingua.model.base")
    waiting: list[type[Any]] = [base.Model] if base is not None else []
    while waiting:
        model = waiting.pop()
        register(model)
        waiting += model.__subclasses__()


def _strategy(model: type[Any]) -> Any:
    """What Hypothesis calls with the type that it was asked for, which may be a base of a registered one."""
    from ..model.base import Model  # noqa: PLC0415 -- here is where the import of the models is put off to
    from .canonical import of  # noqa: PLC0415 -- likewise

    abstract = any(derived.__module__.startswith("interlingua.") for derived in model.__subclasses__())
    return of(model) if issubclass(model, Model) and not abstract else NotImplemented


register_all()
