"""What servers that people run themselves refuse: vLLM and SGLang, which have fields of their own for what a model may say."""

from __future__ import annotations

import json

from ....codec.rules import settings
from ....codec.rules.rule import fault, of_shape
from ....codec.rules.view import Found, View, object_of
from ....errors import word
from ....model.base import Json
from ..untyped import is_untyped

# Chat templates


def system_not_first(view: View) -> Found:
    """A system message must be the first message, and the only one.

    Evidence: the text of chat templates "System message must be at the beginning" (vllm-project/vllm#41114,
    can1357/oh-my-pi#958, nashsu/llm_wiki#45); which template a model has is not known from the request. MiniMax answers a
    second one with "invalid chat setting" (MiniMax-AI/MiniMax-M2#51, can1357/oh-my-pi#954).
    """
    for index, turn in enumerate(view.turns):
        if index and turn.role in ("system", "developer"):
            yield (
                turn.at,
                "many chat templates refuse a system message that is not the first: put its text into the first message",
            )


def roles_must_alternate(view: View) -> Found:
    """Two user messages must not follow each other, nor two assistant messages.

    Evidence: the text of chat templates "Conversation roles must alternate user/assistant/user/assistant/..."
    (vllm-project/vllm#6862, microsoft/autogen#3597); which template a model has is not known from the request.
    """
    for before, turn in zip(view.turns, view.turns[1:], strict=False):
        if before.role == turn.role and turn.role in ("user", "assistant"):
            yield turn.at, f"many chat templates refuse two messages of role {turn.role} in a row: join them"


@fault("arguments-refused")
def arguments_not_object(view: View) -> Found:
    """The arguments of a call must be a JSON object.

    Evidence: sglang 0.5.23 (`parse_tool_call_arguments`), which refuses others where the chat template reads them as an object;
    vLLM refused them until 0.25 (vllm-project/vllm#43995, vllm-project/vllm#48922), and reads them as an empty object since.
    MiniMax's text: "invalid function arguments json string" (HKUDS/nanobot#2373, earendil-works/pi#5468).
    """
    for call in view.calls:
        if isinstance(call.arguments, str) and call.arguments and not _is_object(call.arguments):
            yield call.arguments_at, "the arguments of a tool call must be a JSON object, as chat templates require"


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


# Settings

_LIMITS: settings.Limits = {
    "temperature": (0, None),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "n": (1, None),
}


def number_out_of_range(view: View) -> Found:
    """Numbers must be in range: temperature from 0, top_p from 0 to 1, penalties from -2 to 2, n from 1.

    Evidence: vllm 0.33.0 (`SamplingParams._verify_args`, which takes an n of 16384 unless the server is started with another
    limit) and sglang 0.5.23 (`SamplingParams.verify`). How many top_logprobs there may be is a setting of the server.
    """
    return settings.out_of_range(view.body, _LIMITS)


# vLLM


@of_shape
def part_type_missing(view: View) -> Found:
    """A content part must have a type, unless it has media at a URL.

    Evidence: vllm 0.33.0 (`_parse_chat_message_content_mm_part`, "Missing 'type' field in multimodal part.").
    """
    for part in view.parts:
        if part.value.get("type") is None and not is_untyped(part.value):
            yield f"{part.at}/type", "a content part must have a `type`, such as text"


_CONSTRAINTS = ("json", "regex", "choice", "grammar", "json_object", "structural_tag")


def structured_outputs_not_one(view: View) -> Found:
    """`structured_outputs` must have exactly one of json, regex, choice, grammar, json_object and structural_tag.

    Evidence: vllm 0.33.0 (`StructuredOutputsParams`, "You can only use one kind of structured outputs constraint").
    """
    wanted: Json = view.body.get("structured_outputs")
    if isinstance(wanted, dict) and sum(wanted.get(key) is not None for key in _CONSTRAINTS) != 1:
        yield "/structured_outputs", f"`structured_outputs` must have one of {', '.join(_CONSTRAINTS)}"


def structured_outputs_with_tool(view: View) -> Found:
    """A request must not have both `structured_outputs` with json, regex or choice and a tool choice that names a tool.

    Evidence: vllm 0.33.0 (`check_structured_outputs_count`, "You can only either use constraints for structured outputs or
    tools, not both.").
    """
    wanted = object_of(view.body, "structured_outputs")
    if isinstance(view.body.get("tool_choice"), dict) and any(
        wanted.get(key) is not None for key in ("json", "regex", "choice")
    ):
        yield (
            "/structured_outputs",
            "`structured_outputs` and a `tool_choice` that names a tool exclude each other: leave one out",
        )


_REMOVED = (
    "guided_json",
    "guided_regex",
    "guided_choice",
    "guided_grammar",
    "guided_decoding_backend",
    "guided_whitespace_pattern",
)


def guided_field_ignored(view: View) -> Found:
    """A request must not have the fields that begin with `guided_`: they are ignored, and the answer is not constrained.

    Evidence: vllm 0.33.0 (`_REMOVED_GUIDED_FIELDS`); older servers know them.
    """
    for key in _REMOVED:
        if view.body.get(key) is not None:
            yield f"/{key}", f"vLLM ignores `{key}` since it has `structured_outputs`: use `structured_outputs`"


def tool_choice_alone(view: View) -> Found:
    """A request with a tool choice other than none must have tools.

    Evidence: vllm 0.33.0 (`check_tool_usage`, "When using `tool_choice`, `tools` must be set.").
    """
    choice: Json = view.body.get("tool_choice")
    if (choice in ("auto", "required") or isinstance(choice, dict)) and not view.body.get("tools"):
        yield "/tool_choice", "`tool_choice` needs `tools`: add tools, or leave it out"


def continued_and_prompted(view: View) -> Found:
    """`continue_final_message` and `add_generation_prompt` must not both be true.

    Evidence: vllm 0.33.0 (`check_generation_prompt`).
    """
    if view.body.get("continue_final_message") and view.body.get("add_generation_prompt"):
        yield "/add_generation_prompt", "to continue the last message, set `add_generation_prompt` to false"


def server_setting_alone(view: View) -> Found:
    """stream_options need stream: true, and top_logprobs need logprobs: true; a stream must not ask for prompt_logprobs.

    Evidence: vllm 0.33.0 (`validate_stream_options`, `check_logprobs`).
    """
    body = view.body
    if body.get("stream_options") and not body.get("stream"):
        yield "/stream_options", "`stream_options` needs `stream: true`: set it, or leave `stream_options` out"
    top: Json = body.get("top_logprobs")
    if isinstance(top, int) and top and not body.get("logprobs"):
        yield "/top_logprobs", "`top_logprobs` needs `logprobs: true`: set it, or leave `top_logprobs` out"
    prompt: Json = body.get("prompt_logprobs")
    if isinstance(prompt, int) and prompt and body.get("stream"):
        yield "/prompt_logprobs", "a stream has no `prompt_logprobs`: leave one of the two out"


# SGLang


def tool_demanded_alone(view: View) -> Found:
    """A request without tools must not require a call.

    Evidence: sglang 0.5.23 (`_validate_request`, "Tools cannot be empty if tool choice is set to required.").
    """
    choice: Json = view.body.get("tool_choice")
    if not view.body.get("tools") and (choice == "required" or isinstance(choice, dict)):
        yield "/tool_choice", "a `tool_choice` that requires a call needs `tools`: add tools, or leave it out"


_NOT_NULL = (
    *("frequency_penalty", "presence_penalty", "logprobs", "n", "stream", "parallel_tool_calls"),
    *("separate_reasoning", "stream_reasoning", "skip_special_tokens", "ignore_eos", "min_tokens"),
)


def setting_null(view: View) -> Found:
    """Settings that have a default must not be null: penalties, logprobs, n, stream, parallel_tool_calls and others.

    Evidence: the types of `ChatCompletionRequest` in sglang 0.5.23, of which these do not have None.
    """
    for key in _NOT_NULL:
        if key in view.body and view.body[key] is None:
            yield f"/{key}", f"`{key}` must not be null: leave it out"


_SGLANG_ROLES = frozenset({"user", "system", "assistant", "tool", "function", "developer", "latest_reminder", "root"})


def role_unknown(view: View) -> Found:
    """The role of a message must be one of user, system, assistant, tool, function, developer, latest_reminder and root.

    Evidence: sglang 0.5.23 (`_GenericMessageRole`, "'role' must be one of ...").
    """
    for turn in view.special:
        if turn.role is not None and turn.role.lower() not in _SGLANG_ROLES:
            yield f"{turn.at}/role", f"SGLang does not know the role {word(turn.role)}: use user, system, assistant or tool"


def constraint_twice(view: View) -> Found:
    """A request must have only one of response_format, regex and ebnf.

    Evidence: sglang 0.5.23 (`SamplingParams.verify`, "Only one of json_schema, regex, ebnf, or structural_tag can be set.").
    """
    found = [key for key in ("regex", "ebnf") if view.body.get(key) is not None]
    if object_of(view.body, "response_format").get("type") in ("json_object", "json_schema", "structural_tag"):
        found.append("response_format")
    for key in found[1:]:
        yield f"/{key}", f"`{found[0]}` and `{key}` exclude each other: leave one out"


def constraint_with_tool(view: View) -> Found:
    """If a request requires a call, it must not also constrain the text, with `response_format`, `regex` or `ebnf`.

    Evidence: sglang 0.5.23 (`to_sampling_params`, "tool_choice 'required' or a named tool cannot be combined with
    response_format, regex, or ebnf"), where the model's parser of calls has a constraint of its own.
    """
    choice: Json = view.body.get("tool_choice")
    constrained = any(view.body.get(key) is not None for key in ("regex", "ebnf")) or object_of(
        view.body, "response_format"
    ).get("type") in ("json_object", "json_schema", "structural_tag")
    is_demanded = choice == "required" or isinstance(choice, dict)
    if constrained and view.tools and is_demanded:
        yield "/tool_choice", "a tool call cannot be required beside `response_format`, `regex` or `ebnf`: leave one out"
