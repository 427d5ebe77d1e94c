"""Writes what becomes of the requests in the corpus, as JSON: run in processes whose sets have other orders."""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import interlingua as il

CORPUS = Path(__file__).parent / "corpus"
TARGETS: tuple[il.FormatName, ...] = ("openai_chat", "openai_responses", "anthropic", "gemini", "bedrock_converse")


def main() -> None:
    """One line for each request and target."""
    warnings.simplefilter("ignore", il.LossWarning)
    for file in sorted(CORPUS.glob("*/*/wire.json")):
        source: Any = file.parent.parent.name
        wire = json.loads(file.read_text("utf-8"))
        for target in (source, *TARGETS):
            made = il.convert(wire, source=source, target=target)
            said = [file.parent.name, source, target, made.payload, made.losses]
            sys.stdout.write(json.dumps(said, default=repr) + "\n")


if __name__ == "__main__":
    main()
