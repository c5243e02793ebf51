import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from making_models import IDENTITY, PIECES, make_model

from dowse.embed.locating import at_path, by_name
from dowse.embed.onnx import PIECES as WORTH
from dowse.embed.onnx import OnnxEmbedder, batches
from dowse.errors import EmbeddingFailed
from dowse.model.passage import Pooling

Opened = Callable[[Path], OnnxEmbedder]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return lambda folder: OnnxEmbedder(lambda: at_path(folder), tmp_path / "memory")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    """The real one, from the package that the test group installs."""
    here = {"DOWSE_MODELS": str(tmp_path_factory.mktemp("models"))}
    return OnnxEmbedder(lambda: by_name("all-MiniLM-L6-v2", here), Path(here["DOWSE_MODELS"]))


def test_a_real_model_finds_the_passage_that_means_what_the_question_means(minilm: OnnxEmbedder) -> None:
    asked = minilm.embed(["where can I warm up my lunch", "how do I undo my last change"], query=True)
    told = minilm.embed(["The kitchen on the second floor has a microwave.", "Revert the newest commit with git reset."])
    cosines = asked @ told.T
    assert cosines.argmax(axis=1).tolist() == [0, 1]
    floor = minilm.profile.floor
    assert cosines.diagonal().min() > floor > cosines[~np.eye(2, dtype=bool)].max()


def test_a_real_model_says_the_same_of_a_text_alone_and_among_others(minilm: OnnxEmbedder) -> None:
    texts = [
        "short",
        "a text of a few more words than that",
        "one that is longer still, with a comma and more words behind it",
    ]
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.999


def test_random_letters_mean_nothing_to_a_real_model(minilm: OnnxEmbedder) -> None:
    vectors = minilm.embed(["xqzvkr wjpfh", "read the json file"], query=True)
    assert np.linalg.norm(vectors, axis=1).round(3).tolist() == [0, 1]


def test_a_real_model_reads_no_more_of_a_text_than_it_can(minilm: OnnxEmbedder) -> None:
    endless = minilm.embed(["words " * 2000, "words " * 3000])
    assert np.allclose(endless[0], endless[1])


def test_vectors_have_length_one_and_the_profiles_dimension(minilm: OnnxEmbedder) -> None:
    vectors = minilm.embed(["one", "two words"])
    assert vectors.shape == (2, minilm.profile.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_the_mean_is_that_of_a_texts_own_pieces(tmp_path: Path, opened: Opened) -> None:
    vectors = opened(make_model(tmp_path / "m", pooling="mean")).embed(["red", "red green"])
    first, second = np.sqrt(1 / 2), np.sqrt(1 / 3)
    assert np.allclose(vectors[0], [0, 0, first, first, 0, 0, 0, 0])
    assert np.allclose(vectors[1], [0, 0, second, second, second, 0, 0, 0])


def test_the_first_piece_can_stand_for_the_text(tmp_path: Path, opened: Opened) -> None:
    vectors = opened(make_model(tmp_path / "m", pooling="first")).embed(["red", "green blue"])
    assert vectors.tolist() == [list(IDENTITY[PIECES.index("[CLS]")])] * 2


def test_a_model_may_hand_over_one_vector_a_text(tmp_path: Path, opened: Opened) -> None:
    vectors = opened(make_model(tmp_path / "m", given=True, pooling="given")).embed(["red red red"])
    assert np.allclose(vectors[0], np.array([0, 0, 1, 3, 0, 0, 0, 0]) / np.sqrt(10))


def test_prefixes_go_before_queries_and_passages(tmp_path: Path, opened: Opened) -> None:
    model = opened(make_model(tmp_path / "m", query_prefix="yellow ", passage_prefix="black "))
    assert np.flatnonzero(model.embed(["red"], query=True)[0]).tolist() == [2, 3, 6]
    assert np.flatnonzero(model.embed(["red"])[0]).tolist() == [2, 3, 7]


def test_a_text_without_words_and_one_of_unknown_words_have_no_meaning(tmp_path: Path, opened: Opened) -> None:
    vectors = opened(make_model(tmp_path / "m")).embed(["", " \n", "purple", "purple red"])
    assert vectors.any(axis=1).tolist() == [False, False, False, True]


def test_no_texts_have_no_vectors(tmp_path: Path, opened: Opened) -> None:
    assert opened(make_model(tmp_path / "m")).embed([]).shape == (0, 8)


def test_a_model_that_wants_kinds_of_pieces_gets_them(tmp_path: Path, opened: Opened) -> None:
    folder = make_model(tmp_path / "m", inputs=("input_ids", "attention_mask", "token_type_ids"))
    assert opened(folder).embed(["red"]).any()


def test_making_an_embedder_loads_nothing_and_a_model_that_comes_later_is_found(tmp_path: Path, opened: Opened) -> None:
    model = opened(tmp_path / "m")
    with pytest.raises(EmbeddingFailed, match="there is no folder"):
        model.embed(["red"])
    make_model(tmp_path / "m")
    assert model.embed(["red"]).any()


def test_a_closed_embedder_opens_again_when_it_is_needed(tmp_path: Path, opened: Opened) -> None:
    model = opened(make_model(tmp_path / "m"))
    before = model.embed(["red"])
    model.close()
    assert (model.embed(["red"]) == before).all()


def test_the_profile_of_a_folder_comes_without_loading_the_model_where_the_folder_tells(tmp_path: Path, opened: Opened) -> None:
    folder = make_model(tmp_path / "m", name="colours", dimension=8, pooling="first", floor=0.4)
    (folder / "model.onnx").write_bytes(b"not read beyond its bytes")
    profile = opened(folder).profile
    assert (profile.name, profile.dimension, profile.pooling, profile.floor) == ("colours", 8, Pooling.FIRST, 0.4)


def test_another_use_of_the_same_file_has_another_fingerprint(tmp_path: Path, opened: Opened) -> None:
    uses = ({"pooling": "mean"}, {"pooling": "first"}, {"query_prefix": "red "}, {"passage_prefix": "red "}, {"longest": 16})
    prints = {opened(make_model(tmp_path / str(place), **use)).profile.fingerprint for place, use in enumerate(uses)}
    assert len(prints) == len(uses)


def test_a_name_is_no_part_of_the_fingerprint(tmp_path: Path, opened: Opened) -> None:
    one, other = (opened(make_model(tmp_path / name)).profile for name in ("one", "other"))
    assert one.name != other.name
    assert one.fingerprint == other.fingerprint


def test_a_broken_model_file_says_which_file_it_is(tmp_path: Path, opened: Opened) -> None:
    folder = make_model(tmp_path / "m")
    (folder / "model.onnx").write_bytes(b"\x00garbage" * 100)
    with pytest.raises(EmbeddingFailed, match=r"model\.onnx cannot be loaded"):
        opened(folder).embed(["red"])


def test_half_a_model_file_says_which_file_it_is(tmp_path: Path, opened: Opened) -> None:
    folder = make_model(tmp_path / "m")
    whole = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(EmbeddingFailed, match=r"model\.onnx cannot be loaded"):
        opened(folder).embed(["red"])


def test_a_broken_tokenizer_file_says_which_file_it_is(tmp_path: Path, opened: Opened) -> None:
    folder = make_model(tmp_path / "m")
    (folder / "tokenizer.json").write_text('{"version": 1}')
    with pytest.raises(EmbeddingFailed, match=r"tokenizer\.json cannot be loaded"):
        opened(folder).embed(["red"])


def test_a_model_of_another_dimension_than_its_profile_is_refused(tmp_path: Path, opened: Opened) -> None:
    with pytest.raises(EmbeddingFailed, match=r"vectors of 8 numbers; .* has 384"):
        opened(make_model(tmp_path / "m", dimension=384)).embed(["red"])


def test_a_model_that_wants_other_things_than_text_is_refused(tmp_path: Path, opened: Opened) -> None:
    with pytest.raises(EmbeddingFailed, match="wants pixel_values"):
        opened(make_model(tmp_path / "m", inputs=("input_ids", "pixel_values"))).embed(["red"])


def test_vectors_that_are_no_numbers_are_refused(tmp_path: Path, opened: Opened) -> None:
    with pytest.raises(EmbeddingFailed, match="NaN"):
        opened(make_model(tmp_path / "m", table=[[float("nan")] * 4] * len(PIECES))).embed(["red"])


def test_a_tokenizer_with_more_pieces_than_the_model_fails_with_a_reason(tmp_path: Path, opened: Opened) -> None:
    with pytest.raises(EmbeddingFailed, match="cannot be run"):
        opened(make_model(tmp_path / "m", table=IDENTITY[:3])).embed(["red"])


@pytest.mark.parametrize("missing", ["onnxruntime", "tokenizers"])
def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    model = opened(make_model(tmp_path / "m"))
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(EmbeddingFailed, match=r"pip install 'dowse\[onnx\]'"):
        model.embed(["red"])


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=40), max_size=4), st.booleans())
def test_any_text_has_a_vector_of_length_one_or_none(minilm: OnnxEmbedder, texts: list[str], query: bool) -> None:
    lengths = np.linalg.norm(minilm.embed(texts, query=query), axis=1)
    assert lengths.shape == (len(texts),)
    assert ((np.abs(lengths - 1) < 1e-3) | (lengths == 0)).all()


@given(st.lists(st.integers(1, 512), max_size=200))
def test_batches_hold_every_text_once_and_are_no_larger_than_worth_it(lengths: list[int]) -> None:
    found = batches(lengths)
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    assert all(max(lengths[place] for place in batch) * len(batch) <= WORTH for batch in found)


def test_a_batch_is_hardly_padded() -> None:
    lengths = [10 + (7 * place) % 400 for place in range(400)]
    padded = sum(len(batch) * max(lengths[place] for place in batch) for batch in batches(lengths))
    assert padded < 1.1 * sum(lengths)
