"""How do libraries and their snippets read as text? A numbered list, and passages with headings and fences."""

import re
from collections.abc import Sequence
from typing import Protocol

from dowse.model.page import Page
from dowse.model.record import Record
from dowse.text.tokens import CHARACTERS_PER_TOKEN

_SEPARATOR = "\n\n---\n\n"


class Match(Protocol):
    @property
    def library(self) -> Record: ...
    @property
    def versions(self) -> tuple[str, ...]: ...


def libraries_text(matches: Sequence[Match], tokens: int = 5000) -> str:
    """A numbered list of libraries, as many as the budget holds."""
    if not matches:
        return "No libraries match. Try another name, or a word from its description."
    return _within([_library(number, match) for number, match in enumerate(matches, 1)], tokens, "\n\n")


def snippets_text(page: Page, library: Record, tokens: int = 5000) -> str:
    """The library's rules, then the snippets in their order, as many as the budget holds."""
    rules = [line.strip() for line in library.text("rules").splitlines() if line.strip()]
    parts = ["## Library Rules\n" + "\n".join(f"- {rule}" for rule in rules)] if rules else []
    parts += [_snippet(hit.record) for hit in page.hits]
    if not parts:
        return f"Nothing in {library.title or library.key} matches. Try other words."
    return _within(parts, tokens, _SEPARATOR)


def fence(content: str) -> str:
    """A fence longer than any inside the content.

    >>> fence("a ``` b"), fence("plain")
    ('````', '```')
    """
    longest = max((len(run) for run in re.findall(r"`+", content)), default=0)
    return "`" * max(3, longest + 1)


def _library(number: int, match: Match) -> str:
    library = match.library
    lines = [
        f"{number}. {library.title}",
        f"   Library ID: {library.key}",
        f"   Description: {library.text('description') or 'No description'}",
        f"   Snippets: {library.facets.get('snippets', 0)} | Trust Score: {float(library.facets.get('trust', 0)):.1f}/10",
        f"   Available Versions: {', '.join(match.versions) or 'default branch'}",
    ]
    return "\n".join(lines)


def _snippet(record: Record) -> str:
    content = record.text("content")
    lines = [f"### {record.title}" if record.title else "", f"*{record.text('breadcrumb')}*" if record.text("breadcrumb") else ""]
    if record.facets.get("type") == "code":
        marks = fence(content)
        content = f"{marks}{record.facets.get('language', '')}\n{content}\n{marks}"
    return "\n".join([*filter(None, lines), content])


def _within(parts: list[str], tokens: int, separator: str) -> str:
    """Whole parts up to the budget; the first always, so that an answer is never empty."""
    room = tokens * CHARACTERS_PER_TOKEN
    kept = parts[:1]
    used = len(parts[0])
    for part in parts[1:]:
        used += len(separator) + len(part)
        if used > room:
            break
        kept.append(part)
    return separator.join(kept)
