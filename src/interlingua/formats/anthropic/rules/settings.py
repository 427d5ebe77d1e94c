"""What Anthropic refuses in settings."""

from __future__ import annotations

from collections.abc import Iterator

from ....codec.rules.settings import Limits, out_of_range
from ....codec.rules.view import Found, View, object_of, objects, strings
from ....codec.settings import has_email, is_telephone
from .view import has_text

_LIMITS: Limits = {"temperature": (0, 1), "top_p": (None, 1), "max_tokens": (0, None)}
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


def max_tokens_missing(view: View) -> Found:
    """A request must have `max_tokens`.

    Evidence: the specification ("required"), and the server's text "max_tokens: Field required" (diffbot/code-gpt-docs#300).
    """
    whole = "model" in view.body or "anthropic_version" in view.body
    if whole and view.turns and view.body.get("max_tokens") is None:
        yield "/max_tokens", "`max_tokens` must be set: Anthropic requires it in every request"


def number_out_of_range(view: View) -> Found:
    """`temperature` must be from 0 to 1, `top_p` at most 1, and `max_tokens` not negative.

    Evidence: the specification's `minimum` and `maximum`; a `top_p` of -1 was accepted (recorded 0d91032112aa2bac).
    """
    return out_of_range(view.body, _LIMITS)


def stop_sequence_blank(view: View) -> Found:
    """A stop sequence must not be only white space.

    Evidence: the server's text "stop_sequences: each stop sequence must contain non-whitespace" (BerriAI/litellm#3286,
    MegaGrindStone/mcp-web-ui#5, sourcegraph/cody#3549).
    """
    for at, sequence in strings(view.body.get("stop_sequences"), "/stop_sequences"):
        if not sequence.strip():
            yield at, "a stop sequence must not be only white space: leave it out"


def user_id_too_long(view: View) -> Found:
    """The id of a user must have at most 512 characters.

    Evidence: the specification's `maxLength`.
    """
    id = object_of(view.body, "metadata").get("user_id")
    if isinstance(id, str) and len(id) > 512:
        yield "/metadata/user_id", f"`user_id` must have at most 512 characters; it has {len(id)}"


def user_id_is_email(view: View) -> Found:
    """The id of a user must not contain an e-mail address.

    Evidence: the server's text "metadata.user_id: user_id appears to contain an email address" (BerriAI/litellm#10106).
    """
    id = object_of(view.body, "metadata").get("user_id")
    if isinstance(id, str) and has_email(id):
        yield "/metadata/user_id", "`user_id` must not contain an e-mail address; send an opaque id"


def user_id_is_telephone(view: View) -> Found:
    """The id of a user must not be a telephone number.

    Evidence: the reference of `metadata.user_id` forbids identifying information such as a telephone number.
    """
    id = object_of(view.body, "metadata").get("user_id")
    if isinstance(id, str) and is_telephone(id):
        yield "/metadata/user_id", "`user_id` must not be a telephone number; send an opaque id"


def citations_with_output_schema(view: View) -> Found:
    """A request for an answer with a schema must not have citations switched on.

    Evidence: the guide "Structured outputs" ("Returns 400 error if citations enabled with `output_config.format`").
    """
    for at, cited in _cited(view):
        if cited and view.outputs:
            yield at, "citations must be disabled when the answer has a JSON schema"


def citations_mixed(view: View) -> Found:
    """Citations must be switched on for all documents of a request, or for none.

    Evidence: the guide "Citations" ("citations must be enabled on all or none of the documents"); no server's text was found.
    """
    documents = list(_cited(view))
    if any(cited for _, cited in documents):
        yield from ((at, "citations must be enabled for all documents or for none") for at, cited in documents if not cited)


def _cited(view: View) -> Iterator[tuple[str, bool]]:
    """The documents of the messages, each with whether its citations are switched on."""
    for turn in {media.turn for media in view.media if media.kind == "document" and media.turn >= 0 and not media.in_result}:
        for at, block in objects(view.turns[turn].value.get("content"), f"{view.turns[turn].at}/content"):
            if block.get("type") == "document":
                yield at, object_of(block, "citations").get("enabled") is True


def prefill_with_output_schema(view: View) -> Found:
    """A request for an answer with a schema must not begin the answer.

    Evidence: the guide "Structured outputs" (prefilling is "incompatible with JSON outputs"); no server's text was found.
    """
    if not view.outputs or not view.turns:
        return
    last = view.turns[-1]
    if last.role == "assistant" and has_text(last):
        yield last.at, "an answer with a JSON schema cannot continue an assistant message: end with a user message"


def effort_unsupported(view: View) -> Found:
    """An effort must be low, medium, high, xhigh or max.

    Evidence: anthropic 2.11.0, `types/output_config_param.py`; which of them a model takes depends on it (recorded
    f1b5e5d404e282db).
    """
    effort = object_of(view.body, "output_config").get("effort")
    if effort is not None and effort not in _EFFORTS:
        yield "/output_config/effort", f"`effort` must be one of {', '.join(_EFFORTS)}"
