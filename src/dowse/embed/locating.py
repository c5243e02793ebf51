"""Where do the files of a model lie, and how is it used? In a folder, under a name of ours, or inside an installed package."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dowse.embed import installed
from dowse.embed.profiles import FLOOR, STRENGTH, KnownModel, known, named
from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass
from dowse.model.passage import Pooling, Profile

FOLDER_VARIABLE = "DOWSE_MODELS"

# Which file of a folder is the model, best first: names under which the hub offers versions. Small integers before floats: on a
# processor they were 1.4 to 1.5 times as fast.
MODELS = (
    "model_int8.onnx",
    "model_quantized.onnx",
    "model.onnx",
    "onnx/model_int8.onnx",
    "onnx/model_quantized.onnx",
    "onnx/model.onnx",
)
TOKENIZERS = ("tokenizer.json", "onnx/tokenizer.json")

# A folder's own word on how its model is used; it goes before everything else that lies there.
OWN_WORD = "dowse.json"


@dataclass(frozen=True, slots=True)
class Located:
    """A model that is here: its two files and how it is used. The profile's dimension is 0 where only the model itself can tell."""

    model: Path
    tokenizer: Path
    profile: Profile


@dataclass(frozen=True, slots=True)
class Available:
    """A line of the list of models. ``where`` is empty for a model that would have to be downloaded."""

    name: str
    where: str
    bytes: int
    licence: str


def models_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a user's models live, by the customs of the platform."""
    if named_outright := environment.get(FOLDER_VARIABLE):
        return Path(named_outright)
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData/Local") / "dowse/models"
    if sys.platform == "darwin":
        return home / "Library/Application Support/dowse/models"
    return Path(environment.get("XDG_DATA_HOME") or home / ".local/share") / "dowse/models"


def in_folder(folder: Path, profile: Profile | None = None) -> Located | None:
    """The model in a folder, used as ``profile`` says or else as the files beside it do; None if there is none."""
    model = next((folder / name for name in MODELS if (folder / name).is_file()), None)
    tokenizer = next((folder / name for name in TOKENIZERS if (folder / name).is_file()), None)
    if model is None or tokenizer is None:
        return None
    return Located(model, tokenizer, _told(folder, profile or _described(folder)))


def at_path(path: Path) -> Located:
    """The model a user pointed at."""
    if found := in_folder(path):
        return found
    if not path.is_dir():
        raise EmbeddingFailed(f"there is no folder {path}; a model is a folder with model.onnx and tokenizer.json")
    missing = "tokenizer.json" if any((path / name).is_file() for name in MODELS) else "model.onnx"
    raise EmbeddingFailed(f"the folder {path} holds no {missing}; a model is a folder with model.onnx and tokenizer.json")


def by_name(name: str, environment: Mapping[str, str] = os.environ) -> Located:
    """The model of that name: from the user's folder, else from an installed package."""
    model = named(name)
    profile = model.profile if model else None
    if found := in_folder(models_folder(environment) / (model.name if model else name), profile):
        return found
    if model and (files := installed.of_known(model)):
        return Located(files.model, files.tokenizer, model.profile)
    if model:
        raise EmbeddingFailed(f"the model {model.name} is not here; get it with: dowse model add {model.name}")
    names = ", ".join(each.name for each in known())
    raise EmbeddingFailed(f"there is no model {name!r}, neither a folder nor a known name ({names})")


def in_package(package: str) -> Located:
    """The model inside an installed package, whatever package that is."""
    files = installed.of_package(package)
    return Located(files.model, files.tokenizer, _told(files.model.parent, _described(files.model.parent, package)))


def available(environment: Mapping[str, str] = os.environ) -> tuple[Available, ...]:
    """Every model that could be used: those that are here with where they are, and the known ones that are not."""
    folder = models_folder(environment)
    own = sorted(each.name for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []
    others = [name for name in own if not named(name) and in_folder(folder / name)]
    return (*(_line(model, folder) for model in known()), *(_unknown(folder / name) for name in others))


def _line(model: KnownModel, folder: Path) -> Available:
    if found := in_folder(folder / model.name, model.profile):
        return Available(model.name, str(folder / model.name), found.model.stat().st_size, model.licence)
    if files := installed.of_known(model):
        return Available(model.name, f"package {model.package}", files.model.stat().st_size, model.licence)
    return Available(model.name, "", model.bytes, model.licence)


def _unknown(folder: Path) -> Available:
    model = next(folder / name for name in MODELS if (folder / name).is_file())
    return Available(folder.name, str(folder), model.stat().st_size, "")


def _described(folder: Path, name: str = "") -> Profile:
    """What the files that sentence-transformers writes say of a model; what they leave open is what most models do."""
    if model := named(name or folder.name):
        return model.profile
    config, prompts = _read(folder / "config.json"), _read(folder / "config_sentence_transformers.json").get("prompts")
    asked = prompts if isinstance(prompts, dict) else {}
    pooling = Pooling.FIRST if _read(folder / "1_Pooling/config.json").get("pooling_mode_cls_token") is True else Pooling.MEAN
    longest = _read(folder / "sentence_bert_config.json").get("max_seq_length") or config.get("max_position_embeddings") or 512
    return Profile(
        name or folder.name,
        int(config.get("hidden_size") or 0),
        FLOOR,
        "",
        pooling,
        str(asked.get("query") or ""),
        str(asked.get("document") or asked.get("passage") or ""),
        min(int(longest), 512),
        strength=STRENGTH,
    )


def _told(folder: Path, profile: Profile) -> Profile:
    own = _read(folder / OWN_WORD)
    try:
        if "pooling" in own:
            own["pooling"] = Pooling(own["pooling"])
        return replace(profile, **own)
    except (TypeError, ValueError) as error:
        raise EmbeddingFailed(f"{folder / OWN_WORD} says something no profile has: {error}") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EmbeddingFailed(f"{path} cannot be read: {error}") from error
    return told if isinstance(told, dict) else {}
