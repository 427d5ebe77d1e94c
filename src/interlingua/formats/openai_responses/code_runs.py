"""Code that OpenAI's server ran (openai 3.52.0, `response_code_interpreter_tool_call.py`).

Each is one item with its outputs: texts and images. A request must have the id of the container in which the code ran, and the
server refuses it if that container is gone (pydantic/pydantic-ai#7461). So another provider's code is written only in answers,
with an empty id, which the client's types accept.
"""

from __future__ import annotations

from ...codec.fields import Wire, copy_wire, unknown_fields, value_at
from ...codec.hosted.code_runs import BASH, MARK, PYTHON, CodeRun
from ...codec.ids import tool_name
from ...model.base import Json

_KNOWN = ("type", "id", "code", "outputs", "status")
_FAILED = ("failed", "incomplete")
_RUNNING = ("in_progress", "interpreting")
CHANGED = (
    "another provider's executed code becomes one item of the Responses API, which has neither the language nor a return code;"
    " the id of the container is empty, so the server refuses this item in a request"
)
REFUSED = "in a request to the Responses API, code must have the id of the server's container in which it ran"


def read_run(item: Wire) -> CodeRun | None:
    """Read the code in an item, with its result if it has ended; None for any other item."""
    id: Json = item.get("id")
    code: Json = item.get("code")
    if item.get("type") != "code_interpreter_call" or type(id) is not str or type(code) is not str:
        return None
    status: Json = item.get("status")
    is_foreign = item.get("container_id") == ""
    language = BASH if is_foreign and id.startswith("ci_" + MARK) else PYTHON
    id = id if language == PYTHON else id.replace(MARK, "", 1)
    rest = unknown_fields(item, (*_KNOWN, "container_id") if is_foreign else _KNOWN)
    texts: list[str] = []
    outputs: Json = item.get("outputs")
    for i, output in enumerate(outputs if type(outputs) is list else ()):
        logs: Json = value_at(output, ("logs",))
        if type(logs) is str:
            texts += [logs] if logs else []
            rest += unknown_fields(output, ("type", "logs"), f"/outputs/{i}")
        else:
            rest.append(f"/outputs/{i}")
    if status in _RUNNING and not texts:
        return CodeRun(id, code, language, rest=rest)
    return CodeRun(id, code, language, texts, failed=status in _FAILED, rest=rest)


def write(run: CodeRun) -> Wire:
    """The item of another provider's code."""
    mark = MARK if run.language == BASH else ""
    id = tool_name(f"ci_{mark}" + run.id.removeprefix("srvtoolu_").removeprefix("ci_"), 64)
    outputs = [{"type": "logs", "logs": text} for text in run.texts]
    status = "failed" if run.failed else "completed"
    made: Wire = {"type": "code_interpreter_call", "id": id, "code": run.code, "container_id": ""}
    return made | {"outputs": outputs, "status": status}


# Streams


def begun_call(item: Wire) -> Wire:
    """The fields of an item that has just begun."""
    return {"code": "", "outputs": []}


def events_of_call(item: Wire, where: Wire) -> list[Wire]:
    """The events between the beginning and the end of an item; `where` has the fields that say which item it is."""
    stages: list[tuple[str, Wire]] = [
        ("call.in_progress", {}),
        ("call_code.delta", {"delta": item["code"]}),
        ("call_code.done", {"code": item["code"]}),
        ("call.interpreting", {}),
    ]
    if item["status"] == "completed":
        stages.append(("call.completed", {}))
    return [copy_wire({**where, **fields, "type": f"response.code_interpreter_{stage}"}) for stage, fields in stages]
