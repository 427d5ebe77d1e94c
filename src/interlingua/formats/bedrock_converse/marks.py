"""The marks by which payloads of Converse are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Shape

_ANY_OF_CONVERSE = (
    "inferenceConfig toolConfig additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig outputConfig "
    "performanceConfig promptVariables requestMetadata serviceTier system[].!type messages[].content[].!type"
)
_MORE_OF_CONVERSE = (
    "messages[].content[].text messages[].content[].toolUse messages[].content[].toolResult system[].!type guardrailConfig "
    "messages[].content[].image messages[].content[].document messages[].content[].reasoningContent "
    "messages[].role=user messages[].role=assistant system"
)
MARKS = Marks(
    (
        Shape(
            "bedrock_converse",
            "request",
            "messages",
            _ANY_OF_CONVERSE,
            _MORE_OF_CONVERSE,
            never="schemaVersion=messages-v1 modelId",  # rows of tuning files have other versions
        ),
        Shape(
            "bedrock_boto3",
            "request",
            "messages modelId",
            _ANY_OF_CONVERSE,
            _MORE_OF_CONVERSE,
            never="schemaVersion=messages-v1",
        ),
        Shape("bedrock_nova", "request", "messages schemaVersion=messages-v1", "", _MORE_OF_CONVERSE + " " + _ANY_OF_CONVERSE),
        Shape(
            "bedrock_nova",
            "request",
            "messages inferenceConfig",
            "inferenceConfig.topK inferenceConfig.max_new_tokens inferenceConfig.reasoningConfig",
            _MORE_OF_CONVERSE + " " + _ANY_OF_CONVERSE,
            never="schemaVersion modelId",
        ),
        Shape(
            "bedrock_nova",
            "response",
            "output",
            "usage.cacheReadInputTokenCount usage.cacheWriteInputTokenCount amazon-bedrock-guardrailAction",
            "output.message stopReason usage.inputTokens metrics output.message.content",
            never="usage.cacheReadInputTokens usage.cacheWriteInputTokens usage.serverToolUsage",  # Converse has both spellings
        ),
        Shape(
            "bedrock_converse",
            "response",
            "output",
            "output.message stopReason",
            "usage.inputTokens metrics output.message.content",
        ),
        Shape(
            "bedrock_converse",
            "chunk",
            "",
            "contentBlockIndex messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop stopReason "
            "metadata.usage metrics.latencyMs",
            "delta contentBlockDelta.delta",
            never="output",
        ),
        Shape(
            "bedrock_converse",
            "error",
            "",
            "message:text Message:text __type Error.Code internalServerException.message modelStreamErrorException.message "
            "serviceUnavailableException.message throttlingException.message validationException.message",
            "Error.Message ResponseMetadata",
            never="model messages chat_history role content",
        ),
    ),
    {
        "bedrock_converse": "Bedrock Converse",
    },
    also_called={
        "bedrock": "bedrock_converse",
        "converse": "bedrock_converse",
        "boto3": "bedrock_boto3",
        "nova": "bedrock_nova",
    },
    tool_fields=dict.fromkeys(("toolSpec", "systemTool", "cachePoint", "inputSchema"), "bedrock_converse"),
)
