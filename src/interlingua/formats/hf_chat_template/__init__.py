"""What chat templates accept: the arguments of `apply_chat_template` of Hugging Face's tokenizers and processors; TRL's rows.

Wire reference: `PreTrainedTokenizerBase.apply_chat_template` and `ProcessorMixin.apply_chat_template` of transformers 5.24, and
`data_utils.py` of TRL 1.16. A request is an object of `messages`, `tools`, `documents`, `add_generation_prompt`,
`continue_final_message` and the variables of a template, such as `enable_thinking`, some in `chat_template_kwargs`, as in TRL's
rows. The messages are a dialect of Chat Completions: arguments of calls are objects, a call needs no id, a result has the name
rows. The messages are a dialect of Chat Completions: arguments of calls are objects, a call needs no id, a result has the name
of its tool, content is text unless there are media, and media are in parts of their own type.
Cannot carry: settings of the answer but the effort of reasoning, the choice among tools, signatures and encrypted reasoning,
several blocks of reasoning, the developer role, refusals as such, custom tools, cache marks, citations, files, error flags.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ...codec.format import Format
from ..openai_chat import ChatProfile, free_form, maps as chat_maps, native, pointers
from ..openai_chat.base import FAMILY
from ..openai_chat.prefill import MARKS, goes_on
from ..openai_chat.responses import RESPONSE_ONLY
from . import maps

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.marks import Marks
    from ...codec.rules.rule import RuleSet
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "ChatTemplateProfile", "format_for"]


@dataclass(frozen=True)
class ChatTemplateProfile(ChatProfile):
    """What a chat template accepts; the defaults fit most templates, and transformers adapts messages for the others."""

    reasoning: (
        Literal["reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks", "content"] | None
    ) = "reasoning_content"
    reasoning_texts: tuple[str, ...] = ("reasoning_content", "thinking", "reasoning")
    arguments: Literal["text", "object"] = "object"
    custom_tools: bool = False
    allowed_tools: bool = False
    schema_required: bool = True
    functions: bool = False
    content: Literal["keep", "string", "list"] = "string"
    empty_content: Literal["absent", "null", "empty", "null_beside_calls", "absent_beside_calls"] = "empty"
    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = None
    tool_name: bool = True
    names_results: bool = True
    developer: bool = False
    refusals: bool = False
    annotations: bool = False
    tool_media: bool = True
    typed_media: bool = True
    named_files: bool = False
    prefill: Literal["prefix", "partial", "continue_final_message", "always"] | None = "continue_final_message"
    open: bool = True


def format_for(profile: ChatTemplateProfile, name: str = "hf_chat_template") -> Format:
    """A format for templates that `profile` describes."""

    def with_content(content: Any) -> Format:
        return format_for(replace(profile, content=content), name)

    return Format(
        name=name,
        family=FAMILY,
        adapter=partial(maps.adapter, "Request"),
        load=partial(maps.load_request, profile=profile),
        dump=maps.dump_request,
        locating=pointers.locating,
        shape=pointers.shape,
        native=partial(native.is_native, profile=profile),
        roles=native.ROLES,
        new_dump=maps.TemplateDump,
        profile=profile,
        made_for=format_for,
        with_content=with_content,
        rules=_rules,
        marks=_marks,
        batch=_batch,
        strategies=_strategies,
        response_only=RESPONSE_ONLY,
        rendered=True,
        history=chat_maps.STEPS,
        offers=free_form.offers,
        allowed_tools=0,
        goes_on=goes_on(profile),
        prefill_marks=MARKS,
    )


def _rules(_: Format) -> RuleSet:
    from .rules import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = format_for(ChatTemplateProfile())
FORMATS = {FORMAT.name: FORMAT}
