"""What users import from a package is documented, wherever it is written."""

import pytest

from dowse.ingest.libraries.material import given
from dowse.ingest.libraries.offering import python_package
from dowse.ingest.libraries.passing_on import passed_on
from dowse.ingest.libraries.reading import read_pieces

DEFINES = '''
def launch(to):
    """Fly there."""


def _prepare():
    """Nobody calls this."""


def spare():
    """Spare."""
'''
_PATHS = {
    "kit": "kit/__init__.py",
    "kit__a": "kit/_a.py",
    "kit__b": "kit/_b.py",
    "kit_sub": "kit/sub.py",
    "kit__k": "kit/_k/__init__.py",
}
LISTED = "from ._a import launch\n__all__ = ['launch']\n"


def told(**files: str) -> dict[str, dict[str, str]]:
    tree = {path: given(path, text.encode()) for path, text in _paths(files).items()}
    public = {path: file for path, file in tree.items() if "/_" not in path or (path.endswith("__init__.py") and "/_k" not in path)}
    return passed_on(tree, public)


def titles(**files: str) -> list[str]:
    tree = {path: given(path, text.encode()) for path, text in _paths(files).items()}
    offer = python_package(tree, b"Name: kit\n")
    return sorted(piece.title for file in offer.files for piece in read_pieces(file)[0])


def _paths(files: dict[str, str]) -> dict[str, str]:
    """Files by path, of names as keywords can be."""
    return {_PATHS[name]: text for name, text in files.items()}


@pytest.mark.parametrize(
    "public",
    [
        "from ._a import launch\n",
        "from ._a import launch as launch, _prepare\n",
        "from kit._a import *\n__all__ = ['launch']\n",
        "import sys\nif sys.version_info:\n    from ._a import launch\n",
        "try:\n    from ._a import launch\nexcept ImportError:\n    launch = None\n",
        "from ._b import launch\n",
        "from ._k import *\n",
    ],
)
def test_a_name_is_told_as_what_users_import(public: str) -> None:
    files = {"kit": public, "kit__a": DEFINES, "kit__b": "from ._a import launch\n", "kit__k": "from .._a import launch\n"}
    assert told(**files) == {"kit/_a.py": {"launch": "kit"}}
    assert titles(**files) == ["kit.launch"]


def test_a_star_takes_what_the_module_lists_or_all_without_an_underscore() -> None:
    assert told(kit="from ._a import *\n", kit__a=DEFINES) == {"kit/_a.py": {"launch": "kit", "spare": "kit"}}
    assert told(kit="from ._a import *\n", kit__a=f"__all__ = ['spare']\n{DEFINES}") == {"kit/_a.py": {"spare": "kit"}}


def test_what_a_module_imports_for_itself_is_not_passed_on() -> None:
    assert told(kit="", kit_sub="from ._a import launch\n", kit__a=DEFINES) == {}
    assert told(kit="", kit_sub=LISTED, kit__a=DEFINES) == {"kit/_a.py": {"launch": "kit.sub"}}


def test_the_shortest_name_counts() -> None:
    assert told(kit=LISTED, kit_sub=LISTED, kit__a=DEFINES) == {"kit/_a.py": {"launch": "kit"}}


@pytest.mark.parametrize(
    "public",
    [
        "from ._a import launch\n" * 3 + "def (:\n",
        "from ._b import *\n",
        "from ....elsewhere import launch\n",
        "from os import path\n",
    ],
)
def test_what_cannot_be_followed_is_left(public: str) -> None:
    assert told(kit=public, kit__a=DEFINES, kit__b="from ._b import *\nfrom . import _b\n") == {}


def test_circles_end() -> None:
    assert told(kit="from ._a import x\n", kit__a="from ._b import x\n", kit__b="from ._a import x\n") == {}


def test_a_module_that_is_passed_on_otherwise_is_read_anew() -> None:
    tree = {
        path: given(path, text.encode()) for path, text in _paths({"kit": "from ._a import launch\n", "kit__a": DEFINES}).items()
    }
    more = tree | {"kit/__init__.py": given("kit/__init__.py", b"from ._a import launch, spare\n")}
    before, after = ({file.path: file.digest for file in python_package(some, b"Name: kit\n").files} for some in (tree, more))
    assert before["kit/_a.py"] != after["kit/_a.py"]
