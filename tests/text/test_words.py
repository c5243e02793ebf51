"""Words: one answer for the index, the query and the excerpt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.folding import fold
from dowse.text.words import (
    LONGEST_WORD,
    analyse,
    analyse_plainly,
    compiled,
    compounds,
    is_paired,
    plain_spans,
    plain_words,
    spans,
)

PIECES = st.sampled_from(
    [
        "getUserById",
        "snake_case",
        "HTTPServer2",
        "東京都",
        "ทดสอบ",
        "재시도",
        "café",
        "e\u0301",
        "_",
        "__",
        " ",
        "-",
        "x1y2",
        "A",
        "ß",
        "ß" * 70,
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map("".join))


@pytest.mark.requirement("G-11", "I-05")
@pytest.mark.parametrize(
    ("text", "plain", "alternates"),
    [
        ("getUserById", "getuserbyid", "get user by id"),
        ("get_user_by_id", "get user by id", "getuserbyid"),
        ("HTTPServer2", "httpserver2", "http server 2"),
        ("simple Words", "simple words", ""),
        ("{{age:34}}", "age 34", ""),
        ("path/to/file.ts", "path to file ts", ""),
        ("don't", "don t", ""),
        ("C++ -> c#", "c c", ""),
        ("ÜberGröße", "ubergrosse", "uber grosse"),
        ("", "", ""),
    ],
)
def test_words_and_the_other_ways_to_type_them(text: str, plain: str, alternates: str) -> None:
    assert analyse(text) == (plain, alternates)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("東京都", ["東京", "京都"]),
        ("港", ["港"]),
        ("ทดส", ["ทด", "ดส"]),
        ("재시도", ["재시", "시도"]),
        ("API設計書v2", ["api", "設計", "計書", "v2"]),
    ],
)
def test_scripts_without_spaces_become_pairs_of_characters(text: str, words: list[str]) -> None:
    assert plain_words(text) == words


def test_an_endless_word_is_kept_in_overlapping_pieces() -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(1000))
    words = plain_words(text)
    assert all(len(word) <= LONGEST_WORD for word in words)
    half = LONGEST_WORD // 2
    for start in range(len(text) - half):
        assert any(text[start : start + half] in word for word in words)


@given(TEXTS)
def test_words_are_folded_and_never_empty(text: str) -> None:
    for word in (*plain_words(text), *analyse(text).alternates.split()):
        assert word == fold(word)
        assert word.strip()


@given(TEXTS)
def test_plain_spans_are_the_plain_words_in_their_places(text: str) -> None:
    found = [span for span in plain_spans(text) if span.word]
    assert [span.word for span in found] == plain_words(text)
    for span in found:
        assert 0 <= span.start < span.end <= len(text)
        assert span.word in fold(text[span.start : span.end])


@given(TEXTS)
def test_every_indexed_word_has_a_place_that_an_excerpt_can_mark(text: str) -> None:
    placed = {span.word for span in spans(text)}
    analysis = analyse(text)
    assert {*analysis.plain.split(), *analysis.alternates.split()} <= placed


@given(TEXTS, TEXTS)
def test_words_of_two_texts_are_the_words_of_both(first: str, second: str) -> None:
    assert plain_words(f"{first} {second}") == plain_words(first) + plain_words(second)


@given(TEXTS)
def test_a_query_asks_for_words_that_the_same_text_holds(text: str) -> None:
    analysis = analyse(text)
    held = {*analysis.plain.split(), *analysis.alternates.split()}
    for compound in compounds(text):
        assert set(compound.plain) <= held
        assert compound.parts
        if not compound.whole:
            assert compound.parts == compound.plain


@pytest.mark.parametrize(
    ("word", "paired"), [("港", True), ("ท", True), ("한", True), ("a", False), ("é", False), ("م", False), ("न", False)]
)
def test_which_scripts_are_paired(word: str, paired: bool) -> None:
    assert is_paired(word) is paired


@given(st.text(st.characters(max_codepoint=127), max_size=400))
def test_a_letter_beyond_ascii_changes_no_word_beside_it(text: str) -> None:
    plain, alternates = analyse(text)
    assert analyse(f"{text} ё") == (f"{plain} е".strip(), alternates)


ASCII_RUNS = st.text(st.sampled_from("abzAZ09__"), max_size=300)
ASCII_TEXTS = st.one_of(
    st.text(st.characters(max_codepoint=127), max_size=400),
    st.lists(
        st.one_of(ASCII_RUNS, st.sampled_from(["getUserById", "HTTPServer2", "\0", " ", "a" * 129, "A_" * 41])), max_size=9
    ).map(" ".join),
    ASCII_RUNS,
)


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
@given(ASCII_TEXTS)
def test_what_is_compiled_finds_the_same_words(text: str) -> None:
    assert compiled.analyse_ascii(text) == analyse_plainly(text)


@pytest.mark.skipif(compiled is None, reason="there is no compiler")
def test_what_is_compiled_refuses_what_is_not_its() -> None:
    for text in ("é", "\ud800"):
        with pytest.raises((ValueError, UnicodeEncodeError)):
            compiled.analyse_ascii(text)


def test_a_text_of_megabytes_has_the_words_of_its_pieces() -> None:
    piece = "def getUserById(user_id): return _USERS[user_id] " + "x" * 300 + "\n"
    once = analyse(piece)
    assert analyse(piece * 5000) == (" ".join([once.plain] * 5000), " ".join([once.alternates] * 5000))
