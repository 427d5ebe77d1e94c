"""The marks by which payloads of the Interactions API are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Meaning, Shape

_NAME = "gemini_interactions"
MARKS = Marks(
    (
        Shape(
            _NAME,
            "request",
            "input",
            "model agent input[].role=user input[].role=model input[].type=user_input input[].type=model_output "
            "input[].type=function_result "
            "input.type=text input.type=image input.type=audio input.type=video input.type=document",
            "system_instruction generation_config tools[].type=function tools[].parameters input[].type=thought "
            "store background response_format previous_interaction_id input[].type=function_call",
            never="instructions object=response temperature top_p user metadata parallel_tool_calls tool_choice "
            "tools[].function input[].content[].type=input_text",
        ),
        Shape(_NAME, "response", "object=interaction", more="steps outputs status"),
        Shape(_NAME, "chunk", "", "event_type=interaction.* event_type=step.* type=interaction.* type=step.*"),
        Shape(_NAME, "error", "error.code:text error.message", never="error.status error.type error.param type"),
    ),
    {_NAME: "Gemini's Interactions API"},
    also_called={"interactions": _NAME},
    words={
        "type": {
            "user_input": Meaning("the Interactions API's", "text"),
            "model_output": Meaning("the Interactions API's", "text"),
            "thought": Meaning("the Interactions API's", "thinking"),
            "function_result": Meaning("the Interactions API's", "tool_result"),
        },
    },
)
