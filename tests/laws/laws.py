"""The laws of a conversion, judged on one payload.

Each function takes a wire payload and gives the violations it finds as text, a pointer and a reason each; an empty list is
a pass. Nothing here knows how a conversion is made: payloads are read as the providers document them, and losses and places
are only checked against payloads. The functions under judgement can be replaced, so that the judges can be judged too.
"""

import copy
import itertools
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any, Protocol

from pydantic import ValidationError

import interlingua as il
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import (
    below,
    canonical,
    delete,
    difference,
    is_array,
    is_object,
    resolve,
    resolves,
    squeezed,
    tokens,
    under,
    without,
)
from interlingua.testing.lawbook.doors import mistaken
from laws.families import ANTHROPIC, CHAT
from laws.legs import LOST, Leg, Outcome, Reported
from laws.owners import (
    ALIASES,
    IN_REASONING,
    OFF,
    Key,
    Owner,
    choice_in,
    containers,
    is_off,
    is_result,
    marked,
    meaning,
    removed,
)


class Convert(Protocol):
    def __call__(self, payload: Any, *, source: il.FormatName, target: il.FormatName) -> Outcome: ...


def convert(payload: Any, *, source: il.FormatName, target: il.FormatName) -> Outcome:
    return il.convert(payload, source=source, target=target)


def dump_home(payload: Any, format: il.FormatName) -> Any:
    """Load and dump in one format; a dump to the same format that reports a loss has failed already."""
    return il.dump(il.load(payload, format), format, on_loss="raise")


def targets(source: il.FormatName) -> tuple[il.FormatName, ...]:
    """The other family first, then the dialects; others have the laws of one format and the spoke law."""
    if source not in (*CHAT, *ANTHROPIC):
        return ()
    order = (*CHAT, *ANTHROPIC) if source in ANTHROPIC else (*ANTHROPIC, *CHAT)
    return tuple(name for name in order if name != source)


def law1(payload: Any, format: il.FormatName) -> list[str]:
    """Canonical: what `to_dict` gives is read back as the same, through Python and through JSON text."""
    request = il.load(payload, format)
    found: list[str] = []
    plain = [message.to_dict() for message in request.messages]
    for way, data in (("Python", plain), ("JSON", json.dumps(plain))):
        again = il.validate(data)
        if again != list(request.messages) or canonical([m.to_dict() for m in again]) != canonical(plain):
            found.append(f": the messages are not read back as they were, through {way}")
    stored = type(request).model_validate_json(request.model_dump_json())
    home = il.dump(stored, format, on_loss="raise")
    if canonical(home) != canonical(payload):
        found.append(f": the request, stored as JSON and read back, is changed by its own format: {difference(payload, home)}")
    return found


def law2(payload: Any, format: il.FormatName, home: Callable[[Any, il.FormatName], Any] = dump_home) -> list[str]:
    """Same format, exact."""
    back = home(copy.deepcopy(payload), format)
    return [] if canonical(back) == canonical(payload) else [f": does not come back the same: {difference(payload, back)}"]


def law3(payload: dict[str, Any], source: il.FormatName, target: il.FormatName, convert: Convert = convert) -> list[str]:
    """No silent loss from source to target; the way back is the witness of what arrived."""
    payload = {
        key: value for key, value in payload.items() if key not in il.FORMATS[target].in_url
    }  # of which bodies say nothing
    if il.FORMATS[source].always_counts or il.FORMATS[target].always_counts:
        payload = _without_include_usage(payload)
    payload = _without_usual_options(_without_usual_display(payload, target))
    there = Leg.of(convert(copy.deepcopy(payload), source=source, target=target), payload, source, target)
    middle = there.outcome.payload
    back = Leg.of(convert(copy.deepcopy(middle), source=target, target=source), middle, target, source)
    found = [*_pointers(there, payload, "there"), *_pointers(back, middle, "back")]
    found += _additions(there, "there") + _additions(back, "back")
    found += _links(there)
    found += _direct(there)
    found += _round(there, back)
    return found


def _without_usual_options(payload: dict[str, Any]) -> dict[str, Any]:
    """A request that does not forbid what its stream would not have at another provider either."""
    options: Any = payload.get("stream_options")
    if not is_object(options):
        return payload
    kept = {key: value for key, value in options.items() if not (key in _STREAMED and value is False)}
    return {**without(payload, "stream_options"), **squeezed({"stream_options": kept})} if kept != options else payload


_STREAMED = ("include_usage", "include_obfuscation")


def _without_include_usage(payload: dict[str, Any]) -> dict[str, Any]:
    """A request that does not ask for the usage of its stream, which one of the two hosts always sends."""
    options: Any = payload.get("stream_options")
    if not is_object(options) or options.get("include_usage") is not True or payload.get("stream") is not True:
        return payload
    kept: dict[str, Any] = squeezed({"stream_options": without(options, "include_usage")})
    return {**without(payload, "stream_options"), **kept}


def _without_usual_display(payload: dict[str, Any], target: il.FormatName) -> dict[str, Any]:
    """A request that does not ask to show the reasoning where the target always does, or to hide it where it is never shown."""
    usual = il.FORMATS[target].unasked.get("thought_summaries", ())
    if {"parsed": "auto", "hidden": "none"}.get(str(payload.get("reasoning_format"))) in usual:
        payload = without(payload, "reasoning_format")
    thinking: Any = payload.get("thinking")
    display = thinking.get("display") if is_object(thinking) else None
    if {"summarized": "auto", "omitted": "none"}.get(str(display)) in usual:
        payload = {**payload, "thinking": without(thinking, "display")}
    reasoning: Any = payload.get("reasoning")
    if is_object(reasoning) and {"False": "auto", "True": "none"}.get(str(reasoning.get("exclude"))) in usual:
        payload = {**payload, "reasoning": without(reasoning, "exclude")}
    return payload


def _pointers(leg: Leg, payload: Any, way: str) -> Iterator[str]:
    for after, before in leg.outcome.places.items():
        if not resolves(leg.outcome.payload, after):
            yield f"{after}: a place that is not in the output ({way})"
        if not resolves(payload, before):
            yield f"{before}: a place that is not in the input ({way})"
    for loss in leg.outcome.losses:
        # What was added has no place in the input; its path is where it would stand.
        path = loss.path.rpartition("/")[0] if loss.kind == "added" else loss.path
        if not resolves(payload, path):
            yield f"{loss.path}: a loss whose path is not in the input ({way})"
        if loss.at is not None and not resolves(leg.outcome.payload, loss.at):
            yield f"{loss.path}: a loss whose `at` ({loss.at}) is not in the output ({way})"


def _additions(leg: Leg, way: str) -> list[str]:
    holders = containers(leg.after)
    return [
        f"{owner.pointer}: {owner.kind} made of nothing, and not reported as added ({way})"
        for owner in leg.after
        if leg.sources[owner.key] is None
        and owner.key not in holders
        and not leg.added(owner.pointer)
        # Made of several: places name one owner each, losses name them all.
        and not any(loss.at == owner.pointer for loss in leg.outcome.losses)
    ]


def _calls_of_results(owned: list[Owner]) -> dict[Key, Key | None]:
    """Each result with the call it answers: the last one before it that has its id, or None for an orphan."""
    latest: dict[str, Key] = {}
    found: dict[Key, Key | None] = {}
    # The results of calls without an id follow in their order, and may have the name of what was called.
    waiting: list[tuple[str, Key]] = []
    for owner in owned:
        own = owner.own
        id = own.get("tool_call_id") or own.get("tool_use_id")
        if owner.kind == "call" and "id" in own:
            latest[own["id"]] = owner.key
        elif owner.kind == "call":
            waiting.append((own["function"].get("name"), owner.key))
        elif is_result(owner) and id:
            found[owner.key] = latest.get(id)
        elif is_result(owner):
            called = next((each for each in waiting if own.get("name") in (None, each[0])), None)
            found[owner.key] = called and called[1]
            if called:
                waiting.remove(called)
    return found


def _links(leg: Leg) -> list[str]:
    """A result still answers the call that it answered: ids may change, the pairs may not."""
    found: list[str] = []
    after = _calls_of_results(leg.after)
    for result, call in _calls_of_results(leg.before).items():
        for image in leg.images.get(result, []):
            if image not in after:
                continue
            answered = after[image]
            if answered is None:
                if call is not None and leg.images.get(call):
                    found.append(f"{result[0]}: answers {call[0]} no longer")
            elif leg.sources[answered] != call:
                found.append(f"{result[0]}: answered {call and call[0]}, and now {answered[0]}")
    ids: dict[str, str] = {}
    by_key = {owner.key: owner for owner in leg.after}
    for owner in leg.before:
        old = owner.own.get("id") if owner.kind == "call" else None
        for image in leg.images.get(owner.key, []):
            new = by_key[image].own.get("id")
            if isinstance(old, str) and isinstance(new, str) and ids.setdefault(new, old) != old:
                found.append(f"{owner.pointer}: two ids became one")
    return found


def _direct(leg: Leg) -> list[str]:
    """What both sides can say is said alike there already, not only once it is back."""
    found: list[str] = []
    by_key = {owner.key: owner for owner in leg.after}
    for owner in leg.before:
        if (
            owner.kind == "message"
            or leg.reported(owner.pointer)
            or any(under(loss.path, owner.pointer) for loss in leg.outcome.losses)
        ):
            continue
        said = meaning(owner)
        for image in leg.images.get(owner.key, []):
            heard = meaning(by_key[image])
            if said is None or heard is None or by_key[image].kind == "message":
                continue
            if said.keys() != heard.keys() and by_key[image].kind == owner.kind and owner.kind == "part":
                found.append(f"{owner.pointer}: {next(iter(said))} became {next(iter(heard))}, and nothing reports it")
            found += [
                f"{owner.pointer}: {key} is not the same at {image[0]}"
                for key in said.keys() & heard.keys()
                if canonical(squeezed({key: said[key]})) != canonical(squeezed({key: heard[key]}))
            ]
    return found


def _round(there: Leg, back: Leg) -> list[str]:
    found: list[str] = []
    holders = containers(there.before, there.lost)
    finals = {owner.key: owner for owner in back.after}
    order = {owner.key: place for place, owner in enumerate(back.after)}
    # Messages and what they hold are two sequences: a message that joins another one's results starts where they start.
    unmoved: dict[bool, list[tuple[Owner, int]]] = {True: [], False: []}
    for owner in there.before:
        if owner.key in holders:
            continue
        middles = there.images.get(owner.key, [])
        images = [finals[key] for middle in middles for key in back.images.get(middle, [])]
        alike = [image for image in images if image.kind == owner.kind and is_result(image) == is_result(owner)]
        alike = alike or [image for image in images if image.kind == owner.kind]
        named = there.reported(owner.pointer)
        if not alike:
            if there.lost(owner.pointer) or any(back.lost(middle[0]) for middle in middles):
                continue  # the second conversion's losses are its own, and reported
            if any(_reported_in_parts(back, middle) for middle in middles):
                continue
            where = f"arrives at {middles[0][0]}, and is gone on the way back" if middles else "gone"
            what = f" (as {images[0].kind} {images[0].pointer})" if images else ""
            found.append(f"{owner.pointer}: {owner.kind} {where}{what}, and no loss reports it")
            continue
        if len(alike) > 1 and not named:
            found.append(f"{owner.pointer}: {owner.kind} comes back {len(alike)} times")
        if not named:
            found += _compared(owner, alike[0], middles, there, back)
            if not any(back.reported(middle[0], "moved", "changed") for middle in middles):
                found += _placed(owner, alike[0], there, back)
                unmoved[owner.kind == "message"].append((owner, order[alike[0].key]))
    for sequence in unmoved.values():
        for (_, place), (owner, later) in pairwise(sequence):
            if later <= place:
                found.append(f"{owner.pointer}: {owner.kind} is in another place among its neighbours, and no loss reports it")
    return found


def _reported_in_parts(leg: Leg, key: Key) -> bool:
    """Whether a message's own parts are all reported as lost, so that only the tool results beside them are left of it."""
    parts = [owner for owner in leg.before if owner.parent == key and not is_result(owner)]
    return key[1] and bool(parts) and all(leg.lost(part.pointer) for part in parts)


def _compared_paths(pointer: str, owner: str) -> list[list[str]]:
    """Where the view of an owner may have what is at a pointer below it."""
    path = below(pointer, owner)
    if path[-1:] == ["enable_thinking"]:
        return [path, ["thinking"]]
    if path == ["thinking_token_budget"]:
        return [path, ["thinking"], ["reasoning_effort"]]  # an effort may be sent in place of a budget
    if path == ["reasoning"]:
        return [path, *([name] for name in IN_REASONING.values())]
    if path[:1] == ["reasoning"] and path[1] in IN_REASONING:
        return [path, [IN_REASONING[path[1]]], ["reasoning_effort"]]  # the same
    if path in (["name"], ["arguments"], ["function", "name"], ["function", "arguments"]):
        return [path[-1:], ["function", path[-1]]]  # a call may be flat or nested
    if path in (["guided_json"], ["structured_outputs", "json"]):
        return [path, ["response_format"]]
    if path[:1] == ["messages"] and path[2:] == ["prefix"]:  # what continues the last message may be on the request
        return [path, ["continue_final_message"], ["add_generation_prompt"]]
    if path[:2] == ["response_format", "schema"]:
        return [path, ["response_format", "json_schema", *path[1:]]]
    return [path[1:]] if path[:2] == ["output_config", "effort"] else [path]


def _names(name: str, own: Mapping[str, Any]) -> Collection[str]:
    """The fields of an owner that say what this one says."""
    return OFF if name in OFF and is_off(own) else (name,)


def _compared(owner: Owner, image: Owner, middles: list[Key], there: Leg, back: Leg) -> list[str]:
    if any(back.reported(middle[0], "changed", *LOST) for middle in middles):
        return []
    first, last = copy.deepcopy(owner.own), copy.deepcopy(image.own)
    for loss in there.outcome.losses:
        if loss.kind == "added" or not under(loss.path, owner.pointer):
            for middle in middles:  # what came from nowhere, or from elsewhere
                if loss.at is not None and under(loss.at, middle[0]):
                    for path in _compared_paths(loss.at, middle[0]):
                        for name in _names(path[0], last):
                            delete(last, [name, *path[1:]])
                    if owner.kind != "request":  # it may come back under another name
                        last = {name: value for name, value in last.items() if name in first}
                    if owner.kind == "tool" and "function" in last:
                        last["function"] = {key: value for key, value in last["function"].items() if key in first["function"]}
        else:
            for path in _compared_paths(loss.path, owner.pointer):
                for name in {*_names(path[0], first), ALIASES.get(path[0], path[0])}:
                    delete(first, [name, *path[1:]])
                    delete(last, [name, *path[1:]], items=loss.kind != "dropped")
    for loss in back.outcome.losses:
        views = (last,) if loss.kind == "added" else (first, last)
        for middle in middles:
            for path in _compared_paths(loss.path, middle[0]) if under(loss.path, middle[0]) else ():
                at = ["user"] if path == ["metadata", "user_id"] else path
                for view in views:
                    for name in {*_names(at[0], view), ALIASES.get(at[0], at[0])}:
                        delete(view, [name, *at[1:]])
        if loss.at is not None and under(loss.at, image.pointer):
            field = loss.at[len(image.pointer) :]
            if loss.kind == "added" and _same_at(last, field, first, field):
                continue  # what was there before is there again
            for view, path in itertools.product(views, _compared_paths(loss.at, image.pointer)):
                for name in _names(path[0], view) if path else ():
                    delete(view, [name, *path[1:]])
    call = _calls_of_results(there.before).get(owner.key)
    called = () if call is None else there.images.get(call, ())
    renamed = call is not None and (there.reported(call[0]) or there.reported(f"{call[0]}/id"))
    if renamed or any(back.reported(f"{middle[0]}/id") for middle in called):
        # A new id is reported once, where it is given; that the pairs hold is judged by itself.
        first, last = (without(view, "tool_call_id", "tool_use_id") for view in (first, last))
    first, last = marked(first), marked(last)
    if owner.kind == "request":  # whose empty fields say nothing, and are no loss
        first, last = ({name: value for name, value in view.items() if value != {}} for view in (first, last))
        sent = [any(each.kind == "tool" for each in leg.after) for leg in (there, back)]
        if choice_in(first) == "none" and not all(sent):
            first, last = (without(view, "tool_choice") for view in (first, last))  # no tool was sent that could be called
    if canonical(first) == canonical(last):
        return []
    return [f"{owner.pointer}: {owner.kind} is not what comes back at {image.pointer}: {difference(first, last)}"]


def _placed(owner: Owner, image: Owner, there: Leg, back: Leg) -> list[str]:
    """A part is still in its message, a nested part in its result."""
    if owner.parent is None or image.parent is None or owner.kind in ("message", "tool"):
        return []
    if there.reported(owner.parent[0]) or owner.parent in containers(there.before):
        return []
    line: set[Key | None] = set()
    middle = back.sources[image.parent]
    if middle is not None:
        line.add(there.sources.get(middle))
        # A message of tool results goes by the name of the first result in it.
        line.update(key for key in [there.sources.get(middle)] if key is not None)
    if owner.parent in line or is_result(owner):
        return []
    return [f"{owner.pointer}: {owner.kind} stood in {owner.parent[0]}, comes back in {image.parent[0]}, and no loss says so"]


def law4(payload: dict[str, Any], source: il.FormatName, target: il.FormatName, convert: Convert = convert) -> list[str]:
    """No phantom loss."""
    outcome = convert(copy.deepcopy(payload), source=source, target=target)
    if not share.judged(bool(outcome.losses), least=0.3, of="conversions with losses"):
        return []
    there = Leg.of(outcome, payload, source, target)
    back: Leg | None = None
    found: list[str] = []
    for place, loss in enumerate(outcome.losses):
        reported = f"{loss.path}: reported as {loss.kind}"
        if any((loss.path, loss.at, loss.kind) == (other.path, other.at, other.kind) for other in outcome.losses[:place]):
            found.append(f"{reported} twice")
        if loss.kind != "added" and not resolves(payload, loss.path):
            found.append(f"{reported}, but not in the input")
        elif loss.kind in LOST:
            found += _still_there(loss, payload, source, target, there, convert)
        elif loss.kind == "added":
            if loss.at is None:
                found.append(f"{reported}, but not where")
            elif loss.at in outcome.places:
                found.append(f"{reported} at {loss.at}, which is made of something")
        elif loss.path == "":
            found.append(f"{reported}: the whole request, where a field would do")
        else:
            if back is None:
                back = Leg.of(
                    convert(copy.deepcopy(outcome.payload), source=target, target=source), outcome.payload, target, source
                )
            found += _unchanged(loss, reported, payload, there, back)
    return found


def _with_texts(value: Any) -> Any:
    """The payload with content that is one plain text as a string: both mean the same."""
    if is_array(value):
        return [_with_texts(item) for item in value]
    if not is_object(value):
        return value
    made = {key: _with_texts(item) for key, item in value.items()}
    content = made.get("content")
    if is_array(content) and len(content) == 1 and is_object(content[0]) and content[0].keys() == {"type", "text"}:
        made["content"] = content[0]["text"]
    return made


def _still_there(
    loss: Reported, payload: dict[str, Any], source: il.FormatName, target: il.FormatName, there: Leg, convert: Convert
) -> list[str]:
    if loss.path == "":
        return [f": reported as {loss.kind}: the whole request"]
    images = [key for owner in there.before if owner.pointer == loss.path for key in there.images.get(owner.key, [])]
    if images and loss.path != "/system":
        return [f"{loss.path}: reported as {loss.kind}, but it is at {images[0][0]}"]
    tried = False
    for candidate in removed(payload, loss.path):
        try:
            outcome = convert(candidate, source=source, target=target)
        except (il.InterlinguaError, ValidationError):
            continue  # what was removed is required there; the next spelling of absence may do
        tried = True
        if canonical(_with_texts(outcome.payload)) == canonical(_with_texts(there.outcome.payload)):
            share.judged(True, least=0.95, of="losses that can be left out")
            return []
    if not share.judged(tried, least=0.95, of="losses that can be left out"):
        return []
    return [f"{loss.path}: reported as {loss.kind}, but without it the payload is another"]


def _unchanged(loss: Reported, reported: str, payload: dict[str, Any], there: Leg, back: Leg) -> list[str]:
    """For changed and moved: the owner's image must differ from it in meaning, in its own fields, or in where it stands."""
    held = [owner for owner in there.before if owner.pointer == loss.path or under(loss.path, owner.pointer)]
    owner = max(held, key=lambda owner: (len(tokens(owner.pointer)), owner.kind == "message"))
    after = {owner.key: owner for owner in there.after}
    images = [after[key] for key in there.images.get(owner.key, [])]
    if not images and loss.at is not None and any(key[0] == loss.at for key in after):
        return []  # become a part of what is there
    if not images and loss.at is not None and there.outcome.places.get(loss.at) == loss.path:
        return []  # become a field of the request
    if not images:
        children = [child for child in there.before if child.parent == owner.key]
        if any(there.images.get(child.key) for child in children):
            return []  # taken up by another message
        return [f"{reported}, but it has no image: it is dropped"]
    finals = {owner.key: owner for owner in back.after}
    returned = [finals[key] for image in images for key in back.images.get(image.key, []) if finals[key].kind == owner.kind]
    if not returned or meaning(owner) is None or len(images) > 1 or len(returned) > 1:
        return []
    if ("cache_control" in marked(owner.own)) != ("cache_control" in marked(images[0].own)):
        return []  # which the way back may not carry
    said, heard = meaning(owner), meaning(images[0])
    if said is None or heard is None or canonical(squeezed(said)) != canonical(squeezed(heard)):
        return []
    field = loss.path[len(owner.pointer) :]
    if field and not _same_at(payload, loss.path, back.outcome.payload, returned[0].pointer + field):
        return []  # another spelling is a change, if a small one
    if canonical(owner.own) != canonical(returned[0].own) or _elsewhere(owner, images[0], there):
        return []
    if owner.kind == "message" and (
        _children_differ(owner, images[0], there) or _children_differ(images[0], returned[0], back)
    ):
        return []
    return [f"{reported}, but its image at {images[0].pointer} is the same"]


def _same_at(one: Any, here: str, other: Any, there: str) -> bool:
    return resolves(one, here) and resolves(other, there) and canonical(resolve(one, here)) == canonical(resolve(other, there))


def _elsewhere(owner: Owner, image: Owner, leg: Leg) -> bool:
    """Whether an image stands under another parent, or on another side of a neighbour."""
    if owner.parent is None or image.parent is None:
        return False
    if leg.sources[image.parent] != owner.parent:
        return True
    before = {o.key: place for place, o in enumerate(leg.before)}
    after = {o.key: place for place, o in enumerate(leg.after)}
    for other in leg.before:
        if other.parent != owner.parent or other.key == owner.key:
            continue
        for key in leg.images.get(other.key, []):
            if (before[other.key] < before[owner.key]) != (after[key] < after[image.key]):
                return True
    return False


def _children_differ(owner: Owner, image: Owner, leg: Leg) -> bool:
    before = [child.key for child in leg.before if child.parent == owner.key]
    after = [leg.sources[child.key] for child in leg.after if child.parent == image.key]
    return before != after


def law7(payload: Any, source: il.FormatName, target: il.FormatName) -> list[str]:
    """Nothing passed in is mutated or kept, and nothing but our errors is raised; the front door's ways agree."""
    return mistaken(payload, source, target)


def law8(payload: Any, format: il.FormatName) -> list[str]:
    """Loading is total."""
    try:
        il.load(copy.deepcopy(payload), format)
    except (il.InterlinguaError, ValidationError) as error:
        return [f": refused: {type(error).__name__}: {str(error)[:300]}"]
    return []
