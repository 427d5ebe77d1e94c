"""What Gemini refuses, at AI Studio and on Vertex AI.

Every field comes in camel case or in snake case, and the pointers have the spelling of the body. In a call of google-genai the
settings are fields of `config`. Calls need no ids, so that they are paired with results by their number in a content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ....codec.magic import ANY_BYTES
from ....codec.rules import pairing, tools
from ....codec.rules.media import is_base64
from ....codec.rules.packed import packed_in
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.spelling import misspelt, words
from ....codec.rules.view import (
    Call,
    Found,
    Result,
    Thought,
    View,
    strings,
)
from ....errors import escape, word
from ..media import REFUSED
from ..spellings import snake
from ..stand_ins import STAND_IN, is_stand_in
from . import schemas as gemini_schemas
from .view import declared, generation_of, object_in, outputs, parts_in, settings_of, spelled, tools_in, view, view_of_call

# Rules of contents


@of_shape
def no_messages(view: View) -> Found:
    """A request must have at least one content.

    Evidence: the server's texts "contents is not specified" and "at least one contents field is required"
    (ikechan8370/chatgpt-plugin#733, langchain-ai/langchain-google#1393).
    """
    if view.body.get("contents") in (None, [], ""):
        yield "/contents", "`contents` must not be empty"


_OLD_ROLES = ("function", "tool")


@fault("role-word")
def role_invalid(view: View) -> Found:
    """The role of a content must be user or model, or absent.

    Evidence: recorded refusal 72741bb057f71cac, "Please use a valid role: user, model". The role function was valid for models
    before Gemini 3.5, and the role tool before Gemini 3.6, so that they are not errors here.
    """
    for turn in view.turns:
        if turn.role not in (None, "", "user", "model", *_OLD_ROLES):
            yield f"{turn.at}/role", f"the role must be user or model, not {word(turn.role)}"


@fault("role-word")
def role_function(view: View) -> Found:
    """The role of a content with function results must be user: newer models refuse the roles function and tool.

    Evidence: the server's text "Role 'function' is not supported", from Gemini 3.5 on (memex-lab/dart_agent_core#34,
    firebase/quickstart-ios#1871); genkit-ai/genkit#5780 about the role tool, which the guide of google-genai 3.4.0 uses.
    """
    for turn in view.turns:
        if turn.role in _OLD_ROLES:
            yield (
                f"{turn.at}/role",
                f"newer models of Gemini refuse the role {turn.role}: send function responses under the role user",
            )


@fault("says-nothing")
def empty_message(view: View) -> Found:
    """A content must have at least one part.

    Evidence: the server's texts "contents.parts must not be empty" (egoist/chatwise-releases#250) and "must include at least
    one parts field" (agno-agi/agno#5843, genkit-ai/genkit#3690); AI Studio was recorded to take such a content of the model.
    """
    for turn in view.turns:
        if turn.value.get("parts") in (None, [], {}):
            yield turn.at, "a content must have at least one part: add one, or leave the content out"


@fault("says-nothing")
def part_without_data(view: View) -> Found:
    """A part must have data (a text, media, a call, a result or code), or only a signature or the metadata of a video.

    Evidence: the server's text "required oneof field 'data' must have one initialized field" (boldsoftware/sketch#68,
    google-gemini/gemini-cli#5575). Requests with nothing but a signature or metadata in a part were answered.
    """
    for turn in view.turns:
        for at, part in parts_in(turn.value, turn.at):
            if all(value is None for key, value in part.items() if key != "thought"):
                yield at, "a part must hold data: a text, media, a call, a result or code"


@fault("text-blank")
def empty_text(view: View) -> Found:
    """A text must not be empty on Vertex AI.

    Evidence: "must have non-empty text" on Vertex AI (Portkey-AI/gateway#462); AI Studio was not seen to refuse it, and sends
    such parts itself, with a signature.
    """
    empty = {text.at: text.turn for text in view.texts if not text.text and text.turn >= 0}
    for turn in map(view.turns.__getitem__, dict.fromkeys(empty.values())):
        for at, part in parts_in(turn.value, turn.at):
            if f"{at}/text" in empty and part == {"text": ""}:
                yield f"{at}/text", "Vertex AI refuses an empty text: leave the part out"


# Rules of calls and results


def _steps(view: View) -> Iterator[tuple[int, list[Call], list[Result]]]:
    """Each step: the index of its first content, its calls, in contents in a row, and the results directly after them.

    A step without calls has results that answer no call.
    """
    calls, results = pairing.by_turn(view)
    made: list[Call] = []
    answers: list[Result] = []
    begun = 0
    for index, turn in enumerate(view.turns):
        is_of_model = turn.role == "model" or index in calls
        if is_of_model and (answers or not made):
            if answers:
                yield begun, made, answers
            begun = index
            made = []
            answers = []
        if index in calls:
            made += calls[index]
        if index in results:
            begun = begun if made or answers else index
            answers += results[index]
        elif not is_of_model and (made or answers):
            yield begun, made, answers
            made = []
            answers = []
    if answers:
        yield begun, made, answers


@fault("begins-without-user")
def call_turn_misplaced(view: View) -> Found:
    """Calls must follow a content of the user, or results: a history must not begin with calls.

    Evidence: the server's text "function call turn comes immediately after a user turn or after a function response turn"
    (google-gemini/gemini-cli#11814, continuedev/continue#11164). Contents of the model in a row were recorded as accepted.
    """
    if view.calls and view.calls[0].turn == 0:
        yield view.turns[0].at, "function calls must follow a content of role user: put one before this content"


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """Results must follow the calls that they answer.

    Evidence: the server's text "function response turn comes immediately after a function call turn"
    (langchain-ai/langchain#27799).
    """
    for _, made, answers in _steps(view):
        if not made:
            for result in answers:
                yield result.at, "a function response must directly follow the function calls that it answers"


@fault("results-differ")
def result_count_mismatch(view: View) -> Found:
    """Calls must be followed by the same number of results.

    Evidence: the server's text "number of function response parts is equal to the number of function call parts"
    (google-gemini/gemini-cli#4217, #16216, #18509). Results in several contents in a row were recorded as accepted, and so were
    those beside their calls, as Gemini answers where it calls a tool of an MCP server (googleapis/js-genai, `test/system`).
    """
    for begun, made, answers in _steps(view):
        if made and len(made) != len(answers):
            turn = answers[0].turn if answers else begun
            at = view.turns[turn].at
            yield at, f"each function call must have one response; calls: {len(made)}, responses: {len(answers)}"


@fault("id-repeated")
def tool_id_duplicate(view: View) -> Found:
    """The calls of one content must have different ids.

    Evidence: watt-mind/coach#280 (tried with Gemini 3, which answered "Request contains an invalid argument").
    """
    for made in pairing.by_turn(view)[0].values():
        yield from pairing.repeated_ids(made)


def result_with_other_content(view: View) -> Found:
    """A content must not have both results and text of the user on Vertex AI.

    Evidence: envoyproxy/ai-gateway#2686; pydantic-ai's adapter separates them (pydantic/pydantic-ai#4210).
    """
    results = pairing.by_turn(view)[1]
    for text in view.texts:
        if text.turn in results and text.text:
            yield text.at, "Vertex AI refuses text beside function responses: put the text into another content"


_UNSIGNED = (
    "the first function call of a step must have its `thoughtSignature`: send it as Gemini sent it, "
    f"or `{STAND_IN}` for a call that Gemini did not sign"
)


@fault("signature-missing")
def thought_signature_missing(view: View) -> Found:
    """The first call of each step must keep its signature while the turn goes on, for models since Gemini 3.

    Other models sign nothing: there is a finding only where another call of the turn has a signature that is not a stand-in.

    Evidence: the server's text "Function call is missing a thought_signature in functionCall parts" (niki914/zafiro#100,
    google-gemini/gemini-cli#26682).
    """
    calls, results = pairing.by_turn(view)
    asked = [text.turn for text in view.texts if text.turn >= 0 and view.turns[text.turn].role != "model"]
    begun = max((turn for turn in asked if turn not in results), default=-1)
    steps = [made[0] for turn, made in calls.items() if turn > begun]
    if any(call.signature and not is_stand_in(call.signature) for call in steps):
        for call in steps:
            if not call.signature:
                yield call.at, _UNSIGNED


@fault("reasoning-refused")
def reasoning_signature_invalid(view: View) -> Found:
    """A signature must be base64.

    Evidence: the field is of the format byte in Google's discovery document; "Corrupted thought signature"
    (google-gemini/gemini-cli#13467, RooCodeInc/Roo-Code#10554).
    """
    signed: list[Call | Thought] = [*view.calls, *view.thoughts]
    for thing in signed:
        if isinstance(thing.signature, str) and not is_base64(thing.signature):
            yield thing.at, "`thoughtSignature` must be base64: send it as Gemini sent it, or leave it out"


# Rules of media


_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;.*)?", re.ASCII)
_UNKNOWN_TYPES = REFUSED | ANY_BYTES | {"image/jpg"}


def media_type_unsupported(view: View) -> Found:
    """A media type must exist, and must not be SVG, that of any bytes, or one of Microsoft Office.

    Evidence: the server's text "Unsupported MIME type: image/jpg" (google-gemini/gemini-cli#3054, charmbracelet/crush#995,
    google/adk-python#5693), "Unsupported MIME type: application/octet-stream" (binaricat/Netcatty#1289), and the same of Word's
    type (googleapis/python-genai#829, google/generative-ai-go#161); Google Cloud's list of types of documents.
    """
    for media in view.media:
        kind = media.media_type
        if kind is not None and (kind.partition(";")[0].strip().lower() in _UNKNOWN_TYPES or not _MEDIA_TYPE.fullmatch(kind)):
            yield media.at, f"Gemini does not take the media type {word(kind)}"


def media_data_invalid(view: View) -> Found:
    """Inline data must be base64, and must not be empty.

    Evidence: the field is of the format byte in Google's discovery document.
    """
    for media in view.media:
        if media.data is not None and not is_base64(media.data):
            yield media.at, "the data of inline media must be base64, and not empty"


# Rules of settings


def thinking_level_and_budget(view: View) -> Found:
    """A request must not have both a thinking level and a thinking budget.

    Evidence: the server's text "You can only set only one of thinking budget and thinking level".
    """
    at, generation = generation_of(view.body)
    at, thinking = object_in(generation, "thinkingConfig", at)
    if spelled(thinking, "thinkingBudget")[1] is not None and spelled(thinking, "thinkingLevel")[1] is not None:
        yield at, "`thinkingBudget` and `thinkingLevel` exclude each other: leave one out"


def cached_content_conflict(view: View) -> Found:
    """A request with cached content must not have a system instruction, tools or a tool config: the cache has them.

    Evidence: the server's text "Tool config, tools and system instruction should not be set in the request when using cached
    content" (pydantic/pydantic-ai, models/google.py).
    """
    at, settings = settings_of(view.body)
    if spelled(settings, "cachedContent")[1] is None:
        return
    for name in ("systemInstruction", "tools", "toolConfig"):
        key, value = spelled(settings, name)
        if value is not None:
            yield (
                f"{at}/{key}",
                f"`cachedContent` and `{key}` exclude each other: the cache has its own `{key}`, so leave this one out",
            )


def stop_sequences_too_many(view: View) -> Found:
    """A request must have at most five stop sequences.

    Evidence: Google's discovery document, GenerationConfig.stopSequences ("up to 5").
    """
    at, generation = generation_of(view.body)
    key, stops = spelled(generation, "stopSequences")
    if isinstance(stops, list) and len(stops) > 5:
        yield f"{at}/{key}", f"`{key}` must have at most 5 entries; it has {len(stops)}"


def number_out_of_range(view: View) -> Found:
    """`temperature` must be from 0 to 2, and `topP` from 0 to 1.

    Evidence: Google's discovery document, GenerationConfig.temperature ("Values can range from [0.0, 2.0]").
    """
    at, generation = generation_of(view.body)
    for name, most in (("temperature", 2), ("topP", 1)):
        key, value = spelled(generation, name)
        if isinstance(value, int | float) and not 0 <= value <= most:
            yield f"{at}/{key}", f"`{key}` must be from 0 to {most}"


_BODY = words(
    "contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels model serviceTier store",
    "config",
)
_SETTINGS = words(
    "candidateCount enableAffectiveDialog enableEnhancedCivicAnswers frequencyPenalty imageConfig logprobs maxOutputTokens",
    "mediaResolution presencePenalty responseFormat responseJsonSchema responseLogprobs responseMimeType responseModalities",
    "responseSchema seed speechConfig stopSequences temperature thinkingConfig topK topP translationConfig audioTimestamp",
    "routingConfig modelSelectionConfig audioTranscriptionConfig automaticContinuation automaticFunctionCalling httpOptions",
    "continuationToken generationOutputConfig modelArmorConfig shouldReturnHttpResponse",
)
_PART = words(
    "text inlineData fileData functionCall functionResponse executableCode codeExecutionResult thought thoughtSignature",
    "videoMetadata mediaResolution partMetadata toolCall toolResponse",
)


def field_misspelt(view: View) -> Found:
    """An unknown field must not be a misspelling of a known one.

    Evidence: the fields in Google's discovery document and of google-genai 3.4.0; the server's text "Unknown name ...: Cannot
    find field".
    """
    at, generation = generation_of(view.body)
    yield from misspelt([("", view.body)], _either(_BODY))
    yield from misspelt([(at, generation)], _either(_BODY | _SETTINGS))
    yield from misspelt((each for turn in view.turns for each in parts_in(turn.value, turn.at)), _either(_PART))


@cache
def _either(names: frozenset[str]) -> frozenset[str]:
    """The names in either spelling."""
    return names | {snake(name) for name in names}


_OF_CLIENTS = ("functionDeclarations", "function_declarations", "computerUse", "computer_use")


def _native_tools(view: View) -> list[str]:
    """Where tools that Google runs are; the client uses the computer, and may offer functions beside (guide "Computer use")."""
    at, settings = settings_of(view.body)
    found: list[str] = []
    for at_tool, tool in tools_in(settings, at):
        found += [f"{at_tool}/{escape(key)}" for key, value in tool.items() if value is not None and key not in _OF_CLIENTS]
    return found


def native_and_function_tools(view: View) -> Found:
    """Functions and Google's own tools must not be together before Gemini 3; later models require a flag in the tool config.

    Evidence: the server's texts "Tool use with function calling is unsupported" (symfony/ai#803, snailyp/gemini-balance#17) and
    "Please enable tool_config.include_server_side_tool_invocations" (owndev/Open-WebUI-Functions#159).
    """
    at, settings = settings_of(view.body)
    _, config = object_in(settings, "toolConfig", at)
    if view.tools and spelled(config, "includeServerSideToolInvocations")[1] is not True:
        for native in _native_tools(view):
            yield (
                native,
                (
                    "many models refuse this tool beside functions: leave one "
                    "of them out, or set `includeServerSideToolInvocations`"
                ),
            )


def tool_choice_unknown(view: View) -> Found:
    """The functions that a tool config allows must be declared.

    Evidence: google-genai 3.4.0, FunctionCallingConfig.allowed_function_names: names that match the declarations.
    """
    at, settings = settings_of(view.body)
    at, config = object_in(settings, "toolConfig", at)
    at, calling = object_in(config, "functionCallingConfig", at)
    key, names = spelled(calling, "allowedFunctionNames")
    return tools.missing_choices(view, list(strings(names, f"{at}/{key}")))


# Rules of functions


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")


@fault("tool-name-refused")
def tool_name_pattern(view: View) -> Found:
    """The name of a function must begin with a letter or _, and must have at most 128 letters, digits and _ . : -.

    Evidence: google-genai 3.4.0, FunctionDeclaration.name; the server's text "Invalid function name".
    """
    return tools.unlike_names(view, _NAME)


@fault("tool-repeated")
def tool_name_duplicate(view: View) -> Found:
    """The functions of a request must have different names.

    Evidence: the server's text "Duplicate function declaration found".
    """
    return tools.repeated_names(view)


_RULES = (
    *errors(
        no_messages,
        role_invalid,
        part_without_data,
        call_turn_misplaced,
        result_without_call,
        result_count_mismatch,
        reasoning_signature_invalid,
        packed_in("parts/*/thoughtSignature", "parts/*/thought_signature"),
        media_type_unsupported,
        media_data_invalid,
        thinking_level_and_budget,
        cached_content_conflict,
        stop_sequences_too_many,
        number_out_of_range,
        tool_name_pattern,
        tool_name_duplicate,
    ),
    *gemini_schemas.RULES,
    *warnings(
        role_function,
        empty_message,
        empty_text,
        tool_id_duplicate,
        result_with_other_content,
        thought_signature_missing,
        field_misspelt,
        native_and_function_tools,
        tool_choice_unknown,
    ),
)

RULES = {
    "gemini": RuleSet(view, _RULES, declared, outputs),
    "google_genai": RuleSet(view_of_call, _RULES, declared, outputs),
}
"""The rules of each host's format, by its name."""
