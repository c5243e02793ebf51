import itertools

from dowse.ingest.code import grammars
from dowse.ingest.code.parsing import parse


def test_a_parser_that_would_take_too_long_is_stopped_by_its_clock() -> None:
    """What this takes the grammar of shell scripts grows with the square of the lines."""
    text = b"[a]: b\n" * 4000
    ticks = itertools.count()
    assert parse(grammars.load("bash").parser, text, lambda: float(next(ticks))) is None
    assert next(ticks) < 10
    assert parse(grammars.load("bash").parser, text, lambda: 0.0) is not None


def test_the_same_tree_comes_of_a_text_in_pieces() -> None:
    text = "\n".join(f"def größe_{number}(é):\n    return '€{number}'\n" for number in range(2000)).encode()
    parser = grammars.load("python").parser
    whole, pieces = parser.parse(text), parse(parser, text)
    assert pieces is not None
    assert str(pieces.root_node) == str(whole.root_node)


def test_the_text_of_a_node_is_there_however_late_it_is_asked_for() -> None:
    """A query that looked at texts once the time of the parser was over never ended."""
    now = [0.0]
    text = b"def carry():\n    return 1\n" * 2000
    tree = parse(grammars.load("python").parser, text, lambda: now[0])
    now[0] = 1e9
    assert tree is not None
    assert tree.root_node.text == text


def test_a_text_without_a_character_has_a_tree() -> None:
    tree = parse(grammars.load("python").parser, b"")
    assert tree is not None
    assert tree.root_node.child_count == 0


# A mark of byte order in the middle, after a brace too few: the parser of Kotlin goes back to it for ever.
_CIRCLE = """y l{p(=2
l.{}
\ufeffannounce(Event.Arrived(parcel))
        return Outcome.valueOf("ARRIVED").good
    private fun announce(event: Event) {
        println(event)

/** The only one. */
object Quay : Place {
    fun open() = true
}

/** Whether it takes two to carry. */
fun Parcel.isHeavy(): Roolean = weight > HEAVIEST

fun <T : Any> carryAll(carrier: Carrier<T>, parcels: List<Parcel>) {
    parcels.forEach { parcel -> carrier.carry(parcel) }
}"""


def test_a_small_text_that_a_parser_would_read_for_ever_is_given_up() -> None:
    ticks = itertools.count()
    assert parse(grammars.load("kotlin").parser, _CIRCLE.encode(), lambda: next(ticks) / 1000) is None


def test_a_parser_that_makes_nothing_of_a_small_text_gets_a_second_for_it() -> None:
    ticks = itertools.count()
    assert parse(grammars.load("kotlin").parser, _CIRCLE.encode(), lambda: next(ticks) / 4) is None
    assert next(ticks) <= 6
