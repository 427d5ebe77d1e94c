"""The marks by which payloads of Gemini are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Meaning, Shape

MARKS = Marks(
    (
        Shape(
            "gemini",
            "request",
            "contents",
            "contents[].parts contents.parts",
            "contents[].role=user contents[].role=model contents[].parts[].text contents[].parts[].functionCall "
            "contents[].parts[].functionResponse contents[].parts[].inlineData contents[].parts[].inline_data "
            "contents[].parts[].function_call contents[].parts[].function_response "
            "generationConfig systemInstruction system_instruction safetySettings tools[].functionDeclarations "
            "tools[].function_declarations toolConfig cachedContent",
            never="contents[].parts[].type contents[].content config",
        ),
        Shape(
            "google_genai",
            "request",
            "contents",
            "config contents:text contents[]:text",
            "contents[].parts contents.parts contents[].role=user contents[].role=model contents[].parts[].text "
            "contents[].parts[].function_call contents[].parts[].function_response contents[].parts[].inline_data "
            "config.system_instruction config.max_output_tokens config.tools[].function_declarations",
            never="contents[].parts[].type contents[].content generationConfig",
        ),
        *(
            Shape(
                "gemini",
                kind,  # its chunks have the shape of its responses
                "",
                "candidates promptFeedback usageMetadata usage_metadata prompt_feedback",
                "candidates[].content.parts candidates[].finishReason modelVersion responseId",
            )
            for kind in ("response", "chunk")
        ),
        Shape("gemini", "error", "error.status:text", more="error.code error.message error.details"),
    ),
    {"gemini": "Gemini"},
    also_called={"google": "gemini", "genai": "google_genai"},
    words={
        "role": {"model": Meaning("Gemini's", "assistant")},
    },
    tool_fields=dict.fromkeys(
        (
            "functionDeclarations function_declarations googleSearch google_search googleSearchRetrieval codeExecution "
            "code_execution urlContext url_context"
        ).split(),
        "gemini",
    ),
)
