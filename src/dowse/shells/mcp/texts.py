"""How do answers read to an agent? As Markdown in which what comes from records is quoted, and can forge nothing."""

from collections.abc import Iterator, Sequence

from dowse.model.page import Excerpt, Hit, Page, Related
from dowse.model.record import Record
from dowse.model.run import Freshness
from dowse.model.surface import Marks
from dowse.ports import Status
from dowse.present.evidence import inert
from dowse.present.marking import mark

# Around matches. Plain characters that are rare in code and prose, so that a model sees what matched and nothing else changes.
_MARKS = Marks("«", "»", "…", escape=False)
_LONGEST_TITLE = 120
_LONGEST_FACET = 80
# Facets that say more exactly what a record is, or how it stands with it.
_TELLING = ("symbolKind", "kind", "role")
# Facets that a reader learns from the heading already.
_IN_HEADING = frozenset({"line", "lineEnd", "path", *_TELLING})


def place(record: Record) -> str:
    """Where it stands: path and lines, as far as it is in a file.

    >>> place(Record("a:b.py#f", "symbol", fields={"path": "b.py"}, facets={"line": 3, "lineEnd": 9}))
    'b.py:3-9'
    """
    if not record.path or record.lines is None:
        return inert(record.path)
    start, end = record.lines
    return f"{inert(record.path)}:{start}" if end == start else f"{inert(record.path)}:{start}-{end}"


def heading(record: Record) -> str:
    """What it is called, what it is, and where it stands."""
    kind = next((str(record.facets[name]) for name in _TELLING if record.facets.get(name)), "")
    what = f"{record.kind}, {inert(kind)}" if kind else record.kind
    title = inert(record.title or record.key, _LONGEST_TITLE)
    return f"{title} ({what}){f' {place(record)}' if place(record) else ''}"


def facets(record: Record) -> str:
    """The rest of what is known of a record, on one line."""
    parent = record.parent if record.parent and not record.key.startswith(record.parent) else ""
    told: list[tuple[str, object]] = [("space", record.space), ("parent", parent), ("tags", ", ".join(record.tags))]
    told += [(name, value) for name, value in sorted(record.facets.items()) if name not in _IN_HEADING]
    said = [
        inert(name) if value is True else f"{inert(name)}: {inert(str(value), _LONGEST_FACET)}" for name, value in told if value
    ]
    return " · ".join([*said, *(["deleted"] if record.deleted else [])])


def hits_text(page: Page, query: str | None) -> Iterator[str]:
    """The hits, a few lines each."""
    yield f"{_counted(page)}{f' for {inert(query, _LONGEST_TITLE)}' if query else ''}"
    for hit in page.hits:
        yield ""
        yield f"{hit.rank}. {heading(hit.record)}"
        yield f"   key: {inert(hit.record.key)}"
        excerpt = _excerpt(hit.excerpt)
        if excerpt and hit.excerpt.text.strip() != hit.record.title.strip():
            yield f"   > {excerpt}"
        yield from _reasons(hit)


def page_notes(page: Page, fresh: Sequence[Freshness]) -> Iterator[str]:
    """What a reader must know to judge the answer."""
    for typed, meant in page.corrected.items():
        yield f"{inert(typed)} stands nowhere, so {inert(meant)} was looked for."
    if page.relaxed:
        yield "Few records have every word, so some of these have only most of them."
    if page.ignored:
        yield f"Not looked for: {', '.join(map(inert, page.ignored))}."
    if page.truncated:
        yield "More records may match than were looked at."
    yield from (f"Not everything could be asked: {inert(note)}." for note in page.degraded)
    for item in fresh:
        if item.missing:
            yield f"The folder of {inert(item.space)} is not there any more."
        elif item.changed:
            yield f"{item.changed:,} files or folders of {inert(item.space)} changed since it was indexed and may say more."


def related_text(record: Record, found: Related) -> Iterator[str]:
    yield f"{len(found.relations)} records have to do with {heading(record)}"
    for relation in found.relations:
        yield ""
        yield f"- {heading(relation.record)} — {'; '.join(map(inert, relation.why))}"
        yield f"  key: {inert(relation.record.key)}"
    yield from (f"\nNot everything could be asked: {inert(note)}." for note in found.degraded)


def status_text(status: Status, projects: Sequence[Freshness], libraries: Sequence[str], now: float) -> Iterator[str]:
    """What the workspace holds, and how fresh that is."""
    held = ", ".join(f"{name} {count:,}" for name, count in sorted(status.records.items(), key=lambda item: (-item[1], item[0])))
    yield f"- records: {sum(status.records.values()):,}{f' ({held})' if held else ''}"
    yield f"- edges: {sum(status.edges.values()):,}"
    for item in projects:
        yield f"- project {inert(item.space)} in {inert(item.root)}: {_fresh(item, now)}"
    if libraries:
        yield f"- libraries: {', '.join(map(inert, libraries))}"
    yield f"- last change: {ago(now - status.updated) if status.updated else 'never'}; workspace {inert(status.location)}"


def numbered(text: str, first: int | None) -> Iterator[str]:
    """The lines of a text, each behind its number or a bar: none can be taken for anything but a line of the text."""
    for number, line in enumerate(text.split("\n"), first or 0):
        yield f"{f'{number:>5}' if first is not None else '     '}| {visible(line)}"


def _counted(page: Page) -> str:
    if not page.hits:
        return f"No hits from {page.offset} on; there are {page.total}" if page.total else "No hits"
    return f"Hits {page.hits[0].rank}-{page.hits[-1].rank} of {page.total}"


def _excerpt(excerpt: Excerpt) -> str:
    return inert(mark(excerpt, _MARKS))


def _reasons(hit: Hit) -> Iterator[str]:
    for step in hit.via:
        there = f"{inert(step.edge.source)} {step.edge.kind} {inert(step.edge.target)}"
        yield f"   reached by: {there}"
    for item in hit.lists:
        yield f"   {item.name}: rank {item.rank}, share {item.share:.4f}"
    for signal in hit.signals:
        yield f"   {inert(signal.name)}: {f'{signal.added:+.4g}' if signal.added else f'× {signal.factor:g}'}"


def _fresh(item: Freshness, now: float) -> str:
    if item.missing:
        return "its folder is not there"
    changed = "" if item.changed is None else f", {item.changed:,} files or folders changed since"
    return f"indexed {ago(now - item.indexed)}{changed}"


def ago(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{max(seconds, 0):.0f} seconds ago"


def visible(line: str) -> str:
    """A line of code as it is, but for what would steer a terminal or hide from a reader: that is shown as a character."""
    if line.isprintable():
        return line
    return "".join(character if character.isprintable() or character in _HARMLESS else "�" for character in line)


# What no reader misses and no text can hide behind: tabs, and what joins letters or stands between words in many scripts.
_HARMLESS = frozenset("\t\u00a0\u200c\u200d\u3000")
