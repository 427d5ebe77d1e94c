"""The hook of the build that compiles the conversions with Cython, for the wheels of the platforms that have one.

`HATCH_BUILD_HOOKS_ENABLE=1 pip wheel .` makes a wheel for the Python and the machine that run it; without the variable, the
wheel is pure Python. The modules are compiled as they are, and the wheel has their sources too; a traceback names their files
and lines.

What is compiled was measured. Left out are the doors, which cost two hundredths, so that what users call is a function like any
other to `inspect`, debuggers and event loops; tables; and modules whose time goes into attributes of their objects, which the
interpreter finds faster.

Cython, and not mypyc: mypyc refuses classes that narrow an attribute, and with it no package could make a format of its own,
because "interpreted classes cannot inherit from compiled".
"""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from Cython.Build import cythonize
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension

FORMATS = ("anthropic", "bedrock_converse", "gemini", "openai_chat", "openai_responses")
"""The formats that are compiled: those of the main providers."""
COMPILED = (
    "codec/*.py",
    *(f"formats/{name}/*.py" for name in FORMATS),
    "conversion/framing.py",
    "history/items.py",
    "model/light.py",
)
TABLES = (
    *("__init__", "batches", "dialects", "error_words", "hosts", "keywords", "marks", "members", "payloads", "profiles"),
    *("schemas", "search", "shared", "table", "wire"),
)
"""Modules that do nothing themselves: tables, and the types that pydantic reads."""
SLOWER = (
    "codec/part_events",
    "formats/openai_chat/writing",
    "formats/openai_chat/writing_parts",
    "formats/openai_chat/written",
)
"""Modules with which streams take longer when they are compiled: up to a tenth from other formats to Chat."""

RARE = (
    *(f"codec/{name}" for name in ("adapting", "as_text", "inlining", "nullable", "offered", "openapi", "probabilities")),
    *(f"codec/{name}" for name in ("event_frames", "exceptions", "strictness", "tool_search", "web_answers")),
    *(f"codec/{name}" for name in ("error_bodies", "one_by_one", "one_text", "problems", "text_answers", "text_streams")),
    *(f"codec/{name}" for name in ("citable", "nouns", "readable", "references")),
    *(f"formats/{name}/citable" for name in ("anthropic", "bedrock_converse")),
    *(f"formats/{name}/citations" for name in ("bedrock_converse", "gemini")),
    *("codec/failed", "formats/bedrock_converse/nova", "formats/gemini/openapi"),
    *(f"formats/openai_chat/{name}" for name in ("foreign", "images", "media_urls", "typed_media", "untyped", "versions")),
    *(f"formats/{name}/web_answers" for name in ("anthropic", "gemini", "openai_responses")),
    "formats/openai_responses/drawing",
)
"""Modules that few conversions need."""

DIRECT_CALLS = ["-fno-plt", "-fno-semantic-interposition"]
"""With these and `-O2`, conversions take a tenth less time than with `-O1`, because most of what the modules do is to call
Python's own functions, and such a call no longer goes through a table of jumps."""
NO_UNWINDING = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
"""C has no exceptions, and a thread that Python ends at exit needs no tables either: with them, the wheel would have 8.3 MB,
above its limit."""


class CompilingHook(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say where the results go and that the wheel is for this platform alone."""
        source, made = Path(self.root, "src"), mkdtemp()
        # Symbols for a debugger are half of the size of a module. Other linkers than that of Linux have no such option.
        link = ["-Wl,-s"] if sys.platform == "linux" else []
        compile_with = [] if sys.platform == "win32" else ["-g0", "-O2"]
        if sys.platform == "linux":
            compile_with += DIRECT_CALLS + NO_UNWINDING
        modules = [
            Extension(
                ".".join(file.relative_to(source).with_suffix("").parts),
                [str(file.relative_to(source))],
                extra_compile_args=compile_with,
                extra_link_args=link,
            )
            for file in _files(source / "interlingua")
        ]
        # Types are no promises to Cython. What is shared between threads is written once, or is a cache.
        options: dict[str, Any] = {"language_level": 3, "annotation_typing": False, "freethreading_compatible": True}
        with chdir(source):
            compiled = cythonize(modules, build_dir=made, nthreads=2, quiet=True, compiler_directives=options)
            command: Any = Distribution({"ext_modules": compiled}).get_command_obj("build_ext")
            command.build_lib = command.build_temp = made
            command.parallel = 2
            command.ensure_finalized()
            command.run()
        for module in compiled:
            path = Path(command.get_ext_fullpath(module.name))
            build_data["force_include"][str(path)] = str(path.relative_to(made))
        build_data.update(pure_python=False, infer_tag=True)


def _files(package: Path) -> list[Path]:
    """The modules that are compiled."""
    named = [file for pattern in COMPILED for file in sorted(package.glob(pattern))]
    return [
        file
        for file in named
        if file.stem not in TABLES and file.relative_to(package).with_suffix("").as_posix() not in (*SLOWER, *RARE)
    ]
