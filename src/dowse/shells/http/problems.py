"""What went wrong, as HTTP says it? One table from errors to statuses; every refusal is application/problem+json."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from dowse.errors import (
    Busy,
    Conflict,
    DowseError,
    EmbeddingFailed,
    Forbidden,
    InvalidRecord,
    InvalidRequest,
    NotFound,
    StorageError,
)

MEDIA_TYPE = "application/problem+json"
# A class without a row takes its parent's. A model that fails is neither the caller's fault nor ours: a failed dependency.
STATUSES: dict[type[Exception], int] = {
    DowseError: 500,
    InvalidRequest: 400,
    InvalidRecord: 422,
    NotFound: 404,
    Conflict: 409,
    Forbidden: 403,
    EmbeddingFailed: 424,
    StorageError: 500,
    Busy: 503,
}
# Another process holds the workspace for a batch, seldom for longer.
_BUSY_SECONDS = 1
_TYPE = "urn:dowse:problem:"
# Codes of what only HTTP can get wrong, by status.
_CODES = {
    400: "invalid_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "no_such_route",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    414: "address_too_long",
    415: "unsupported_media_type",
    421: "unknown_host",
    429: "too_many_requests",
    503: "unavailable",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What a caller is told of an error."""

    status: int
    code: str
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def json(self) -> dict[str, Any]:
        return {
            "type": f"{_TYPE}{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }


class Refused(Exception):
    """A request that HTTP's own rules turn down."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.problem = Problem(status, _CODES[status], detail, headers or {})


def problem_of(error: BaseException, fault: Callable[[BaseException], str]) -> Problem:
    """The problem an error is. ``fault`` takes note of one of ours and returns the name under which it stands in the log."""
    if isinstance(error, Refused):
        return error.problem
    if isinstance(error, HTTPException):
        return Problem(error.status_code, _CODES.get(error.status_code, "error"), str(error.detail), dict(error.headers or {}))
    status = next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)
    if status == 500 or not isinstance(error, DowseError):
        # What went wrong inside may name files or records that the caller must not know of: it stands in the log alone.
        return Problem(500, "fault", f"Something failed inside dowse. The server's log tells it under {fault(error)}.")
    headers = {"Retry-After": str(_BUSY_SECONDS)} if isinstance(error, Busy) else {}
    return Problem(status, error.code, str(error), headers)


def problem_response(problem: Problem) -> Response:
    # Details quote what was sent, which may hold what no encoding knows.
    body = json.dumps(problem.json, ensure_ascii=True).encode()
    return Response(body, problem.status, {"Cache-Control": "no-store", **problem.headers}, MEDIA_TYPE)
