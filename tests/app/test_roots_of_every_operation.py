"""Is any path read that lies outside the folders someone is confined to, or any address asked? Every operation that takes one."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from trying import ALL, Calls, Place, calls, made_in, markers, tried

import dowse
from dowse.app.operations import OPERATIONS, Type
from dowse.app.permissions import Capability, Principal
from dowse.app.workspace import Workspace
from dowse.errors import Forbidden

ADDRESSES = (
    "http://127.0.0.1:9/llms.txt",
    "llms:http://127.0.0.1:9/llms.txt",
    "https://127.0.0.1:9/a/b",
    "git:https://127.0.0.1:9/a/b",
    "git@127.0.0.1:a/b.git",
    "ssh://127.0.0.1/a/b",
    "file:///etc",
)
OUTSIDE: dict[str, Calls] = {
    "index": lambda place: ({"folder": path, "space": "new"} for path in ways_out(place, place.outside)),
    "import": lambda place: ({"path": path} for path in ways_out(place, place.lines)),
    "bench": lambda place: ({"file": path} for path in ways_out(place, place.questions)),
    "library_add": lambda place: (
        {"source": source}
        for path in ways_out(place, place.outside)
        for source in (path, f"file:{path}", f"git:{path}", f"npm:{path}", f"llms:{path}", f"archive:{path}", *ADDRESSES)
    ),
    "library_update": calls({"library": "/forged/kit"}, {"library": "/forged/address"}),
    "backup": lambda place: ({"path": path} for path in (*ways_out(place, place.outside), str(place.outside / "new.dowse"))),
    "restore_backup": lambda place: ({"path": path, "force": True} for path in ways_out(place, place.backup)),
    "model_use": lambda place: ({"model": model} for model in models_outside(place)),
    "search": lambda place: ({"query": "tide", "rescore": model} for model in models_outside(place)),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return made_in(tmp_path_factory.mktemp("roots"))


def ways_out(place: Place, target: Path) -> Iterator[str]:
    """The path itself, and ways to it that begin inside."""
    yield str(target)
    yield str(place.open / ".." / target.relative_to(place.open.parent))
    link = place.open / f"link-to-{target.name}"
    if not link.is_symlink():
        link.symlink_to(target)
    yield str(link)
    yield str(place.outside / "nothing-is-here")


def models_outside(place: Place) -> Iterator[str]:
    yield from (f"onnx:{path}" for path in ways_out(place, place.outside))
    yield "http://127.0.0.1:9/v1#model"
    yield "https://127.0.0.1:9/v1#model"


def test_every_operation_that_takes_a_path_is_tried_outside_the_roots() -> None:
    with_paths = {
        name for name, item in OPERATIONS.items() if any(each.type in (Type.INPUT, Type.FOLDER) for each in item.parameters)
    }
    assert with_paths | {"backup", "restore_backup"} <= OUTSIDE.keys()


@pytest.fixture
def confined(place: Place, tmp_path: Path) -> Iterator[Workspace]:
    """Someone who may do everything, but only with paths in one folder."""
    shutil.copy(place.workspace, tmp_path / "copy.dowse")
    with dowse.open(tmp_path / "copy.dowse") as owner:
        for name, origin in (("kit", f"file:{place.outside}"), ("address", "git:https://127.0.0.1:9/a/b")):
            owner.put(kind="library", key=f"/forged/{name}", title="Forged", facets={"origin": origin, "state": "indexed"})
        yield owner.acting_as(Principal("remote", ALL, roots=(place.open,)))


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_outside_the_roots_is_read_and_no_address_asked(place: Place, confined: Workspace, name: str) -> None:
    for given in OUTSIDE[name](place):
        told, error = tried(confined, name, given)
        assert isinstance(error, Forbidden), (given, told)
        # Where a library was read from stands in its record; what is there does not.
        assert markers(told) - {"zqoutsidefolder"} <= markers(given)


def test_an_update_of_all_libraries_leaves_out_those_that_may_not_be_read(confined: Workspace) -> None:
    errors = {done.library: done.error for done in confined.update_library()}
    assert "outside the folders" in errors["/forged/kit"]
    assert "nothing outside this machine" in errors["/forged/address"]


def test_paths_inside_the_roots_and_known_names_are_as_good_as_ever(place: Place, confined: Workspace) -> None:
    (place.open / "lines.jsonl").write_text(place.lines.read_text())
    assert confined.import_file(place.open / "lines.jsonl").records == 1
    assert confined.index(place.open).space == "open"
    assert confined.use_model("none").specification == "none"
    assert confined.add_library("pytest").library


def test_a_project_of_the_workspace_may_be_read_again_as_it_was_wherever_it_lies(place: Place, confined: Workspace) -> None:
    assert confined.index(place.vault).space == "vault"
    assert [done.space for done in confined.refresh()] == ["open", "vault"]
    with pytest.raises(Forbidden):
        confined.index(place.vault, excludes=())
    with pytest.raises(Forbidden):
        confined.index(place.vault, space="another")


def test_what_is_installed_lies_outside_every_folder_and_is_read_for_an_admin_alone(place: Place, tmp_path: Path) -> None:
    with dowse.open(tmp_path / "installed.dowse") as workspace:
        writer = workspace.acting_as(Principal("writer", ALL - {Capability.ADMIN}, roots=(place.open,)))
        with pytest.raises(Forbidden, match="lacks the capability Admin"):
            OPERATIONS["library_add"].perform(writer, {"source": "pypi:rich"})
        admin = workspace.acting_as(Principal("admin", ALL, roots=(place.open,)))
        assert OPERATIONS["library_add"].perform(admin, {"source": "pypi:rich"}).library == "/local/rich"
