"""How do engines that share no code stem alike? By one stemmer, handed over where parts are plugged together."""

import threading
from collections.abc import Sequence

from dowse.engines.sqlite.driver import connect, stem_words

_own = threading.local()


def stem_all(words: Sequence[str]) -> list[str]:
    """The stem of each word, by the stemmer that SQLite brings. A plain function, so that other processes can be handed it.

    >>> stem_all(["running", "sea", "東京"])
    ['run', 'sea', '東京']
    """
    if not hasattr(_own, "connection"):
        # A connection of its own for each thread; it stores nothing.
        _own.connection = connect(":memory:")
    return stem_words(_own.connection, list(words)) if words else []
