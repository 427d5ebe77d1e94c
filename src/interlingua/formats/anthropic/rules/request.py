"""What Anthropic's Messages API, and hosts of the same shape, refuse.

Hosts of the same shape, which are read as `anthropic` too, take thinking without a signature and other ids of server tools: so
rules about these are errors only where the host is Bedrock or Vertex AI, and Claude the only model.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby, pairwise

from ....codec.rules import claude, pairing, surrogates, texts
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.view import Found, View, object_of, objects
from ....errors import word
from ....model.base import Json
from . import blocks as parts, hosts, settings, tools as anthropic_tools
from .view import REASONING, blocks, has_text, is_question, outputs, tools, view

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_SERVER_ID = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")
_ROLES = ("user", "assistant", "system")
_ROLE_OF = {"redacted_thinking": "assistant", "container_upload": "user"}
_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")


# Messages and texts


@of_shape
def no_messages(view: View) -> Found:
    """A request must have at least one message.

    Evidence: the server's text "messages: at least one message is required", in ten and more public files.
    """
    if view.body.get("messages") == []:
        yield "/messages", "`messages` must not be empty"


def messages_too_many(view: View) -> Found:
    """A request must have at most 100,000 messages.

    Evidence: the reference of the Messages API ("There is a limit of 100,000 messages in a single request").
    """
    if len(view.turns) > 100_000:
        yield "/messages", f"a request must have at most 100000 messages; it has {len(view.turns)}"


def role_invalid(view: View) -> Found:
    """The role of a message must be user or assistant, or system if the model accepts it.

    Evidence: the server's text 'messages: Unexpected role "..."' (ianarawjo/ChainForge#271); the roles are those of anthropic
    2.11.0, `types/message_param.py`.
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _ROLES:
            yield f"{turn.at}/role", f"the role must be user, assistant or system, not {word(turn.role)}"


def system_role_refused(view: View) -> Found:
    """A system message with text must not be the first message, nor come before a user message.

    Evidence: the server's text "use the top-level 'system' parameter for the initial system prompt" (a public probe of 2026-08,
    diegosouzapw/OmniRoute#13072), maximhq/bifrost#3945 and langchain4j/langchain4j#5604 for the other places; models without
    messages of this role refuse them anywhere.
    """
    system = [turn for turn in view.turns[:1] if turn.role == "system" and has_text(turn)]
    yield from ((turn.at, "the first system text must be in the field `system`, not in a message") for turn in system)
    for before, after in pairwise(view.turns) if any(turn.role == "system" for turn in view.special) else ():
        if before.role == "system" and has_text(before) and after.role == "user":
            yield before.at, "a system message must come last or directly before an assistant message"


@fault("says-nothing")
def empty_message(view: View) -> Found:
    """A message must have content, unless it is the last one and the assistant's.

    Evidence: the server's text "all messages must have non-empty content except for the optional final assistant message"
    (anthropics/claude-code#3196, #6774, dspinellis/ai-cli-lib#16, corespeed-io/zypher-agent#122).
    """
    for turn in view.special:
        may = turn.role == "system" or (turn.role == "assistant" and turn is view.turns[-1])
        if not may and turn.value.get("content") in ("", []):
            yield turn.at, "a message must have content: give it some, or leave it out"


@fault("text-blank")
def empty_text(view: View) -> Found:
    """A text block must not be empty.

    Evidence: the server's text "text content blocks must be non-empty" (anthropics/claude-code#23440, #49171,
    anthropics/anthropic-sdk-python#461; in system: dimagi/open-chat-studio#1969); `minLength` of the specification.
    """
    for text in view.blank:
        if not text.text and text.at.endswith("/text"):
            yield text.at, "a text must not be empty: leave it out"


@fault("text-blank")
def blank_text(view: View) -> Found:
    """A text must not be only white space.

    Evidence: the server's text "text content blocks must contain non-whitespace text" (anthropics/claude-code#59812, since
    2026-02); a single space in a message with calls was accepted (recorded d4eec40f9b9142fa).
    """
    for text in view.blank:
        is_block = text.turn >= 0 or text.at.endswith("/text")
        if text.text and is_block and not text.in_result:
            yield text.at, "a text must not be only white space: leave it out"


@fault("text-ends-blank")
def trailing_whitespace(view: View) -> Found:
    """If the last message is the assistant's, which the answer continues, it must not end in white space.

    Evidence: the server's text "final assistant content cannot end with trailing whitespace" (tailcallhq/forgecode#1872,
    anomalyco/opencode#1295, aaif-goose/goose#5967, tghamm/Anthropic.SDK#137).
    """
    if view.turns and view.turns[-1].role == "assistant":
        last = view.turns[-1]
        content: Json = last.value.get("content")
        block, at = (
            (content[-1], f"/{len(content) - 1}/text") if isinstance(content, list) and content else ({"text": content}, "")
        )
        text: Json = object_of({"block": block}, "block").get("text")
        if isinstance(text, str) and text[-1:].isspace():
            yield f"{last.at}/content{at}", "an assistant text that the answer continues must not end in white space: trim it"


def lone_surrogate(view: View) -> Found:
    """A text must not contain a lone surrogate.

    Evidence: the server's text "The request body is not valid JSON: no low surrogate in string" (anthropics/claude-code#2108,
    #3277, #6273, #60394).
    """
    yield from texts.lone_surrogates(view.wide)
    yield from surrogates.broken_outside_texts(view)


# Calls and results


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every tool call must have its result in the next message, which must have the results of all calls of its message.

    Evidence: the server's text "`tool_use` ids were found without `tool_result` blocks immediately after"
    (anthropics/claude-code#1237, OpenHands/OpenHands#7512; results split over messages: MoonshotAI/kosong#45).
    """
    for turn, calls, results in pairing.unpaired(view, joined=True):
        if len(calls) > len(results) and turn < len(view.turns) - 1:
            yield from ((call.at, "the result of a tool call must be in the next message: add one") for call in calls)


@fault("call-without-result")
def ends_with_call(view: View) -> Found:
    """A history that ends with calls must be sent with their results.

    Evidence: models that continue no message of the assistant refuse it (smallmain/vscode-unify-chat-provider#249,
    cortexkit/magic-context#511); others go on from the call.
    """
    for call in view.calls:
        if call.turn == len(view.turns) - 1:
            yield call.at, "the history ends with a tool call: add a message with its result"


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """A result must answer a call of the message directly before it.

    Evidence: the server's text "unexpected `tool_use_id` found in `tool_result` blocks" (decocms/studio#1803,
    anthropics/claude-code#13460, microsoft/vscode#267837, tghamm/Anthropic.SDK#184).
    """
    for _, calls, results in pairing.unpaired(view, joined=True):
        if len(results) > len(calls):
            yield from ((result.at, "a tool result must have the id of a call in the previous message") for result in results)


@fault("results-differ")
def result_id_mismatch(view: View) -> Found:
    """A result must have the id of a call, even if there are as many results as calls.

    Evidence: the server's text as for results without a call; in 2024 the numbers were compared, and not the ids, and such a
    request was accepted (recorded 8e58a1de12d0e778).
    """
    for _, calls, results in pairing.unpaired(view, joined=True):
        if len(results) <= len(calls):
            yield from ((result.id_at, "`tool_use_id` must be the id of a call in the previous message") for result in results)


@fault("result-repeated")
def result_duplicate(view: View) -> Found:
    """A call must have only one result.

    Evidence: the server's text "each tool_use must have a single result. Found multiple `tool_result` blocks with id", in ten
    and more public files.
    """
    return pairing.repeated_results(view, run=False)


def result_not_first(view: View) -> Found:
    """Results must come before all other content of their message.

    Evidence: the guide "Handle tool calls" of platform.claude.com; anthropics/anthropic-sdk-typescript#653 quotes an older
    server's text; no refusal of this year was found.
    """
    led: set[int] = set()
    for result in view.results:
        first = blocks(view.turns[result.turn])[:1] if result.turn not in led else []
        led.add(result.turn)
        if first and first[0].get("type") != "tool_result":
            yield result.at, "tool results must come first in their message: move the other content after them"


def error_result_content(view: View) -> Found:
    """A result that is an error must contain text, and only text.

    Evidence: the server's texts "all content must be type `text` if `is_error` is true", in ten and more public files, and
    "content cannot be empty if `is_error` is true" (jlevy/markform#153, bytedance/trae-agent#230).
    """
    for result in view.results:
        if result.failed and result.content in (None, "", []):
            yield result.at, "a tool result with `is_error: true` must have content: add a text"
        elif result.failed:
            for at, block in objects(result.content, f"{result.at}/content"):
                if block.get("type") != "text":
                    yield at, "a tool result with `is_error: true` must have only text"


@fault("out-of-place")
def block_in_wrong_role(view: View) -> Found:
    """Calls and thinking must be in assistant messages; results, images, documents and uploads must be in user messages.

    Evidence: the server's texts "`tool_result` blocks can only be in `user` messages" and "'image' blocks are not permitted
    within assistant turns" (public probes of 2026), and "`tool_use` blocks can only be in `assistant` messages" (seen in
    several public code bases).
    """
    placed = [(each.at, each.turn, "assistant") for each in view.calls]
    placed += [(each.at, each.turn, "assistant") for each in view.thoughts]
    placed += [(each.at, each.turn, "user") for each in view.results]
    placed += [(each.at, each.turn, "user") for each in view.media if not each.in_result]
    placed += [(each.at, each.turn, _ROLE_OF[each.kind]) for each in view.others if each.kind in _ROLE_OF]
    for at, turn, role in placed:
        if turn >= 0 and view.turns[turn].role not in (role, "system"):
            yield at, f"the block must be in a message of role {role}, not {word(view.turns[turn].role)}"


@fault("id-refused")
def tool_id_pattern(view: View) -> Found:
    """The id of a call must have only letters, digits, `_` and `-`, and must not be empty.

    Evidence: the server's text "tool_use.id: String should match pattern" (CommandCodeAI/command-code#323, HKUDS/nanobot#4356,
    anomalyco/opencode#1279, screenpipe/screenpipe#3252); the specification's pattern.
    """
    return pairing.unlike_ids(view, _ID)


@fault("id-repeated")
def tool_id_duplicate(view: View) -> Found:
    """The calls of a message must have different ids.

    Evidence: the server's text "messages.1.content.1: `tool_use` ids must be unique" (trycua/cua#524, BerriAI/litellm#23510,
    NachoSEO/claudegram#12).
    """
    for _, calls in groupby(view.calls, key=lambda call: call.turn):
        yield from pairing.repeated_ids([*calls])


@fault("id-repeated")
def tool_id_reused(view: View) -> Found:
    """Calls in different messages should have different ids.

    Evidence: clients tell results apart by their ids alone (NVIDIA-NeMo/Switchyard#502); the server was seen to accept an id
    again in a later message (pydantic/pydantic-ai, `test_cross_provider_capability_replay`).
    """
    refused = {at for at, _ in tool_id_duplicate(view)}
    yield from ((at, why) for at, why in pairing.repeated_ids(view.calls) if at not in refused)


@fault("arguments-refused")
@of_shape
def args_not_object(view: View) -> Found:
    """The input of a call must be an object.

    Evidence: the server's text "tool_use.input: Input should be a valid dictionary" (anthropics/claude-code#6695,
    anthropics/anthropic-sdk-typescript#648, run-llama/LlamaIndexTS#1582).
    """
    for call in view.calls:
        if not isinstance(call.arguments, dict):
            yield call.arguments_at, "the input of a tool call must be an object: without arguments, send {}"


def tools_missing_for_history(view: View) -> Found:
    """A request whose history has calls or results must have tools, which system messages may add.

    Evidence: the server's text "Requests which include `tool_use` or `tool_result` blocks must define tools", in ten and more
    public files; one code base of 2026 sends such requests without complaint on some models.
    """
    uses_tools = view.calls or view.results
    has_tools = view.tools or view.body.get("mcp_servers") or any(block.kind == "tool_addition" for block in view.others)
    if uses_tools and not has_tools:
        yield "/tools", "a request whose history has tool calls must have tools: send those that were called"


# Server tools


@fault("out-of-place")
def unpaired_server_tool(view: View) -> Found:
    """The result of a server tool must come after its call; the result of a tool search may have no call.

    Evidence: the server's text "unexpected `tool_use_id` found in `advisor_tool_result` blocks ... must have a corresponding
    `server_tool_use` block before it" (anthropics/claude-code#64383, #65726, #80439).
    """
    called: set[str] = set()
    for block in view.others:
        if block.kind in _SERVER_CALLS and isinstance(block.value.get("id"), str):
            called.add(block.value["id"])
        elif block.kind.endswith("_tool_result") and block.kind != "tool_search_tool_result":
            id: Json = block.value.get("tool_use_id")
            if isinstance(id, str) and id not in called:
                yield block.at, "the result of a server tool must have the id of a server tool's call before it"


def server_call_without_result(view: View) -> Found:
    """The call of a server tool must have its result before the conversation continues with anything other than tool results.

    Evidence: pydantic/pydantic-ai, `models/anthropic.py` and `test_unpaired_native_tool_calls.py`; hosts differ.
    """
    calls = [block for block in view.others if block.kind in _SERVER_CALLS]
    results = (block.value.get("tool_use_id") for block in view.others if block.kind.endswith("_tool_result"))
    answered = {id for id in results if isinstance(id, str)}
    end = len(view.turns)
    while calls and end and not is_question(view.turns[end - 1]):
        end -= 1
    for block in calls:
        id: Json = block.value.get("id")
        if block.turn < end and isinstance(id, str) and id not in answered:
            yield block.at, "the call of a server tool must have a result: add it, or leave the call out"


def server_tool_id_pattern(view: View) -> Found:
    """The id of a server tool's call must begin with `srvtoolu_`.

    Evidence: the specification's pattern, and the server's text "server_tool_use.id: String should match pattern" (seen in
    public code bases); other hosts of this shape make other ids.
    """
    for block in view.others:
        if block.kind == "server_tool_use":
            id: Json = block.value.get("id")
            if isinstance(id, str) and not _SERVER_ID.fullmatch(id):
                yield f"{block.at}/id", f"the id of a server tool's call must match {_SERVER_ID.pattern}"


# Cache marks


@fault("mark-refused")
def cache_marks_too_many(view: View) -> Found:
    """A request must have at most 4 cache marks, including the automatic one of the request.

    Evidence: the server's text "A maximum of 4 blocks with cache_control may be provided" (tghamm/Anthropic.SDK#50,
    Wei-Shaw/sub2api#176); the guide "Prompt caching" for the automatic one.
    """
    yield from ((mark.at, "a request must have at most 4 cache marks: leave this one out") for mark in view.marks[4:])
    if len(view.marks) == 4 and isinstance(view.body.get("cache_control"), dict) and not _marked_last(view):
        yield "/cache_control", "a request must have at most 4 cache marks, and its blocks have 4: leave this one out"


@fault("mark-refused")
def cache_ttl_order(view: View) -> Found:
    """In the order tools, system, messages, a cache mark of one hour must not come after one of five minutes.

    Evidence: the server's text "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"
    (headroomlabs-ai/headroom#2939, vellum-ai/vellum-assistant#22191); the guide "Prompt caching" for the mark of a request.
    """
    yield from claude.later_hours(view.marks)
    own = view.body.get("cache_control")
    last = _marked_last(view)
    if isinstance(own, dict) and last is not None and object_of(view.body, "cache_control").get("ttl", "5m") != last:
        yield "/cache_control", "`cache_control` of the request must have the same `ttl` as that of the last block"


def _marked_last(view: View) -> str | None:
    """How long the last block of the request is cached for, if it has a mark."""
    last = blocks(view.turns[-1])[-1:] if view.turns else []
    return view.marks[-1].ttl if last and view.marks and view.marks[-1].holder is last[0] else None


@fault("mark-refused")
def cache_mark_on_empty(view: View) -> Found:
    """An empty text and thinking must not have a cache mark.

    Evidence: the server's text "cache_control cannot be set for empty text blocks" (anthropics/claude-code#54039,
    coasys/ad4m#996), and "thinking.cache_control: Extra inputs are not permitted" (UKGovernmentBEIS/inspect_ai#3967).
    """
    for mark in view.marks:
        if mark.kind in REASONING or (mark.kind == "text" and mark.holder.get("text") == ""):
            yield mark.at, "thinking and empty texts must not have a cache mark: put it on another block"


_ERRORS = (
    no_messages,
    messages_too_many,
    role_invalid,
    system_role_refused,
    empty_message,
    empty_text,
    trailing_whitespace,
    lone_surrogate,
    call_without_result,
    result_without_call,
    result_duplicate,
    error_result_content,
    block_in_wrong_role,
    tool_id_pattern,
    tool_id_duplicate,
    unpaired_server_tool,
    parts.thinking_last_block,
    parts.temperature_with_thinking,
    parts.thinking_budget_not_integer,
    parts.thinking_budget_range,
    parts.forced_tool_with_thinking,
    parts.media_type_unsupported,
    parts.media_data_invalid,
    parts.media_type_mismatch,
    parts.pdf_refused,
    parts.image_too_large_bytes,
    parts.image_too_large_pixels,
    cache_marks_too_many,
    cache_ttl_order,
    cache_mark_on_empty,
    settings.citations_with_output_schema,
    settings.max_tokens_missing,
    settings.number_out_of_range,
    settings.stop_sequence_blank,
    settings.user_id_too_long,
    settings.user_id_is_email,
    parts.packed_value,
)
_WARNINGS = (
    settings.user_id_is_telephone,
    tool_id_reused,
    blank_text,
    ends_with_call,
    result_id_mismatch,
    result_not_first,
    tools_missing_for_history,
    server_call_without_result,
    server_tool_id_pattern,
    parts.thinking_must_lead,
    parts.thinking_not_first,
    parts.thinking_while_disabled,
    parts.top_k_with_thinking,
    parts.thinking_budget_with_tools,
    parts.image_over_old_limit,
    parts.many_images_too_large,
    settings.citations_mixed,
    settings.prefill_with_output_schema,
    settings.effort_unsupported,
)
_UNSIGNED = (parts.reasoning_signature_invalid, parts.redacted_thinking_invalid, parts.thinking_empty)
_RULES = (*errors(*_ERRORS), *warnings(*_WARNINGS), *anthropic_tools.RULES)
_OWN = (
    args_not_object,
    parts.reasoning_signature_empty,
    parts.search_result_unreadable,
    parts.citation_unreadable,
)
_HOSTED = (hosts.cache_mark_refused, hosts.host_feature_unsupported)
_CLAUDE = (*_RULES, *errors(*_OWN, *_UNSIGNED, parts.url_source_unsupported))

_rule_set = partial(RuleSet, view, tools=tools, outputs=outputs)

RULES = {
    "anthropic": _rule_set((*_RULES, *errors(*_OWN), *warnings(*_UNSIGNED))),
    "asktable": _rule_set(_RULES),
    "anthropic_bedrock": _rule_set((*_CLAUDE, *errors(hosts.envelope_version), *warnings(*_HOSTED, hosts.beta_flag_invalid))),
    "anthropic_vertex": _rule_set((*_CLAUDE, *errors(hosts.vertex_envelope_version), *warnings(*_HOSTED))),
}
"""The rules of each host's format, by its name."""
