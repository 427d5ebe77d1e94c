"""What a wire response says, read as the providers document it, and whether a conversion of one says the same.

A judge that knows nothing of how a response is mapped: what one body says must be said by the other, or stand beneath a
path that a loss names.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import interlingua as il
from interlingua.testing.lawbook.documents import (
    USUAL_FIELDS,
    arguments,
    canonical,
    escaped,
    is_array,
    is_hollow,
    is_object,
    leaves,
    resolve,
    resolves,
)
from laws.families import ANTHROPIC, CHAT

# ATLAS, stop reasons: a word of each provider, and what it means; another word means itself.
REASONS = {
    "openai": {
        "function_call": "tool_calls",
        "model_length": "context_window",
        # Hosts of Chat's shape: Together and TGI; Z.AI; LiteLLM for Bedrock; DeepSeek; SGLang and vLLM; LiteLLM for Gemini.
        "eos": "stop",
        "eos_token": "stop",
        "sensitive": "content_filter",
        "guardrail_intervened": "content_filter",
        "network_error": "error",
        "insufficient_system_resource": "error",
        "abort": "cancelled",
        "malformed_function_call": "malformed",
        "model_context_window_exceeded": "context_window",
        # Gateways that pass on the words of Anthropic, Bedrock, Gemini and Cohere.
        "end_turn": "stop",
        "max_tokens": "length",
        "tool_use": "tool_calls",
        "pause_turn": "pause",
        "content_filtered": "content_filter",
        "STOP": "stop",
        "MAX_TOKENS": "length",
        "SAFETY": "content_filter",
        "RECITATION": "content_filter",
        "BLOCKLIST": "content_filter",
        "PROHIBITED_CONTENT": "content_filter",
        "SPII": "content_filter",
        "MALFORMED_FUNCTION_CALL": "malformed",
        "COMPLETE": "stop",
        "STOP_SEQUENCE": "stop_sequence",
        "TOOL_CALL": "tool_calls",
        "ERROR": "error",
    },
    "anthropic": {
        "end_turn": "stop",
        "max_tokens": "length",
        "tool_use": "tool_calls",
        "pause_turn": "pause",
        "model_context_window_exceeded": "context_window",
    },
}


@dataclass
class Answer:
    """What one choice says, each kind in its order."""

    text: list[str] = field(default_factory=list[str])
    thinking: list[str] = field(default_factory=list[str])
    signatures: list[str] = field(default_factory=list[str])
    redacted: list[str] = field(default_factory=list[str])
    signed: set[str] = field(default_factory=set[str])
    """Gemini's signatures of calls and texts."""
    calls: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Name and arguments, those as canonical JSON."""
    call_texts: list[str] = field(default_factory=list[str])
    """The arguments as they are spelled."""
    ids: list[str | None] = field(default_factory=list[str | None])
    reason: str | None = None

    def call(self, id: str | None, name: str, given: Any) -> None:
        self.calls.append((name, canonical(arguments(given) if given != "" else {})))
        self.call_texts.append(given if isinstance(given, str) else canonical(given))
        self.ids.append(id)


def answer(body: Mapping[str, Any], format: str, choice: int = 0) -> Answer:
    """What a whole response of the format says."""
    return _anthropic(body) if format in ANTHROPIC else _openai(body["choices"][choice])


def _openai(choice: Mapping[str, Any]) -> Answer:
    out = Answer(reason=_reason(choice.get("finish_reason"), "openai"))
    matched = choice.get("stop_reason")  # vLLM's: a stop sequence, or the number of a token
    if out.reason == "stop" and isinstance(matched, str) and matched:
        out.reason = "stop_sequence"
    message: Mapping[str, Any] = choice.get("message") or {}
    content = message.get("content")
    reasoning = [message.get(key) for key in ("reasoning_content", "reasoning", "reasoning_text")]
    plain = next((text for text in reasoning if isinstance(text, str)), "")
    entries: list[dict[str, Any]] = [*(message.get("reasoning_details") or []), *(message.get("thinking_blocks") or [])]
    for entry in entries:
        out.thinking += [entry[key] for key in ("text", "summary", "thinking") if isinstance(entry.get(key), str)]
        if entry.get("format") != "google-gemini-v1":
            out.redacted += [entry["data"]] if isinstance(entry.get("data"), str) else []
        out.signatures += [entry["signature"]] if entry.get("signature") else []
    out.signed.update(_signatures(message))
    if plain and plain != "".join(out.thinking):
        out.thinking.insert(0, plain)
    out.text += [content] if isinstance(content, str) else []
    audio = message.get("audio")
    spoken = audio.get("transcript") if is_object(audio) and not content else None
    out.text += [spoken] if isinstance(spoken, str) else []
    for part in content if is_array(content) else []:
        if part["type"] == "text":
            out.text.append(part["text"])
        elif part["type"] == "thinking":
            inner = part["thinking"]
            out.thinking.append(inner if isinstance(inner, str) else "".join(item.get("text", "") for item in inner))
            out.signatures += [part["signature"]] if part.get("signature") else []
        elif part["type"] == "refusal":
            out.text.append(part["refusal"])
    out.text += [message["refusal"]] if isinstance(message.get("refusal"), str) else []
    calls: list[dict[str, Any]] = message.get("tool_calls") or []
    for call in calls:
        held: dict[str, Any] = call.get("function") or call.get("custom") or call
        out.call(call.get("id"), held["name"], held.get("arguments", held.get("input")))
    legacy = message.get("function_call")
    if legacy and not message.get("tool_calls"):
        out.call(None, legacy["name"], legacy["arguments"])
    return out


def _signatures(value: Any) -> Iterator[str]:
    """Gemini's signatures, in whatever field of a message they are."""
    if is_object(value) and value.get("type") == "reasoning.encrypted" and value.get("format") == "google-gemini-v1":
        yield value["data"]
    fields: Mapping[str, Any] = value if is_object(value) else {}
    for key, item in fields.items():
        if key in ("thought_signature", "thought_signatures"):
            yield from [item] if isinstance(item, str) else item
        else:
            yield from _signatures(item)
    for item in value if is_array(value) else []:
        yield from _signatures(item)


def _anthropic(body: Mapping[str, Any]) -> Answer:
    out = Answer(reason=_reason(body.get("stop_reason"), "anthropic"))
    for block in body["content"]:
        kind = block["type"]
        if kind == "text":
            out.text.append(block["text"])
        elif kind == "thinking":
            out.thinking.append(block["thinking"])
            out.signatures += [block["signature"]] if block.get("signature") else []
        elif kind == "redacted_thinking":
            out.redacted.append(block["data"])
        elif kind == "tool_use":
            out.call(block["id"], block["name"], block["input"])
    return out


def _reason(word: Any, family: str) -> str | None:
    return REASONS[family].get(word, word) if isinstance(word, str) else None


_ELSEWHERE = {
    **dict.fromkeys(
        "/prompt_cache_hit_tokens /cached_tokens /num_cached_tokens /prompt_token_details/cached_tokens"
        " /cache_read_input_tokens".split(),
        "cache_read_tokens",
    ),
    **dict.fromkeys(
        "/cache_creation_input_tokens /prompt_tokens_details/cache_creation_tokens"
        " /prompt_tokens_details/cache_creation_input_tokens /prompt_tokens_details/created_cache_tokens".split(),
        "cache_write_tokens",
    ),
    "/prompt_cache_miss_tokens": "input_tokens",
    "/reasoning_tokens": "reasoning_tokens",
}
"""Where hosts of Chat's shape have counts beside or in place of the usual fields: what they say must be the count itself."""


def _elsewhere(used: Mapping[str, Any], name: str) -> int | None:
    """The count of a host that has it elsewhere."""
    places = [where for where, counted in _ELSEWHERE.items() if counted == name and resolves(used, where)]
    return next((value for where in places if _number(value := resolve(used, where))), None)


def usage(body: Mapping[str, Any], format: str) -> dict[str, int]:
    """The numbers in a response that are not 0, in kinds of input that do not overlap."""
    used: Mapping[str, Any] = body.get("usage") or {}
    found: dict[str, Any] = {}
    if format in ANTHROPIC:
        steps: list[dict[str, Any]] = used.get("iterations") or []
        parts: list[Mapping[str, Any]] = [used, *(step for step in steps if step["type"] == "compaction")]  # not among these
        found = {name: sum(_or_zero(part.get(key)) for part in parts) for name, key in _OF_ANTHROPIC.items()}
        details: list[dict[str, Any]] = [part.get("output_tokens_details") or {} for part in parts]
        found["reasoning_tokens"] = sum(_or_zero(each.get("thinking_tokens")) for each in details)
    else:
        read: Any = used.get("prompt_tokens_details") or {}
        spent: Any = used.get("completion_tokens_details") or {}
        prompt: Any = used.get("prompt_tokens")
        answer: Any = used.get("completion_tokens")
        reasoning, audio = spent.get("reasoning_tokens"), read.get("audio_tokens")
        # xAI counts reasoning, and Mistral audio, beside the rest and in the total.
        beside = _or_zero(used.get("total_tokens")) - _or_zero(prompt) - _or_zero(answer)
        if beside > 0 and beside == reasoning:
            answer = _or_zero(answer) + reasoning
        elif beside > 0 and beside == audio:
            prompt = _or_zero(prompt) + audio
        cached, written = read.get("cached_tokens"), read.get("cache_write_tokens")
        cached = cached if _number(cached) else _elsewhere(used, "cache_read_tokens")
        written = written if _number(written) else _elsewhere(used, "cache_write_tokens")
        if _number(prompt):
            # OpenAI counts what was cached among the prompt, so that it is no more than that.
            cached = min(cached, prompt) if _number(cached) else None
            written = min(written, prompt - (cached or 0)) if _number(written) else None
            prompt -= (cached or 0) + (written or 0)
        found = {
            "input_tokens": prompt,
            "cache_read_tokens": cached,
            "cache_write_tokens": written,
            "output_tokens": answer,
            "reasoning_tokens": reasoning,
            "input_audio_tokens": audio,
            "output_audio_tokens": spent.get("audio_tokens"),
        }
    return {key: value for key, value in found.items() if _number(value) and value}


_OF_ANTHROPIC = {
    "input_tokens": "input_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
    "output_tokens": "output_tokens",
}


def _number(value: Any) -> bool:
    return type(value) is int


def _or_zero(value: Any) -> int:
    return value if type(value) is int else 0


# Two bodies, and the losses between them


def untold(
    source: tuple[Mapping[str, Any], str],
    target: tuple[Mapping[str, Any], str],
    response: il.Response,
    losses: Sequence[il.Loss],
) -> list[str]:
    """What the source says and the target does not, though no loss names it; losses point into `response.to_dict()`."""
    (body, format), (out, other) = source, target
    document = response.to_dict()
    faults = [f"{loss}: the path is nowhere" for loss in losses if not resolves(document, loss.path)]
    named = [loss for loss in losses if loss.kind in ("dropped", "changed", "response_only") and resolves(document, loss.path)]
    lost = {text for loss in named for text in _texts(resolve(document, loss.path))}
    choices, crossing = range(len(body.get("choices", [0]))), (format in CHAT) != (other in CHAT)
    moved = [i for i in choices if ("moved", f"/choices/{i}") in {(loss.kind, loss.path) for loss in losses}]
    body = _with_moved(body, moved)
    for place, choice in enumerate(i for i in choices if i not in moved):
        if other in ANTHROPIC and place:
            if not any(loss.path in (f"/choices/{choice}", "/choices") for loss in named):
                faults.append(f"choice {choice} is left out and not reported")
            continue
        said, says = answer(body, format, choice), answer(out, other, place)
        faults += [f"choice {choice}: {fault}" for fault in _compared(said, says, lost)]
        if said.reason != says.reason and not _named(named, f"/choices/{choice}/", "stop_reason"):
            faults.append(f"choice {choice}: stop reason {says.reason}, not {said.reason}")
    before, after = usage(body, format), usage(out, other)
    for key, number in before.items():
        if after.get(key) != number and not _named(named, "/usage", key):
            faults.append(f"usage: {key} is {after.get(key)}, not {number}")
    faults += [f"usage: {key} is invented" for key in after.keys() - before.keys()]
    for key in ("id", "model", "created"):
        if body.get(key) is not None and canonical(out.get(key)) != canonical(body[key]) and not _named(named, f"/{key}", ""):
            faults.append(f"{key} is {out.get(key)!r}, not {body[key]!r}")
    reported, dropped = {loss.path for loss in losses}, {loss.path for loss in named}
    if crossing:
        reported |= _carried(out, other)
        faults += _own_fields(document, "", reported, dropped)
        faults += _own_usage(response, reported)
    else:
        faults += _kept_fields(response, out, reported | dropped, moved)
    return faults


def _with_moved(body: Mapping[str, Any], moved: Sequence[int]) -> Mapping[str, Any]:
    """A body in which the first choice has the calls of the choices that are reported as moved to it."""
    if not moved:
        return body
    choices = body["choices"]
    calls = [call for i in moved for call in _calls_in(choices[i]["message"])]
    first = choices[0] | {"message": choices[0]["message"] | {"tool_calls": calls}}
    return {**body, "choices": [first, *choices[1:]]}


def _calls_in(message: Mapping[str, Any]) -> list[Any]:
    return message.get("tool_calls") or [{"type": "function", "function": message["function_call"]}]


def _carried(out: Mapping[str, Any], other: str) -> set[str]:
    """The fields of one provider alone that the other has, too: the tier of service, as far as it says one."""
    used: Mapping[str, Any] = out.get("usage") or {}
    if other in ANTHROPIC:
        return {"/provider_data/openai/service_tier"} if used.get("service_tier") else set()
    return {"/usage/native/anthropic/service_tier"} if out.get("service_tier") else set()


_COUNTED = {
    "openai": frozenset(
        "/total_tokens /prompt_tokens /prompt_tokens_details/cached_tokens /prompt_tokens_details/cache_write_tokens"
        " /prompt_tokens_details/audio_tokens /completion_tokens /completion_tokens_details/reasoning_tokens"
        " /completion_tokens_details/audio_tokens".split()
    ),
    "anthropic": frozenset(
        "/input_tokens /cache_read_input_tokens /cache_creation_input_tokens /output_tokens"
        " /output_tokens_details/thinking_tokens".split()
    ),
}
"""What a provider's usage object says in numbers that have a place in others."""


def _own_usage(response: il.Response, reported: set[str]) -> Iterable[str]:
    """What a provider's own usage object says, where nothing else does and no loss names it; and what is named for nothing."""
    natives = None if response.usage is None else response.usage.native
    for family, used in (natives or {}).items():
        start = f"/usage/native/{family}"
        for where, value in leaves(used):
            counted = where in _COUNTED[family] and _number(value)
            counted |= (
                family == "openai" and _number(value) and getattr(response.usage, _ELSEWHERE.get(where, ""), None) == value
            )
            says = not counted and _weighs(value)
            if says and not any(start + where == path or (start + where).startswith(path + "/") for path in reported):
                yield f"{start}{where} is not reported"
            capped = where.startswith(("/prompt_tokens_details/", "/completion_tokens_details/reasoning_tokens"))
            if not says and not capped and start + where in reported:
                yield f"{start}{where} is not lost"


def _kept_fields(response: il.Response, out: Any, reported: set[str], moved: Sequence[int]) -> Iterable[str]:
    """The fields of a response and its choices that a dialect neither has nor says it has lost."""
    left = [i for i in range(len(response.choices)) if i not in moved]
    held: list[tuple[str, str, il.Response | il.Choice]] = [("", "", response)]
    held += [(f"/choices/{i}", f"/choices/{place}", response.choices[i]) for place, i in enumerate(left)]
    for path, at, owner in held:
        for key, value in (owner.provider_data or {}).get("openai", {}).items():
            where = f"{path}/provider_data/openai/{escaped(key)}"
            kept = resolves(out, f"{at}/{escaped(key)}")
            if _weighs(value) and not kept and not {where, path} & reported:
                yield f"{where} is not reported"


def _named(losses: Iterable[il.Loss], start: str, holds: str) -> bool:
    return any(
        loss.path.startswith(start.rstrip("/")) and (holds in loss.path or loss.path == start.rstrip("/")) for loss in losses
    )


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for key, item in value.items():
            yield from _texts(item)
            if key in ("input", "arguments") and not isinstance(item, str):
                yield canonical(item)
    elif is_array(value):
        for item in value:
            yield from _texts(item)
        yield "".join(item["text"] for item in value if is_object(item) and isinstance(item.get("text"), str))


def _compared(said: Answer, says: Answer, lost: set[str]) -> Iterable[str]:
    for kind in ("text", "thinking"):
        parts, whole = getattr(said, kind), "".join(getattr(says, kind))
        if not _spells([(part, part in lost) for part in parts if part], whole, "\n\n" if kind == "thinking" else ""):
            yield f"{kind} is {whole!r:.100}, not {parts!r:.200}"
    for kind in ("redacted", "signatures"):
        mine, others = getattr(said, kind), getattr(says, kind)
        if not _follows([(item, item in lost) for item in mine], others):
            yield f"{kind} are {others!r:.100}, not {mine!r:.100}"
    missing, invented = said.signed - lost - says.signed, says.signed - said.signed
    if missing or invented:
        yield f"signatures of calls and texts: {missing} are missing, {invented} invented"
    excused = [name in lost or text in lost for (name, _), text in zip(said.calls, said.call_texts, strict=True)]
    if not _follows(list(zip(said.calls, excused, strict=True)), says.calls, changed=True):
        yield f"calls are {says.calls!r:.200}, not {said.calls!r:.200}"
    ids = [id for id in says.ids if id is not None]
    if len(set(said.ids)) == len(said.ids) and len(set(ids)) < len(ids):
        yield f"two calls have one id: {ids!r:.100}"


def _spells(parts: list[tuple[str, bool]], whole: str, between: str) -> bool:
    """Whether the parts make the whole, where those that are excused may be missing, or end in a line break.

    `between` may part two of them.
    """
    reached = {0}
    for text, excused in parts:
        starts = reached | {at + len(between) for at in reached if at and whole.startswith(between, at)}
        further = {at + len(text) for at in starts if whole.startswith(text, at)}
        if excused:
            further |= reached | {at + 1 for at in further if whole.startswith("\n", at)}
        reached = further
    return len(whole) in reached


def _follows(items: Sequence[tuple[Any, bool]], found: Sequence[Any], *, changed: bool = False) -> bool:
    """Whether the items are what was found, where those that are excused may be missing, or be others if `changed`."""
    reached = {0}
    for item, excused in items:
        further = {at + 1 for at in reached if at < len(found) and (found[at] == item or (excused and changed))}
        reached = further | reached if excused else further
    return len(found) in reached


def _own_fields(value: Any, path: str, reported: set[str], dropped: set[str]) -> Iterable[str]:
    """The provider's own fields that no loss names, nor what they stand in or all that they hold."""
    if path in dropped:
        return
    if is_array(value):
        for index, item in enumerate(value):
            yield from _own_fields(item, f"{path}/{index}", reported, dropped)
        return
    if not is_object(value):
        return
    for key, item in value.items():
        if key == "provider_data":
            for family, held in item.items():
                for name, inner in held.items():
                    where = f"{path}/provider_data/{family}/{escaped(name)}"
                    if (
                        name != "<spelling>"
                        and _weighs(inner)
                        and inner != USUAL_FIELDS.get(name)
                        and not any(t == where or t.startswith(where + "/") for t in reported)
                    ):
                        yield f"{where} is not reported"
        elif key != "native":
            yield from _own_fields(item, f"{path}/{escaped(key)}", reported, dropped)


def _weighs(value: Any) -> bool:
    return not is_hollow(value) and not (isinstance(value, float) and math.isnan(value))
