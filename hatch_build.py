"""The hook of the build that compiles the conversions with Cython, for the wheels of the platforms that have one.

`HATCH_BUILD_HOOKS_ENABLE=1 pip wheel .` makes a wheel for the Python and the machine that run it; without the variable, the
wheel is pure Python. The modules are compiled as they are, and the wheel has their sources too; a traceback names their files
and lines.

What is compiled was measured. Left out are the doors, which cost two hundredths, so that what users call is a function like any
other to `inspect`, debuggers and event loops; tables; and modules whose time goes into attributes of their objects, which the
interpreter finds faster.

GCC compiles twice: the modules of the first time count which of their lines run while `tools/training.py` converts the tests'
cases, and the second time optimizes those for speed and all others for size. This saves up to a sixth of the time of
conversions, and the wheel is smaller.

Cython, and not mypyc: mypyc refuses classes that narrow an attribute, and with it no package could make a format of its own,
because "interpreted classes cannot inherit from compiled".
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from contextlib import chdir
from pathlib import Path
from shutil import copytree
from tempfile import mkdtemp
from typing import Any

from Cython.Build import cythonize
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension

FORMATS = ("anthropic", "bedrock_converse", "gemini", "openai_chat", "openai_responses")
"""The formats that are compiled: those of the main providers."""
COMPILED = (
    *(f"codec/{folder}*.py" for folder in ("", "hosted/", "schemas/", "streams/")),
    *(f"formats/{name}/*.py" for name in FORMATS),
    "conversion/framing.py",
    "history/items.py",
    "model/light.py",
)
TABLES = (
    *("__init__", "batches", "dialects", "error_words", "hosts", "keywords", "marks", "members", "payloads", "profiles"),
    *("schemas", "server_tools", "shared", "table", "wire"),
)
"""Modules that do nothing themselves: tables, and the types that pydantic reads."""
SLOWER = (
    "codec/streams/part_events",
    "formats/openai_chat/writing",
    "formats/openai_chat/writing_parts",
    "formats/openai_chat/written",
)
"""Modules with which streams take longer when they are compiled: up to a tenth from other formats to Chat."""

_CALLS = ("code_runs", "mcp_calls", "mcp_servers", "page_fetches", "server_calls")
RARE = (
    *(f"codec/{name}" for name in ("allowed", "as_text", "caching", "citable", "error_bodies", "exceptions", "failed")),
    *(f"codec/{name}" for name in ("foreign", "free_text", "image_files", "magic", "media_types", "nouns", "offered")),
    *(f"codec/{name}" for name in ("one_by_one", "one_text", "probabilities", "problems", "readable", "strictness")),
    *(f"codec/{name}" for name in ("event_frames", "required", "streams/text_streams", "text_answers", "text_files")),
    *(f"codec/hosted/{name}" for name in (*_CALLS, "references", "tool_search", "web_answers")),
    *(f"codec/schemas/{name}" for name in ("adapting", "anything", "cycles", "inlining", "lone_refs")),
    *(f"codec/schemas/{name}" for name in ("nodes", "nullable", "openapi", "sizes")),
    *(f"formats/{name}/citable" for name in ("anthropic", "bedrock_converse")),
    *(f"formats/{name}/citations" for name in ("bedrock_converse", "gemini")),
    *("formats/anthropic/tool_changes", "formats/bedrock_converse/nova", "formats/gemini/openapi"),
    *(f"formats/openai_chat/{name}" for name in ("foreign", "free_form", "images", "media_urls", "spoken", "typed_media")),
    *(f"formats/openai_chat/{name}" for name in ("closing", "files", "pages", "prefill", "repeated_blocks")),
    *(f"formats/openai_chat/{name}" for name in ("source_parts", "untyped", "versions")),
    *(f"formats/{name}/{what}" for name in ("anthropic", "openai_responses") for what in ("compaction", "tool_search")),
    *(f"formats/{name}/web_answers" for name in ("anthropic", "gemini", "openai_responses")),
    *(f"formats/gemini/{name}" for name in ("calls", "code_runs", "labels", "lone_parts", "stand_ins")),
    *(f"formats/anthropic/{name}" for name in _CALLS),
    *(f"formats/openai_responses/{name}" for name in _CALLS),
    *(f"formats/openai_responses/{name}" for name in ("drawing", "offered", "unnamed")),
)
"""Modules that few conversions need."""

CORES = os.cpu_count() or 1

DIRECT_CALLS = ["-fno-plt", "-fno-semantic-interposition"]
"""With these and `-O2`, conversions take a tenth less time than with `-O1`, because most of what the modules do is to call
Python's own functions, and such a call no longer goes through a table of jumps."""
NO_UNWINDING = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
"""C has no exceptions, and a thread that Python ends at exit needs no tables either: with them, the wheel would have 8.3 MB,
above its limit."""
COUNTING = ["-fprofile-generate"]
OPTIMIZING = ["-fprofile-use", "-Wno-missing-profile"]
"""Modules that no test case imports have no counts; GCC would warn of each."""


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
            Extension(".".join(file.relative_to(source).with_suffix("").parts), [str(file.relative_to(source))])
            for file in _files(source / "interlingua")
        ]
        # Types are no promises to Cython. What is shared between threads is written once, or is a cache.
        options: dict[str, Any] = {"language_level": 3, "annotation_typing": False, "freethreading_compatible": True}
        with chdir(source):
            compiled = cythonize(modules, build_dir=made, nthreads=CORES, quiet=True, compiler_directives=options)
            if sys.platform == "linux" and _is_gcc():
                _build(compiled, made, compile_with + COUNTING, link + COUNTING)
                _train(Path(self.root), made)
                compile_with += OPTIMIZING
            paths = _build(compiled, made, compile_with, link)
        for path in paths:
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


def _is_gcc() -> bool:
    """Whether the compiler is GCC; other compilers store their counts differently."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")
    if not compiler:
        return False
    asked = subprocess.run([*compiler, "--version"], capture_output=True, check=False, text=True)  # noqa: S603 -- setuptools' own
    return "Free Software Foundation" in asked.stdout


def _build(modules: list[Extension], folder: str, compile_with: list[str], link_with: list[str]) -> list[Path]:
    """Compile and link the modules, and return the paths of the results, which are below the folder."""
    for module in modules:
        module.extra_compile_args = compile_with
        module.extra_link_args = link_with
    command: Any = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib = command.build_temp = folder
    command.parallel = CORES
    command.force = True
    command.ensure_finalized()
    command.run()
    return [Path(command.get_ext_fullpath(module.name)) for module in modules]


def _train(root: Path, folder: str) -> None:
    """Let the modules in the folder count what they do; each writes its counts beside its object file when Python ends."""
    copytree(root / "src" / "interlingua", Path(folder, "interlingua"), dirs_exist_ok=True)
    paths = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    training = [sys.executable, str(root / "tools" / "training.py")]
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    subprocess.run(training, check=True, env=environment)  # noqa: S603 -- this project's own code
