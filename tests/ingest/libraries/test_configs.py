import pytest

from dowse.errors import InvalidRequest
from dowse.ingest.libraries.configs import Config, read_config


def test_our_own_names_are_read_from_toml_and_json() -> None:
    toml = b'title = "Rocket"\ndescription = "Flies."\nfolders = ["docs"]\nexclude_files = ["draft.md"]\nrules = ["Fuel first."]\n'
    expected = Config("Rocket", "Flies.", ("docs",), None, ("draft.md",), ("Fuel first.",))
    assert read_config("dowse.library.toml", toml) == expected
    json = b'{"title": "Rocket", "description": "Flies.", "folders": ["docs"], "exclude_files": ["draft.md"],'
    json += b' "rules": ["Fuel first."]}'
    assert read_config("dowse.library.json", json) == expected


def test_the_names_that_libraries_use_already_are_read_and_unknown_ones_are_theirs() -> None:
    data = b"""{"$schema": "x", "projectTitle": "Rocket", "excludeFolders": ["./old"], "excludeFiles": [],
        "rules": ["Fuel first."], "previousVersions": [{"tag": "v1.0", "title": "One"}], "branch": "main"}"""
    assert read_config("context7.json", data) == Config("Rocket", "", (), ("./old",), (), ("Fuel first.",), ("v1.0",))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("dowse.library.toml", b"title = ", "dowse.library.toml cannot be read"),
        ("dowse.library.json", b"[1]", "dowse.library.json must hold an object"),
        ("dowse.library.json", b'{"titel": "x"}', "Did you mean 'title'"),
        ("dowse.library.json", b'{"title": 3}', "dowse.library.json: title must be a text, not 3"),
        ("context7.json", b'{"excludeFolders": "old"}', "context7.json: excludeFolders must be a list of texts"),
        ("context7.json", b'{"previousVersions": [{"name": "v1"}]}', "previousVersions needs a 'tag'"),
        ("context7.json", b'{"folders": ["../secrets"]}', "folders has '../secrets', which leads out of the library"),
        ("context7.json", b"\xff\xfe", "cannot be read"),
    ],
)
def test_what_is_wrong_is_told_with_the_file_and_the_field(name: str, data: bytes, said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        read_config(name, data)
