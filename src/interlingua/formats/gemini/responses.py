"""Load and dump whole responses: each `dump_x` undoes its `load_x`."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from operator import itemgetter
from typing import Any

from ...codec.answers import probabilities_of, stop_beside_calls
from ...codec.error_words import ErrorWords, nearest, status_of
from ...codec.fields import Content, Wire, spelling
from ...codec.probabilities import Probabilities, Read, token_of
from ...codec.required import RequiredFields
from ...codec.shared import Tier
from ...codec.usage import StopTable, UsageTable, with_reasoning_in_output
from ...errors import ProviderError
from ...model.base import Json
from ...model.exchange import Choice, Response, Usage
from ...model.messages import pieces_of
from .base import FAMILY, GeminiDump, WireReader, Words, adapter, list_in, object_in, value_of
from .citations import read_citations, write_grounding
from .parts import TURNS, dump_frame, load_body, respell
from .spellings import snake, spellings

METADATA = frozenset({"createTime", "create_time", "sdkHttpResponse", "modelStatus", "index", "avgLogprobs", "tokenCount"})
"""Fields that describe how a response was made, and the position of a candidate."""

# Usage, and why a message ended

_COUNTS = {
    "input_tokens": "promptTokenCount",
    "cache_read_tokens": "cachedContentTokenCount",
    "output_tokens": "candidatesTokenCount",
    "reasoning_tokens": "thoughtsTokenCount",
}


def _table(spelled: Callable[[str], str], respelled: UsageTable | None = None) -> UsageTable:
    """The table of counts in one spelling."""
    return UsageTable(
        FAMILY,
        {name: (spelled(key),) for name, key in _COUNTS.items()},
        input_includes=("cache_read_tokens",),
        output_includes_reasoning=False,
        total=(spelled("totalTokenCount"),),
        more_input=((spelled("toolUsePromptTokenCount"),),),
        omits_zero=True,
        respelled=respelled,
    )


COUNTS = _table(str, _table(snake))
_NAMED = {"id": "responseId", "model": "modelVersion", "usage": "usageMetadata"}
REQUIRED = RequiredFields({name: (key, None) for name, key in _NAMED.items()})
SNAKE_REQUIRED = RequiredFields({name: (snake(key), None) for name, key in _NAMED.items()})
"""google-genai requires nothing (3.4.0, `types.GenerateContentResponse`)."""
TIER = Tier(
    ("usageMetadata", "serviceTier"),
    {"standard": "default", "flex": "flex", "priority": "priority"},
    in_usage=True,
    others=(("service_tier",),),
)
"""Google's server sends it, but the official client does not know it: it is read, and not written (google-genai 3.4.0)."""
_AUDIO = {"input_audio_tokens": "promptTokensDetails", "output_audio_tokens": "candidatesTokensDetails"}
"""The lists of counts by modality; a `Usage` has the count of audio from each."""


def load_usage(wire: Wire) -> dict[str, Any]:
    """Load the data of a `Usage`."""
    return COUNTS.of(wire).load(wire) | _audio(wire)


def _audio(wire: Wire) -> dict[str, int]:
    details = ((name, detail) for name, key in _AUDIO.items() for detail in list_in(wire, key))
    found = {name: value_of(detail, "tokenCount") for name, detail in details if value_of(detail, "modality") == "AUDIO"}
    return {name: count for name, count in found.items() if type(count) is int}


def dump_usage(usage: Usage, at: str, d: GeminiDump) -> Wire:
    """Dump a `usageMetadata`: as it was loaded, with the counts that have changed since."""
    native = (usage.native or {}).get(FAMILY) or {}
    known = _audio(native)
    audio = {name: count for name in _AUDIO if (count := getattr(usage, name)) is not None}
    table = COUNTS.of(native)
    usage = with_reasoning_in_output(usage, "/".join((at, *table.fields["output_tokens"])), d.target.name, d.report)
    out = table.dump(usage.replace(**dict.fromkeys(audio)) if audio else usage, d.unsaid, d.drop)
    for name in known | audio:
        if known.get(name) != audio.get(name):
            out[_AUDIO[name]] = [{"modality": "AUDIO", "tokenCount": audio[name]}] if name in audio else []
    return out


_BLOCKED = (
    "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION "
    "MODEL_ARMOR JAILBREAK"
).split()
_MALFORMED = (
    "MALFORMED_FUNCTION_CALL MALFORMED_RESPONSE UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE".split()
)
_WORDS = (
    {"STOP": "stop", "MAX_TOKENS": "length", "CONTINUATION": "pause"}
    | dict.fromkeys(_BLOCKED, "content_filter")
    | dict.fromkeys(_MALFORMED, "malformed")
)
STOPS = StopTable(
    _WORDS,
    nearest={
        "stop_sequence": "STOP",
        "context_window": "MAX_TOKENS",
        "refusal": "SAFETY",
        "compaction": "MAX_TOKENS",
    },
    default="OTHER",
    others={word.lower(): reason for word, reason in _WORDS.items()},  # as some gateways write them
    ends_calls=("STOP", "stop"),
)
_NUMBERS = Words(("", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"))
"""The reasons that have the same numbers on both hosts."""
BLOCKED = {"finish": "absent"}
"""The spelling of a stop reason that is in the `promptFeedback`, and not in a candidate."""


def load_stop(value: str | int, *, calls: bool) -> dict[str, Any]:
    """Load why a message ended; some SDKs write numbers."""
    word = (_NUMBERS.read(value)[0] if type(value) is int else None) or str(value)
    return STOPS.load(word, calls=calls)


def dump_stop(choice: Choice, path: str, at: str, d: GeminiDump, *, calls: bool) -> str | int | None:
    """Dump why a message ended, as a word, or as the number it was; `calls` is whether the message has calls."""
    if d.exact and choice.stop_reason == "content_filter" and spelling(choice, "finish") == BLOCKED["finish"]:
        return None
    word = stop_beside_calls(STOPS, choice, path, at, d, calls=calls)
    if word is not None and d.exact and spelling(choice, "finish") == "number":
        return int(word) if word.lstrip("-").isdecimal() else _NUMBERS.write(word, "number")
    return word


# Probabilities


def _read_token(wire: Json) -> tuple[str, float] | None:
    if type(wire) is not dict:
        return None
    token = value_of(wire, "token")
    logprob = value_of(wire, "logProbability")
    return (token, logprob) if type(token) is str and type(logprob) in (int, float) else None


def _read_likeliest(wire: Json) -> list[Wire] | None:
    tokens = [_read_token(each) for each in list_in(wire, "candidates")] if type(wire) is dict else [None]
    return None if None in tokens else [token_of(*token) for token in tokens if token is not None]


def _read_probabilities(overlay: Wire) -> Read | None:
    field = next((key for key in ("logprobsResult", "logprobs_result") if type(overlay.get(key)) is dict), None)
    if field is None:
        return None
    result = overlay[field]
    chosen = list_in(result, "chosenCandidates")
    likeliest = list_in(result, "topCandidates")
    if not chosen or len(likeliest) not in (0, len(chosen)):
        return None
    tokens: list[Wire] = []
    for wire, others in zip_longest(chosen, likeliest, fillvalue=Wire()):
        token = _read_token(wire)
        top = _read_likeliest(others)
        if token is None or top is None:
            return None
        tokens.append(token_of(*token, top))
    is_complete = result.keys() <= _RESULT and all(each.keys() <= _TOKEN for each in chosen + _flat(likeliest))
    return Read(tokens, field, None if is_complete else "the ids of tokens and the sum of the probabilities have no field")


_RESULT = spellings("chosenCandidates", "topCandidates")
_TOKEN = spellings("token", "logProbability")


def _flat(likeliest: Sequence[Wire]) -> list[Wire]:
    return [token for each in likeliest for token in list_in(each, "candidates")]


PROBABILITIES = Probabilities(_read_probabilities, has_bytes=False)


def dump_probabilities(choice: Choice, number: int, out: Wire, d: GeminiDump, *, streamed: bool = False) -> None:
    """Write the probabilities of the tokens of a candidate."""
    key = d.key(None, "logprobsResult")
    tokens = probabilities_of(choice, f"/choices/{number}", f"/candidates/{number}/{key}", d, streamed=streamed)
    if tokens is not None:
        write_probabilities(tokens, out, d)


def write_probabilities(tokens: list[Wire], out: Wire, d: GeminiDump) -> None:
    """Write tokens in the shared form to a candidate."""

    def written(token: Wire) -> Wire:
        return {"token": token["token"], d.key(None, "logProbability"): token["logprob"]}

    result = out[d.key(None, "logprobsResult")] = {d.key(None, "chosenCandidates"): [written(token) for token in tokens]}
    if any(token["top_logprobs"] for token in tokens):
        result[d.key(None, "topCandidates")] = [
            {"candidates": [written(each) for each in token["top_logprobs"]]} for token in tokens
        ]


# Responses


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    reader = WireReader(adapter("Response").validator.validate_python(wire))
    out: dict[str, Any] = {}
    reader.move(out, responseId="id", modelVersion="model")
    if (usage := reader.take("usageMetadata")) is not None:
        out["usage"] = load_usage(usage)
    candidates = reader.take("candidates", list)
    if candidates is None:
        reader.spelling["candidates"] = "absent"
    order = _order(candidates or ())
    if order != sorted(order):
        reader.spelling["order"] = " ".join(map(str, order))
    out["choices"] = [load_candidate((candidates or ())[position]) for position in order]
    if (refused := load_refusal(object_in(reader.wire, "promptFeedback"))) is not None:
        out["choices"] = [end_by(refused, choice) for choice in out["choices"]] or [refused]
    return reader.keep(out, FAMILY)


def _order(candidates: Sequence[Wire]) -> list[int]:
    """The positions of candidates in the order of their `index`; JSON leaves out an index of zero."""
    numbers = candidate_numbers(candidates)
    return sorted(range(len(candidates)), key=numbers.__getitem__)


def candidate_numbers(candidates: Sequence[Wire]) -> list[int]:
    """The number of each candidate: its `index`, or its position if the indices do not tell."""
    given: list[Json] = [candidate.get("index") for candidate in candidates]
    numbers = [index if type(index) is int and index >= 0 else None for index in given]
    if numbers.count(None) == 1 and 0 not in numbers:
        return [number or 0 for number in numbers]
    return [position if number is None else number for position, number in enumerate(numbers)]


def load_refusal(feedback: Wire) -> dict[str, Any] | None:
    """Load the choice for a refused prompt, which gets no candidate."""
    reason = value_of(feedback, "blockReason")
    if type(reason) not in (str, int):
        return None
    stop = {"stop_reason": "content_filter", "native_stop_reason": str(reason)}
    return {"message": {"role": "assistant", "content": []}, **stop, "wire": {"spelling": {"candidate": "absent"}}}


def end_by(refused: dict[str, Any], choice: dict[str, Any]) -> dict[str, Any]:
    """The choice with the reason of the block, if it does not say why it ended: Gemini also blocks answers halfway."""
    if "stop_reason" in choice:
        return choice
    stop = {key: refused[key] for key in ("stop_reason", "native_stop_reason")}
    wire: dict[str, Any] = choice.get("wire") or {}
    spelled: dict[str, str] = wire.get("spelling") or {}
    return choice | stop | {"wire": wire | {"spelling": spelled | BLOCKED}}


def load_candidate(wire: Wire) -> dict[str, Any]:
    """Load a candidate as the data of a choice."""
    reader = WireReader(wire)
    content = reader.take("content")
    message: dict[str, Any] = {"role": "assistant", "content": []}
    if content is None:
        reader.spelling["content"] = "absent"
    else:
        message = load_body(WireReader(content), "assistant", ("model",))
    out: dict[str, Any] = {"message": message}
    parts: list[Wire] = message["content"]
    if (reason := reader.take("finishReason", str, int)) is not None:
        out |= load_stop(reason, calls=any(part["type"] == "tool_use" for part in parts))
        if type(reason) is int:
            reader.spelling["finish"] = "number"
    texts = [(i, part["text"]) for i, part in enumerate(parts) if part["type"] == "text"]
    for i, citations in read_citations(wire, texts).items():
        parts[i] = parts[i] | {"citations": citations}
    return reader.keep(out, FAMILY)


def dump_response(response: Response, d: GeminiDump) -> Wire:
    """Dump a response body."""
    out = dump_envelope(response, d)
    choices = [
        dump_candidate(choice, i, d)
        for i, choice in enumerate(response.choices)
        if spelling(choice, "candidate") != "absent" or not d.exact
    ]
    order = (spelling(response, "order") or "").split() if d.exact else []
    if order and len(order) == len(choices):
        choices = [choice for _, choice in sorted(zip(map(int, order), choices, strict=True), key=itemgetter(0))]
    if choices or not (d.exact and spelling(response, "candidates") == "absent"):
        out[d.key(response, "candidates")] = choices
    return out


def dump_envelope(response: Response, d: GeminiDump) -> Wire:
    """Dump the fields of a response besides its candidates."""
    d.in_response = True
    out: Wire = {}
    for key, value in (("responseId", response.id), ("modelVersion", response.model)):
        if value is not None:
            out[d.key(response, key)] = value
    key = d.key(response, "usageMetadata")
    if response.usage is not None and ((usage := dump_usage(response.usage, f"/{key}", d)) or d.exact):
        out[key] = usage
    if response.created is not None:
        d.report("response_only", "/created", None, "Gemini responses have no time of creation")
    d.lay_provider_data(response, out, "")
    return out


def dump_candidate(choice: Choice, number: int, envelope: GeminiDump) -> Wire:
    """Dump a candidate with its content."""
    path = f"/choices/{number}"
    at = f"/candidates/{number}"
    message = choice.message
    d = envelope.response_rules(_without_citations(message))
    parts = [(where, part) for where, part in pieces_of(message.content, path + "/message") if type(part) is not str]
    calls = bool(message.tool_calls) or any(part.type == "tool_use" for _, part in parts)
    out = dump_frame_of(choice, number, envelope, calls=calls)
    if not (envelope.exact and spelling(choice, "content") == "absent" and not message.content):
        content = out["content"] = TURNS.answer(message, path + "/message", at + "/content", d)
        dump_frame(message, content, path + "/message", at + "/content", d)
        texts = {where: part for where, part in parts if part.type == "text"}
        places = [(i, d.places.get(f"{at}/content/parts/{i}", "")) for i in range(len(content["parts"]))]
        grounding = write_grounding(((i, texts[where], where) for i, where in places if where in texts), envelope)
        if d.exact and message.wire is not None:
            respell(message, content, any_role=True)
        if grounding:
            out[d.key(None, "groundingMetadata")] = grounding
    dump_probabilities(choice, number, out, envelope)
    return out


def _without_citations(message: Any) -> Any:
    """The message without the citations of its texts, which Gemini has beside the content."""
    content: Content = message.content
    if not isinstance(content, tuple) or not any(part.type == "text" and "citations" in part for part in content):
        return message
    return message.replace(content=[part if part.type != "text" else _without(part, "citations") for part in content])


def _without(part: Any, field: str) -> Any:
    return type(part)(**{name: getattr(part, name) for name in part.model_fields_set - {field}})


def dump_frame_of(choice: Choice, number: int, d: GeminiDump, *, calls: bool) -> Wire:
    """Dump the fields of a candidate besides its content."""
    path = f"/choices/{number}"
    at = f"/candidates/{number}"
    out: Wire = {}
    key = d.key(choice, "finishReason")
    if (stop := dump_stop(choice, path, f"{at}/{key}", d, calls=calls)) is not None:
        out[key] = stop
    if number and not d.exact:
        out["index"] = number
    if choice.stop_sequence is not None:
        d.drop(path + "/stop_sequence", "Gemini responses have no field for the stop sequence")
    d.lay_provider_data(choice, out, path)
    return out


# Errors

ERROR_WORDS = ErrorWords(
    {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        409: "ABORTED",
        429: "RESOURCE_EXHAUSTED",
        499: "CANCELLED",
        500: "INTERNAL",
        501: "UNIMPLEMENTED",
        503: "UNAVAILABLE",
        504: "DEADLINE_EXCEEDED",
    },
    others=frozenset({"FAILED_PRECONDITION", "OUT_OF_RANGE", "ALREADY_EXISTS", "UNKNOWN", "DATA_LOSS"}),
)
"""The codes of `google.rpc.Code`, which Google's APIs map to HTTP statuses."""


def dump_error(error: ProviderError) -> Wire:
    """Dump an error body; an error without a type gets the `status` of its HTTP status."""
    return {"error": stream_error(error)}


def stream_error(error: ProviderError) -> Wire:
    """The object of an error (AIP-193): its code is the HTTP status, which Google's clients compare as a number."""
    status = status_of(error)
    status = 500 if status is None else status
    return {"code": status, "message": error.message, "status": error.type or nearest(ERROR_WORDS.types, status)}
