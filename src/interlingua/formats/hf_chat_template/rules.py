"""What `apply_chat_template` refuses, and what many templates cannot render.

Errors are what transformers raises whatever the template is. What depends on the template is a warning.
"""

from __future__ import annotations

from ...codec.rules.rule import errors, fault, of_shape, warnings
from ...codec.rules.view import Found, View, object_of
from ...errors import word
from ...model.base import Json
from ..openai_chat.rules.request import rule_set

# What transformers refuses


@of_shape
def no_messages(view: View) -> Found:
    """A conversation must have at least one message.

    Evidence: transformers 5.24, `apply_chat_template`, raises ValueError "Cannot apply chat template to an empty conversation.
    Provide at least one message."
    """
    if view.body.get("messages") == []:
        yield "/messages", "`messages` must not be empty"


def continuation_and_generation_prompt(view: View) -> Found:
    """`continue_final_message` and `add_generation_prompt` must not both be set.

    Evidence: transformers 5.24, `apply_chat_template`, raises ValueError "continue_final_message and add_generation_prompt are
    not compatible."
    """
    if view.body.get("continue_final_message") and view.body.get("add_generation_prompt"):
        yield (
            "/continue_final_message",
            "`continue_final_message` must not be set beside `add_generation_prompt`: set one of them",
        )


def nothing_to_continue(view: View) -> Found:
    """With `continue_final_message`, the last message must have the field to continue: its content, or the one named.

    Evidence: transformers 5.24, `render_jinja_template`, raises ValueError "continue_final_message is set but the final message
    has no ... to continue!"
    """
    named: Json = view.body.get("continue_final_message")
    field = named if isinstance(named, str) else "content"
    last = view.turns[-1] if named and view.turns else None
    if last is not None and last.role is not None and last.value.get(field) is None:
        yield last.at, "the last message must have the field that `continue_final_message` continues: give it one"


# What many templates cannot render


@fault("written-otherwise")
def arguments_as_text(view: View) -> Found:
    """The arguments of a call must be an object, not JSON text.

    Evidence: transformers' guide to tool use has an object; with text, templates raise "Can only get item pairs from a
    mapping." (QwenLM/Qwen3#1894, QwenLM/Qwen3-Coder#444, mudler/LocalAI#10256) or write the text as JSON a second time
    (ggml-org/llama.cpp#19553, vortico/flama#258). The template of DeepSeek-V3 takes text alone.
    """
    for call in view.calls:
        if isinstance(call.arguments, str):
            yield call.arguments_at, "the arguments of a tool call must be an object: parse the JSON text"


@fault("written-otherwise")
def role_unknown(view: View) -> Found:
    """The role of a message must be system, user, assistant or tool.

    Evidence: TRL 1.16, `prepare_multimodal_messages`, raises ValueError "Invalid role in message"; of the templates in TRL,
    those of Qwen3.5 raise "Unexpected message role." at `developer`, and those of Qwen3, GLM and DeepSeek leave such a message
    out.
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _ROLES:
            yield (
                f"{turn.at}/role",
                f"the role must be system, user, assistant or tool, not {word(turn.role)}; use system in place of developer",
            )


_ROLES = frozenset({"system", "user", "assistant", "tool"})


@fault("written-otherwise")
def content_missing(view: View) -> Found:
    """A message must have content; beside calls, it may be an empty text.

    Evidence: transformers 5.24 leaves null out, and templates in TRL (Cohere's, Phi's, LLaVA's) raise "'dict object' has no
    attribute 'content'"; before that, templates wrote the word None (huggingface/transformers, `_normalize_chat_messages`).
    """
    for turn in view.turns:
        if turn.role in _ROLES and turn.value.get("content") is None:
            yield f"{turn.at}/content", "a message must have content: give it an empty text if it has none"


def function_without_description(view: View) -> Found:
    """A function must have a description.

    Evidence: `get_json_schema` of transformers 5.24 requires one; the templates of gpt-oss and Muse Glimmer in TRL raise errors
    without one.
    """
    for tool in view.tools:
        if isinstance(tool.name, str) and object_of(tool.value, "function").get("description") is None:
            yield tool.at, "a function must have a `description`: say what it does"


RULES = rule_set(
    (
        *errors(no_messages, continuation_and_generation_prompt, nothing_to_continue),
        *warnings(arguments_as_text, role_unknown, content_missing, function_without_description),
    )
)
"""The rules of what chat templates take."""
