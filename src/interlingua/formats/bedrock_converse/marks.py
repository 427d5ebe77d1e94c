"""The marks by which payloads of Converse are known."""

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
            never="schemaVersion modelId",
        ),
        Shape("bedrock_boto3", "request", "messages modelId", _ANY_OF_CONVERSE, _MORE_OF_CONVERSE, never="schemaVersion"),
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
    {"bedrock_converse": "Bedrock Converse"},
    also_called={"bedrock": "bedrock_converse", "converse": "bedrock_converse", "boto3": "bedrock_boto3"},
    tool_fields=dict.fromkeys(("toolSpec", "systemTool", "cachePoint", "inputSchema"), "bedrock_converse"),
)
