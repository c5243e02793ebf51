"""When are two characters the same for a reader? Case, Latin diacritics and width do not matter.

Folding works character by character, so ``fold(a + b) == fold(a) + fold(b)``: that makes substring search exact
and lets a match in folded text be traced back to the text as it was written.
"""

import unicodedata

# Marks that sit on Latin, Greek and Cyrillic letters. Marks of other scripts (Thai vowels, Devanagari signs,
# Japanese voicing) carry meaning and stay.
_DIACRITICS = (range(0x0300, 0x0370), range(0x1AB0, 0x1B00), range(0x1DC0, 0x1E00), range(0x20D0, 0x2100), range(0xFE20, 0xFE30))


def is_word_character(character: str) -> bool:
    """Letters, digits and marks make words; everything else separates them.

    >>> [is_word_character(c) for c in "aé9ท_- "]
    [True, True, True, True, False, False, False]
    """
    return unicodedata.category(character)[0] in "LNM"


class _FoldTable(dict[int, str]):
    """A lazily filled table for ``str.translate``: only characters that really occur are ever looked up."""

    def __missing__(self, codepoint: int) -> str:
        folded = self[codepoint] = _fold_character(chr(codepoint))
        return folded


class _StripTable(dict[int, str]):
    """As the fold table, but case is kept: word boundaries inside ``camelCase`` need it."""

    def __missing__(self, codepoint: int) -> str:
        stripped = self[codepoint] = _strip_character(chr(codepoint))
        return stripped


def _strip_character(character: str) -> str:
    if not is_word_character(character):
        return character
    letters = unicodedata.normalize("NFKD", character)
    kept = "".join(c for c in letters if not any(ord(c) in block for block in _DIACRITICS))
    composed = unicodedata.normalize("NFC", kept)
    return composed if all(map(is_word_character, composed)) else character


def _fold_character(character: str) -> str:
    folded = _strip_character(character).casefold()
    return "".join(map(_strip_character, folded))


_FOLD = _FoldTable()
_STRIP = _StripTable()


def fold(text: str) -> str:
    """The text as search compares it.

    >>> fold("Café ÜBER Straße ＡＢＣ")
    'cafe uber strasse abc'
    """
    return text.lower() if text.isascii() else text.translate(_FOLD)


def strip_marks(text: str) -> str:
    """The text without diacritics and width, its case kept."""
    return text if text.isascii() else text.translate(_STRIP)


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """Folded text, and for each of its characters (and its end) the place in the original it came from."""
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    pieces: list[str] = []
    offsets: list[int] = []
    for position, character in enumerate(text):
        piece = _FOLD[ord(character)]
        pieces.append(piece)
        offsets.extend([position] * len(piece))
    offsets.append(len(text))
    return "".join(pieces), offsets
