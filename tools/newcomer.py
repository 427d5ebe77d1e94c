"""Reads README, the tour and the guide that makes a package, word for word and in empty environments, with the built wheel.

`python tools/newcomer.py` builds the wheel, makes an environment for each page, and runs the page's blocks there with
`blocks.py`, those that install packages too: only where `pip` finds interlingua is arranged. Prints how long each took.
`python tools/newcomer.py docs/guides/agent.md` reads that page, and with a wheel among the arguments no other is built.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/first-steps.md", "docs/guides/adding-a-format.md")


def built(folder: Path) -> Path:
    """The wheel, built in a folder."""
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def read(page: str, wheel: Path, folder: Path) -> None:
    """Run a page in an empty environment. Raises `CalledProcessError` where a block does not do what the page says."""
    start = time.monotonic()
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    constraint = folder / "constraint.txt"
    constraint.write_text(f"interlingua=={wheel.name.split('-')[1]}\n", encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    print(f"{page}: an empty environment in {time.monotonic() - start:.1f} s", flush=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    # With `CI`, Hypothesis draws the same examples in every run.
    finds = {"PIP_FIND_LINKS": str(wheel.parent), "PIP_CONSTRAINT": str(constraint), "CI": "true"}
    command = [str(python), str(ROOT / "tools" / "blocks.py"), page]
    subprocess.run(command, cwd=folder, env=env | finds, check=True)


def main(*pages: str) -> None:
    """Read each page."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        wheels = [Path(page).resolve() for page in pages if page.endswith(".whl")]
        wheel = wheels[0] if wheels else built(Path(folder))
        print(f"{wheel.name}: ready in {time.monotonic() - start:.1f} s", flush=True)
        for page in [page for page in pages if not page.endswith(".whl")] or PAGES:
            with tempfile.TemporaryDirectory() as place:
                read(page, wheel, Path(place))


if __name__ == "__main__":
    main(*sys.argv[1:])
