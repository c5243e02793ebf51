"""Is something found out again only when its time is over?"""

import threading

from running_http import Clock

from dowse.shells.http.recent import Recent


def test_a_value_is_found_out_once_in_its_time() -> None:
    clock, found = Clock(), []
    recent: Recent[str, int] = Recent(lambda key: found.append(key) or len(found), 2, clock)
    assert [recent.get("a"), recent.get("a"), recent.get("b")] == [1, 1, 2]
    clock.advance(2)
    assert recent.get("a") == 3


def test_while_one_looks_again_others_get_what_was_so_before() -> None:
    clock = Clock()
    looking, go_on = threading.Event(), threading.Event()
    values = iter([1, 2])

    def find(_: str) -> int:
        value = next(values)
        if value == 2:
            looking.set()
            assert go_on.wait(30)
        return value

    recent: Recent[str, int] = Recent(find, 2, clock)
    assert recent.get("a") == 1
    clock.advance(2)
    again = threading.Thread(target=recent.get, args=("a",))
    again.start()
    assert looking.wait(30)
    assert recent.get("a") == 1
    go_on.set()
    again.join()
    assert recent.get("a") == 2


def test_very_many_keys_are_not_all_remembered() -> None:
    recent: Recent[int, int] = Recent(lambda key: key, 2, Clock())
    assert [recent.get(number) for number in range(1000)] == list(range(1000))
    assert len(recent._known) <= 256
