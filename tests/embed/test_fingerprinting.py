import os
from dataclasses import replace
from pathlib import Path

import pytest

from dowse.embed.fingerprinting import content_hash, fingerprint
from dowse.embed.profiles import known
from dowse.errors import EmbeddingFailed
from dowse.model.passage import Pooling

PROFILE = known()[0].profile


def test_it_differs_whenever_a_text_could_get_another_vector() -> None:
    others = (
        replace(PROFILE, dimension=1),
        replace(PROFILE, pooling=Pooling.FIRST),
        replace(PROFILE, query_prefix="q"),
        replace(PROFILE, passage_prefix="q"),
        replace(PROFILE, longest=7),
    )
    assert len({fingerprint(profile, "content") for profile in (PROFILE, *others)} | {fingerprint(PROFILE, "other")}) == 7


def test_it_does_not_differ_for_a_name_or_a_floor() -> None:
    assert fingerprint(replace(PROFILE, name="x", floor=0.9), "content") == fingerprint(PROFILE, "content")


def test_a_file_that_changed_has_another_hash(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"one")
    before = content_hash(file, tmp_path / "memory")
    file.write_bytes(b"another")
    assert content_hash(file, tmp_path / "memory") != before


def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"one")
    before, seen = content_hash(file, tmp_path / "memory"), file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert content_hash(file, tmp_path / "memory") == before


@pytest.mark.parametrize("told", ["", "[]", '{"x": 1', "nonsense"])
def test_a_memory_that_is_damaged_is_made_anew(tmp_path: Path, told: str) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"one")
    (tmp_path / "hashes.json").write_text(told)
    assert content_hash(file, tmp_path) == content_hash(file, tmp_path)


def test_a_memory_that_cannot_be_written_costs_time_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"one")
    assert content_hash(file, file / "no folder") == content_hash(file, tmp_path / "memory")


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFailed, match=r"model\.onnx cannot be read"):
        content_hash(tmp_path / "model.onnx", tmp_path)
