"""The marks by which arguments of chat templates are recognised among requests of Chat, which have a model or settings."""

from __future__ import annotations

from ...codec.marks import Marks, Shape
from ..openai_chat.marks import HOSTS, MESSAGES

MARKS = Marks(
    (
        Shape(
            "hf_chat_template",
            "request",
            "messages",
            "add_generation_prompt continue_final_message chat_template_kwargs enable_thinking messages[].content[].url:text "
            "messages[].content[].image:text",
            f"{MESSAGES} messages[].thinking",
            never="contents version:number model stream max_tokens max_completion_tokens temperature top_p n stop seed "
            "tool_choice response_format user metadata store",
            rare=HOSTS,
        ),
    ),
    also_called=dict.fromkeys(("hf", "huggingface", "transformers", "trl", "chat_template"), "hf_chat_template"),
)
