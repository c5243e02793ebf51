"""What did the user probably mean?"""

from collections.abc import Iterable


def is_encodable(text: str) -> bool:
    """Whether the text is valid Unicode: no half of a pair stands alone in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence to end an error message with.

    >>> did_you_mean("limt", ["limit", "offset"]), did_you_mean("zzz", ["limit", "offset"])
    ("Did you mean 'limit'?", 'Known: limit, offset.')
    """
    import difflib  # nobody waits for it but who mistyped something

    names = sorted(known)
    close = difflib.get_close_matches(name, names, 1)
    return f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names)}."
