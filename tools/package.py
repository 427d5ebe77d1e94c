"""Builds the wheel and the source distribution into `dist/`, and checks them; `make package` runs it.

Each is built twice: from the working tree, and the wheel also from the source distribution, as an index's users build it. All
must be the same byte for byte. The wheel has every file of the package, the schemas and nothing else; the metadata are what an
index takes. The workflows for GitHub are checked against their schema, and for what makes them unsafe.
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


def main() -> int:
    """Build and check; returns the exit status."""
    shutil.rmtree(DIST, ignore_errors=True)
    commit = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit.stdout.strip())
    build(DIST)
    build(DIST / "again", "--sdist", "--wheel")
    found = list(faults())
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
    if module == "zizmor":  # a program, and no module
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


def files(folder: str) -> list[str]:
    """The files of a folder that git knows, relative to it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT / folder, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name]


if __name__ == "__main__":
    sys.exit(main())
