"""Fits to a host the fields of a request that come from provider data: the seed, the tier, and the options that hosts limit."""

from __future__ import annotations

from collections.abc import Iterator

from ...codec.fields import Wire, leaves
from ...errors import escape
from ...model.base import Json
from ...model.exchange import ResponseFormat
from .base import FAMILY, SEED_FIELDS, STRUCTURED, ChatDump, fit_tier

_INTEGERS = SEED_FIELDS | {"n", "top_logprobs"}
"""The fields with integers, which some hosts also take with a fraction of 0."""


def fit_fields(out: Wire, d: ChatDump) -> None:
    """Fit the fields that come from provider data to the host."""
    for key in _INTEGERS & out.keys():
        if type(out[key]) is float and out[key].is_integer():
            out[key] = int(out[key])
    if not SEED_FIELDS.isdisjoint(out):
        _spell_seed(out, d)
    fit_tier(out, d)
    if d.profile.reasoning_settings:
        _join_reasoning(out, d)
    if not d.profile.answer_schemas:
        _drop_constraints(out, d)
    if not d.profile.open:
        _fit_choices(out, d)
        _fit_probabilities(out, d)
        _fit_stream_options(out, d)
        _fit_documents(out, d)


def _join_reasoning(out: Wire, d: ChatDump) -> None:
    """Write the effort into the object of the other settings of reasoning; the rule `reasoning-and-effort` has the evidence."""
    settings: Json = out.get("reasoning")
    if type(settings) is not dict or "reasoning_effort" not in out:
        return
    effort = out.pop("reasoning_effort")
    if settings.get("effort") is None and settings.get("max_tokens") is None:
        out["reasoning"] = {**settings, "effort": effort}
        d.losses[:] = [loss._replace(at="/reasoning/effort") if loss.at == "/reasoning_effort" else loss for loss in d.losses]
    elif settings.get("effort") != effort:
        d.drop("/reasoning_effort", "`reasoning` has another effort, or a limit of tokens, and that is sent")


def fit_metadata(out: Wire, d: ChatDump) -> None:
    """Leave out metadata where the host takes them only of a request that it stores, and the request does not say so."""
    if out["metadata"] and not d.profile.metadata_without_store and out.get("store") is not True:
        del out["metadata"]
        stores = d.profile.open or "store" in d.profile.request_fields
        why = "takes `metadata` only with `store: true`" if stores else "does not take `metadata`"
        d.drop("/metadata", f"{d.target.name} {why}")


def fit_tools(out: Wire, d: ChatDump) -> None:
    """Leave out what the host refuses beside the tools, or beside others of them."""
    form: Json = out.get("response_format")
    if not d.profile.format_with_tools and isinstance(form, dict) and form.get("type") != "text":
        del out["response_format"]
        d.drop("/response_format", f"{d.target.name} takes no JSON `response_format` beside tools")
    if not d.profile.mixed_strictness:
        _fit_strictness(out["tools"], d)


def _fit_strictness(tools: list[Wire], d: ChatDump) -> None:
    """If some tools are not strict, make none strict."""
    strict = [i for i, tool in enumerate(tools) if tool.get("function", {}).get("strict") is True]
    for i in strict if len(strict) < len(tools) else ():
        del tools[i]["function"]["strict"]
        d.drop(d.places[f"/tools/{i}"] + "/strict", f"{d.target.name} takes strict tools only if all tools are strict")


_GUIDES = ("guided_json", "guided_regex", "guided_choice", "guided_grammar")
"""What an answer must fit, at older versions of vLLM."""


def _drop_constraints(out: Wire, d: ChatDump) -> None:
    """Leave out what an answer must fit, at a host that can only ask for a JSON object."""
    lost = leaves(out.pop(STRUCTURED), f"/{STRUCTURED}") if STRUCTURED in out else []
    lost += [f"/{key}" for key in _GUIDES if out.pop(key, None) is not None]
    form: Json = out.get("response_format")
    if isinstance(form, dict) and "json_schema" in form:
        lost += leaves(form.pop("json_schema"), "/response_format/json_schema")
    for pointer in lost:
        d.drop(f"/provider_data/{FAMILY}{pointer}", f"{d.target.name} does not constrain an answer")


def ask_for_object(form: ResponseFormat, d: ChatDump) -> Wire:
    """Ask for a JSON object, also in place of a schema; hosts that take no schema demand that a text has the word JSON."""
    if not any("json" in text.lower() for message in d.progress.messages for text in _texts(message.get("content"))):
        why = f"{d.target.name} takes no schema for the answer, and answers in JSON only if a text contains the word JSON"
        d.drop("/response_format", why)
        return {}
    if form.type == "json_schema":
        why = f"{d.target.name} takes no schema for the answer: it is asked for any JSON object"
        d.report("changed", "/response_format", "/response_format", why)
    return {"response_format": {"type": "json_object"}}


def _texts(content: Json) -> Iterator[str]:
    """The texts of a message."""
    if isinstance(content, str):
        yield content
    part: Json
    for part in content if isinstance(content, list) else ():
        text: Json = part.get("text") if isinstance(part, dict) else None
        if isinstance(text, str):
            yield text


def _spell_seed(out: Wire, d: ChatDump) -> None:
    """Write the seed, which is in this family's provider data, to the host's field for it."""
    field = d.profile.seed_field
    least = d.profile.least_seed
    for key in sorted(SEED_FIELDS & out.keys()) if least is not None else ():
        if type(out[key]) is int and out[key] < least:
            del out[key]
            d.drop(f"/provider_data/{FAMILY}/{key}", f"`{key}` must be at least {least}")
    for key in sorted(SEED_FIELDS & out.keys() - {field}):
        value = out.pop(key)
        if out.get(field) is None:
            out[field] = value
        elif value is not None and value != out[field]:
            d.drop(f"/provider_data/{FAMILY}/{key}", f"`{field}` has a different value, which is sent")


def _fit_choices(out: Wire, d: ChatDump) -> None:
    """Leave out the number of answers, if the host does not give as many."""
    asked: Json = out.get("n")
    if type(asked) is int and asked > d.profile.most_choices:
        del out["n"]
        d.drop(f"/provider_data/{FAMILY}/n", f"`n` must be at most {d.profile.most_choices}")


_MOST_PROBABILITIES = 20


def _fit_probabilities(out: Wire, d: ChatDump) -> None:
    """Ask for no more alternatives to each token than the host gives; the rule `number-out-of-range` names the evidence."""
    asked: Json = out.get("top_logprobs")
    if type(asked) is int and asked > _MOST_PROBABILITIES:
        out["top_logprobs"] = _MOST_PROBABILITIES
        why = f"`top_logprobs` must be at most {_MOST_PROBABILITIES}"
        d.report("changed", f"/provider_data/{FAMILY}/top_logprobs", "/top_logprobs", why)


def _fit_documents(out: Wire, d: ChatDump) -> None:
    """Leave out the documents of a chat template, which have a title and a text, where a document has a source (Groq)."""
    documents: Json = out.get("documents")
    if type(documents) is list and not all(type(each) is dict and "source" in each for each in documents):
        del out["documents"]
        d.drop(f"/provider_data/{FAMILY}/documents", f"each document must have a `source` at {d.target.name}")


_STREAM_OPTIONS = frozenset({"include_usage", "include_obfuscation"})


def _fit_stream_options(out: Wire, d: ChatDump) -> None:
    """Leave out the options of streams that only other hosts of this shape have."""
    if type(out.get("stream_options")) is not dict:
        return
    options: Wire = out["stream_options"]
    refused = sorted(options.keys() - _STREAM_OPTIONS)
    for key in refused:
        del options[key]
        d.drop(f"/provider_data/{FAMILY}/stream_options/{escape(key)}", f"{d.target.name} does not have this option of streams")
    if refused and not options:
        del out["stream_options"]
