import subprocess
import sys
from pathlib import Path

import pytest
from making_models import make_model

from dowse.embed.endpoint import EndpointEmbedder
from dowse.embed.picking import DEFAULT, pick
from dowse.embed.static import StaticEmbedder
from dowse.errors import EmbeddingFailed


def test_the_default_comes_with_the_package() -> None:
    assert isinstance(pick(DEFAULT), StaticEmbedder)


def test_none_is_none() -> None:
    assert pick("none") is None


def test_a_folder_is_meant_by_its_path(tmp_path: Path) -> None:
    embedder = pick(f"onnx:{make_model(tmp_path / 'mine')}", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    assert embedder.profile.name == "mine"
    assert embedder.embed(["red"]).any()


def test_a_model_is_meant_by_its_name(tmp_path: Path) -> None:
    make_model(tmp_path / "granite-embedding-30m-english", dimension=8)
    embedder = pick("onnx:granite-embedding-30m-english", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    assert embedder.embed(["red"]).shape == (1, 8)


def test_a_model_of_the_users_own_is_meant_by_its_folders_name(tmp_path: Path) -> None:
    make_model(tmp_path / "my-own")
    embedder = pick("onnx:my-own", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    assert embedder.profile.dimension == 8


def test_a_package_is_meant_by_its_name(tmp_path: Path) -> None:
    embedder = pick("onnx:package:numpy", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    with pytest.raises(EmbeddingFailed, match="numpy holds no model"):
        embedder.embed(["red"])


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_address_is_an_endpoint(scheme: str) -> None:
    assert isinstance(pick(f"{scheme}://localhost:11434/v1#nomic-embed-text"), EndpointEmbedder)


def test_what_is_missing_is_told_at_first_use_and_not_before(tmp_path: Path) -> None:
    embedder = pick("onnx:bge-base-en-v1.5", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    with pytest.raises(EmbeddingFailed, match=r"dowse model add bge-base-en-v1\.5"):
        embedder.embed(["red"])


@pytest.mark.parametrize("spec", ["", "onnx", "onnx:", "Static ", "openai", "ftp://host/v1#m"])
def test_anything_else_is_told_with_what_there_is(spec: str) -> None:
    with pytest.raises(EmbeddingFailed, match="it is static, none, onnx:NAME"):
        pick(spec)


def test_picking_loads_no_runtime(tmp_path: Path) -> None:
    program = "import sys; from dowse.embed.picking import pick; pick(sys.argv[1]); print('onnxruntime' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program, f"onnx:{tmp_path}"], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
