from pathlib import Path

import pytest
from making_libraries import GUIDE, git, repository

from dowse.errors import NotFound, StorageError
from dowse.ingest.libraries.material import Material
from dowse.ingest.libraries.repositories import Wanted
from dowse.ingest.libraries.repositories import repository as opened


def rocket(tmp_path: Path) -> Path:
    return repository(
        tmp_path / "rocket",
        ("v1.0", {"README.md": GUIDE, "docs/old.md": "# Old\n\nThis is old news by now.\n"}),
        ("v1.10", {"docs/new.md": "# New\n\nThis is new to everyone.\n"}),
        ("", {"docs/next.md": "# Next\n\nThis is not released yet.\n"}),
    )


def paths(material: Material) -> dict[str, list[str]]:
    return {edition.version: [file.path for file in edition.files] for edition in material.editions}


def test_without_versions_it_is_what_was_committed_last_and_nothing_else(tmp_path: Path) -> None:
    place = rocket(tmp_path)
    (place / "docs" / "uncommitted.md").write_text("# No\n")
    with opened(str(place), Wanted()) as material:
        assert paths(material) == {"": ["README.md", "docs/new.md", "docs/next.md", "docs/old.md"]}
        assert material.editions[0].files[0].load() == GUIDE.encode()
        assert (material.owner, material.name, material.source) == ("local", "rocket", "local")


def test_tags_are_versions_and_share_the_digests_of_unchanged_files(tmp_path: Path) -> None:
    with opened(str(rocket(tmp_path)), Wanted(tags=("1.0", "v1.10"))) as material:
        assert [edition.version for edition in material.editions] == ["v1.10", "v1.0"]
        newer, older = ({file.path: file.digest for file in edition.files} for edition in material.editions)
        assert older.items() < newer.items()


def test_the_newest_are_told_by_their_numbers(tmp_path: Path) -> None:
    with opened(str(rocket(tmp_path)), Wanted(newest=1)) as material:
        assert list(paths(material)) == ["v1.10"]


def test_a_bare_repository_and_an_address_read_alike(tmp_path: Path) -> None:
    place = rocket(tmp_path)
    git(tmp_path, "clone", "--quiet", "--bare", str(place), "bare.git")
    with opened(str(tmp_path / "bare.git"), Wanted(newest=2)) as bare, opened(f"file://{place}", Wanted(newest=2)) as fetched:
        assert paths(bare) == paths(fetched)
        assert bare.editions[0].files[0].load() == fetched.editions[0].files[0].load()


def test_nothing_is_checked_out_and_no_hook_runs(tmp_path: Path) -> None:
    place = rocket(tmp_path)
    for name in ("post-checkout", "post-merge", "reference-transaction"):
        hook = place / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        hook.chmod(0o755)
    before = sorted(path.name for path in place.iterdir())
    for address in (str(place), f"file://{place}"):
        with opened(address, Wanted(newest=2)) as material:
            material.editions[0].files[0].load()
    assert sorted(path.name for path in place.iterdir()) == before
    assert not (tmp_path / "ran").exists()


def test_the_librarys_own_config_chooses_files_versions_and_words(tmp_path: Path) -> None:
    config = '{"projectTitle": "The Rocket", "excludeFiles": ["old.md"], "rules": ["Fuel first."],'
    config += '"previousVersions": [{"tag": "v1.0"}]}'
    place = rocket(tmp_path)
    (place / "context7.json").write_text(config)
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "--message", "config")
    for address in (str(place), f"file://{place}"):
        with opened(address, Wanted()) as material:
            assert (material.title, material.rules) == ("The Rocket", ("Fuel first.",))
            assert paths(material) == {"": ["README.md", "docs/new.md", "docs/next.md"], "v1.0": ["README.md"]}


def test_links_and_submodules_are_no_files(tmp_path: Path) -> None:
    place = rocket(tmp_path)
    (place / "docs" / "link.md").symlink_to("/etc/hostname")
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "--message", "link")
    with opened(str(place), Wanted()) as material:
        assert "docs/link.md" not in paths(material)[""]


def test_the_owner_is_that_of_the_address_it_was_cloned_from(tmp_path: Path) -> None:
    place = rocket(tmp_path)
    git(place, "remote", "add", "origin", "git@github.com:Acme/Rocket.git")
    with opened(str(place), Wanted()) as material:
        assert (material.owner, material.name, material.source) == ("acme", "rocket", "github")


def test_an_unknown_tag_and_an_address_that_leads_nowhere_are_told(tmp_path: Path) -> None:
    place = rocket(tmp_path)
    with pytest.raises(NotFound, match=r"has no tag 'v9'; its newest are v1\.10, v1\.0"), opened(str(place), Wanted(tags=("v9",))):
        pass
    with pytest.raises(NotFound, match=r"nowhere cannot be read: .*"), opened(f"file://{tmp_path}/nowhere", Wanted()):
        pass


def test_a_missing_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = rocket(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StorageError, match="install git"), opened(str(place), Wanted()):
        pass
