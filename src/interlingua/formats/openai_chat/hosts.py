"""Profiles for `format_for` of hosts that use Chat's shape and have no format of their own.

Each row describes how a host differs, with the provider's documentation or the issues in which its server refused
something. What only some models of a host refuse is not in its profile.
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
        # feiskyer/chatgpt-copilot#173): cache marks and OpenAI's newest fields are left out. It refuses function tools beside
        # an effort for some models, but then refuses the effort `none`, too (maximhq/bifrost#7275).
        "azure": ChatProfile(
            cache=None,
            reasoning_with_tools=True,
            request_fields=REQUEST_FIELDS - {"moderation", "prompt_cache_options", "web_search_options"},
        ),
        # Cerebras calls reasoning `reasoning`. It refuses `reasoning_content`, tools of mixed strictness, and JSON beside
        # tools: the rules name the issues. inference-docs.cerebras.ai: `max_completion_tokens`, and only text. Cerebras
        # has also refused a list as the content of a system message (musistudio/llms#25).
        "cerebras": replace(
            FUNCTIONS,
            string_roles=frozenset({"system"}),
            reasoning="reasoning",
            token_field="max_completion_tokens",
            format_with_tools=False,
            mixed_strictness=False,
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
        # Alibaba's DashScope, in its mode for OpenAI's clients: with `enable_thinking`, a request must stream and not require a
        # tool: the rules name the issues. help.aliyun.com (Qwen, OpenAI compatible): `reasoning_content`, `enable_thinking`,
        # images and audio. The efforts are those of Qwen 3.8, each of which was tried (QwenLM/qwen-code#8472).
        "dashscope": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            thinking_switch="enable_thinking",
            prefill="partial",
            efforts=frozenset({"low", "medium", "high", "xhigh", "max"}),
            media_kinds=frozenset({"image", "audio"}),
            refusals=False,
            rules=frozenset(
                {"arguments-not-object", "effort-and-budget", "thinking-without-stream", "tool-demanded-in-thinking"}
            ),
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
        # tools/server/README.md of ggml-org/llama.cpp: `reasoning_content`, which it accepted when recorded, images and audio.
        "llama_cpp": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            media_kinds=frozenset({"image", "audio"}),
            prefill="always",
            refusals=False,
            rules=_TEMPLATES,
        ),
        # platform.minimax.io (text, OpenAI's API): with `reasoning_split`, reasoning is in `reasoning_details` and must be sent
        # back; `max_tokens` is deprecated; at most one answer, temperatures from 0 to 1. The rules name the issues.
        "minimax": replace(
            FUNCTIONS,
            reasoning="reasoning_details",
            token_field="max_completion_tokens",
            most_temperature=1,
            most_choices=1,
            schema_required=True,
            one_system=True,
            media_kinds=IMAGES,
            refusals=False,
            rules=frozenset({"arguments-not-object", "system-not-first", "tool-parameters-missing"}),
        ),
        # platform.kimi.ai (migrating from OpenAI, models, chat): video in `video_url`. While it thinks, it refuses calls
        # without `reasoning_content` (mastra-ai/mastra#12592, continuedev/continue#11600): placeholder text is sent. `thinking`
        # disables reasoning, and excludes an effort; the efforts are those of Kimi K3 (platform.kimi.ai, reasoning effort). The
        # rules name the issues about sampling and named tools; `n` is fixed, too (enricoros/big-AGI#1161).
        "moonshot": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            thinking_switch="thinking",
            prefill="partial",
            named_in_thinking=False,
            reasoning_stand_in=" ",
            efforts=frozenset({"low", "high", "max"}),
            sampling="never",
            lone_refs=True,
            most_choices=1,
            media_kinds=frozenset({"image", "video"}),
            refusals=False,
            rules=frozenset(
                "forced-tool-choice-in-thinking named-tool-in-thinking reasoning-content-missing sampling-fixed "
                "thinking-and-effort".split()
            ),
        ),
        # docs.together.ai (chat completions, reasoning models): `reasoning`, `max_tokens`, images.
        "together": replace(
            FUNCTIONS,
            reasoning="reasoning",
            media_kinds=IMAGES,
            refusals=False,
        ),
        # docs.z.ai (chat completion): `reasoning_content`, which it accepted when recorded, `max_tokens`, temperatures up to 1;
        # (thinking mode): `thinking`, which newer models do by default; GLM-5.3 takes no other effort than these
        # (charmbracelet/catwalk#603). It answered requests with results without an id, which its models then did not see
        # (agentjido/req_llm#985).
        "zai": replace(
            FUNCTIONS,
            reasoning="reasoning_content",
            thinking_switch="thinking",
            efforts=frozenset({"low", "high", "max"}),
            most_temperature=1,
            media_kinds=IMAGES,
            refusals=False,
            rules=frozenset({"no-user-message"}),
            tolerated=frozenset({"call-without-result", "tool-call-id-missing"}),
        ),
    }
)
"""The profile of each host by name: `il.format_for(il.HOSTS["moonshot"], "moonshot")` is its format."""
