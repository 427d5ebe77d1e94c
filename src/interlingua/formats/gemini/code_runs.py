"""Code that Google's server ran (google-genai 3.4.0, `types.ExecutableCode`, `types.CodeExecutionResult`).

The code is one part, and its result, which is one text, the next. Requests may repeat both. Neither needs a signature, and
Vertex AI and older models give them no id. The server runs only Python: in answers, other code has the language
`LANGUAGE_UNSPECIFIED`.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire, unknown_fields
from ...codec.foreign import report_carried
from ...codec.hosted.code_runs import BASH, MARK, PYTHON, CodeRun, joined, with_code
from ...model.base import Json
from .base import GeminiDump, Words
from .spellings import spellings

_CODE = "executableCode"
_RESULT = "codeExecutionResult"
_LANGUAGES = Words(("LANGUAGE_UNSPECIFIED", "PYTHON"))
_OUTCOMES = Words(("OUTCOME_UNSPECIFIED", "OUTCOME_OK", "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED"))
_CHANGED = "another provider's executed code becomes Gemini's, whose result is one text without a return code"


def read_run(part: Wire) -> CodeRun | None:
    """Read the code, or its result, in a part; None for any other part."""
    for key in spellings(_CODE, _RESULT):
        content: Json = part.get(key)
        if type(content) is dict:
            rest = unknown_fields(part, {key})
            id: Json = content.get("id")
            named = id.removeprefix(MARK) if type(id) is str else ""
            return (_read_code if key in spellings(_CODE) else _read_result)(named, content, f"/{key}", rest)
    return None


def _read_code(id: str, content: Wire, pointer: str, rest: list[str]) -> CodeRun | None:
    code: Json = content.get("code")
    if type(code) is not str:
        return None
    name, _ = _LANGUAGES.read(content.get("language"))
    given: Json = content.get("id")
    is_command = name is None and type(given) is str and given.startswith(MARK)
    rest = rest + unknown_fields(content, {"id", "code", "language"}, pointer)
    return CodeRun(id, code, BASH if is_command else name and PYTHON, rest=rest)


def _read_result(id: str, content: Wire, pointer: str, rest: list[str]) -> CodeRun | None:
    outcome, _ = _OUTCOMES.read(content.get("outcome"))
    text: Json = content.get("output")
    if outcome is None:
        return None
    output = [text] if type(text) is str and text else []
    rest = rest + unknown_fields(content, {"id", "outcome", "output"}, pointer)
    return CodeRun(id, output=output, failed=outcome != _OUTCOMES.names[1], timed_out=outcome == _OUTCOMES.names[3], rest=rest)


def write_run(run: CodeRun, part: Any, path: str, at: str, d: GeminiDump) -> list[Wire] | None:
    """The two parts, or one, of another provider's code; None, with a report, if they have no place."""
    if run.code is not None and run.language != PYTHON and not d.in_response:
        d.refuse(path, "a request to Gemini may have only code in Python")
        return None
    has_id = bool(run.id)
    named = with_code(run, path, d)
    if named is None or (named.language != PYTHON and not d.in_response):
        d.refuse(path, d.no_place_for(part, "part"))
        return None
    report_carried(part, run.rest, path, at, _CHANGED, run.what, d)
    mark = MARK if named.language == BASH else ""
    id: Wire = {"id": mark + named.id} if has_id and d.profile.ids else {}
    parts: list[Wire] = []
    if run.code is not None:
        language = _LANGUAGES.names[run.language == PYTHON]
        parts.append({d.key(None, _CODE): {**id, "language": language, "code": run.code}})
    if run.output is not None:
        outcome = _OUTCOMES.names[3 if run.timed_out else 2 if run.failed else 1]
        text = joined(run.texts)
        parts.append({d.key(None, _RESULT): {**id, "outcome": outcome, **({"output": text} if text else {})}})
    under, _, number = at.rpartition("/")
    for i in range(len(parts)):
        d.places[f"{under}/{int(number) + i}"] = path
    if len(parts) > 1:
        d.report("added", path, f"{under}/{int(number) + 1}", "the result of executed code is a separate part")
    return parts
