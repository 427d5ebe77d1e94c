"""The marks by which payloads of OpenAI's text completions are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Shape

MARKS = Marks(
    (
        Shape(
            "openai_completions",
            "request",
            "prompt",
            "prompt:text prompt[]:text model",
            "max_tokens best_of echo suffix n logprobs stop temperature top_p user",
            never="prompt.id options keep_alive template input messages anthropic_version max_tokens_to_sample max_gen_len "
            "completion response chosen rejected choices",
        ),
        Shape(
            "openai_completions",
            "response",
            "choices",
            "object=text_completion choices[].text",
            "choices[].finish_reason created",
        ),
        Shape(
            "openai_completions",
            "chunk",
            "choices",
            "object=text_completion choices[].text",
            "choices[].finish_reason created",
        ),
    ),
    also_called={"completions": "openai_completions"},
)
