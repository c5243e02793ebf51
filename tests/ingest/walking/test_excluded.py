"""What tools made, fetched or hid is left out by custom."""

from pathlib import Path

import pytest

from dowse.ingest.walking import Entry, Reason, Skipped, walk
from dowse.ingest.walking.excluded import excluded_file, excluded_folder, is_secret


@pytest.mark.parametrize(
    ("name", "beside", "reason"),
    [
        ("node_modules", "", Reason.VENDORED),
        ("third_party", "", Reason.VENDORED),
        ("__pycache__", "", Reason.GENERATED),
        (".idea", "", Reason.GENERATED),
        (".anything", "", Reason.HIDDEN),
        ("acme.egg-info", "", Reason.GENERATED),
        ("target", "Cargo.toml", Reason.GENERATED),
        ("target", "README.md", None),
        ("build", "package.json", Reason.GENERATED),
        ("build", "main.go", None),
        ("dist", "pyproject.toml", Reason.GENERATED),
        ("vendor", "go.mod", Reason.VENDORED),
        ("vendor", "main.py", None),
        ("obj", "Acme.csproj", Reason.GENERATED),
        ("coverage", "package.json", Reason.GENERATED),
        (".github", "", None),
        (".claude", "", None),
        ("src", "package.json", None),
    ],
)
def test_a_folder_is_left_out_where_its_name_means_so(tmp_path: Path, name: str, beside: str, reason: Reason | None) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.md").write_text("")
    if beside:
        (tmp_path / beside).write_text("")

    items = {item.path: item for item in walk(tmp_path, environment={})}

    if reason is None:
        assert isinstance(items[f"{name}/a.md"], Entry)
    else:
        skipped = items[f"{name}/"]
        assert isinstance(skipped, Skipped)
        assert skipped.reason is reason


def test_the_detail_says_what_gave_a_folder_away() -> None:
    assert excluded_folder("obj", {"Acme.csproj"}, {".csproj"}) == (Reason.GENERATED, "beside a .csproj")
    assert excluded_folder("vendor", {"go.mod"}, {".mod"}) == (Reason.VENDORED, "beside go.mod")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("package-lock.json", Reason.GENERATED),
        ("Cargo.lock", Reason.GENERATED),
        ("go.sum", Reason.GENERATED),
        ("app.min.js", Reason.MINIFIED),
        ("style.min.css", Reason.MINIFIED),
        ("app.js.map", Reason.GENERATED),
        ("api_pb2.py", Reason.GENERATED),
        ("api.pb.go", Reason.GENERATED),
        ("logo.PNG", Reason.BINARY),
        ("data.sqlite", Reason.BINARY),
        (".gitignore", Reason.HIDDEN),
        (".dowseignore", Reason.HIDDEN),
        (".editorconfig", None),
        (".gitlab-ci.yml", None),
        (".eslintrc.json", None),
        ("logo.svg", None),
        ("manual.pdf", None),
        ("zip", None),
        ("map.py", None),
    ],
)
def test_a_file_is_left_out_by_its_name(name: str, reason: Reason | None) -> None:
    exclusion = excluded_file(name)

    assert (exclusion[0] if exclusion else None) is reason


@pytest.mark.parametrize(
    "name", [".env", ".env.production", ".envrc", "id_rsa", "server.key", "cert.pem", ".npmrc", ".netrc", ".ssh"]
)
def test_names_that_secrets_are_kept_under_are_known(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize("name", ["environment.ts", "env.py", "id_rsa.pub", "keys.go", "secrets.md", ".environment"])
def test_names_that_only_speak_of_secrets_are_not(name: str) -> None:
    assert not is_secret(name)
