"""The rules that the profile of a host may name: what several hosts refuse, and not all."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from ....codec.rules.rule import RuleSet, errors, fault, warnings
from ....codec.rules.view import Found, View, object_of
from ....model.base import Json
from . import hosts, servers
from .request import OTHERS


@fault("written-otherwise")
def reasoning_content_refused(view: View) -> Found:
    """A message must not have `reasoning_content`.

    Evidence: Cerebras's refusals of the field, which it calls `reasoning` (QwenLM/qwen-code#11045, Kilo-Org/kilocode#10375,
    proxysoul/Empryo#209).
    """
    for turn in view.special:
        if "reasoning_content" in turn.value:
            yield f"{turn.at}/reasoning_content", "the host does not take `reasoning_content`: leave it out, or use `reasoning`"


def strict_mixed(view: View) -> Found:
    """All tools must be strict, or none.

    Evidence: Cerebras's text "Tools with mixed values for 'strict' are not allowed" (RooCodeInc/Roo-Code#10334, of 2025-12).
    """
    if len({tool.strict for tool in view.tools}) > 1:
        yield "/tools", "all tools must be strict, or none: give them the same `strict`"


def thinking_and_effort(view: View) -> Found:
    """A request must not have both `thinking` and `reasoning_effort`.

    Evidence: Moonshot's text "cannot specify both 'thinking' and 'reasoning_effort'" (HKUDS/nanobot#3939).
    """
    if view.body.get("thinking") is not None and view.body.get("reasoning_effort") is not None:
        yield "/reasoning_effort", "`thinking` and `reasoning_effort` exclude each other: leave one out"


def effort_and_budget(view: View) -> Found:
    """A request must not have both `reasoning_effort` and `thinking_budget`.

    Evidence: DashScope's text "'reasoning_effort' and 'thinking_budget' cannot be set simultaneously"
    (anomalyco/opencode#41531).
    """
    if view.body.get("thinking_budget") is not None and view.body.get("reasoning_effort") is not None:
        yield "/thinking_budget", "`thinking_budget` and `reasoning_effort` exclude each other: leave one out"


def named_tool_in_thinking(view: View) -> Found:
    """A request whose tool choice names a tool should disable thinking, because the models think by default.

    Evidence: Moonshot's text "tool_choice 'specified' is incompatible with thinking enabled" (can1357/oh-my-pi#827,
    can1357/oh-my-pi#1077, enricoros/big-AGI#1161).
    """
    if isinstance(view.body.get("tool_choice"), dict) and object_of(view.body, "thinking").get("type") != "disabled":
        yield "/tool_choice", "`tool_choice` must not name a tool while the model thinks: disable `thinking`"


_FIXED: dict[str, tuple[float, ...]] = {
    "temperature": (0.6, 1),
    "top_p": (0.95, 1),
    "presence_penalty": (0,),
    "frequency_penalty": (0,),
}


def sampling_fixed(view: View) -> Found:
    """Newer models have a fixed temperature, top_p and penalties, and take no other value.

    Evidence: Moonshot's text "invalid temperature: only 1 is allowed for this model", or "only 0.6" without thinking
    (tinyhumansai/openhuman#2082, HKUDS/nanobot#4967, arcsin1/oh-my-ppt#45), and tries of top_p and penalties
    (enricoros/big-AGI#1161, simstudioai/sim#5716).
    """
    for name, taken in _FIXED.items():
        value: Json = view.body.get(name)
        if value is not None and value not in taken:
            yield f"/{name}", f"the host's newer models accept only their own value of `{name}`: leave it out"


def tool_demanded_in_thinking(view: View) -> Found:
    """With `enable_thinking`, a tool choice must not force a call.

    Evidence: DashScope's text "does not support being set to required or object in thinking mode" (cloudwego/eino#994).
    """
    choice = view.body.get("tool_choice")
    if view.body.get("enable_thinking") is True and (choice == "required" or isinstance(choice, dict)):
        yield "/tool_choice", "with thinking, `tool_choice` must be auto or none"


def tool_parameters_missing(view: View) -> Found:
    """A function must have `parameters`.

    Evidence: MiniMax's text "function parameters is empty" (QwenLM/qwen-code#11834, QwenLM/qwen-code#11905), which takes an
    object schema without properties.
    """
    for tool in view.tools:
        if tool.value.get("type") == "function" and not isinstance(tool.schema, dict):
            yield (
                tool.schema_at,
                "a function must have `parameters`: if it takes none, send an object schema without properties",
            )


def thinking_without_stream(view: View) -> Found:
    """A request that enables thinking must ask for a stream.

    Evidence: DashScope's text "parameter.enable_thinking must be set to false for non-streaming calls"
    (langchain4j/langchain4j#3974, infiniflow/ragflow#8972, QuantumNous/new-api#1109).
    """
    if view.body.get("enable_thinking") is True and view.body.get("stream") is not True:
        yield "/enable_thinking", "`enable_thinking` needs `stream: true`: set it, or set `enable_thinking` to false"


def no_user_message(view: View) -> Found:
    """A request must have a user message.

    Evidence: Z.AI's error 1214, "The messages parameter is illegal", without one (anomalyco/opencode#2557, of one reporter).
    """
    if view.turns and not any(turn.role == "user" for turn in view.turns):
        yield "/messages", "the host has refused requests without a user message: add one"


def json_format_with_tools(view: View) -> Found:
    """A request must not have both tools and a JSON response format.

    Evidence: Cerebras's text '"tools" is incompatible with "response_format"' (BerriAI/litellm#31445, of 2026-06).
    """
    if view.tools and object_of(view.body, "response_format").get("type") in ("json_object", "json_schema"):
        yield "/response_format", "the host refuses a JSON `response_format` beside `tools`: leave one out"


BY_CODE = {
    rule.code: rule
    for rule in (
        *errors(
            effort_and_budget,
            hosts.forced_tool_choice_in_thinking,
            json_format_with_tools,
            reasoning_content_refused,
            strict_mixed,
            thinking_and_effort,
            thinking_without_stream,
            tool_demanded_in_thinking,
            tool_parameters_missing,
        ),
        *warnings(
            hosts.reasoning_content_missing,
            named_tool_in_thinking,
            no_user_message,
            sampling_fixed,
            servers.arguments_not_object,
            servers.roles_must_alternate,
            servers.system_not_first,
        ),
    )
}
"""Each rule by its code, which `ChatProfile.rules` names."""


def rules_with(codes: Iterable[str], tolerated: Container[str]) -> RuleSet:
    """The rules for a host that only its user knows, and those that its profile names; a code that is not known is left out.

    A rule is only a warning where its code is among those tolerated.
    """
    known = {rule.code for rule in OTHERS.rules}
    more = tuple(BY_CODE[code] for code in sorted(codes) if code in BY_CODE and code not in known)
    rules = (replace(rule, severity="warning") if rule.code in tolerated else rule for rule in (*OTHERS.rules, *more))
    return replace(OTHERS, rules=tuple(rules))
