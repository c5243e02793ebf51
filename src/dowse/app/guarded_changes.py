"""Which changes may someone make who sees only a part of the workspace? Those that begin and end within it.

A record outside is to them as one that does not exist: deleting it finds nothing, and putting one onto its key is refused with the
words that any record outside gets.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from dowse.app.guarded_view import PROJECT, GuardedView
from dowse.app.permissions import Principal
from dowse.errors import Forbidden, NotFound
from dowse.model.change import (
    Change,
    Delete,
    DropSource,
    KeepVectors,
    Link,
    Mark,
    Put,
    PutSource,
    Relink,
    Rename,
    RenameTag,
    Restamp,
    Restore,
    Settle,
    Unlink,
    UseModel,
)
from dowse.model.record import Record
from dowse.ports import View


def admitted(changes: Sequence[Change], view: View, principal: Principal) -> list[Change]:
    """The changes as they are to be applied. Raises if one of them touches what is not seen."""
    keys = sorted(set(_keys(changes)))
    stored = view.find(keys)
    above = sorted({record.parent for record in stored.values() if record.parent is not None})
    seen = GuardedView(view, principal.reach).sees([*keys, *above])
    batch = _Batch(principal, stored, seen, is_settling=any(isinstance(change, Settle) for change in changes))
    return [checked for change in changes for checked in batch.admit(change)]


@dataclass(slots=True)
class _Batch:
    """Some changes on their way: what is stored, what of it is seen, and what the changes before made of it.

    ``is_settling``: links are written that files have; those to what is not seen are left out.
    """

    principal: Principal
    stored: dict[str, Record]
    seen: set[str]
    is_settling: bool
    made: dict[str, Record | None] = field(default_factory=dict)

    def admit(self, change: Change) -> list[Change]:
        match change:
            case Put():
                return [self._put(change)]
            case Delete(key, purge):
                self._require_seen(key)
                self.made[key] = None if purge else self._state(key)
            case Restore(key):
                self._require_seen(key)
                self.made[key] = self._state(key)
            case Rename(keys):
                self._rename(dict(keys))
            case Link(edge):
                return [change] if self._joins(edge.source, edge.target) else []
            case Unlink(source, target, _):
                return [change] if self._joins(source, target) else []
            case Relink(source, _, _):
                # What a text names is the text's own affair: its links may lead anywhere, and show only where both ends are seen.
                self._require_seen(source)
            case PutSource(source=source):
                self._require_space(source.space)
            case Restamp(space, _, _) | Settle(space, _, _) | DropSource(space, _):
                self._require_space(space)
            case Mark(name, _):
                self._require_project(name)
            case RenameTag():
                self.principal.require_everything("rename a tag")
            case UseModel() | KeepVectors():
                self.principal.require_everything("choose a model")
        return [change]

    def _put(self, change: Put) -> Put:
        record, before = change.record, self._state(change.record.key)
        if before is not None and not self._sees(before.key):
            raise self._outside(record.key)
        if before is not None and record.parent is None and before.parent is not None and not self._sees(before.parent):
            # They could not see what it hangs below, so they did not mean to take it away from there.
            record = replace(record, parent=before.parent)
        elif not self._is_inside(record):
            raise self._outside(record.key)
        if not self._fits(record):
            raise self._outside(record.key)
        expected = change.expected
        if expected is None and record.key not in self.made:
            # What was looked at must be what is written over: nobody moves it out of reach in between.
            expected = before.version if before is not None else 0
        self.made[record.key] = record
        return replace(change, record=record, expected=expected, prepared=change.prepared if record is change.record else None)

    def _rename(self, names: dict[str, str]) -> None:
        moved = {}
        for old, new in names.items():
            self._require_seen(old)
            if new not in names and self._state(new) is not None and not self._sees(new):
                raise self._outside(new)
            moved[new] = self._state(old)
        self.made |= dict.fromkeys(names)
        self.made |= {new: replace(record, key=new) for new, record in moved.items() if record is not None}

    def _is_inside(self, record: Record) -> bool:
        """Whether it hangs below something that is seen, or is itself what the reach names, or needs no place at all."""
        if record.parent is not None and not self._sees(record.parent):
            return False
        return not self.principal.reach.under or record.parent is not None or record.key in self.principal.reach.under

    def _fits(self, record: Record) -> bool:
        reach = self.principal.reach
        return (not reach.kinds or record.kind in reach.kinds) and (not reach.spaces or record.space in reach.spaces)

    def _joins(self, source: str, target: str) -> bool:
        if self._sees(source) and self._sees(target):
            return True
        if self.is_settling:
            return False
        raise Forbidden(f"{self.principal.name} may link only records that they see; {source!r} or {target!r} is none of them.")

    def _state(self, key: str) -> Record | None:
        return self.made[key] if key in self.made else self.stored.get(key)

    def _sees(self, key: str) -> bool:
        # What was made within this batch was found to lie inside.
        return self.made[key] is not None if key in self.made else key in self.seen

    def _require_seen(self, key: str) -> None:
        if not self._sees(key):
            raise NotFound(f"No record has the id {key!r}.")

    def _require_space(self, space: str) -> None:
        if not self.principal.reach.covers(space):
            raise Forbidden(
                f"{self.principal.name} may not write files of the space {space!r}: they see only a part of it, or nothing"
                f" ({self.principal.reach})."
            )

    def _require_project(self, name: str) -> None:
        if not name.startswith(PROJECT):
            self.principal.require_everything("change what the workspace remembers")
        self._require_space(name.removeprefix(PROJECT))

    def _outside(self, key: str) -> Forbidden:
        """One sentence for a new record outside, for one that would move there, and for one that has been there all along."""
        return Forbidden(
            f"{self.principal.name} may not write {key!r}: it is, or would be, outside the part of the workspace that they see"
            f" ({self.principal.reach})."
        )


def _keys(changes: Iterable[Change]) -> Iterable[str]:
    """The keys of all records that changes speak of."""
    for change in changes:
        match change:
            case Put(record, _, _):
                yield record.key
                if record.parent is not None:
                    yield record.parent
            case Delete(key, _) | Restore(key):
                yield key
            case Rename(keys):
                yield from (key for pair in keys for key in pair)
            case Link(edge):
                yield from (edge.source, edge.target)
            case Unlink(source, target, _):
                yield from (source, target)
            case Relink(source, _, _):
                yield source
