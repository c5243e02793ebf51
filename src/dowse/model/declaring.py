"""How are values declared so that nobody waits for their declarations? As dataclasses of which only ``__init__`` is compiled.

The standard library writes and compiles six functions for every frozen class whenever its module is loaded: half a millisecond, and
a search loads some eighty. Here those methods are shared and only ``__init__`` is written. Whatever else makes a dataclass is the
same: ``fields``, ``replace``, ``asdict``, ``match``, pickling, what a wrong assignment raises. Any other than a plain frozen and
slotted one, ordered or not, is the standard library's own.
"""

import dataclasses
import operator
import sys
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "replace"]

_OURS = {"frozen": True, "slots": True}
_NEW = object()


if TYPE_CHECKING:
    # Type checkers know what these do.
    from dataclasses import dataclass, replace
else:

    def replace(item: Any, /, **changes: Any) -> Any:
        """The same value with other fields, in an eighth of the standard library's time: slot by slot, without ``__init__``."""
        kind = type(item)
        copy = _copies.get((kind, *changes))
        if copy is None:
            copy = _copies[kind, *changes] = _copying(kind, tuple(changes))
        return copy(item, *changes.values())

    def dataclass(**options: Any) -> Callable[[type], type]:
        ordered = options.get("order", False)
        if options not in (_OURS, {**_OURS, "order": True}):
            return dataclasses.dataclass(**options)
        return lambda cls: _declared(cls, ordered)


# For each class and the names of the fields that are others, in the order in which they are told.
_copies: dict[tuple[Any, ...], Callable[..., Any]] = {}


def _copying(kind: type, changes: tuple[str, ...]) -> Callable[..., Any]:
    """Makes a copy with other values in these fields. What is not told when a value is made begins anew."""
    told = dataclasses.fields(kind)
    unknown = sorted({*changes} - {field.name for field in told})
    if unknown:
        raise TypeError(f"{kind.__name__} has no field {', '.join(unknown)}")
    taken: dict[str, Any] = {"_new": object.__new__, "_kind": kind}
    lines = ["made = _new(_kind)"]
    for field in told:
        taken[f"_set_{field.name}"] = getattr(kind, field.name).__set__
        value = field.name if field.name in changes else f"_item.{field.name}"
        if not field.init and field.name not in changes:
            taken[f"_make_{field.name}"] = field.default_factory
            value = f"_make_{field.name}()"
        lines.append(f"_set_{field.name}(made, {value})")
    body = "\n  ".join([*lines, "return made"])
    source = f"def made({', '.join(taken)}):\n def copy({', '.join(['_item', *changes])}):\n  {body}\n return copy"
    found: dict[str, Any] = {}
    exec(source, found)
    copy: Callable[..., Any] = found["made"](**taken)
    return copy


def _declared(cls: type, ordered: bool) -> type:
    if not _is_simple(cls):
        return dataclasses.dataclass(order=ordered, **_OURS)(cls)
    written = set(cls.__dict__)
    # Without a docstring the standard library would make one of the signature, and that takes as long as all the rest.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    methods = {"__init__": _init(made, fields), **_shared(made, fields), **(_orders(fields) if ordered else {})}
    for name, method in methods.items():
        if name not in written:
            method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
            setattr(made, name, method)
    for name in ("init", "repr", "eq", "frozen", *(["order"] if ordered else [])):
        setattr(made.__dataclass_params__, name, True)
    declared: type = made
    return declared


def _is_simple(cls: type) -> bool:
    """Whether nothing is asked for but fields, some with defaults."""
    inherits = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
    given = [value for value in cls.__dict__.values() if isinstance(value, dataclasses.Field)]
    plain = all((field.init or field.default_factory is not dataclasses.MISSING) and field.kw_only is not True for field in given)
    return not inherits and not hasattr(cls, "__post_init__") and plain


def _init(made: type, fields: tuple[Any, ...]) -> Callable[..., None]:
    """Sets each field through its slot, which is also quicker than ``object.__setattr__``."""
    taken: dict[str, Any] = {"_new": _NEW}
    parameters, body = ["self"], ["pass"]
    for field in fields:
        name = field.name
        taken[f"_set_{name}"] = getattr(made, name).__set__
        value = name
        if field.default_factory is not dataclasses.MISSING:
            taken[f"_make_{name}"] = field.default_factory
            if field.init:
                parameters.append(f"{name}=_new")
            value = f"_make_{name}() if {name} is _new else {name}" if field.init else f"_make_{name}()"
        elif field.default is not dataclasses.MISSING:
            taken[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        body.append(f"_set_{name}(self, {value})")
    lines = "\n  ".join(body)
    source = f"def made({', '.join(taken)}):\n def __init__({', '.join(parameters)}):\n  {lines}\n return __init__"
    found: dict[str, Any] = {}
    # In its module, so that whoever reads its annotations finds the names there.
    exec(source, sys.modules[made.__module__].__dict__, found)
    init: Callable[..., None] = found["made"](**taken)
    init.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
    return init


def _shared(made: Any, fields: tuple[Any, ...]) -> dict[str, Callable[..., Any]]:
    names = tuple(field.name for field in fields)
    shown = tuple(field.name for field in fields if field.repr)
    compared = _getter(tuple(field.name for field in fields if field.compare))
    hashed = _getter(tuple(field.name for field in fields if (field.compare if field.hash is None else field.hash)))

    def show(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    def equal(self: Any, other: object) -> Any:
        return compared(self) == compared(other) if type(other) is type(self) else NotImplemented

    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    def restore(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {
        "__repr__": show,
        "__eq__": equal,
        "__hash__": lambda self: hash(hashed(self)),
        "__setattr__": assign,
        "__delattr__": delete,
        "__getstate__": lambda self: [getattr(self, name) for name in names],
        "__setstate__": restore,
    }


def _orders(fields: tuple[Any, ...]) -> dict[str, Callable[..., Any]]:
    compared = _getter(tuple(field.name for field in fields if field.compare))

    def comparing(decide: Callable[[Any, Any], bool]) -> Callable[[Any, object], Any]:
        def compare(self: Any, other: object) -> Any:
            return decide(compared(self), compared(other)) if type(other) is type(self) else NotImplemented

        return compare

    return {f"__{decide.__name__}__": comparing(decide) for decide in (operator.lt, operator.le, operator.gt, operator.ge)}


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Always a tuple: alone, a value that is not equal to itself would not be equal to itself here either."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda item: tuple(getattr(item, name) for name in names)
