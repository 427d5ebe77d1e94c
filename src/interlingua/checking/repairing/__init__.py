"""`repair`: fixes what a provider would refuse in a request, where that needs no invented content.

A draft of the request is checked as the body that `dump` would write. One kind of problem is treated at a time, until no
problem is left that can be treated. `TREATMENTS` lists the treatments in the order in which they are tried; each rule names the
kind of fault that it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set as AbstractSet
from functools import cache, partial
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

from ...codec import problems as checking
from ...codec.format import Format
from ...codec.rules.rule import FaultKind
from ...conversion.requests import exactly, request_of, written_for
from ...errors import Problem, Repair
from ...formats import FormatName, format_of, new_dump
from ...model.exchange import Conversation, Request
from ...model.messages import Message, MessageBase
from . import forms, reasoning, treatments
from .draft import Draft
from .pairs import PLACEHOLDER as PLACEHOLDER, Policy, fix_pairs

if TYPE_CHECKING:
    from ..._signatures import type_of_repair  # pyright: ignore[reportMissingModuleSource] -- for checkers alone
else:
    from ...conversion.requests import as_is as type_of_repair


class Treatment(NamedTuple):
    """The function that fixes some kinds of faults."""

    treat: Callable[[Draft, treatments.Codes], bool]
    faults: frozenset[FaultKind]


def _for(treat: Callable[[Draft, treatments.Codes], bool], *faults: FaultKind) -> Treatment:
    return Treatment(treat, frozenset(faults))


@cache
def _treatments(policy: Policy) -> tuple[Treatment, ...]:
    pairs = partial(fix_pairs, policy=policy)
    return (
        _for(treatments.write_anew, "written-otherwise"),
        _for(forms.respell_roles, "role-word"),
        _for(treatments.change_ids, "id-missing"),
        _for(treatments.leave_out, "out-of-place"),
        _for(pairs, "call-without-result", "result-without-call", "result-repeated", "results-differ"),
        _for(treatments.leave_out_calls, "arguments-refused"),
        _for(treatments.change_ids, "id-refused"),
        _for(treatments.change_ids, "id-repeated", "result-repeated", "result-without-call"),
        _for(treatments.change_names, "tool-name-refused"),
        _for(treatments.leave_out_tools, "tool-repeated"),
        _for(treatments.change_participants, "participant-refused"),
        _for(treatments.leave_out_participants, "participant-unknown"),
        _for(treatments.change_filenames, "filename-refused"),
        _for(forms.name_files, "filename-missing"),
        _for(forms.say_media_types, "media-type-unsaid"),
        _for(forms.change_schema_names, "schema-name-refused"),
        _for(forms.close_objects, "schema-open"),
        _for(treatments.leave_out_list, "list-empty"),
        _for(reasoning.leave_out_reasoning, "reasoning-refused"),
        _for(reasoning.leave_out_item_reasoning, "reasoning-alone"),
        _for(reasoning.sign_calls, "signature-missing"),
        _for(reasoning.leave_out_item_ids, "item-repeated"),
        _for(reasoning.lead_with_reasoning, "reasoning-not-first"),
        _for(reasoning.leave_out_marks, "mark-refused"),
        _for(treatments.leave_out_texts, "text-blank"),
        _for(treatments.strip_end, "text-ends-blank"),
        _for(treatments.fill_content, "content-null"),
        _for(partial(treatments.write_anew, does="the message gets content, as a conversion writes it"), "content-missing"),
        _for(treatments.leave_out, "says-nothing", "content-missing"),
        _for(treatments.begin_with_user, "begins-without-user"),
        _for(treatments.merge_turns, "turns-not-alternating"),
    )


TREATMENTS = _treatments("drop")
TREATED = {fault: treatment.treat for treatment in reversed(TREATMENTS) for fault in treatment.faults}
"""The kinds of faults that are treated, and the function that does it."""

_ROUNDS = 3 * len(TREATMENTS)
"""The largest number of times that a draft is checked; each round treats one kind of problem."""


@type_of_repair
def repair(
    value: Request | Conversation | Iterable[MessageBase | dict[str, Any]],
    format: FormatName | Format,
    *,
    policy: Policy = "drop",
    warnings: bool = False,
) -> tuple[Any, list[Repair]]:
    """Fix the errors that `check` finds for a format; returns the fixed request or messages, and the list of repairs.

    The first item of the result is a `Request` or a `Conversation` if `value` is one, and otherwise a list of messages. If
    there is nothing to fix, it is `value` itself.

    Reasoning, calls and results are kept or left out together. A call without a result is left out with its message and the
    results of that message's other calls; with `policy="placeholder"`, the call gets a result that says that there is none.
    Nothing else is invented. A problem that needs invented content stays, and `check` still finds it; most problems in settings
    and media are of this kind. With `warnings`, `repair` also fixes what `check` only warns of, because some models accept it
    or the evidence is weak. Raises `InvalidPayload` and `UnknownFormat`.
    """
    if policy not in ("drop", "placeholder"):
        raise ValueError('policy must be "drop" or "placeholder"')
    format = written_for(value, format_of(format))
    if isinstance(value, Request):
        request, repairs = _repaired(exactly(Request, value), format, policy, warnings, "")
        return (request, repairs) if repairs else (value, repairs)
    if isinstance(value, Conversation):
        request, repairs = _repaired(request_of(value), format, policy, warnings, "")
        changes = {name: getattr(request, name) for name in ("messages", "tools") if name in request}
        return (value.replace(**changes), repairs) if repairs else (value, repairs)
    request = request_of(value)
    fixed, repairs = _repaired(request, format, policy, warnings, "/messages")
    if not repairs and _is_list_of(value, request.messages):
        return value, repairs
    return list(fixed.messages), repairs


def _is_list_of(value: Iterable[Any], messages: Iterable[Message]) -> bool:
    """Whether a value is a list of these objects."""
    return isinstance(value, list) and all(map(is_, iter(value), messages))


def _repaired(request: Request, format: Format, policy: Policy, warnings: bool, whole: str) -> tuple[Request, list[Repair]]:
    """The repaired request, and its repairs with pointers into what is at the pointer `whole`."""
    draft: Draft | None = None
    faults = _faults(format)
    spent: set[int] = set()  # the treatments that have changed nothing since the last change
    for _ in range(_ROUNDS):
        found = _problems(request if draft is None else draft.request, format)
        found = [problem for problem in found if warnings or problem.severity == "error"]
        kinds: set[FaultKind | None] = {faults.get(problem.code) for problem in found}
        chosen = _first_for(kinds, _treatments(policy), spent)
        if chosen is None:
            break
        number, treatment = chosen
        draft = draft or Draft(request, format, faults)
        # Of several problems at one place, the first counts.
        codes = {each.path: each.code for each in reversed(found) if faults.get(each.code) in treatment.faults}
        if treatment.treat(draft, codes):
            spent.clear()
        else:
            spent.add(number)
    return (request, []) if draft is None else (draft.request, draft.repairs(len(whole)))


def _first_for(
    kinds: AbstractSet[FaultKind | None],
    known: Iterable[Treatment],
    spent: AbstractSet[int],
) -> tuple[int, Treatment] | None:
    """The first treatment of these kinds of faults that is not spent, with its number."""
    for number, treatment in enumerate(known):
        if number not in spent and not treatment.faults.isdisjoint(kinds):
            return number, treatment
    return None


def _faults(format: Format) -> dict[str, FaultKind]:
    """The kinds of faults that are treated, by the codes of the format's rules."""
    rules = () if format.rules is None else format.rules(format).rules
    return {rule.code: rule.fault for rule in rules if rule.fault is not None}


def _problems(request: Request, format: Format) -> list[Problem]:
    """The problems in what is sent, with pointers into the request."""
    d = new_dump(format, request.origin)
    body = format.dump(request, request.messages, d)
    return checking.of_dump(body, format, request, d.places, bare=False)
