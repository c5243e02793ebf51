"""What does a test test? Read from its name, as test runners and people agree to write it."""

import re
from pathlib import PurePosixPath

_FILE_STEMS = (
    re.compile(r"^tests?[_-](?P<name>.+)$"),
    re.compile(r"^(?P<name>.+?)[._-](?:tests?|spec|specs|unittest)$"),
    re.compile(r"^Tests?(?P<name>[A-Z].*)$"),
    re.compile(r"^(?P<name>.+?)(?:Tests?|Spec|Specs|TestCase|IT)$"),
)
_CALLABLES = (
    re.compile(r"^tests?_(?P<name>\w+)$"),
    re.compile(r"^(?P<name>\w+)_tests?$"),
    re.compile(r"^(?:Test|Benchmark|Example|Fuzz|test)(?P<name>[A-Z]\w*)$"),
)
_TYPES = (
    re.compile(r"^Tests?_?(?P<name>[A-Z]\w*)$"),
    re.compile(r"^(?P<name>[A-Z]\w*?)_?(?:Tests?|Spec|Specs|TestCase)$"),
)
# A test whose name is a sentence names a behaviour, not a function.
_MOST_WORDS = 4
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "testing"})


def subject_files(path: str, extensions: tuple[str, ...]) -> tuple[str, ...]:
    """The files a test file may be about, most precise first.

    >>> subject_files("tests/ingest/test_walking.py", (".py",))
    ('/tests/ingest/walking.py', 'ingest/walking.py', 'walking.py')
    """
    place = PurePosixPath(path)
    stem = place.name.removesuffix(place.suffix)
    match = next(filter(None, (pattern.match(stem) for pattern in _FILE_STEMS)), None)
    if match is None:
        return ()
    names = [match["name"] + extension for extension in extensions or (place.suffix,)]
    folders = list(place.parent.parts)
    below = next((folders[at + 1 :] for at in range(len(folders) - 1, -1, -1) if folders[at] in _TEST_FOLDERS), folders)
    parent = folders[:-1] if folders and folders[-1] in _TEST_FOLDERS else None
    exact = ["/" + "/".join([*folders, name]) for name in names]
    exact += ["/" + "/".join([*parent, name]) for name in names] if parent is not None else []
    ends = ["/".join([*below, name]) for name in names] if below else []
    return tuple(dict.fromkeys([*exact, *ends, *names]))


def subject_names(name: str, is_type: bool) -> tuple[str, ...]:
    """The definitions a test may be about, most precise first.

    >>> subject_names("test_route", False), subject_names("RouterTest", True), subject_names("TestRouter_Route", False)
    (('route',), ('Router',), ('Router.Route', 'Router_Route'))
    """
    match = next(filter(None, (pattern.match(name) for pattern in (_TYPES if is_type else _CALLABLES))), None)
    if match is None or match["name"].count("_") >= _MOST_WORDS:
        return ()
    subject = match["name"]
    holder, mark, member = subject.partition("_")
    if mark and holder[:1].isupper() and member:
        return f"{holder}.{member}", subject
    # testRoute, in languages where methods begin small.
    small = subject[0].lower() + subject[1:]
    return tuple(dict.fromkeys([small, subject])) if name.startswith("test") and not is_type else (subject,)
