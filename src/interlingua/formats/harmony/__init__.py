"""Harmony: the text of conversations with gpt-oss, as the prompt of a text completion.

Wire reference: `docs/format.md` of openai/harmony and openai-harmony 0.0.8 (`src/encoding.rs`), which writes such texts; the
body is that of text completions, openai 3.52.0 (`types/completion_create_params.py`). The server must keep special tokens in
the text of answers: vLLM does so with `skip_special_tokens` set to false.

Reasoning of turns that ended with a final answer is left out of prompts for the next turn, as the guide says. Special tokens
in what users, tools or models have written get a space inside, so that they stay text. A conversation that ends with an answer
becomes a text for training, which ends with `<|return|>`. A stream is of one answer; several are read.

Cannot carry: ids of calls (results follow the order of their calls), several texts in a row, media, refusals, signatures and
encrypted reasoning, citations, the error flag of a result, names other than those of users, cache marks, keywords of schemas
that TypeScript types lack, strict tools, tool choices, response formats without a schema. Built-in tools, and their calls and
results, have no canonical form.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...codec.error_bodies import error_object
from ...codec.format import Format, Formats, Reading, Writing
from .. import openai_completions
from ..openai_chat.error_words import OPENAI_WORDS
from ..openai_completions import answers
from . import base, maps, native, responses

if TYPE_CHECKING:
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.strategies.wire import Strategies


def _read(format: Format) -> Reading:
    from .stream import HarmonyReading  # noqa: PLC0415 -- events are imported on first use

    return HarmonyReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import HarmonyShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, HarmonyShape(), at="/choices/0/text")


def _rules(_format: Format) -> RuleSet:
    from .rules import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _payloads(_format: Format) -> PayloadTypes:
    from .payloads import PAYLOADS  # noqa: PLC0415 -- imported on first use

    return PAYLOADS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="harmony",
    family=base.FAMILY,
    adapter=openai_completions.adapter,
    load=maps.load_request,
    dump=maps.dump_request,
    locating=maps.locating,
    native=native.is_native,
    new_dump=base.HarmonyDump,
    listed="prompt",
    in_text=frozenset({"/prompt"}),
    path=lambda _model, _stream: "/completions",
    response_adapter=answers.adapter,
    load_response=responses.load_response,
    dump_response=responses.dump_response,
    response_fields=("choices",),
    required=answers.REQUIRED,
    reading=_read,
    writing=_write,
    end_mark="[DONE]",
    pieces_in=frozenset({"choices"}),
    response_metadata=responses.METADATA,
    usage=responses.COUNTS,
    rules=_rules,
    dump_error=partial(error_object, fields=("message", "type", "param", "code")),
    error_words=OPENAI_WORDS,
    marks=_marks,
    payloads=_payloads,
    strategies=_strategies,
    shared=maps.SHARED,
    allowed_tools=0,
)
FORMATS = {FORMAT.name: FORMAT}
