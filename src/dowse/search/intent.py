"""Does the query name something, or ask something, or ask what to do? Decided by rule, in a fixed order."""

import re

from dowse.model.request import Intent
from dowse.text.naming import names_in
from dowse.text.words import is_paired, runs

_QUOTED = re.compile(r"""^(["']).*\1$""", re.DOTALL)
_OPERATOR = re.compile(r"(?<!\w)(AND|OR|NOT|NEAR)(?!\w)")
_DATE = re.compile(r"(?<!\d)\d{4}([-/])\d{2}\1\d{2}(?!\d)")
_PLAIN = re.compile(r"[a-z0-9_ ]*")
_SLUG = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)+$")
# One or two words are too little to mean more than themselves. Where words are not spaced, a word is about two characters.
_FEW_WORDS = 2
_CHARACTERS_PER_WORD = 2
# Korean is indexed by pairs of characters, but written with spaces.
_HANGUL = "[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]"
# Words and nothing else: no name, no quote, no sign of a query's grammar.
_PLAIN_WORD = r"[^\W\d_]+(?:[-'’][^\W\d_]+)*"
_TWO_WORDS = re.compile(rf"\s*{_PLAIN_WORD}\s+{_PLAIN_WORD}[.?!]?\s*")
# Whoever uses a thing says "I", "we" or "one"; whoever wants to know how it is made asks how it does something.
_HOW = re.compile(
    r"\s*(?:how\s*to\b|(?:how|where|what|when)\s+(?:do|can|could|should|would|must|might)\s+(?:i|we|you|one)\b"
    r"|(?:can|could|may)\s+(?:i|we|you|one)\b|is\s+(?:it\s+possible|there\s+(?:a|any)\s+way)\s+to\b)",
    re.IGNORECASE,
)


def intent(text: str) -> Intent:
    """Keyword or semantic.

    >>> [intent(text).value for text in ("retry", "how are retries capped", "notes of 2024-05-01", "再試行の上限を教えて")]
    ['keyword', 'semantic', 'keyword', 'semantic']
    """
    trimmed = text.strip()
    if not trimmed:
        return Intent.KEYWORD
    # Most texts are small letters and spaces, and nothing else needs to be looked for in them.
    if _PLAIN.fullmatch(trimmed):
        return Intent.KEYWORD if len(trimmed.split()) <= _FEW_WORDS else Intent.SEMANTIC
    if len(trimmed) > 1 and trimmed[0] in "\"'" and _QUOTED.match(trimmed):
        return Intent.KEYWORD
    if (not trimmed.islower() and _OPERATOR.search(trimmed)) or _is_dated(trimmed):
        return Intent.KEYWORD
    if _word_count(trimmed) <= _FEW_WORDS:
        return Intent.KEYWORD
    if _SLUG.match(trimmed):
        return Intent.KEYWORD
    return Intent.SEMANTIC


def describes(text: str) -> bool:
    """Whether two words say what is looked for and not how it is called: what means the same answers too (docs/ranking.md).

    >>> [describes(text) for text in ("cache eviction", "infantile autism.", "useState hook", "retry", "NOT closed")]
    [True, True, False, False, False]
    """
    return _TWO_WORDS.fullmatch(text) is not None and not _OPERATOR.search(text) and not names_in(text)


def asks_how(text: str) -> bool:
    """Whether someone asks what to do, in English.

    >>> [asks_how(text) for text in ("how do I restore a backup", "How to mock a request", "how does restoring work", "howto")]
    [True, True, False, True]
    """
    return _HOW.match(text) is not None


def _is_dated(text: str) -> bool:
    """Most texts have no such sign, and are looked through for it in no time."""
    return ("-" in text or "/" in text) and _DATE.search(text) is not None


def _word_count(text: str) -> int:
    if text.isascii():
        return len(text.split())
    spaced = paired = 0
    for word in text.split():
        characters = sum(is_paired(character) and not re.match(_HANGUL, character) for run in runs(word) for character in run[0])
        paired += characters
        spaced += not characters
    return spaced + -(-paired // _CHARACTERS_PER_WORD)
