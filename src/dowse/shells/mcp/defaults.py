"""Which tools does every agent get? Few and strong ones: find, gather, read, follow, remember, and see how things stand."""

import time
from collections.abc import Iterator

from dowse.app.operations import OPERATIONS
from dowse.app.permissions import Capability
from dowse.domains.everything import EVERYTHING
from dowse.model.page import Page
from dowse.model.request import Mode
from dowse.present.evidence import evidence_text, inert
from dowse.present.schemas import Json, Schemas
from dowse.shells.describing import parameters_schema
from dowse.shells.mcp.brief_schemas import as_object_schema
from dowse.shells.mcp.limiting import cost, require_fit, within
from dowse.shells.mcp.locating import locate_one
from dowse.shells.mcp.operating import operation_gives, page_answer, performed, without_texts
from dowse.shells.mcp.reading import get_tool
from dowse.shells.mcp.texts import heading, related_text, status_text
from dowse.shells.mcp.tool import Answer, Call, Tool, choice, takes, text, texts, whole, written

_KINDS = texts("only these kinds, such as symbol, section, item, note, page")
_SPACES = texts("only these projects or library versions")
_UNDER = text("only this folder, or this record by id or path, and what is below it")
_MODES = "auto: words and meaning; keyword: words alone; substring: a part of a word; vector: meaning alone"
# The least budget that context takes, and how much smaller it gets while an answer is too long: as JSON a pack is longer.
_LEAST_BUDGET, _SMALLER = 200, 0.8
# What the search over everything is called where a surface brings a search of its own.
SEARCH, SEARCH_EVERYTHING = "search", "search_everything"

_SEARCH = """\
Find anything the project knows: code, documentation, tasks, notes, pages, libraries, in one ranking, by words and by meaning. \
Use it before grepping: for a question ("how are retries capped"), a name (getUserById) or a part of one (mode="substring"). \
"quoted phrases", -word, OR and title:word work. Each hit has its key, kind, path:lines, title and an excerpt with «matches».
Example: {name}(query="where is the retry limit set", kinds=["symbol"])"""
_CONTEXT = """\
Gather what is needed for a task: passages of code and documents with their source, nothing twice, within a token budget, and a \
list of what was left out and why. Use it first when you start on something, instead of many searches.
Example: context(task="cap the retries of the courier", tokens=4000)"""
_RELATED = """\
See what has to do with a record before you change it: who calls, tests, documents or mentions it, what it uses, what stands \
beside it and what is like it, each with why. The key is an id, or a place such as "src/app.py:42".
Example: related(key="src/app.py:42")"""
_REMEMBER = """\
Keep something for later, for you and for others: a note, task or page with links to the records it is about. It is found by \
search at once. Say why, not only what.
Example: {example}"""
_STATUS = """\
See what the index holds (kinds, projects, libraries) and how fresh it is. Use it when answers look incomplete or old.
Example: status()"""


def default_tools(search_name: str = SEARCH) -> tuple[Tool, ...]:
    return (search_tool(search_name), _context_tool(), get_tool(), _related_tool(), _remember_tool(), _status_tool())


def search_tool(name: str) -> Tool:
    operation = OPERATIONS["search"]
    parameters: dict[str, Json] = {
        "query": text("words, a question, or a name"),
        "kinds": _KINDS,
        "spaces": _SPACES,
        "under": _UNDER,
        "tags": texts("only records with any of these tags"),
        "facets": {"type": "object", "description": 'only records with these values, such as {"language": "python"}'},
        "mode": choice(_MODES, *(mode.value for mode in (Mode.AUTO, Mode.KEYWORD, Mode.SUBSTRING, Mode.VECTOR))),
        "limit": whole("hits, 1 to 100", default=EVERYTHING.limit),
        "offset": whole("hits to skip"),
    }
    schemas = Schemas()
    gives = as_object_schema(schemas.page(EVERYTHING), schemas.definitions)

    def ask(call: Call) -> Answer:
        def page(limit: int | None) -> Answer:
            arguments = {**call.arguments, **({"limit": limit} if limit is not None else {})}
            result, data = performed(operation, call, arguments)
            return _search_answer(call, result, data)

        return require_fit(
            within(call.tokens, lambda answer: len(answer.data["hits"]), page), call.tokens, "Ask with a lower limit."
        )

    return Tool(
        name,
        "Search everything",
        _SEARCH.format(name=name),
        operation.capability,
        takes(parameters, ["query"]),
        gives,
        ask,
        fresh=True,
    )


def _search_answer(call: Call, page: Page, data: Json) -> Answer:
    fresh = call.freshness(call.workspace) if call.freshness is not None else ()
    return page_answer(page, data, call.arguments.get("query"), _following(call, page), fresh)


def _following(call: Call, page: Page) -> Iterator[str]:
    for by, counts in (page.counts or {}).items():
        yield f"Of all hits, by {inert(by)}: {', '.join(f'{inert(str(value))} {count:,}' for value, count in counts.items())}."
    if page.hits:
        yield f"Read a hit with {written('get', {'keys': [page.hits[0].record.key]})}."
    elif not page.total:
        yield from _advice(call)
    if page.next_offset is not None:
        yield f"More hits: {call.again(offset=page.next_offset)}"


def _advice(call: Call) -> Iterator[str]:
    narrowed = [name for name in ("kinds", "spaces", "under", "tags", "facets") if call.arguments.get(name)]
    if narrowed:
        yield f"Nothing fits within {', '.join(narrowed)}; ask without."
    yield 'Try fewer or other words, or mode="substring" for a part of a word; status() tells what is indexed.'


def _context_tool() -> Tool:
    operation = OPERATIONS["context"]
    schema = parameters_schema(operation)
    # Every kind by name would cost more than the rest of the tool; who names a wrong one is told the right ones.
    schema["properties"] |= {"kinds": _KINDS, "spaces": _SPACES, "under": _UNDER}

    def gather(call: Call) -> Answer:
        budget = min(operation.check(call.arguments)["tokens"], call.tokens)
        while True:
            result, data = performed(operation, call, {**call.arguments, "tokens": budget})
            answer = Answer(data, evidence_text(result), result.degraded)
            if cost(answer) <= call.tokens or budget <= _LEAST_BUDGET:
                return answer
            budget = max(_LEAST_BUDGET, int(budget * _SMALLER))

    return Tool(
        "context",
        "Gather context for a task",
        _CONTEXT,
        operation.capability,
        schema,
        operation_gives(operation),
        gather,
        fresh=True,
    )


def _related_tool() -> Tool:
    operation = OPERATIONS["related"]

    def ask(call: Call) -> Answer:
        record = locate_one(call.workspace, call.arguments["key"])

        def some(limit: int | None) -> Answer:
            arguments = {**call.arguments, "key": record.key, **({"limit": limit} if limit is not None else {})}
            result, data = performed(operation, call, arguments)
            cut = ["", f"Of each reason only {limit} are shown, for length; read what you need with get."] if limit else []
            following = (
                ["", f"Read one with {written('get', {'keys': [result.relations[0].record.key]})}."] if result.relations else []
            )
            return Answer(without_texts(data), "\n".join([*related_text(record, result), *cut, *following]), result.degraded)

        return require_fit(
            within(call.tokens, lambda answer: _most_of_a_reason(answer.data), some), call.tokens, "Ask with a lower limit."
        )

    schema = parameters_schema(operation)
    schema["properties"]["key"] = text("an id, or a place: path:line")
    return Tool(
        "related", "What has to do with a record", _RELATED, Capability.READ, schema, operation_gives(operation), ask, fresh=True
    )


def _most_of_a_reason(data: Json) -> int:
    reasons = [why for relation in data["relations"] for why in relation["why"]]
    return max((reasons.count(why) for why in set(reasons)), default=0)


def _remember_tool() -> Tool:
    operation = OPERATIONS["remember"]

    def keep(call: Call) -> Answer:
        record, data = performed(operation, call, call.arguments)
        about = call.workspace.neighbours(record.key, direction="outgoing")
        lines = [f"Remembered: {heading(record)}", f"key: {inert(record.key)}"]
        lines += [f"{item.edge.kind} {heading(item.record)}" for item in about]
        return Answer(data, "\n".join(lines))

    return Tool(
        "remember",
        "Remember a note, task or page",
        _REMEMBER.format(example=written("remember", operation.examples[0])),
        operation.capability,
        parameters_schema(operation),
        operation_gives(operation),
        keep,
        writes=True,
        destroys=True,
    )


def _status_tool() -> Tool:
    operation = OPERATIONS["status"]
    gives = operation_gives(operation)
    return Tool("status", "What the index holds", _STATUS, operation.capability, takes({}), gives, status_answer, here=True)


def status_answer(call: Call) -> Answer:
    status, data = performed(OPERATIONS["status"], call, {})
    projects = call.freshness(call.workspace) if call.freshness is not None else call.workspace.freshness()
    libraries = [item.library for item in call.workspace.libraries()]
    return Answer(data, "\n".join(status_text(status, projects, libraries, time.time())))
