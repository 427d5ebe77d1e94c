"""Code that Anthropic's server ran (anthropic 2.11.0, `server_tool_use_block.py`, `*code_execution_tool_result_block.py`).

Python and bash commands are calls of two tools, each with a block for its result. A request may repeat them: the server checks
the form of their ids ("String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'"), and nothing in them is signed or encrypted,
except the output of code that called a tool with encrypted results. What the text editor did is not converted.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.code_runs import BASH, PYTHON, UNKNOWN, CodeRun, joined
from ...codec.ids import tool_name
from ...model.base import Json
from .base import MessagesDump
from .web_answers import rest_of

_NAMES = {PYTHON: "code_execution", BASH: "bash_code_execution"}
"""The tools by language; the types of blocks and results begin with these names."""
_FIELDS = {PYTHON: "code", BASH: "command"}
"""The field of the input that has the code."""
_TIMED_OUT = "execution_time_exceeded"
_RESULT = ("type", "stdout", "stderr", "return_code")
CHANGED = "another provider's executed code becomes Anthropic's, whose result has the output, the errors and a return code"


def read_run(block: Wire) -> CodeRun | None:
    """Read the code, or its result, in a block; None for any other block."""
    kind: Json = block.get("type")
    if kind == "server_tool_use":
        return next((run for language in _NAMES if (run := _read_code(block, language)) is not None), None)
    id: Json = block.get("tool_use_id")
    name = next((name for name in _NAMES.values() if kind == f"{name}_tool_result"), None)
    return _read_result(id, block, name) if name is not None and type(id) is str else None


def _read_code(block: Wire, language: str) -> CodeRun | None:
    id: Json = block.get("id")
    field = _FIELDS[language]
    code: Json = value_at(block, ("input", field))
    if block.get("name") != _NAMES[language] or type(id) is not str or type(code) is not str:
        return None
    return CodeRun(id, code, language, rest=unknown_fields(block["input"], (field,), "/input") + rest_of(block))


def _read_result(id: str, block: Wire, name: str) -> CodeRun | None:
    content: Any = block.get("content")
    kind: Json = value_at(content, ("type",))
    if kind == f"{name}_tool_result_error":
        timed_out = content.get("error_code") == _TIMED_OUT
        rest = unknown_fields(content, ("type", "error_code") if timed_out else ("type",), "/content")
        return CodeRun(id, output=(), failed=True, timed_out=timed_out, rest=rest + rest_of(block))
    if kind not in (f"{name}_result", f"encrypted_{name}_result"):
        return None
    stdout, stderr, status = (content.get(field) for field in _RESULT[1:])
    output = [stdout] if type(stdout) is str and stdout else []
    rest = unknown_fields(content, (*_RESULT, "content"), "/content")
    files: Json = content.get("content")
    rest += [f"/content/content/{i}" for i in range(len(files))] if type(files) is list else []
    if status not in (0, 1):  # others tell only success from failure
        rest.append("/content/return_code")
    errors = stderr if type(stderr) is str else ""
    return CodeRun(id, output=output, errors=errors, return_code=status, failed=status != 0, rest=rest + rest_of(block))


def refusal(run: CodeRun, part: Any, d: MessagesDump) -> str | None:
    """Why another provider's code, or its result, must not be sent."""
    if not d.is_response and "code_execution_" in d.profile.refused_tools:
        return d.no_place_for(part, "part")
    return UNKNOWN if run.asks and run.language is None else None


def write(run: CodeRun) -> list[Wire]:
    """The two blocks, or one, of another provider's code."""
    language = run.language or PYTHON
    name = _NAMES[language]
    own = run.id.removeprefix("srvtoolu_").removeprefix("ci_").replace("-", ".")  # a hash keeps different ids different
    id = "srvtoolu_" + tool_name(own, 64).replace("-", "_")
    blocks: list[Wire] = []
    if run.code is not None:
        blocks.append({"type": "server_tool_use", "id": id, "name": name, "input": {_FIELDS[language]: run.code}})
    if run.output is not None:
        blocks.append({"type": f"{name}_tool_result", "tool_use_id": id, "content": _content(run, name)})
    return blocks


def _content(run: CodeRun, name: str) -> Wire:
    if run.timed_out and not run.texts:
        return {"type": f"{name}_tool_result_error", "error_code": _TIMED_OUT}
    texts = joined(run.output or ())
    # The text of code that failed is mostly its errors.
    stdout, stderr = ("", texts) if run.failed and not run.errors and run.return_code is None else (texts, run.errors)
    status = int(run.failed) if run.return_code is None else run.return_code
    return {"type": f"{name}_result", "stdout": stdout, "stderr": stderr, "return_code": status, "content": list[Json]()}
