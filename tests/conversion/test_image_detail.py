"""How closely a model looks at an image: `detail` in OpenAI's words, the level of `mediaResolution` in Gemini's."""

from typing import Any

import pytest

import interlingua as il

NEWER = il.format_for(il.GeminiProfile(resolutions=True), "newer_gemini")
URL = "data:image/png;base64,AAAA"


def _chat(detail: str | None) -> dict[str, Any]:
    image = {"url": URL} | ({} if detail is None else {"detail": detail})
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": image}]}]}


def _gemini(**more: Any) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "AAAA"}, **more}]}]}


@pytest.mark.parametrize(("detail", "level"), [("low", "MEDIA_RESOLUTION_LOW"), ("high", "MEDIA_RESOLUTION_HIGH")])
def test_a_detail_becomes_a_resolution_and_back(detail: str, level: str) -> None:
    there = il.convert(_chat(detail), source="openai_chat", target=NEWER, model=None)
    assert there.payload["contents"] == _gemini(mediaResolution={"level": level})["contents"]
    assert [loss.path for loss in there.losses if "detail" in loss.path] == []
    for target in ("openai_chat", "openai_responses"):
        back: Any = il.convert(there.payload, source="gemini", target=il.format_of(target))
        assert f"'detail': '{detail}'" in str(back.payload)
        assert [loss.path for loss in back.losses if "esolution" in loss.path] == []


@pytest.mark.parametrize(("detail", "lost"), [("auto", []), ("original", ["/messages/0/content/0/image_url/detail"])])
def test_what_gemini_has_no_level_for_is_reported(detail: str, lost: list[str]) -> None:
    made = il.convert(_chat(detail), source="openai_chat", target=NEWER)
    assert made.payload == _gemini()
    assert [loss.path for loss in made.losses if "detail" in loss.path] == lost


def test_a_model_that_may_refuse_it_is_not_sent_it() -> None:
    made = il.convert(_chat("low"), source="openai_chat", target="gemini")
    assert made.payload == _gemini()
    (loss,) = [loss for loss in made.losses if "detail" in loss.path]
    assert "GeminiProfile(resolutions=True)" in loss.detail


@pytest.mark.parametrize(
    "more",
    [
        {"mediaResolution": {"level": "MEDIA_RESOLUTION_LOW"}},
        {"media_resolution": {"level": "MEDIA_RESOLUTION_HIGH"}},
        {"mediaResolution": {"level": "MEDIA_RESOLUTION_HIGH", "numTokens": 9}},
        {"mediaResolution": {"level": "MEDIA_RESOLUTION_ULTRA_HIGH"}},
        {"mediaResolution": {"level": "media_resolution_low"}},
        {"mediaResolution": {"level": 1}},
        {"mediaResolution": {}},
        {"mediaResolution": None},
    ],
)
@pytest.mark.parametrize("role", ["user", "model"])
def test_gemini_has_back_what_it_said(more: Any, role: str) -> None:
    body = _gemini(**more)
    body["contents"][0]["role"] = role
    assert il.dump(il.load(body, "gemini"), "gemini", on_loss="raise") == body


def test_another_spelling_of_the_same_family_keeps_it() -> None:
    body = _gemini(mediaResolution={"level": "MEDIA_RESOLUTION_LOW"})
    made: Any = il.convert(body, source="gemini", target="google_genai")
    (part,) = made.payload["contents"][0]["parts"]
    assert {"level": "MEDIA_RESOLUTION_LOW"} in part.values()
    assert made.losses == ()


def test_a_loss_names_the_level() -> None:
    body = _gemini(mediaResolution={"level": "MEDIA_RESOLUTION_LOW"})
    made = il.convert(body, source="gemini", target="anthropic")
    assert [loss.path for loss in made.losses if "esolution" in loss.path] == ["/contents/0/parts/0/mediaResolution/level"]


@pytest.mark.parametrize(
    ("media_type", "detail", "told"),
    [
        ("image/png", "original", "must be `low` or `high`"),
        ("application/pdf", "low", "documents of the Interactions API have no resolution"),
        ("application/pdf", "original", "documents of the Interactions API have no resolution"),
    ],
)
def test_a_loss_says_why_the_interactions_api_has_no_resolution(media_type: str, detail: str, told: str) -> None:
    body = _chat(detail)
    body["messages"][0]["content"][0]["image_url"]["url"] = f"data:{media_type};base64,JVBERi0xLjQK"
    made = il.convert(body, source="openai_chat", target="gemini_interactions")
    (loss,) = [loss for loss in made.losses if loss.path.endswith("/detail")]
    assert told in loss.detail
