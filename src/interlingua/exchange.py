"""What goes to a model besides the messages: tools, the choice among them, and the request that holds it all."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from ._model import JsonObject, Label, Model, Number, Text, shape, tag
from .messages import CacheControl, ProviderData, TaggedMessage, lax


class Tool(Model, frozen=True):
    """A function tool; `parameters` is a JSON Schema."""

    type: Literal["function"] = tag("function")
    name: Label
    description: Text | None = None
    parameters: JsonObject | None = None
    strict: bool | None = None
    cache_control: CacheControl | None = None
    provider_data: ProviderData | None = None


class OpaqueTool(Model, frozen=True):
    """A tool of one provider (search, code execution, custom tools), verbatim."""

    type: Literal["opaque"] = tag("opaque")
    format: Label
    """The family of formats that it belongs to."""
    value: JsonObject


AnyTool: TypeAlias = Tool | OpaqueTool


class ToolChoice(Model, frozen=True):
    """Whether, and which, tool is to be called; `tool` names one."""

    type: Literal["auto", "none", "required", "tool"]
    name: Label | None = None


INVENTED_NAME = "response"
"""The name of a schema that has none, where a format needs one; a format without names lets it go untold."""


class ResponseFormat(Model, frozen=True):
    """What form the answer is to have; `json_schema` comes with a schema and, where the provider wants one, a name."""

    type: Literal["text", "json_object", "json_schema"]
    name: Label | None = None
    description: Text | None = None
    json_schema: JsonObject | None = None
    strict: bool | None = None


class Caching(Model, frozen=True):
    """Asks the dump for cache marks: on the last tool, on the system text, on the last `messages` messages."""

    tools: bool = True
    system: bool = True
    messages: Annotated[int, Field(ge=0, le=4)] = 2
    ttl: Label | None = None


class Request(Model, frozen=True):
    """One request to a model: the messages, and how to go on from them.

    `origin` is the name of the format that it was loaded from; None for a request that was built here. What one provider
    alone has lives in `provider_data[family]`.
    """

    messages: Annotated[Annotated[tuple[TaggedMessage, ...], lax, Tag("<parts>")], Discriminator(shape)]
    model: Label | None = None
    tools: Annotated[
        Annotated[tuple[Annotated[AnyTool, Field(discriminator="type")], ...], lax, Tag("<parts>")]
        | Annotated[None, Tag("<null>")],
        Discriminator(shape),
    ] = None
    tool_choice: ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    max_tokens: int | None = None
    temperature: Number | None = None
    top_p: Number | None = None
    top_k: int | None = None
    stop: Annotated[Annotated[tuple[Text, ...], lax, Tag("<parts>")] | Annotated[None, Tag("<null>")], Discriminator(shape)] = (
        None
    )
    reasoning_effort: Label | None = None
    reasoning_budget: int | None = None
    """How many tokens the model may spend on reasoning."""
    response_format: ResponseFormat | None = None
    metadata: JsonObject | None = None
    user: Label | None = None
    """An opaque id of the end user."""
    stream: bool | None = None
    caching: Caching | None = None
    """Cache marks to set when dumping to a format that has them."""
    origin: Label | None = None
    provider_data: ProviderData | None = None


def choice_without_tool(choice: ToolChoice | None, sent: Sequence[str], name: str | None) -> bool:
    """Whether a choice has nothing to choose from, where these tools are sent; `name` is what the chosen one is sent as."""
    return choice is not None and (not sent or (choice.type == "tool" and name not in sent))
