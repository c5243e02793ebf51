"""Does the server do what its OpenAPI document says? Asked with what the document allows, and with what it does not."""

from collections.abc import Iterator

import pytest
import schemathesis
from every_operation import SAMPLE, prepare
from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import validate
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi_checks
from starlette.types import Receive, Scope, Send

import dowse
from dowse.shells.http.app import App, Serving
from dowse.shells.http.describing_api import openapi

# It never ends: nothing that waits for the end of an answer can ask for it.
_ENDLESS = "/api/events"
# Fetches from another machine.
_ELSEWHERE = "/api/model-add"
_EXAMPLES = 6
_CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.negative_data_rejection,
    openapi_checks.unsupported_method,
]

_made: list[App] = []


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of the test that runs. It outlives the requests, each of which believes that it starts and stops it."""
    if scope["type"] != "lifespan":
        await _made[-1](scope, receive, send)
        return
    for part in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{part}.complete"})


@schemathesis.serializer("application/x-ndjson")
def _lines(_: object, value: object) -> bytes:
    """Whatever is made up is a line, which no import takes."""
    return str(value).encode("utf-8", "replace")


schema = schemathesis.openapi.from_dict(openapi())
schema.app = _app
schema = schema.exclude(path=_ENDLESS).exclude(path=_ELSEWHERE)


@pytest.fixture(scope="module", autouse=True)
def _serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    place = tmp_path_factory.mktemp("conformance")
    prepare(place)
    with pytest.MonkeyPatch.context() as patch, dowse.open(place / "test.dowse") as workspace:
        patch.chdir(place)
        workspace.import_file(SAMPLE)
        app = App(workspace, Serving(roots=(place,)))
        _made.append(app)
        yield
        _made.pop()
        app.lanes.close()


def test_the_document_is_a_valid_one() -> None:
    validate(openapi())


@schema.parametrize()
@settings(
    max_examples=_EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_does_what_the_document_says(case: schemathesis.Case) -> None:
    case.call_and_validate(base_url="http://localhost", checks=_CHECKS)
