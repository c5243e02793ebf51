import hashlib
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from making_models import make_model
from serving_vectors import Answer, Asked, serving

from dowse.embed.downloading import download
from dowse.embed.locating import by_name
from dowse.errors import EmbeddingFailed

NAME = "snowflake-arctic-embed-xs"
FILES = "/Snowflake/snowflake-arctic-embed-xs/resolve/main/"
MODEL = bytes(range(256)) * 4096
TOKENIZER = b'{"version": "1.0"}'


class Hub:
    """As much of the hub as a download sees: small files lie on it, for large ones it sends to another place."""

    def __init__(self) -> None:
        self.files = {"tokenizer.json": TOKENIZER, "onnx/model_int8.onnx": MODEL}
        self.announced = {name: hashlib.sha256(content).hexdigest() for name, content in self.files.items()}
        self.asked: list[tuple[str, str]] = []
        self.cut: int | None = None
        self.resumes = True
        self.address = ""

    def answer(self, asked: Asked) -> Answer:
        self.asked.append((asked.path, asked.headers.get("range", "")))
        name = asked.path.removeprefix(FILES).removeprefix("/elsewhere/")
        if name not in self.files or not asked.path.startswith((FILES, "/elsewhere/")):
            return Answer(404)
        if name.endswith(".onnx") and asked.path.startswith(FILES):
            headers = {"Location": f"/elsewhere/{name}", "X-Linked-ETag": f'"{self.announced[name]}"'}
            return Answer(302, b"", headers)
        return self._content(name, asked.headers.get("range", ""))

    def _content(self, name: str, wanted: str) -> Answer:
        content = self.files[name]
        tag = {"ETag": '"of the other place"'} if name.endswith(".onnx") else {"ETag": f'"{self.announced[name]}"'}
        cut = self.cut if name.endswith(".onnx") else None
        if not (wanted and self.resumes):
            return Answer(200, content, tag, cut)
        begin = int(wanted.removeprefix("bytes=").rstrip("-"))
        if begin >= len(content):
            return Answer(416, b"", {"Content-Range": f"bytes */{len(content)}"})
        return Answer(206, content[begin:], {**tag, "Content-Range": f"bytes {begin}-{len(content) - 1}/{len(content)}"}, cut)


@pytest.fixture
def hub() -> Iterator[Hub]:
    made = Hub()
    with serving(made.answer) as made.address:
        yield made


def test_a_model_comes_whole_and_under_the_names_it_is_looked_for(hub: Hub, tmp_path: Path) -> None:
    folder = download(NAME, tmp_path, base_url=hub.address)
    assert folder == tmp_path / NAME
    assert sorted(path.name for path in folder.iterdir()) == ["model.onnx", "tokenizer.json"]
    assert (folder / "model.onnx").read_bytes() == MODEL


def test_a_downloaded_model_is_found_by_its_name(hub: Hub, tmp_path: Path) -> None:
    real = make_model(tmp_path / "real")
    hub.files = {
        "tokenizer.json": (real / "tokenizer.json").read_bytes(),
        "onnx/model_int8.onnx": (real / "model.onnx").read_bytes(),
    }
    hub.announced = {name: hashlib.sha256(content).hexdigest() for name, content in hub.files.items()}
    here = {"DOWSE_MODELS": str(tmp_path / "models"), "DOWSE_HUB": hub.address}
    download(NAME, environment=here)
    assert by_name(NAME, here).model == tmp_path / "models" / NAME / "model.onnx"


def test_progress_goes_to_the_end(hub: Hub, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    download(NAME, tmp_path, lambda done, total: seen.append((done, total)), base_url=hub.address)
    of_the_model = [done for done, total in seen if total == len(MODEL)]
    assert of_the_model[0] == 0
    assert of_the_model[-1] == len(MODEL)
    assert of_the_model == sorted(of_the_model)


def test_what_is_there_is_not_fetched_again(hub: Hub, tmp_path: Path) -> None:
    download(NAME, tmp_path, base_url=hub.address)
    hub.asked.clear()
    download(NAME, tmp_path, base_url=hub.address)
    assert hub.asked == []


def test_a_cut_connection_is_told_and_the_next_try_goes_on_from_there(hub: Hub, tmp_path: Path) -> None:
    hub.cut = 300_000
    with pytest.raises(EmbeddingFailed, match=r"300000 of 1048576 bytes.*goes on from there"):
        download(NAME, tmp_path, base_url=hub.address)
    assert not (tmp_path / NAME / "model.onnx").exists()
    hub.cut = None
    seen: list[int] = []
    download(NAME, tmp_path, lambda done, _total: seen.append(done), base_url=hub.address)
    assert hub.asked[-1] == ("/elsewhere/onnx/model_int8.onnx", "bytes=300000-")
    assert seen[0] == 300_000
    assert (tmp_path / NAME / "model.onnx").read_bytes() == MODEL


def test_a_hub_that_cannot_resume_gives_the_file_from_its_beginning(hub: Hub, tmp_path: Path) -> None:
    hub.cut = 300_000
    with pytest.raises(EmbeddingFailed):
        download(NAME, tmp_path, base_url=hub.address)
    hub.cut, hub.resumes = None, False
    assert (download(NAME, tmp_path, base_url=hub.address) / "model.onnx").read_bytes() == MODEL


def test_a_part_that_is_whole_already_is_put_in_place(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "model.onnx.part").write_bytes(MODEL)
    assert (download(NAME, tmp_path, base_url=hub.address) / "model.onnx").read_bytes() == MODEL


def test_a_part_that_is_too_long_is_thrown_away(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "model.onnx.part").write_bytes(MODEL + b"more")
    assert (download(NAME, tmp_path, base_url=hub.address) / "model.onnx").read_bytes() == MODEL


def test_a_wrong_checksum_is_told_and_leaves_nothing_behind(hub: Hub, tmp_path: Path) -> None:
    hub.announced["onnx/model_int8.onnx"] = "0" * 64
    with pytest.raises(EmbeddingFailed, match="not what the hub announced"):
        download(NAME, tmp_path, base_url=hub.address)
    assert [path.name for path in (tmp_path / NAME).iterdir()] == ["tokenizer.json"]


def test_a_part_of_another_version_is_noticed(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "model.onnx.part").write_bytes(b"of another version")
    with pytest.raises(EmbeddingFailed, match="not what the hub announced"):
        download(NAME, tmp_path, base_url=hub.address)
    assert (download(NAME, tmp_path, base_url=hub.address) / "model.onnx").read_bytes() == MODEL


def test_small_files_are_checked_by_the_name_git_gives_them(hub: Hub, tmp_path: Path) -> None:
    hub.announced["tokenizer.json"] = hashlib.sha1(b"blob 18\0" + TOKENIZER).hexdigest()
    download(NAME, tmp_path / "one", base_url=hub.address)
    hub.announced["tokenizer.json"] = "0" * 40
    with pytest.raises(EmbeddingFailed, match="not what the hub announced"):
        download(NAME, tmp_path / "other", base_url=hub.address)


def test_a_file_the_hub_does_not_have_is_told_with_its_address(hub: Hub, tmp_path: Path) -> None:
    del hub.files["onnx/model_int8.onnx"]
    with pytest.raises(EmbeddingFailed, match=r"there is no http.*model_int8\.onnx.*404"):
        download(NAME, tmp_path, base_url=hub.address)


def test_being_offline_is_told(hub: Hub, tmp_path: Path) -> None:
    with serving(hub.answer) as gone:
        pass
    with pytest.raises(EmbeddingFailed, match=r"127\.0\.0\.1 cannot be reached"):
        download(NAME, tmp_path, base_url=gone)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_that_takes_no_more_is_told_and_the_next_try_goes_on(hub: Hub, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, before[1]))
    try:
        with pytest.raises(EmbeddingFailed, match="cannot write to"):
            download(NAME, tmp_path, base_url=hub.address)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (download(NAME, tmp_path, base_url=hub.address) / "model.onnx").read_bytes() == MODEL


def test_a_folder_nobody_may_write_is_told(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddingFailed, match="cannot write to"):
        download(NAME, tmp_path / "file", base_url=hub.address)


def test_an_unknown_name_is_told_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFailed, match="no known model 'nonsense'; known are all-MiniLM-L6-v2, "):
        download("nonsense", tmp_path)


def test_a_hub_must_be_reached_over_http(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFailed, match="is no hub"):
        download(NAME, tmp_path, base_url="file:///etc")
