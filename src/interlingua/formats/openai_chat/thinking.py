"""Whether and how much the model reasons, in requests of Chat: `reasoning_effort`, budgets, and what disables reasoning.

LiteLLM (docs.litellm.ai, reasoning content) and Anthropic's endpoint of this shape take Anthropic's `thinking`, with a budget.

Evidence for `ChatProfile.thinking_mode`: the guide of DeepSeek (api-docs.deepseek.com/guides/thinking_mode), and
deepseek-ai/DeepSeek-V3#1376, where the server refuses a forced tool choice unless `thinking` is disabled.
"""

from __future__ import annotations

from typing import Any

from ...codec.efforts import BUDGETS, effort_for_budget, nearest_effort, nearest_of
from ...codec.fields import FieldReader, Wire, copy_wire, spelling, value_at
from ...codec.settings import drop_effort, fit_budget, fit_effort, report_budget
from ...codec.shared import is_usual
from ...model.base import Json
from ...model.exchange import Request, ToolChoice
from .base import FAMILY, ChatDump
from .beside import at_path
from .profiles import ChatProfile, limits_budget
from .versions import FIXED, REASONS_ALONE, REASONS_BY_DEFAULT, SAMPLING, reasons, version_of

_NO_THINKING: Wire = {"type": "disabled"}
"""The value of `thinking` that disables reasoning at DeepSeek and gateways."""
_ENABLED = "enable_thinking"
_OFF: dict[str, Json] = {"thinking": _NO_THINKING, _ENABLED: False}
"""The value that disables reasoning for each `ChatProfile.thinking_switch`."""
VARIABLES = "chat_template_kwargs"
"""The variables of the model's chat template, at vLLM and SGLang; many templates have `enable_thinking`."""
_OBJECT = "reasoning"
"""OpenRouter's object with the effort, or the budget as `max_tokens`; `enabled` may disable reasoning."""
_LONG = "reasoning/reasoning_effort"
"""Where the effort is that SGLang reads, if the object has no `effort` (`normalize_reasoning_inputs` in `protocol.py`)."""
_BUDGET = "thinking_budget"
"""The budget at DashScope (alibabacloud.com/help/en/model-studio, deep thinking), and in the object of Google's endpoint."""
_SERVED = "thinking_token_budget"
"""The budget at vLLM. A server without a reasoning parser refuses it, so other budgets are not written here."""
_GOOGLE = ("extra_body", "google", "thinking_config")
"""Where Google's endpoint of this shape has an object for thinking (ai.google.dev/gemini-api/docs/openai)."""
_LEVEL = "thinking_level"
"""The effort in the object of Google's endpoint, for newer models, which take either it or the budget."""
_LEVELS = ("minimal", "low", "medium", "high")
"""Its values, which may also be in capitals."""
_PLACES = {_BUDGET: (_BUDGET,), _SERVED: (_SERVED,), _GOOGLE[0]: (*_GOOGLE, _BUDGET)}
"""The place of the budget for each way to spell it that has no other field beside it."""
_LEAST = {_BUDGET: 1, _SERVED: 0, _GOOGLE[0]: -1}
"""The smallest value of each field that is read as a budget. vLLM's -1, which means no limit, is not."""
_BOTH = f"{_ENABLED}/{_BUDGET}"
"""The budget beside the field that enables reasoning."""
THINKING_FIELDS = frozenset({"thinking", VARIABLES, _OBJECT, _ENABLED, *_PLACES})
"""The fields in which some host disables reasoning, or has its budget."""
_EFFORTS = frozenset({"none", *BUDGETS})
"""The efforts that OpenAI knows; its models differ in which they accept."""


def load_thinking(fields: FieldReader, out: dict[str, Any], profile: ChatProfile) -> None:
    """Load the object `reasoning`, which several hosts take, and the field that disables reasoning, if the request has one."""
    if type(fields.wire.get(_OBJECT)) is dict:
        _load_reasoning(fields.inside(_OBJECT), out)
    if _GOOGLE[0] in fields.wire and "reasoning_effort" not in out:
        _load_level(fields, out)
    if "reasoning_budget" in out:
        return
    if type(fields.wire.get("thinking")) is dict and _load_thinking(fields.inside("thinking"), out):
        return
    if profile.thinking_switch == _ENABLED and _ENABLED in fields.wire:
        load_enabled(fields, out, _ENABLED)
    elif VARIABLES in fields.wire:
        load_enabled(fields.inside(VARIABLES), out, VARIABLES)
    if "reasoning_budget" not in out:
        _load_budget(fields, out)


def _load_level(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the effort from `extra_body` of Google's endpoint, unless the request also has a budget there."""
    settings: Json = value_at(fields.wire, _GOOGLE)
    level: Json = settings.get(_LEVEL) if type(settings) is dict and _BUDGET not in settings else None
    if type(level) is not str or level.lower() not in _LEVELS or level not in (level.lower(), level.upper()):
        return
    holder = fields
    for key in _GOOGLE:
        holder = holder.inside(key)
    holder.know(_LEVEL)
    out["reasoning_effort"] = level.lower()
    fields.spelling["reasoning_effort"] = _LEVEL if level.islower() else _LEVEL.upper()


def _load_budget(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load a budget from `thinking_budget`, from vLLM's field, or from `extra_body` of Google's endpoint."""
    for spelled, path in _PLACES.items():
        if spelled == _BUDGET and fields.wire.get(_ENABLED) is False:
            continue
        budget: Json = value_at(fields.wire, path)
        if type(budget) is int and budget >= _LEAST[spelled]:
            holder = fields
            for key in path[:-1]:
                holder = holder.inside(key)
            holder.know(path[-1])
            out["reasoning_budget"] = budget
            is_both = spelled == _BUDGET and fields.wire.get(_ENABLED) is True
            if is_both:
                fields.know(_ENABLED)
            fields.spelling["reasoning_budget"] = _BOTH if is_both else spelled
            return


def _load_reasoning(settings: FieldReader, out: dict[str, Any]) -> None:
    """Load the effort and the budget of an object `reasoning`; `enabled` only where it disables reasoning."""
    key = "reasoning_effort" if settings.wire.get("effort") is None else "effort"
    if "reasoning_effort" not in out and (effort := settings.take(key, str)) is not None:
        out["reasoning_effort"] = effort
        settings.spelling["reasoning_effort"] = _OBJECT if key == "effort" else _LONG
    budget: Json = settings.wire.get("max_tokens")
    enabled: Json = settings.wire.get("enabled")
    if enabled is False:  # a budget beside it has no effect
        settings.know("enabled")
        out["reasoning_budget"] = 0
    elif type(budget) is int and budget > 0:
        settings.know("max_tokens")
        out["reasoning_budget"] = budget
        if enabled is True:
            settings.know("enabled")
            settings.spelling["enabled"] = "true"
    else:
        return
    settings.spelling["reasoning_budget"] = _OBJECT


def _load_thinking(thinking: FieldReader, out: dict[str, Any]) -> bool:
    """Load an object `thinking` that disables reasoning, or has a budget as Anthropic's has; returns whether it does."""
    kind: Json = thinking.wire.get("type")
    budget: Json = thinking.wire.get("budget_tokens")
    if kind == "disabled":
        budget = 0
    elif kind == "enabled" and type(budget) is int and budget > 0:
        thinking.know("budget_tokens")
    else:
        return False
    thinking.know("type")
    out["reasoning_budget"] = budget
    thinking.spelling["reasoning_budget"] = "thinking"
    return True


def load_enabled(fields: FieldReader, out: dict[str, Any], spelled: str) -> None:
    """Load `enable_thinking`, a variable of chat templates, if it disables reasoning."""
    if fields.wire.get(_ENABLED) is False:
        fields.know(_ENABLED)
        out["reasoning_budget"] = 0
        fields.spelling["reasoning_budget"] = spelled


def dump_budget(request: Request, out: Wire, d: ChatDump) -> None:
    """Write the field that disables reasoning, the budget, or the effort in place of a budget."""
    spelled = _spelled_budget(request, d)
    if no_thinking := _no_thinking(request, d):
        for key, value in no_thinking.items():
            out[key] = {**out.get(key, {}), **value} if type(value) is dict else value
    elif same := _as_spelled(spelled, request.reasoning_budget):
        out |= same
    elif enabled := _enabled(request, out, d):
        out |= enabled
        where = f"/{next(iter(enabled))}"
        d.report(
            "changed", "/reasoning_budget", where, "a budget that the model chooses becomes enabled thinking without a budget"
        )
    elif (request.reasoning_budget or 0) > 0 and (_has_thinking(request, d) or _has_object(request, d)):
        _dump_number(request, out, d)
    elif (effort := effort_for_budget(request, "/reasoning_effort", d, d.profile.efforts)) is not None:
        out["reasoning_effort"] = effort
    elif request.reasoning_effort is not None and _takes_either(request, d):
        d.drop("/reasoning_budget", f"{d.target.name} takes an effort or a budget, and not both")
    else:
        report_budget(request, d)


def _takes_either(request: Request, d: ChatDump) -> bool:
    """Whether the host takes a budget, but not beside an effort."""
    has_thinking = d.profile.thinking_object and limits_budget(request.model)
    return d.profile.reasoning_settings or has_thinking or "effort-and-budget" in d.profile.rules


def _dump_number(request: Request, out: Wire, d: ChatDump) -> None:
    """Write the budget in an object, as a number that the model accepts."""
    key, number, kind = (_OBJECT, "max_tokens", {})
    if _has_thinking(request, d):
        key, number, kind = ("thinking", "budget_tokens", {"type": "enabled"})
    budget = request.reasoning_budget
    if limits_budget(request.model):
        budget = fit_budget(request, f"/{key}/{number}", d, moved=bool(kind) and spelling(request, "reasoning_budget") != key)
    if budget is not None:
        if d.exact and key == _OBJECT and spelling(request, "enabled") is not None:
            out[key] = {**out.get(key, {}), "enabled": True}
        out[key] = {**out.get(key, {}), **kind, number: budget}


def _as_spelled(spelled: str | None, budget: int | None) -> Wire:
    """The fields of a budget in a spelling; empty for an object `reasoning`, or without a spelling."""
    if spelled == "thinking":
        return {"thinking": {"type": "enabled", "budget_tokens": budget}}
    if spelled == _BOTH:
        return {_ENABLED: True, _BUDGET: budget}
    return at_path(_PLACES[spelled], budget) if spelled in _PLACES else {}


def _spelled_budget(request: Request, d: ChatDump) -> str | None:
    """How the budget was spelled, if it is written so again: at the same host, or at one that has the same field for it."""
    spelled = spelling(request, "reasoning_budget")
    takes_number = d.same_family and d.profile.thinking_switch == _ENABLED and request.reasoning_effort is None
    return spelled if d.exact or (takes_number and spelled in (_BUDGET, _BOTH)) else None


def _enabled(request: Request, out: Wire, d: ChatDump) -> Wire:
    """The field that enables reasoning, if the model is to choose the budget, and the host has such a field."""
    setting = d.target.shared.get("adaptive_thinking")
    is_open = not d.exact and (request.reasoning_budget or 0) < 0 and request.reasoning_effort is None
    if not is_open or setting is None or setting.fits is None or setting.writes is None or not setting.fits(out):
        return {}
    return at_path(setting.path, setting.writes(True))


def _has_thinking(request: Request, d: ChatDump) -> bool:
    """Whether the budget goes into Anthropic's `thinking`."""
    is_free = not d.exact and (request.reasoning_effort is None or request.reasoning_budget == 0)
    return is_free and d.profile.thinking_object and limits_budget(request.model)


def _has_object(request: Request, d: ChatDump) -> bool:
    """Whether the budget goes into an object `reasoning`, which may have an effort, too, only if it was loaded so."""
    if d.exact:
        spelled = spelling(request, "reasoning_budget")
        return spelled == _OBJECT or (spelled is None and d.profile.reasoning_settings)
    return d.profile.reasoning_settings and (request.reasoning_effort is None or request.reasoning_budget == 0)


def _no_thinking(request: Request, d: ChatDump) -> Wire:
    """The field that disables reasoning: the host's own, or the one it was loaded from, if the host accepts it."""
    if request.reasoning_budget != 0:
        return {}
    if not d.exact and (off := _off(d)):
        return off
    if _has_object(request, d):
        return {_OBJECT: {"enabled": False}}
    has_field = d.exact or (d.same_family and d.profile.open)
    spelled = spelling(request, "reasoning_budget") if has_field else None
    is_known = d.exact or d.profile.thinking_object
    if (spelled == "thinking" and is_known) or _has_thinking(request, d):
        return {"thinking": dict(_NO_THINKING)}
    if spelled == _BOTH or (spelled == _ENABLED and d.profile.thinking_switch == _ENABLED):
        return {_ENABLED: False}
    return {VARIABLES: {_ENABLED: False}} if spelled in (VARIABLES, _ENABLED) else {}


def _off(d: ChatDump) -> Wire:
    """The field with which the host disables reasoning; empty if it has none."""
    key = d.profile.thinking_switch or ("thinking" if d.profile.thinking_mode else None)
    return {} if key is None else {key: copy_wire(_OFF[key])}


def dump_effort(request: Request, out: Wire, d: ChatDump) -> None:
    """Write the effort, or the field that disables reasoning in place of the effort `none`."""
    is_off = request.reasoning_effort == "none" and not d.exact
    if is_off and (off := _off(d)):
        out |= off
    elif is_off and request.reasoning_budget == 0 and _has_object(request, d):
        return  # the object disables reasoning, and the host takes only one of the two
    elif (level := _level(request, d)) is not None:
        out |= at_path((*_GOOGLE, _LEVEL), level)
    elif (effort := _effort(request, d)) is not None and _is_inside(request, d):
        is_long = d.exact and spelling(request, "reasoning_effort") == _LONG
        out[_OBJECT] = {"reasoning_effort" if is_long else "effort": effort}
    elif effort is not None:
        out["reasoning_effort"] = effort


def _level(request: Request, d: ChatDump) -> str | None:
    """The effort as `extra_body` of Google's endpoint had it; None if it was not there, or has changed since."""
    spelled = spelling(request, "reasoning_effort") if d.exact else None
    effort = request.reasoning_effort
    if spelled is None or spelled.lower() != _LEVEL or effort not in _LEVELS:
        return None
    return effort if spelled == _LEVEL else effort.upper()


def _is_inside(request: Request, d: ChatDump) -> bool:
    """Whether the effort was loaded from an object `reasoning`, which the host takes."""
    takes = d.exact or (d.same_family and d.profile.reasoning_settings)
    return takes and spelling(request, "reasoning_effort") in (_OBJECT, _LONG)


def _effort(request: Request, d: ChatDump) -> str | None:
    """The effort to write, if any."""
    has_no_budget = request.reasoning_budget == 0 and request.reasoning_effort != "none"
    profile = d.profile
    # DeepSeek answers "thinking options type cannot be disabled when reasoning_effort is set" (lobehub/lobehub#14173).
    takes_one = profile.reasoning_settings or profile.thinking_switch is not None or profile.thinking_mode
    takes_one = takes_one or _has_thinking(request, d)
    keeps_both = d.exact or (_no_thinking(request, d) and not takes_one)
    if has_no_budget and not keeps_both:
        drop_effort(request, d)
        return None
    if (taken := profile.efforts) is None:
        return fit_effort(request, None if profile.open else _EFFORTS, d)
    return nearest_effort(fit_effort(request, taken | BUDGETS.keys(), d), nearest_of(taken), "/reasoning_effort", d)


def fit_reasoning(request: Request, out: Wire, d: ChatDump) -> None:
    """Turn off the reasoning of a model that takes function tools only without it."""
    effort = out.get("reasoning_effort")
    first = REASONS_BY_DEFAULT if effort is None else REASONS_ALONE
    if effort == "none" or version_of(out.get("model")) < first:
        return
    if not any(tool.get("type") == "function" for tool in out["tools"]):
        return
    out["reasoning_effort"] = "none"
    why = f"{d.target.name} takes function tools for this model only without reasoning, unlike the Responses API"
    if effort is None:
        d.report("added", "", "/reasoning_effort", f"{why}: the model would reason by default")
        return
    path = "/reasoning_budget" if request.reasoning_effort is None else "/reasoning_effort"
    d.losses[:] = [loss for loss in d.losses if loss.path != path]
    d.report("changed", path, "/reasoning_effort", why)


_CANONICAL = frozenset({"temperature", "top_p"})
"""The settings in `SAMPLING` that a canonical request has."""


def fit_sampling(out: Wire, d: ChatDump) -> None:
    """Leave out the settings that the host refuses always, or of a model while it reasons."""
    is_fixed = d.profile.sampling == "never"
    if not (is_fixed or reasons(out.get("model"), out.get("reasoning_effort"))):
        return
    for key in sorted((FIXED if is_fixed else SAMPLING) & out.keys()):
        value: Json = out[key]
        if not is_fixed and key == "temperature" and value == 1:
            continue
        del out[key]
        path = f"/{key}" if key in _CANONICAL else f"/provider_data/{FAMILY}/{key}"
        if value is not None and not is_usual(key, value):
            newer = f'newer models of {d.target.name} refuse `{key}`; to send it, use a profile with `sampling="always"`'
            d.drop(path, newer if is_fixed else f"{d.target.name} refuses `{key}` while the model reasons")


def fit_forced(choice: ToolChoice, request: Request, out: Wire, d: ChatDump) -> ToolChoice:
    """The tool choice as the host accepts it: where it cannot force a call, the model chooses.

    If the host thinks by default, thinking is disabled, unless the request asks for reasoning.
    """
    if choice.type not in ("required", "tool") or d.exact:
        return choice
    profile = d.profile
    answer = request.response_format
    thinks_by_default = profile.thinking_mode or (choice.type == "tool" and not profile.named_in_thinking)
    thinks = out.get("thinking") != _NO_THINKING if thinks_by_default else _enables_thinking(request, d)
    if not profile.forced_beside_format and answer is not None and answer.type != "text":
        when = "if the answer must be JSON"
    elif not thinks:
        return choice
    elif thinks_by_default and not _asks_for_reasoning(request, d):
        out["thinking"] = dict(_NO_THINKING)
        why = f"{d.target.name} forces a call only without thinking, so thinking is disabled"
        d.report("added", "", "/thinking", why)
        return choice
    else:
        when = "while it thinks"
    d.report("changed", "/tool_choice", "/tool_choice", f"{d.target.name} does not force a call {when}: sent as auto")
    return ToolChoice(type="auto")


def _enables_thinking(request: Request, d: ChatDump) -> bool:
    """Whether a request asks for reasoning of a host that has a field to disable it."""
    key = d.profile.thinking_switch
    if key is not None and ((request.reasoning_budget or 0) > 0 or request.reasoning_effort not in (None, "none")):
        return True
    if key is not None and _is_adaptive(request, d):
        return True
    own: Json = (request.provider_data or {}).get(FAMILY)
    return key is not None and (value_at(own, (key,)) is True or value_at(own, (key, "type")) == "enabled")


def _is_adaptive(request: Request, d: ChatDump) -> bool:
    """Whether a request of another family lets the model decide how much it reasons."""
    source = d.source
    setting = None if source is None or source.family == FAMILY else source.shared.get("adaptive_thinking")
    own = (request.provider_data or {}).get(source.family) if source is not None else None
    return setting is not None and own is not None and setting.read(own)[0] is True


def _asks_for_reasoning(request: Request, d: ChatDump) -> bool:
    """Whether a request says how much to reason, or has `thinking` of another type than `disabled`."""
    if request.reasoning_effort is not None or request.reasoning_budget is not None or _is_adaptive(request, d):
        return True
    own: Json = (request.provider_data or {}).get(FAMILY)
    return value_at(own, ("thinking",)) is not None or value_at(own, (_OBJECT, "enabled")) is True
