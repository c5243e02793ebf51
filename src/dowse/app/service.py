"""What do all parts of the workspace share? An engine, a principal, a clock, and records by their ids."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from dowse.app import recording
from dowse.app.embedding import EmbeddingEngine
from dowse.app.guarding import GuardedEngine, WorkspaceEngine
from dowse.app.models import NONE, Choice
from dowse.app.permissions import OWNER, Capability, Principal
from dowse.app.remembering import RememberedPages
from dowse.domains.everything import SCHEMA
from dowse.domains.preparing import default_key, prepare
from dowse.errors import AmbiguousId, InvalidRequest, NotFound
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Engine, View
from dowse.text.suggesting import is_encodable

if TYPE_CHECKING:
    from dowse.app.placing import Lines

# An id may be shortened to this many characters, if only one record's id begins so.
SHORTEST_ID = 4
# People and agents who ask by turns, each with their last pages. One who comes back later begins with none, and loses nothing else.
_MOST_ACTING = 64


class Service:
    """A workspace without what can be done with it."""

    def __init__(
        self,
        engine: Engine,
        *,
        principal: Principal = OWNER,
        schema: Schema = SCHEMA,
        clock: Callable[[], float] = time.time,
        location: Path | None = None,
    ) -> None:
        self._whole = engine if isinstance(engine, EmbeddingEngine) else EmbeddingEngine(engine, Choice(NONE))
        # Who sees everything pays nothing for those who do not.
        self._engine: WorkspaceEngine = self._whole if principal.reach.is_everything else GuardedEngine(self._whole, principal)
        self._is_shared = False
        self._acting: OrderedDict[Principal, Self] = OrderedDict()
        self._acting_lock = threading.Lock()
        self._location = location
        self._principal = principal
        self._schema = schema
        self._clock = clock
        self._pages = RememberedPages()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the engine; a workspace that acts as someone leaves it to the one it was made from."""
        if not self._is_shared:
            self._whole.close()

    def acting_as(self, principal: Principal) -> Self:
        """The same workspace as someone else sees and writes it. The pages remembered for them are theirs alone."""
        self._principal.require_everything("act as someone else")
        with self._acting_lock:
            acting = self._acting.pop(principal, None) or self._as(principal)
            self._acting[principal] = acting
            while len(self._acting) > _MOST_ACTING:
                self._acting.popitem(last=False)
            return acting

    def _as(self, principal: Principal) -> Self:
        acting = type(self)(self._whole, principal=principal, schema=self._schema, clock=self._clock, location=self._location)
        acting._is_shared = True
        return acting

    @property
    def principal(self) -> Principal:
        """Who calls."""
        return self._principal

    @property
    def location(self) -> Path | None:
        """The file it lies in; None: in none, but in memory or on a cluster."""
        return self._location

    @property
    def _place(self) -> Path | None:
        return self._location.resolve() if self._location is not None else None

    @property
    def _home(self) -> Path | None:
        return self._place.parent if self._place is not None else None

    @property
    def generation(self) -> int:
        """The number of the last commit, whichever process made it. Costs a look at one row."""
        with self._engine.view() as view:
            return view.generation

    def resolve(self, key: str) -> str:
        """The full id for an id or the beginning of one."""
        self._principal.require(Capability.READ)
        return self._resolve(key)

    def _resolve(self, key: str) -> str:
        with self._engine.view() as view:
            return self._resolver(view)(key)

    def _resolver(self, view: View) -> Callable[[str], str]:
        def resolve(key: str) -> str:
            if not isinstance(key, str):
                raise InvalidRequest(f"An id is a text, not {str(key)[:80]}.")
            if not is_encodable(key):
                raise NotFound(f"No record has the id {key!a}: it is no valid Unicode.")
            if key in view.find([key]):
                return key
            found = view.resolve(key) if len(key) >= SHORTEST_ID else []
            if len(found) > 1:
                raise AmbiguousId(f"{key!r} fits several ids, among them {found[0]!r} and {found[1]!r}. Type more of it.")
            return found[0] if found else self._placed(view, key)

        return resolve

    def _below(self, key: str) -> str:
        with self._engine.view() as view:
            return self._scoper(view)(key)

    def _scoper(self, view: View) -> Callable[[str], str]:
        """Names what records lie below: a record, or a folder of a project."""
        resolve = self._resolver(view)

        def scope(key: str) -> str:
            found = self._folders(view, key) if isinstance(key, str) and is_encodable(key) else []
            if len(found) > 1:
                raise AmbiguousId(f"{key!r} is a folder of several projects: {' and '.join(found)}. Name one.")
            return found[0] if found else resolve(key)

        return scope

    def _folders(self, view: View, key: str) -> list[str]:
        from dowse.app import freshness, placing

        return placing.folders(view, freshness.known(view, self._home), key) if key not in view.find([key]) else []

    def _placed(self, view: View, place: str) -> str:
        """The id of what stands at a place of a file."""
        found, _ = self._at(view, place)
        if not found:
            raise NotFound(
                f"No record has the id {place!r}, and no indexed file that path. Ids and paths stand in the hits of a search."
            )
        if len(found) > 1:
            raise AmbiguousId(f"At {place!r} stand several records, among them {found[0].key!r} and {found[1].key!r}. Name one.")
        return found[0].key

    def at_place(self, place: str) -> "tuple[list[Record], Lines | None]":
        """The records at a place of a file (``path``, ``path:12``, ``path:12-40``), and the lines, if several were named."""
        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            return self._at(view, place)

    def _at(self, view: View, place: str) -> "tuple[list[Record], Lines | None]":
        from dowse.app import freshness, placing  # most who name a record name its id

        return placing.at_place(view, self._schema, freshness.known(view, self._home), place)

    def _make(self, record: Record | Mapping[str, Any] | None, values: Mapping[str, Any]) -> Record:
        if isinstance(record, Record):
            made = replace(record, **values) if values else record
            made = made if made.updated else replace(made, updated=self._clock())
        else:
            data = {**(record or {}), **values}
            facets = {**(data.get("facets") or {}), **data}
            own = default_key(str(data.get("kind", "")), str(data.get("title") or ""), data.get("parent"), facets)
            made = recording.to_record(data, self._schema, now=self._clock(), key=lambda: own or recording.new_key())
        prepared = prepare(made)
        recording.check(prepared, self._schema)
        return prepared

    def _fetch(self, key: str) -> Record:
        with self._engine.view() as view:
            found = view.find([key])
        if key not in found:
            raise NotFound(f"No record has the id {key!r}.")
        return found[key]
