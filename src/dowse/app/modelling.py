"""What can be done with the models of a workspace, and with what they know? Choosing them, vectors, and what is like what."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.app.embedding import Report
from dowse.app.guarding import WorkspaceEngine
from dowse.app.models import DEFAULT, NONE, full, is_remote, remember
from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.errors import EmbeddingFailed, InvalidRequest
from dowse.model.page import Page, Related
from dowse.model.passage import Profile

if TYPE_CHECKING:
    from dowse.model.modelling import Download, Embedded, ModelChoice, ModelEntry

# What a model must be able to embed to be chosen: words and code, as passages have them.
_TRIAL = "def retry(call): calls again after a pause"


class Modelling(Service):
    """Models, their vectors, and records that are close in meaning."""

    @property
    def embedding(self) -> WorkspaceEngine:
        return self._engine

    def embed(self, *, report: Report | None = None) -> Embedded:
        """Makes the vectors that are missing, in committed batches: whoever stops it goes on later where it stopped."""
        from dowse.model.modelling import Embedded  # what only models tell, searching never needs

        self._principal.require(Capability.WRITE)
        self._principal.require_everything("have vectors made")
        start = time.perf_counter()
        try:
            made = self._engine.catch_up(report)
        except EmbeddingFailed as error:
            state = self._engine.status().embedding
            raise EmbeddingFailed(f"{error} {state.waiting:,} passages wait for their vectors.") from error
        state = self._engine.status().embedding
        if state.specification == NONE:
            raise InvalidRequest("No model makes vectors here. Choose one with 'dowse model use', for example static.")
        name = state.profile.name if state.profile is not None else state.specification
        return Embedded(name, made, time.perf_counter() - start, state.done, state.waiting)

    def models(self) -> tuple[ModelEntry, ...]:
        """The models that can be used: the one in the package, those that are here, and those that can be downloaded."""
        from dowse.embed.locating import available  # reads folders of models, which searching never needs
        from dowse.model.modelling import ModelEntry

        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            used = self._engine.choice.specification(view)
        listed = [_own(used), *(_entry(item.name, item.where, item.bytes, item.licence, used) for item in available())]
        if not any(item.used for item in listed) and used != NONE:
            # A folder, a package or an address that nobody lists.
            listed.append(ModelEntry(used, used, used, 0, "", used=True))
        return tuple(listed) if Capability.ADMIN in self._principal.capabilities else tuple(map(_without_place, listed))

    def add_model(self, name: str, *, report: Callable[[Download], None] | None = None) -> ModelEntry:
        """Downloads a known model, with what is here already as a beginning; returns how it is asked for now."""
        from dowse.embed.downloading import download
        from dowse.model.modelling import Download

        self._principal.require(Capability.ADMIN)
        self._principal.require_everything("download a model")
        specification = full(name.removeprefix("onnx:"))
        bare = specification.removeprefix("onnx:")
        tell = report or (lambda _: None)
        download(bare, progress=lambda done, total: tell(Download(bare, done, total)))
        return next(item for item in self.models() if item.specification == specification)

    def use_model(self, specification: str, *, report: Report | None = None) -> ModelChoice:
        """Uses a model from now on, if it can be used; ``none``: search by words alone. A fast one embeds everything at once."""
        from dowse.model.change import UseModel
        from dowse.model.modelling import ModelChoice

        self._principal.require(Capability.ADMIN)
        self._principal.require_everything("choose the model of all records")
        self._permit_model(specification)
        wanted = full(specification.strip())
        profile = self._tried(wanted)
        named = self._engine.choice.named
        if named is not None and named != wanted:
            self._engine.apply([remember(wanted)])
            return ModelChoice(wanted, profile.name if profile else "", overruled=named)
        self._engine.apply([remember(wanted), UseModel(profile)])
        if profile is not None and profile.swift:
            self._engine.catch_up(report)
        else:
            self._engine.carry_on()
        state = self._engine.status().embedding
        if profile is None:
            return ModelChoice(wanted)
        return ModelChoice(wanted, profile.name, profile.dimension, profile.swift, state.done, state.waiting)

    def similar(self, key: str, *, limit: int = 10, kinds: Sequence[str] = ()) -> Page:
        """The records closest in meaning to one, without it, its parts and what it is part of."""
        from dowse.app import resembling

        self._principal.require(Capability.SEARCH_USE)
        record = self._fetch(self._resolve(key))
        with self._engine.view() as view:
            return resembling.similar(view, record, self._schema, limit=limit, kinds=tuple(kinds))

    def related(self, key: str, *, limit: int = 10) -> Related:
        """What has to do with a record, each with why: links from and to it, what stands beside it, what is like it."""
        from dowse.app import resembling

        self._principal.require(Capability.READ)
        record = self._fetch(self._resolve(key))
        with self._engine.view() as view:
            return resembling.related(view, record, self._schema, limit)

    def _permit_model(self, specification: str | None) -> None:
        """Refuses a model that lies, or answers, where the one who asks may not have anything read."""
        from dowse.embed.picking import is_path  # a search that asks for no model needs none of it

        wanted = (specification or "").strip()
        if is_remote(wanted):
            self._principal.require_address(wanted)
        elif wanted.startswith("onnx:") and is_path(wanted.removeprefix("onnx:")):
            self._principal.require_path(wanted.removeprefix("onnx:"))

    def _tried(self, specification: str) -> Profile | None:
        """What the model is, once it has shown that it can embed something."""
        if specification == NONE:
            return None
        embedder = self._engine.choice.open(specification)
        if embedder is None:
            raise InvalidRequest(f"{specification!r} is no model.")
        try:
            profile = embedder.profile
            (vector,) = embedder.embed([_TRIAL])
        except EmbeddingFailed as error:
            raise EmbeddingFailed(
                f"{specification} cannot be used: {str(error).rstrip('.')}. Everything stays as it is."
            ) from error
        finally:
            embedder.close()
        if len(vector) != profile.dimension or not vector.any():
            raise EmbeddingFailed(f"{specification} cannot be used: it does not embed {_TRIAL!r}. Everything stays as it is.")
        return profile


def _without_place(entry: ModelEntry) -> ModelEntry:
    """The line of the list without the folder that the model lies in: that is the owner's to know."""
    return replace(entry, where="here") if Path(entry.where).is_absolute() else entry


def _own(used: str) -> ModelEntry:
    from dowse.embed.static import WEIGHTS
    from dowse.model.modelling import ModelEntry

    size = WEIGHTS.stat().st_size if WEIGHTS.is_file() else 0
    return ModelEntry(DEFAULT, DEFAULT, "comes with dowse", size, "Apache-2.0", used == DEFAULT)


def _entry(name: str, where: str, size: int, licence: str, used: str) -> ModelEntry:
    from dowse.model.modelling import ModelEntry

    specification = f"onnx:{name}"
    return ModelEntry(specification, name, where, size, licence, used == specification)
