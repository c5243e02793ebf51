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


def test_each_word_is_counted_once_with_its_occurrences():
    pieces, times = Pieces(VOCABULARY).count(["file", "parser", "file"])
    assert (pieces, times) == ([VOCABULARY["file"], VOCABULARY["parse"], VOCABULARY["##r"]], [2, 1, 1])


@given(st.text(max_size=300), st.integers(min_value=1, max_value=20))
def test_any_text_gives_words_without_gaps(text: str, longest: int):
    found = words(text, longest)
    assert len(found) <= longest
    assert all(word and not any(character.isspace() for character in word) for word in found)


@given(st.lists(st.sampled_from(["parse", "parser", "configs", "zz", "filefile"])))
def test_remembering_words_changes_nothing(found: list[str]):
    pieces = Pieces(VOCABULARY)
    assert pieces.count(found) == pieces.count(found) == Pieces(VOCABULARY).count(found)
