"""What changed since the last time? Files on disk beside the files that are known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dowse.ingest.reading import reader_of
from dowse.ingest.walking import Entry, Reason, Skipped
from dowse.model.source import Stamp

# Folders that mark the folder they lie in as a vault of pages.
_VAULT_MARKS = (".obsidian/", ".logseq/", ".foam/", ".dendron/")


@dataclass(frozen=True, slots=True)
class Difference:
    """``read`` must be read, ``gone`` are no longer there, ``unchanged`` files look as they did."""

    read: tuple[Entry, ...]
    gone: tuple[str, ...]
    unchanged: int
    skipped: tuple[Skipped, ...]
    vaults: tuple[str, ...]
    known: Mapping[str, Stamp] = field(repr=False)

    @property
    def bytes(self) -> int:
        return sum(entry.size for entry in self.read)


def compare(
    found: Iterable[Entry | Skipped], known: Mapping[str, Stamp], *, afresh: bool = False, hides: bool = False
) -> Difference:
    """By size and time; who looks changed is read, and then its content decides. ``afresh``: everything is read.

    ``hides``: files are read without the secrets in them.
    """
    items = list(found)
    entries = [item if isinstance(item, Entry) else _by_path(item) for item in items if isinstance(item, Entry) or item.modified]
    skipped = tuple(item for item in items if isinstance(item, Skipped))
    vaults = _vaults(skipped)
    to_read = []
    for entry in entries:
        stamp = known.get(entry.path)
        looks = (entry.size, entry.modified, reader_of(entry.path, vaults, hides=hides))
        if afresh or stamp is None or (stamp.size, stamp.modified, stamp.reader) != looks:
            to_read.append(entry)
    there = {entry.path for entry in entries}
    unread = tuple(item.path.removeprefix("./") for item in skipped if _hides_files(item))
    gone = tuple(path for path in known if path not in there and not path.startswith(unread))
    return Difference(tuple(to_read), gone, len(entries) - len(to_read), skipped, vaults, known)


def _hides_files(skipped: Skipped) -> bool:
    """Whether files may still be there that nobody can see now; what is known of them stays."""
    return skipped.path == "./" or (skipped.path.endswith("/") and skipped.reason is Reason.UNREADABLE)


def _by_path(skipped: Skipped) -> Entry:
    return Entry(skipped.path, "", skipped.size, skipped.modified or 0)


def _vaults(skipped: Iterable[Skipped]) -> tuple[str, ...]:
    """The folders that hold pages; the whole project is the folder ""."""
    return tuple(
        sorted(item.path.removesuffix(mark) for item in skipped for mark in _VAULT_MARKS if f"/{item.path}".endswith(f"/{mark}"))
    )
