"""What a caller probably meant: a misspelt name, a word or a tool of another API. The formats know those words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

from .late import late


def similar(name: str, known: Iterable[str]) -> str | None:
    """The known name that a misspelt one probably means; None if none is similar."""
    names = tuple(known)
    if len(name) > 2 * max(map(len, names), default=0):
        return None
    word = "_".join(name.lower().replace("-", " ").replace(".", " ").replace("_", " ").split())
    if word not in names:
        meant: str = late("meant_format")(word)
        word = meant
    return word if word in names else next(iter(_like(word, names)), None)


def _like(word: str, known: Sequence[str]) -> list[str]:
    """The known word that is most like this one, if any is."""
    from difflib import get_close_matches  # noqa: PLC0415 -- imported when something is misspelt

    return get_close_matches(word, known, 1)


def _is_object(value: Any) -> TypeGuard[dict[Any, Any]]:
    return isinstance(value, dict)


def own_tool(tool: Any) -> str | None:
    """The reason why a provider's tool is refused; None for what does not look like one."""
    found = late("tool_format")(tool) if _is_object(tool) else None
    if found is None:
        return None
    schema = tool.get("inputSchema")
    flat = "a Tool must have name, description and parameters side by side"
    if "name" in tool and isinstance(schema, dict) and "json" not in schema:
        return f"this is a tool of MCP: {flat}; rename its inputSchema to parameters"
    return f'this is a provider\'s tool: {flat}; give the request to il.load(..., "{found}")'


def meant_tag(word: str, field: str, expected: str) -> str:
    """What an unknown tag may mean; nothing if no known one is similar."""
    known = [tag.strip("' ") for tag in expected.split(",")]
    whose, ours = late("meant_word")(field, word.lower())
    if ours in known:
        return f" ({word.lower()!r} is {whose} word for {ours!r})"
    near = _like(word.lower(), known) if len(word) <= 2 * max(map(len, known)) else []
    return f" (did you mean {near[0]!r}?)" if near else ""


def misspelled(word: str, known: Iterable[str]) -> str | None:
    """The known word that this one is by one slip: a letter left out or added, or two neighbours swapped.

    A final s that is left out or added makes another word, and so does another letter in the place of one (`top_k`, `top_p`).
    """
    return next((each for each in sorted(known) if _is_slip(word, each)), None)


def _is_slip(word: str, known: str) -> bool:
    longer, shorter = (word, known) if len(word) > len(known) else (known, word)
    if not 0 < len(shorter) >= len(longer) - 1:
        return False
    if longer == shorter:
        return False
    at = 0
    while at < len(shorter) and longer[at] == shorter[at]:
        at += 1
    if len(longer) > len(shorter):
        is_final_s = at == len(shorter) and longer[at] == "s"
        return longer[at + 1 :] == shorter[at:] and not is_final_s
    swapped = shorter[at : at + 2][::-1] + shorter[at + 2 :]
    return longer[at:] == swapped
