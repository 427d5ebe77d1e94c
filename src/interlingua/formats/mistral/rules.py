"""What Mistral's chat refuses."""

from __future__ import annotations

import re

from ...codec.rules import pairing, settings
from ...codec.rules.rule import errors, fault, of_shape, warnings
from ...codec.rules.view import Found, View, object_of
from ...errors import escape, excerpt, word
from ..openai_chat.rules import tools as chat_tools
from ..openai_chat.rules.media import image_data_invalid, part_type_missing
from ..openai_chat.rules.request import no_messages, packed_value, rule_set

# Calls and results

_ID = re.compile("[a-zA-Z0-9]{9}")


@fault("id-refused")
def call_id_format(view: View) -> Found:
    """The id of a call must have nine letters and digits, and no other character.

    Evidence: the server's text "Tool call id was ... but must be a-z, A-Z, 0-9, length of 9" (langchain-ai/langchain#24668,
    karthink/gptel#1203, jackmpcollins/magentic#276).
    """
    ids = [*((call.id, call.id_at) for call in view.calls), *((result.id, result.id_at) for result in view.results)]
    for id, at in ids:
        if isinstance(id, str) and not _ID.fullmatch(id):
            yield at, "the id of a tool call must have nine letters and digits: give the call and its result such an id"


@fault("id-missing")
@of_shape
def tool_call_id_missing(view: View) -> Found:
    """A tool call must have an id, and a tool message must have the id of the call that it answers.

    Evidence: the server's text "Tool call id has to be defined." (langflow-ai/langflow#5335, Gage-Technologies/mistral-go#8),
    and "Tool call id was null but must be a-z, A-Z, 0-9, with a length of 9" (mistralai/client-js#69).
    """
    for call in view.calls:
        if call.id is None:
            yield call.id_at, "a tool call must have an id: give it one of nine letters and digits"
    for result in view.results:
        if result.id is None:
            yield result.id_at, "a tool result must have `tool_call_id`: set it to the id of its call"


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every tool call must have its result in the tool messages directly after its message.

    Evidence: the server's text "Not the same number of function calls and responses" (mistralai/client-ts#106,
    camel-ai/camel#1467, miquido/draive#398).
    """
    return pairing.unanswered(view)


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """A tool message must answer a call of the assistant message before its run of tool messages.

    Evidence: the server's text "Unexpected role 'tool' after role 'user'", of code 3230 (charmbracelet/crush#279,
    mistralai/mistral-inference#135).
    """
    return pairing.orphans(view)


@fault("result-repeated")
def result_duplicate(view: View) -> Found:
    """A tool call must have only one result.

    Evidence: the server counts them, "Not the same number of function calls and responses" (mistralai/client-ts#106,
    partITech/php-mistral#57).
    """
    return pairing.repeated_results(view, run=True)


# Messages

_FIELDS = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls", "prefix"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}
"""The fields of a message of each role."""


@fault("written-otherwise")
def role_invalid(view: View) -> Found:
    """The role of a message must be system, user, assistant or tool; `developer` is refused.

    Evidence: the messages of ChatCompletionRequest in Mistral's OpenAPI document, which are told apart by their role.
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _FIELDS:
            yield (
                f"{turn.at}/role",
                f"the role must be system, user, assistant or tool, not {word(turn.role)}; use system in place of developer",
            )


@fault("participant-unknown")
def message_name_refused(view: View) -> Found:
    """A message must not have a name, unless it is the result of a tool.

    Evidence: the server's answer 422 "Extra inputs are not permitted" at body.messages.0.user.name
    (Gage-Technologies/mistral-go#2, microsoft/autogen#2892).
    """
    for turn in view.special:
        if turn.role in ("system", "user", "assistant") and turn.value.get("name") is not None:
            yield f"{turn.at}/name", "only tool messages may have a name: leave it out, or put it into the text"


@fault("written-otherwise")
def message_field_refused(view: View) -> Found:
    """A message must have only the fields of its role: no reasoning_content and no refusal.

    Evidence: the server's answer 422 "Extra inputs are not permitted" (BerriAI/litellm#30835, charmbracelet/crush#1590), and
    additionalProperties: false in Mistral's OpenAPI document.
    """
    for turn in view.special:
        known = _FIELDS.get(turn.role or "")
        if known is None:
            continue
        for key in turn.value:
            if key != "name" and key not in known:
                yield f"{turn.at}/{escape(key)}", f"messages of role {turn.role} do not have `{excerpt(key)}`: leave it out"


@fault("content-missing")
def assistant_empty(view: View) -> Found:
    """An assistant message must have content or calls.

    Evidence: the server's text "Assistant message must have either content or tool_calls, but not none"
    (OpenHands/OpenHands#8685). Whether an empty text is content is not known: clients send it between a result and a question.
    """
    for turn in view.special:
        if turn.role == "assistant" and turn.value.get("content") in (None, []) and not turn.value.get("tool_calls"):
            at = f"{turn.at}/content" if "content" in turn.value else turn.at
            yield at, "an assistant message must have content or tool calls: give it some, or leave it out"


@fault("written-otherwise")
def last_message_assistant(view: View) -> Found:
    """The last message must be a user or tool message, or an assistant message with prefix: true.

    Evidence: the server's text "Expected last role User or Tool (or Assistant with prefix True) for serving but got
    assistant" (0xPlaygrounds/rig#1130, crewAIInc/crewAI#2194, huggingface/smolagents#757). Messages alone are a history, which
    may end with an answer.
    """
    last = view.turns[-1] if view.turns and len(view.body) > 1 else None
    if last is not None and last.role == "assistant" and last.value.get("prefix") is not True:
        yield (
            last.at,
            "the last message must not be the assistant's: end with a user message, or set `prefix: true` to continue this one",
        )


def user_after_result(view: View) -> Found:
    """A user message must not directly follow a tool message: an assistant message must come between.

    Evidence: the server's text "Unexpected role 'user' after role 'tool'", of code 3230 (datapizza-labs/datapizza-ai#98,
    zed-industries/zed#31736); mistral-small-latest was recorded to accept it.
    """
    for before, turn in zip(view.turns, view.turns[1:], strict=False):
        if before.role == "tool" and turn.role == "user":
            yield (
                turn.at,
                (
                    "some models refuse a user message directly after a tool "
                    "result: put an assistant message, which may be empty, between them"
                ),
            )


def system_after_answer(view: View) -> Found:
    """A system message must not directly follow an assistant or a tool message.

    Evidence: the server's text "Unexpected role 'system' after role 'assistant'" (swarmauri/swarmauri-sdk#162 and #276);
    mistral-common of July 2026 refuses both orders with this text (`protocol/instruct/validator.py`).
    """
    for before, turn in zip(view.turns, view.turns[1:], strict=False):
        if turn.role == "system" and before.role in ("assistant", "tool"):
            yield turn.at, f"a system message must not follow a message of role {before.role}: make it a user message"


# Settings

_LIMITS: settings.Limits = {
    "temperature": (0, 1.5),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "n": (1, None),
    "max_tokens": (0, None),
    "random_seed": (0, None),
}


def number_out_of_range(view: View) -> Found:
    """Numbers must be in range: temperature from 0 to 1.5, top_p from 0 to 1, penalties from -2 to 2, n from 1.

    Evidence: minimum and maximum in Mistral's OpenAPI document.
    """
    return settings.out_of_range(view.body, _LIMITS)


_INSTEAD = {"seed": "random_seed", "max_completion_tokens": "max_tokens"}
_OPENAI_ALONE = (
    *_INSTEAD,
    *("audio", "function_call", "functions", "logit_bias", "modalities", "moderation", "prompt_cache_options"),
    *("prompt_cache_retention", "safety_identifier", "store", "user", "verbosity", "web_search_options"),
)


def openai_field_unknown(view: View) -> Found:
    """A request must not have fields that only OpenAI has, such as seed, max_completion_tokens, store, user or logit_bias.

    Evidence: the server's answer 422 "Extra inputs are not permitted" at body.max_completion_tokens and body.store
    (editor-code-assistant/eca#231, Gitlawb/openclaude#739, BerriAI/litellm#30882), additionalProperties: false in Mistral's
    OpenAPI document, and the fields of the SDK's types (mistralai 3.7.0). stream_options were recorded to be accepted.
    """
    for key in _OPENAI_ALONE:
        if view.body.get(key) is not None:
            way_out = f"use `{_INSTEAD[key]}`" if key in _INSTEAD else "leave it out"
            yield f"/{key}", f"Mistral does not take `{key}`: {way_out}"


def forced_call_beside_format(view: View) -> Found:
    """A tool choice must not force a call in a request whose answer must be JSON.

    Evidence: the server's text "`json_schema` response type with tools is only compatible with `tool_choice: auto`", which
    json_object was measured to give, too (0xPlaygrounds/rig, `providers/mistral`).
    """
    choice = view.body.get("tool_choice")
    is_forced = choice in ("any", "required") or isinstance(choice, dict)
    if is_forced and view.tools and object_of(view.body, "response_format").get("type") in ("json_object", "json_schema"):
        yield "/tool_choice", "with a JSON `response_format`, `tool_choice` must be auto or none"


@fault("list-empty")
def empty_tools_array(view: View) -> Found:
    """A list of tools must not be empty: leave it out.

    Evidence: the server's answer 422 "Extra inputs are not permitted" at body.tools, whose input was an empty list
    (partITech/php-mistral#76); which endpoint gave it is not said, and the SDK's types have no least length.
    """
    if view.body.get("tools") == []:
        yield "/tools", "`tools` must not be empty: leave it out if there are none"


def logprobs_refused(view: View) -> Found:
    """Logprobs must not be asked for: mistral-small and ministral-3b refuse them.

    Evidence: the server's text "Logprobs are not enabled for this model", of code 3051, recorded four times in 2026
    (0xPlaygrounds/rig, `logprobs_rejection_matrix`); the SDK's types have the fields, so that another model may take them.
    """
    if view.body.get("logprobs"):
        yield "/logprobs", "known models refuse logprobs: leave `logprobs` and `top_logprobs` out"


RULES = rule_set(
    (
        *errors(
            no_messages,
            packed_value,
            part_type_missing,
            image_data_invalid,
            call_id_format,
            tool_call_id_missing,
            call_without_result,
            result_without_call,
            result_duplicate,
            role_invalid,
            message_name_refused,
            message_field_refused,
            assistant_empty,
            last_message_assistant,
            system_after_answer,
            number_out_of_range,
            openai_field_unknown,
            forced_call_beside_format,
        ),
        *warnings(user_after_result, empty_tools_array, logprobs_refused),
        *chat_tools.RULES,
    )
)
"""The rules of Mistral's chat."""
