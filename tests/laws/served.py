"""The models of requests and answers of servers that people run: the modules of vLLM and SGLang that define them, as they are.

The packages need a GPU's libraries, so that they are not installed with the tests. `INTERLINGUA_SERVERS` names a folder that
has their sources, as `pip download --no-deps` and `tar` or `unzip` leave them: `vllm/` and `sglang/`. What those modules import
of the rest of their package, and packages that are not installed, are stand-ins; the models and their validators are not.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic_core import core_schema

SOURCES = Path(os.environ.get("INTERLINGUA_SERVERS", ""))


class Protocol(NamedTuple):
    """Where a server's models are defined, and which modules of its package are imported as they are."""

    module: str
    real: frozenset[str]
    names_of: dict[str, str]
    """Packages whose names are those of one of their modules."""


PROTOCOLS = {
    "vllm": Protocol(
        "vllm.entrypoints.openai.chat_completion.protocol",
        frozenset(
            "vllm.entrypoints.openai.chat_completion.protocol vllm.entrypoints.generate.base.protocol "
            "vllm.entrypoints.serve.engine.protocol vllm.exceptions vllm.renderers.chat_utils.types vllm.renderers.params "
            "vllm.sampling_params vllm.envs".split()
        ),
        {"vllm.renderers.chat_utils": "vllm.renderers.chat_utils.types", "vllm.renderers": "vllm.renderers.params"},
    ),
    "sglang": Protocol("sglang.srt.entrypoints.openai.protocol", frozenset({"sglang.srt.entrypoints.openai.protocol"}), {}),
}
_NOT_INSTALLED = frozenset("PIL msgspec numpy openai_harmony orjson regex torch transformers xgrammar".split())


class _Kind(type):
    """The type of stand-ins, which may be in unions and have arguments."""

    def __or__(cls, _: Any) -> Any:
        return cls

    __ror__ = __or__

    def __getitem__(cls, _: Any) -> Any:
        return cls

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls


class _StandIn(metaclass=_Kind):
    """A class or a function of a module that is not imported: it does nothing, and no value is one of its instances."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: Any) -> core_schema.CoreSchema:
        return core_schema.none_schema()


class _Base:
    """A stand-in for a base class."""

    def __init_subclass__(cls, **_: Any) -> None: ...


class _Module(types.ModuleType):
    names_of: str | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self.names_of is not None and hasattr(module := importlib.import_module(self.names_of), name):
            return getattr(module, name)
        return _Base if name in ("Struct", "PydanticMsgspecMixin") else type(name, (_StandIn,), {})


class _Finder(MetaPathFinder, Loader):
    def __init__(self, package: str) -> None:
        self.package = package
        self.protocol = PROTOCOLS[package]

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        top = name.partition(".")[0]
        file = SOURCES.joinpath(*name.split("."))
        if name in self.protocol.real:
            return importlib.util.spec_from_file_location(name, file.with_suffix(".py"))
        missing = top in _NOT_INSTALLED and importlib.machinery.PathFinder.find_spec(top) is None
        if top != self.package and not missing:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = _Module(spec.name)
        module.names_of = self.protocol.names_of.get(spec.name)
        return module

    def exec_module(self, module: types.ModuleType) -> None: ...


def models(package: str) -> Any:
    """The module of a server's models; skips the test where its sources are not at hand."""
    if not os.environ.get("INTERLINGUA_SERVERS") or not (SOURCES / package).is_dir():
        pytest.skip(f"no sources of {package}: set INTERLINGUA_SERVERS")
    if not any(isinstance(finder, _Finder) and finder.package == package for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(package))
    return importlib.import_module(PROTOCOLS[package].module)
