"""What was just asked? The last pages, so that asking again, going back or typing on costs nothing.

A page is remembered under the commit it was made from: after any write the same question is answered anew.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable

from dowse.model.page import Page

# A person goes back a few dozen pages, an agent repeats itself within a task. Pages with much text are not kept.
_PAGES = 256
_LARGEST_PAGE = 256_000


class RememberedPages:
    """The most recent pages, for all threads of a workspace."""

    def __init__(self, limit: int = _PAGES) -> None:
        self._limit = limit
        self._pages: OrderedDict[Hashable, Page] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Page | None:
        with self._lock:
            page = self._pages.get(key)
            if page is not None:
                self._pages.move_to_end(key)
            return page

    def put(self, key: Hashable, page: Page) -> None:
        if sum(len(text) for hit in page.hits for text in hit.record.fields.values()) > _LARGEST_PAGE:
            return
        with self._lock:
            self._pages[key] = page
            while len(self._pages) > self._limit:
                self._pages.popitem(last=False)
