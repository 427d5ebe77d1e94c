"""What Bedrock's Converse refuses.

The service's own rules hold for every model. What only some of its models refuse is a warning, unless a field says whose
model it is: thinking with a budget is Claude's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from ....codec.rules import claude, pairing, surrogates, texts
from ....codec.rules.claude import Thinking
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.view import Found, View, object_of, objects
from ....errors import word
from ....model.base import Json
from . import blocks as parts, settings, tools as bedrock_tools
from .view import kind_of, kinds_of, outputs, tools, view, view_of_nova

_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")
_ROLES = ("user", "assistant", "system")
_BESIDE_RESULTS = ("toolResult", "text", "image", "cachePoint", "guardContent")


# Messages and texts


@of_shape
def no_messages(view: View) -> Found:
    """A request must have at least one message, unless it names a prompt, which has messages.

    Evidence: the server's text "A conversation must start with a user message" (langgenius/dify#12340).
    """
    if view.body.get("messages") == [] and "promptVariables" not in view.body:
        yield "/messages", "`messages` must not be empty"


def role_invalid(view: View) -> Found:
    """The role of a message must be user or assistant, or system if the model accepts it.

    Evidence: the service model (botocore 1.44.5, `ConversationRole`).
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _ROLES:
            yield (
                f"{turn.at}/role",
                f"the role must be user, assistant or system, not {word(turn.role)}",
            )


def system_role_refused(view: View) -> Found:
    """System text must be in the field `system`, not in the messages.

    Evidence: the service model has the role; models were seen to refuse it in 2026 (stdapi-ai/stdapi.ai#49).
    """
    for turn in view.special:
        if turn.role == "system":
            yield turn.at, "many models refuse messages of role system: put the text into the field `system`"


@fault("begins-without-user")
def first_not_user(view: View) -> Found:
    """The first message must be a user message.

    Evidence: the server's text "A conversation must start with a user message" (elastic/kibana#246393,
    strands-agents/sdk-typescript#727); Claude, Qwen and Kimi accept another one (recorded d12c387a7eb966e0).
    """
    if view.turns and view.turns[0].role == "assistant":
        yield view.turns[0].at, "many models require a user message first: put one before this message"


@fault("turns-not-alternating")
def roles_not_alternating(view: View) -> Found:
    """The roles of the messages must alternate.

    Evidence: the server's text "A conversation must alternate between user and assistant roles" (MadcowD/ell#369,
    microsoft/semantic-kernel#10281, of 2024 and 2025); Bedrock joins such messages now, says pydantic/pydantic-ai.
    """
    for before, after in pairwise(view.turns):
        if before.role == after.role:
            yield (
                after.at,
                f"the roles of messages must alternate, and two {word(after.role)} messages follow each other: join them",
            )


@fault("says-nothing")
def empty_message(view: View) -> Found:
    """A message must have content.

    Evidence: earendil-works/pi#3443, archestra-ai/archestra#4220.
    """
    for turn in view.special:
        if turn.value.get("content") == []:
            yield turn.at, "a message must have content: give it some, or leave it out"


@fault("text-blank")
def empty_text(view: View) -> Found:
    """A text in a message or in `system` must not be empty.

    Evidence: the server's text "text field in the ContentBlock object ... is blank" (boto/botocore#3525,
    OpenHands/OpenHands#5339, earendil-works/pi#4975, NousResearch/hermes-agent#60628); the service model's `NonEmptyString`.
    """
    for text in view.blank:
        if not text.text and not text.in_result:
            yield text.at, "a text must not be empty: leave it out"


@fault("text-blank")
def blank_text(view: View) -> Found:
    """A text must not be only white space.

    Evidence: the server's text as for empty texts, reported of white space since 2026-07 (NousResearch/hermes-agent#63983).
    """
    for text in view.blank:
        if text.text and not text.in_result:
            yield text.at, "a text must not be only white space: leave it out"


def empty_result_text(view: View) -> Found:
    """A text in a result must not be empty.

    Evidence: NousResearch/hermes-agent#55092; nova-micro was seen to accept it.
    """
    for text in view.blank:
        if text.in_result:
            yield text.at, "a text in a tool result must not be empty or only white space: leave it out"


@fault("text-ends-blank")
def trailing_whitespace(view: View) -> Found:
    """The last message must not end in white space if it is the assistant's, which the answer continues.

    Evidence: Claude's text "final assistant content cannot end with trailing whitespace" (anomalyco/opencode#1295).
    """
    content: Json = view.turns[-1].value.get("content") if view.turns and view.turns[-1].role == "assistant" else None
    last: Json = content[-1] if isinstance(content, list) and content else None
    text: Json = last.get("text") if isinstance(last, dict) else None
    if isinstance(content, list) and isinstance(text, str) and text[-1:].isspace():
        yield (
            f"{view.turns[-1].at}/content/{len(content) - 1}/text",
            "an assistant text that the answer continues must not end in white space: trim it",
        )


def lone_surrogate(view: View) -> Found:
    """A text must not contain a lone surrogate.

    Evidence: Anthropic and other strict parsers of JSON refuse it (anthropics/claude-code#2108); no refusal by Bedrock was
    found.
    """
    yield from texts.lone_surrogates(view.wide)
    yield from surrogates.broken_outside_texts(view)


def block_of_several_kinds(view: View) -> Found:
    """A block must have exactly one key, which says what it is.

    Evidence: the service model (botocore 1.44.5: `ContentBlock` is a union).
    """
    for block in view.others:
        keys = 1 if block.kind else sum(value is not None for value in block.value.values())
        if keys != 1:
            yield block.at, f"a block must have one key, which says its kind; this one has {keys}"


# Calls and results


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every tool call must have a result after it.

    Evidence: the server's text "Expected toolResult blocks ... for the following Ids" (maximhq/bifrost#1164,
    genkit-ai/aws-bedrock-js-plugin#664).
    """
    for call in pairing.partners_in_turns(view).unanswered:
        if call.turn < len(view.turns) - 1:
            yield call.at, "a tool call must have a result in the next message: add one, or leave the call out"


@fault("call-without-result")
def ends_with_call(view: View) -> Found:
    """A history that ends with calls must be sent with their results.

    Evidence: models that continue no message of the assistant refuse it; others go on from the call.
    """
    for call in view.calls:
        if call.turn == len(view.turns) - 1:
            yield call.at, "the history ends with a tool call: add a message with its result"


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """A result must answer a call before it, and a call must not have two results.

    Evidence: the server's text "number of toolResult blocks ... exceeds the number of toolUse blocks"
    (OpenHands/OpenHands#4912, pydantic/pydantic-ai#2327, strands-agents/harness-sdk#1435).
    """
    for result in pairing.partners_in_turns(view).orphans:
        yield result.at, "a tool result must have the id of a call before it that has no other result"


@fault("results-differ")
def result_far_from_call(view: View) -> Found:
    """All calls of a message must have their results in the next message.

    Evidence: the server's text "Expected toolResult blocks ... for the following Ids", for results that come later, met with
    Claude (maximhq/bifrost#1164, genkit-ai/aws-bedrock-js-plugin#664) and Nova (anomalyco/opencode#41780); other such requests
    were answered.
    """
    return pairing.far(pairing.partners_in_turns(view))


@fault("result-repeated")
def result_duplicate(view: View) -> Found:
    """A call must have only one result.

    Evidence: the server's text "number of toolResult blocks ... exceeds the number of toolUse blocks"
    (OpenHands/OpenHands#4912, pydantic/pydantic-ai#2327).
    """
    return pairing.repeated_results(view, run=False)


def error_result_content(view: View) -> Found:
    """A result that is an error must have content.

    Evidence: the server's text "content ... cannot be empty when status value is error"
    (aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15).
    """
    for result in view.results:
        if result.failed and result.content == []:
            yield f"{result.at}/content", "a tool result of status error must have content: add a text"


def error_result_not_text(view: View) -> Found:
    """A result that is an error must contain only text.

    Evidence: Claude's text "all content must be type `text` if `is_error` is true", seen of Bedrock in one public code base.
    """
    for result in view.results:
        if result.failed:
            for at, block in objects(result.content, f"{result.at}/content"):
                if "text" not in block:
                    yield at, "for Claude, a tool result of status error must have only text"


def result_not_object(view: View) -> Found:
    """The JSON of a result must be an object.

    Evidence: the server's text "Provide a json object for the field" (aws/aws-sdk-js-v3#7330).
    """
    for result in view.results:
        for at, block in objects(result.content, f"{result.at}/content"):
            if "json" in block and not isinstance(block["json"], dict):
                yield f"{at}/json", "the `json` of a tool result must be an object: wrap the value in one"


def result_with_other_content(view: View) -> Found:
    """A message with results must have nothing beside them except text and images.

    Evidence: the server's text "Conversation blocks and tool result blocks cannot be provided in the same turn"
    (BerriAI/litellm#6053, langchain-ai/langchain-aws#141, strands-agents/harness-sdk#1223): Claude refuses documents and
    videos, Llama, Mistral and Writer texts and images too; Nova accepts a video (recorded 5ac4d90f73adaf98).
    """
    led: set[int] = set()
    for result in view.results:
        turn = view.turns[result.turn]
        kinds = kinds_of(turn) if result.turn not in led and turn.role == "user" else []
        led.add(result.turn)
        for index, kind in enumerate(kinds):
            if kind not in _BESIDE_RESULTS:
                yield (
                    f"{turn.at}/content/{index}",
                    f"many models refuse {word(kind)} beside tool results: put it into another message",
                )


@fault("id-refused")
def tool_id_pattern(view: View) -> Found:
    """The id of a call must have 1 to 64 letters, digits and `_`, `.`, `:`, `-`.

    Evidence: the service model (botocore 1.44.5, `ToolUseId`); maximhq/bifrost#6300, awsl-project/maxx#557.
    """
    return pairing.unlike_ids(view, _ID)


@fault("id-repeated")
def tool_id_duplicate(view: View) -> Found:
    """The calls of a message must have different ids.

    Evidence: the server's text "toolUse blocks ... contain duplicate Ids" (bvcyber/Cyber-AutoAgent-ng#72).
    """
    seen: set[tuple[int, str]] = set()
    for call in view.calls:
        if isinstance(call.id, str):
            if (call.turn, call.id) in seen:
                yield call.id_at, "the ids of the calls in a message must differ, and another call has this id"
            seen.add((call.turn, call.id))


@fault("arguments-refused")
@of_shape
def args_not_object(view: View) -> Found:
    """The input of a call must be an object.

    Evidence: BerriAI/litellm, `litellm_core_utils/prompt_templates/factory.py`; the service model requires the field.
    """
    for call in view.calls:
        if not isinstance(call.arguments, dict):
            yield call.arguments_at, "the input of a tool call must be an object: without arguments, send {}"


def tools_missing_for_history(view: View) -> Found:
    """A request whose history has calls or results must have tools.

    Evidence: the server's text "The toolConfig field must be defined when using toolUse and toolResult content blocks"
    (langgenius/dify#7328, #16421, #17545, ellistarn/muse#28, elastic/kibana#246943, vxcontrol/pentagi#196).
    """
    if (view.calls or view.results) and not object_of(view.body, "toolConfig").get("tools"):
        yield "/toolConfig", "a request whose history has tool calls must have `toolConfig`: send the tools that were called"


# Claude's thinking


def _thinking(view: View) -> Iterator[Thinking]:
    fields = object_of(view.body, "additionalModelRequestFields")
    settings = object_of(view.body, "inferenceConfig")
    choice = object_of(object_of(view.body, "toolConfig"), "toolChoice")
    for key in ("thinking", "reasoning_config"):
        if isinstance(fields.get(key), dict):
            yield Thinking(
                f"/additionalModelRequestFields/{key}",
                fields[key],
                settings.get("maxTokens"),
                settings.get("temperature"),
                "/inferenceConfig/temperature",
                "/toolConfig/toolChoice" if "any" in choice or "tool" in choice else None,
            )


def temperature_with_thinking(view: View) -> Found:
    """With Claude's thinking, `temperature` must be 1 or absent.

    Evidence: the server's text "`temperature` may only be set to 1 when thinking is enabled" (theopenco/llmgateway#1726).
    """
    return claude.wrong_temperature(_thinking(view))


def thinking_budget_range(view: View) -> Found:
    """The budget of Claude's thinking must be at least 1024 tokens, and without tools less than `maxTokens`.

    Evidence: the server's texts "`max_tokens` must be greater than `thinking.budget_tokens`" and "greater than or equal to
    1024" (getprobo/probo#1459).
    """
    yield from claude.too_small_budget(_thinking(view))
    if not view.tools:
        yield from claude.budget_over_limit(_thinking(view))


def thinking_budget_with_tools(view: View) -> Found:
    """A thinking budget must be less than `maxTokens`, unless thinking is interleaved with calls.

    Evidence: the server's text as for the budget's range; which models interleave depends on them and on a beta.
    """
    if view.tools:
        yield from claude.budget_over_limit(_thinking(view))


def forced_tool_with_thinking(view: View) -> Found:
    """With a budget of Claude's thinking, `toolChoice` must not force a call.

    Evidence: the server's text "Thinking may not be enabled when tool_choice forces tool use" (can1357/oh-my-pi#341).
    """
    return claude.forced_call(_thinking(view))


# Cache points


@fault("mark-refused")
def cache_mark_misplaced(view: View) -> Found:
    """A cache point must not come directly after reasoning or after another cache point.

    Evidence: the server's text "Cache point cannot be inserted after reasoning block" (anomalyco/opencode#36517,
    strands-agents/harness-sdk#1966, #3677); pydantic/pydantic-ai, `models/bedrock.py`.
    """
    return parts.points_after(
        view, lambda block: kind_of(block) in ("reasoningContent", "cachePoint"), "reasoning or another cache point"
    )


def cache_mark_after_media(view: View) -> Found:
    """A cache point must not come directly after a video, or after a document that is not a PDF.

    Evidence: strands-agents/harness-sdk#3677, pydantic/pydantic-ai, `models/bedrock.py`; after a PDF it was accepted.
    """
    return parts.points_after(view, parts.is_uncached, "a video, or a document that is not a PDF")


@fault("mark-refused")
def cache_marks_too_many(view: View) -> Found:
    """A request must have at most 4 cache points.

    Evidence: the guide "Prompt caching" of Bedrock gives the number for each model, which is 4 for all that are listed.
    """
    yield from ((mark.at, "a request must have at most 4 cache points: leave this one out") for mark in view.marks[4:])


@fault("mark-refused")
def cache_ttl_order(view: View) -> Found:
    """In the order tools, system, messages, a cache point of one hour must not come after one of five minutes.

    Evidence: Claude's text "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"
    (headroomlabs-ai/headroom#2939); no refusal by Converse was found.
    """
    return claude.later_hours(view.marks)


_ERRORS = (
    no_messages,
    role_invalid,
    empty_message,
    empty_text,
    block_of_several_kinds,
    call_without_result,
    result_without_call,
    result_duplicate,
    error_result_content,
    result_not_object,
    tool_id_pattern,
    tool_id_duplicate,
    args_not_object,
    tools_missing_for_history,
    temperature_with_thinking,
    thinking_budget_range,
    forced_tool_with_thinking,
    cache_mark_misplaced,
    parts.reasoning_text_missing,
    parts.media_type_unsupported,
    parts.media_data_invalid,
    parts.document_name_charset,
    parts.document_name_duplicate,
    parts.document_without_text,
    parts.too_many_documents,
    settings.number_out_of_range,
    settings.stop_sequence_blank,
    settings.entries_too_many,
)
_WARNINGS = (
    result_far_from_call,
    system_role_refused,
    first_not_user,
    roles_not_alternating,
    blank_text,
    empty_result_text,
    trailing_whitespace,
    lone_surrogate,
    ends_with_call,
    error_result_not_text,
    result_with_other_content,
    thinking_budget_with_tools,
    parts.reasoning_not_accepted_back,
    cache_mark_after_media,
    cache_marks_too_many,
    cache_ttl_order,
    parts.packed_value,
    parts.media_not_in_user,
    parts.media_type_mismatch,
    parts.image_too_large_bytes,
    parts.image_too_large_pixels,
    parts.too_many_images,
    parts.document_too_large_bytes,
    parts.url_source_unsupported,
    parts.block_type_unsupported,
    settings.beta_flag_invalid,
)
_RULES = (*errors(*_ERRORS), *warnings(*_WARNINGS), *bedrock_tools.RULES)

RULES = {
    "bedrock_converse": RuleSet(view, _RULES, tools, outputs),
    "bedrock_boto3": RuleSet(partial(view, sdk=True), _RULES, tools, outputs),
    "bedrock_nova": RuleSet(view_of_nova, tuple(rule for rule in _RULES if rule.code != "field-misspelt"), tools, outputs),
}
"""The rules of each calling form's format, by its name."""
