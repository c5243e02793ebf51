"""Which embedder does the setting ``model`` mean?

static                        comes with dowse; the default
none                          search by words alone
onnx:NAME                     a known model, from the user's folder of models or from an installed package
onnx:PATH                     a folder with model.onnx and tokenizer.json
onnx:package:NAME             the model inside an installed package
http://host:port/v1#model     an endpoint that speaks OpenAI's embeddings
"""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from dowse.errors import EmbeddingFailed
from dowse.ports import Embedder

DEFAULT = "static"


def pick(spec: str, environment: Mapping[str, str] = os.environ) -> Embedder | None:
    """The embedder a spec means; None for none. Nothing is loaded or reached yet, so what is missing is told at first use."""
    if spec == "none":
        return None
    # Each door brings modules of its own, and a command of a few milliseconds opens one at most.
    if spec == "static":
        from dowse.embed.static import StaticEmbedder

        return StaticEmbedder()
    if spec.startswith(("http://", "https://")):
        from dowse.embed.endpoint import EndpointEmbedder

        return _beside_ours(EndpointEmbedder(spec, environment=environment))
    if spec.startswith("onnx:") and len(spec) > len("onnx:"):
        return _beside_ours(_onnx(spec.removeprefix("onnx:"), environment))
    raise EmbeddingFailed(
        f"no model is called {spec!r}; it is static, none, onnx:NAME, onnx:PATH, onnx:package:NAME or http://host/v1#model"
    )


def _beside_ours(chosen: Embedder) -> Embedder:
    """The model together with the one in the package, which costs next to nothing beside it and errs on other texts."""
    from dowse.embed.paired import PairedEmbedder
    from dowse.embed.static import StaticEmbedder

    return PairedEmbedder(chosen, StaticEmbedder())


def _onnx(told: str, environment: Mapping[str, str]) -> Embedder:
    from dowse.embed.locating import at_path, by_name, in_package, models_folder
    from dowse.embed.onnx import OnnxEmbedder

    memory = models_folder(environment)
    if told.startswith("package:"):
        return OnnxEmbedder(partial(in_package, told.removeprefix("package:")), memory)
    if is_path(told):
        # The home of a user who does not exist stays as it is written, and is not found.
        return OnnxEmbedder(partial(at_path, Path(os.path.expanduser(told))), memory)
    return OnnxEmbedder(partial(by_name, told, environment), memory)


def is_path(told: str) -> bool:
    """Whether what stands behind ``onnx:`` is a path, and not a name."""
    return "/" in told or os.sep in told or told.startswith((".", "~"))
