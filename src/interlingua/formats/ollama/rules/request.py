"""What Ollama's chat refuses: what the server cannot read into its types, and what it ignores.

The source of the server is the evidence for most rules (ollama/ollama at fb307609 of 2026-08-21).
"""

from __future__ import annotations

from typing import Any

from ....codec.rules import settings as limits
from ....codec.rules.media import is_base64
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.view import Found, View, object_of
from ....model.base import Json
from ..maps import EFFORTS
from .view import outputs, tools, view

# Messages


@of_shape
def content_not_string(view: View) -> Found:
    """The content of a message must be one string.

    Evidence: the server's text "cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"
    (BerriAI/litellm#11273, lennartpollvogt/ollama-instructor#11).
    """
    for turn in view.special:
        content: Json = turn.value.get("content")
        if content is not None and not isinstance(content, str):
            yield (
                f"{turn.at}/content",
                "the content of a message must be a string: join its texts, put images into `images`",
            )


def image_not_base64(view: View) -> Found:
    """An image must be base64 without the prefix of a data URI, and not a URL.

    Evidence: the server's text "illegal base64 data at input byte 4" (miurla/morphic#810, jakobdylanc/llmcord#29,
    langgenius/dify#8170).
    """
    for media in view.media:
        if media.data is not None and not is_base64(media.data):
            yield media.at, "an image must be bare base64: leave out the prefix of a data URI; in place of a URL, send the data"


@fault("arguments-refused")
@of_shape
def args_not_object(view: View) -> Found:
    """The arguments of a call must be an object.

    Evidence: the server's text "cannot unmarshal string into Go struct field" (aliasrobotics/cai#76,
    neuron-core/neuron-ai#219, langchain-ai/langchain#34790).
    """
    for call in view.calls:
        if call.arguments is not None and not isinstance(call.arguments, dict):
            yield call.arguments_at, "the arguments of a tool call must be an object, not JSON text: without arguments, send {}"


# Tools and settings


def tool_properties_invalid(view: View) -> Found:
    """The properties of a tool's parameters must be an object, and so must each property.

    Evidence: the server's text "cannot unmarshal array into Go struct field .tools.function.parameters.properties"
    (ollama/ollama#10328), and `ToolProperty` in `api/types.go`.
    """
    for tool in view.tools:
        properties: Json = object_of(tool.value, "function").get("parameters")
        properties = properties.get("properties") if isinstance(properties, dict) else None
        if properties is not None and not isinstance(properties, dict):
            yield f"{tool.schema_at}/properties", "`properties` must be an object: without properties, send {}"
        elif isinstance(properties, dict) and not all(isinstance(each, dict) for each in properties.values()):
            yield f"{tool.schema_at}/properties", "each property must be an object, such as {}"


def think_invalid(view: View) -> Found:
    """`think` must be true, false, or one of the levels low, medium, high and max.

    Evidence: the server's text "invalid think value" in `api/types.go`.
    """
    think: Json = view.body.get("think")
    if isinstance(think, str) and think not in EFFORTS:
        yield "/think", "`think` must be true, false, low, medium, high or max"


def number_out_of_range(view: View) -> Found:
    """`top_logprobs` must be from 0 to 20.

    Evidence: the server's text "top_logprobs must be between 0 and 20" in `server/routes.go`.
    """
    return limits.out_of_range(view.body, {"top_logprobs": (0, 20)})


def stop_not_list(view: View) -> Found:
    """The option `stop` must be a list of strings.

    Evidence: the server's text 'option "stop" must be of type array' in `api/types.go`, though the specification has a string.
    """
    if isinstance(object_of(view.body, "options").get("stop"), str):
        yield "/options/stop", "the option `stop` must be a list of strings"


_OPTIONS = frozenset(
    "seed temperature top_k top_p min_p typical_p stop num_ctx num_predict num_keep repeat_last_n repeat_penalty "
    "presence_penalty frequency_penalty num_batch num_gpu main_gpu use_mmap num_thread".split()
)
"""The options of a model (`api/types.go`, `Options`)."""
_SETTINGS = frozenset("think format keep_alive stream tools logprobs top_logprobs truncate shift".split())
"""The fields of a request that are no options."""


def setting_misplaced(view: View) -> Found:
    """Options of the model must be in `options`, and other settings must not.

    Evidence: the server ignores them elsewhere (`ChatRequest` in `api/types.go`, and its warning "invalid option provided").
    """
    body: dict[str, Any] = view.body
    for key in body:
        if key in _OPTIONS:
            yield f"/{key}", f"the server ignores `{key}` beside `options`: put it into `options`"
    for key in object_of(body, "options"):
        if key in _SETTINGS:
            yield f"/options/{key}", f"the server ignores `{key}` in `options`: put it beside `options`"


RULES = RuleSet(
    view,
    (
        *errors(
            content_not_string,
            image_not_base64,
            args_not_object,
            tool_properties_invalid,
            think_invalid,
            number_out_of_range,
            stop_not_list,
        ),
        *warnings(setting_misplaced),
    ),
    tools=tools,
    outputs=outputs,
)
