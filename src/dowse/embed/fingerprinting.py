"""Is it still the same model? A fingerprint of the file and of how it is used, without reading the file every time."""

import hashlib
import json
import os
from pathlib import Path

from dowse.errors import EmbeddingFailed
from dowse.model.passage import Profile

# Where hashes are remembered, in the folder of the user's models: a model inside an installed package must not be written beside.
REMEMBERED = "hashes.json"

# Of a sha256, so that no two models of this world share them.
LETTERS = 16


def fingerprint(profile: Profile, content: str) -> str:
    """What changes whenever the same text could get another vector. ``content`` stands for the model itself."""
    told = (content, profile.dimension, profile.pooling.value, profile.query_prefix, profile.passage_prefix, profile.longest)
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:LETTERS]


def content_hash(path: Path, memory: Path) -> str:
    """The sha256 of a file; from ``memory``, a folder, if size and time of the file are those of the last look."""
    try:
        seen = path.stat()
        stamp = [seen.st_size, seen.st_mtime_ns]
        remembered = _remembered(memory / REMEMBERED)
        entry = remembered.get(str(path.absolute()))
        if isinstance(entry, list) and entry[:2] == stamp and len(entry) == 3:
            return str(entry[2])
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingFailed(f"the model file {path} cannot be read: {error.strerror}") from error
    _remember(memory / REMEMBERED, {**remembered, str(path.absolute()): [*stamp, found]})
    return found


def _remembered(memory: Path) -> dict[str, object]:
    try:
        told = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _remember(memory: Path, entries: dict[str, object]) -> None:
    # Whoever may not write here looks at the file again next time: slower, not wrong.
    aside = memory.with_name(f"{memory.name}.{os.getpid()}")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(entries, indent=1, sort_keys=True), encoding="utf-8")
        aside.replace(memory)
    except OSError:
        return
