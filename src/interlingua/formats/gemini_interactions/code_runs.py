"""Code that Google's server ran (google-genai 3.6.1, `codeexecutioncallstep.py`, `codeexecutionresultstep.py`).

The code is one step, and its result another. The server signs both, to check what a request sends back: another provider's code
is written only in answers.
"""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.code_runs import BASH, PYTHON, CodeRun, joined
from ...codec.hosted.mcp_calls import texts_in
from ...model.base import Json

_CODE = "code_execution_call"
_RESULT = "code_execution_result"
CHANGED = "another provider's executed code becomes Google's, whose result is one text without a return code"
REFUSED = "the Interactions API signs the code that its server ran, and this code ran elsewhere"


def read_run(step: Wire) -> CodeRun | None:
    """Read the code, or its result, in a step; None for any other step."""
    kind: Json = step.get("type")
    id: Json = step.get("id" if kind == _CODE else "call_id")
    if type(id) is not str:
        return None
    if kind == _RESULT:
        texts, rest = texts_in(step.get("result"), "/result")
        rest += unknown_fields(step, ("type", "call_id", "result", "is_error"))
        return CodeRun(id, output=texts, failed=step.get("is_error") is True, rest=rest)
    code: Json = value_at(step, ("arguments", "code"))
    if kind != _CODE or type(code) is not str:
        return None
    language: Json = step["arguments"].get("language")
    rest = unknown_fields(step, ("type", "id", "arguments")) + unknown_fields(
        step["arguments"], ("code", "language"), "/arguments"
    )
    return CodeRun(id, code, language if language in (PYTHON, BASH) else None, rest=rest)


def write(run: CodeRun) -> list[Wire]:
    """The two steps, or one, of another provider's code."""
    steps: list[Wire] = []
    if run.code is not None:
        language: Wire = {} if run.language is None else {"language": run.language}
        steps.append({"type": _CODE, "id": run.id, "arguments": {"code": run.code, **language}})
    if run.output is not None:
        failed: Wire = {"is_error": True} if run.failed else {}
        steps.append({"type": _RESULT, "call_id": run.id, "result": joined(run.texts), **failed})
    return steps
