"""Generators of clients, over the example's OpenAPI document, those of the guides and of `openapi`, and over `schemas/`.

What they write compiles under strict checks, knows the unions by name, and carries free JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from fastapi_app import app
from interlingua.schemas import json_schema as schema
from laws.everything import EVERYTHING
from schemas.parity import INTEROP, from_models, needs_node

pytestmark = pytest.mark.clients

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "schemas"
MODULES = INTEROP / "node_modules"
BIN = Path(os.environ.get("CLIENTS", ROOT / ".venv-clients")) / "bin"
"""The generators in Python, which have an environment of their own."""

NESTED: dict[str, Any] = {"nested": {"list": [1.5, None, {"a": "é 🙂"}], "empty": {}}, "": [[]]}
MESSAGES: list[Any] = [
    *EVERYTHING,
    {
        "role": "user",
        "content": [{"type": "opaque", "format": "x", "value": NESTED, "provider_data": {"x": NESTED}}],
        "extra": NESTED,
    },
    {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": NESTED}]},
    {"role": "opaque", "format": "x", "value": NESTED},
]


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """The example's OpenAPI document, next to turns with every kind of message and with free JSON."""
    (tmp_path / "messages.json").write_text(json.dumps(MESSAGES))
    (tmp_path / "turns.json").write_text(json.dumps({"messages": MESSAGES}))
    (tmp_path / "openapi.json").write_text(json.dumps(app.openapi()))
    return tmp_path / "openapi.json"


# TypeScript


def compiled(folder: Path) -> None:
    """Compile everything in a folder, strictly, into `out`."""
    (folder / "node_modules").symlink_to(MODULES)
    options = {"strict": True, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "types": ["node"]}
    config = {"compilerOptions": {**options, "lib": ["es2022", "dom", "dom.iterable"], "outDir": "out"}, "include": ["**/*.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(config))
    run(MODULES / ".bin/tsc", "-p", "tsconfig.json", "--pretty", "false", folder=folder)


TYPESCRIPT: dict[str, tuple[Sequence[str], str]] = {
    "openapi-typescript": (
        ("openapi-typescript", "openapi.json", "-o", "schema.d.ts"),
        """import type { components } from "./schema.js";
export type Message = components["schemas"]["Message"];
export type Part = components["schemas"]["Part"];
""",
    ),
    "openapi-ts": (
        ("openapi-ts", "-i", "openapi.json", "-o", "client", "--no-log-file"),
        'export type { Message, Part } from "./client/index.js";\n',
    ),
    "interlingua schema": ((), f'export type {{ Message, Part }} from "{SCHEMAS}/typescript/interlingua.js";\n'),
}
"""For each generator its command, and a module that names what it makes of the unions."""


@needs_node
@pytest.mark.parametrize("generator", TYPESCRIPT)
def test_types_in_typescript_carry_free_json(generator: str, document: Path) -> None:
    folder = document.parent
    command, types = TYPESCRIPT[generator]
    if command:
        run(MODULES / ".bin" / command[0], *command[1:], folder=folder)
    (folder / "types.ts").write_text(types)
    (folder / "client.ts").write_text((INTEROP / "client.ts").read_text())
    compiled(folder)
    (folder / "package.json").write_text('{"type": "module"}')
    [program] = folder.glob("out/**/client.js")
    printed = run("node", program, "messages.json", "after.json", folder=folder).splitlines()
    assert json.loads(printed[-1]) == NESTED["nested"]
    [*before, added] = json.loads((folder / "after.json").read_text())
    assert before == MESSAGES
    assert il.validate([added])[0].extra == {"id": {"of": [1]}}


GUIDES = ("fastapi", "litestar", "django-ninja")


@needs_node
@pytest.mark.parametrize("guide", GUIDES)
def test_the_clients_of_a_guide_compile(guide: str, tmp_path: Path) -> None:
    """The page's application has written its document, and the page its programs; they are its files."""
    program = "import sys; from pathlib import Path; import blocks; blocks.run(Path(sys.argv[1]), Path())"
    page = ROOT / "docs" / "guides" / f"{guide}.md"
    path = os.pathsep.join([str(ROOT / "tools"), str(ROOT / "src")])
    done = subprocess.run(
        [sys.executable, "-c", program, page],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for command in ("openapi-typescript openapi.json -o schema.d.ts", "@hey-api/openapi-ts -i openapi.json -o client"):
        assert f"$ npx {command}\n" in page.read_text()
        [name, *arguments] = command.rpartition("/")[2].split() if command.startswith("@") else command.split()
        run(MODULES / ".bin" / name, *arguments, *(["--no-log-file"] if command.startswith("@") else []), folder=tmp_path)
    compiled(tmp_path)


BODIES: list[Any] = sorted(schema.OWNERS.keys() & schema.KINDS)
"""One format of each wire shape."""

NARROWED = """\
import type { components } from "./schema.js";
import type { AnthropicResponseBody } from "./client/index.js";
export const byTypes = (answer: components["schemas"]["AnthropicResponseBody"]): string[] =>
  (answer.content ?? []).map((block) => (block.type === "text" && "text" in block ? block.text : block.type));
export const byClient = (answer: AnthropicResponseBody): string[] =>
  (answer.content ?? []).map((block) => (block.type === "text" && "text" in block ? block.text : block.type));
"""
"""As the guide to FastAPI says it: a field narrows a block, because the type of an unknown block is any text."""


@needs_node
@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_typescript_of_each_format_compiles(version: Any, tmp_path: Path) -> None:
    for format in BODIES:
        folder = tmp_path / format
        folder.mkdir()
        document = il.openapi(format, version)
        (folder / "openapi.json").write_text(json.dumps(document))
        run(MODULES / ".bin/openapi-typescript", "openapi.json", "-o", "schema.d.ts", folder=folder)
        run(MODULES / ".bin/openapi-ts", "-i", "openapi.json", "-o", "client", "--no-log-file", folder=folder)
        roots = [name for name in document["components"]["schemas"] if name.endswith("Body")]
        types = 'import type { components } from "./schema.js";\n'
        types += f'import type {{ {", ".join(roots)} }} from "./client/index.js";\n'
        types += "".join(f'export type Both{name} = [components["schemas"]["{name}"], {name}];\n' for name in roots)
        (folder / "types.ts").write_text(types)
    (tmp_path / "anthropic" / "narrowed.ts").write_text(NARROWED)
    compiled(tmp_path)


DOCUMENTS: dict[str, tuple[Any, Any]] = {
    "message": (MESSAGES[-3], {"role": "user", "content": "x", "mood": "good"}),
    "part": ({"type": "tool_use", "name": "f", "input": NESTED}, {"type": "text", "text": 7}),
    "tool": ({"type": "function", "name": "f", "parameters": NESTED}, {"type": "function"}),
    "request": ({"messages": MESSAGES, "metadata": NESTED}, {"messages": [{"role": "usr", "content": "x"}]}),
    "response": ({"choices": [], "provider_data": {"x": NESTED}}, {"choices": [{}]}),
    "event": ({"type": "error", "error": NESTED}, {"type": "text", "index": "0", "text": "x"}),
    "conversation": ({"version": 1, "messages": MESSAGES, "metadata": NESTED}, {"version": 2, "messages": []}),
}
"""For each canonical kind a document with free JSON, and one that is wrong."""


@needs_node
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_zod_reads_a_canonical_schema(kind: str, tmp_path: Path) -> None:
    right, wrong = DOCUMENTS[kind]
    (tmp_path / "documents.json").write_text(json.dumps([*from_models(kind, 20), right, wrong]))
    read = json.loads(run("node", INTEROP / "zod.mjs", SCHEMAS / f"{kind}.json", "documents.json", folder=tmp_path))
    assert read[-2:] == [right, None]
    assert None not in read[:-1]


def test_every_canonical_schema_is_read_by_zod() -> None:
    assert DOCUMENTS.keys() == set(schema.KINDS) - il.FORMATS.keys()


# Python


def carried(program: str, folder: Path) -> Any:
    (folder / "program.py").write_text(program)
    return json.loads(run(BIN / "python", "program.py", folder=folder))


def test_openapi_python_client_carries_free_json(document: Path) -> None:
    folder = document.parent
    run(BIN / "openapi-python-client", "generate", "--path", document, "--output-path", "made", "--meta", "none", folder=folder)
    program = "import json\nfrom made.models.turns import Turns\n"
    program += "print(json.dumps(Turns.from_dict(json.load(open('turns.json'))).to_dict()))\n"
    assert carried(program, folder) == {"messages": MESSAGES}
    # Its client, which it writes for every document alike, passes on to httpx what httpx types more precisely.
    (folder / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-made.client]\nignore_errors = True\n")
    run(BIN / "mypy", "made", "program.py", folder=folder)


@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_openapi_python_client_reads_each_format(version: Any, tmp_path: Path) -> None:
    for format in BODIES:
        (tmp_path / "openapi.json").write_text(json.dumps(il.openapi(format, version)))
        said = run(
            *(BIN / "openapi-python-client", "generate", "--path", "openapi.json", "--output-path", format, "--meta", "none"),
            folder=tmp_path,
        )
        assert "Warning" not in said, said
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n[mypy-*.client]\nignore_errors = True\n")
    run(BIN / "mypy", *BODIES, folder=tmp_path)


DATAMODEL = ("--output-model-type", "pydantic_v2.BaseModel", "--use-annotated", "--formatters", "builtin")


@pytest.mark.parametrize(("source", "model"), [("openapi", "Turns"), ("jsonschema", "Conversation")])
def test_datamodel_codegen_carries_free_json(source: str, model: str, document: Path) -> None:
    folder = document.parent
    given = document if source == "openapi" else SCHEMAS / "conversation.json"
    run(
        BIN / "datamodel-codegen",
        "--input",
        given,
        "--input-file-type",
        source,
        "--output",
        "made.py",
        *DATAMODEL,
        folder=folder,
    )
    turns: dict[str, Any] = {"messages": MESSAGES} | ({} if source == "openapi" else {"version": 1, "metadata": NESTED})
    (folder / "turns.json").write_text(json.dumps(turns))
    program = f"from made import {model}\n"
    program += f"print({model}.model_validate_json(open('turns.json').read()).model_dump_json(exclude_unset=True))\n"
    assert carried(program, folder) == turns
    run(BIN / "mypy", "--strict", "made.py", "program.py", folder=folder)
