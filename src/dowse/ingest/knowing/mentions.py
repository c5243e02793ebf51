"""Which other pieces of work does a text name, and as what?"""

import re
from collections.abc import Iterable, Iterator

from dowse.ingest.knowing.loose import line, unique
from dowse.model.source import Definition, Reference

FAMILY = "task"

# A number after "#" is a task unless it is part of a link, a colour, an entity or the name of another repository, or counts
# the boxes of a check list.
_NUMBER = re.compile(r"(?<![\w/&#])(?<!\[[ xX/-]\] )#(\d{1,7})(?![\w-])|\bGH-(\d{1,7})\b|/(?:issues|pull)/(\d{1,7})\b")
_ORDER = re.compile(r"\b(blocked by|depends on|waits for|blocks)[:\s]+((?:(?:#|GH-)\d{1,7}(?:\s*,\s*|\s+and\s+)?)+)", re.IGNORECASE)
_SIGNS = ("#", "GH-", "/issues/", "/pull/")
_ORDER_KINDS = {"blocks": "blocks"}
_WIKI_LINK = re.compile(r"^\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]$")


def defined(key: str, *ids: str) -> tuple[Definition, ...]:
    """The names others may call a task by: its ids, however they are cased."""
    names = unique(f"task:{form}" for given in ids if given for form in (bare(given), bare(given).lower()))
    return tuple(Definition(name, key, FAMILY) for name in names)


def refer(source: str, kind: str, given: str) -> Reference | None:
    """What a task says of another one that it names by id."""
    name = bare(given)
    return Reference(source, kind, unique((f"task:{name}", f"task:{name.lower()}")), FAMILY) if name else None


def bare(given: str) -> str:
    """An id without the signs it is written with.

    >>> bare("#12"), bare("[[Fix it|that]]"), bare("GH-7"), bare("bd-a1")
    ('12', 'Fix it', '7', 'bd-a1')
    """
    link = _WIKI_LINK.match(line(given))
    name = link[1].strip() if link else line(given).lstrip("#")
    return name[3:] if re.fullmatch(r"GH-\d+", name) else name


def mentions(source: str, text: str, own: str = "", prefixes: Iterable[str] = ()) -> tuple[Reference, ...]:
    """The references a text makes: ``#12``, ``GH-12``, addresses of issues, and ids that start with one of the prefixes.

    >>> [(said.kind, said.names[0]) for said in mentions("a", "Blocked by #3 and #4; see #5, not &#39; or x/y#6")]
    [('is_blocked_by', 'task:3'), ('is_blocked_by', 'task:4'), ('relates_to', 'task:5')]
    """
    # Most texts have none of these signs, and looking for them costs a tenth of looking for numbers.
    numbered = any(sign in text for sign in _SIGNS)
    ordered = dict(_ordered(text)) if numbered else {}
    numbers = ("".join(hit) for hit in _NUMBER.findall(text)) if numbered else ()
    found = unique((*ordered, *numbers, *_prefixed(text, prefixes)))
    made = (refer(source, ordered.get(name, "relates_to"), name) for name in found if name != own)
    return tuple(reference for reference in made if reference is not None)


def _ordered(text: str) -> Iterator[tuple[str, str]]:
    for said in _ORDER.finditer(text):
        kind = _ORDER_KINDS.get(said[1].lower(), "is_blocked_by")
        yield from ((name, kind) for name in re.findall(r"\d+", said[2]))


def _prefixed(text: str, prefixes: Iterable[str]) -> list[str]:
    either = "|".join(re.escape(prefix) for prefix in sorted(prefixes))
    # An id ends in a letter or a digit: the full stop after it belongs to the sentence.
    return re.findall(rf"(?<![\w.-])(?:{either})-[a-z0-9]+(?:\.\d+)*(?![\w-])", text) if either else []
