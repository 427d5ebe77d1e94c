"""The errors of AWS's services for models: exceptions in bodies and in streams.

Source: botocore 1.44.8, `bedrock-runtime`.
"""

from __future__ import annotations

from ..errors import ProviderError
from .error_bodies import read_error
from .error_words import ErrorWords, nearest, status_of
from .fields import Wire, copy_wire

_IN_STREAMS = {
    400: "validationException",
    424: "modelStreamErrorException",
    429: "throttlingException",
    500: "internalServerException",
    503: "serviceUnavailableException",
}
"""The exceptions that a stream may send as events (`ConverseStreamOutput`, `ResponseStream`)."""

EXCEPTION_WORDS = ErrorWords(
    {
        400: "ValidationException",
        401: "UnrecognizedClientException",
        403: "AccessDeniedException",
        404: "ResourceNotFoundException",
        408: "ModelTimeoutException",
        409: "ConflictException",
        424: "ModelErrorException",
        429: "ThrottlingException",
        500: "InternalServerException",
        503: "ServiceUnavailableException",
    },
    others=frozenset(_IN_STREAMS.values()).union(
        "ModelNotReadyException ModelStreamErrorException ServiceQuotaExceededException ExpiredTokenException "
        "InvalidSignatureException IncompleteSignature InvalidClientTokenId "
        "MissingAuthenticationToken RequestTimeout".split()
    ),
)


def stream_exception(error: ProviderError) -> Wire:
    """The event that reports an error in a stream, as an exception."""
    status = status_of(error)
    name = None if status is None else nearest(_IN_STREAMS, status)
    return {name or "modelStreamErrorException": {"message": error.message}}


def written_exception(error: Wire) -> Wire:
    """The event that reports an `ErrorEvent`'s value: a copy if it is an exception, else the nearest exception."""
    is_exception = len(error) == 1 and next(iter(error)).endswith("Exception")
    return copy_wire(error) if is_exception else stream_exception(read_error({"error": error}))
