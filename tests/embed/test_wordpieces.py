from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dowse.embed.wordpieces import LONGEST_WORD, Pieces, words

VOCABULARY = {piece: index for index, piece in enumerate(["parse", "file", "##r", "##s", "con", "##fig", "a", "b", "##b"])}


def test_names_fall_apart_into_their_words():
    assert words("getUserById HTTPServer max_retry_count kebab-case", 512) == (
        ["get", "user", "by", "id", "http", "server", "max", "retry", "count", "kebab", "case"]
    )


def test_the_plural_of_an_abbreviation_is_one_word():
    assert words("URLs and IDs", 512) == ["urls", "and", "ids"]


def test_accents_do_not_make_another_word():
    assert words("Café naïve", 512) == ["cafe", "naive"]


def test_only_the_first_words_are_read():
    assert words("one two three four", 2) == ["one", "two"]


def test_a_word_of_the_vocabulary_is_one_piece():
    assert Pieces(VOCABULARY).of("parse") == (VOCABULARY["parse"],)


def test_another_word_is_put_together_from_the_longest_pieces():
    assert Pieces(VOCABULARY).of("parser") == (VOCABULARY["parse"], VOCABULARY["##r"])


def test_a_word_with_an_unknown_part_has_no_pieces():
    assert Pieces(VOCABULARY).of("parsez") == ()


def test_a_key_of_many_letters_has_no_pieces():
    assert Pieces(VOCABULARY).of("a" + "b" * LONGEST_WORD) == ()


def test_each_word_of_a_text_is_counted_once_with_its_occurrences():
    pieces, times, ends = Pieces(VOCABULARY).count([["file", "parser", "file"], [], ["file"]])
    assert pieces.tolist() == [VOCABULARY[piece] for piece in ("file", "parse", "##r", "file")]
    assert (times.tolist(), ends) == ([2, 1, 1, 1], [3, 3, 4])


@given(st.text(max_size=300), st.integers(min_value=1, max_value=20))
def test_any_text_gives_words_without_gaps(text: str, longest: int):
    found = words(text, longest)
    assert len(found) <= longest
    assert all(word and not any(character.isspace() for character in word) for word in found)


@given(st.lists(st.lists(st.sampled_from(["parse", "parser", "configs", "zz", "filefile"]))))
def test_texts_counted_at_once_are_counted_as_one_by_one(found: list[list[str]]):
    together = Pieces(VOCABULARY)
    for _ in ("at first", "remembered"):
        pieces, times, ends = together.count(found)
        places = list(zip(pieces.tolist(), times.tolist(), strict=True))
        assert [places[start:end] for start, end in pairwise([0, *ends])] == [
            [(piece, occurs) for word, occurs in sorted(Counter(text).items()) for piece in together.of(word)] for text in found
        ]


@given(st.text(st.sampled_from("aZ9s_ .\n\t-\x1f"), max_size=300), st.integers(min_value=1, max_value=20))
def test_a_letter_beyond_ascii_changes_no_word_before_it(text: str, longest: int):
    assert words(f"{text} ж", longest) == [*words(text, longest), "ж"][:longest]
