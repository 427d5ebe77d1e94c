"""Writes what becomes of the requests of the cases, as JSON: run in processes whose sets have other orders."""

import json
import sys
import warnings

import interlingua as il
from formats.cases import cases
from laws.families import MAIN


def main() -> None:
    """One line for each request and target."""
    warnings.simplefilter("ignore", il.LossWarning)
    for case in cases("request"):
        for target in (case.format, *MAIN):
            made = il.convert(case.read("request"), source=case.format, target=target)
            said = [case.name, case.format, target, made.payload, made.losses]
            sys.stdout.write(json.dumps(said, default=repr) + "\n")


if __name__ == "__main__":
    main()
