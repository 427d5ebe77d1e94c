"""Laws of one format's requests: what is read, what is refused, and what comes back."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from pydantic import ValidationError

from ...codec.format import Format
from ...codec.strategies.primitives import json_values
from ...conversion.detection import Detected, known_shapes, likeliest
from ...conversion.requests import dump, load, validate
from ...errors import InvalidPayload
from ...formats import FORMATS, format_of
from ..faults import malformed
from ..wire import payloads
from . import share
from .documents import canonical, difference, is_json
from .drawn import defaced, spoilt, written_alike
from .law import Enact, Trial

JSON = json_values(max_leaves=20)


def not_exact(payload: Any, format: Format) -> Iterator[str]:
    """Where a dump to the format that a request was loaded from is not what was loaded."""
    back = dump(load(payload, format), format, on_loss="raise")
    if canonical(back) != canonical(payload):
        yield f"it does not come back the same: {difference(payload, back)}"


def same_format_exact(format: Format) -> Trial:
    """A request that is loaded and dumped in the format is the same JSON, whether it came as a dict or as text."""

    def judge(payload: Any) -> Iterator[str]:
        yield from not_exact(copy.deepcopy(payload), format)
        if is_json(payload):
            back = dump(load(json.dumps(payload), format), format, on_loss="raise")
            if canonical(back) != canonical(payload):
                yield f"as text, it does not come back the same: {difference(payload, back)}"

    return Trial(payloads(format), judge)


def missing_fields_stay_missing(format: Format) -> Trial:
    """A request that lacks something, or has null or an unknown field for it, comes back the same if it is read at all."""

    def judge(bodies: list[Any]) -> Iterator[str]:
        for payload in bodies:
            if share.judged(_is_read(payload, format), least=0.15):
                yield from not_exact(payload, format)

    sound = st.shared(payloads(format), key="sound")
    return Trial(st.lists(defaced(sound), min_size=3, max_size=3), judge)


def _is_read(payload: Any, format: Format) -> bool:
    try:
        load(payload, format)
    except InvalidPayload:
        return False
    return True


def canonical_messages_are_read_back(format: Format) -> Trial:
    """What `to_dict` gives of loaded messages is read back as the same, from data and from text, and so is a stored request."""

    def judge(payload: Any) -> Iterator[str]:
        request = load(payload, format)
        dicts = [message.to_dict() for message in request.messages]
        for way, data in (("data", dicts), ("text", json.dumps(dicts))):
            again = validate(data)
            if again != [*request.messages] or canonical([message.to_dict() for message in again]) != canonical(dicts):
                yield f"the messages are not read back as they were, from {way}"
        home = dump(type(request).model_validate_json(request.model_dump_json()), format, on_loss="raise")
        if canonical(home) != canonical(payload):
            yield f"the request, stored as text and read back, is changed by its own format: {difference(payload, home)}"

    return Trial(payloads(format), judge)


def schema_accepts_what_load_accepts(format: Format) -> Trial:
    """The wire types, which are the JSON Schema of a request, accept what `load` accepts, and nothing else."""

    def judge(payload: Any) -> Iterator[str]:
        try:
            format.adapter().validate_python(copy.deepcopy(payload))
        except ValidationError as error:
            refused = str(error)[:200]
        else:
            refused = ""
        try:
            format.load(copy.deepcopy(payload))
        except ValidationError as error:
            if not refused:
                yield f"`load` refuses what the schema accepts: {str(error)[:200]}"
        else:
            if refused:
                yield f"`load` accepts what the schema refuses: {refused}"
        share.judged(not refused, least=0.1)

    some = payloads(format)
    return Trial(some | spoilt(some) | spoilt(some), judge)


def one_fault_is_one_error(format: Format) -> Trial:
    """A request with one thing wrong gives one `InvalidPayload` with one fault, which points at it."""

    def judge(case: tuple[Any, str]) -> Iterator[str]:
        payload, pointer = case
        try:
            load(payload, format)
        except InvalidPayload as error:
            paths = [fault.path for fault in error.faults]
            if paths != [pointer]:
                yield f"the fault is at {pointer}, and the error points at {paths}"
        else:
            yield f"what is wrong at {pointer} is accepted"

    return Trial(malformed(format), judge)


def anything_else_is_refused_as_invalid(format: Format) -> Trial:
    """Whatever JSON is loaded, it is read or it raises `InvalidPayload`, and it is not changed."""

    def judge(payload: Any) -> Iterator[str]:
        before = canonical(payload)
        _is_read(payload, format)
        if canonical(payload) != before:
            yield "it was changed"

    listed = st.fixed_dictionaries({format.listed: st.lists(JSON, max_size=3)})
    return Trial(JSON | listed | spoilt(payloads(format)), judge)


def detected(payload: Any, format: Format) -> list[Detected]:
    """What a payload looks like, by the marks of the format in place of those that its name has in the table."""
    own = format.marks().shapes if format.marks is not None else ()
    replaced = {format.name, *(shape.format for shape in own)}
    return likeliest(payload, (*own, *(shape for shape in known_shapes() if shape.format not in replaced)))


def requests_are_detected(format: Format) -> Trial | None:
    """What `detect` says of a request names the format, or one that writes the same shape."""
    if format.marks is None:
        return None

    def judge(payload: Any) -> Iterator[str]:
        found = detected(payload, format)
        named = {one.format for one in found if one.kind == "request"}
        is_known = bool(named & written_alike(format))
        # A list of nothing, or of texts alone, has no shape.
        has_shape = any("[]" in reason for one in found for reason in one.reasons)
        if share.judged(is_known or has_shape, least=0.3):
            is_own = is_known or not any(_takes(name, payload) for name in named)
            if share.judged(is_own, least=0.7, of="requests that are no other format's too") and not is_known:
                yield f"it looks like {sorted(named) or 'no request'}"
        if has_shape and found[0].kind != "request":
            yield f"it looks like a {found[0].kind} first"

    return Trial(payloads(format, odd=False), judge)


def _takes(name: str, payload: Any) -> bool:
    """Whether a payload is a request of this format, too."""
    if name in FORMATS:
        try:
            load(payload, format_of(name))
        except InvalidPayload:
            return False
    return True


def copies_are_the_format(format: Format) -> Trial:
    """A deep copy is the format itself, and a pickle is read as it: by its name, which must be registered, or its profile."""

    def judge(_: Any) -> Iterator[str]:
        if copy.deepcopy(format) is not format:
            yield "a deep copy is another object"
        again: Format = pickle.loads(pickle.dumps(format))  # noqa: S301 -- our own data
        if (again.name, again.family, again.profile) != (format.name, format.family, format.profile):
            yield "a pickle is read as another format"
        if format.made_for is None and format_of(format.name).name != format.name:
            yield "its name is that of another format"

    return Trial(st.none(), judge)


LAWS: tuple[Enact, ...] = (
    same_format_exact,
    missing_fields_stay_missing,
    canonical_messages_are_read_back,
    schema_accepts_what_load_accepts,
    one_fault_is_one_error,
    anything_else_is_refused_as_invalid,
    requests_are_detected,
    copies_are_the_format,
)
