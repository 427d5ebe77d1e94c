"""The marks by which texts of harmony are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Shape

# Most chunks look like those of any text completion.
MARKS = Marks(
    (
        Shape(
            "harmony",
            "request",
            "prompt",
            "prompt=<|start|>*",
            "prompt:text model max_tokens best_of echo suffix n logprobs stop temperature top_p user",
            never="options keep_alive template input messages completion chosen rejected",
        ),
        Shape(
            "harmony",
            "response",
            "choices",
            "choices[].text=<|channel|>*",
            "object=text_completion choices[].text choices[].finish_reason created",
        ),
        Shape("harmony", "chunk", "choices object=text_completion", more="choices[].text choices[].finish_reason created"),
    ),
    {"harmony": "harmony (gpt-oss)"},
    also_called={"gpt_oss": "harmony", "gpt-oss": "harmony", "openai_harmony": "harmony"},
)
