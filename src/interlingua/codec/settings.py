"""How several formats treat the fields of a request: system text, stop sequences, the tool choice, and other settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from ..errors import LossKind
from ..model.base import Json
from ..model.exchange import INVENTED_NAME, Request, ResponseFormat, ToolChoice, choice_without_tool, is_one_tool
from .dump import Dump
from .fields import FieldReader, Wire, spelling
from .limits import LEAST_BUDGET
from .provider_data import lay_request_data


def load_system(reader: FieldReader) -> list[dict[str, Any]]:
    """A list with the system message from the field `system`, if that has text; an empty text is recorded."""
    if (text := reader.take("system")) == "":
        reader.spelling["system"] = "empty"
    return [{"role": "system", "content": text}] if text else []


def dump_empty_system(request: Request, d: Dump) -> Wire:
    """The start of a body: an empty system text, if one was recorded."""
    return {"system": ""} if d.same_format and spelling(request, "system") == "empty" else {}


def fit_user(request: Request, most: int | None, d: Dump) -> str | None:
    """The `user` of a request; None if there is none, or, with a report, if it has more characters than the target accepts."""
    user = request.user
    if user is None or d.exact or most is None or len(user) <= most:
        return user
    d.drop("/user", f"`user` must have at most {most} characters at {d.target.name}")
    return None


def fit_stop(sequences: Sequence[str] | None, d: Dump, *, blank: bool = True, most: int | None = None) -> list[str] | None:
    """The stop sequences that the target accepts: none is empty, or, unless `blank`, only white space; reports the others.

    With `most`, the first so many. None if there is nothing to write.
    """
    kept: list[str] = []
    for i, sequence in enumerate(sequences or ()):
        if not (d.exact or (sequence if blank else sequence.strip())):
            d.drop(f"/stop/{i}", f"a stop sequence must not be {'empty' if blank else 'only white space'}")
        elif most is not None and len(kept) == most and not d.exact:
            d.drop(f"/stop/{i}", f"there must be at most {most} stop sequences: the others are left out")
        else:
            kept.append(sequence)
    return kept if kept or (d.exact and sequences is not None) else None


def fit_effort(request: Request, accepted: Collection[str] | None, d: Dump) -> str | None:
    """The reasoning effort to write: one of those `accepted`; None, with a report, for others and beside a budget of 0."""
    effort = request.reasoning_effort
    if d.exact or effort is None:
        return effort
    if request.reasoning_budget == 0 and effort != "none" and not d.same_family:
        drop_effort(request, d)
        return None
    if accepted is not None and effort not in accepted:
        d.drop("/reasoning_effort", f"`reasoning_effort` must be one of {', '.join(sorted(accepted))}")
        return None
    return effort


def drop_effort(request: Request, d: Dump) -> None:
    """Report that an effort is left out because the budget is 0."""
    if request.reasoning_effort is not None:
        d.drop("/reasoning_effort", "a reasoning budget of 0 disables reasoning, so `reasoning_effort` is left out")


def fit_budget(request: Request, at: str, d: Dump, *, moved: bool = False) -> int | None:
    """The reasoning budget as the host accepts it: at least `LEAST_BUDGET`, and less than `max_tokens`.

    None, with a report, if `max_tokens` is too small for any budget. A budget from the same family stays as it is, unless it is
    `moved` to a field with other rules.

    Evidence: the rules `thinking-budget-range`.
    """
    budget = request.reasoning_budget
    limit = request.max_tokens
    if budget is None or d.exact or (d.same_family and not moved):
        return budget
    fitted = max(budget, LEAST_BUDGET)
    if limit is not None:
        fitted = min(fitted, limit - 1)
    if fitted < LEAST_BUDGET:
        d.drop(
            "/reasoning_budget",
            f"a thinking budget must be at least {LEAST_BUDGET} and less than `max_tokens`: raise `max_tokens`",
        )
        return None
    if fitted != budget:
        needs = f"at least {LEAST_BUDGET}" if budget < LEAST_BUDGET else "less than `max_tokens`"
        d.report("changed", "/reasoning_budget", at, f"a thinking budget must be {needs}; sent as {fitted}")
    return fitted


def report_budget(request: Request, d: Dump) -> None:
    """Report a reasoning budget, which the target has no field for; a budget of 0 also removes an effort."""
    if request.reasoning_budget != 0 or d.exact:
        d.drop_named(request, "", "reasoning_budget")
    elif request.reasoning_effort is None:
        d.drop("/reasoning_budget", f"{d.target.name} has no field that disables the reasoning of every model")
    elif request.reasoning_effort != "none":  # which means the same, and is sent or reported itself
        why = f"{d.target.name} has no field that disables reasoning; `reasoning_effort` is left out"
        d.report("changed", "/reasoning_budget", None, why)


def fit_most(value: float, most: float | None, path: str, d: Dump, at: str | None = None) -> float:
    """A number, lowered to the greatest that the target accepts; reports the change. It is written at `at`, or at its path."""
    if most is None or value <= most or d.exact:
        return value
    d.report("changed", path, at or path, f"`{path[1:]}` must be at most {most:g}; sent as {most:g}")
    return most


def drop_sampling(settings: Wire, names: Mapping[str, str], d: Dump) -> None:
    """Remove sampling settings, which are refused beside thinking; `names` has the canonical name of each output field."""
    for key, name in names.items():
        value: Json = settings.get(key)
        if isinstance(value, int | float) and not (name == "temperature" and value == 1):
            del settings[key]
            d.drop(f"/{name}", f"`{name}` is refused beside thinking: to send it, leave out the reasoning")


_EMAIL = re.compile(r"[^\s@]@[^\s@.]+(?:\.[^\s@.]+)+")
_TELEPHONE = re.compile(r"\+?[0-9 ().\-/]{7,24}")


def has_email(text: str) -> bool:
    """Whether a text contains what looks like an e-mail address."""
    return _EMAIL.search(text) is not None


def is_telephone(text: str) -> bool:
    """Whether a text looks like a telephone number: 7 to 15 digits with a `+` or separators; digits alone are an id."""
    digits = sum(character.isdigit() for character in text)
    return 7 <= digits <= 15 and digits < len(text) and _TELEPHONE.fullmatch(text) is not None


def fit_choice(
    choice: ToolChoice | None, sent: Sequence[str], longest: int, d: Dump, kind: LossKind = "dropped"
) -> tuple[ToolChoice | None, str | None]:
    """The tool choice among the tools `sent`, and the name to write for it; None, with a report, if that is impossible."""
    if choice is not None and choice.allowed and not d.exact:
        choice = fit_allowed(choice, choice.allowed, sent, longest, d)
    name = choice.name if choice is not None else None
    if d.exact:
        return choice, name
    name = None if name is None else d.tool_name(d.chosen_name(name), "/tool_choice", longest)
    if choice is not None and choice_without_tool(choice, sent, name):
        report_choice(choice, d, kind)
        return None, None
    return choice, name


def report_choice(choice: ToolChoice, d: Dump, kind: LossKind = "dropped", *, has_tools: bool = False) -> None:
    """Report a tool choice for which no function is sent.

    `auto` says what happens anyway, and so does `none` without tools; `has_tools` is whether others than functions are sent.
    """
    if choice.type != "auto" and (choice.type != "none" or has_tools):
        detail = "a tool choice must name a tool of the request, but no tool that it names can be sent"
        d.report(kind, "/tool_choice", None, detail)


def fit_allowed(choice: ToolChoice, allowed: Sequence[str], sent: Sequence[str], longest: int, d: Dump) -> ToolChoice | None:
    """A choice among some tools, under the names that were `sent`; None, with a report, if no allowed tool was sent.

    If the target needs several tools for such a choice, one allowed tool becomes a choice of this tool. If the target cannot
    allow only some tools, the others are not sent (`Dump.tools_of`).
    """
    if choice.type not in ("auto", "required"):
        d.drop("/tool_choice/allowed", "only a tool choice `auto` or `required` may say which tools are allowed")
        return ToolChoice(type=choice.type, name=choice.name)
    least = d.target.allowed_tools
    if is_one_tool(choice, least):
        d.report("changed", "/tool_choice", None, "a choice of one allowed tool becomes a choice of this tool")
        return ToolChoice(type="tool", name=allowed[0])
    names = [d.tool_name(d.chosen_name(name), f"/tool_choice/allowed/{i}", longest, "") for i, name in enumerate(allowed)]
    kept = [name for name in names if name in sent]
    if not kept:
        d.drop("/tool_choice", "a tool choice must name a tool of the request, but no tool that it names can be sent")
        return None
    if least is None:
        d.report(
            "changed", "/tool_choice/allowed", None, f"{d.target.name} cannot allow only some tools: the others are not sent"
        )
        return ToolChoice(type=choice.type)
    for i, name in enumerate(names):
        if name not in sent:
            d.drop(f"/tool_choice/allowed/{i}", "a tool choice must name tools of the request, and this one is not sent")
    return ToolChoice(type=choice.type, allowed=kept)


def drop_form_fields(form: ResponseFormat, d: Dump, *placed: str) -> None:
    """Report the fields of a response format that are not `placed`, for targets whose response format is only a schema.

    Such a target always follows the schema, so nothing is lost without `strict`.
    """
    for key in ("name", "description"):
        value = getattr(form, key)
        is_invented = key == "name" and value == INVENTED_NAME
        if key not in placed and value is not None and not is_invented:
            d.drop(f"/response_format/{key}", f"the response format of {d.target.name} is only a schema, without `{key}`")


def dump_rest(request: Request, out: Wire, d: Dump, written: Sequence[str], fields: Container[str] = ()) -> Wire:
    """The finished body: reports settings that were not `written`, and adds the provider data whose keys are in `fields`."""
    d.drop_named(request, "", *(key for key in request if key not in ("messages", "origin", "provider_data", "wire", *written)))
    lay_request_data(d, request, out, fields.__contains__)
    return out


def cache_time(d: Dump, ttl: str | None, path: str, *times: str) -> dict[str, str]:
    """The field `ttl` of a cache mark, if the mark has a time and the target accepts it (`times`)."""
    if ttl is None or d.exact or ttl in times:
        return {} if ttl is None else {"ttl": ttl}
    if ttl == _USUAL_TIME:
        return {}
    d.drop(path + "/ttl", f"`ttl` of a cache mark must be {' or '.join(times)} at {d.target.name}")
    return {}


_USUAL_TIME = "5m"
"""How long a cache mark without a time lasts, at providers that accept this time."""
