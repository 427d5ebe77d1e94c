"""Profiles of hosts that have Chat's shape and no format of their own, ready for `format_for`.

Each row says how a host differs, with the provider's documentation or the issues in which its server was seen to refuse
something. What a model of the host refuses, and others there take, is not in its profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from .profiles import FUNCTIONS, IMAGES, REQUEST_FIELDS, USUAL_EFFORTS, ChatProfile

_TEMPLATES = frozenset({"arguments-not-object", "roles-must-alternate", "system-not-first"})
"""What chat templates refuse: nathaninline/ajean#26 (llama.cpp), BerriAI/litellm#39852 (Fireworks)."""

HOSTS: Mapping[str, ChatProfile] = MappingProxyType(
    {
        # Azure refuses fields that its version of the API does not know (RageAgainstThePixel/OpenAI-DotNet#382,
        # feiskyer/chatgpt-copilot#173): cache marks and OpenAI's newest fields are left out.
        "azure": ChatProfile(
            cache=None,
            request_fields=REQUEST_FIELDS - {"moderation", "prompt_cache_options", "web_search_options"},
        ),
        # Cerebras calls reasoning `reasoning`, and refuses `reasoning_content`, mixed strictness, and JSON beside tools:
        # the rules have the issues. inference-docs.cerebras.ai: `max_completion_tokens`, and texts alone.
        "cerebras": replace(
            FUNCTIONS,
            reasoning="reasoning",
            token_field="max_completion_tokens",
            efforts=USUAL_EFFORTS,
            media=False,
            refusals=False,
            open=False,
            most_stops=4,
            request_fields=frozenset(
                "clear_thinking logprobs n response_format seed stop stream_options tool_choice top_logprobs".split()
            ),
            message_fields=frozenset(),
            rules=frozenset({"json-format-with-tools", "reasoning-content-refused", "strict-mixed"}),
        ),
        # Alibaba's DashScope, in its mode for OpenAI's clients: `enable_thinking` needs a stream, and no demanded tool: the
        # rules have the issues. help.aliyun.com (Qwen, OpenAI compatible): `reasoning_content`, images and audio.
        "dashscope": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            media_kinds=frozenset({"image", "audio"}),
            refusals=False,
            rules=frozenset({"arguments-not-object", "thinking-without-stream", "tool-demanded-in-thinking"}),
        ),
        # docs.fireworks.ai (chat completions): `reasoning_content`, `reasoning_effort`; it refused `user` and fields of other
        # hosts (FlowiseAI/Flowise#2866, web-infra-dev/midscene#1322).
        "fireworks": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            user=False,
            media_kinds=IMAGES,
            refusals=False,
            open=False,
            most_stops=4,
            request_fields=frozenset(
                "frequency_penalty logit_bias logprobs min_p n presence_penalty repetition_penalty response_format seed stop "
                "tool_choice top_logprobs".split()
            ),
            message_fields=frozenset(),
            top_k=True,
            rules=_TEMPLATES,
        ),
        # tools/server/README.md of ggml-org/llama.cpp: `reasoning_content`, images and audio; recorded to take reasoning back.
        "llama_cpp": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            media_kinds=frozenset({"image", "audio"}),
            refusals=False,
            rules=_TEMPLATES,
        ),
        # platform.minimax.io (text, OpenAI's API): with `reasoning_split`, reasoning is in `reasoning_details` and must be sent
        # back; `max_tokens` is deprecated; one answer, a temperature from 0 to 1.
        "minimax": replace(
            FUNCTIONS,
            reasoning="reasoning_details",
            token_field="max_completion_tokens",
            most_temperature=1,
            most_choices=1,
            media_kinds=IMAGES,
            refusals=False,
            rules=frozenset({"system-not-first"}),
        ),
        # platform.kimi.ai (migrating from OpenAI, models): temperatures to 1, at most 5 answers. It refuses calls without
        # `reasoning_content` while it thinks (mastra-ai/mastra#12592, continuedev/continue#11600): a stand-in is sent.
        "moonshot": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            reasoning_stand_in=" ",
            most_temperature=1,
            most_choices=5,
            media_kinds=IMAGES,
            refusals=False,
            rules=frozenset({"forced-tool-choice-in-thinking", "reasoning-content-missing", "thinking-and-effort"}),
        ),
        # docs.together.ai (chat completions, reasoning models): `reasoning`, `max_tokens`, images.
        "together": replace(
            FUNCTIONS,
            reasoning="reasoning",
            media_kinds=IMAGES,
            refusals=False,
        ),
        # docs.z.ai (chat completion): `reasoning_content`, which it was recorded to take back, `max_tokens`, temperatures to 1.
        "zai": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            most_temperature=1,
            media_kinds=IMAGES,
            refusals=False,
            rules=frozenset({"no-user-message"}),
        ),
    }
)
"""The profile of each host by name: `il.format_for(il.HOSTS["moonshot"], "moonshot")` is its format."""
