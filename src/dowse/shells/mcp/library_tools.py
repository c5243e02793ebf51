"""Documentation of libraries, under the names by which agents of documentation servers ask for it."""

from typing import Any

from dowse.app.operations import OPERATIONS
from dowse.errors import NotFound
from dowse.present.library import libraries_text
from dowse.present.schemas import Json
from dowse.shells.mcp.limiting import within
from dowse.shells.mcp.operating import operation_gives, performed
from dowse.shells.mcp.tool import LIST, Answer, Call, Tool, takes, text, whole

_RESOLVE = """\
Find the id of a library whose documentation is here; call it before query-docs unless the id (/owner/name) is known. Gives \
matching libraries, the surest first, each with its id, description, size, trust and versions.
Example: resolve-library-id(libraryName="rich", query="print a table")"""
_QUERY = """\
Read what a library's documentation says about a question: rules, explanations and code examples, best first, within a token \
budget.
Example: query-docs(libraryId="/local/rich", query="print a table", tokens=3000)"""


def tools() -> tuple[Tool, ...]:
    resolve, query = OPERATIONS["resolve_library"], OPERATIONS["query_docs"]
    gives = operation_gives(resolve)
    return (
        Tool(
            "resolve-library-id",
            "Find a library",
            _RESOLVE,
            resolve.capability,
            takes(
                {"libraryName": text("what the library is called"), "query": text("what you want to do with it")}, ["libraryName"]
            ),
            gives,
            _resolve,
        ),
        Tool(
            "query-docs",
            "Read a library's documentation",
            _QUERY,
            query.capability,
            takes(
                {
                    "libraryId": text("/owner/name, or /owner/name/version"),
                    "query": text("what you want to know"),
                    "tokens": whole("how much text", default=5000),
                    "version": text("a version; default: the library's default version"),
                },
                ["libraryId", "query"],
            ),
            operation_gives(query),
            _query,
        ),
    )


def _resolve(call: Call) -> Answer:
    given = call.arguments

    def ask(limit: int | None) -> Answer:
        asked: dict[str, Any] = {"name": given["libraryName"], "query": given.get("query")}
        result, data = performed(OPERATIONS["resolve_library"], call, asked | ({"limit": limit} if limit is not None else {}))
        return Answer(data, libraries_text(result, call.tokens))

    return within(call.tokens, lambda answer: len(answer.data[LIST]), ask)


def _query(call: Call) -> Answer:
    given = call.arguments
    asked = {"query": given["query"], "version": given.get("version"), "tokens": given.get("tokens")}
    wanted = OPERATIONS["query_docs"].check({"library": given["libraryId"], **asked})
    asked["tokens"] = min(wanted["tokens"], call.tokens)
    try:
        data = _docs(call, {"library": given["libraryId"], **asked})
    except NotFound:
        # Clients of such servers also write the version behind the id.
        library, _, version = str(given["libraryId"]).rpartition("/")
        if library.count("/") != 2 or asked["version"]:
            raise
        data = _docs(call, {"library": library, **asked, "version": version})
    return Answer(data, data["text"])


def _docs(call: Call, asked: dict[str, Any]) -> Json:
    return performed(OPERATIONS["query_docs"], call, asked)[1]
