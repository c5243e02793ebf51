"""How is a workspace kept from harm, and made well again? Backups, and repairs that lose nothing that can still be read."""

import os
from collections.abc import Callable

from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.errors import Conflict, InvalidRequest, StorageError
from dowse.ports import Backup, Copying, Durable, Finding

Report = Callable[[Copying], None]


class Caring(Service):
    """Copies of a workspace, and its repair. All of it concerns the whole, so it is for those who see everything."""

    def backup(self, path: str | os.PathLike[str], *, report: Report | None = None) -> Backup:
        """Copies the workspace as it is at this moment to a new file, while everyone works on; the copy is proved to be whole."""
        self._permit("back up the workspace")
        self._principal.require_path(path)
        return self._durable.back_up(os.fspath(path), report)

    def restore_backup(self, path: str | os.PathLike[str], *, force: bool = False, report: Report | None = None) -> Backup:
        """Makes the workspace what a backup holds. ``force``: also where it holds something; that is kept in a file beside."""
        self._permit("restore a backup")
        self._principal.require_path(path)
        if not force and (held := self._held()):
            raise Conflict(f"The workspace {held}. To put the backup in its place, say force; what is there is kept beside it.")
        restored = self._durable.take_over(os.fspath(path), report)
        self._whole.begin_anew()
        return restored

    def repair(self) -> tuple[Finding, ...]:
        """Makes again what is derived. Where records are damaged, the file is copied, and what can be read goes into a new one."""
        self._permit("repair the workspace")
        findings = self._durable.repair()
        self._whole.begin_anew()
        return findings

    def _permit(self, what: str) -> None:
        self._principal.require(Capability.ADMIN)
        self._principal.require_everything(what)

    def _held(self) -> str:
        """What the workspace holds that a backup would take the place of; nothing if it is new or not there."""
        if self._location is not None and not self._location.exists():
            return ""
        try:
            status = self._whole.store.status()
        except StorageError:
            return "is there, though it cannot be opened"
        records = sum(status.records.values()) + status.deleted
        return f"holds {records} records" if records else ""

    @property
    def _durable(self) -> Durable:
        engine = self._whole.store
        if not isinstance(engine, Durable):
            raise InvalidRequest("This workspace is no file of ours: its store has ways of its own to copy and to repair it.")
        return engine
