"""Does the doctor name what is wrong with a file, whatever happened to it, and does a repair lose nothing that can be read?"""

import random
import shutil
from pathlib import Path

import apsw
import pytest
from damaging import DAMAGES, PAGE, digest, execute, make, overwrite, pages_of

import dowse
from dowse.app.opening import open_for_care
from dowse.errors import DowseError, NewerWorkspace, NotAWorkspace, NotFound
from dowse.ports import Finding


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "sound.dowse"
    make(path)
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "test.dowse"))


def faults(path: Path) -> dict[str, Finding]:
    with open_for_care(path) as workspace:
        return {finding.name: finding for finding in workspace.doctor() if not finding.ok}


def repaired(path: Path) -> dict[str, Finding]:
    with open_for_care(path) as workspace:
        # What was found before comes first, and is what is asked about here.
        found = {finding.name: finding for finding in reversed(workspace.repair())}
    assert faults(path) == {}
    return found


def test_a_sound_workspace_has_no_fault(path: Path) -> None:
    assert faults(path) == {}


@pytest.mark.parametrize("table", ["words", "alternates", "names", "vocabulary", "contains", "columns"])
def test_a_missing_lane_table_is_named_and_made_again(path: Path, sound: Path, table: str) -> None:
    execute(path, f"drop table lane1_{table}")
    assert f"lane1_{table}" in faults(path)["index"].detail
    repaired(path)
    assert digest(path) == digest(sound)


def test_a_lane_whose_inner_table_is_gone_is_made_again(path: Path, sound: Path) -> None:
    execute(path, "drop table lane1_words_data")
    assert faults(path)
    repaired(path)
    assert digest(path) == digest(sound)


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("delete from lane1_words where rowid % 3 = 0", "lane words"),
        ("delete from lane1_names where rowid = 7", "lane names"),
        ("update lane1_columns set data = zeroblob(length(data))", "columns"),
        ('update record set fields = \'{"content":"written past the index"}\'', "content"),
        ("delete from meta where name = 'lanes'", "index"),
        ("update meta set value = 'another' where name = 'fingerprint'", "index"),
        ("create table lane9_words (a)", "left over"),
        ("delete from vector", "vectors"),
        ("update sketch set data = zeroblob(9)", "vectors"),
        ("delete from passage where id % 2", "passages"),
    ],
)
def test_what_is_derived_and_wrong_is_named_and_made_again(path: Path, sql: str, name: str) -> None:
    execute(path, sql)
    before = digest(path)
    if name != "index":
        assert name in faults(path)
    repaired(path)
    assert digest(path) == before


def test_vectors_of_another_model_are_made_again_by_the_model_in_use(path: Path) -> None:
    execute(path, "update meta set value = json_set(value, '$.fingerprint', 'another') where name = 'model'")
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="new", title="A new one")
        workspace.embed()
        assert all(finding.ok for finding in workspace.doctor())
        assert workspace.status().embedding.waiting == 0


@pytest.mark.parametrize("table", ["record", "edge", "tag", "sqlite_autoindex_record_1", "record_title", "edge_target"])
def test_a_damaged_page_of_the_truth_costs_at_most_what_was_on_it(path: Path, table: str) -> None:
    page = pages_of(path, table)[1 if len(pages_of(path, table)) > 2 else 0]
    held = _records_on(path, page) if table == "record" else set()
    overwrite(path, page)
    damaged = path.read_bytes()
    assert "file" in faults(path)
    found = repaired(path)
    kept = Path(found["kept"].detail.removeprefix("the file as it was is at "))
    assert kept.read_bytes()[PAGE:] == damaged[PAGE:]
    with dowse.open(path) as workspace:
        left = {record.key for record in workspace.list(limit=1000).records}
        assert left == {f"p{number}" for number in range(300)} - held
        assert all(key in found["saved"].detail for key in held)
        shown = workspace.get("p1")
        assert (shown.tags, shown.version, shown.updated) == (("t1",), 1, 2.0)
        assert workspace.search("tide 250").hits[0].record.key == "p250"
        assert len(workspace.neighbours("p250")) == 2


def _records_on(path: Path, page: int) -> set[str]:
    """The keys of the rows that lie on a page, as found by taking it away."""
    spare = path.with_name("spare.dowse")
    shutil.copy(path, spare)
    overwrite(spare, page, bytes(PAGE))
    connection = apsw.Connection(str(spare))
    gone = set()
    for number in range(300):
        try:
            if not list(connection.execute("select title from record where id = ?", (number + 1,))):
                gone.add(f"p{number}")
        except apsw.CorruptError:
            gone.add(f"p{number}")
    connection.close()
    spare.unlink()
    assert 0 < len(gone) < 100
    return gone


def test_a_letter_of_a_text_that_changed_by_itself_is_named_and_not_forgotten_by_a_repair(path: Path) -> None:
    _change_a_letter(path, "record")
    assert "p123" in faults(path)["records"].detail
    found = repaired(path)["records"]
    assert (found.ok, "p123" in found.detail) == (False, True)


def test_a_letter_that_changed_in_an_index_of_the_truth_is_named_and_costs_nothing(path: Path, sound: Path) -> None:
    _change_a_letter(path, "record_title")
    assert "record_title" in faults(path)["file"].detail
    repaired(path)
    assert digest(path) == digest(sound)


def _change_a_letter(path: Path, table: str) -> None:
    """Wherever it stands: a page may hold what is left of a row that was moved to another."""
    data = bytearray(path.read_bytes())
    places = [data.find(b"Tide 123", (page - 1) * PAGE, page * PAGE) for page in pages_of(path, table)]
    assert max(places) >= 0, f"nothing of this text is in {table}"
    for at in places:
        if at >= 0:
            data[at + 3] ^= 1
    path.write_bytes(data)


def test_a_header_that_changed_is_mended(path: Path, sound: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"sqlite")
    assert "not a dowse workspace" in faults(path)["file"].detail
    repaired(path)
    assert digest(path) == digest(sound)


def test_a_file_that_was_cut_is_named_and_what_is_left_is_saved(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 3 // 4])
    assert "damaged" in faults(path)["file"].detail
    found = repaired(path)
    assert "records and" in found["saved"].detail


def test_a_file_that_was_cut_to_nothing_is_named_and_a_backup_takes_its_place(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.dowse"
    with dowse.open(path) as workspace:
        workspace.backup(kept)
    sound = digest(path)
    path.write_bytes(b"")
    assert "is empty" in faults(path)["file"].detail
    with open_for_care(path) as workspace:
        with pytest.raises(NotAWorkspace, match="is empty"):
            workspace.repair()
        assert path.read_bytes() == b""
        workspace.restore_backup(kept, force=True)
    assert digest(path) == sound
    assert faults(path) == {}


def test_a_foreign_database_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    execute(path, "create table bird (name); insert into bird values ('bittern')")
    before = path.read_bytes()
    assert "but not a dowse workspace" in faults(path)["file"].detail
    with open_for_care(path) as workspace, pytest.raises(NotAWorkspace, match="not a dowse workspace"):
        workspace.repair()
    assert path.read_bytes() == before


def test_a_file_of_another_kind_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 1000)
    assert "some other kind of file" in faults(path)["file"].detail
    with open_for_care(path) as workspace, pytest.raises(NotAWorkspace):
        workspace.repair()
    assert path.read_text() == "Dear reader, " * 1000


def test_a_workspace_of_a_newer_version_is_named_and_left_alone(path: Path) -> None:
    execute(path, "pragma user_version = 99")
    before = path.read_bytes()
    assert faults(path)["file"].repair == "upgrade dowse"
    with open_for_care(path) as workspace, pytest.raises(NewerWorkspace):
        workspace.repair()
    assert path.read_bytes() == before


def test_a_workspace_that_is_not_there_is_not_made_by_the_doctor(tmp_path: Path) -> None:
    with open_for_care(tmp_path / "none.dowse") as workspace, pytest.raises(NotFound, match="There is no workspace"):
        workspace.doctor()
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_was_taken_away_is_named(path: Path, tmp_path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="last", title="The last one")
        # As a killed process leaves it, and as someone tidies up after it.
        left = tmp_path / "left.dowse"
        shutil.copy(path, left)
        shutil.copy(f"{path}-shm", f"{left}-shm")
    assert "taken away" in faults(left)["log"].detail
    assert faults(left) == {}


def test_a_missing_shared_memory_file_costs_nothing(path: Path, tmp_path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="last", title="The last one")
        left = tmp_path / "left.dowse"
        shutil.copy(path, left)
        shutil.copy(f"{path}-wal", f"{left}-wal")
    assert faults(left) == {}
    with dowse.open(left) as workspace:
        assert workspace.get("last").title == "The last one"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", DAMAGES)
def test_whatever_happened_to_the_bytes_nothing_but_our_own_errors_comes_out(path: Path, kind: str, seed: int) -> None:
    rng = random.Random(f"{kind} {seed}")
    path.write_bytes(DAMAGES[kind](rng, bytearray(path.read_bytes())))
    with open_for_care(path) as workspace:
        found = [finding for finding in workspace.doctor() if not finding.ok]
        try:
            workspace.repair()
        except DowseError:
            assert found
            return
    assert faults(path) == {}
