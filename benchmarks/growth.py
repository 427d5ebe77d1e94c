"""Measures how the time of every public call grows when its input doubles, and prints each call beside both ratios.

A call that does its work once for everything in its input takes twice the time for twice the input. A ratio above `MOST` shows
work that is repeated. `make growth ARGS=restream` measures only the rows with this word in their name. The time is that of the
process, without garbage collection, and the best of several, so that a busy machine changes it little.
`tests/laws/test_growth.py` counts the steps of the same calls.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from time import process_time
from typing import Any, Literal, NamedTuple, TypeAlias

import hostile
from pydantic import TypeAdapter, ValidationError

import interlingua as il

LEAST = 0.005
"""Seconds that the call with the smallest input takes."""
MOST = 2.3
"""By how much a call may take longer when its input doubles."""
TRIES = 6
"""How often a ratio above the limit is measured again: the best of several times shows growth and no noise."""
LARGEST = 2**13
"""The largest size to begin with; a call that is faster even then does not depend on the size."""

Make: TypeAlias = Callable[[int], Any]
"""Builds an input of a size."""

HUBS: tuple[il.FormatName, ...] = ("openai_chat", "anthropic")
TARGETS: tuple[il.FormatName, ...] = (*HUBS, "openrouter", "openai_responses", "gemini", "bedrock_converse")
REPAIRED: tuple[il.FormatName, ...] = ("openai_chat", "anthropic", "gemini")


class Row(NamedTuple):
    """A public call, with its input by size; `make` is not measured."""

    name: str
    make: Make
    call: Callable[[Any], object]


def seconds(row: Row, given: Any) -> float:
    """The time that the call takes."""
    gc.collect()
    gc.disable()
    start = process_time()
    row.call(given)
    taken = process_time() - start
    gc.enable()
    return taken


def measure(row: Row) -> tuple[int, list[float]]:
    """The smallest of three sizes, each twice the one before, and the seconds that each takes."""
    row.call(row.make(2))  # what is done once
    size = 32
    while (least := seconds(row, row.make(size))) < LEAST and size < LARGEST:
        size *= 2 if least > LEAST / 4 else 4
    inputs = [row.make(size << step) for step in range(3)]
    found = [seconds(row, given) for given in inputs]
    for _ in range(TRIES):
        if grows(found):
            found = [min(best, seconds(row, given)) for best, given in zip(found, inputs, strict=True)]
    return size, found


def grows(found: list[float]) -> bool:
    """Whether a doubling takes too much longer; what takes no time to speak of does not."""
    return found[-1] > LEAST and any(later > MOST * earlier for earlier, later in pairwise(found))


KNOWN = {"anthropic, a new count in each end": "each event has the whole usage so far, and the usage grows"}
"""Rows that grow faster than their input, by a part of their name, and why."""


def known(row: Row) -> str | None:
    """Why the row may grow faster than its input; None where it may not."""
    return next((reason for part, reason in KNOWN.items() if part in row.name), None)


# The rows


def rows() -> Iterator[Row]:
    """Every public call with every input that it may get."""
    for family in HUBS:
        for shape, requests in hostile.REQUESTS[family].items():
            yield from _of_request(family, shape, requests)
        for shape, responses in hostile.RESPONSES[family].items():
            yield from _of_response(family, shape, responses)
        for shape, chunks in hostile.STREAMS[family].items():
            yield from _of_stream(family, shape, chunks)
        for shape, bad in hostile.BAD_REQUESTS.items():
            yield Row(f"load {family}, {shape}", bad, partial(_load, source=family))
        for shape, broken in hostile.BAD_STREAMS.items():
            yield Row(f"reader {family}, {shape}", broken, partial(_read_broken, family=family))
        for shape, errors in hostile.ERRORS.items():
            yield Row(f"load_response {family}, {shape}", errors, partial(_fail, family=family))
    for shape, canonical in hostile.CANONICAL.items():
        yield from _of_messages(f"canonical, {shape}", canonical)
    for shape, payload in (hostile.REQUESTS["openai_chat"] | hostile.BAD_REQUESTS).items():
        yield Row(f"detect {shape}", payload, il.detect)
        yield Row(f"load what is found out, {shape}", payload, partial(_load, source="auto"))
    for (format, shape), body in CHECKED.items():
        yield Row(f"check {format}, {shape}", body, partial(il.check, format=format))
    yield Row("template_report of a long template", _long_template, il.template_report)
    yield Row("check hf_chat_template with a template", _chat, partial(il.check, format="hf_chat_template", template=_TEMPLATE))
    yield Row("training_mask", _chat, partial(il.training_mask, template=_TEMPLATE))
    yield from _of_bodies()
    yield from _of_schemas()
    yield from _of_text()
    yield from _of_results()


def _long_template(n: int) -> str:
    return "{{ messages[0].content }}" * n


_TEMPLATE = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}{% for t in tools or [] %}{{ t | tojson }}{% endfor %}"
)


def _chat(n: int) -> Any:
    """A history whose texts arrive and whose reasoning does not."""
    turn = [{"role": "user", "content": "text"}, {"role": "assistant", "content": "text", "reasoning_content": "text"}]
    return {"messages": turn * n}


def _in_one(listed: str, role: str, key: str, held: list[Any]) -> Any:
    """A body with one message."""
    return {listed: [{"role": role, key: held}]}


_TEXT: Any = {"text": ""}
_RESULT: Any = {"functionResponse": {"name": "f", "response": {"a": 1}}}
_CALLING: Any = {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}
_THOUGHT: Any = {"type": "reasoning", "id": "rs_" + "0" * 48, "summary": []}
_POINT: Any = {"cachePoint": {"type": "default"}}


CHECKED: dict[tuple[il.FormatName, str], Make] = {
    ("gemini", "empty texts in a row"): lambda n: _in_one("contents", "user", "parts", [_TEXT] * n),
    ("gemini", "texts beside results"): lambda n: _in_one("contents", "user", "parts", [_TEXT, _RESULT] * n),
    ("gemini", "contents with calls in a row"): lambda n: {"contents": [_CALLING] * n},
    ("openai_responses", "reasoning in a row"): lambda n: {"input": [_THOUGHT] * n},
    ("bedrock_converse", "cache points in a row"): lambda n: _in_one("messages", "user", "content", [_POINT] * n),
}
"""Bodies of other formats whose faults are next to one another."""


_BODIES: dict[il.FormatName, Any] = {"openai_chat": il.OpenaiChatBody, "anthropic": il.Checked[il.AnthropicBody]}
_MISTAKEN: dict[str, Make] = {
    "unknown roles": lambda n: {"messages": [{"role": "usr", "content": "a"}] * n},
    "unknown fields of one message": lambda n: {
        "messages": [{"role": "user", "content": "a", **{f"nam{i}": i for i in range(n)}}]
    },
    "misspelled fields": lambda n: {"messages": [{"role": "user", "content": "a"}] * n, "temprature": 1},
}


def _of_bodies() -> Iterator[Row]:
    """Typed bodies."""
    for family, body in _BODIES.items():
        for shape, requests in (hostile.REQUESTS[family] | hostile.BAD_REQUESTS | _MISTAKEN).items():
            yield Row(f"body {family}, {shape}", requests, partial(_validate_body, TypeAdapter[Any](body)))


def _validate_body(body: TypeAdapter[Any], wire: Any) -> object:
    try:
        return body.validate_python(wire)
    except ValidationError as error:
        return il.error_body(error), error.errors()


def _of_request(family: il.FormatName, shape: str, make: Make) -> Iterator[Row]:
    def loaded(n: int) -> il.Request:
        return il.load(make(n), family)

    def messages(n: int) -> Any:
        return loaded(n).messages

    at = f"{family}, {shape}"
    yield Row(f"load {at}", make, partial(_load, source=family))
    yield Row(f"check {at}", make, partial(il.check, format=family))
    for target in TARGETS:
        yield Row(f"convert {at}, to {target}", make, partial(_convert, source=family, target=target))
    for target in HUBS:
        yield Row(f"dump {at}, to {target}", messages, partial(_dump, target=target))
        yield Row(f"dump as text {at}, to {target}", messages, partial(_dump_as_text, target=target))
    yield Row(f"Request {at}", loaded, _use)
    yield from _of_messages(at, lambda n: [message.to_dict() for message in loaded(n).messages])


def _of_messages(at: str, make: Make) -> Iterator[Row]:
    def valid(n: int) -> list[il.Message]:
        try:
            return il.validate(make(n))
        except il.InvalidPayload:
            return []

    yield Row(f"validate {at}", make, _validate)
    if valid(1):
        yield Row(f"Message {at}", valid, _use_messages)
        yield Row(f"units {at}", valid, il.units)
        if at.startswith("anthropic"):  # the outline of a message is the same wherever that comes from
            yield Row(f"outline {at}", valid, il.outline)
            yield Row(f"html {at}", valid, il.html)
            yield Row(f"show {at}", valid, _show)
            yield Row(f"diff {at}", valid, _differ)
        yield Row(f"merge_runs {at}", valid, il.merge_runs)
        yield Row(f"strip_reasoning {at}", valid, il.strip_reasoning)
        yield Row(f"fingerprint {at}", valid, il.fingerprint)
        for target in REPAIRED:
            yield Row(f"repair {at}, for {target}", valid, partial(il.repair, format=target))
        yield Row(f"trim {at}", valid, partial(il.trim, keep=4, count=lambda _: 1))
        yield Row(f"ChatMessageBuilder {at}", valid, _build)


def _of_response(family: il.FormatName, shape: str, make: Make) -> Iterator[Row]:
    def loaded(n: int) -> il.Response:
        return il.load_response(make(n), family)

    at = f"{family}, {shape}"
    yield Row(f"load_response {at}", make, partial(il.load_response, source=family))
    yield Row(f"Response {at}", loaded, _use)
    for target in HUBS:
        yield Row(f"dump_response {at}, to {target}", loaded, partial(il.dump_response, target=target, on_loss="ignore"))
        fill = partial(il.dump_response, target=target, on_loss="ignore", fill=True)
        yield Row(f"dump_response filled {at}, to {target}", loaded, fill)


def _of_stream(family: il.FormatName, shape: str, make: Make) -> Iterator[Row]:
    at = f"{family}, {shape}"
    yield Row(f"reader {at}", make, partial(_read, family=family))
    yield Row(f"ChatMessageBuilder {at}", make, partial(_build_from_stream, family=family))
    for target in TARGETS:
        yield Row(f"writer {at}, to {target}", partial(_events, make, family), partial(_write, target=target))


def _of_schemas() -> Iterator[Row]:
    """Schemas to adapt."""
    for shape, make in _SCHEMAS.items():
        for target in ("openai_chat", "anthropic"):
            yield Row(f"adapt_schema {shape}, for {target}", make, partial(_adapt, target=target))
        yield Row(f"adapt_schema {shape}, for Gemini's subset", make, partial(_adapt, target=_OLDER_GEMINI))


_OLDER_GEMINI = il.format_for(il.GeminiProfile(openapi_schemas=True), "gemini_older")


def _adapt(schema: Any, target: il.FormatName | il.Format) -> None:
    il.adapt_schema(schema, target, strict=True)


def _properties(n: int, each: Any, **more: Any) -> Any:
    return {"type": "object", "properties": {f"p{i}": each for i in range(n)}, **more}


_SCHEMAS: dict[str, Make] = {
    "properties": lambda n: _properties(n, {"type": "array", "minItems": 3, "oneOf": [{"type": "string"}]}),
    "a union": lambda n: {"oneOf": [_properties(2, {"const": i}) for i in range(n)]},
    "references": lambda n: {
        **_properties(n, {"$ref": "#/$defs/p0", "description": "a"}),
        "$defs": {f"p{i}": _properties(1, {"$ref": f"#/$defs/p{i + 1}"}) for i in range(n)},
    },
    "alternatives": lambda n: _properties(
        1, {**_properties(n, {"const": "a"}), "anyOf": [{"minProperties": i} for i in range(n)]}
    ),
}


def _of_text() -> Iterator[Row]:
    """Calls that get text or bytes, and differ only in that from others, or that are made of others."""
    for family in HUBS:
        for shape in ("messages", "a long text", "unknown fields of a message"):
            text = partial(_as_text, hostile.REQUESTS[family][shape])
            yield Row(f"load of JSON {family}, {shape}", text, partial(_load, source=family))
        for shape in ("texts", "a long text", "pings"):
            chunks, at = hostile.STREAMS[family][shape], f"{family}, {shape}"
            for size in (1, 1000):
                yield Row(f"feed_bytes by {size} {at}", partial(_pieces, chunks, size), partial(_read_bytes, family=family))
            yield Row(f"accumulate {at}", partial(_events, chunks, family), il.accumulate)
            for target in HUBS:
                yield Row(f"restream {at}, to {target}", chunks, partial(_restream, source=family, target=target))
                fill = partial(_restream, source=family, target=target, fill=il.Fill(id="x"))
                yield Row(f"restream filled {at}, to {target}", chunks, fill)
            yield Row(f"sse {at}", chunks, partial(_send, family=family))
    for shape, messages in hostile.CANONICAL.items():
        yield Row(f"validate of JSON canonical, {shape}", partial(_as_text, messages), _validate)
    yield Row("load_batch", _lines, _load_batch)


def _of_results() -> Iterator[Row]:
    for shape, id, other in (
        ("in order", "{}", "{}"),
        ("of one id", "x", "x"),
        ("of no call", "{}", "x"),
        ("missing", "{}", ""),
    ):
        yield Row(f"tool_results {shape}", partial(_answer_and_results, id, other), _answer)
    yield Row("ChatMessageBuilder appends", int, _append)
    yield Row("tool_use_ids", _results, il.tool_use_ids)
    yield Row("is_tool_result", _results, il.is_tool_result)
    yield Row("Conversation", _stored, _use)


def _results(n: int) -> hostile.Wire:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"{i}"} for i in range(n)]}


def _stored(n: int) -> il.Conversation:
    return il.validate({"version": 1, "messages": [{"role": "user", "content": "a"}] * n}, il.Conversation)


def _events(make: Make, family: il.FormatName, n: int) -> list[il.Event]:
    reader = il.reader(family)
    return [event for chunk in make(n) for event in reader.feed(chunk)]


def _as_text(make: Make, n: int) -> str:
    return json.dumps(make(n))


def _pieces(make: Make, size: int, n: int) -> list[bytes]:
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in make(n)).encode()
    return [body[at : at + size] for at in range(0, len(body), size)]


def _answer_and_results(id: str, other: str, n: int) -> tuple[Any, Any]:
    calls = [{"id": id.format(i), "name": "a", "arguments": "{}"} for i in range(n)]
    results = [{"id": other.format(i), "content": "a"} for i in range(n)]
    return il.validate([{"role": "assistant", "tool_calls": calls}])[0], results if other else []


# What the rows call


def _faults(error: il.InvalidPayload) -> object:
    """Everything that an error can be asked for."""
    return il.error_body(error), str(error), error.errors


def _load(wire: Any, source: il.FormatName | Literal["auto"]) -> object:
    try:
        return il.load(wire, source)
    except il.InvalidPayload as error:
        return _faults(error)


def _validate(data: Any) -> object:
    try:
        return il.validate(data)
    except il.InvalidPayload as error:
        return _faults(error)


def _answer(given: tuple[Any, Any]) -> object:
    try:
        return il.tool_results(*given)
    except il.InvalidPayload as error:
        return _faults(error)


def _convert(wire: Any, source: il.FormatName, target: il.FormatName) -> object:
    return il.convert(wire, source=source, target=target)


def _dump(messages: Any, target: il.FormatName) -> object:
    return il.dump(messages, target, on_loss="ignore")


def _dump_as_text(messages: Any, target: il.FormatName) -> object:
    return il.dump(messages, target, on_loss="ignore", foreign_reasoning="text", media="placeholder")


def _use(model: Any) -> object:
    return model.to_dict(), model == model.replace(), hash(model), model.model_dump_json(), {**model}


def _show(messages: list[Any]) -> object:
    file = io.StringIO()
    il.show(messages, reasoning=True, file=file)
    return file.getvalue()


def _differ(messages: list[Any]) -> object:
    others = [*messages[1:], *messages[:1]]
    return [il.diff(messages, others, exact=exact).to_dict() for exact in (False, True)]


def _use_messages(messages: list[Any]) -> object:
    return [
        [_use(message), message.text, message.tool_uses, message.thinking, message.parts]
        + [getattr(message, name)() for name in ("to_flat", "to_blocks") if hasattr(message, name)]
        for message in messages
    ]


def _build(messages: list[Any]) -> object:
    builder = il.ChatMessageBuilder("Be brief.")
    for half in (messages[: len(messages) // 2], messages[len(messages) // 2 :]):
        for message in half:
            builder.append(message)
        builder.dump_openai(True, on_loss="ignore")
        builder.dump_anthropic(on_loss="ignore")
        builder.get_unresolved_tool_use_blocks()
    return builder.dump("openrouter", on_loss="ignore"), builder.messages, builder.system_prompt


def _append(n: int) -> object:
    builder = il.ChatMessageBuilder()
    for i in range(n):
        builder.append_openai_message({"role": "assistant", "content": "", "tool_calls": [hostile.chat_call(i)]})
        builder.append_tool_result(f"call_{i}", "text")
    return builder.get_unresolved_tool_use_blocks()


def _build_from_stream(chunks: list[Any], family: il.FormatName) -> object:
    builder = il.ChatMessageBuilder()
    append = builder.append_openai_delta if family == "openai_chat" else builder.append_anthropic_event
    return [append(chunk) for chunk in chunks], builder.messages


def _read(chunks: list[Any], family: il.FormatName) -> object:
    reader = il.reader(family)
    return [(reader.feed(chunk), reader.complete) for chunk in chunks], reader.response


def _read_broken(chunks: list[Any], family: il.FormatName) -> object:
    reader = il.reader(family)
    for chunk in chunks:
        with contextlib.suppress(il.StreamError):
            reader.feed(chunk)
    return reader.complete


def _read_bytes(pieces: list[bytes], family: il.FormatName) -> object:
    reader = il.reader(family)
    return [reader.feed_bytes(piece) for piece in pieces], reader.close(), reader.response


def _write(events: list[il.Event], target: il.FormatName) -> object:
    writer = il.writer(target)
    return [writer.feed(event) for event in events], writer.losses


def _restream(chunks: list[Any], source: il.FormatName, target: il.FormatName, *, fill: bool | il.Fill = False) -> object:
    return list(il.restream(chunks, source=source, target=target, fill=fill))


def _lines(n: int) -> list[str]:
    return [json.dumps({"key": str(i), "request": {"contents": [{"parts": [{"text": "a"}]}]}}) for i in range(n)]


def _load_batch(lines: list[str]) -> object:
    return list(il.load_batch(lines))


def _send(chunks: list[Any], family: il.FormatName) -> object:
    return list(il.sse(chunks, family))


def _fail(body: Any, family: il.FormatName) -> object:
    try:
        return il.load_response(body, family)
    except il.InvalidPayload as error:
        return _faults(error)
    except il.ProviderError as error:
        return str(error), [il.dump_error(error, target) for target in HUBS]


def main() -> None:
    found: list[str] = []
    for row in rows():
        if not all(word in row.name for word in sys.argv[1:]):
            continue
        size, taken = measure(row)
        line = f"{row.name:90} {size:>6} {taken[0] * 1e3:>7.1f} ms"
        line += "".join(f" {later / earlier:>5.2f}" for earlier, later in pairwise(taken))
        print(line, flush=True)
        if grows(taken) and known(row) is None:
            found.append(line)
    print(f"\n{len(found)} rows above {MOST}", *found, sep="\n")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
