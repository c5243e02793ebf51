"""What can go wrong, as one tree; each branch carries a stable code that shells translate.

DowseError                     error
├── InvalidRequest             invalid_request     the call itself is wrong
│   ├── InvalidQuery           invalid_query       the query text cannot be used here
│   ├── InvalidScope           invalid_scope       a scope names something malformed or unknown
│   └── InvalidRecord          invalid_record      a record or edge does not fit its kind
├── NotFound                   not_found           no record has that id
│   └── AmbiguousId            ambiguous_id        an id prefix fits more than one record
├── Conflict                   conflict            the change contradicts what is stored
├── Forbidden                  forbidden           the caller lacks a capability
├── EmbeddingFailed            embedding_failed    a model cannot be loaded, reached or used
└── StorageError               storage             the workspace cannot be read or written
    ├── NotAWorkspace          not_a_workspace     the file is something else, or damaged
    ├── NewerWorkspace         newer_workspace     written by a newer dowse
    └── Busy                   busy                another process holds the workspace
"""

__all__ = [
    "AmbiguousId",
    "Busy",
    "Conflict",
    "DowseError",
    "EmbeddingFailed",
    "Forbidden",
    "InvalidQuery",
    "InvalidRecord",
    "InvalidRequest",
    "InvalidScope",
    "NewerWorkspace",
    "NotAWorkspace",
    "NotFound",
    "StorageError",
]


class DowseError(Exception):
    """Base of every error dowse raises on purpose."""

    code = "error"


class InvalidRequest(DowseError):
    code = "invalid_request"


class InvalidQuery(InvalidRequest):
    code = "invalid_query"


class InvalidScope(InvalidRequest):
    code = "invalid_scope"


class InvalidRecord(InvalidRequest):
    code = "invalid_record"


class NotFound(DowseError):
    code = "not_found"


class AmbiguousId(NotFound):
    code = "ambiguous_id"


class Conflict(DowseError):
    code = "conflict"


class Forbidden(DowseError):
    code = "forbidden"


class EmbeddingFailed(DowseError):
    code = "embedding_failed"


class StorageError(DowseError):
    code = "storage"


class NotAWorkspace(StorageError):
    code = "not_a_workspace"


class NewerWorkspace(StorageError):
    code = "newer_workspace"


class Busy(StorageError):
    code = "busy"
