"""Every format, dialects included, by name: the one table."""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..codec.dump import Dump
from ..codec.format import Format
from ..codec.table import Row, Table, outside
from ..errors import UnknownFormat
from ..model.base import Json

if TYPE_CHECKING:
    from .._signatures import FormatName as FormatName  # pyright: ignore[reportMissingModuleSource] -- for checkers alone
    from .anthropic import AnthropicProfile
    from .bedrock_converse import ConverseProfile
    from .gemini import GeminiProfile
    from .openai_chat import ChatProfile
    from .openai_responses import ResponsesProfile

    Profile: TypeAlias = AnthropicProfile | ChatProfile | GeminiProfile | ConverseProfile | ResponsesProfile
    """What one host or model accepts, for each family."""


def _rows(folder: str, family: str, *names: str) -> dict[str, Row]:
    """The rows of a format and its dialects, which are in one folder."""
    return dict.fromkeys(names, Row(family, f"{__name__}.{folder}"))


ROWS: dict[str, Row] = {
    **_rows("openai_chat", "openai", "openai_chat", "verifiers", "litellm", "gemini_openai"),
    **_rows("openai_chat", "openai", "openhands", "clacky", "deepseek", "openrouter"),
    **_rows("openai_chat", "openai", "groq", "xai", "huggingface", "vllm", "sglang"),
    **_rows("anthropic", "anthropic", "anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"),
    **_rows("gemini", "gemini", "gemini", "google_genai"),
    **_rows("bedrock_converse", "bedrock", "bedrock_converse", "bedrock_boto3", "bedrock_nova"),
    **_rows("bedrock_text", "bedrock_text", "bedrock_text"),
    **_rows("openai_completions", "openai", "openai_completions"),
    **_rows("openai_responses", "openai_responses", "openai_responses"),
    **_rows("harmony", "harmony", "harmony"),
    **_rows("gemini_interactions", "gemini_interactions", "gemini_interactions"),
    **_rows("mistral", "openai", "mistral"),
    **_rows("hf_chat_template", "openai", "hf_chat_template"),
    **_rows("cohere", "cohere", "cohere"),
    **_rows("ollama", "ollama", "ollama", "ollama_generate"),
    **_rows("sharegpt", "sharegpt", "sharegpt"),
    **_rows("alpaca", "alpaca", "alpaca"),
}
"""The folder and the family of each format; the first of a family's is its main one."""

CHOICES: dict[str, Row] = _rows("bedrock_text.invoke", "anthropic", "bedrock_invoke")
"""Names that stand for several formats: the body, or the model, says which."""

FORMATS = Table(ROWS, CHOICES)
"""Every format by name."""

TEMPLATED: FormatName = "hf_chat_template"
"""The format whose requests a chat template prints."""

if not TYPE_CHECKING:
    FormatName = Literal[(*ROWS, *CHOICES)]


def format_for(profile: Profile, name: str | None = None) -> Format:
    """A format for the host or model that the profile describes; its requests have the shape of the profile's family.

    Without a name, it is another form of the family's main format: what was loaded from there is dumped exactly. Raises
    `TypeError`.
    """
    if name is None or type(name) is str:
        for kind in type(profile).__mro__:  # a profile may be one of a relative's, and of more
            for format in FORMATS.values():
                if type(format.profile) is kind and format.made_for is not None:
                    return format.made_for(profile, name or format.name)
    raise TypeError("profile must be one of this package's profiles, such as an il.ChatProfile, and name must be a string")


def _reduce(format: Format) -> tuple[Any, ...]:
    """How a format is pickled: as its profile, or else as its name."""
    if format.made_for is not None:
        return format.made_for, (format.profile, format.name)
    return format_of, (format.name,)


def _table() -> Table:
    return FORMATS


copyreg.pickle(Format, _reduce)
copyreg.pickle(Table, lambda _table_of_a_dump: (_table, ()))  # one in each process


def format_of(format: str | Format) -> Format:
    """The format with this name; raises `UnknownFormat`, and `BrokenFormat` if the format's package cannot be imported."""
    if isinstance(format, Format):
        return format
    try:
        return FORMATS[format]
    except (KeyError, TypeError):
        raise UnknownFormat(format, (*FORMATS, *CHOICES, *outside())) from None


def format_to_read(format: Format, body: Json, model: str | None = None, *, is_response: bool = False) -> Format:
    """The format that reads a body: the format itself, or the one that it chooses; `model` is what the URL says."""
    if format.choice is None:
        return format
    name = format.choice.of_response(body) if is_response else format.choice.of_request(body, model)
    return FORMATS[name]


def format_to_write(format: Format, model: str | None, origin: str | None) -> Format:
    """The format that writes what was loaded from `origin`: the format itself, or the one that it chooses.

    Raises `InvalidPayload` if there is none for the model.
    """
    return format if format.choice is None else FORMATS[format.choice.to_write(model, origin)]


def new_dump(target: Format, origin: str | None, *, collect_losses: bool = True, settings: bool = True) -> Dump:
    """A dump of what was loaded from the format named `origin`, or of what was built by hand."""
    source = None if origin is None else FORMATS.get(origin)
    made: Dump = target.new_dump(target, source, same_format=origin == target.name, formats=FORMATS)
    made.collect_losses = collect_losses
    made.settings = settings
    return made
