"""The laws in one table, and how a run of one of them over many payloads is reported."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

import interlingua as il
from interlingua import FormatName
from interlingua.testing.lawbook import spoke, spoke_texts
from laws import laws, oracles, over
from laws.families import MAIN

# Judged on one format, and on a pair of formats.
ALONE: dict[str, Callable[[Any, FormatName], list[str]]] = {"law1": laws.law1, "law2": laws.law2, "law8": laws.law8}
PAIRED: dict[str, Callable[[Any, FormatName, FormatName], list[str]]] = {
    "law3": laws.law3,
    "law4": laws.law4,
    "law7": laws.law7,
}


def law3_by_spokes(payload: Any, source: FormatName, target: FormatName) -> list[str]:
    """No silent loss to a format whose wire no judge knows, and none on the way back."""
    there = spoke.Spoke.of(il.load(payload, source), il.FORMATS[target])
    back = spoke_texts.faults_of(there.back, il.FORMATS[source])
    return [*(f"there: {fault}" for fault in there.faults()), *(f"back: {fault}" for fault in back)]


# Judged on the canonical request, from any format to each of the main ones.
SPOKE: dict[str, Callable[[Any, FormatName, FormatName], list[str]]] = {"law3_by_spokes": law3_by_spokes, "law5": oracles.law5}

MOST = 8
"""How many targets a payload is converted to, where there are more of them: then each payload has others, in turn."""


def violations(law: str, payload: Any, source: FormatName) -> list[str]:
    """What one payload shows against a law, over its targets; an error that is not ours is a violation too."""
    if law in ALONE:
        return _held(ALONE[law], payload, source)
    judge = SPOKE.get(law) or PAIRED[law]
    targets = [name for name in MAIN if name != source] if law in SPOKE else _targets(payload, source)
    assert targets, f"nothing is judged of {source}"
    return [f"to {target}: {fault}" for target in targets for fault in _held(judge, payload, source, target)]


def _targets(payload: Any, source: FormatName) -> Sequence[FormatName]:
    names = laws.targets(source)
    first = crc32(json.dumps(payload, sort_keys=True).encode())
    return names if over.all_pairs else [names[(first + i) % len(names)] for i in range(min(MOST, len(names)))]


def _held(law: Callable[..., list[str]], *args: Any) -> list[str]:
    try:
        return law(*args)
    except Exception as error:  # noqa: BLE001 - any error is reported with the payload that caused it
        return [f": {type(error).__name__}: {str(error)[:300]}"]


def report(law: str, judged: Mapping[str, Iterable[str]], known: Mapping[tuple[str, str], str]) -> None:
    """Fail with every violation, the frequent reasons first; known exceptions must still be violations."""
    assert judged, "nothing was judged"
    found = {name: list(faults) for name, faults in judged.items()}
    stale = [name for name, faults in found.items() if not faults and (law, name) in known]
    lines = [f"{name}: {fault}" for name, faults in found.items() if (law, name) not in known for fault in faults]
    if lines or stale:
        kinds = Counter(line.split(": ", 2)[-1][:60] for line in lines).most_common(20)
        often = "\n".join(f"  {count:5} x {kind}" for kind, count in kinds)
        known_well = "".join(f"\nno longer an exception: {name}" for name in stale)
        raise AssertionError(f"{law}: {len(lines)} violations\n{often}\n" + "\n".join(lines[:200]) + known_well)
