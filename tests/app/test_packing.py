"""A budget is shared: nothing is said twice, no file pushes the others out, and whatever stays out has a reason."""

from dowse.app.packing import WEAK, Candidate, Packer
from dowse.app.quoting import Quote
from dowse.model.evidence import EvidencePack
from dowse.model.record import Record

WORDS = "tide gauge harbour courier reading retries patience logbook storm kraken wave level lantern rope anchor sail".split()


def text(seed: int, words: int = 60) -> str:
    return " ".join(f"{WORDS[(seed * 7 + at * (seed + 3)) % len(WORDS)]}{seed}{at}" for at in range(words))


def candidate(key: str, score: float, body: str, path: str = "", same: tuple[str, ...] = ()) -> Candidate:
    return Candidate(Record(key, "symbol", key, {"path": path, "body": body}), score, same=same)


def whole_or_cut(item: Candidate, room: int) -> Quote:
    body = item.record.text("body")
    return Quote(body[:room], None, "", whole=len(body) <= room)


def packed(*candidates: Candidate, tokens: int = 2000) -> EvidencePack:
    packer = Packer("task", tokens, (), whole_or_cut)
    packer.add_hits(candidates, max(item.score for item in candidates))
    return packer.pack(1, 0.0)


def keys(pack: EvidencePack) -> list[str]:
    return [piece.key for piece in pack.pieces]


def reasons(pack: EvidencePack) -> dict[str, str]:
    return {item.key: item.why for item in pack.left_out}


def test_a_copy_is_said_by_the_piece_that_has_its_text() -> None:
    pack = packed(candidate("a", 3, text(1)), candidate("b", 2.9, text(1)), candidate("c", 2.8, text(2)))
    assert keys(pack) == ["a", "c"]
    assert reasons(pack) == {"b": "inside [1]"}


def test_nearly_the_same_text_counts_once() -> None:
    pack = packed(candidate("a", 3, text(1)), candidate("b", 2.9, "Other " + text(1)))
    assert reasons(pack) == {"b": "said by [1]"}


def test_a_record_the_search_calls_the_same_is_said_already() -> None:
    pack = packed(candidate("a", 3, text(1), same=("b",)), candidate("b", 2.9, text(2)))
    assert reasons(pack) == {"b": "said by [1]"}


def test_a_file_waits_beyond_its_share_until_the_others_are_in() -> None:
    mine = [candidate(f"mine{number}", 3 - number / 100, text(number, 80), "a.py") for number in range(5)]
    other = candidate("other", 2, text(9, 80), "b.py")
    pack = packed(*mine, other, tokens=1000)
    assert "other" in keys(pack)
    assert set(reasons(pack)) < {item.record.key for item in mine}
    assert all(why.startswith("no room: ") for why in reasons(pack).values())


def test_the_only_file_may_take_everything() -> None:
    mine = [candidate(f"mine{number}", 3, text(number, 50), "a.py") for number in range(4)]
    assert len(keys(packed(*mine, tokens=2000))) == 4


def test_of_hits_less_than_half_as_good_only_the_best_few_are_shown() -> None:
    pack = packed(
        candidate("best", 9, text(1)), *(candidate(f"weak{number}", 4 - number / 10, text(number + 2)) for number in range(9))
    )
    assert keys(pack) == ["best", "weak0", "weak1", "weak2"]
    assert set(reasons(pack).values()) == {WEAK}


def test_lines_that_stand_in_a_piece_are_not_shown_again() -> None:
    rows = {"a": (1, 10), "b": (6, 14), "c": (3, 5)}

    def numbered(item: Candidate, _: int) -> Quote:
        start, end = rows[item.record.key]
        return Quote("\n".join(f"row {number} {WORDS[number]}" for number in range(start, end + 1)), (start, end), "", True, start)

    packer = Packer("task", 2000, (), numbered)
    packer.add_hits([candidate(key, 3, "", "a.txt") for key in rows], 3)
    pack = packer.pack(1, 0.0)
    assert [(piece.key, piece.lines) for piece in pack.pieces] == [("a", (1, 10)), ("b", (11, 14))]
    assert pack.pieces[1].text.split("\n")[0].startswith("row 11 ")
    assert reasons(pack) == {"c": "inside [1]"}


def test_what_is_left_over_goes_to_the_best_piece_that_was_cut() -> None:
    long = text(1, 300)
    pack = packed(candidate("a", 3, long), tokens=2000)
    assert len(pack.pieces[0].text) > 2000 * 4 / 4


def test_what_is_left_out_says_how_much_it_would_take() -> None:
    pack = packed(*(candidate(f"k{number}", 3, text(number, 90)) for number in range(6)), tokens=400)
    assert pack.left_out
    assert all(item.tokens > 100 for item in pack.left_out)
