"""What OpenAI's Responses API refuses in the items of its input."""

from __future__ import annotations

import re
from typing import Any

from ....codec.rules.rule import errors, fault, of_shape, warnings
from ....codec.rules.view import Found, View, objects
from ....errors import word
from ....model.base import Json
from ...openai_chat.rules import media as chat_media

_ROLES = frozenset({"user", "assistant", "system", "developer"})
_STORED = re.compile("[a-z]+_[0-9a-f]{48,}")
"""The form of OpenAI's ids; those of other hosts are shorter, or UUIDs."""

_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-")
_ID = re.compile("[A-Za-z0-9_-]+")
_PREFIXES = {"function_call": "fc", "custom_tool_call": "ctc", "message": "msg", "reasoning": "rs", "tool_search_call": "tsc"}
_LONGEST = 64
_CHAT_PARTS = {"text": "input_text or output_text", "image_url": "input_image", "file": "input_file"}
_INPUT_PARTS = frozenset({"input_text", "input_image", "input_file"})


def kind_of(item: dict[str, Any]) -> str:
    """The type of an item, which messages and references may leave out."""
    kind: Json = item.get("type")
    if isinstance(kind, str):
        return kind
    return "message" if "role" in item else "item_reference" if "id" in item else ""


def is_message(item: dict[str, Any]) -> bool:
    """Whether an item is a message of any role."""
    return kind_of(item) == "message"


def _id_of(item: dict[str, Any]) -> str:
    id: Json = item.get("id")
    return id if isinstance(id, str) else ""


# Reasoning


@fault("reasoning-alone")
def responses_reasoning_without_follower(view: View) -> Found:
    """A stored reasoning item must be directly followed by the item that the model made with it.

    Evidence: recorded 0eeb6b0a56454176, "of type 'reasoning' was provided without its required following item";
    openai/openai-node#1567, vercel/ai#7099, mastra-ai/mastra#14048. Not asked of requests with store: false, nor of reasoning
    without an id.
    """
    if view.body.get("store") is False:
        return
    following: dict[int, int] = {}
    for thought in reversed(view.thoughts):
        following[thought.turn] = following.get(thought.turn + 1, thought.turn + 1)
    for thought in view.thoughts:
        if _STORED.fullmatch(_id_of(thought.value)) and not _is_made(view, following[thought.turn]):
            yield (
                thought.at,
                (
                    "stored reasoning must be followed by the item that the model "
                    "made with it: add the item, or leave the reasoning out"
                ),
            )


def _is_made(view: View, turn: int) -> bool:
    """Whether a turn is an item that the model made; an assistant message without an id is not one."""
    if turn >= len(view.turns):
        return False
    item = view.turns[turn].value
    if is_message(item):
        return item.get("role") == "assistant" and bool(item.get("id"))
    return not kind_of(item).endswith("_output")


def responses_item_status_refused(view: View) -> Found:
    """A reasoning item must not have a status.

    Evidence: the server's text "Unknown parameter: 'input[1].status'" (BerriAI/litellm#13420, 1jehuang/jcode#1028). xAI
    accepted it.
    """
    for thought in view.thoughts:
        if "status" in thought.value:
            yield f"{thought.at}/status", "reasoning in a request must not have `status`: leave it out"


def responses_reasoning_summary_missing(view: View) -> Found:
    """A reasoning item must have a summary, which may be empty.

    Evidence: one report (newo-ether/Agora#141); the field is required in OpenAI's specification.
    """
    for thought in view.thoughts:
        if "summary" not in thought.value:
            yield thought.at, "reasoning must have a `summary`, which may be an empty list"


def responses_item_not_stored(view: View) -> Found:
    """With store: false, reasoning must have its encrypted content, and an item must not be a reference.

    Evidence: the server's text "Items are not persisted when `store` is set to false" (anomalyco/opencode#7724,
    openai/openai-agents-python#2020), which is about the request that made the item.
    """
    if view.body.get("store") is not False:
        return
    for turn in view.special:
        kind = kind_of(turn.value)
        is_stored = kind == "reasoning" and turn.value.get("id") and not turn.value.get("encrypted_content")
        if kind == "item_reference" or is_stored:
            yield turn.at, "with `store: false`, OpenAI may not have this item stored: send its content, or leave the item out"


# Ids


def responses_item_id_format(view: View) -> Found:
    """The id of an item must begin with the letters of its type, and must have only letters, digits, underscores and hyphens.

    Evidence: the server's text "Expected an ID that begins with 'fc'" (nodetool-ai/nodetool#4252, Wei-Shaw/sub2api#3785,
    mastra-ai/mastra#10815; langchain-ai/langchainjs#11044 for empty ids). Other hosts have other ids.
    """
    for turn in view.special:
        id: Json = turn.value.get("id")
        if isinstance(id, str):
            prefix = _PREFIXES.get(kind_of(turn.value), "")
            if not id.startswith(prefix) or not _ID.fullmatch(id):
                yield (
                    f"{turn.at}/id",
                    (
                        f"the id of an item of type {word(kind_of(turn.value))} must "
                        f"begin with '{prefix}' and have only letters, digits, _ and -"
                    ),
                )


@fault("item-repeated")
def responses_duplicate_item(view: View) -> Found:
    """Items must have different ids.

    Evidence: the server's text "Duplicate item found with id rs_... Remove duplicate items from your input"
    (VoltAgent/voltagent#1121, earendil-works/pi#5165). xAI repeats ids that are made of a UUID. The output of a local shell has
    the id of its call (OpenAI's specification).
    """
    seen: set[str] = set()
    for turn in view.special:
        if kind_of(turn.value) == "local_shell_call_output":
            continue
        id = _id_of(turn.value)
        if id and id in seen and not _UUID.search(id):
            yield f"{turn.at}/id", "the ids of items must differ, and another item has this id: leave one of them out"
        seen.add(id)


@fault("id-refused")
def responses_call_id_length(view: View) -> Found:
    """A call must have an id of 1 to 64 characters, and its output must have the same id.

    Evidence: the server's text "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64"
    (AnswerDotAI/fastllm#45), "Missing required parameter: 'input[3].call_id'" (craft-ai-agents/craft-agents-oss#613); OpenAI's
    specification.
    """
    ids = [(call.id, call.id_at) for call in view.calls] + [(result.id, result.id_at) for result in view.results]
    for id, at in ids:
        if isinstance(id, str) and not 0 < len(id) <= _LONGEST:
            yield at, f"`call_id` must have 1 to {_LONGEST} characters; this one has {len(id)}"
    for call in view.calls:
        if call.id is None:
            yield call.at, "a call must have a `call_id`: give the call and its output the same id"


# Messages


def responses_role_tool(view: View) -> Found:
    """Calls and results must be items, not messages of role tool or function.

    Evidence: the server's text "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'"
    (Chevey339/kelivo#281).
    """
    for turn in view.special:
        if turn.role in ("tool", "function"):
            yield (
                f"{turn.at}/role",
                (
                    f"the role must be user, assistant, system or developer, not {turn.role}: "
                    "send a tool result as an item of type function_call_output"
                ),
            )
        if turn.role is not None and "tool_calls" in turn.value:
            yield (
                f"{turn.at}/tool_calls",
                "a message must not have `tool_calls`: send each call as an item of type function_call",
            )


def role_invalid(view: View) -> Found:
    """The role of a message must be user, assistant, system or developer.

    Evidence: OpenAI's specification, and the server's list of supported values (Chevey339/kelivo#281).
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _ROLES and turn.role not in ("tool", "function"):
            yield f"{turn.at}/role", f"the role must be user, assistant, system or developer, not {word(turn.role)}"


@of_shape
def role_missing(view: View) -> Found:
    """A message must have a role.

    Evidence: EasyInputMessage and InputMessage in OpenAI's specification require `role`.
    """
    for turn in view.special:
        if turn.role is None and _is_message(turn.value):
            yield f"{turn.at}/role", "a message must have a role: user, assistant, system or developer"


def _is_message(item: dict[str, Any]) -> bool:
    """Whether an item without a role is a message: by its type, or by its content if it has no type."""
    return item.get("type") == "message" or (item.get("type") is None and "content" in item)


@fault("content-null")
@of_shape
def content_null(view: View) -> Found:
    """The content of a message must not be null.

    Evidence: the server's text "Invalid value for 'content': expected a string, got null" (QuantumNous/new-api#4776 for the
    Responses API).
    """
    for turn in view.special:
        if turn.role in _ROLES and turn.value.get("content") is None:
            at = f"{turn.at}/content" if "content" in turn.value else turn.at
            yield at, f"a message of role {turn.role} must have content: give it some, or leave the message out"


def responses_part_type_wrong(view: View) -> Found:
    """The parts of messages and outputs must have the types of the Responses API, not those of Chat Completions.

    Evidence: the server's text "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', ..."
    (MervinPraison/PraisonAI#3934, lmstudio-ai/docs#141).
    """
    for turn in view.special:
        for key in ("content", "output"):
            if turn.role is None and key == "content":
                continue
            for at, part in objects(turn.value.get(key), f"{turn.at}/{key}"):
                kind: Json = part.get("type")
                if isinstance(kind, str) and kind in _CHAT_PARTS:
                    yield f"{at}/type", f"the type of a part must be {_CHAT_PARTS[kind]} in the Responses API, not {kind}"


def responses_part_role_wrong(view: View) -> Found:
    """The parts of an assistant message must be output parts, and those of any other message must be input parts.

    Evidence: LiteLLM's and other clients' notes on refused input_text in messages of the assistant; the server's text was not
    seen.
    """
    for turn in view.special:
        if turn.role in _ROLES:
            of_assistant = turn.role == "assistant"
            for at, part in objects(turn.value.get("content"), f"{turn.at}/content"):
                kind: Json = part.get("type")
                if isinstance(kind, str) and (kind in _INPUT_PARTS if of_assistant else kind in ("output_text", "refusal")):
                    yield (
                        f"{at}/type",
                        (
                            f"a message of role {turn.role} must not have a part of type "
                            f"{kind}; use {'output_text' if of_assistant else 'input_text'}"
                        ),
                    )


def extra_field_refused(view: View) -> Found:
    """Items and parts must have only the fields of the API: no metadata and no cache_control.

    Evidence: the server's text "Unknown parameter" (microsoft/agent-framework#2203 for metadata); LiteLLM removes
    cache_control.
    """
    for turn in view.special:
        if "metadata" in turn.value:
            yield f"{turn.at}/metadata", "an item must not have `metadata`: leave it out"
        for at, part in objects(turn.value.get("content"), f"{turn.at}/content"):
            if "cache_control" in part:
                yield f"{at}/cache_control", "a part must not have `cache_control`: leave it out"


# Media


@fault("filename-missing")
def filename_missing(view: View) -> Found:
    """A file that is sent as data must have a name.

    Evidence: the server's text "Missing required parameter: 'input[1].content[1]'" (laravel/ai#321,
    langchain-ai/langchainjs#9570); each accepted recording has a name.
    """
    for turn in view.special:
        for key in ("content", "output"):
            for at, part in objects(turn.value.get(key), f"{turn.at}/{key}"):
                data: Json = part.get("file_data") if part.get("type") == "input_file" else None
                if isinstance(data, str) and data and part.get("filename") in (None, ""):
                    yield f"{at}/filename", "a file with `file_data` must have a `filename`"


def filename_refused(view: View) -> Found:
    """A file at a URL, or with an id, must not have a name.

    Evidence: the server's text "Mutually exclusive parameters ... only providing one of: 'file_id' or 'filename'"
    for a file at a URL (0xPlaygrounds/rig#1429, langchain-ai/langchainjs#9887).
    """
    for turn in view.special:
        for key in ("content", "output"):
            for at, part in objects(turn.value.get(key), f"{turn.at}/{key}"):
                elsewhere = part.get("file_url") or part.get("file_id")
                if part.get("type") == "input_file" and elsewhere and part.get("filename") and not part.get("file_data"):
                    yield f"{at}/filename", "a file at a URL, or with an id, must not have a `filename`: leave it out"


@fault("media-type-unsaid")
def file_data_format(view: View) -> Found:
    """The data of a file must be a data URI, and its type must not be audio or video.

    Evidence: recorded 3a8dbfb7a170a928, "Expected a base64-encoded data URL with a valid file MIME type"; documents of PDF,
    Word and Excel were accepted.
    """
    for media in view.media:
        if media.kind == "file":
            if media.url is not None:
                yield media.at, "`file_data` must be a data URI, such as `data:application/pdf;base64,...`"
            elif media.media_type is not None and media.media_type.startswith(("audio/", "video/")):
                yield media.at, f"`file_data` must not be audio or video, as {word(media.media_type)} is"


_IMAGES = frozenset({"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"})


def media_type_unsupported(view: View) -> Found:
    """An image must be a PNG, JPEG, GIF or WebP.

    Evidence: the server's text "of is one the following formats: ['png', 'jpeg', 'gif', 'webp']" (openai/openai-node#1463).
    """
    for media in view.media:
        if media.kind == "image" and media.media_type is not None and media.media_type not in _IMAGES:
            yield media.at, f"an image must be PNG, JPEG, GIF or WebP, not {word(media.media_type)}"


RULES = (
    *errors(
        content_null,
        file_data_format,
        filename_missing,
        chat_media.image_data_invalid,
        responses_call_id_length,
        responses_duplicate_item,
        responses_part_type_wrong,
        responses_reasoning_without_follower,
        responses_role_tool,
        role_missing,
    ),
    *warnings(
        filename_refused,
        chat_media.image_url_scheme,
        extra_field_refused,
        media_type_unsupported,
        responses_item_id_format,
        responses_item_not_stored,
        responses_item_status_refused,
        responses_part_role_wrong,
        responses_reasoning_summary_missing,
        role_invalid,
    ),
)
