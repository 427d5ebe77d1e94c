"""What some hosts of the shape of Chat Completions refuse: DeepSeek, OpenRouter, Gemini's compatible endpoint, Groq and xAI."""

from __future__ import annotations

from ....codec.rules import pairing, settings
from ....codec.rules.rule import fault
from ....codec.rules.view import Found, View, object_of, objects
from ....errors import escape, excerpt, word
from ....model.base import Json
from ..profiles import LONGEST_USER_OF_OPENROUTER, REFUSED_BY_GEMINI, limits_budget

# Hosts that accept results which do not follow their calls directly


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every tool call must have a result after it.

    Evidence: the server's text "must be followed by tool messages responding to each 'tool_call_id'", which most gateways
    pass on (BerriAI/litellm#28995, QwenLM/qwen-code#606).
    """
    for call in pairing.partners_in_runs(view).unanswered:
        yield call.at, "a tool call must have a result after it: add one, or leave the call out"


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """A tool message must answer a call before it, and a call must not have two results.

    Evidence: the server's text "messages with role 'tool' must be a response to a preceding message with 'tool_calls'", which
    most gateways pass on (philschmid/mcp-openai-gemini-llama-example#5).
    """
    for result in pairing.partners_in_runs(view).orphans:
        yield result.at, "a tool result must have the id of a call before it that has no other result"


@fault("results-differ")
def result_far_from_call(view: View) -> Found:
    """The tool messages that answer the calls of a message must directly follow it.

    Evidence: some compatible hosts answered requests in which other messages stand between; OpenAI refuses them
    (livekit/agents#1977), and DeepSeek, behind gateways too (gptme/gptme#3421).
    """
    return pairing.far(pairing.partners_in_runs(view))


# DeepSeek

_DEEPSEEK_ROLES = frozenset({"system", "user", "assistant", "tool", "latest_reminder"})


@fault("written-otherwise")
def role_invalid(view: View) -> Found:
    """The role of a message must be system, user, assistant or tool; `developer` is refused.

    Evidence: the server's text "unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`"
    (earendil-works/pi#1048, eclipse-theia/theia#15144, BenedictKing/ccx#149).
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _DEEPSEEK_ROLES:
            yield (
                f"{turn.at}/role",
                f"the role must be system, user, assistant or tool, not {word(turn.role)}; use system in place of developer",
            )


def modality_unsupported_image(view: View) -> Found:
    """All content parts must be texts.

    Evidence: the server's text "unknown variant `image_url`, expected `text`" (nesquena/hermes-webui#2297,
    Zoo-Code-Org/Zoo-Code#1106, rikkahub/rikkahub#1433).
    """
    for part in view.parts:
        if part.kind not in ("", "text"):
            yield f"{part.at}/type", f"DeepSeek takes only parts of type text, not {word(part.kind)}: leave the part out"


def content_must_be_string(view: View) -> Found:
    """The content of a message that is not the user's must be a string.

    Evidence: DeepSeek's text "invalid type: sequence, expected a string" (MGdaasLab/WHartTest#62, of 2026-03); lists of the
    user are accepted.
    """
    for turn in view.special:
        if turn.role != "user" and isinstance(turn.value.get("content"), list):
            yield (
                f"{turn.at}/content",
                f"DeepSeek has not always accepted a list as the content of a message of role {word(turn.role)}: send a string",
            )


def reasoning_content_missing(view: View) -> Found:
    """With thinking, messages that have tool calls must keep their reasoning_content.

    Evidence: the server's text "reasoning_content ... must be passed back to the API" (SaladDay/cc-switch-cli#170,
    NousResearch/hermes-agent#15228) and DeepSeek's guide of the thinking mode; deepseek-chat was recorded to do without.
    """
    if object_of(view.body, "thinking").get("type") == "disabled":
        return
    for turn in pairing.by_turn(view)[0]:
        at, _, message = view.turns[turn]
        if not isinstance(message.get("reasoning_content"), str):
            yield (
                f"{at}/reasoning_content",
                "thinking models require `reasoning_content` of messages with tool calls: send it back",
            )


def forced_tool_choice_in_thinking(view: View) -> Found:
    """With thinking, a tool choice must not force a call.

    Evidence: the server's text "Thinking mode does not support this tool_choice" (cloudwego/eino#994,
    deepseek-ai/DeepSeek-V3#1376, BerriAI/litellm#37470).
    """
    if _is_forced(view) and object_of(view.body, "thinking").get("type") == "enabled":
        yield "/tool_choice", "with thinking, `tool_choice` must be auto or none"


def thinking_not_disabled(view: View) -> Found:
    """A request that forces a call should disable thinking, because newer models think by default.

    Evidence: the server's text "Thinking mode does not support this tool_choice" for models of DeepSeek V4 without `thinking`
    (BerriAI/litellm#37470) and DeepSeek's guide of the thinking mode; older models do not think then.
    """
    if _is_forced(view) and view.body.get("thinking") is None:
        yield "/tool_choice", "newer models force a call only without thinking: disable `thinking`"


def _is_forced(view: View) -> bool:
    choice: Json = view.body.get("tool_choice")
    return choice == "required" or isinstance(choice, dict)


# OpenRouter


def reasoning_effort_and_budget(view: View) -> Found:
    """`reasoning` must not have both an effort and a limit of tokens.

    Evidence: the server's text "Only one of 'reasoning.effort' and 'reasoning.max_tokens' can be specified"
    (omeryasirkucuk/amx#66), and OpenRouter's documentation.
    """
    return settings.both(object_of(view.body, "reasoning"), "effort", "max_tokens", "/reasoning")


def reasoning_and_effort(view: View) -> Found:
    """A request should not have both `reasoning` and `reasoning_effort`.

    Evidence: the server's text "Only one of 'reasoning' and 'reasoning_effort' may be provided" (danny-avila/LibreChat#6076).
    """
    if isinstance(view.body.get("reasoning"), dict) and view.body.get("reasoning_effort") is not None:
        yield "/reasoning_effort", "`reasoning` and `reasoning_effort` exclude each other: write the effort into `reasoning`"


def thinking_budget_range(view: View) -> Found:
    """The tokens for reasoning must be fewer than `max_tokens`, for Claude.

    Evidence: OpenRouter's guide to reasoning tokens, by which Claude gets `reasoning.max_tokens` as its budget; Claude's text
    "`max_tokens` must be greater than `thinking.budget_tokens`" (vercel/ai#7927).
    """
    budget: Json = object_of(view.body, "reasoning").get("max_tokens")
    limit: Json = view.body.get("max_tokens") or view.body.get("max_completion_tokens")
    is_too_large = isinstance(budget, int) and isinstance(limit, int) and budget >= limit
    if is_too_large and limits_budget(view.body.get("model")):
        yield (
            "/reasoning/max_tokens",
            "`reasoning.max_tokens` must be less than `max_tokens`: raise `max_tokens`, or lower the budget",
        )


_MOST_MARKS = 4


def user_too_long(view: View) -> Found:
    """`user` must have at most 128 characters.

    Evidence: OpenRouter refuses a longer one, such as that of Claude Code, which has about 150
    (ujisati/claude-code-provider-proxy#11).
    """
    return settings.too_long(view.body, ["user"], LONGEST_USER_OF_OPENROUTER)


@fault("mark-refused")
def cache_marks_too_many(view: View) -> Found:
    """A request to Claude must have at most 4 cache marks.

    Evidence: the server's text "A maximum of 4 blocks with cache_control may be provided" (tghamm/Anthropic.SDK#50), which
    gateways pass on; the other models that OpenRouter has do not count them.
    """
    owners = [
        *objects(view.body.get("tools"), "/tools"),
        *((part.at, part.value) for part in view.parts),
        *((turn.at, turn.value) for turn in view.special),
    ]
    marks = [at for at, owner in owners if owner.get("cache_control") is not None]
    for at in marks[_MOST_MARKS:]:
        yield f"{at}/cache_control", f"for Claude, a request must have at most {_MOST_MARKS} cache marks: leave this one out"


# Gemini's OpenAI-compatible endpoint


def thought_signature_missing(view: View) -> Found:
    """The first call of each step must keep its signature while the turn goes on, for models since Gemini 3.

    Other models sign nothing: there is a finding only where another call of the turn has a signature.

    Evidence: the server's text "Function call is missing a thought_signature in functionCall parts" (manthanabc/paws#103,
    niki914/zafiro#100).
    """
    begun = max((index for index, turn in enumerate(view.turns) if turn.role == "user"), default=-1)
    steps = [made[0] for turn, made in pairing.by_turn(view)[0].items() if turn > begun]
    if any(call.signature for call in steps):
        for call in steps:
            if not call.signature:
                yield call.at, "the first tool call of a step must have its `thought_signature`: send it as Gemini sent it"


def json_mode_with_tools(view: View) -> Found:
    """A request must not have both tools and a JSON response format, for models before Gemini 3.

    Evidence: the server's text "Function calling with a response mime type: 'application/json' is unsupported"
    (Simpleyyt/ai-manus#101, googleapis/python-genai#867).
    """
    if view.tools and object_of(view.body, "response_format").get("type") in ("json_object", "json_schema"):
        yield "/response_format", "models before Gemini 3 refuse a JSON `response_format` beside `tools`: leave one out"


def openai_field_unknown(view: View) -> Found:
    """A request must not have the fields that this endpoint refuses, such as frequency_penalty, metadata, seed and store.

    Evidence: 'Unknown name "frequency_penalty": Cannot find field' (Vali-98/ChatterUI#227, n4ze3m/page-assist#418,
    sleepydeer666/RPGBox#2 of 2026-08), the same for metadata (looplj/axonhub#1123, Alishahryar1/free-claude-code#1548), store
    (liliMozi/openhanako#394, ed-donner/agents#45), prompt_cache_key (liliMozi/openhanako#2494, leookun/cursor-byok#112) and
    web_search_options (FuzzAnything/PromptFuzz#42); the list of fields grows.
    """
    for name in sorted(REFUSED_BY_GEMINI):
        if view.body.get(name) is not None:
            yield f"/{name}", f"Gemini's endpoint has refused `{name}`: leave it out"


# Groq


def result_not_string(view: View) -> Found:
    """The content of a tool message must be a string.

    Evidence: Groq's text "value must be a string" (CherryHQ/cherry-studio#3307, of 2025-03); lists of system and assistant
    messages, which it refused too (tidyverse/ellmer#162, of 2024), were recorded as accepted since.
    """
    for turn in view.special:
        if turn.role == "tool" and isinstance(turn.value.get("content"), list):
            yield f"{turn.at}/content", "Groq has not always accepted a list as the content of a tool message: send a string"


_GROQ_FIELDS = {
    "system": frozenset({"role", "content", "name"}),
    "developer": frozenset({"role", "content", "name"}),
    "user": frozenset({"role", "content", "name"}),
    "assistant": frozenset({"role", "content", "name", "tool_calls", "function_call", "reasoning"}),
    "tool": frozenset({"role", "content", "name", "tool_call_id"}),
    "function": frozenset({"role", "content", "name"}),
}
"""The fields of a message of each role (groq 1.7.0); `name` of a tool message is in Groq's guide to tools."""


@fault("written-otherwise")
def message_field_refused(view: View) -> Found:
    """A message must have only the fields of its role: no reasoning_content and no refusal.

    Evidence: the server's texts "property 'reasoning_content' is unsupported" (janhq/jan#8136, SimonSchubert/Kai#265,
    tashfeenahmed/freellmapi#1070) and "property 'timestamp' is unsupported" (ServiceStack/llms#17).
    """
    for turn in view.special:
        known = _GROQ_FIELDS.get(turn.role or "")
        if known is None:
            continue
        for key in turn.value:
            if key not in known:
                yield f"{turn.at}/{escape(key)}", f"messages of role {turn.role} do not have `{excerpt(key)}`: leave it out"


_NOT_OF_GROQ = (
    *("audio", "modalities", "moderation", "prediction", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"),
    *("random_seed", "reasoning", "safety_identifier", "thinking", "top_k", "verbosity", "web_search_options"),
)


def host_field_unknown(view: View) -> Found:
    """A request must not have fields that only other hosts have, such as reasoning, top_k, verbosity or prompt_cache_key.

    Evidence: the server's texts "property 'reasoning' is unsupported" (musistudio/llms#64, musistudio/claude-code-router#1204)
    and, in 2024, "property 'store' is unsupported" (fanenr/chatbot#21), and the fields of the SDK's types (groq 1.7.0).
    """
    for key in _NOT_OF_GROQ:
        if view.body.get(key) is not None:
            yield f"/{key}", f"Groq does not take `{key}`: leave it out"


def choices_too_many(view: View) -> Found:
    """A request must ask for only one answer: n must be 1.

    Evidence: groq 1.7.0, "only n=1 is supported. Other values will result in a 400 response".
    """
    return settings.out_of_range(view.body, {"n": (1, 1)})


def setting_unsupported(view: View) -> Found:
    """No model takes logprobs, top_logprobs, logit_bias or penalties.

    Evidence: groq 1.7.0, "not yet supported by any of our models", which does not say whether they are refused or ignored.
    """
    for key in ("logprobs", "top_logprobs", "logit_bias", "frequency_penalty", "presence_penalty"):
        if view.body.get(key):
            yield f"/{key}", f"no model at Groq takes `{key}`: leave it out"


def response_format_with_tools(view: View) -> Found:
    """A request must not have both tools and a JSON response format.

    Evidence: the server's texts "'response_format' json_object cannot be combined with tool/function calling"
    (agno-agi/agno#1065, of 2024) and "json mode cannot be combined with tool/function calling" (vercel/ai#16540, of 2026);
    which models refuse it is not known.
    """
    if view.tools and object_of(view.body, "response_format").get("type") in ("json_object", "json_schema"):
        yield "/response_format", "Groq has refused a JSON `response_format` beside `tools`: leave one out"


# xAI


@fault("content-missing")
def message_without_content(view: View) -> Found:
    """A message must have content, unless it is an assistant message with calls.

    Evidence: the server's text "Each message must have at least one content element" (n8n-io/n8n#14797,
    charmbracelet/crush#964, langchain-ai/langchain#34140, AstrBotDevs/AstrBot#6447), also of calls without content, which were
    recorded to be accepted.
    """
    for turn in view.special:
        called = turn.role == "assistant" and turn.value.get("tool_calls")
        if turn.role is not None and turn.value.get("content") in (None, []) and not called:
            at = f"{turn.at}/content" if "content" in turn.value else turn.at
            yield at, "a message must have content: give it some, or leave it out"


@fault("content-missing")
def assistant_empty(view: View) -> Found:
    """An assistant message must have content, if only an empty text, or calls; reasoning alone is not enough.

    Evidence: the server's text "Invalid assistant message: content or tool_calls must be set" (carlrobertoh/ProxyAI#830), of
    reasoning beside `content: null` (can1357/oh-my-pi#788).
    """
    for turn in view.special:
        if turn.role == "assistant" and turn.value.get("content") is None and not turn.value.get("tool_calls"):
            at = f"{turn.at}/content" if "content" in turn.value else turn.at
            yield at, "an assistant message must have content or tool calls: give it some, or leave it out"


def penalty_or_stop_refused(view: View) -> Found:
    """Models that reason take no penalties and no stop sequences, not even a penalty of 0.

    Evidence: the server's text "Model ... does not support parameter presencePenalty" (miaoxworld/NativeTavern#83,
    can1357/oh-my-pi#7454, lobehub/lobehub#8379); which models reason is not known from the request.
    """
    for key in ("presence_penalty", "frequency_penalty", "stop"):
        if view.body.get(key) is not None:
            yield f"/{key}", f"models of xAI that reason refuse `{key}`: leave it out"


def tool_choice_without_tools(view: View) -> Found:
    """A request with a tool choice must have tools.

    Evidence: the server's text "A tool_choice was set on the request but no tools were specified" (livekit/agents#3114,
    OpenHands/OpenHands#7078). `parallel_tool_calls` without tools was recorded to be accepted, by Grok 2 to 4
    (agentjido/req_llm, `test/support/fixtures/xai`).
    """
    if view.body.get("tool_choice") is not None and not view.body.get("tools"):
        yield "/tool_choice", "`tool_choice` needs `tools`: add tools, or leave it out"
