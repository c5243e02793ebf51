"""Nonsense is the same in every run."""

from bench.gibberish import COUNT, gibberish


def test_two_hundred_queries_of_random_letters_are_drawn_alike_each_time() -> None:
    queries = gibberish()
    assert len(set(queries)) == COUNT == 200
    assert queries == gibberish()
    assert all(word.isascii() and word.isalpha() and len(word) >= 6 for query in queries for word in query.split())
