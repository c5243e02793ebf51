"""Are all words kept, a few documents at a time, by a process whose memory does not grow?"""

import json

from hypothesis import given
from hypothesis import strategies as st

from dowse.engines.opensearch.vocabulary import Learnt, pairs, word_lines

words = st.dictionaries(st.text("abcdé日", min_size=1, max_size=6), st.text("abcdé日", min_size=1, max_size=4), max_size=200)


def written(lines: list[str]) -> list[tuple[str, str]]:
    return list(pairs([{"_source": json.loads(line.split("\n")[1])} for line in lines]))


@given(words=words)
def test_every_word_is_written_once_with_its_stem(words: dict[str, str]) -> None:
    assert written(list(word_lines("team-words-1", words))) == sorted(words.items())


@given(batches=st.lists(words, max_size=5))
def test_only_words_that_were_written_are_taken_for_known(batches: list[dict[str, str]]) -> None:
    learnt = Learnt()
    known: set[str] = set()
    for batch in batches:
        new = learnt.unknown(batch)
        # One may be forgotten and is then written again; none is ever left out.
        assert batch.keys() - known <= new.keys() <= batch.keys()
        learnt.remember(new)
        known |= new.keys()


def test_words_are_unknown_until_they_are_remembered() -> None:
    learnt = Learnt()
    assert learnt.unknown({"sea": "sea"}) == learnt.unknown({"sea": "sea"}) == {"sea": "sea"}
    learnt.remember({"sea": "sea"})
    assert learnt.unknown({"sea": "sea", "seas": "sea"}) == {"seas": "sea"}
    learnt.clear()
    assert learnt.unknown({"sea": "sea"}) == {"sea": "sea"}


def test_the_same_words_are_the_same_document_in_whatever_order() -> None:
    assert list(word_lines("i", {"b": "x", "a": "y"})) == list(word_lines("i", {"a": "y", "b": "x"}))


def test_some_words_share_a_document() -> None:
    many = {f"word{number:04}": "word" for number in range(1000)}
    assert len(list(word_lines("i", many))) <= 16
