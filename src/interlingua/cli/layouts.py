"""Rows of datasets and of batch files: where in a row the conversations are, and of which format.

A layout is data. The row, or an object in it, is a request, or some of its fields are: the messages, and what stands beside
them. Other fields may continue the conversation, as a completion continues a prompt. Everything else in a row stays as it is.
A row of a batch file of OpenAI becomes one of Anthropic, and the other way around.

Sources: OpenAI's guides to fine-tuning, direct preference optimization and reinforcement fine-tuning, and to the Batch API
(developers.openai.com, `BatchRequestInput` and `BatchRequestOutput` in its OpenAPI document); Anthropic's SDK 2.11
(`types/messages/batch_create_params.py`, `message_batch_individual_response.py`); TRL's `dataset_formats` (huggingface.co);
Verifiers' `docs/source/api_reference.md`; LLaMA-Factory's `data/README.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..codec.error_bodies import read_error
from ..conversion.canonical import OWN
from ..conversion.responses import dump_error
from ..errors import Fault, InvalidPayload, Loss, ProviderError, escape
from ..formats import FORMATS
from ..model.base import Json

Row = dict[str, Any]
_TOOLS = ("tools", "functions", "parallel_tool_calls")


@dataclass(frozen=True)
class Layout:
    """Where conversations are in a row."""

    format: str
    """The format of the conversations, unless the row says it."""
    at: tuple[str, ...] = ()
    """The path of the object that is a request or a response, or has the fields of one; without a path, the row."""
    listed: str | None = None
    """The field of it with the messages; None where the object as a whole is a request or a response."""
    beside: tuple[str, ...] = ()
    """Its other fields that belong to the request."""
    continued: tuple[str, ...] = ()
    """The fields of the row with messages that continue those."""
    answers: bool = False
    """Whether it is a response."""
    says: tuple[str, Mapping[str, str]] | None = None
    """The field that says the format, and what its values mean: of the row, or of the object of a response."""
    marks: tuple[str, ...] = ()
    """The fields by which such a row is known, if it is known by them alone."""


_URLS = {
    "/v1/chat/completions": "openai_chat",
    "/v1/responses": "openai_responses",
    "/v1/completions": "openai_completions",
}
_OBJECTS = {"chat.completion": "openai_chat", "response": "openai_responses"}
_OPENAI, _ANTHROPIC = ("openai", "openai_responses"), ("anthropic",)
"""The families of formats whose requests go into a batch file of one provider."""

LAYOUTS: Mapping[str, Layout] = {
    "openai_batch": Layout("openai_chat", ("body",), says=("url", _URLS), marks=("custom_id", "method", "url", "body")),
    "openai_batch_results": Layout(
        "openai_chat",
        ("response", "body"),
        answers=True,
        says=("object", _OBJECTS),
        marks=("custom_id", "response", "error"),
    ),
    "anthropic_batch": Layout("anthropic", ("params",), marks=("custom_id", "params")),
    "anthropic_batch_results": Layout("anthropic", ("result", "message"), answers=True, marks=("custom_id", "result")),
    "openai_preference": Layout(
        "openai_chat",
        ("input",),
        listed="messages",
        beside=_TOOLS,
        continued=("preferred_output", "non_preferred_output"),
        marks=("input", "preferred_output", "non_preferred_output"),
    ),
    "openai_finetuning": Layout("openai_chat", listed="messages", beside=_TOOLS),
    "trl": Layout("openai_chat", listed="messages", beside=("tools",)),
    "trl_preference": Layout(
        "openai_chat",
        listed="prompt",
        beside=("tools",),
        continued=("chosen", "rejected"),
        marks=("prompt", "chosen", "rejected"),
    ),
    "verifiers": Layout("verifiers", listed="prompt", continued=("completion",), marks=("prompt", "completion", "reward")),
    "trl_completion": Layout(
        "openai_chat", listed="prompt", beside=("tools",), continued=("completion",), marks=("prompt", "completion")
    ),
    "sharegpt_preference": Layout(
        "sharegpt",
        listed="conversations",
        beside=("system", "tools"),
        continued=("chosen", "rejected"),
        marks=("conversations", "chosen", "rejected"),
    ),
}
"""Every layout by name; of two that fit a row, the first is more precise."""


def layout_of(row: Json) -> str | None:
    """The layout of a row that is known by its fields; None for any other."""
    if not isinstance(row, dict):
        return None
    fitting = (name for name, layout in LAYOUTS.items() if layout.marks and row.keys() >= {*layout.marks})
    found = next(fitting, None)
    # Where a prompt is text, the row may be anything.
    return None if found is None or type(row.get(LAYOUTS[found].listed or "")) is str else found


class Held(NamedTuple):
    """A conversation in a row: its format, the request or response, and what translates pointers in it to those in the row."""

    format: str
    payload: Any
    pointer: Callable[[str], str]


def conversations(row: Json, layout: Layout, source: str | None = None) -> list[Held]:
    """The conversations of a row: that of its messages, and each that continues it. `source` is their format, if it is another.

    A row whose messages are text, or which has an error in place of a response, has none. Raises `InvalidPayload`.
    """
    if layout.answers and _error_of(row) is not None:
        return []
    holder = _object(row, layout.at)
    format = source or _said_format(_object(row, ()), holder, layout)
    if layout.listed is None:
        return [Held(format, holder, _pointer(layout.at).__add__)]
    messages: Json = _field(holder, layout.listed, layout.at)
    if isinstance(messages, str):
        return []
    named = _listed(format)
    beside = {key: holder[key] for key in layout.beside if key in holder}
    pointer = _Pointers(layout, named, len(messages) if isinstance(messages, list) else 0)
    found = [Held(format, {named: messages, **beside}, pointer.of(None))]
    for key in layout.continued:
        given: Json = _field(row, key, ())
        more: Json = [given] if isinstance(given, dict) else given
        if not isinstance(messages, list) or not isinstance(more, list):
            raise InvalidPayload([Fault(_pointer((key,)), "Input should be a list of messages")])
        found.append(Held(format, {named: [*messages, *more], **beside}, pointer.of(key, alone=more is not given)))
    return found


def converted(
    row: Json, layout: Layout, target: str, held: Sequence[Held], made: Sequence[tuple[Any, Sequence[Loss]]]
) -> tuple[Any, list[Loss]]:
    """The row with what its conversations became, in their order, each with its losses; and the losses of the row.

    Raises `InvalidPayload` where a conversation cannot be divided any more, or a field has the name of another one.
    """
    row = _object(row, ())
    if not held:
        return _as_result(row, layout, target, None) if layout.answers else (row, [])
    # The conversations that continue a prompt report its losses, too, which may depend on what follows.
    reports = zip(held[1:] or held, made[1:] or made, strict=True)
    found = dict.fromkeys(loss._replace(path=each.pointer(loss.path)) for each, (_, lost) in reports for loss in lost)
    losses = [loss._replace(at=None) for loss in found]
    if layout.listed is None:
        put = _as_result if layout.answers else _as_request
        out, more = put(row, layout, target, made[0][0])
        return out, losses + more
    named = _listed(target)
    first: Row = {**made[0][0]}
    prompt: Json = first.get(named)
    out = _with_fields(row, layout, held[0].format, named, first)
    for key, (whole, _) in zip(layout.continued, made[1:], strict=True):
        rest = _rest(whole, first, named, prompt)
        if rest is None:
            raise InvalidPayload([Fault(_pointer((key,)), f"{target} cannot divide the conversation here")])
        out[key] = rest[0] if isinstance(row[key], dict) and len(rest) == 1 else rest
    return out, losses


def fields_of(layout: Layout) -> tuple[str, ...]:
    """The fields of a row that conversations are in."""
    inside = layout.at[:1] or ((layout.listed or ""), *layout.beside)
    return (*inside, *layout.continued)


def fits_batch(layout: Layout, target: str) -> bool:
    """Whether there is a layout for what a batch file becomes."""
    return layout.listed is not None or target == OWN or FORMATS[target].family in (*_OPENAI, *_ANTHROPIC)


# Pieces of a row


def _pointer(path: Sequence[str]) -> str:
    return "".join("/" + escape(key) for key in path)


def _object(row: Json, path: Sequence[str]) -> Row:
    """The object at a path of a row. Raises `InvalidPayload`."""
    held: Json = row
    for number, key in enumerate(path):
        held = _field(held, key, path[:number])
    if not isinstance(held, dict):
        raise InvalidPayload([Fault(_pointer(path), "Input should be an object")])
    return held


def _field(holder: Json, key: str, at: Sequence[str]) -> Any:
    if not isinstance(holder, dict) or key not in holder:
        raise InvalidPayload([Fault(_pointer((*at, key)), "the row has no such field")])
    return holder[key]


def _listed(format: str) -> str:
    return "messages" if format == OWN else FORMATS[format].listed


def _said_format(row: Row, holder: Row, layout: Layout) -> str:
    """The format of a conversation, as the row says it."""
    if layout.says is None:
        return layout.format
    key, meanings = layout.says
    word: Json = (holder if layout.answers else row).get(key)
    if not isinstance(word, str) or word not in meanings:
        at = (*layout.at, key) if layout.answers else (key,)
        raise InvalidPayload([Fault(_pointer(at), f"Input should be one of {', '.join(meanings)}")])
    return meanings[word]


class _Pointers(NamedTuple):
    """Translates pointers into a request made of fields of a row."""

    layout: Layout
    named: str
    before: int
    """How many messages there are before those that continue them."""

    def of(self, continued: str | None, *, alone: bool = False) -> Callable[[str], str]:
        """The translation for the conversation that a field continues, or for that of the messages.

        The field may hold one message `alone`, and no list.
        """
        start = f"/{self.named}"

        def pointer(path: str) -> str:
            if path != start and not path.startswith(start + "/"):
                return _pointer(self.layout.at) + path
            rest = path[len(start) :].split("/")[1:]
            if continued is not None and rest and rest[0].isdecimal() and int(rest[0]) >= self.before:
                index = [] if alone else [str(int(rest[0]) - self.before)]
                return "/".join([_pointer((continued,)), *index, *rest[1:]])
            return "/".join([_pointer((*self.layout.at, self.layout.listed or "")), *rest])

        return pointer


def _with_fields(row: Row, layout: Layout, source: str, named: str, made: Row) -> Row:
    """The row with the fields of a request in place of those that it was."""
    holder, out, made = _object(row, layout.at), Row(), {**made}
    # A field with the name that the format has for messages gets that of the other format.
    name = named if layout.listed == _listed(source) else layout.listed or ""
    for key, value in holder.items():
        if key == layout.listed:
            if named in made:
                out[name] = made.pop(named)
        elif key not in layout.beside:
            out[key] = value
        elif key in made:
            out[key] = made.pop(key)
    for key, value in made.items():
        if key in out:
            raise InvalidPayload(
                [Fault(_pointer((*layout.at, key)), "the conversation needs a field that the row has already")]
            )
        out[key] = value
    return _put(row, layout.at, out)


def _put(row: Row, path: Sequence[str], value: Any) -> Row:
    if not path:
        return {**value}
    return row | {path[0]: _put(row[path[0]], path[1:], value) if len(path) > 1 else value}


def _rest(whole: Any, first: Row, named: str, prompt: Json) -> list[Any] | None:
    """The messages of a whole conversation after those of its beginning; None where it does not begin with them."""
    messages: Json = whole.get(named)
    if not isinstance(messages, list) or not isinstance(prompt, list) or messages[: len(prompt)] != prompt:
        return None
    others = [{key: value for key, value in one.items() if key != named} for one in (whole, first)]
    return messages[len(prompt) :] if others[0] == others[1] else None


# Batch files


def _as_request(row: Row, layout: Layout, target: str, body: Any) -> tuple[Row, list[Loss]]:
    """A row of a batch file with a request, in the target's layout."""
    if target == OWN:
        return _put(row, layout.at, body), []
    format = FORMATS[target]
    if format.family in _OPENAI:
        url = {"url": f"/v1{format.path(body.get('model') or '', False)}"} if format.path is not None else {}
        around: Row = {"custom_id": row.get("custom_id"), "method": "POST", **url, "body": body}
    else:
        around = {"custom_id": row.get("custom_id"), "params": body}
    return _other_fields(row, ("custom_id", "method", "url", "body", "params"), around), []


def _other_fields(row: Row, known: Sequence[str], around: Row) -> Row:
    return around | {key: value for key, value in row.items() if key not in known}


class _Failure(NamedTuple):
    """Why there is no response: `expired`, `canceled`, or anything else with the body of an error."""

    kind: str
    body: Any = None
    status: int | None = None


def _error_of(row: Json) -> _Failure | None:
    """Why a row of results has no response, if it has none."""
    row = _object(row, ())
    if "result" in row:
        result = _object(row, ("result",))
        return None if result.get("type") == "succeeded" else _Failure(str(result.get("type")), result.get("error"))
    error: Json = row.get("error")
    if isinstance(error, dict):
        code = str(error.get("code"))
        return _Failure(next((kind for kind, words in _WORDS.items() if words[0] == code), code), {"error": error})
    response = _object(row, ("response",))
    status: Json = response.get("status_code")
    if isinstance(status, int) and not 200 <= status < 300:
        return _Failure("errored", response.get("body"), status)
    return None


_WORDS = {
    "expired": ("batch_expired", "The request was not executed before the batch expired."),
    "canceled": ("batch_cancelled", "The batch was canceled before the request was executed."),
}


def _as_result(row: Row, layout: Layout, target: str, body: Any) -> tuple[Row, list[Loss]]:
    """A row of results with the response, in the target's layout; one without a response says why there is none."""
    family = None if target == OWN else FORMATS[target].family
    if family is None or (family in _OPENAI) == ("response" in row):
        return (row if body is None else _put(row, layout.at, body)), []
    failure = _error_of(row) if body is None else None
    around: Row = {"custom_id": row.get("custom_id")}
    if family in _OPENAI:
        around |= {"response": {"status_code": 200, "body": body}, "error": None}
        if failure is not None:
            around |= {"response": None, "error": _error_for_openai(failure)}
        return _other_fields(row, ("custom_id", "result"), around), []
    around["result"] = {"type": "succeeded", "message": body}
    if failure is not None:
        error = {} if failure.kind in _WORDS else {"error": dump_error(_error_of_openai(failure), FORMATS[target])}
        around["result"] = {"type": "errored" if error else failure.kind, **error}
    losses = [Loss(path, None, "dropped", "results of Anthropic's batches have no such field") for path in _lost_of_openai(row)]
    return _other_fields(row, ("custom_id", "id", "response", "error"), around), losses


def _lost_of_openai(row: Row) -> Iterator[str]:
    if row.get("id") is not None:
        yield "/id"
    if isinstance(row.get("response"), dict) and row["response"].get("request_id") is not None:
        yield "/response/request_id"


def _error_of_openai(failure: _Failure) -> ProviderError:
    return read_error(failure.body, status=failure.status, origin="openai_chat")


def _error_for_openai(failure: _Failure) -> Row:
    if failure.kind in _WORDS:
        return dict(zip(("code", "message"), _WORDS[failure.kind], strict=True))
    error = FORMATS["openai_chat"].own_error(read_error(failure.body), FORMATS["anthropic"])
    return {"code": error.code or error.type, "message": error.message}
