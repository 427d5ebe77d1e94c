"""The laws over the errors of all cases: what each says is read, in whatever format it comes, and is written as it came."""

import json

import pytest

import interlingua as il
from formats.cases import Case, cases
from laws.families import MAIN

CASES = cases("error")


FORMATS: list[il.FormatName] = list(dict.fromkeys([*MAIN, *(case.format for case in CASES)]))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_error_says_what_it_says_in_any_format(case: Case) -> None:
    for format in FORMATS:
        says_the_same(case, format)


def says_the_same(case: Case, format: il.FormatName) -> None:
    said = case.read("error")
    body = said.pop("body")
    with pytest.raises(il.ProviderError) as raised:
        il.load_response(body, format)
    error = raised.value
    assert {"message": error.message, "type": error.type, "code": error.code, "status": error.status} == said
    assert (error.body, error.origin) == (case.read("error")["body"], format)
    assert il.dump_error(error, format) == body
    for other, status in ((json.dumps(body), said["status"]), (body, 418)):
        with pytest.raises(il.ProviderError) as again:
            il.load_response(other, format, status=status)
        assert (again.value.message, again.value.status) == (error.message, status)
