"""Where is a long text cut so that each stretch means one thing? At paragraphs, else at lines and sentences, with some overlap."""

import re

Span = tuple[int, int]

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_LINE_OR_SENTENCE = re.compile(r"\n|[.!?…][\"')\]’”»*_]*\s+|[。！？｡]+[」』）”’]*")
_SPACE = re.compile(r"\s")
_SOMETHING = re.compile(r"\S")
# The better a place, the farther back from the end of the stretch it may lie: a stretch of half the size still says enough.
_PLACES = ((_PARAGRAPH, 0.5), (_LINE_OR_SENTENCE, 0.6), (_SPACE, 0.8))


def windows(text: str, size: int, overlap: int, most: int) -> list[Span]:
    r"""The first ``most`` stretches of a text, none longer than ``size``, each beginning up to ``overlap`` before the last ended.

    White space around a stretch is no part of it; together they hold every word, as far as ``most`` of them reach.

    >>> text = "One two.\n\nThree four. Five six. Seven."
    >>> [text[start:end] for start, end in windows(text, 24, 10, 9)]
    ['One two.\n\nThree four.', 'Five six. Seven.']
    """
    spans: list[Span] = []
    start = _begin(text, 0)
    while start < len(text) and len(spans) < most:
        end = _end(text, start, size)
        spans.append((start, start + len(text[start:end].rstrip())))
        start = _begin(text, end if end == len(text) else _again(text, start, end, overlap))
    return spans


def _begin(text: str, place: int) -> int:
    found = _SOMETHING.search(text, place)
    return found.start() if found is not None else len(text)


def _end(text: str, start: int, size: int) -> int:
    """The last good place for a cut within the size."""
    most = start + size
    if most >= len(text):
        return len(text)
    for pattern, share in _PLACES:
        found = [match.end() for match in pattern.finditer(text, start + int(size * share), most)]
        if found:
            return found[-1]
    return most


def _again(text: str, start: int, end: int, overlap: int) -> int:
    """Where the next stretch begins: at the first line or sentence of the overlap, else where the last one ended."""
    found = _LINE_OR_SENTENCE.search(text, max(end - overlap, start + 1), end)
    return found.end() if found is not None else end
