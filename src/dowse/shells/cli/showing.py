"""How is an answer shown? As JSON, or for a person; messages go to stderr, so that stdout holds the answer alone."""

import io
import json
import sys
import time
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from dowse.app.operations import Operation, Values
from dowse.model.page import Page
from dowse.model.request import Mode
from dowse.model.surface import Surface
from dowse.shells.cli.exits import UNWELL

if TYPE_CHECKING:
    from dowse.app.transfer import Progress
    from dowse.app.workspace import Workspace
    from dowse.model.page import Listing


def show(operation: Operation, values: Values, result: Any, workspace: "Workspace", *, as_json: bool) -> int:
    """Writes the answer; returns the exit code."""
    _allow_any_text()
    surface = workspace.surface(operation.surface(values)) if operation.surface is not None else None
    out = sys.stderr if values.get("out") is sys.stdout else sys.stdout
    if as_json:
        print(_json(operation, values, result, workspace), file=out)
    elif isinstance(result, Page) and surface is not None:
        _page(operation, values, result, surface)
        _tell_freshness(workspace)
    elif result == ():
        _say(_none(operation, values))
    else:
        _other(result, out)
    return UNWELL if _is_unwell(result) else 0


def _allow_any_text() -> None:
    """A terminal that knows few characters shows a question mark for the others."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _json(operation: Operation, values: Values, result: Any, workspace: "Workspace") -> str:
    from dowse.app.answering import answer

    whole = answer(operation, values, result, workspace)
    every = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(whole, ensure_ascii=not every, indent=2)


def _other(result: Any, out: IO[str]) -> None:
    """What is no page of hits, and says by its type how it is shown."""
    # Loaded here: most commands are searches, and would wait for what they do not show.
    from dowse.app.transfer import Progress
    from dowse.model.page import Listing, Related
    from dowse.present.tables import render
    from dowse.present.terminal import console, emit

    if isinstance(result, Progress):
        print(_imported(result))
        return
    emit(console(out), render(_text(result)))
    if isinstance(result, Listing):
        _say(_listed(result))
    if isinstance(result, Related):
        _say(" · ".join([f"{len(result.relations)} records have to do with {result.key}", *result.degraded]))


def _is_unwell(result: Any) -> bool:
    """Whether a health check found something."""
    from dowse.ports import Finding

    return isinstance(result, tuple) and any(isinstance(item, Finding) and not item.ok for item in result)


def _text(result: Any) -> Any:
    """Libraries as the list their readers know; anything else as it is."""
    from dowse.app.libraries import LibraryMatch

    if isinstance(result, tuple) and isinstance(result[0], LibraryMatch):
        from dowse.present.library import libraries_text

        return libraries_text(result)
    return result


def _page(operation: Operation, values: Values, page: Page, surface: Surface) -> None:
    if page.hits:
        _hits(page)
        _say(_counted(operation, page, surface))
    else:
        _say(_nothing(operation, values, page, surface))
    notes = " · ".join(_notes(page))
    if notes:
        _say(notes)


def _hits(page: Page) -> None:
    from dowse.present.hits import hits
    from dowse.present.styled import is_plain, write_plain

    if is_plain(sys.stdout):
        write_plain(sys.stdout, hits(page, plain=True))
        return
    # The library that colours takes longer to load than most searches.
    from dowse.present.terminal import coloured, console, emit

    out = console(sys.stdout)
    for item in hits(page, plain=not out.is_terminal):
        emit(out, coloured(item))


def _counted(operation: Operation, page: Page, surface: Surface) -> str:
    first, last = page.hits[0].rank, page.hits[-1].rank
    text = f"{first}–{last} of {page.total} hits" if page.total > 1 else "1 hit"
    if page.next_offset is None:
        return text
    pages = operation.parameter("offset") and any(item.into == "offset" for item in surface.parameters)
    return f"{text}; next page: --offset {page.next_offset}" if pages else f"{text}; for more raise --limit"


def _nothing(operation: Operation, values: Values, page: Page, surface: Surface) -> str:
    if page.total:
        return f"No hits from offset {page.offset} on; there are {page.total}."
    if "query" not in values:
        return f"Nothing is like {values['key']}."
    query = str(values["query"])
    narrowed = [
        f"{name} {_listed_values(values[name])}" for name in ("kinds", "spaces", "under", "tags", "facets") if values.get(name)
    ]
    where = f"{surface.name}: {surface.about}" + (f"; only {', '.join(narrowed)}" if narrowed else "")
    tries = ["fewer or other words"] if len(query.split()) > 1 else []
    if Mode.SUBSTRING in surface.lists and values.get("mode") != Mode.SUBSTRING and operation.parameter("mode"):
        tries.append("--mode substring for a part of a word")
    tries.append("'dowse why-not ID' with the same query to ask why a record is not here")
    return f"Nothing found for {query!r} ({where}). Try {', or '.join(tries)}."


def _notes(page: Page) -> Iterator[str]:
    for typed, meant in page.corrected.items():
        yield f"{typed!r} stands nowhere, so {meant!r} was looked for"
    if page.relaxed:
        yield "few records have every word, so some here have only most of them"
    if page.ignored:
        yield f"not looked for: {', '.join(page.ignored)}"
    if page.truncated:
        yield "more records may match than were looked at"
    yield from page.degraded
    for name, counts in (page.counts or {}).items():
        yield f"{name}: {', '.join(f'{value} {count}' for value, count in counts.items()) or 'none'}"


def _imported(progress: "Progress") -> str:
    text = f"Wrote {progress.records:,} records and {progress.edges:,} edges, from {progress.lines:,} lines"
    return text + (f"; left out {progress.skipped:,} bad lines." if progress.skipped else ".")


def _listed(listing: "Listing") -> str:
    text = f"{len(listing.records)} of {listing.total} records"
    return text if listing.next_offset is None else f"{text}; next page: --offset {listing.next_offset}"


def _none(operation: Operation, values: Values) -> str:
    if "key" in values:
        return f"Nothing: {values['key']} has no such edges."
    if "name" in values:
        return f"Nothing: no library goes by {values['name']!r} or speaks of it."
    return "There are none yet." if operation.name != "projects" else "No project is indexed here yet; see 'dowse index --help'."


def _tell_freshness(workspace: "Workspace") -> None:
    """Where files changed since they were read, an answer may be old; who asks should know."""
    for item in workspace.freshness():
        if item.missing:
            _say(f"{item.space}: its folder {item.root} is not there any more")
        elif item.changed:
            since = _ago(time.time() - item.indexed)
            _say(f"{item.space} was indexed {since} ago; {item.changed} of its files or folders changed: --fresh reads them first")


def _ago(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 1):.0f} seconds"


def _listed_values(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={item}" for name, item in value.items())
    return value if isinstance(value, str) else ", ".join(value)


def _say(text: str) -> None:
    """One dim line on stderr, after what stands on stdout already."""
    sys.stdout.flush()
    if sys.stderr.isatty():
        from dowse.present.styled import line
        from dowse.present.terminal import console

        console(sys.stderr).print(line(text), style="dim")
    else:
        print(text, file=sys.stderr)
