"""What OpenAI's Chat Completions refuses only of some models, where the model's name decides it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ....codec.rules.rule import fault
from ....codec.rules.view import Found, View, object_of, objects
from ....codec.shared import is_usual
from ....model.base import Json
from ..versions import REASONS_ALONE, REASONS_BY_DEFAULT, SAMPLING, reasons, version_of, why_unmarked

_REFUSED = frozenset(
    {
        "gpt-5.4",
        "gpt-5.4-mini",
        "gpt-5.5",
        "gpt-5.6",
        "gpt-5.6-luna",
        "gpt-5.6-sol",
        "gpt-5.6-terra",
        "gpt-6-astra",
        "gpt-6-sol",
    }
)
"""The models whose refusals were seen."""

_DATE = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def effort_with_tools_on_chat(view: View) -> Found:
    """GPT-5.4, 5.5, 5.6 and GPT-6 must not have both function tools and an effort other than none.

    Evidence: recorded refusal 89fb0500c7a10e41 of gpt-5.4-mini, and the server's text "Function tools with reasoning_effort are
    not supported for gpt-5.4" (openai/openai-openapi#541), gpt-5.5 (charmbracelet/crush#2913), gpt-5.6 (BerriAI/litellm#34569)
    with -terra (GEMISIS/leviath#333), -luna (langflow-ai/langflow#14361) and -sol (danny-avila/LibreChat#14355), gpt-6-astra
    (docker/docker-agent#4162) and gpt-6-sol (onyx-dot-app/onyx#15008).
    """
    if _seen_refused(view):
        yield "/reasoning_effort", f"the model takes {_WAYS_OUT}"


def reasoning_with_tools_on_chat(view: View) -> Found:
    """Models since GPT-5.4 must not reason beside function tools; those since GPT-5.5 reason unless the effort is none.

    Evidence: the same text for requests without an effort, for gpt-5.6 (BerriAI/litellm#34569, danny-avila/LibreChat#14355),
    gpt-5.5 (jeffdafoe/llm-memory-api#178, of one reporter) and gpt-6-astra (can1357/oh-my-pi#11052); others were not seen.
    """
    version = version_of(view.body.get("model"))
    if not _has_functions(view) or version < REASONS_ALONE or _seen_refused(view):
        return
    effort: Json = view.body.get("reasoning_effort")
    if effort is None and version >= REASONS_BY_DEFAULT:
        yield "/tools", f"the model reasons by default, and takes {_WAYS_OUT}"
    elif isinstance(effort, str) and effort != "none":
        yield "/reasoning_effort", f"models since GPT-5.4 take {_WAYS_OUT}"


def sampling_with_reasoning(view: View) -> Found:
    """OpenAI's models that reason take no temperature but 1, no top_p, no penalties, no logit_bias and no probabilities.

    Evidence: OpenAI's guide to GPT-5.1 and later, by which they take temperature, top_p and logprobs only with the effort none,
    and earlier ones never (vercel/ai#10940, langgenius/dify-official-plugins#2821); the server's texts "Unsupported parameter:
    'temperature' is not supported with this model" (OpenHands/software-agent-sdk#1837), "Unsupported parameter: 'top_p'"
    (chatboxai/chatbox#2627), and of logit_bias (thingsboard/thingsboard#15256). Other hosts of this shape take them.
    """
    body = view.body
    effort: Json = body.get("reasoning_effort") or object_of(body, "reasoning").get("effort")
    if SAMPLING.isdisjoint(body) or not reasons(body.get("model"), effort):
        return
    for name in sorted(SAMPLING & body.keys()):
        value: Json = body[name]
        if value is not None and not is_usual(name, value) and not (value == 1 and name == "temperature"):
            yield f"/{name}", f"the model refuses `{name}` while it reasons: leave it out, or ask for no reasoning"


@fault("mark-refused")
def cache_mark_refused(view: View) -> Found:
    """Models of OpenAI before GPT-5.6 must not get cache marks.

    Evidence: the server's text "prompt_cache_breakpoint is not supported on this model" (Kilo-Org/kilocode#13022), and OpenAI's
    guide to prompt caching, by which models before GPT-5.6 only cache by themselves; agentgateway and LiteLLM send marks to no
    model before that (BerriAI/litellm#37628).
    """
    if (why := why_unmarked(view.body.get("model"))) is not None:
        yield from ((f"{at}/{_MARK}", why) for at, part in _parts(view) if part.get(_MARK) is not None)


_MARK = "prompt_cache_breakpoint"


def _parts(view: View) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts of the messages of Chat, or of the Responses API's items."""
    yield from ((part.at, part.value) for part in view.parts)
    if "input" in view.body:
        for turn in view.special:
            yield from objects(turn.value.get("content"), f"{turn.at}/content")
            yield from objects(turn.value.get("output"), f"{turn.at}/output")


_WAYS_OUT = 'function tools at Chat Completions only with `reasoning_effort: "none"`: set it, or use the Responses API'


def _seen_refused(view: View) -> bool:
    """Whether a request has both, for a model whose refusal was seen."""
    effort: Json = view.body.get("reasoning_effort")
    model: Json = view.body.get("model")
    is_named = isinstance(model, str) and _DATE.sub("", model) in _REFUSED
    return is_named and isinstance(effort, str) and effort != "none" and _has_functions(view)


def _has_functions(view: View) -> bool:
    return any(tool.value.get("type") == "function" for tool in view.tools)
