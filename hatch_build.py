"""The optional hook of the build that compiles `codec` and `formats` with Cython; without it, the wheel is pure Python.

`HATCH_BUILD_HOOKS_ENABLE=1 pip wheel .` makes a wheel for the Python and the machine that run it. The modules are compiled as
they are, and the wheel has their sources too.
"""

from __future__ import annotations

from os.path import relpath
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from Cython.Build import cythonize
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension

COMPILED = ("codec/*.py", "formats/**/*.py", "conversion/losses.py", "model/light.py")
INTERPRETED = ("__init__.py", "wire.py")
"""Modules that gain nothing: tables, and the types that pydantic reads."""
UNCOMPILED_FOLDERS = ("rules", "strategies")
"""Folders that most programs never import."""


class CompilingHook(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say where the results go and that the wheel is for this platform alone."""
        source, made = Path(self.root, "src"), mkdtemp()
        files = [file for pattern in COMPILED for file in sorted((source / "interlingua").glob(pattern))]
        modules = [
            Extension(".".join(file.relative_to(source).with_suffix("").parts), [relpath(file)], extra_compile_args=["-g0"])
            for file in files
            if file.name not in INTERPRETED and file.parent.name not in UNCOMPILED_FOLDERS
        ]
        options: dict[str, Any] = {"language_level": 3, "annotation_typing": False}  # types are no promises to Cython
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
