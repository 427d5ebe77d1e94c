"""The marks by which payloads of OpenAI Responses are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Meaning, Shape

MARKS = Marks(
    (
        Shape(
            "openai_responses",
            "request",
            "input",
            "model instructions previous_response_id input[].type=message input[].type=function_call "
            "input[].type=function_call_output input[].type=reasoning input[].content[].type=input_text "
            "input[].content[].type=output_text input[].content[].type=input_image input[].content[].type=input_file "
            "input[].type=item_reference input[].type=computer_call_output input[].type=custom_tool_call_output "
            "max_output_tokens max_tool_calls truncation background conversation text.format text.verbosity "
            "input[].role=user input[].role=assistant input[].role=system input[].role=developer",
            "include store reasoning input[].name input[].call_id tools[].type=function tools[].parameters",
            never="messages contents system_instruction generation_config object=response "
            "input[].type=user_input input[].type=model_output input[].type=function_result",
        ),
        Shape(
            "openai_responses",
            "request",
            "prompt.id",
            more="input model instructions previous_response_id prompt.version prompt.variables "
            "max_output_tokens include store",
            never="messages object=response",
        ),
        Shape(
            "openai_responses",
            "response",
            "",
            "object=response object=response.compaction output[].type",
            "output[].content[].type=output_text status incomplete_details created_at previous_response_id usage.input_tokens",
            never="choices",
        ),
        Shape("openai_responses", "chunk", "type=response.*", more="sequence_number output_index item_id response delta:text"),
        Shape("openai_responses", "chunk", "type=keepalive", more="sequence_number"),
        Shape(
            "openai_responses",
            "error",
            "error",
            more="error.message error.type error.param error.code",
            never="error.status:text",
        ),
        Shape("openai_responses", "error", "type=error code message", more="param sequence_number"),
    ),
    {"openai_responses": "OpenAI's Responses API"},
    also_called={"responses": "openai_responses"},
    words={
        "type": {
            "input_text": Meaning("the Responses API's", "text"),
            "output_text": Meaning("the Responses API's", "text"),
            "input_image": Meaning("the Responses API's", "image"),
            "input_file": Meaning("the Responses API's", "file"),
            "reasoning": Meaning("the Responses API's", "thinking"),
            "function_call": Meaning("the Responses API's", "tool_use"),
            "function_call_output": Meaning("the Responses API's", "tool_result"),
        },
    },
    tool_types={
        "web_search|web_search_preview|file_search|code_interpreter|computer|computer_use_preview|image_generation|mcp"
        "|local_shell|shell|apply_patch|tool_search|custom|namespace": "openai_responses"
    },
)
