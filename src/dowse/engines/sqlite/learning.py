"""Which words does the vocabulary have for certain? Those that this process wrote, for as long as nobody else writes."""

from dowse.text.seen import SeenWords, none_seen

# Some forty megabytes. Past it remembering begins anew, and the vocabulary is asked again.
_MOST = 500_000


class Learned:
    """Remembers from one commit to the next, so that not every word of every batch is looked up in the file."""

    def __init__(self) -> None:
        self._words = none_seen()
        self._after: tuple[int, int] | None = None

    def begin(self, lanes: int, generation: int) -> SeenWords:
        """The words known when a commit begins, for it to add to: none, where anyone else has written or one of ours failed."""
        if self._after != (lanes, generation - 1) or len(self._words) > _MOST:
            self._words = none_seen()
        self._after = None
        return self._words

    def keep(self, lanes: int, generation: int) -> None:
        """The commit is in the file, and so are its words."""
        self._after = lanes, generation
