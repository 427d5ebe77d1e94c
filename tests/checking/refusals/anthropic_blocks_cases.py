"""A refused body and a near miss for each rule about thinking and media of Anthropic Messages."""

from checking.refusals.anthropic_bodies import (
    BEDROCK,
    ENABLED,
    PNG,
    THINK,
    body,
    call,
    document,
    hosted,
    image,
    png,
    result,
    said,
    user,
)
from checking.refusals.cases import Case

THINKING = [
    Case(
        "anthropic",
        "reasoning-signature-invalid",
        body(said({"type": "thinking", "thinking": "Add.", "signature": ""}, "4"), user("Why?")),
        "/messages/1/content/0",
        body(said(THINK | {"thinking": ""}, "4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-empty",
        body(said({"type": "thinking", "thinking": ""}, "4"), user("Why?")),
        "/messages/1/content/0",
        body(said(THINK | {"thinking": ""}, "4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-last-block",
        body(said("4", THINK), user("Why?")),
        "/messages/1/content/1",
        body(said(THINK), said("4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-must-lead",
        body(said("I add.", call("a")), user(result("a")), said(THINK, call("b")), user(result("b")), thinking=ENABLED),
        "/messages/1/content/0",
        body(said("I add.", call("a")), user(result("a"), "And 3 + 3?"), thinking=ENABLED),
    ),
    Case(
        "anthropic",
        "thinking-while-disabled",
        body(said(THINK, call("a")), user(result("a")), thinking={"type": "disabled"}),
        "/messages/1/content/0",
        body(said(THINK, "4"), user("Why?"), thinking={"type": "disabled"}),
    ),
    Case(
        "anthropic",
        "temperature-with-thinking",
        body(thinking=ENABLED, temperature=0.5),
        "/temperature",
        body(thinking=ENABLED, temperature=1.0),
    ),
    Case("anthropic", "top-k-with-thinking", body(thinking=ENABLED, top_k=4), "/top_k", body(top_k=4)),
    Case(
        "anthropic",
        "thinking-budget-range",
        body(thinking={"type": "enabled", "budget_tokens": 1023}),
        "/thinking/budget_tokens",
        body(thinking=ENABLED),
    ),
    Case(
        "anthropic_bedrock",
        "thinking-budget-range",
        hosted(BEDROCK, thinking={"type": "enabled", "budget_tokens": 4096}, tools=[]),
        "/thinking/budget_tokens",
        hosted(BEDROCK, thinking={"type": "enabled", "budget_tokens": 4096}),
    ),
    Case(
        "anthropic",
        "thinking-budget-with-tools",
        body(thinking={"type": "enabled", "budget_tokens": 4096}),
        "/thinking/budget_tokens",
        body(thinking={"type": "enabled", "budget_tokens": 4095}),
    ),
    Case(
        "anthropic",
        "forced-tool-with-thinking",
        body(thinking=ENABLED, tool_choice={"type": "any"}),
        "/tool_choice",
        body(thinking={"type": "adaptive"}, tool_choice={"type": "any"}),
    ),
]

MEDIA = [
    Case(
        "anthropic",
        "media-type-unsupported",
        body(user(image(media_type="image/jpg"))),
        "/messages/1/content/0/source/media_type",
        body(user(document(b"%PDF-1.7"))),
    ),
    Case(
        "anthropic",
        "media-data-invalid",
        body(user(image(f"data:image/png;base64,{PNG}"))),
        "/messages/1/content/0/source/data",
        body(user(image(PNG))),
    ),
    Case(
        "anthropic",
        "media-type-mismatch",
        body(said(call("a")), user(result("a", [image(media_type="image/webp")]))),
        "/messages/2/content/0/content/0",
        body(said(call("a")), user(result("a", [image()]))),
    ),
    Case(
        "anthropic",
        "pdf-refused",
        body(user(document(b"Some text."))),
        "/messages/1/content/0/source/data",
        body(user({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Some text."}})),
    ),
    Case(
        "anthropic",
        "image-too-large-bytes",
        body(user(image(PNG[:-4] + "A" * (10 << 20)))),
        "/messages/1/content/0",
        body(user(image(PNG[:-4] + "A" * (5 << 20)))),
    ),
    Case(
        "anthropic",
        "image-over-old-limit",
        body(user(image(PNG[:-4] + "A" * (5 << 20)))),
        "/messages/1/content/0",
        body(user(image(PNG[:-4] + "A" * (4 << 20)))),
    ),
    Case(
        "anthropic",
        "image-too-large-pixels",
        body(user(image(png(1, 8001)))),
        "/messages/1/content/0",
        body(user(image(png(8000)))),
    ),
    Case(
        "anthropic",
        "many-images-too-large",
        body(user(*[image()] * 20, image(png(2001)))),
        "/messages/1/content/20",
        body(user(*[image()] * 19, image(png(2001)))),
    ),
    Case(
        "anthropic_vertex",
        "url-source-unsupported",
        hosted("vertex-2023-10-16", messages=[user({"type": "image", "source": {"type": "url", "url": "https://a.example/"}})]),
        "/messages/0/content/0/source",
        hosted("vertex-2023-10-16", messages=[user(image())]),
    ),
]

CASES = [*THINKING, *MEDIA]
