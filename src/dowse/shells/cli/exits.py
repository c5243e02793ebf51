"""Which exit code says what went wrong? One table; a class without a row takes its parent's."""

import sys

from dowse.errors import Busy, Conflict, DowseError, EmbeddingFailed, Forbidden, InvalidRequest, NotFound, StorageError

CODES: dict[type[Exception], int] = {
    DowseError: 1,
    InvalidRequest: 2,
    NotFound: 3,
    Conflict: 4,
    Forbidden: 5,
    StorageError: 6,
    OSError: 6,
    Busy: 7,
    EmbeddingFailed: 8,
}
# As shells show a process that a signal ended.
INTERRUPTED = 130
BROKEN_PIPE = 141
# What doctor says of a workspace that is not well.
UNWELL = CODES[StorageError]

MEANINGS = {
    0: "done; a search that finds nothing is done too",
    1: "some other error",
    2: "the command line or the request is wrong",
    3: "no such record, workspace or file, or an id that fits several",
    4: "the change contradicts what is stored",
    5: "a capability is missing",
    6: "the workspace or a file cannot be read or written, or doctor found something",
    7: "another process holds the workspace",
    8: "a model cannot be loaded, reached or used",
    INTERRUPTED: "interrupted",
    BROKEN_PIPE: "whoever read the output stopped reading",
}


def code_of(error: Exception) -> int | None:
    """The exit code; None for what is a fault of ours and deserves its traceback."""
    return next((CODES[kind] for kind in type(error).__mro__ if kind in CODES), None)


def tell(error: Exception, *, as_json: bool) -> None:
    """Says on stderr what went wrong."""
    message = _message(error)
    if as_json:
        import json

        code = error.code if isinstance(error, DowseError) else StorageError.code
        message = json.dumps({"error": {"code": code, "message": message}})
    else:
        message = f"dowse: {message}"
    print(message.encode(errors="backslashreplace").decode(), file=sys.stderr)


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file'}: {error.strerror}."
    return str(error)
