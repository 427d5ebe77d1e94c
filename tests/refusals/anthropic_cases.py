"""A refused body and a near miss for each rule."""

from refusals.cases import Case

CASES: list[Case] = []
