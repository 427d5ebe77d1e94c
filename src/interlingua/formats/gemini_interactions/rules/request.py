"""What the Interactions API refuses.

Few refusals are recorded, and they are the evidence of the errors; the rest is google-genai's types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....codec.rules import pairing
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.view import Found, View, objects
from ....model.base import Json
from .view import outputs, tools, view

# Calls and results


@fault("id-missing")
@of_shape
def call_id_missing(view: View) -> Found:
    """A call must have an `id`, and a result the `call_id` of its call.

    Evidence: recorded a61318bde910770e, "Missing call_id in content of type function_result"; google-genai 3.6.1 requires both.
    """
    for call in view.calls:
        if not pairing.is_id(call.id):
            yield call.at, "a function call must have an `id`: give the call and its result the same id"
    for result in view.results:
        if not pairing.is_id(result.id):
            yield result.at, "a function result must have the `call_id` of its call: set it"


def result_field_id(view: View) -> Found:
    """A function result must have the id of its call in `call_id`, and no `id`.

    Evidence: recorded 3f03b2f3a63db675, "invalid JSON in genai.FunctionResultContent, no such field: 'id'".
    """
    for part in view.parts:
        if part.kind == "function_result" and "id" in part.value:
            yield f"{part.at}/id", "a function result must not have `id`: the id of its call is in `call_id`"


def content_type_unknown(view: View) -> Found:
    """A result must have the type `function_result`.

    Evidence: recorded ebac8fd9f28d114d, "Invalid content type: function_response".
    """
    for part in view.parts:
        if part.kind == "function_response":
            yield f"{part.at}/type", "the type of a result must be function_result, not function_response"


def _goes_on(view: View) -> bool:
    """Whether calls or results may be in an earlier interaction, which the server keeps."""
    return view.body.get("previous_interaction_id") is not None


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every call of a function must have its result in the input, unless the request continues an earlier interaction.

    Evidence: Google documents the results of all calls in the next request; no refusal was seen.
    """
    return iter(()) if _goes_on(view) else pairing.unanswered_anywhere(view)


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """Every result must have its call in the input, unless the request continues an earlier interaction.

    Evidence: google-genai 3.6.1 (`functionresultstep.py`: the id is to match that of the call); no refusal was seen.
    """
    return iter(()) if _goes_on(view) else pairing.orphans_anywhere(view)


# Tools


@of_shape
def tool_field_wrapped(view: View) -> Found:
    """A function must have its name and its parameters beside `type`, without an object around them.

    Evidence: recorded ab776d327c9cb706, 5c42367dc2f7e2ec and fb854649456c1fc1, "no such field: 'function'" and
    "'function_declarations'".
    """
    for at, tool in objects(view.body.get("tools"), "/tools"):
        for key in ("function", "function_declarations"):
            if tool.get("type") == "function" and key in tool:
                yield f"{at}/{key}", f"a function must not have `{key}`: put `name` and `parameters` beside `type`"


# The input


def input_mixed(view: View) -> Found:
    """The input must be only steps, only user content, or only turns.

    Evidence: google-genai 3.6.1 (`interactionsinput.py`), which has a list of steps or of content; no refusal was seen.
    """
    kinds = list(_kinds(view.body.get("input")))
    if len({kind for _, kind in kinds}) > 1:
        first = kinds[0][1]
        at = next(at for at, kind in kinds if kind != first)
        yield at, "the input must be all steps, all content, or all turns: send content in a step of type user_input"


_CONTENT = frozenset({"text", "image", "audio", "video", "document"})


def _kinds(given: Json) -> Iterator[tuple[str, str]]:
    for at, item in objects(given, "/input"):
        kind: Json = item.get("type")
        if kind is None and "role" in item:
            yield at, "turn"
        elif isinstance(kind, str):
            named = "content" if kind in _CONTENT else "step"
            yield at, named


def model_and_agent(view: View) -> Found:
    """A request must not name both a model and an agent.

    Evidence: google-genai 3.6.1 (`createmodelinteraction.py`, `createagentinteraction.py`); no refusal was seen.
    """
    body: dict[str, Any] = view.body
    if body.get("model") is not None and body.get("agent") is not None:
        yield "/agent", "`model` and `agent` exclude each other: leave one out"


RULES = RuleSet(
    view,
    (
        *errors(call_id_missing, result_field_id, content_type_unknown, tool_field_wrapped),
        *warnings(call_without_result, result_without_call, input_mixed, model_and_agent),
    ),
    tools=tools,
    outputs=outputs,
)
