import json
import random
import string
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.embed.static import LONGEST, WEIGHTS, StaticEmbedder, compiled
from dowse.embed.wordpieces import words
from dowse.engines.quantising import quantise
from dowse.errors import EmbeddingFailed
from dowse.model.passage import Pooling


@pytest.fixture(scope="module")
def packaged() -> StaticEmbedder:
    return StaticEmbedder()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A model of three words in two dimensions."""
    return write(tmp_path / "small.npz", ["cat", "dog", "tax"], [[127, 0], [120, 42], [0, 127]])


def write(path: Path, vocabulary: list[str], rows: list[list[int]], **head: object) -> Path:
    said = {"name": "small", "dimension": len(rows[0]), "floor": 0.2, "fingerprint": "abc"} | head
    ones = np.ones(len(rows), np.float32)
    np.savez(
        path,
        head=np.frombuffer(json.dumps(said).encode(), np.uint8),
        rows=np.array(rows, np.int8),
        passage_scale=ones,
        query_scale=ones,
        damping=ones / 2,
        well_known=ones.astype(np.uint8),
        vocabulary=np.frombuffer("\n".join(vocabulary).encode(), np.uint8),
    )
    return path


def test_the_packaged_model_says_what_it_is(packaged: StaticEmbedder):
    profile = packaged.profile
    assert (profile.dimension, profile.pooling, profile.swift) == (256, Pooling.SUM, True)
    assert 0 < profile.floor < 1
    assert len(profile.fingerprint) == 16


def test_each_text_gets_a_row_of_length_one(packaged: StaticEmbedder):
    vectors = packaged.embed(["parse a date", "open a socket and listen"])
    assert vectors.shape == (2, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_no_texts_give_no_rows(packaged: StaticEmbedder):
    assert packaged.embed([]).shape == (0, 256)


def test_a_question_is_closest_to_the_code_that_answers_it(packaged: StaticEmbedder):
    passages = [
        "def load(path): with open(path) as stream: return json.load(stream)",
        "class RetryPolicy: def wait(self, attempt): return min(self.cap, self.base * 2 ** attempt)",
        "SELECT name, sum(amount) FROM invoices GROUP BY name",
    ]
    asked = packaged.embed(["how long is waited before another try", "read a json file", "total billed per customer"], query=True)
    assert (asked @ packaged.embed(passages).T).argmax(axis=1).tolist() == [1, 0, 2]


def test_a_text_without_words_gets_zeros(packaged: StaticEmbedder):
    assert not packaged.embed(["", "→ … !!", "\n"]).any()


def test_random_letters_mean_nothing(packaged: StaticEmbedder):
    generator = random.Random(4)
    letters = ["".join(generator.choices(string.ascii_lowercase, k=generator.randint(5, 12))) for _ in range(400)]
    queries = [" ".join(generator.choices(letters, k=generator.randint(1, 4))) for _ in range(200)]
    assert not packaged.embed(queries, query=True).any()


@pytest.mark.parametrize(
    "query",
    [
        "getUserById",
        "parse_config_file",
        "where is teh retry logic implmented",
        "sql injection",
        "connection pool",
        "HTTPServer",
        "how do I use asyncpg with xyzzyql in production",
        "error 404",
        "Hyperfibrinogenemia decreases rates of femoropopliteal bypass thrombosis.",
    ],
)
def test_a_real_query_means_something(packaged: StaticEmbedder, query: str):
    assert packaged.embed([query], query=True).any()


def test_a_passage_of_unknown_words_still_has_its_pieces(packaged: StaticEmbedder):
    assert packaged.embed(["xqzvkj wptrb"]).any()


def test_a_text_has_the_same_vector_alone_and_among_others(packaged: StaticEmbedder):
    texts = ["close the file", "", "a b c", "read every line of the log and count errors"]
    assert np.array_equal(packaged.embed(texts), np.vstack([packaged.embed([text]) for text in texts]))


@given(st.lists(st.text("aAbB_09 é\n", max_size=60) | st.sampled_from(["parse the file", "HTTPServer2 closes", "x" * 90])))
def test_texts_summed_at_once_are_the_sums_of_their_words(packaged: StaticEmbedder, texts: list[str]):
    table = packaged._table
    for text, vector in zip(texts, packaged.embed(texts), strict=True):
        plain = np.zeros(packaged.profile.dimension)
        for word, occurs in Counter(words(text, LONGEST)).items():
            for piece in table.pieces.of(word):
                plain += occurs ** float(table.damping[piece]) * float(table.passage_scale[piece]) * table.rows[piece]
        assert np.allclose(vector, plain / (np.linalg.norm(plain) or 1), atol=1e-6)


def test_an_embedder_works_again_after_it_was_closed(small: Path):
    embedder = StaticEmbedder(small)
    before = embedder.embed(["cat"])
    embedder.close()
    assert np.array_equal(embedder.embed(["cat"]), before)


def test_repeating_a_word_adds_less_and_less(small: Path):
    once, often = StaticEmbedder(small).embed(["cat tax", "cat tax tax tax tax"])
    assert often[1] / often[0] == pytest.approx(2 * once[1] / once[0])


def test_digits_do_not_make_a_query_unknown(packaged: StaticEmbedder):
    assert packaged.embed(["cat 40412345678901"], query=True).any()


def test_a_missing_model_file_says_which_file_it_is(tmp_path: Path):
    with pytest.raises(EmbeddingFailed, match=r"no model file .*gone\.npz"):
        StaticEmbedder(tmp_path / "gone.npz")


def test_a_broken_model_file_says_which_file_it_is(tmp_path: Path):
    broken = tmp_path / "broken.npz"
    broken.write_bytes(WEIGHTS.read_bytes()[:5000])
    with pytest.raises(EmbeddingFailed, match=r"broken\.npz is not a model dowse can use"):
        StaticEmbedder(broken)


def test_a_file_of_something_else_is_not_taken_for_a_model(tmp_path: Path):
    (tmp_path / "notes.npz").write_text("not a model", encoding="utf-8")
    with pytest.raises(EmbeddingFailed, match=r"notes\.npz"):
        StaticEmbedder(tmp_path / "notes.npz")


def test_a_head_that_lacks_a_part_is_refused(tmp_path: Path):
    path = tmp_path / "headless.npz"
    np.savez(path, head=np.frombuffer(b"{}", np.uint8))
    with pytest.raises(EmbeddingFailed, match=r"headless\.npz.*head"):
        StaticEmbedder(path)


def test_a_table_that_does_not_fit_its_vocabulary_is_refused(tmp_path: Path):
    embedder = StaticEmbedder(write(tmp_path / "uneven.npz", ["cat", "dog", "tax"], [[127, 0], [0, 127]]))
    with pytest.raises(EmbeddingFailed, match=r"uneven\.npz.*3 pieces"):
        embedder.embed(["cat"])


def test_a_model_file_damaged_in_the_middle_fails_when_it_is_read(tmp_path: Path):
    content = bytearray(WEIGHTS.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(content)
    with pytest.raises(EmbeddingFailed, match=r"damaged\.npz"):
        StaticEmbedder(damaged).embed(["anything"])


NAMES = st.sampled_from(
    ["getUserById", "HTTPServers", "URLs", "DNSs2", "As", "ASs", "x" * 41, "tokenisation", "qzxv", "self", "\0", "é"]
)
TEXTS = st.one_of(
    st.text(st.characters(max_codepoint=127), max_size=300),
    st.lists(st.one_of(NAMES, st.text(st.sampled_from("abcsABCS019"), max_size=50)), max_size=40).map(" ".join),
    st.lists(NAMES, min_size=1, max_size=3).map(lambda names: " ".join(names) * 300),
)


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
@given(st.lists(TEXTS, max_size=12))
def test_what_is_compiled_makes_the_same_vectors(packaged: StaticEmbedder, texts: list[str]):
    table = packaged._table
    ours, plain = (np.zeros((len(texts), 256), np.float32) for _ in range(2))
    table.add_up_texts(texts, ours)
    table.add_up([words(text, LONGEST) for text in texts], table.passage_scale, plain)
    assert ours == pytest.approx(plain, abs=1e-6)
    assert (quantise(ours, 256) == quantise(plain, 256)).all()


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
def test_what_is_compiled_refuses_what_does_not_fit():
    rows, ones = np.ones((2, 3), np.int8), np.ones(2, np.float32)
    for wrong in (
        (b"a", rows, ones, ones),
        (b"a\nb\nc", rows, ones, ones),
        (b"a\nb", rows, ones[:1], ones),
        (b"a\nb", rows.astype(np.int16), ones, ones),
        (b"a\nb", rows[:, ::2], ones, ones),
        (b"", rows[:0], ones[:0], ones[:0]),
    ):
        with pytest.raises((ValueError, BufferError)):
            compiled.Adder(*wrong)
    adder, room = compiled.Adder(b"a\nb", rows, ones, ones), np.zeros((1, 3), np.float32)
    for wrong in (
        (["é"], 9, room),
        (["a", "b"], 9, room),
        (["a"], 9, room.astype(np.float64)),
        (["a"], 10_000, room),
        (["a"], -1, room),
    ):
        with pytest.raises(ValueError, match=r"ASCII|row|many"):
            adder.add_up(*wrong)
    with pytest.raises(TypeError):
        adder.add_up([b"a"], 9, room)
    adder.add_up(["a B a"], 9, room)
    assert room.tolist() == [[3, 3, 3]]
