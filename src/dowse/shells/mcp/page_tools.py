"""Pages as a wiki server offers them: found by words and meaning, read by slug, linked and written."""

from dowse.app.operations import OPERATIONS
from dowse.app.permissions import Capability
from dowse.errors import Conflict, NotFound
from dowse.model.record import Record
from dowse.present.evidence import inert
from dowse.shells.mcp.operating import operation_gives, perform, performed
from dowse.shells.mcp.reading import get_tool, read
from dowse.shells.mcp.surface_tools import surface_tool
from dowse.shells.mcp.texts import heading
from dowse.shells.mcp.tool import Answer, Call, Tool, takes, text, texts, whole

_SLUG = text("the page's slug, as hits give it")


def tools() -> tuple[Tool, ...]:
    listing, backlinks = OPERATIONS["list"], OPERATIONS["backlinks"]
    return (
        surface_tool(
            "search_pages",
            "pages",
            "Search pages",
            "Find pages by words and by meaning, best first; each with its id, title, slug, tags, snippet and score."
            '\nExample: search_pages(query="how do we handle an outage", tags=["on-call"])',
        ),
        Tool(
            "get_page",
            "Read a page",
            'Read a page whole, by its slug.\nExample: get_page(slug="retry-policy")',
            Capability.READ,
            takes({"slug": _SLUG, "offset": whole("characters to skip, as an earlier answer says")}, ["slug"]),
            get_tool().gives,
            _get,
        ),
        Tool(
            "list_pages",
            "List pages",
            'List pages, latest first, all or those with a tag.\nExample: list_pages(tag="on-call")',
            listing.capability,
            takes({"tag": text("only pages with this tag"), "limit": whole("pages", default=50), "offset": whole("pages to skip")}),
            operation_gives(listing),
            _list,
        ),
        Tool(
            "page_backlinks",
            "Who links to a page",
            'Show which pages and records link to a page.\nExample: page_backlinks(slug="retry-policy")',
            backlinks.capability,
            takes({"slug": _SLUG, "offset": whole("entries to skip")}, ["slug"]),
            operation_gives(backlinks),
            _backlinks,
        ),
        _write_tool(),
    )


def _write_tool() -> Tool:
    put = OPERATIONS["put"]
    return Tool(
        "write_page",
        "Write a page",
        "Add a page, or replace the one with its slug. [[Title]] or [[Title|slug]] in the text links to another page."
        '\nExample: write_page(title="On call", content="See [[Retry policy]].", tags=["on-call"])',
        put.capability,
        takes(
            {
                "title": text("its title"),
                "content": text("its text, Markdown"),
                "tags": texts("its tags"),
                "slug": text("default: made from the title"),
            },
            ["title", "content"],
        ),
        operation_gives(put),
        _write,
        writes=True,
        destroys=True,
    )


def _page(call: Call) -> Record:
    record = call.workspace.get(call.arguments["slug"])
    if record.kind != "page":
        raise NotFound(f"{record.key!r} is no page; it is of the kind {record.kind}. Read it with get.")
    return record


def _require_page_or_nothing(call: Call) -> None:
    """A slug is a key, and a key may be something else's: that must not become a page."""
    slug = call.arguments["slug"]
    try:
        record = call.workspace.get(slug)
    except NotFound:
        return
    if record.key == slug and record.kind != "page":
        raise Conflict(f"{slug!r} is of the kind {record.kind}; choose another slug.")


def _get(call: Call) -> Answer:
    return read(call, [_page(call).key], call.arguments.get("offset") or 0)


def _list(call: Call) -> Answer:
    given = {name: call.arguments[name] for name in ("limit", "offset") if call.arguments.get(name) is not None}
    tags = {"tags": [call.arguments["tag"]]} if call.arguments.get("tag") else {}
    return perform(OPERATIONS["list"], call, {"kinds": ["page"], **tags, **given})


def _backlinks(call: Call) -> Answer:
    asked = {"key": _page(call).key, "offset": call.arguments.get("offset") or 0}
    return perform(OPERATIONS["backlinks"], call, asked)


def _write(call: Call) -> Answer:
    given = call.arguments
    asked = {"kind": "page", "title": given["title"], "tags": given.get("tags") or [], "set": {"content": given["content"]}}
    if given.get("slug"):
        _require_page_or_nothing(call)
        asked["key"] = given["slug"]
    record, data = performed(OPERATIONS["put"], call, asked)
    return Answer(data, f"Written: {heading(record)}\nkey: {inert(record.key)}")
