"""Gathers the chat templates that `make templates` looks at: those of TRL's wheel and of vLLM's source distribution.

`python tools/template_sources.py FOLDER` writes them into the folder, as `trl/<name>.jinja` and `vllm/<name>.jinja`. vLLM's
wheels do not have them, and pip cannot fetch its source distribution without what builds it, so that is read from the package
index itself and must have the digest below. Templates are other people's work: they stay in the folder, and no commit has them.
"""

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import urllib.request
from importlib.util import find_spec
from pathlib import Path

VLLM = "vllm-0.33.0.tar.gz"
DIGEST = "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112"
FOLDERS = ("examples", "vllm/transformers_utils/chat_templates")
"""Where vLLM has its templates for chats."""
SIMPLE = "application/vnd.pypi.simple.v1+json"


def index() -> str:
    """The address of the package index that pip uses."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    return os.environ.get("PIP_INDEX_URL") or asked.stdout.strip() or "https://pypi.org/simple"


def fetched(url: str, accept: str = "*/*") -> bytes:
    request = urllib.request.Request(url, headers={"Accept": accept})  # noqa: S310 -- of the index
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 -- likewise
        return bytes(answer.read())


def archive() -> bytes:
    """The source distribution of vLLM; exits where it is not the one that is known."""
    page = json.loads(fetched(f"{index().rstrip('/')}/vllm/", SIMPLE))
    [url] = [file["url"] for file in page["files"] if file["filename"] == VLLM]
    found = fetched(url)
    if hashlib.sha256(found).hexdigest() != DIGEST:
        sys.exit(f"{VLLM} does not have the digest that it must have")
    return found


def of_vllm() -> dict[str, str]:
    """The names and texts of vLLM's templates."""
    found: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(archive())) as files:
        for member in files:
            folder, _, name = member.name.partition("/")[2].rpartition("/")
            content = files.extractfile(member) if folder in FOLDERS and name.endswith(".jinja") else None
            if content is not None:
                # Some names are in both folders.
                found[name if folder == FOLDERS[0] else f"default_{name}"] = content.read().decode()
    return found


def of_trl() -> dict[str, str]:
    """The names and texts of TRL's templates, whose wheel is installed; it is not imported."""
    spec = find_spec("trl")
    if spec is None or spec.submodule_search_locations is None:
        sys.exit("trl is not installed")
    files = Path(spec.submodule_search_locations[0], "chat_templates").glob("*.jinja")
    return {file.name: file.read_text("utf-8") for file in files}


def main(folder: Path) -> None:
    """Write all templates into a folder."""
    for package, templates in (("trl", of_trl()), ("vllm", of_vllm())):
        (folder / package).mkdir(parents=True, exist_ok=True)
        for name, text in templates.items():
            (folder / package / name).write_text(text, "utf-8")
        print(f"{len(templates)} templates of {package}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
