"""Fits to a host the fields of a request that come from provider data: the seed, the tier, and the options that hosts limit."""

from __future__ import annotations

from ...codec.fields import Wire, leaves
from ...errors import escape
from ...model.base import Json
from .base import FAMILY, SEED_FIELDS, STRUCTURED, ChatDump, fit_tier


def fit_fields(out: Wire, d: ChatDump) -> None:
    """Fit the fields that come from provider data to the host."""
    if not SEED_FIELDS.isdisjoint(out):
        _spell_seed(out, d)
    fit_tier(out, d)
    if not d.profile.answer_schemas and STRUCTURED in out:
        for pointer in leaves(out.pop(STRUCTURED), f"/{STRUCTURED}"):
            d.drop(f"/provider_data/{FAMILY}{pointer}", f"{d.target.name} does not constrain an answer")
    if not d.profile.open:
        _fit_choices(out, d)
        _fit_stream_options(out, d)
        _fit_documents(out, d)


def ask_for_object(d: ChatDump) -> Wire:
    """Ask for a JSON object in place of one that follows a schema; hosts take this only where a text has the word JSON."""
    if any("json" in str(message.get("content")).lower() for message in d.progress.messages):
        why = f"{d.target.name} takes no schema of an answer: it is asked for any JSON object"
        d.report("changed", "/response_format", "/response_format", why)
        return {"response_format": {"type": "json_object"}}
    why = f"{d.target.name} takes no schema of an answer, and asks for a JSON object only where a text has the word JSON"
    d.drop("/response_format", why)
    return {}


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
            d.drop(f"/provider_data/{FAMILY}/{key}", f"`{field}` has another value, which is sent")


def _fit_choices(out: Wire, d: ChatDump) -> None:
    """Leave out the number of answers, if the host does not give as many."""
    asked: Json = out.get("n")
    if type(asked) is int and asked > d.profile.most_choices:
        del out["n"]
        d.drop(f"/provider_data/{FAMILY}/n", f"`n` must be at most {d.profile.most_choices}")


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
