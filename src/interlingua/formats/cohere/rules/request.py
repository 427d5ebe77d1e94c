"""What Cohere's Chat refuses.

The specification of the API is the evidence for most rules, as few refusals of its own were seen.
"""

from __future__ import annotations

from ....codec.rules import pairing, settings as limits
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.settings import Limits
from ....codec.rules.view import Found, View, object_of
from ....errors import word
from ....model.base import Json
from ..parts import PART_TYPES, REACHABLE
from ..wire import ROLES
from .view import outputs, tools, view

# Messages


def role_invalid(view: View) -> Found:
    """The role of a message must be system, user, assistant or tool.

    Evidence: the specification (`ChatMessageV2`).
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in ROLES:
            yield f"{turn.at}/role", f"the role must be system, user, assistant or tool, not {word(turn.role)}"


@of_shape
def part_type_unsupported(view: View) -> Found:
    """Besides texts, a user message may have only images, an assistant message only thinking, a tool message only documents.

    Evidence: the specification (`Content`, `AssistantMessageV2`, `ToolContent`, `SystemMessageV2`).
    """
    for part in view.parts:
        known = PART_TYPES.get(view.turns[part.turn].role or "")
        if known is not None and part.kind not in known:
            yield (
                f"{part.at}/type",
                (
                    f"parts of {view.turns[part.turn].role} messages must be of "
                    f"type {' or '.join(sorted(known))}, not {word(part.kind)}"
                ),
            )


@of_shape
def no_messages(view: View) -> Found:
    """A request must have at least one message.

    Evidence: the text of the API's first version, "message must be at least 1 token long or tool results must be specified"
    (kwaroran/Risuai#504); what the second version says was not seen.
    """
    if view.body.get("messages") == []:
        yield "/messages", "`messages` must not be empty"


@fault("says-nothing")
def empty_message(view: View) -> Found:
    """An assistant message must have content or tool calls.

    Evidence: the source of pydantic/pydantic-ai (`models/cohere.py`), which leaves such messages out.
    """
    for turn in view.special:
        if turn.role == "assistant" and not (turn.value.get("content") or turn.value.get("tool_calls")):
            yield turn.at, "an assistant message must have content or tool calls: give it some, or leave it out"


def image_url_scheme(view: View) -> Found:
    """The URL of an image must be a web URL or a base64 data URI.

    Evidence: the specification (`ImageUrl`).
    """
    for media in view.media:
        if media.url is not None and not media.url.lower().startswith(REACHABLE):
            yield media.at, "an image must be given by an http URL or a data URI, such as `data:image/png;base64,...`"


# Calls and results


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every tool call must have a result after it.

    Evidence: Command A refuses a history without it, seen through OCI, and Command R and R+ accept one
    (oracle/langchain-oracle#10, of 2025-08).
    """
    for call in pairing.partners_in_runs(view).unanswered:
        yield call.at, "a tool call must have a result after it: add one, or leave the call out"


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """A tool message must answer a call before it, and a call must not have two results.

    Evidence: the specification's description of `tool_call_id`; no refusal was seen.
    """
    for result in pairing.partners_in_runs(view).orphans:
        yield result.at, "a tool result must have the id of a call before it that has no other result"


@fault("results-differ")
def result_far_from_call(view: View) -> Found:
    """The tool messages that answer the calls of a message must directly follow it.

    Evidence: all requests in Cohere's documentation have them so; no refusal was seen.
    """
    return pairing.far(pairing.partners_in_runs(view))


@fault("id-missing")
@of_shape
def call_id_missing(view: View) -> Found:
    """A tool call must have an id, and a tool message must have the id of its call.

    Evidence: the specification ("required" of `ToolCallV2` and `ToolMessageV2`).
    """
    owners = [(call.id, call.at) for call in view.calls] + [(result.id, result.at) for result in view.results]
    for id, at in owners:
        if not pairing.is_id(id):
            yield at, "the id of the tool call must be set"


# Tools and settings


@of_shape
def tool_parameters_missing(view: View) -> Found:
    """A tool must have a schema of its parameters.

    Evidence: the specification ("required" of `ToolV2`).
    """
    for tool in view.tools:
        if tool.value.get("type") == "function" and not isinstance(tool.schema, dict):
            yield (
                tool.schema_at,
                "a function must have `parameters`; if it takes none, send an object schema without properties",
            )


_CHOICES = ("REQUIRED", "NONE")


@of_shape
def tool_choice_invalid(view: View) -> Found:
    """A tool choice must be `REQUIRED` or `NONE`.

    Evidence: the specification (`tool_choice`).
    """
    choice: Json = view.body.get("tool_choice")
    if choice is not None and choice not in _CHOICES:
        yield "/tool_choice", "`tool_choice` must be REQUIRED or NONE; to let the model choose, leave it out"


def tool_choice_without_tools(view: View) -> Found:
    """A request with the tool choice `REQUIRED` must have tools.

    Evidence: the specification ("the `tools` parameter must be passed in the request").
    """
    if view.body.get("tool_choice") == "REQUIRED" and not view.body.get("tools"):
        yield "/tool_choice", "`tool_choice` REQUIRED needs `tools`: add tools, or leave it out"


_LIMITS: Limits = {
    "temperature": (0, 1),
    "p": (0.01, 0.99),
    "k": (0, 500),
    "frequency_penalty": (0, 1),
    "presence_penalty": (0, 1),
    "priority": (0, 999),
    "seed": (0, None),
}


def number_out_of_range(view: View) -> Found:
    """`temperature` and the penalties must be from 0 to 1, `p` from 0.01 to 0.99, `k` from 0 to 500, `priority` from 0 to 999.

    Evidence: the specification's `minimum` and `maximum`, and its descriptions of the penalties.
    """
    yield from limits.out_of_range(view.body, _LIMITS)
    yield from limits.out_of_range(object_of(view.body, "thinking"), {"token_budget": (1, None)}, "/thinking")


_MOST_STOPS = 5


def stop_too_many(view: View) -> Found:
    """A request must have at most 5 stop sequences.

    Evidence: the specification ("A list of up to 5 strings").
    """
    stop: Json = view.body.get("stop_sequences")
    if isinstance(stop, list) and len(stop) > _MOST_STOPS:
        yield "/stop_sequences", f"`stop_sequences` must have at most {_MOST_STOPS} entries; it has {len(stop)}"


def response_format_with_tools(view: View) -> Found:
    """A request with a JSON response format must not have tools or documents.

    Evidence: the specification ("not supported when used in combinations with the `documents` or `tools` parameters").
    """
    if object_of(view.body, "response_format").get("type") == "json_object":
        for key in ("tools", "documents"):
            if view.body.get(key):
                yield "/response_format", f"a JSON `response_format` and `{key}` exclude each other: leave one out"


def safety_mode_with_tools(view: View) -> Found:
    """A request with a safety mode must not have tools or documents.

    Evidence: the specification ("not yet configurable in combination with `tools` and `documents` parameters").
    """
    if view.body.get("safety_mode") is not None:
        for key in ("tools", "documents"):
            if view.body.get(key):
                yield "/safety_mode", f"`safety_mode` and `{key}` exclude each other: leave one out"


RULES = RuleSet(
    view,
    (
        *errors(
            role_invalid,
            part_type_unsupported,
            image_url_scheme,
            call_id_missing,
            tool_parameters_missing,
            tool_choice_invalid,
            tool_choice_without_tools,
            number_out_of_range,
            stop_too_many,
        ),
        *warnings(
            no_messages,
            empty_message,
            call_without_result,
            result_without_call,
            result_far_from_call,
            response_format_with_tools,
            safety_mode_with_tools,
        ),
    ),
    tools=tools,
    outputs=outputs,
)
