from pathlib import Path

import pytest

from dowse.embed.installed import of_known, of_package
from dowse.embed.profiles import known, named
from dowse.errors import EmbeddingFailed


def install(site: Path, name: str, *files: str) -> None:
    """A package as installers leave it: its files and the list of them."""
    for file in files:
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).touch()
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "RECORD").write_text("".join(f"{file},,\n" for file in files))


def test_a_model_that_packages_of_the_test_group_bring_is_found() -> None:
    model = named("all-MiniLM-L6-v2")
    assert model is not None
    files = of_known(model)
    assert files is not None
    assert files.model.stat().st_size > 20_000_000
    assert files.tokenizer.name == "tokenizer.json"


def test_a_model_no_package_brings_is_not_found() -> None:
    assert [of_known(model) for model in known() if not model.package] == [None] * sum(not model.package for model in known())


def test_the_model_of_any_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "carrier-of-one", "carrier/data/model.onnx", "carrier/data/tokenizer.json", "carrier/other.onnx")
    monkeypatch.syspath_prepend(tmp_path)
    files = of_package("carrier-of-one")
    assert files.model == tmp_path / "carrier/data/model.onnx"
    assert files.tokenizer == tmp_path / "carrier/data/tokenizer.json"


def test_a_package_with_several_models_is_told_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "carrier-of-two", *(f"two/{name}/{file}" for name in "ab" for file in ("m.onnx", "tokenizer.json")))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EmbeddingFailed, match=r"more than one model: two/a/m\.onnx, two/b/m\.onnx"):
        of_package("carrier-of-two")


def test_a_package_without_a_model_is_told() -> None:
    with pytest.raises(EmbeddingFailed, match="numpy holds no model"):
        of_package("numpy")


def test_a_package_that_is_not_installed_is_told() -> None:
    with pytest.raises(EmbeddingFailed, match="not-a-package is not installed"):
        of_package("not-a-package")
