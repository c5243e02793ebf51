"""What do the documents of a YAML file hold, as it is written, and on which line does each mapping begin?"""

from collections.abc import Iterator

import yaml

# The C parser recurses for every level and takes the process with it when the stack ends.
_DEEPEST = 50
# The C parser is ten times faster; the other one reads the same.
_Base = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Lined(dict[str, object]):
    """A mapping that knows its line, counted from 1."""

    __slots__ = ("line",)
    line: int


class _Loader(_Base):  # type: ignore[misc, valid-type]  # which of the two is known only when it runs
    """Leaves every value as text, so that ids keep their zeros and no value can fail to convert."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Lined:
        made = Lined(super().construct_mapping(node, deep))
        made.line = node.start_mark.line + 1
        return made


def documents(text: str, problems: list[str]) -> Iterator[object]:
    """The documents one by one, up to the first that is no YAML: that is a problem, and what came before is kept."""
    loader = None
    try:
        if _is_too_deep(text):
            problems.append(f"not read: nested more than {_DEEPEST} levels deep")
            return
        loader = _Loader(text)
        while loader.check_data():
            yield loader.get_data()
    except yaml.YAMLError as error:
        problems.append(_said(error))
    except UnicodeError:
        problems.append("not read: it holds characters that are no valid Unicode")
    finally:
        if loader is not None:
            loader.dispose()


def _is_too_deep(text: str) -> bool:
    depth = 0
    try:
        for event in yaml.parse(text, _Base):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                return True
    except yaml.YAMLError:
        pass  # said by the reading itself, which keeps the documents before the error
    return False


def _said(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        return f"{where}not valid YAML ({error.problem or error.context}); nothing from here on was read"
    return f"not valid YAML ({' '.join(str(error).split())}); nothing from here on was read"
