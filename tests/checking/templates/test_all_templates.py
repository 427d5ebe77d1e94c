"""The templates of TRL and vLLM: rendered as transformers renders them and masked as it masks them.

`make templates` makes the environment that these tests need, which has transformers, TRL's templates and vLLM's.
"""

import time
from pathlib import Path
from typing import Any

import pytest

from interlingua.checking.templates import masks
from interlingua.checking.templates.rendering import SPECIAL_TOKENS, Rendered, Template, open_template, variables
from interlingua.checking.templates.report import CONVERSATIONS, PROBES

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / ".venv-templates" / "sources"
TEMPLATES = sorted(SOURCES.glob("*/*.jinja"))

pytestmark = [
    pytest.mark.templates,
    pytest.mark.skipif(not TEMPLATES, reason="the templates are not there: run make templates"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

BODIES: list[dict[str, Any]] = [*(probe.body for probe in PROBES), *CONVERSATIONS]


@pytest.mark.parametrize("package", ["trl", "vllm"])
def test_all_are_rendered_as_in_transformers(package: str) -> None:
    utils = pytest.importorskip("transformers.utils.chat_template_utils")
    rendered = refused = 0
    for file in sorted((SOURCES / package).glob("*.jinja")):
        source = file.read_text("utf-8")
        with open_template(source) as template:
            for body in BODIES:
                expected, found = _both(utils, source, body, template)
                assert found == expected, (file.name, body)
                rendered += expected is not None
                refused += expected is None
    assert rendered > 600
    assert refused > 50


def _both(utils: Any, source: str, body: dict[str, Any], template: Template) -> tuple[Rendered | None, Rendered | None]:
    """What transformers renders, and what is rendered here, within the same second: a template may print the time."""
    while True:
        template.now = time.time()
        expected = _of_transformers(utils, source, body)
        found = _here(template, body)
        if int(time.time()) == int(template.now):
            return expected, found


def _here(template: Template, body: dict[str, Any]) -> Rendered | None:
    found = template.render(body)
    return found if isinstance(found, Rendered) else None


def _of_transformers(utils: Any, source: str, body: dict[str, Any]) -> Rendered | None:
    """What transformers prints, and where it says that the assistant wrote; None if the template raises."""
    given = {name: value for name, value in variables(body).items() if name != "messages"}
    try:
        [text], spans = utils.render_jinja_template(
            [utils._normalize_chat_messages(body["messages"])],
            chat_template=source,
            return_assistant_tokens_mask=True,
            **given,
        )
    except Exception:  # noqa: BLE001 -- a template may raise anything
        return None
    return Rendered(text, tuple(spans[0]))


TRAINING = [file for file in TEMPLATES if file.parent.name == "trl" and "training" in file.name]
RAISING = {
    "cohere2_training": {2},
    "cohere_training": {2},
    "gemma3_training": {2},
    "gemma_training": {2},
    "idefics3_training": {2},
    "llava_next_training": {0, 1, 2},
    "smolvlm_training": {2},
}
"""Which of the conversations a template does not render: most of these know no tool results, one only lists of parts."""


def _tokenizer() -> Any:
    """A tokenizer whose tokens are bytes."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(letters)}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **SPECIAL_TOKENS)


def test_masks_are_those_of_transformers() -> None:
    tokenizer = _tokenizer()
    raising: dict[str, set[int]] = {}
    compared = 0
    for file in TRAINING:
        source = file.read_text("utf-8")
        with open_template(source) as template:
            for number, body in enumerate(CONVERSATIONS):
                if not isinstance(template.render(body), Rendered):
                    raising.setdefault(file.stem, set()).add(number)
                    continue
                compared += 1
                assert _found(template, body, tokenizer) == _expected(source, body, tokenizer), (file.name, number)
    assert raising == RAISING
    assert compared > 70


def _found(template: Template, body: dict[str, Any], tokenizer: Any) -> list[int]:
    mask = masks.mask_of(template, body, "assistant")
    assert mask.trained, mask
    return mask.of_tokens(tokenizer(mask.text, add_special_tokens=False).encodings[0].offsets)


def _expected(source: str, body: dict[str, Any], tokenizer: Any) -> list[int]:
    more = {name: value for name, value in body.items() if name != "messages"}
    found = tokenizer.apply_chat_template(
        body["messages"], chat_template=source, return_dict=True, return_assistant_tokens_mask=True, **more
    )
    return list(found["assistant_masks"])
