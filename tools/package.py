"""Builds the wheel and the source distribution into `dist/`, and checks them; `make package` runs it.

Each is built twice: from the working tree, and the wheel also from the source distribution, as an index's users build it. All
must be the same byte for byte. The wheel has every file of the package, the schemas and nothing else; the metadata are what an
index takes. The workflows for GitHub are checked against their schema, and for what makes them unsafe.

With `--compiled FOLDER`, the compiled wheel there is checked as well: it has the same files and compiled modules, is not too
large, and runs on every Linux of the last ten years. The wheels that a release would build are printed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
IN_SOURCES = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
    "docs/fingerprint.md",
    "examples/demo.py",
    "schemas/message.json",
    "src/interlingua/py.typed",
    "tests/history/test_identity.py",
    "tools/blocks.py",
)
"""Some of what the source distribution has, so that a distributor can test and change what is in it."""
MOST_BYTES = 8_000_000
"""How large a compiled wheel may be."""
PLATFORMS = {"linux": ("x86_64", "aarch64"), "macos": ("x86_64", "arm64"), "windows": ("AMD64",)}
"""The platforms that a release has compiled wheels for; PyPy, Pyodide and all others get the one in pure Python."""
PYTHONS = ("cp311", "cp312", "cp313", "cp314", "cp314t")
"""The least that there are compiled wheels for."""


def main(*arguments: str) -> int:
    """Build and check; returns the exit status."""
    shutil.rmtree(DIST, ignore_errors=True)
    commit = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit.stdout.strip())
    build(DIST)
    build(DIST / "again", "--sdist", "--wheel")
    found = [*faults(), *platform_faults()]
    if arguments:
        found += compiled_faults(Path(arguments[-1]))
    shutil.rmtree(DIST / "again")
    print(*found, sep="\n", end="\n" if found else "")
    [wheel], [sources] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run("twine", "check", "--strict", wheel, sources)
    run("check_wheel_contents", wheel)
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    run("check_jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    run("zizmor", "--offline", "--no-progress", "--quiet", *workflows)
    for file in (wheel, sources):
        print(f"{digest(file)}  {file.name}, {file.stat().st_size:,} bytes")
    return int(bool(found))


def build(folder: Path, *what: str) -> None:
    """Build into a folder: by default the source distribution, and the wheel from it."""
    run("build", "--outdir", folder, *what, ROOT, quiet=True)


def run(module: str, *arguments: str | Path, quiet: bool = False) -> None:
    """Run a tool of this environment, and end the program where it finds a fault."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    if module == "zizmor":  # a program, not a module
        command = [str(Path(sys.executable).parent / module), *command[3:]]
    done = subprocess.run(command, check=False, capture_output=quiet, text=True)
    if done.returncode:
        sys.exit(f"{module} failed\n{done.stdout or ''}{done.stderr or ''}")


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def faults() -> Iterator[str]:
    """What is wrong with what was built."""
    for file in sorted(DIST.glob("*.*")):
        if digest(file) != digest(DIST / "again" / file.name):
            yield f"{file.name}: another build gives other bytes"
    [wheel], [sources] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    held = set(zipfile.ZipFile(wheel).namelist())
    known = {name for name in held if ".dist-info/" not in name}
    expected = {f"interlingua/{name}" for name in files("src/interlingua")} | {
        f"interlingua/schemas/{name}" for name in files("schemas")
    }
    yield from (f"{wheel.name}: {name} is missing" for name in sorted(expected - known))
    yield from (f"{wheel.name}: {name} does not belong there" for name in sorted(known - expected))
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in held):
        yield f"{wheel.name}: there is no licence"
    with tarfile.open(sources) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    yield from (f"{sources.name}: {name} is missing" for name in IN_SOURCES if name not in names)
    yield from (f"{sources.name}: {name} does not belong there" for name in sorted(names) if "__pycache__" in name)


def platform_faults() -> Iterator[str]:
    """Prints the compiled wheels that a release builds; what is missing among them."""
    for platform, architectures in PLATFORMS.items():
        for architecture in architectures:
            command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform]
            done = subprocess.run([*command, "--archs", architecture, ROOT], capture_output=True, text=True, check=True)
            wheels = done.stdout.split()
            print(f"{platform}, {architecture}: {len(wheels)} compiled wheels: {' '.join(wheels)}")
            made = {wheel.partition("-")[0] for wheel in wheels}
            yield from (
                f"{platform}, {architecture}: there is no wheel for {python}" for python in PYTHONS if python not in made
            )


def compiled_faults(folder: Path) -> Iterator[str]:
    """What is wrong with the compiled wheel."""
    [wheel] = folder.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    compiled = {name for name in held if not name.endswith((".py", ".pyi", ".json", ".d.ts", "py.typed"))}
    [pure] = DIST.glob("*.whl")
    known = {name for name in zipfile.ZipFile(pure).namelist() if ".dist-info/" not in name}
    yield from (f"{wheel.name}: {name} is missing" for name in sorted(known - held))
    yield from (f"{wheel.name}: {name} does not belong there" for name in sorted(held - known - compiled))
    if not any(name.startswith("interlingua/codec/fields.") for name in compiled):
        yield f"{wheel.name}: nothing in it is compiled"
    if (size := wheel.stat().st_size) > MOST_BYTES:
        yield f"{wheel.name}: {size:,} bytes are more than {MOST_BYTES:,}"
    if sys.platform == "linux":
        shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True, check=True)
        if "manylinux_2_17" not in shown.stdout:
            yield f"{wheel.name}: {shown.stdout}"
    print(f"{wheel.name}: {len(compiled)} compiled modules, {size:,} bytes")


def files(folder: str) -> list[str]:
    """The files of a folder that git knows, relative to it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT / folder, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
