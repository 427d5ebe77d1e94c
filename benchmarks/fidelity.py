"""Counts how many conversations survive a conversion to another provider's format and back, here and in other libraries.

The conversations are the cases in `tests/formats` (small, each with something hard in it) and some that `interlingua.testing`
draws. Each goes from OpenAI Chat to Anthropic and back, or from Anthropic to Chat and back.

What is compared is the system text, the messages and the tools. The judge is plain, lenient, and none of the libraries': ids
may be renamed, a string is one text part, arguments are compared as JSON, neighbouring texts and messages of one role may be
joined without loss of a character, a developer's text is system text, and nulls, empty texts and empty lists are nothing.
Whatever a library returns, warns of or logs as a warning counts as a report, on either way. What the other provider would be
sent is judged by the types of its official client and by the rules of its server in `tests/laws/oracles.py`; fields that the
types do not know are let pass. A conversation that a library refuses is not converted.

Run by `make fidelity`. `python fidelity.py FILE` writes the table to a file too; `--list` prints each conversation's outcome.
"""

from __future__ import annotations

import copy
import importlib
import json
import logging
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from hypothesis import HealthCheck, Phase, given, settings

import interlingua as il
from interlingua import testing

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))

from laws import oracles, sdks  # noqa: E402 -- found once its folder is known

Json: TypeAlias = Any
Hub: TypeAlias = Literal["openai_chat", "anthropic"]
Outcome: TypeAlias = Literal["unchanged", "changed, reported", "changed, not reported", "invalid on the way", "not converted"]
Converter: TypeAlias = Callable[[Json, Hub, Hub], tuple[Json, int]]
"""Takes a payload, its format and the target's; returns the target's payload, and how many losses it reports."""

HUBS: tuple[Hub, Hub] = ("openai_chat", "anthropic")
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
CASES = ROOT / "tests" / "formats"
DRAWN = 100
MODEL = "claude-sonnet-4-5"
QUIETLY = settings(
    max_examples=DRAWN,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.nested_given],
)


# The libraries


def ours() -> Converter:
    """This package."""

    def convert(payload: Json, source: Hub, target: Hub) -> tuple[Json, int]:
        done = il.convert(payload, source=source, target=target)
        return done.payload, len(done.losses)

    return convert


def linguafranca() -> Converter:
    """martian-linguafranca, by its conversion of requests."""
    lf = importlib.import_module("linguafranca")
    names = {"openai_chat": lf.FormatName.OPENAI_CHAT_COMPLETIONS, "anthropic": lf.FormatName.ANTHROPIC_MESSAGES}

    def convert(payload: Json, source: Hub, target: Hub) -> tuple[Json, int]:
        done = lf.convert_request_json(payload, source_format=names[source], target_format=names[target])
        return done.value, len(done.warnings)

    return convert


def llm_rosetta() -> Converter:
    """llm-rosetta, by the pipeline that its `convert` runs, which has the warnings."""
    rosetta = importlib.import_module("llm_rosetta")

    def convert(payload: Json, source: Hub, target: Hub) -> tuple[Json, int]:
        shims = {"source_shim": rosetta.get_shim(source), "target_shim": rosetta.get_shim(target)}
        pipeline = rosetta.ConversionPipeline(source, target, **shims)
        return pipeline.convert_request(payload), len(pipeline.warnings)

    return convert


def litellm() -> Converter:
    """litellm, by what its completion and its endpoint for clients of Anthropic run."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    config = importlib.import_module("litellm.llms.anthropic.chat.transformation").AnthropicConfig()
    adapters = importlib.import_module("litellm.llms.anthropic.pass_through.adapters.transformation")
    adapter = adapters.LiteLLMAnthropicMessagesAdapter()

    def convert(payload: Json, source: Hub, target: Hub) -> tuple[Json, int]:
        if source == "openai_chat":
            others = {key: value for key, value in payload.items() if key not in ("messages", "model")}
            mapped = config.map_openai_params(others, {}, MODEL, drop_params=True)
            return config.transform_request(MODEL, payload["messages"], mapped, {}, {}), 0
        done = adapter.translate_anthropic_to_openai(payload)
        return plain(done[0] if isinstance(done, tuple) else done), 0

    return convert


def plain(value: Json) -> Json:
    """JSON of what a library returns, which may hold models."""
    return json.loads(json.dumps(value, default=lambda held: held.model_dump(exclude_none=True)))


LIBRARIES: dict[str, Callable[[], Converter]] = {
    "interlingua": ours,
    "martian-linguafranca": linguafranca,
    "llm-rosetta": llm_rosetta,
    "litellm": litellm,
}


# The conversations


class Case(NamedTuple):
    """A conversation, and what it is called."""

    name: str
    format: Hub
    payload: Json


def corpus() -> list[Case]:
    """The requests of the corpus in the two formats."""
    return [
        Case(f"{format}/{file.parent.name}", format, json.loads(file.read_text(encoding="utf-8")))
        for format in HUBS
        for file in sorted((CASES / format / "cases").glob("*/request.json"))
    ]


def drawn() -> list[Case]:
    """Conversations like an agent's history, with text, reasoning, calls and media; the same in every run."""
    return [case for format in HUBS for case in drawn_for(format)]


def drawn_for(format: Hub) -> list[Case]:
    found: list[Case] = []

    @QUIETLY
    @given(testing.conversations(valid_for=format))
    def keep(conversation: list[il.Message]) -> None:
        payload = il.dump(conversation, il.format_of(format)) | {"model": MODEL, "max_tokens": 1000}
        found.append(Case(f"drawn {len(found)}", format, payload))

    keep()
    return found


# The judge


def judged(convert: Converter, case: Case) -> Outcome:
    """What comes of a conversation that goes to the other format and back."""
    other = HUBS[1 - HUBS.index(case.format)]
    with reports() as heard:
        try:
            there, first = convert(copy.deepcopy(case.payload), case.format, other)
            back, second = convert(there, other, case.format)
        except Exception:  # noqa: BLE001 -- whatever a library raises for a payload that it does not take
            return "not converted"
    if not faults(case.payload, case.format) and faults(there, other):
        return "invalid on the way"
    marked = "cache_control" in json.dumps(case.payload)  # marks that a library adds by itself are no harm
    if normal(back, case.format, marked) == normal(case.payload, case.format, marked):
        return "unchanged"
    return "changed, reported" if first + second + len(heard) else "changed, not reported"


def faults(payload: Json, format: Hub) -> list[str]:
    """What the provider would refuse in a request."""
    if format == "anthropic":
        payload = payload | {"messages": merged(payload["messages"])}
    found = [*sdks.request_faults(payload, format), *oracles.server_faults(payload, format)]
    return [str(fault) for fault in found if fault.rule not in NOT_THE_CONVERSIONS]


NOT_THE_CONVERSIONS = ("sdk extra_forbidden", "first role")
"""Fields that the types do not know, and a history that begins with an answer, as some do in either format."""


def merged(messages: Sequence[Json]) -> list[Json]:
    """Messages of one role that follow one another, as one, which is how Anthropic reads them."""
    found: list[Json] = []
    for message in messages:
        if found and found[-1]["role"] == message["role"]:
            lists = [
                [{"type": "text", "text": each}] if isinstance(each, str) else each
                for each in (found[-1]["content"], message["content"])
            ]
            found[-1] = found[-1] | {"content": [*lists[0], *lists[1]]}
        else:
            found.append(message)
    return found


@contextmanager
def reports() -> Generator[list[object]]:
    """What is warned of, or logged as a warning, by the end of the context."""
    heard: list[object] = []
    handler = logging.Handler(logging.WARNING)
    setattr(handler, "emit", heard.append)  # noqa: B010 -- it keeps the records
    loggers = [logging.getLogger(name) for name in ("", "LiteLLM")]
    for logger in loggers:
        logger.addHandler(handler)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield heard
    for logger in loggers:
        logger.removeHandler(handler)
    heard += caught


Turn: TypeAlias = tuple[str, Json, list[Json]]
"""A message: its role, its other fields, and its parts."""


def normal(payload: Json, format: Hub, marked: bool) -> Json:
    """What a request says, without regard to spelling."""
    ids = Ids()
    payload = payload if marked else without_marks(payload)
    turns = [turn for message in spoken(payload) for turn in (turn_of(message, ids),) if any(turn[1:])]
    return {"turns": joined(turns), "tools": [tool(each, format) for each in payload.get("tools") or ()]}


def without_marks(value: Json) -> Json:
    """JSON without marks for a cache."""
    return json.loads(json.dumps(value), object_hook=lambda held: {key: held[key] for key in held if key != "cache_control"})


def spoken(payload: Json) -> Iterator[Json]:
    """The messages, system text first."""
    if payload.get("system"):
        yield {"role": "system", "content": payload["system"]}
    yield from payload["messages"]


class Ids:
    """Numbers in place of ids: a call gets the next one, a result that of the last call with its id."""

    def __init__(self) -> None:
        self._numbers: dict[Json, int] = {}
        self._next = 0

    def call(self, id: Json) -> int:
        """The number of a new call."""
        self._next += 1
        self._numbers[id] = self._next
        return self._next

    def result(self, id: Json) -> int:
        """The number of the call that a result is of; 0 where there is none."""
        return self._numbers.get(id, 0)


def turn_of(message: Json, ids: Ids) -> Turn:
    """A message, in either format."""
    fields = filled(message)
    role = fields.pop("role", "").replace("developer", "system")
    parts = parts_of(fields.pop("content", ()), ids)
    parts += [chat_call(call, ids) for call in fields.pop("tool_calls", ())]
    if "tool_call_id" in fields:
        fields["tool_call_id"] = ids.result(fields["tool_call_id"])
    return role, fields, parts


def filled(value: Json) -> Json:
    """An object without what says nothing."""
    return {key: held for key, held in value.items() if held not in (None, [], "")}


def parts_of(content: Json, ids: Ids) -> list[Json]:
    """The parts of a message or a result, neighbouring texts joined."""
    listed = [{"type": "text", "text": content}] if isinstance(content, str) else content
    found: list[Json] = []
    for each in listed:
        part = part_of(filled(each), ids)
        is_text = part.keys() == {"type", "text"}
        if is_text and found and found[-1].keys() == part.keys():
            found[-1] = {"type": "text", "text": found[-1]["text"] + part["text"]}
        elif part != {"type": "text"}:
            found.append(part)
    return found


def part_of(part: Json, ids: Ids) -> Json:
    """A part, in either format."""
    match part.get("type"):
        case "tool_use":
            made = part | {"id": ids.call(part.get("id"))}
            return {key: held for key, held in made.items() if held != {"type": "direct"}}  # the default of `caller`
        case "tool_result":
            content = parts_of(part.get("content", ()), ids)
            failed = {"is_error": True} if part.get("is_error") else {"is_error": False}
            return part | {"tool_use_id": ids.result(part.get("tool_use_id")), "content": content} | failed
        case "image_url":
            image = part["image_url"]
            image = {"url": image} if isinstance(image, str) else {key: held for key, held in image.items() if held != "auto"}
            return part | {"image_url": image}
        case _:
            return part


def chat_call(call: Json, ids: Ids) -> Json:
    """A tool call of Chat."""
    made = filled(call) | {"id": ids.call(call.get("id"))}
    if "function" in made:
        made["function"] = made["function"] | {"arguments": arguments(made["function"].get("arguments"))}
    return made


def arguments(text: Json) -> Json:
    """Arguments as JSON; those that are no JSON stay text, and no text is an empty object."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def joined(turns: Sequence[Turn]) -> list[Turn]:
    """Messages of the same role and fields that follow one another, joined."""
    found: list[Turn] = []
    for role, fields, parts in turns:
        if found and found[-1][:2] == (role, fields):
            found[-1] = (
                role,
                fields,
                parts_of([*found[-1][2], *parts], Ids()) if are_texts(found[-1][2], parts) else found[-1][2] + parts,
            )
        else:
            found.append((role, fields, parts))
    return found


def are_texts(*lists: Sequence[Json]) -> bool:
    """Whether all parts are texts."""
    return all(part.get("type") == "text" for parts in lists for part in parts)


def tool(tool: Json, format: Hub) -> Json:
    """A tool; a schema that says nothing is none."""
    key = "parameters" if format == "openai_chat" else "input_schema"
    made = filled(tool)
    inner = filled(made.get("function", made))
    if inner.get(key) in ({}, {"type": "object"}, {"type": "object", "properties": {}}):
        del inner[key]
    if made.get("type") == "custom" and "custom" not in made:
        del inner["type"]
    return inner


# The table


def outcomes(convert: Converter, cases: Sequence[Case]) -> dict[str, Outcome]:
    """What comes of each conversation."""
    return {f"{case.format}: {case.name}": judged(convert, case) for case in cases}


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def table(title: str, found: dict[str, dict[str, Outcome]]) -> Iterator[str]:
    """The counts of each library."""
    total = max(map(len, found.values()))
    yield from ("", f"{title}: {total}", "", row("", *OUTCOMES), row("---", *("---:" for _ in OUTCOMES)))
    for name, results in found.items():
        counted = Counter(results.values())
        yield row(name, *(counted[outcome] for outcome in OUTCOMES))


def available() -> dict[str, Converter]:
    """The libraries that are installed."""
    found: dict[str, Converter] = {}
    for name, prepare in LIBRARIES.items():
        try:
            found[f"{name} {version(name)}"] = prepare()
        except (ImportError, PackageNotFoundError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return found


def main(*arguments: str) -> None:
    """Print the tables; with a path, write them to that file too."""
    libraries = available()
    said: list[str] = []
    for title, cases in (("Conversations of the corpus", corpus()), ("Conversations that are drawn", drawn())):
        found = {name: outcomes(convert, cases) for name, convert in libraries.items()}
        said += table(title, found)
        if "--list" in arguments:
            said += [row(case, *(results[case] for results in found.values())) for case in next(iter(found.values()))]
    print("\n".join(said))
    for path in arguments:
        if path != "--list":
            Path(path).write_text("\n".join(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
