"""What Bedrock and Vertex AI refuse in a request to Claude, and Anthropic's own API does not."""

from __future__ import annotations

from ....codec.rules import claude
from ....codec.rules.rule import fault
from ....codec.rules.view import Found, View, object_of
from ..base import FIELD_OF, OWN_FIELDS, OWN_TOOLS


def _envelope(view: View, version: str) -> Found:
    if view.body.get("anthropic_version") != version:
        yield "/anthropic_version", f"`anthropic_version` must be {version}"
    for key in ("model", "stream"):
        if key in view.body:
            yield f"/{key}", f"the body must not have `{key}`: on this host it is in the URL"


def envelope_version(view: View) -> Found:
    """A body for InvokeModel must have its `anthropic_version`, and must not have `model` or `stream`.

    Evidence: the server's text "anthropic_version: Field required", in ten and more public files; boto/boto3#4218.
    """
    return _envelope(view, "bedrock-2023-05-31")


def vertex_envelope_version(view: View) -> Found:
    """A body for rawPredict must have its `anthropic_version`, and must not have `model`.

    Evidence: the server's text "anthropic_version: Field required", in ten and more public files; anthropic 2.11.0,
    `lib/vertex/_client.py`.
    """
    yield from (each for each in _envelope(view, "vertex-2023-10-16") if each[0] != "/stream")


@fault("mark-refused")
def cache_mark_refused(view: View) -> Found:
    """On Bedrock and Vertex AI, a request must not have its own `cache_control`, nor a `scope` in a cache mark.

    Evidence: the servers' texts "cache_control: Extra inputs are not permitted" (UKGovernmentBEIS/inspect_ai#3851,
    dust-tt/dust#27109) and "cache_control.ephemeral.scope: Extra inputs are not permitted" (horselock/claude-code-proxy#14,
    manaflow-ai/manaflow#1651).
    """
    if view.body.get("cache_control") is not None:
        yield "/cache_control", "the host has no automatic caching: put a cache mark on the last block"
    for mark in view.marks:
        if object_of(mark.holder, "cache_control").get("scope") is not None:
            yield mark.at, "the host takes no `scope` in a cache mark: leave it out"


def beta_flag_invalid(view: View) -> Found:
    """The betas of a body must be known to the host.

    Evidence: the server's text "invalid beta flag" (anthropics/claude-code#49370, #56595, router-for-me/CLIProxyAPI#4750); the
    host's list depends on the model.
    """
    return claude.refused_betas(view.body.get("anthropic_beta"), "/anthropic_beta")


def host_feature_unsupported(view: View) -> Found:
    """Bedrock and Vertex AI lack the fields, tools and blocks of features that only Anthropic's own servers have.

    Evidence: the overview of features and the guide of each name the platforms that have it; the server's texts "speed: Extra
    inputs are not permitted" and "Input tag 'fallback' found using 'type' does not match any of the expected tags"
    (vercel/ai#22005).
    """
    lacks = "only Anthropic's own API has this: leave it out"
    for key in sorted(OWN_FIELDS - {"cache_control"}):
        if view.body.get(key) is not None:
            yield f"/{key}", lacks
    for tool in view.tools:
        kind = tool.value.get("type")
        if isinstance(kind, str) and kind.startswith(OWN_TOOLS):
            yield f"{tool.at}/type", lacks
    for block in view.others:
        if block.kind in FIELD_OF:
            yield block.at, lacks
