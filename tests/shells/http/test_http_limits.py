"""How often may someone ask?"""

from running_http import Clock

from dowse.shells.http.limits import Buckets


def test_a_burst_is_let_through_and_then_one_at_a_time() -> None:
    clock = Clock()
    buckets = Buckets(2, 3, clock)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    clock.advance(0.5)
    assert [buckets.take("a") for _ in range(2)] == [0, 0.5]


def test_a_bucket_never_holds_more_than_a_burst() -> None:
    clock = Clock()
    buckets = Buckets(2, 3, clock)
    buckets.take("a")
    clock.advance(3600)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_callers_are_counted_apart() -> None:
    buckets = Buckets(1, 1, Clock())
    assert [buckets.take("a"), buckets.take("b"), buckets.take("a")] == [0, 0, 1]


def test_looking_takes_nothing() -> None:
    buckets = Buckets(1, 1, Clock())
    assert [buckets.wait("a"), buckets.wait("a"), buckets.take("a"), buckets.wait("a")] == [0, 0, 0, 1]


def test_very_many_callers_are_not_all_remembered() -> None:
    buckets = Buckets(1, 1, Clock(), most=2)
    for name in "abc":
        buckets.take(name)
    assert [buckets.take("a"), buckets.take("c")] == [0, 1]
