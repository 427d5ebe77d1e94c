"""What Anthropic's Messages API refuses in thinking and in media."""

from __future__ import annotations

from collections.abc import Iterator

from ....codec.rules import claude, images
from ....codec.rules.claude import Thinking
from ....codec.rules.media import is_base64
from ....codec.rules.packed import packed_in
from ....codec.rules.rule import fault
from ....codec.rules.settings import not_integers
from ....codec.rules.view import Found, Media, Turn, View, object_of, objects
from ....errors import word
from ....model.base import Json
from .view import REASONING, kinds_of

_IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MIB = 1 << 20


def _thinking(view: View) -> Iterator[Thinking]:
    body = view.body
    if isinstance(body.get("thinking"), dict):
        forced = object_of(body, "tool_choice").get("type") in ("any", "tool")
        yield Thinking(
            "/thinking",
            body["thinking"],
            body.get("max_tokens"),
            body.get("temperature"),
            "/temperature",
            "/tool_choice" if forced else None,
        )


def _loop(view: View) -> list[Turn]:
    """The assistant messages since the last message that has anything other than results, in order."""
    found: list[Turn] = []
    for turn in reversed(view.turns):
        if turn.role == "assistant":
            found.append(turn)
        elif turn.role != "system" and {*kinds_of(turn)} != {"tool_result"}:
            break
    return found[::-1]


# Thinking


@fault("reasoning-refused")
def reasoning_signature_empty(view: View) -> Found:
    """A thinking block with text must not have an empty signature, which marks answers of other providers.

    Evidence: the server's text "Invalid `signature` in `thinking` block" (langchain-ai/langchain#33391). No host was recorded
    to take one, while other hosts of this shape take thinking without a signature.
    """
    for thought in view.thoughts:
        if thought.signature == "" and thought.value.get("thinking"):
            yield thought.at, "a `thinking` block must have Claude's signature, not an empty one: leave the block out"


@fault("out-of-place")
def search_result_unreadable(view: View) -> Found:
    """The result of a web search must not have empty encrypted content, which marks answers of other providers.

    Evidence: the server's text "Invalid encrypted_content in search_result block" (seen in public code bases, one of which
    notes that it refuses an empty text there, and takes a search that failed).
    """
    refused: set[str] = set()
    for block in view.others:
        if block.kind == "web_search_tool_result" and _has_empty_result(block.value.get("content")):
            refused.add(str(block.value.get("tool_use_id")))
    for block in view.others if refused else ():
        if block.value.get("id", block.value.get("tool_use_id")) in refused:
            yield block.at, "the results of a web search must have the content that Anthropic encrypted: leave the search out"


@fault("written-otherwise")
def citation_unreadable(view: View) -> Found:
    """The citation of a web search must not have an empty encrypted index, which marks answers of other providers.

    Evidence: the server's text "Invalid encrypted_index in text block" (seen in public code bases).
    """
    for turn in view.turns:
        for at, block in objects(turn.value.get("content"), f"{turn.at}/content"):
            for at_citation, citation in objects(block.get("citations"), f"{at}/citations"):
                if citation.get("encrypted_index") == "":
                    yield at_citation, "a citation of a web search must have the index that Anthropic encrypted: leave it out"


def _has_empty_result(results: Json) -> bool:
    return type(results) is list and any(type(each) is dict and each.get("encrypted_content") == "" for each in results)


@fault("reasoning-refused")
def reasoning_signature_invalid(view: View) -> Found:
    """A thinking block must have the signature that Claude gave it.

    Evidence: the server's text "Invalid `signature` in `thinking` block" (anthropics/claude-code#10627,
    anthropics/anthropic-sdk-python#1598, langchain-ai/langchain#33391); signatures are base64. Whether one is genuine only the
    server knows, and other hosts of this shape give none.
    """
    for thought in view.thoughts:
        signature = thought.signature
        if signature is None and thought.value.get("thinking"):
            yield thought.at, "a `thinking` block must have its signature: send it as Claude sent it, or leave the block out"
        elif isinstance(signature, str) and signature and not is_base64(signature):
            yield (
                f"{thought.at}/signature",
                "the signature of a `thinking` block must be Claude's, which is base64: leave the block out",
            )


def redacted_thinking_invalid(view: View) -> Found:
    """A block of redacted thinking must have the data that Claude gave it.

    Evidence: the server's text "Invalid `data` in `redacted_thinking` block" (public probes of 2026); the data are base64.
    """
    for block in view.others:
        if block.kind == "redacted_thinking":
            data: Json = block.value.get("data")
            if isinstance(data, str) and not is_base64(data):
                yield (
                    f"{block.at}/data",
                    "the data of a `redacted_thinking` block must be Claude's, which are base64: leave the block out",
                )


@fault("reasoning-refused")
def thinking_empty(view: View) -> Found:
    """A thinking block must have text or a signature.

    Evidence: the server's text "each thinking block must contain thinking", in ten and more public files; DeepSeek's host of
    this shape takes an empty block (leookun/cursor-byok#276).
    """
    for thought in view.thoughts:
        if not thought.signature and not thought.value.get("thinking"):
            yield thought.at, "a `thinking` block must have text or a signature: leave the block out"


@fault("reasoning-refused")
def thinking_last_block(view: View) -> Found:
    """A message must not end with thinking.

    Evidence: the server's text "The final block in an assistant message cannot be `thinking`" (tailcallhq/forgecode#2107,
    #3073, NousResearch/hermes-agent#13010, #16921).
    """
    thinking = [(each.at, each.turn, each.value) for each in view.thoughts]
    redacted = [(each.at, each.turn, each.value) for each in view.others if each.kind == "redacted_thinking"]
    for at, index, block in (*thinking, *redacted):
        turn = view.turns[index]
        after = view.turns[index + 1 : index + 2]
        goes_on = bool(after) and after[0].role == "assistant"
        is_of_assistant = index >= 0 and turn.role == "assistant"
        if is_of_assistant and not goes_on and turn.value["content"][-1] is block:
            yield at, "a message must not end with thinking: leave the block out, or add a text after it"


@fault("reasoning-not-first")
def thinking_must_lead(view: View) -> Found:
    """With a thinking budget, the message that began the current loop of tool calls must begin with thinking.

    Evidence: the server's text "Expected `thinking` or `redacted_thinking`, but found `tool_use`" (anomalyco/opencode#3077,
    Kilo-Org/kilocode#5219, n8n-io/n8n#22550, of 2025); the guide "Extended thinking" says that thinking is now switched off
    for such a request.
    """
    opened = _loop(view)[:1] if object_of(view.body, "thinking").get("type") == "enabled" else []
    for turn in opened:
        kinds = kinds_of(turn)
        if "tool_use" in kinds and kinds[0] not in REASONING:
            yield (
                f"{turn.at}/content/0",
                "with a thinking budget, the message that began the tool calls must begin with its thinking",
            )


def thinking_not_first(view: View) -> Found:
    """A message with thinking must begin with it.

    Evidence: the server's text "If an assistant message contains any thinking blocks, the first block must be `thinking` or
    `redacted_thinking`" (seen in several public code bases, of 2025); models that think between calls may differ.
    """
    for index in sorted({thought.turn for thought in view.thoughts if thought.turn >= 0}):
        turn = view.turns[index]
        first = kinds_of(turn)[:1] if view.turns[index - 1].role != turn.role or not index else []
        if first and first[0] not in REASONING:
            yield f"{turn.at}/content/0", "a message with thinking must begin with it: move the thinking to the front"


@fault("reasoning-refused")
def thinking_while_disabled(view: View) -> Found:
    """If thinking is disabled, the last assistant message must not have any.

    Evidence: the server's text "When thinking is disabled, an `assistant` message in the final position cannot contain
    `thinking`" (tailcallhq/forgecode#1853, Kilo-Org/kilocode#4631, of 2025); the guide "Extended thinking" says that it is now
    left out.
    """
    if object_of(view.body, "thinking").get("type") == "disabled":
        for turn in _loop(view)[-1:]:
            for index, kind in enumerate(kinds_of(turn)):
                if kind in REASONING:
                    yield (
                        f"{turn.at}/content/{index}",
                        "thinking is disabled, so the last message must not have thinking: leave it out",
                    )


def temperature_with_thinking(view: View) -> Found:
    """With thinking, `temperature` must be 1 or absent.

    Evidence: the server's text "`temperature` may only be set to 1 when thinking is enabled" (MartialBE/one-hub#529,
    theopenco/llmgateway#1726, marimo-team/marimo#5190; adaptive: MayDay-wpf/snow-app#42).
    """
    return claude.wrong_temperature(_thinking(view))


def top_k_with_thinking(view: View) -> Found:
    """With thinking, a request must not have `top_k`.

    Evidence: the guide "Extended thinking"; one public code base quotes the server's text.
    """
    if any(each.on for each in _thinking(view)) and view.body.get("top_k") is not None:
        yield "/top_k", "with thinking, `top_k` must be left out"


def thinking_budget_range(view: View) -> Found:
    """A thinking budget must be at least 1024 tokens, and without tools less than `max_tokens`.

    Evidence: the server's texts "`max_tokens` must be greater than `thinking.budget_tokens`" and "greater than or equal to
    1024" (themaximalist/llm.js#30, griffinmartin/opencode-claude-auth#143, getprobo/probo#1459); with interleaved thinking,
    which needs tools, the budget may be greater.
    """
    yield from claude.too_small_budget(_thinking(view))
    if not view.tools:
        yield from claude.budget_over_limit(_thinking(view))


def thinking_budget_not_integer(view: View) -> Found:
    """A thinking budget must be an integer, without a fraction.

    Evidence: the server's text "thinking.enabled.budget_tokens: Input should be a valid integer" for 2048.0
    (valentinfrlch/ha-llmvision#660).
    """
    return not_integers(object_of(view.body, "thinking"), ("budget_tokens",), "/thinking")


def thinking_budget_with_tools(view: View) -> Found:
    """A thinking budget must be less than `max_tokens`, unless thinking is interleaved with calls.

    Evidence: the server's text as for the budget's range; the header that asks for interleaved thinking is not in the body.
    """
    if view.tools:
        yield from claude.budget_over_limit(_thinking(view))


def forced_tool_with_thinking(view: View) -> Found:
    """With a thinking budget, `tool_choice` must not force a call.

    Evidence: the server's text "Thinking may not be enabled when tool_choice forces tool use" (mastra-ai/mastra#7507,
    BerriAI/litellm#17129, pydantic/pydantic-ai#6957).
    """
    return claude.forced_call(_thinking(view))


# Media


def _inline(view: View) -> Iterator[Media]:
    return (media for media in view.media if media.data is not None)


def media_type_unsupported(view: View) -> Found:
    """An image must be image/jpeg, image/png, image/gif or image/webp; a document must be application/pdf, a text text/plain.

    Evidence: the server's text "media_type: Input should be 'image/jpeg', ..." (expectedparrot/edsl#2057); the specification's
    `Base64PDFSource` and `PlainTextSource`.
    """
    for media in view.media:
        known = _IMAGES if media.kind == "image" else {"application/pdf" if media.data is not None else "text/plain"}
        if media.media_type is not None and media.media_type not in known:
            yield (
                f"{media.at}/source/media_type",
                (
                    f"the media type of an inline {media.kind} must be "
                    f"{' or '.join(sorted(known))}, not {word(media.media_type)}"
                ),
            )


def media_data_invalid(view: View) -> Found:
    """Inline media must be base64, without the prefix of a data URI.

    Evidence: the server's text "image.source.base64: invalid base64 data" (seen in many public code bases).
    """
    for media in _inline(view):
        if not is_base64(media.data or ""):
            yield f"{media.at}/source/data", f"the data of the {media.kind} must be base64, without the prefix of a data URI"


def media_type_mismatch(view: View) -> Found:
    """The media type of an image must be that of its bytes.

    Evidence: the server's text "The image was specified using the image/jpeg media type, but the image appears to be"
    (vybestack/llxprt-code#2130).
    """
    return images.unlike_their_type(_inline(view), _IMAGES)


def pdf_refused(view: View) -> Found:
    """A document in base64 must be a PDF.

    Evidence: the server's text "The PDF specified was not valid" (anthropics/claude-code#5174,
    anthropics/anthropic-sdk-python#903).
    """
    for media in _inline(view):
        if media.kind != "document" or b"%PDF-" in images.head(media)[:1024]:
            continue
        if is_base64(media.data or ""):
            yield f"{media.at}/source/data", "the data of a document must be a PDF; send plain text as a document of type text"


def image_too_large_bytes(view: View) -> Found:
    """The base64 of an image must have at most 10 MiB.

    Evidence: the server's text "image exceeds 10 MB maximum: ... bytes > 10485760 bytes" (several public probes of 2026).
    """
    return images.larger_than(_inline(view), 10 * _MIB)


def image_over_old_limit(view: View) -> Found:
    """The base64 of an image must have at most 5 MiB, on hosts with the older limit.

    Evidence: the server's text "image exceeds 5 MB maximum" (lobehub/lobehub#14711, anthropics/claude-code#10612, #19631);
    Anthropic's own limit is 10 MiB since 2026.
    """
    return images.larger_than((each for each in _inline(view) if len(each.data or "") <= 10 * _MIB), 5 * _MIB)


def image_too_large_pixels(view: View) -> Found:
    """Each side of an image must have at most 8000 pixels.

    Evidence: the server's text "At least one of the image dimensions exceed max allowed size: 8000 pixels"
    (anthropics/claude-code#4778, langgenius/dify#11177); the guide "Vision".
    """
    return images.wider_than(_inline(view), 8000)


def many_images_too_large(view: View) -> Found:
    """In a request with more than 20 images, each side of an image must have at most 2000 pixels.

    Evidence: anthropics/claude-code#9375, #14412, #49537 and the guide "Vision"; earendil-works/pi#120 saw larger ones pass.
    """
    if sum(media.kind == "image" for media in view.media) > 20:
        yield from images.wider_than(_inline(view), 2000)


def url_source_unsupported(view: View) -> Found:
    """On Bedrock and Vertex AI, media must be inline.

    Evidence: the server's text "URL sources are not supported" (langchain-ai/langchain-google#1088, #1886,
    anthropics/anthropic-sdk-typescript#1038); the guide "Vision" says it of both hosts.
    """
    for media in view.media:
        if media.url is not None:
            yield f"{media.at}/source", _INLINE
        elif media.kind == "document":
            yield from (
                (f"{at}/source", _INLINE)
                for at, block in objects(object_of(media.value or {}, "source").get("content"), f"{media.at}/source/content")
                if object_of(block, "source").get("type") == "url"
            )


_INLINE = "this host takes media in base64, not by URL: send the data"


packed_value = packed_in("content/*/signature", "content/*/data")
