"""The words of providers for the same failure, which are compared by the HTTP status that belongs to each word.

An error of another provider is written in the words of the target: `rate_limit_exceeded`, `rate_limit_error`,
`RESOURCE_EXHAUSTED` and `ThrottlingException` are four providers' words for the same failure, because the status of all is 429.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import ProviderError

_STATUSES: Mapping[int, str] = {
    400: "invalidrequest badrequest invalidargument failedprecondition outofrange validation invalidprompt invalidvalue "
    "contextlengthexceeded unsupportedvalue unsupportedparameter missingrequiredparameter contentfilter invalidmodel "
    "invalidrequestmessageorder invalidrequestfunctioncall",
    401: "authentication unauthenticated unauthorized invalidapikey invalidauthentication invalidtoken expiredtoken "
    "unrecognizedclient invalidclienttokenid incompletesignature invalidsignature missingauthenticationtoken",
    402: "billing paymentrequired insufficientcredits insufficientbalance",
    403: "permission permissiondenied accessdenied forbidden requestforbidden unsupportedcountryregionterritory",
    404: "notfound resourcenotfound modelnotfound",
    408: "requesttimeout modeltimeout",
    409: "conflict aborted alreadyexists",
    413: "requesttoolarge requestentitytoolarge payloadtoolarge contenttoolarge",
    422: "unprocessableentity",
    424: "model modelstream",
    429: "ratelimit ratelimited ratelimitexceeded ratelimitreached toomanyrequests throttling throttled resourceexhausted "
    "tokens requests insufficientquota quotaexceeded exceededcurrentquota servicequotaexceeded modelnotready",
    499: "cancelled canceled clientclosedrequest",
    500: "server internal internalserver internalfailure api unknown dataloss",
    501: "unimplemented notimplemented",
    503: "unavailable serviceunavailable slowdown servicetiercapacityexceeded",
    504: "timeout deadlineexceeded gatewaytimeout vectorstoretimeout",
    529: "overloaded engineoverloaded serveroverloaded serverisoverloaded modeloverloaded",
}
"""The words of all providers, by HTTP status; in lower-case letters, without `error` or `exception` at the end."""
_KNOWN = {word: status for status, words in _STATUSES.items() for word in words.split()}
_NEAREST: Mapping[int, tuple[int, ...]] = {
    401: (403,),
    402: (403,),
    408: (504,),
    424: (500,),
    499: (408,),
    503: (529,),
    504: (408, 503),
    529: (503,),
}
"""The nearest other statuses, in order, for a provider that has no word for a status."""
_LETTERS = re.compile(r"[^a-z]+")
_LONGEST = 80


def _status_of(word: str | int | None) -> int | None:
    """The HTTP status for a word of any provider; None if the word is not known."""
    if not isinstance(word, str) or len(word) > _LONGEST:
        return None
    letters = _LETTERS.sub("", word.lower())
    return _KNOWN.get(letters.removesuffix("exception").removesuffix("error"))


def status_of(error: ProviderError) -> int | None:
    """The HTTP status of an error: its own, else the status for its code or its type."""
    if error.status is not None:
        return error.status
    status = _status_of(error.code)
    return _status_of(error.type) if status is None else status


def nearest(words: Mapping[int, str], status: int) -> str | None:
    """A provider's word for a status, or for the nearest status that it has a word for."""
    general = 400 if status < 500 else 500
    return next((words[each] for each in (status, *_NEAREST.get(status, ()), general) if each in words), None)


def _begun_small(word: str) -> str:
    """A word with a small first letter, as AWS writes the names of exceptions in streams."""
    return word[:1].lower() + word[1:]


@dataclass(frozen=True, eq=False)
class ErrorWords:
    """One provider's words for errors; all of its formats share one object."""

    types: Mapping[int, str]
    """The type of an error, by its HTTP status."""
    codes: Mapping[int, str] = field(default_factory=dict[int, str])
    """The code beside the type, if it has one, by HTTP status."""
    others: frozenset[str] = frozenset()
    """Its other words that other providers may know, too."""

    def has(self, word: object) -> bool:
        """Whether a word is one of these."""
        own = (*self.types.values(), *self.codes.values(), *self.others)
        return isinstance(word, str) and _begun_small(word) in map(_begun_small, own)

    def _is_foreign(self, word: str | int | None) -> bool:
        return isinstance(word, str) and _status_of(word) is not None and not self.has(word)

    def are_foreign(self, *words: str | int | None) -> bool:
        """Whether any of the words is known to be another provider's."""
        return any(map(self._is_foreign, words))

    def translated(self, error: ProviderError, *, foreign: bool = False) -> ProviderError:
        """The error in these words; unchanged if no word is foreign, or if it has neither words nor a known status.

        `foreign` means that all its words come from another provider.
        """
        status = status_of(error)
        has_words = error.type is not None or error.code is not None
        stays = not self.are_foreign(error.type, error.code) if has_words else status is None
        if stays and not foreign:
            return error
        kind = code = None
        if status is not None or error.type is not None:
            kind = nearest(self.types, status or 500)
            code = self.codes.get(status or 500)
        return ProviderError(error.message, type=kind, code=code, status=status, body=error.body, origin=error.origin)
