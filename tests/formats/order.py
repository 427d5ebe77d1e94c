"""Writes what becomes of the cases, as JSON: run in processes whose sets have other orders."""

import json
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import interlingua as il
from formats.cases import cases
from laws.families import MAIN


def requests() -> Iterator[Any]:
    """What becomes of each request in each main format, and what `check` finds there."""
    for case in cases("request"):
        for target in (case.format, *MAIN):
            made = il.convert(case.read("request"), source=case.format, target=target, check=True)
            yield case.name, case.format, target, made.payload, made.losses, made.problems


def responses() -> Iterator[Any]:
    """What becomes of each response in every format that has responses."""
    targets = [format for format in il.FORMATS.values() if format.dump_response is not None]
    for case in cases("response"):
        response = il.load_response(case.read("response"), case.format)
        for target in targets:
            losses: list[il.Loss] = []
            yield case.name, case.format, target.name, il.dump_response(response, target, on_loss=losses.append), losses


def main() -> None:
    """One line for each case and target."""
    warnings.simplefilter("ignore", il.LossWarning)
    for said in (*requests(), *responses()):
        sys.stdout.write(json.dumps(said, default=repr) + "\n")


if __name__ == "__main__":
    main()
