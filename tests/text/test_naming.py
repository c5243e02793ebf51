"""What a query names, what a text defines, what a file is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.naming import defining, file_words, names_in, parts_of, said_in

WORDS = st.text("abcdefghilmnorstuy", min_size=1, max_size=12)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{1,12}", fullmatch=True)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("Session", ("Session",)),
        ("session", ("session",)),
        ("std::vec::Vec", ("Vec",)),
        ("res.redirect()", ("redirect",)),
        ("Ledger#close", ("close",)),
        ("store->open", ("open",)),
        ('"Session"?', ("Session",)),
    ],
)
def test_a_query_of_one_word_names_it_without_what_qualifies_it(query: str, names: tuple[str, ...]) -> None:
    assert names_in(query) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("where is getUserById called", ("getUserById",)),
        ("why does open_gate wait", ("open_gate",)),
        ("how is HTTPServer closed", ("HTTPServer",)),
        ("who uses Ledger::close here", ("close",)),
        ("what is `Log` for", ("Log",)),
        ("what does close() do", ("close",)),
        ("is there a struct Frame", ("Frame",)),
        ("does the Error class say why", ("Error",)),
        ("open_gate before open_gate", ("open_gate",)),
    ],
)
def test_a_question_names_what_it_marks_as_a_name(question: str, names: tuple[str, ...]) -> None:
    assert names_in(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "how does a session end",
        "Which function closes it",
        "The class is closed",
        "how to cap retries",
        "see e.g. this",
        "which APIs return URLs",
        "a b",
        "",
        "?!",
    ],
)
def test_plain_words_name_nothing(question: str) -> None:
    assert names_in(question) == ()


@given(st.text(max_size=60))
def test_any_text_can_be_asked_for_names_and_each_comes_once(text: str) -> None:
    names = names_in(text)
    assert len(set(names)) == len(names)
    assert all(len(name) > 1 and name in text for name in names)


@pytest.mark.parametrize(
    "text",
    [
        "pub struct Log {",
        "class Log(Base):",
        "interface Log extends Sink",
        "type Log = string[]",
        "impl<T> Log for Disk",
        "const Log = 4",
        "    def Log(self):",
        "some words\nenum Log { A }",
    ],
)
def test_a_definition_is_known_in_many_languages(text: str) -> None:
    assert defining(["Log"]).search(text)


@pytest.mark.parametrize(
    "text", ["Log::new()", "class Logger:", "class MyLog:", "subclass Log", "a class of Log", "def log():", "Log = 4"]
)
def test_using_a_name_is_no_definition_of_it(text: str) -> None:
    assert not defining(["Log"]).search(text)


@given(NAMES, NAMES)
def test_a_definition_of_any_of_several_names_is_found(one: str, other: str) -> None:
    pattern = defining([one, other])
    assert pattern.search(f"fn {one}(")
    assert pattern.search(f"fn {other}(")


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3), st.text(max_size=40))
def test_names_of_any_characters_can_be_looked_for(names: list[str], text: str) -> None:
    found = defining(names).search(text)
    assert found is None or any(found[0].endswith(name) for name in names)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("src/retry_policy.py", ("retry", "policy")),
        ("RetryPolicy.java", ("retry", "policy")),
        ("docs/retry-policy.md", ("retry", "policy")),
        ("src/auth/__init__.py", ("auth",)),
        ("src/auth/mod.rs", ("auth",)),
        ("web/Login/index.ts", ("login",)),
        ("docs/setup/README.md", ("setup",)),
        ("index.ts", ("index",)),
        ("Makefile", ("makefile",)),
        ("", ()),
    ],
)
def test_a_file_is_called_by_its_own_words_or_by_its_folder(path: str, words: tuple[str, ...]) -> None:
    assert file_words(path) == words


@given(st.text(max_size=40))
def test_any_path_has_words_and_each_comes_once(path: str) -> None:
    words = file_words(path)
    assert len(set(words)) == len(words)


def test_the_words_of_a_text_are_the_parts_of_its_names() -> None:
    assert parts_of("retryPolicy of the retry_policy") == ("retry", "policy", "of", "the")


@pytest.mark.parametrize(
    ("word", "said"),
    [("retry", "retries"), ("route", "routing"), ("header", "headers"), ("key", "keys"), ("cap", "cap"), ("parse", "parser")],
)
def test_forms_of_a_word_are_that_word(word: str, said: str) -> None:
    assert said_in({said})((word,)) == said_in({word})((said,)) == 1.0


@pytest.mark.parametrize(
    ("word", "said"), [("cap", "cat"), ("car", "card"), ("port", "portfolio"), ("test", "text"), ("log", "blog")]
)
def test_words_that_only_look_alike_are_not(word: str, said: str) -> None:
    assert said_in({said})((word,)) == 0.0


@given(st.lists(WORDS, max_size=4, unique=True), st.sets(WORDS, max_size=4))
def test_the_share_of_a_name_is_a_share_and_grows_with_what_is_said(words: list[str], said: set[str]) -> None:
    share = said_in(said)(words)
    assert 0.0 <= share <= 1.0
    assert said_in(said | set(words[:1]))(words) >= share
    assert said_in(said | set(words))(words) == (1.0 if words else 0.0)


@given(WORDS, WORDS)
def test_two_words_are_alike_both_ways(one: str, other: str) -> None:
    assert said_in({other})((one,)) == said_in({one})((other,))
