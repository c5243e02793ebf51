"""What was just asked? The last pages, so that asking again, going back or typing on costs nothing.

A page is remembered under the commit it was made from: after any write the same question is answered anew, and what was remembered
before it is let go.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable

from dowse.model.page import Page

# A person goes back a few dozen pages, an agent repeats itself within a task. A page with much text is not kept, nor are many with
# some: every process that answers has as many again, and so has every caller with a reach of their own.
_PAGES = 256
_LARGEST_PAGE = 256_000
_CHARACTERS = 4_000_000


class RememberedPages:
    """The most recent pages of the newest commit, for all threads of a workspace."""

    def __init__(self, limit: int = _PAGES, characters: int = _CHARACTERS) -> None:
        self._limit = limit
        self._most = characters
        self._generation = 0
        self._pages: OrderedDict[Hashable, tuple[Page, int]] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def characters(self) -> int:
        """How much text the pages hold."""
        return self._characters

    def get(self, generation: int, question: Hashable) -> Page | None:
        with self._lock:
            if generation != self._generation or question not in self._pages:
                return None
            self._pages.move_to_end(question)
            return self._pages[question][0]

    def put(self, generation: int, question: Hashable, page: Page) -> None:
        size = sum(len(text) for hit in page.hits for text in hit.record.fields.values())
        with self._lock:
            if generation > self._generation:
                self._pages.clear()
                self._generation, self._characters = generation, 0
            # Who began before another's write sees an older state than those who ask now.
            if generation < self._generation or size > _LARGEST_PAGE:
                return
            self._drop(question)
            self._pages[question] = (page, size)
            self._characters += size
            while len(self._pages) > self._limit or self._characters > self._most:
                self._drop(next(iter(self._pages)))

    def _drop(self, question: Hashable) -> None:
        _, size = self._pages.pop(question, (None, 0))
        self._characters -= size
