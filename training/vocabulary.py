"""Which words does the table have a row for, and what does training start from?

    python -m training.vocabulary PAIRS START --vectors potion-folder --teacher bge-folder

The word-pieces of the start vectors that are plain letters and digits, and the words that occur in most packages and are not
among them. A word without a start vector gets the one that a linear map makes of a small transformer's vector of it.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dowse.embed.wordpieces import CONTINUES, words

ROWS = 40_000

# A word that occurs in fewer packages is a project's own name.
PACKAGES = 4

# Pairs that are read to see how widespread words are; they come from packages in random order, and more change little.
READ = 420_000

Floats = npt.NDArray[np.float32]


def spread(pairs: Path) -> Counter[str]:
    """In how many packages each word occurs."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in islice(pairs.open(encoding="utf-8"), READ):
        _, _, package, query, passage = json.loads(line)
        found[package].update(words(f"{query} {passage}", 600))
    return Counter(word for kept in found.values() for word in kept)


def choose(known: Iterable[str], spread: Counter[str], rows: int) -> list[str]:
    """The known pieces in plain ASCII, then the most widespread words they lack."""
    pieces = [piece for piece in known if piece.isascii() and piece.removeprefix(CONTINUES).isalnum() and piece == piece.lower()]
    had = set(pieces)
    added = [word for word, packages in sorted(spread.items(), key=lambda item: (-item[1], item[0]))
             if word not in had and packages >= PACKAGES and word.isascii() and word.isalpha() and 2 < len(word) < 25]  # fmt: skip
    return pieces + added[: rows - len(pieces)]


def start_vectors(vocabulary: list[str], known: list[str], vectors: Floats, teacher: Floats) -> Floats:
    """The known vector of each piece; for others the linear map from the teacher's vectors that fits the known ones best."""
    place = {piece: index for index, piece in enumerate(known)}
    have = np.array([piece in place for piece in vocabulary])
    started = np.zeros((len(vocabulary), vectors.shape[1]), np.float32)
    started[have] = vectors[[place[piece] for piece in vocabulary if piece in place]]
    whole = have & np.array([not piece.startswith(CONTINUES) and len(piece) > 2 for piece in vocabulary])
    inputs = np.hstack([teacher, np.ones((len(teacher), 1), np.float32)])
    # A little ridge: some directions of the teacher's space are empty for single words.
    gram = inputs[whole].T @ inputs[whole] + np.eye(inputs.shape[1], dtype=np.float32)
    mapped = inputs @ np.linalg.solve(gram, inputs[whole].T @ started[whole])
    # The map shrinks towards the mean; rare words are long in the known vectors, and so must these be.
    lengths = np.linalg.norm(started[whole], axis=1)
    mapped *= np.percentile(lengths, 60) / np.maximum(np.linalg.norm(mapped, axis=1, keepdims=True), 1e-6)
    started[~have] = mapped[~have]
    # Rows of about length one: the steps of the training are made for these.
    return started / np.median(lengths)


def teach(texts: list[str], folder: Path) -> Floats:
    """A small transformer's vector of each text: the first place of its last layer."""
    # Only this step needs them.
    import onnxruntime
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    wanted = {node.name for node in session.get_inputs()}
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    vectors: Floats | None = None
    for start in range(0, len(order), 64):
        batch = order[start : start + 64]
        encoded = tokenizer.encode_batch([texts[index] for index in batch])
        given = {
            "input_ids": np.array([text.ids for text in encoded]),
            "attention_mask": np.array([text.attention_mask for text in encoded]),
            "token_type_ids": np.array([text.type_ids for text in encoded]),
        }
        first = session.run(None, {name: value for name, value in given.items() if name in wanted})[0][:, 0]
        vectors = np.zeros((len(texts), first.shape[1]), np.float32) if vectors is None else vectors
        vectors[batch] = first / np.linalg.norm(first, axis=1, keepdims=True)
    assert vectors is not None
    return vectors


def read_vectors(folder: Path) -> tuple[list[str], Floats]:
    """The pieces and rows of a static model in safetensors, which is a length, a JSON head and the numbers."""
    content = (folder / "model.safetensors").read_bytes()
    size = int.from_bytes(content[:8], "little")
    head = json.loads(content[8 : 8 + size])
    entry = next(value for name, value in head.items() if name != "__metadata__")
    start, end = entry["data_offsets"]
    kind = {"F32": np.float32, "F16": np.float16}[entry["dtype"]]
    rows = np.frombuffer(content[8 + size + start : 8 + size + end], kind).reshape(entry["shape"]).astype(np.float32)
    pieces = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return sorted(pieces, key=pieces.__getitem__), rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("start", type=Path)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=ROWS)
    options = parser.parse_args()
    known, vectors = read_vectors(options.vectors)
    wide = spread(options.pairs)
    vocabulary = choose(known, wide, options.rows)
    teacher = teach([piece.removeprefix(CONTINUES) for piece in vocabulary], options.teacher)
    started = start_vectors(vocabulary, known, vectors, teacher)
    packages = np.array([wide[piece] for piece in vocabulary], np.int32)
    np.savez(options.start, vectors=started, packages=packages, vocabulary=np.frombuffer("\n".join(vocabulary).encode(), np.uint8))
    print(f"{len(vocabulary):,} rows; the rarest word added is {vocabulary[-1]!r}, in {packages[-1]} packages")


if __name__ == "__main__":
    main()
