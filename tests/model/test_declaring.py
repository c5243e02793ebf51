"""Our dataclasses are those of the standard library to whoever uses them."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import asdict, astuple, field, fields, replace
from typing import Any

import pytest

from dowse.model import declaring
from dowse.model.declaring import dataclass
from dowse.model.record import Edge
from dowse.model.request import Scope


@dataclass(frozen=True, slots=True)
class Ours:
    """As the standard library makes it."""

    name: str
    size: int = 3
    parts: tuple[str, ...] = field(default_factory=tuple)
    seen: object = field(default=None, compare=False, repr=False)

    @property
    def double(self) -> int:
        return self.size * 2


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """As the standard library makes it."""

    name: str
    size: int = 3
    parts: tuple[str, ...] = field(default_factory=tuple)
    seen: object = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Alone:
    value: float


@dataclass(frozen=True, slots=True)
class Counting:
    value: int
    seen: list[int] = field(init=False, compare=False, repr=False, default_factory=list)


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing."""


def test_it_reads_like_the_standard_ones() -> None:
    assert repr(Ours("a", parts=("x",), seen=1)) == repr(Theirs("a", parts=("x",), seen=1)).replace("Theirs", "Ours")
    ours, theirs = (inspect.signature(kind).parameters for kind in (Ours, Theirs))
    assert [(item.name, item.annotation) for item in ours.values()] == [(item.name, item.annotation) for item in theirs.values()]


def test_what_is_not_told_begins_anew_with_every_value() -> None:
    first = Counting(1)
    first.seen.append(1)
    assert first == Counting(1)
    assert repr(first) == "Counting(value=1)"
    assert Counting(1).seen == []
    assert declaring.replace(first, value=2).seen == []
    assert replace(first, value=2).seen == []
    with pytest.raises(TypeError):
        Counting(1, [2])  # type: ignore[call-arg]


def test_values_are_equal_by_what_is_compared_and_only_within_their_class() -> None:
    assert Ours("a", seen=1) == Ours("a", seen=2)
    assert Ours("a") != Ours("b")
    others: list[object] = [Theirs("a")]
    assert Ours("a") not in others
    assert hash(Ours("a", seen=1)) == hash(Ours("a", seen=2)) == hash(Theirs("a"))
    assert {Ours("a"): 1}[Ours("a")] == 1
    assert Empty() == Empty()


def test_ordered_values_are_ordered_by_what_is_compared_and_only_within_their_class() -> None:
    low, high = Edge("a", "b", "calls", {"x": 2}), Edge("a", "c", "calls", {"x": 1})
    assert (low < high, low <= high, low > high, low >= high) == (True, True, False, False)
    assert low <= Edge("a", "b", "calls") <= low
    assert sorted([high, low]) == [low, high]
    compared: Any = Alone(1.0)
    with pytest.raises(TypeError, match="not supported"):
        sorted([low, compared])
    with pytest.raises(TypeError, match="not supported"):
        sorted([compared, Alone(2.0)])


def test_a_value_that_holds_no_number_is_equal_to_itself() -> None:
    nothing = float("nan")
    assert Alone(nothing) == Alone(nothing)


@pytest.mark.parametrize("name", ["name", "other"])
def test_nothing_can_be_assigned_or_deleted(name: str) -> None:
    value = Ours("a")
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(value, name, "b")
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot delete field '{name}'"):
        delattr(value, name)
    assert not hasattr(value, "__dict__")


def test_every_default_of_a_factory_is_new() -> None:
    @dataclass(frozen=True, slots=True)
    class Holding:
        items: list[int] = field(default_factory=list)

    assert Holding().items is not Holding().items
    assert Holding([1]).items == [1]


def test_a_missing_or_unknown_field_is_refused() -> None:
    make: Any = Ours
    with pytest.raises(TypeError, match="name"):
        make()
    with pytest.raises(TypeError, match="colour"):
        make("a", colour="red")


def test_a_value_with_other_fields_is_made_without_its_init() -> None:
    value = Ours("a", 1, ("x",))
    changed = declaring.replace(value, size=2)
    assert changed == replace(value, size=2) == Ours("a", 2, ("x",))
    assert value == Ours("a", 1, ("x",))
    with pytest.raises(TypeError, match="colour"):
        declaring.replace(value, colour="red")


def test_replace_asdict_and_fields_know_them() -> None:
    value = Ours("a", 1, ("x",))
    assert replace(value, size=2) == Ours("a", 2, ("x",))
    assert asdict(value) == {"name": "a", "size": 1, "parts": ("x",), "seen": None}
    assert astuple(value) == ("a", 1, ("x",), None)
    assert [item.name for item in fields(Ours)] == [item.name for item in fields(Theirs)]
    assert value.double == 2


def test_they_match_by_place_and_by_name() -> None:
    match Ours("a", 5):
        case Ours(name, size=size):
            assert (name, size) == ("a", 5)


def test_they_survive_pickling_and_copying() -> None:
    for value in (Ours("a", 1, ("x",), [2]), Scope(kinds=("item",), facets={"role": ("work",)}), Edge("a", "b", "calls")):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value


def test_what_is_written_in_the_class_stays() -> None:
    @dataclass(frozen=True, slots=True)
    class Told:
        name: str

        def __repr__(self) -> str:
            return "told"

        def __hash__(self) -> int:
            return 7

    assert repr(Told("a")) == "told"
    assert hash(Told("a")) == 7


def test_others_are_made_by_the_standard_library() -> None:
    @dataclass(slots=True)
    class Growing:
        size: int = 0

    @dataclass(frozen=True, slots=True)
    class Checked:
        size: int

        def __post_init__(self) -> None:
            if self.size < 0:
                raise ValueError("negative")

    @dataclass(frozen=True, slots=True)
    class More(Ours):
        more: int = 0

    growing = Growing()
    growing.size = 2
    assert growing == Growing(2)
    with pytest.raises(ValueError, match="negative"):
        Checked(-1)
    assert More("a", more=1) == More("a", more=1)
    assert More("a", more=1) != More("a", more=2)
