"""Where do the indexes of a measurement lie, and when may the ones of an earlier run be asked again?"""

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dowse
from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import NONE, Choice, embedder_for, full
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine

# What decides which records and words an index holds. The engine looks after its own lanes.
_MAKERS = ("ingest", "text", "model")


class Shelf:
    """Indexes by name, for one model. Without a folder each is gone when it is closed."""

    def __init__(self, model: str, folder: Path | None, rescore: str | None = None) -> None:
        self.model = full(model)
        self.rescore = rescore
        self._folder = folder
        # A model that cannot be used should say so before an hour of indexing.
        embedder = embedder_for(self.model)
        self.vectors = embedder is not None
        self.fingerprint = embedder.profile.fingerprint if embedder is not None else NONE
        if embedder is not None:
            embedder.close()

    @property
    def strongest(self) -> str:
        """The model whose results are held against the targets."""
        return self.rescore or self.model

    @contextmanager
    def opened(self, name: str, made_of: str, fill: Callable[[EmbeddingEngine, Path], None]) -> Iterator[EmbeddingEngine]:
        """The index of that name; ``fill`` makes it where there is none, or one of another model, version or ``made_of``."""
        with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
            folder = self._folder or Path(place)
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{name}-{re.sub(r'[^A-Za-z0-9.]+', '-', self.model)}.dowse"
            label, wanted = path.with_suffix(".json"), self._label(made_of)
            fresh = not path.exists() or not label.exists() or json.loads(label.read_text("utf-8")) != wanted
            if fresh:
                _remove(path, label)
            engine = EmbeddingEngine(SqliteEngine(path, SCHEMA), Choice(self.model))
            try:
                if fresh:
                    fill(engine, path)
                    label.write_text(json.dumps(wanted), "utf-8")
                # A slow model that was interrupted goes on where it stopped.
                if self.vectors:
                    engine.catch_up()
                yield engine
            finally:
                engine.close()

    def _label(self, made_of: str) -> dict[str, str]:
        return {"version": dowse.__version__, "makers": _makers(), "model": self.fingerprint, "madeOf": made_of}


def stamp(*paths: Path) -> str:
    """Differs when one of the files differs, as far as size and time tell."""
    found = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in paths if path.exists()]
    return hashlib.blake2b(repr(found).encode(), digest_size=8).hexdigest()


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _makers() -> str:
    """The version number changes rarely, the code that makes records daily."""
    root = Path(dowse.__file__).parent
    digest = hashlib.blake2b(digest_size=8)
    for folder in _MAKERS:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _remove(path: Path, label: Path) -> None:
    label.unlink(missing_ok=True)
    for suffix in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
