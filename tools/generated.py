"""What the tools that write files have in common: Python is formatted, and `--check` compares in place of writing."""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "interlingua"


def run(file: Path, text: Callable[[], str], tool: str) -> int:
    """Write the text to the file, or compare the two under `--check`; returns the exit status of the command."""
    parser = argparse.ArgumentParser(description=f"Writes {file.name}.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the file is stale")
    current = text() if file.suffix == ".md" else formatted(text(), file)
    if not parser.parse_args().check:
        file.write_text(current, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != current:
        print(f"{file.name} is stale: run python tools/{tool}")
        return 1
    return 0


def formatted(code: str, file: Path) -> str:
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(file), "-"]
    return subprocess.run(ruff, input=code, capture_output=True, text=True, check=True).stdout


def overloads(name: str, signatures: list[str]) -> list[str]:
    """The lines of a method with these signatures, in the body of a class."""
    overload = "    @overload\n" if len(signatures) > 1 else ""
    return [f"{overload}    def {name}{signature}: ..." for signature in signatures]
