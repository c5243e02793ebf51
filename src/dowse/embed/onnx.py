"""What does a text mean to a transformer that runs here? Pieces in, batches of like length through ONNX, one vector out."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dowse.embed.fingerprinting import content_hash, fingerprint
from dowse.embed.locating import Located
from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass
from dowse.model.passage import Pooling, Profile

# More would take the machine away from its user while an index catches up.
THREADS = 2

# Pieces of a batch with their padding. On two cores int8 models were 7 to 21 % slower with 400, and 5,000 won little.
PIECES = 2048

# How much longer the longest text of a batch may be than its shortest: padding is computed like text and thrown away.
STRETCH = 1.15
SLACK = 4

# Letters a piece stands for, on average over a query's longer words. Random letters fall into smaller pieces (85 queries of 100),
# pairs of names rarely (1 of 40), code-search questions never (0 of 516). What falls apart has a vector, but no meaning.
LETTERS_PER_PIECE = 1.8

Floats = npt.NDArray[np.float32]

_LONG_WORDS = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Any
    inputs: frozenset[str]
    output: str
    pooled: bool
    """The output is one vector a text already."""
    width: int
    padding: int
    unknown: int | None


class OnnxEmbedder:
    """Nothing is looked for, read or loaded before it is needed: a model that is added later is found at the next try."""

    def __init__(self, locate: Callable[[], Located], memory: Path) -> None:
        self._locate = locate
        self._memory = memory
        self._lock = threading.Lock()
        self._profile: Profile | None = None
        self._loaded: _Loaded | None = None

    @property
    def profile(self) -> Profile:
        if self._profile is None:
            self._profile = self._fingerprinted(self._locate())
        return self._profile

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Floats:
        profile = self.profile
        model = self._model()
        prefix = profile.query_prefix if query else profile.passage_prefix
        told = [place for place, text in enumerate(texts) if text.strip() and not (query and _noise(model.tokenizer, text))]
        # Half a surrogate pair is a character to Python and to no tokenizer.
        encoded = model.tokenizer.encode_batch([prefix + texts[place].encode("utf-8", "replace").decode() for place in told])
        vectors = np.zeros((len(texts), profile.dimension), np.float32)
        known = [(place, code.ids) for place, code in zip(told, encoded, strict=True) if _says_something(code, model.unknown)]
        for batch in batches([len(ids) for _, ids in known]):
            vectors[[known[row][0] for row in batch]] = _run(model, profile.pooling, [known[row][1] for row in batch])
        return vectors

    def close(self) -> None:
        self._loaded = None

    def _fingerprinted(self, found: Located) -> Profile:
        profile = found.profile
        if not profile.dimension:
            profile = replace(profile, dimension=self._model().width)
        return replace(profile, fingerprint=fingerprint(profile, content_hash(found.model, self._memory)))

    def _model(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                found = self._locate()
                self._loaded = _load(found)
            return self._loaded


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Which texts go through together: of like length, so that little is padded, and not more than a batch's worth."""
    order = sorted(range(len(lengths)), key=lambda place: (lengths[place], place))
    found: list[list[int]] = []
    for place in order:
        batch = found[-1] if found else []
        fits = batch and lengths[place] * (len(batch) + 1) <= PIECES and lengths[place] <= STRETCH * lengths[batch[0]] + SLACK
        if fits:
            batch.append(place)
        else:
            found.append([place])
    return found


def _run(model: _Loaded, pooling: Pooling, rows: Sequence[Sequence[int]]) -> Floats:
    width = max(map(len, rows))
    ids = np.full((len(rows), width), model.padding, np.int64)
    mask = np.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    try:
        answer = model.session.run([model.output], {name: fed[name] for name in sorted(model.inputs)})[0]
    except _runtime_errors() as error:
        raise EmbeddingFailed(f"the model cannot be run: {_first_line(error)}") from error
    return _unit(answer if model.pooled else _pool(answer, mask, pooling))


def _pool(states: Floats, mask: npt.NDArray[np.int64], pooling: Pooling) -> Floats:
    if pooling is Pooling.FIRST:
        return states[:, 0]
    weights = mask[:, :, None].astype(np.float32)
    total: Floats = (states * weights).sum(axis=1)
    return total if pooling is Pooling.SUM else total / weights.sum(axis=1)


def _unit(vectors: Floats) -> Floats:
    if not np.isfinite(vectors).all():
        raise EmbeddingFailed("the model answers with numbers that are none (NaN); its file may be damaged")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _noise(tokenizer: Any, text: str) -> bool:
    words = _LONG_WORDS.findall(text.lower())
    if not words:
        return False
    pieces = len(tokenizer.encode(" " + " ".join(words), add_special_tokens=False).ids)
    return sum(map(len, words)) < LETTERS_PER_PIECE * pieces


def _says_something(code: Any, unknown: int | None) -> bool:
    return any(not special and piece != unknown for piece, special in zip(code.ids, code.special_tokens_mask, strict=True))


def _load(found: Located) -> _Loaded:
    session, tokenizer = _session(found.model), _tokenizer(found)
    inputs = frozenset(each.name for each in session.get_inputs())
    if strange := sorted(inputs - {"input_ids", "attention_mask", "token_type_ids"}):
        raise EmbeddingFailed(f"{found.model} wants {', '.join(strange)}, which no text embedding model does")
    output, pooled, width = _output(session, found.profile.pooling)
    if width and found.profile.dimension and width != found.profile.dimension:
        raise EmbeddingFailed(f"{found.model} makes vectors of {width} numbers; {found.profile.name} has {found.profile.dimension}")
    if not (width or found.profile.dimension):
        raise EmbeddingFailed(f"{found.model} does not tell how long its vectors are; say so in config.json (hidden_size)")
    padding = next((number for token in ("[PAD]", "<pad>") if (number := tokenizer.token_to_id(token)) is not None), 0)
    unknown = next((number for token in ("[UNK]", "<unk>") if (number := tokenizer.token_to_id(token)) is not None), None)
    return _Loaded(session, tokenizer, inputs, output, pooled, width or found.profile.dimension, padding, unknown)


def _session(path: Path) -> Any:
    try:
        # An extra, and a fifth of a second to import: only for those who use it.
        import onnxruntime
    except ImportError as error:
        raise EmbeddingFailed("this model needs onnxruntime and tokenizers: pip install 'dowse[onnx]'") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    # Threads that wait by spinning win little and keep two cores busy between batches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _runtime_errors() as error:
        raise EmbeddingFailed(f"the model file {path} cannot be loaded: {_first_line(error)}") from error


def _tokenizer(found: Located) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise EmbeddingFailed("this model needs onnxruntime and tokenizers: pip install 'dowse[onnx]'") from error
    try:
        tokenizer = Tokenizer.from_file(str(found.tokenizer))
    except Exception as error:  # the library raises nothing more exact
        raise EmbeddingFailed(f"the tokenizer file {found.tokenizer} cannot be loaded: {_first_line(error)}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(found.profile.longest)
    return tokenizer


def _output(session: Any, pooling: Pooling) -> tuple[str, bool, int]:
    """Which output to take, whether it is one vector a text, and how long its vectors are (0: it does not tell)."""
    outputs = session.get_outputs()
    states = [each for each in outputs if len(each.shape) == 3]
    whole = [each for each in outputs if len(each.shape) == 2]
    named = [each for each in whole if each.name == "sentence_embedding"]
    chosen = (named or whole or states) if pooling is Pooling.GIVEN else (states or named or whole)
    if not chosen:
        raise EmbeddingFailed("the model has no output that could be vectors")
    width = chosen[0].shape[-1]
    return chosen[0].name, len(chosen[0].shape) == 2, width if isinstance(width, int) else 0


def _runtime_errors() -> tuple[type[Exception], ...]:
    # They share no base of their own, and which there are differs by version.
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    classes = [value for _, value in sorted(vars(state).items()) if isinstance(value, type) and issubclass(value, Exception)]
    return (*classes, RuntimeError, ValueError)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]
