import json
from pathlib import Path
from typing import Any

import pytest
from making_models import make_model

from dowse.embed.locating import at_path, available, by_name, in_folder, models_folder
from dowse.embed.profiles import STRENGTH
from dowse.errors import EmbeddingFailed
from dowse.model.passage import Pooling


def placed(folder: Path, *names: str, **files: Any) -> Path:
    """Empty files under these names, and JSON under the others (two underscores are a slash)."""
    for name in (*names, *(key.replace("__", "/") + ".json" for key in files)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    for key, told in files.items():
        (folder / (key.replace("__", "/") + ".json")).write_text(json.dumps(told))
    return folder


def test_a_models_folder_can_be_named_outright() -> None:
    assert models_folder({"DOWSE_MODELS": "/some/where", "XDG_DATA_HOME": "/data"}) == Path("/some/where")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"HOME": "/home/me"}, "/home/me/.local/share/dowse/models"),
        ("linux", {"HOME": "/home/me", "XDG_DATA_HOME": "/data"}, "/data/dowse/models"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Application Support/dowse/models"),
        ("win32", {"HOME": "/me", "LOCALAPPDATA": "/me/Local"}, "/me/Local/dowse/models"),
    ],
)
def test_a_models_folder_lies_where_the_platform_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert models_folder(environment) == Path(folder)


@pytest.mark.parametrize("model", ["model.onnx", "model_quantized.onnx", "onnx/model.onnx", "onnx/model_int8.onnx"])
def test_a_model_is_found_under_the_names_it_has_on_the_hub(tmp_path: Path, model: str) -> None:
    assert at_path(placed(tmp_path, model, "tokenizer.json")).model == tmp_path / model


def test_small_integers_are_preferred_to_floats(tmp_path: Path) -> None:
    placed(tmp_path, "onnx/model.onnx", "onnx/model_int8.onnx", "tokenizer.json")
    assert at_path(tmp_path).model.name == "model_int8.onnx"


@pytest.mark.parametrize(("names", "missing"), [(("model.onnx",), "tokenizer.json"), (("tokenizer.json",), "model.onnx")])
def test_a_folder_that_lacks_a_file_is_told_which(tmp_path: Path, names: tuple[str, ...], missing: str) -> None:
    with pytest.raises(EmbeddingFailed, match=f"holds no {missing}"):
        at_path(placed(tmp_path, *names))


def test_what_sentence_transformers_wrote_is_kept_to(tmp_path: Path) -> None:
    placed(
        tmp_path / "mine",
        "model.onnx",
        tokenizer={},
        config={"hidden_size": 512, "max_position_embeddings": 8192},
        config_sentence_transformers={"prompts": {"query": "ask: ", "document": "tell: "}},
        sentence_bert_config={"max_seq_length": 256},
        **{"1_Pooling__config": {"pooling_mode_cls_token": True}},
    )
    profile = at_path(tmp_path / "mine").profile
    assert (profile.name, profile.dimension, profile.longest, profile.pooling) == ("mine", 512, 256, Pooling.FIRST)
    assert (profile.query_prefix, profile.passage_prefix) == ("ask: ", "tell: ")
    assert profile.strength == STRENGTH


def test_a_folder_with_a_known_name_is_used_like_the_known_model(tmp_path: Path) -> None:
    placed(tmp_path / "bge-small-en-v1.5", "onnx/model_quantized.onnx", "tokenizer.json")
    profile = at_path(tmp_path / "bge-small-en-v1.5").profile
    assert profile.pooling is Pooling.FIRST
    assert profile.query_prefix.startswith("Represent this sentence")


def test_a_folders_own_word_goes_before_everything(tmp_path: Path) -> None:
    placed(tmp_path / "bge-small-en-v1.5", "model.onnx", "tokenizer.json", dowse={"floor": 0.7, "pooling": "mean"})
    profile = at_path(tmp_path / "bge-small-en-v1.5").profile
    assert (profile.floor, profile.pooling) == (0.7, Pooling.MEAN)


@pytest.mark.parametrize("told", [{"pooling": "sideways"}, {"colour": "red"}])
def test_an_own_word_that_makes_no_sense_is_told_with_its_file(tmp_path: Path, told: dict[str, str]) -> None:
    with pytest.raises(EmbeddingFailed, match=r"dowse\.json says something no profile has"):
        at_path(placed(tmp_path, "model.onnx", "tokenizer.json", dowse=told))


def test_a_description_that_cannot_be_read_is_told_with_its_file(tmp_path: Path) -> None:
    (placed(tmp_path, "model.onnx", "tokenizer.json") / "config.json").write_text("{")
    with pytest.raises(EmbeddingFailed, match=r"config\.json cannot be read"):
        at_path(tmp_path)


def test_a_known_model_that_is_not_here_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFailed, match=r"dowse model add snowflake-arctic-embed-m-v2\.0"):
        by_name("Snowflake-Arctic-Embed-M-v2.0", {"DOWSE_MODELS": str(tmp_path)})


def test_a_name_nobody_knows_is_told_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFailed, match=r"no model 'nonsense'.*granite-embedding-30m-english"):
        by_name("nonsense", {"DOWSE_MODELS": str(tmp_path)})


def test_the_users_folder_goes_before_installed_packages(tmp_path: Path) -> None:
    make_model(tmp_path / "all-MiniLM-L6-v2")
    assert by_name("all-MiniLM-L6-v2", {"DOWSE_MODELS": str(tmp_path)}).model.is_relative_to(tmp_path)


def test_the_list_tells_what_is_here_and_what_could_be(tmp_path: Path) -> None:
    make_model(tmp_path / "granite-embedding-30m-english")
    make_model(tmp_path / "my-own")
    (tmp_path / "empty").mkdir()
    lines = {line.name: line for line in available({"DOWSE_MODELS": str(tmp_path)})}
    assert lines["granite-embedding-30m-english"].where == str(tmp_path / "granite-embedding-30m-english")
    assert lines["my-own"].bytes == (tmp_path / "my-own" / "model.onnx").stat().st_size
    assert (lines["bge-base-en-v1.5"].where, lines["bge-base-en-v1.5"].licence) == ("", "MIT")
    assert "empty" not in lines


def test_the_list_needs_no_folder(tmp_path: Path) -> None:
    assert available({"DOWSE_MODELS": str(tmp_path / "none")})


def test_a_folder_without_a_model_has_none(tmp_path: Path) -> None:
    assert in_folder(tmp_path) is None
