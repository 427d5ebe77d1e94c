"""What Ollama's generate refuses: only settings and images, as a prompt may be any text."""

from __future__ import annotations

from typing import Any

from ....codec.rules.rule import RuleSet, errors, warnings
from ....codec.rules.view import Found, Media, View, strings
from .request import image_not_base64, number_out_of_range, setting_misplaced, stop_not_list, think_invalid
from .view import outputs


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    seen = View(body, [], outputs(body))
    seen.media += [Media(at, -1, "image", None, image, None) for at, image in strings(body.get("images"), "/images")]
    return seen


def raw_with_template(view: View) -> Found:
    """A request with a raw prompt must not have a template, a system text or a context.

    Evidence: the server's text "raw mode does not support template, system, or context" in `server/routes.go`.
    """
    for key in ("template", "system", "context") if view.body.get("raw") is True else ():
        if view.body.get(key) and isinstance(view.body[key], str | list):
            yield f"/{key}", f"a raw prompt must come without `{key}`: leave it out, or leave out `raw`"


RULES = RuleSet(
    view,
    (
        *errors(image_not_base64, think_invalid, number_out_of_range, stop_not_list, raw_with_template),
        *warnings(setting_misplaced),
    ),
    tools=lambda _body: [],
    outputs=outputs,
)
