"""Judges of payloads that are not ours: the official SDKs' request types, the published specifications, the servers' rules.

Each gives the faults of a payload, a pointer and a reason each. `refused` puts them together for a conversion: what its
output is blamed for, less what its input was guilty of already by the rules of its own home.
"""

import base64
import binascii
import functools
import json
import os
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, NotRequired, Required, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Discriminator, Tag, TypeAdapter, ValidationError
from typing_extensions import TypedDict, is_typeddict

from interlingua import FormatName
from laws import OPENAI, Convert, convert
from legs import Outcome
from owners import ANTHROPIC, REASONING, Owner, is_array, is_object, owners

SPECS = Path(os.environ.get("INTERLINGUA_SPECS", Path(__file__).resolve().parents[2] / "shared" / "specs"))


class Fault(NamedTuple):
    pointer: str
    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.rule}: {self.reason}"


def _pointer(path: Iterable[Any]) -> str:
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in path)


# The SDKs' types, closed


class _Closed:
    """Rewrites an SDK's TypedDicts: extra keys forbidden, iterables held, unions told apart by their literal tags."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}

    def hint(self, hint: Any) -> Any:
        if is_typeddict(hint):
            return self.typed_dict(hint)
        origin, args = get_origin(hint), get_args(hint)
        if origin is typing.Annotated:
            return self.hint(args[0])
        if origin in (Required, NotRequired):
            return origin[self.hint(args[0])]
        if origin in (Union, types.UnionType):
            return self.union([self.hint(arg) for arg in self._members(hint)])
        if origin is Literal or hint in (str, int, float, bool, type(None), Any):
            return hint
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return dict[str, self.hint(args[1])]  # type: ignore[misc]
        if isinstance(origin, type) and issubclass(origin, Iterable):
            return list[self.hint(args[0])]  # type: ignore[misc]
        if hint is object:
            return Any
        raise NotImplementedError(hint)

    def _members(self, hint: Any) -> Iterator[Any]:
        """A union's members, also those of unions in it, but for what is not JSON: files, and the SDK's response objects."""
        origin, args = get_origin(hint), get_args(hint)
        if origin is typing.Annotated:
            yield from self._members(args[0])
        elif origin in (Union, types.UnionType):
            for arg in args:
                yield from self._members(arg)
        elif (origin or hint) not in (os.PathLike, typing.IO) and not (isinstance(hint, type) and issubclass(hint, BaseModel)):
            yield hint

    def typed_dict(self, hint: Any) -> Any:
        if hint not in self.made:
            # A type that holds itself is not looked into a second time.
            self.made[hint] = Any
            fields = {name: self.hint(field) for name, field in typing.get_type_hints(hint, include_extras=True).items()}
            total = getattr(hint, "__total__", True)
            made = cast("Callable[..., Any]", TypedDict)(hint.__name__, fields, total=total)
            # An SDK's type that says itself that it is open stays so.
            made.__pydantic_config__ = getattr(hint, "__pydantic_config__", ConfigDict(extra="forbid", strict=True))
            self.made[hint] = made
        return self.made[hint]

    def union(self, members: list[Any]) -> Any:
        if len(members) == 1:
            return members[0]
        tests = [self._test(member) for member in members]

        def choose(value: Any) -> str | None:
            fits = [place for place, test in enumerate(tests) if test(value)]
            # Several with the same tag: the one that asks the least of what is missing.
            return str(max(fits, key=lambda place: self._overlap(members[place], value))) if fits else None

        tagged: Any = Union[tuple(typing.Annotated[member, Tag(str(place))] for place, member in enumerate(members))]  # noqa: UP007 - a runtime tuple
        return typing.Annotated[
            tagged,
            Discriminator(choose, custom_error_type="variant", custom_error_message="no variant takes this"),
        ]

    @staticmethod
    def _overlap(member: Any, value: Any) -> int:
        if not is_typeddict(member) or not is_object(value):
            return 0
        return len(member.__annotations__.keys() & value.keys())

    def _test(self, member: Any) -> Callable[[Any], bool]:
        origin = get_origin(member)
        if is_typeddict(member):
            tags: dict[str, tuple[tuple[Any, ...], bool]] = {}
            for name, field in typing.get_type_hints(member, include_extras=True).items():
                required = get_origin(field) is Required
                inner = get_args(field)[0] if required or get_origin(field) is NotRequired else field
                if get_origin(inner) is Literal and name in ("type", "role", "mode"):
                    tags[name] = get_args(inner), required
            return lambda value: (
                is_object(value)
                and all(
                    value[name] in literals if name in value else not required for name, (literals, required) in tags.items()
                )
            )
        if origin is Literal:
            return lambda value: any(value == literal and type(value) is type(literal) for literal in get_args(member))
        kinds: dict[Any, tuple[type, ...]] = {
            str: (str,), bool: (bool,), int: (int,), float: (int, float), type(None): (type(None),), Any: (object,),
            list: (list, tuple), dict: (dict,),
        }  # fmt: skip
        wanted = kinds[origin or member]
        return lambda value: (
            isinstance(value, wanted) and not (isinstance(value, bool) and bool not in wanted and object not in wanted)
        )


@functools.cache
def sdk_type(format: str) -> TypeAdapter[Any]:
    """The request of a format's official SDK, extra keys forbidden."""
    params: Any
    if format == "anthropic":
        from anthropic.types import message_create_params as anthropic_params

        params = anthropic_params.MessageCreateParamsNonStreaming
    elif format == "openai_chat":
        from openai.types.chat import completion_create_params as chat_params

        params = chat_params.CompletionCreateParamsNonStreaming
    elif format == "openai_completions":
        from openai.types import completion_create_params as completion_params

        params = completion_params.CompletionCreateParamsNonStreaming
    else:
        raise LookupError(f"no SDK of its own: {format}")
    return TypeAdapter(_Closed().hint(params))


# What only the caller knows: nothing is invented, so what was not given is missing; and `stream` has a request type of its own.
CALLERS = ("/model", "/max_tokens", "/stream")


def sdk_faults(payload: Any, format: str) -> list[Fault]:
    try:
        sdk_type(format).validate_python(payload)
    except ValidationError as error:
        faults: list[Fault] = []
        for item in error.errors(include_url=False):
            path = [token for token in item["loc"] if not (isinstance(token, str) and token.isdigit())]  # union tags are digits
            # A key of digits looks like a tag; such a key is in free JSON, where the types find no fault.
            faults.append(Fault(_pointer(path), f"sdk {item['type']}", item["msg"]))
        return [fault for fault in faults if fault.pointer not in CALLERS]
    return []


# The published specifications

SPEC_OF = {
    "openai_chat": ("openai-openapi.yaml", "CreateChatCompletionRequest"),
    "anthropic": ("anthropic-openapi.lingua.yml", "CreateMessageParams"),
}


@functools.cache
def spec_type(format: str) -> Any:
    """The validator of a format's published request schema, or None where the specifications are not at hand."""
    if format not in SPEC_OF or not (SPECS / SPEC_OF[format][0]).is_file():
        return None
    import jsonschema_rs
    import yaml

    name, schema = SPEC_OF[format]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    document = yaml.load((SPECS / name).read_text("utf-8"), loader)  # noqa: S506 - a safe loader, the fast one where there is one
    components = json.loads(json.dumps(document["components"], default=str))  # YAML reads dates, JSON has none
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": components})


def spec_faults(payload: Any, format: str) -> list[Fault]:
    validator = spec_type(format)
    if validator is None:
        return []
    return [
        Fault(_pointer(error.instance_path), "spec", error.message[:200])
        for error in validator.iter_errors(json.loads(json.dumps(payload)))
        if not ((error.instance_path == [] and '"model"' in error.message) or '"max_tokens"' in error.message)
    ]


# The servers' rules

OPENAI_MEDIA = ("image_url", "input_audio", "file")
TOOL_NAME = {"openai_chat": re.compile(r"[A-Za-z0-9_-]{1,64}"), "anthropic": re.compile(r"[A-Za-z0-9_-]{1,128}")}
IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")


# What the servers behind a dialect take, though the family's own does not.
TAKEN = {
    "asktable": {"input", "unsigned thinking"},
    **{name: {"too many stops"} for name in OPENAI[1:]},
    **{name: {"too many stops", "media outside user", "file without name"} for name in ("litellm", "clacky", "openrouter")},
}


def server_faults(payload: dict[str, Any], format: str) -> list[Fault]:
    family = "anthropic" if format in ANTHROPIC else "openai_chat"
    rules = _anthropic_rules if family == "anthropic" else _openai_rules
    faults = [*rules(payload), *_tool_names(payload, format, family), *_tool_results(payload, family)]
    return [fault for fault in faults if fault.rule not in TAKEN.get(format, ())]


def _tool_names(payload: dict[str, Any], format: str, family: str) -> Iterator[Fault]:
    for owner in owners(payload, format):
        if owner.kind in ("tool", "call"):
            held = owner.own.get("function", owner.own)
            name = held.get("name") if is_object(held) else None
            if isinstance(name, str) and not TOOL_NAME[family].fullmatch(name):
                yield Fault(owner.pointer, "tool name", name)


def _results_of(message: dict[str, Any], family: str) -> list[str]:
    if family == "openai_chat":
        return [message["tool_call_id"]] if message.get("role") == "tool" and "tool_call_id" in message else []
    content = message.get("content")
    parts = content if is_array(content) and message.get("role") == "user" else []
    return [part["tool_use_id"] for part in parts if is_object(part) and part.get("type") == "tool_result"]


def _calls_of(message: dict[str, Any], family: str) -> list[str]:
    if family == "openai_chat":
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        return [str(call.get("id")) for call in calls]
    content = message.get("content")
    parts = content if is_array(content) else []
    return [part["id"] for part in parts if is_object(part) and part.get("type") == "tool_use"]


def _tool_results(payload: dict[str, Any], family: str) -> Iterator[Fault]:
    """Calls are answered at once and once, results answer calls of the turn before them."""
    messages: list[dict[str, Any]] = payload.get("messages") or []
    pending: list[str] = []
    asked_at = ""
    for index, message in enumerate(messages):
        pointer = f"/messages/{index}"
        results = _results_of(message, family)
        for result in results:
            if result in pending:
                pending.remove(result)
            else:
                yield Fault(pointer, "orphaned result", result)
        if pending and (not results or family == "anthropic"):
            yield Fault(asked_at, "unanswered call", ", ".join(pending))
            pending = []
        if calls := _calls_of(message, family):
            pending, asked_at = calls, pointer
            if len(set(calls)) < len(calls):
                yield Fault(pointer, "repeated id", ", ".join(calls))
        elif not results:
            pending = []
    # The last turn's calls may still wait for their results.


def _openai_rules(payload: dict[str, Any]) -> Iterator[Fault]:
    messages = payload.get("messages")
    if messages == []:
        yield Fault("/messages", "no messages", "")
    if is_array(payload.get("stop")) and len(payload["stop"]) > 4:
        yield Fault("/stop", "too many stops", str(len(payload["stop"])))
    for index, message in enumerate(messages or []):
        pointer, role, content = f"/messages/{index}", message.get("role"), message.get("content")
        calls = message.get("tool_calls") or message.get("function_call")
        others = ("refusal", "audio", *REASONING, "thinking_blocks", "reasoning_details")
        if role == "assistant" and content is None and not calls and not any(message.get(key) for key in others):
            yield Fault(pointer, "empty message", "an assistant message of nothing")
        name = message.get("name")
        if isinstance(name, str) and not re.fullmatch(r"[^\s<|\\/>]{1,64}", name):
            yield Fault(f"{pointer}/name", "name", name)
        for place, call in enumerate(message.get("tool_calls") or []):
            if len(str(call.get("id"))) > 64:
                yield Fault(f"{pointer}/tool_calls/{place}", "long id", str(call.get("id")))
        if content == []:
            yield Fault(f"{pointer}/content", "empty content", "")
        parts = content if is_array(content) else []
        kinds = [part.get("type") for part in parts if is_object(part)]
        if role == "assistant" and "refusal" in kinds and kinds != ["refusal"]:
            yield Fault(f"{pointer}/content", "refusal beside text", "")
        for place, part in enumerate(parts):
            if not is_object(part):
                continue
            where = f"{pointer}/content/{place}"
            if role != "user" and part.get("type") in OPENAI_MEDIA:
                yield Fault(where, "media outside user", f"{part.get('type')} in {role}")
            file = part.get("file")
            if is_object(file) and file.get("file_data") and not file.get("filename"):
                yield Fault(where, "file without name", "")


def _anthropic_texts(parts: Any, pointer: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, part in enumerate(parts if is_array(parts) else []):
        if is_object(part):
            yield f"{pointer}/{index}", part
            if part.get("type") == "tool_result":
                yield from _anthropic_texts(part.get("content"), f"{pointer}/{index}/content")


def _anthropic_rules(payload: dict[str, Any]) -> Iterator[Fault]:
    messages = payload.get("messages")
    if messages == []:
        yield Fault("/messages", "no messages", "")
    if messages and messages[0].get("role") != "user":
        yield Fault("/messages/0", "first role", str(messages[0].get("role")))
    everything: list[tuple[str, dict[str, Any]]] = list(_anthropic_texts(payload.get("system"), "/system"))
    if isinstance(payload.get("system"), str) and not payload["system"].strip():
        yield Fault("/system", "empty text", "")
    ids: set[str] = set()
    for index, message in enumerate(messages or []):
        pointer, role, content = f"/messages/{index}", message.get("role"), message.get("content")
        last = index == len(messages or []) - 1
        if role == "system":
            yield from _system_place(messages or [], index)
        if content is None or (not content and not (last and role == "assistant")):
            yield Fault(f"{pointer}/content", "empty content", "")
        elif isinstance(content, str) and not content.strip():
            yield Fault(f"{pointer}/content", "empty text", "")
        everything += _anthropic_texts(content, f"{pointer}/content")
        kinds = [part.get("type") for part in content] if is_array(content) else []
        if role == "user" and "tool_result" in kinds and kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
            yield Fault(f"{pointer}/content", "results first", "")
        for place, part in enumerate(content if is_array(content) else []):
            if part.get("type") == "tool_use":
                where = f"{pointer}/content/{place}"
                if not re.fullmatch(r"[a-zA-Z0-9_-]+", str(part.get("id"))):
                    yield Fault(where, "id alphabet", str(part.get("id")))
                if part.get("id") in ids:
                    yield Fault(where, "repeated id", str(part.get("id")))
                ids.add(str(part.get("id")))
                if not is_object(part.get("input")):
                    yield Fault(where, "input", "not an object")
    yield from _trailing_space(messages or [])
    for where, part in everything:
        yield from _part_rules(where, part)
    marked = [*everything, *((f"/tools/{index}", tool) for index, tool in enumerate(payload.get("tools") or []))]
    marks = [where for where, part in marked if part.get("cache_control")]
    if len(marks) > 4:
        yield Fault(marks[4], "cache marks", f"{len(marks)} of at most 4")


def _system_place(messages: list[dict[str, Any]], index: int) -> Iterator[Fault]:
    before = messages[index - 1].get("role") if index else None
    after = messages[index + 1].get("role") if index + 1 < len(messages) else None
    if before != "user" or after not in (None, "assistant"):
        yield Fault(f"/messages/{index}", "system place", f"after {before}, before {after}")


def _trailing_space(messages: list[dict[str, Any]]) -> Iterator[Fault]:
    if not messages or messages[-1].get("role") != "assistant":
        return
    content = messages[-1].get("content")
    text = content if isinstance(content, str) else content[-1].get("text") if is_array(content) and content else None
    if isinstance(text, str) and text != text.rstrip():
        yield Fault(f"/messages/{len(messages) - 1}", "trailing space", "")


def _part_rules(where: str, part: dict[str, Any]) -> Iterator[Fault]:
    kind, source = part.get("type"), part.get("source")
    if kind == "text" and not str(part.get("text", "")).strip():
        yield Fault(where, "empty text", "")
    if kind == "thinking":
        if not part.get("signature"):
            yield Fault(where, "unsigned thinking", "")
        if "cache_control" in part:
            yield Fault(where, "cache mark on thinking", "")
    if kind == "tool_result" and part.get("is_error") and is_array(part.get("content")):
        others = [inner.get("type") for inner in part["content"] if inner.get("type") != "text"]
        if others:
            yield Fault(where, "error holds media", ", ".join(map(str, others)))
    if is_object(source) and source.get("type") == "base64":
        wanted = IMAGE_TYPES if kind == "image" else ("application/pdf",)
        if source.get("media_type") not in wanted:
            yield Fault(where, "media type", str(source.get("media_type")))
        try:
            base64.b64decode(str(source.get("data")), validate=True)
        except binascii.Error:
            yield Fault(where, "base64", "")
    if is_object(source) and source.get("type") == "url" and not str(source.get("url")).startswith(("http://", "https://")):
        yield Fault(where, "url", str(source.get("url"))[:40])


# A conversion, judged


def _owner_at(pointer: str, owned: list[Owner]) -> Owner:
    held = [owner for owner in owned if owner.pointer == pointer or pointer.startswith(owner.pointer + "/")]
    return max(held, key=lambda owner: len(owner.pointer))


def refused(payload: dict[str, Any], source: str, target: str, outcome: Outcome) -> list[Fault]:
    """The faults of what came out that are not faults of what went in."""
    output = outcome.payload
    faults = list(server_faults(output, target))
    if target in SPEC_OF:
        faults += sdk_faults(output, target) + spec_faults(output, target)
    if not faults:
        return []
    home = server_faults(payload, source)
    broken = {fault.rule for fault in home}
    # A type that the owner breaks at home already says nothing about the conversion, unless a key was carried over.
    loose = home_faults(payload, source)
    before, after = owners(payload, source), owners(output, target)
    guilty = {_owner_at(fault.pointer, before).pointer for fault in loose if not fault.rule.startswith("sdk extra")}
    kept: list[Fault] = []
    for fault in faults:
        if fault.rule in broken or _the_callers(fault, payload, outcome):
            continue
        if fault.rule.startswith(("sdk", "spec")) and not fault.rule.startswith("sdk extra"):
            origin = outcome.places.get(_owner_at(fault.pointer, after).pointer, "")
            if origin in guilty and (origin or fault.pointer in {fault.pointer for fault in loose}):
                continue
        kept.append(fault)
    return kept


def home_faults(payload: dict[str, Any], source: str) -> list[Fault]:
    home = "anthropic" if source in ANTHROPIC else "openai_chat"
    return sdk_faults(payload, home) + spec_faults(payload, home)


def _the_callers(fault: Fault, payload: dict[str, Any], outcome: Outcome) -> bool:
    """What no conversion can mend without inventing: nothing but system texts, or an assistant that speaks first."""
    lost = {loss.path for loss in outcome.losses if loss.kind == "dropped"}
    roles = [
        message.get("role") for place, message in enumerate(payload.get("messages") or []) if f"/messages/{place}" not in lost
    ]
    talk = [role for role in roles if role not in ("system", "developer")]
    if fault.rule == "no messages" or fault.pointer == "/messages":
        return not talk
    return fault.rule == "first role" and talk[:1] != ["user"]


def law5(payload: dict[str, Any], source: FormatName, target: FormatName, convert: Convert = convert) -> list[str]:
    """What comes out is valid for its target, as far as what went in was sound."""
    return [str(fault) for fault in refused(payload, source, target, convert(payload, source=source, target=target))]
