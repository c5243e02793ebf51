"""What can be asked for, as an OpenAPI document? Made from the same declarations as the routes."""

from collections.abc import Mapping
from typing import Any

from dowse.app.operations import Operation, OperationParameter, Type
from dowse.present.schemas import Schemas
from dowse.shells.describing import UNSENDABLE, answer_schema, parameter_schema, parameters_schema
from dowse.shells.http import events, metrics
from dowse.shells.http.getting import JSON
from dowse.shells.http.jobs import State
from dowse.shells.http.performing import LINES
from dowse.shells.http.problems import MEDIA_TYPE as PROBLEM
from dowse.shells.http.routing import ENDPOINTS, WRITING, Endpoint
from dowse.version import __version__

Json = dict[str, Any]

_PLACE = "#/components/schemas/"
_PROBLEM: Json = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail", "code"],
}
_JOB: Json = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "operation": {"type": "string"},
        "state": {"type": "string", "enum": [state.value for state in State]},
        "started": {"type": "number"},
        "finished": {"type": ["number", "null"]},
        "progress": {},
        "answer": {},
        "problem": {"$ref": f"{_PLACE}Problem"},
    },
    "required": ["id", "operation", "state", "started", "finished", "progress"],
}
_JOBS: Json = {
    "type": "object",
    "properties": {"jobs": {"type": "array", "items": {"$ref": f"{_PLACE}Job"}}},
    "required": ["jobs"],
}
_REFUSALS = {
    "400": "The request is wrong.",
    "401": "A token is needed, or the one sent is not good.",
    "403": "The caller may not do this.",
    "404": "There is no such record.",
    "405": "The method is not taken here.",
    "406": "The answer cannot have the form asked for.",
    "409": "It contradicts what is stored, or others are at work.",
    "413": "The body is too large.",
    "414": "The address is too long.",
    "415": "The body is of another type.",
    "421": "The server does not go by this name.",
    "422": "A record does not fit its kind.",
    "424": "A model cannot be loaded, reached or used.",
    "429": "Too many requests.",
    "500": "A fault of the server's own.",
    "503": "Not now; later.",
}
_ETAG = {"ETag": {"description": "Which state of the index answered.", "schema": {"type": "string"}}}
_JOB_ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "description": "as the job list shows it"}


def openapi() -> Json:
    """The document. It is the same for every workspace."""
    schemas = Schemas(_PLACE)
    paths = {path: _operation_path(found, schemas) for path, found in ENDPOINTS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dowse",
            "version": __version__,
            "summary": "Finds anything a software project knows.",
            "description": "Every operation of a workspace. Answers are those of the command line with --json.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "tags": [{"name": name} for name in ("find", "read", "write", "care", "jobs", "server")],
        "paths": {**paths, **_own_paths()},
        "components": {
            "schemas": {**schemas.definitions, "Problem": _PROBLEM, "Job": _JOB},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "Made with 'dowse token add'."}},
        },
    }


def _operation_path(endpoint: Endpoint, schemas: Schemas) -> Json:
    path: Json = {}
    if "GET" in endpoint.methods:
        path["get"] = _described(endpoint, "get", schemas) | {"parameters": _query_parameters(endpoint.operation, WRITING)}
    path["post"] = _described(endpoint, "post", schemas) | _body(endpoint)
    return path


def _described(endpoint: Endpoint, method: str, schemas: Schemas) -> Json:
    operation = endpoint.operation
    gives_file = endpoint.gives is not None and (method == "get" or endpoint.takes is None)
    content = {LINES: {"schema": {"type": "string"}}} if gives_file else {JSON: {"schema": answer_schema(operation, schemas)}}
    done: Json = {"description": operation.summary, "content": content}
    responses: Json = {"200": done}
    if method == "get" and endpoint.steady:
        done["headers"] = _ETAG
        responses["304"] = {"description": "What the caller has is still true.", "headers": _ETAG}
    if endpoint.reports is not None:
        responses["202"] = {"description": "It has begun.", "content": {JSON: {"schema": {"$ref": f"{_PLACE}Job"}}}}
    return {
        "operationId": operation.name if method == "post" else f"{operation.name}_by_query",
        "summary": operation.summary,
        "tags": [operation.group.value],
        "responses": responses | _refusals(),
    }


def _query_parameters(operation: Operation, leave_out: tuple[str, ...] = ()) -> list[Json]:
    example: Mapping[str, Any] = next(iter(operation.examples), {})
    return [
        _query_parameter(operation, item, example.get(item.name))
        for item in operation.parameters
        if item.type not in (*UNSENDABLE, Type.INPUT) and item.name not in leave_out
    ]


def _query_parameter(operation: Operation, parameter: OperationParameter, example: Any) -> Json:
    described: Json = {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.about,
        "schema": {name: value for name, value in parameter_schema(parameter, operation.examples).items() if name != "description"},
    }
    if parameter.type is Type.OBJECT:
        described |= {"style": "deepObject", "explode": True}
        described["schema"] = {"type": "object", "additionalProperties": {"type": "string"}}
    elif example is not None:
        described["example"] = _plain(example)
    return described


def _body(endpoint: Endpoint) -> Json:
    """A JSON object; or a file, with the parameters beside it."""
    operation = endpoint.operation
    if endpoint.takes is not None:
        about = next(item.about for item in operation.parameters if item.name == endpoint.takes)
        body = {"required": True, "description": about, "content": {LINES: {"schema": {"type": "string"}}}}
        return {"requestBody": body, "parameters": _query_parameters(operation)}
    schema = parameters_schema(operation)
    content: Json = {"schema": schema}
    examples = [example for example in operation.examples if not any(name not in schema["properties"] for name in example)]
    if examples:
        content["examples"] = {f"example{number}": {"value": _plain(example)} for number, example in enumerate(examples, 1)}
    prefer = {"name": "Prefer", "in": "header", "schema": {"type": "string", "enum": ["respond-async"]}, "required": False}
    parameters = {"parameters": [prefer | {"description": "do not wait for the end"}]} if endpoint.reports is not None else {}
    return {"requestBody": {"required": bool(schema["required"]), "content": {JSON: content}}, **parameters}


def _own_paths() -> Json:
    """What the server tells of itself."""
    job, jobs, some = _json({"$ref": f"{_PLACE}Job"}), _json(_JOBS), _json({"type": "object"})
    text: Json = {"schema": {"type": "string"}}
    one = {"parameters": [_JOB_ID]}
    return {
        "/api": {"get": _own("index", "List the operations and their addresses.", some)},
        "/api/openapi.json": {"get": _own("openapi", "This document.", some)},
        "/api/jobs": {"get": _own("jobs", "List the jobs you may see, the latest first.", jobs, "jobs")},
        "/api/jobs/{id}": {
            "get": _own("job", "Show how far a job is, or its answer.", job, "jobs") | one,
            "delete": _own("job_cancel", "Stop a job; what it has committed stays.", job, "jobs", "202") | one,
        },
        "/api/events": {"get": _own("events", "Hear of changes and jobs as they happen.", {events.MEDIA_TYPE: text})},
        "/health": {"get": _own("health", "Say whether the server lives.", some)},
        "/ready": {"get": _own("ready", "Say whether the workspace answers.", some)},
        "/metrics": {"get": _own("metrics", "Tell Prometheus the counts.", {metrics.MEDIA_TYPE: text})},
    }


def _json(schema: Json) -> Json:
    return {JSON: {"schema": schema}}


def _own(name: str, summary: str, content: Json, tag: str = "server", status: str = "200") -> Json:
    responses = {status: {"description": summary, "content": content}} | _refusals()
    return {"operationId": f"server_{name}", "summary": summary, "tags": [tag], "responses": responses}


def _refusals() -> Json:
    content = {PROBLEM: {"schema": {"$ref": f"{_PLACE}Problem"}}}
    return {status: {"description": about, "content": content} for status, about in _REFUSALS.items()}


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value
