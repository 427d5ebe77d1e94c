"""Conversations in Arrow: functions for batches of them, which engines run, and a schema for stored ones.

`convert_batch`, `validate_batch`, `check_batch`, `fingerprint_batch` and `load_batch` work on the conversations in a column of
a batch; `output_schema` has the schema of what they return. `to_arrow` and `from_arrow` are for conversations as columns of
their own, for queries.

Needs the extra `arrow`.
"""

try:
    from .batches import (
        ERROR,
        LOSSES,
        PROBLEMS,
        OnError,
        check_batch,
        convert_batch,
        fingerprint_batch,
        load_batch,
        output_schema,
        validate_batch,
    )
    from .columns import MESSAGES, SCHEMA, from_arrow, to_arrow
except ModuleNotFoundError as error:
    if error.name != "pyarrow":
        raise
    raise ImportError("interlingua.arrow needs pyarrow: pip install 'interlingua[arrow]'") from error

__all__ = [
    "ERROR",
    "LOSSES",
    "MESSAGES",
    "PROBLEMS",
    "SCHEMA",
    "OnError",
    "check_batch",
    "convert_batch",
    "fingerprint_batch",
    "from_arrow",
    "load_batch",
    "output_schema",
    "to_arrow",
    "validate_batch",
]
