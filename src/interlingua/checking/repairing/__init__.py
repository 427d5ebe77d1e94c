"""`repair`: what a provider would refuse in a request, treated where that is possible without inventing anything.

A draft of the request is checked as what `dump` would send, and one kind of problem is treated at a time, until none is left
that can be. `TREATMENTS` says what is done about the problems of each rule, in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from operator import is_
from typing import Any, NamedTuple, overload

from ...codec import problems as checking
from ...codec.format import Format
from ...conversion.requests import exactly, request_of
from ...errors import Problem, Repair
from ...formats import FormatName, format_of, new_dump
from ...model.exchange import Conversation, Request
from ...model.messages import Message, MessageBase
from . import treatments
from .draft import Draft
from .pairs import PLACEHOLDER as PLACEHOLDER, Policy, fix_pairs


class Treatment(NamedTuple):
    """What is done about the problems of some rules."""

    treat: Callable[[Draft, treatments.Codes], bool]
    codes: frozenset[str]


def _for(codes: str, treat: Callable[[Draft, treatments.Codes], bool]) -> Treatment:
    return Treatment(treat, frozenset(codes.split()))


_PAIRS = (
    "call-without-result result-without-call result-far-from-call result-duplicate result-id-mismatch result-count-mismatch "
    "ends-with-call"
)


@cache
def _treatments(policy: Policy) -> tuple[Treatment, ...]:
    return (
        _for("tool-call-id-missing", treatments.change_ids),
        _for("block-in-wrong-role unpaired-server-tool", treatments.leave_out),
        _for(_PAIRS, partial(fix_pairs, policy=policy)),
        _for("args-not-object arguments-not-string", treatments.leave_out_calls),
        _for("tool-id-pattern tool-call-id-too-long responses-call-id-length", treatments.change_ids),
        _for("tool-id-duplicate result-duplicate result-without-call", treatments.change_ids),
        _for("tool-name-pattern tool-name-too-long", treatments.change_names),
        _for("tool-name-duplicate", treatments.leave_out_tools),
        _for("message-name-pattern", treatments.change_participants),
        _for("document-name-charset document-name-duplicate", treatments.change_filenames),
        _for("empty-tools-array tool-calls-empty", treatments.leave_out_list),
        _for(
            "reasoning-signature-invalid thinking-empty thinking-last-block thinking-while-disabled",
            treatments.leave_out_reasoning,
        ),
        _for("responses-reasoning-without-follower", treatments.leave_out_item_reasoning),
        _for("responses-duplicate-item", treatments.leave_out_item_ids),
        _for("thinking-must-lead", treatments.lead_with_reasoning),
        _for("cache-mark-on-empty cache-mark-misplaced cache-marks-too-many cache-ttl-order", treatments.leave_out_marks),
        _for("empty-text blank-text", treatments.leave_out_texts),
        _for("trailing-whitespace", treatments.strip_end),
        _for("content-null", treatments.fill_content),
        _for("empty-message part-without-data", treatments.leave_out),
        _for("first-not-user call-turn-misplaced", treatments.begin_with_user),
        _for("roles-not-alternating", treatments.merge_turns),
    )


TREATMENTS = _treatments("drop")
TREATED = {code: treatment.treat for treatment in reversed(TREATMENTS) for code in treatment.codes}
"""The codes of the rules whose errors are treated, and the function that does it."""

_ROUNDS = 3 * len(TREATMENTS)
"""How often a draft is checked at most; each round treats one kind of problem."""


@overload
def repair(
    value: Request, format: FormatName | Format, *, policy: Policy = "drop", warnings: bool = False
) -> tuple[Request, list[Repair]]: ...
@overload
def repair(
    value: Conversation, format: FormatName | Format, *, policy: Policy = "drop", warnings: bool = False
) -> tuple[Conversation, list[Repair]]: ...
@overload
def repair(
    value: Iterable[MessageBase | dict[str, Any]],
    format: FormatName | Format,
    *,
    policy: Policy = "drop",
    warnings: bool = False,
) -> tuple[list[Message], list[Repair]]: ...
def repair(
    value: Any, format: FormatName | Format, *, policy: Policy = "drop", warnings: bool = False
) -> tuple[Any, list[Repair]]:
    """A request or its messages without the errors that `check` finds for a format, as far as they can be treated; and how.

    Reasoning, calls and results go or stay together. A call without a result goes with its message, and with the results of
    that message's other calls; with `policy="placeholder"` it gets a result that says that there is none. Nothing else is
    invented: what would need that, and what is in settings and media, stays, and `check` still finds it. With `warnings`, what
    may be refused is treated too: where only some models refuse it, and where the evidence is weak. A value of which nothing
    has to be treated is returned as it is. Raises `InvalidPayload` and `UnknownFormat`.
    """
    if policy not in ("drop", "placeholder"):
        raise ValueError('policy is "drop" or "placeholder"')
    format = format_of(format)
    if isinstance(value, Request):
        request, repairs = _repaired(exactly(Request, value), format, policy, warnings, "")
        return (request, repairs) if repairs else (value, repairs)
    if isinstance(value, Conversation):
        request, repairs = _repaired(request_of(value), format, policy, warnings, "")
        changes = {name: getattr(request, name) for name in ("messages", "tools") if name in request}
        return (value.replace(**changes), repairs) if repairs else (value, repairs)
    request = request_of(value)
    fixed, repairs = _repaired(request, format, policy, warnings, "/messages")
    return value if not repairs and _is_list_of(value, request.messages) else list(fixed.messages), repairs


def _is_list_of(value: Iterable[Any], messages: Iterable[Message]) -> bool:
    """Whether a value is a list of these objects."""
    return isinstance(value, list) and all(map(is_, iter(value), messages))


def _repaired(request: Request, format: Format, policy: Policy, warnings: bool, whole: str) -> tuple[Request, list[Repair]]:
    """The repaired request, and its repairs with pointers into what is at the pointer `whole`."""
    draft: Draft | None = None
    known = _treatments(policy)
    spent: frozenset[int] = frozenset()
    for _ in range(_ROUNDS):
        found = _problems(request if draft is None else draft.request, format)
        found = [problem for problem in found if warnings or problem.severity == "error"]
        codes = {problem.code for problem in found}
        chosen = next((i for i, each in enumerate(known) if i not in spent and not each.codes.isdisjoint(codes)), None)
        if chosen is None:
            break
        draft = draft or Draft(request, format)
        treat, treated = known[chosen]
        changed = treat(draft, {each.path: each.code for each in reversed(found) if each.code in treated})
        spent = spent - spent if changed else spent | {chosen}
    return (request, []) if draft is None else (draft.request, draft.repairs(len(whole)))


def _problems(request: Request, format: Format) -> list[Problem]:
    """The problems in what is sent, with pointers into the request."""
    d = new_dump(format, request.origin)
    body = format.dump(request, request.messages, d)
    return checking.of_dump(body, format, request, d.places, bare=False)
