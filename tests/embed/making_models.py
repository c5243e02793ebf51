"""A model small enough to know what it must say: a piece's vector is its row of a table, a text's is made of those."""

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

# Rows of the table, and what the tokenizer makes of them. Every vector is a direction of its own.
PIECES = ("[PAD]", "[UNK]", "[CLS]", "red", "green", "blue", "yellow", "black")
IDENTITY = tuple(tuple(float(row == column) for column in range(len(PIECES))) for row in range(len(PIECES)))

FLOAT, INTEGER = 1, 7


def make_model(
    folder: Path,
    *,
    table: Sequence[Sequence[float]] = IDENTITY,
    given: bool = False,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    **own_word: Any,
) -> Path:
    """A folder with the model, its tokenizer, and its own word on how it is used."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(_model(table, given, inputs))
    _tokenizer().save(str(folder / "tokenizer.json"))
    if own_word:
        (folder / "dowse.json").write_text(json.dumps(own_word))
    return folder


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({piece: number for number, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", PIECES.index("[CLS]"))])
    # As many files of the hub do; an embedder that keeps to it pads every query to this length.
    tokenizer.enable_padding(length=64, pad_id=0, pad_token="[PAD]")
    return tokenizer


def _model(table: Sequence[Sequence[float]], given: bool, inputs: Sequence[str]) -> bytes:
    width = len(table[0])
    nodes = [_node("Gather", ("table", "input_ids"), "last_hidden_state")]
    outputs = [_value("last_hidden_state", FLOAT, ("batch", "length", width))]
    if given:
        nodes.append(_node("ReduceMean", ("last_hidden_state",), "sentence_embedding", _ints("axes", 1), _integer("keepdims", 0)))
        outputs.append(_value("sentence_embedding", FLOAT, ("batch", width)))
    graph = b"".join(
        [
            *(_bytes(1, node) for node in nodes),
            _bytes(2, b"table"),
            _bytes(5, _tensor("table", table)),
            *(_bytes(11, _value(name, INTEGER, ("batch", "length"))) for name in inputs),
            *(_bytes(12, output) for output in outputs),
        ]
    )
    return _number(1, 8) + _bytes(8, _bytes(1, b"") + _number(2, 13)) + _bytes(7, graph)


def _node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    told = b"".join(_bytes(1, name.encode()) for name in inputs) + _bytes(2, output.encode()) + _bytes(4, kind.encode())
    return told + b"".join(_bytes(5, attribute) for attribute in attributes)


def _ints(name: str, value: int) -> bytes:
    return _bytes(1, name.encode()) + _number(8, value) + _number(20, 7)


def _integer(name: str, value: int) -> bytes:
    return _bytes(1, name.encode()) + _number(3, value) + _number(20, 2)


def _tensor(name: str, rows: Sequence[Sequence[float]]) -> bytes:
    raw = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    return _number(1, len(rows)) + _number(1, len(rows[0])) + _number(2, FLOAT) + _bytes(8, name.encode()) + _bytes(9, raw)


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(_bytes(1, _number(1, each) if isinstance(each, int) else _bytes(2, each.encode())) for each in shape)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dims)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
