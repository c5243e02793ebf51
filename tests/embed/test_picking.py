import subprocess
import sys
from pathlib import Path

import pytest
from making_models import PIECES, make_model

from dowse.embed.endpoint import EndpointEmbedder
from dowse.embed.paired import PairedEmbedder
from dowse.embed.picking import DEFAULT, pick
from dowse.embed.static import StaticEmbedder
from dowse.errors import EmbeddingFailed

OURS = StaticEmbedder().profile.dimension


def test_the_default_comes_with_the_package() -> None:
    assert isinstance(pick(DEFAULT), StaticEmbedder)


def test_none_is_none() -> None:
    assert pick("none") is None


def test_a_folder_is_meant_by_its_path(tmp_path: Path) -> None:
    embedder = pick(f"onnx:{make_model(tmp_path / 'mine')}", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    assert embedder.profile.name.startswith("mine + ")
    assert embedder.embed(["red"]).any()


def test_a_model_is_meant_by_its_name(tmp_path: Path) -> None:
    make_model(tmp_path / "granite-embedding-30m-english", dimension=8)
    embedder = pick("onnx:granite-embedding-30m-english", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    assert embedder.embed(["red"]).shape == (1, 8 + OURS)


def test_a_model_of_the_users_own_is_meant_by_its_folders_name(tmp_path: Path) -> None:
    make_model(tmp_path / "my-own")
    embedder = pick("onnx:my-own", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    assert embedder.profile.dimension == 8 + OURS


def test_a_package_is_meant_by_its_name(tmp_path: Path) -> None:
    embedder = pick("onnx:package:numpy", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    with pytest.raises(EmbeddingFailed, match="numpy holds no model"):
        embedder.embed(["red"])


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_address_is_an_endpoint(scheme: str) -> None:
    embedder = pick(f"{scheme}://localhost:11434/v1#nomic-embed-text")
    assert isinstance(embedder, PairedEmbedder)
    assert isinstance(embedder.chosen, EndpointEmbedder)


def test_what_is_missing_is_told_at_first_use_and_not_before(tmp_path: Path) -> None:
    embedder = pick("onnx:bge-base-en-v1.5", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    with pytest.raises(EmbeddingFailed, match=r"dowse model add bge-base-en-v1\.5"):
        embedder.embed(["red"])


@pytest.mark.parametrize("spec", ["", "onnx", "onnx:", "Static ", "openai", "ftp://host/v1#m"])
def test_anything_else_is_told_with_what_there_is(spec: str) -> None:
    with pytest.raises(EmbeddingFailed, match="it is static, none, onnx:NAME"):
        pick(spec)


def test_beside_another_model_stands_the_one_in_the_package(tmp_path: Path) -> None:
    # To this model everything is alike; what the package knows tells a question's answer from the rest.
    same = [[1.0, 0.0]] * len(PIECES)
    embedder = pick(f"onnx:{make_model(tmp_path / 'mine', table=same)}", {"DOWSE_MODELS": str(tmp_path)})
    assert embedder is not None
    (asked,) = embedder.embed(["how is a red button clicked"], query=True)
    answer, other = embedder.embed(["clicking red buttons", "red tables in a database"])
    assert asked @ answer > asked @ other + 0.02


def test_picking_loads_no_runtime(tmp_path: Path) -> None:
    program = "import sys; from dowse.embed.picking import pick; pick(sys.argv[1]); print('onnxruntime' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program, f"onnx:{tmp_path}"], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
