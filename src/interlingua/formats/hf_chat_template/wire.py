"""The wire types of what chat templates take, whose messages and tools are those of Chat Completions.

Open: any other field is a variable of the template, and is kept, and so is `continue_final_message`, a boolean or the name of a
field. (transformers 5.24, `apply_chat_template`; TRL 1.16, `data_utils.py`.)
"""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from ..openai_chat.wire import Message, Tool


@with_config(ConfigDict(extra="allow", strict=True))
class _Arguments(TypedDict, total=False):
    tools: list[Tool] | None
    documents: list[dict[str, Any]] | None
    add_generation_prompt: bool | None
    chat_template_kwargs: dict[str, Any] | None


class Request(_Arguments):
    """The arguments."""

    messages: list[Message]


class Frame(_Arguments):
    """The arguments but for the messages, most of which need no look of their own."""

    messages: list[Any]
