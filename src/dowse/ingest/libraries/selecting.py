"""Which files of a library are its documentation?

Patterns are those of .gitignore: a name alone means folders or files of that name at any depth, a pattern with a slash is
compared with the path from the root (``./`` before it means just that), ``*`` stays within a name and ``**`` goes through folders.
"""

import re
from collections.abc import Iterable

from dowse.ingest.libraries.configs import Config
from dowse.ingest.recognising import is_test, recognise
from dowse.ingest.walking.ignoring import Rules, matchable
from dowse.ingest.walking.patterns import parse_patterns

# What is not for readers of a library's documentation, wherever it lies; nobody can ask for it.
_NEVER = frozenset(
    """node_modules bower_components site-packages vendor third_party third-party _vendor __pycache__ dist-newstyle
    _build htmlcov __snapshots__""".split()
)
# Folders that say themselves that their modules are nobody else's.
_INTERNAL = frozenset({"internal", "internals"})
# Customary exclusions; a library that lists its own means those instead.
_FOLDERS = tuple(
    """archive archived deprecated legacy old outdated previous superseded obsolete
    i18n l10n locales locale translations translated lang
    zh zh-cn zh-hans zh-hant zh-tw zh_CN zh_TW ja ja-JP ko ko-KR es fr de it pt pt-br pt_BR ru uk pl tr vi id th ar fa he hi
    test tests __tests__ fixtures testdata e2e benchmarks""".split()
)
_FILES = tuple(
    """changelog* changes.* change_log* history.* news.* releases.* release-notes* release_notes* license* licence* copying*
    notice* patents* code_of_conduct* code-of-conduct* security.* contributing* contributors* authors* maintainers* governance*
    credits* codeowners* pull_request_template* issue_template* llms.txt llms-full.txt 404.html search.html genindex.html""".split()
)
# README.zh-CN.md and README_ja.md are the README once more.
_TRANSLATED = re.compile(r"readme[._-](?:[a-z]{2}|[a-z]{2}[-_][a-z]{2,4}|chinese|japanese|korean)\.\w+", re.IGNORECASE)
_DOCUMENTS = frozenset("markdown mdx rst asciidoc html notebook text".split())
# Any file may end in .txt; one of these is meant to be read.
_DOC_FOLDERS = frozenset("doc docs documentation guide guides manual manuals website site tutorial tutorials examples".split())


class Selection:
    """The choice that a config makes."""

    def __init__(self, config: Config) -> None:
        self._folders = _rules(config.folders) if config.folders else None
        self._no_folders = _rules(_FOLDERS if config.exclude_folders is None else config.exclude_folders)
        self._no_files = _rules(_FILES if config.exclude_files is None else config.exclude_files)

    def documents(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The documents among the files of a library, in order."""
        return tuple(path for path in sorted(paths) if self.wants(path) and _is_document(path))

    def wants(self, path: str) -> bool:
        """Whether a file is neither excluded nor outside of the folders that were asked for. Files at the root always count."""
        *folders, name = path.split("/")
        if any(folder in _NEVER or folder.startswith(".") for folder in folders) or name.startswith("."):
            return False
        above = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
        if any(_matches(self._no_folders, folder, is_folder=True) for folder in above):
            return False
        if _matches(self._no_files, path, is_folder=False) or _TRANSLATED.fullmatch(name):
            return False
        return self._folders is None or not above or any(_matches(self._folders, folder, is_folder=True) for folder in above)


def is_public_module(path: str) -> bool:
    """Whether a source file of a package is one that its users import.

    >>> [is_public_module(path) for path in ("kit/api.py", "kit/__init__.py", "kit/_impl.py", "kit/tests/test_api.py", "setup.py")]
    [True, True, False, False, False]
    """
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    if any(folder.startswith(("_", ".")) or folder in _NEVER or folder in _INTERNAL for folder in folders) or is_test(
        path, recognise(path)
    ):
        return False
    if not folders and stem in ("setup", "noxfile", "conftest", "fabfile", "tasks"):
        return False
    return stem == "__init__" or not stem.startswith("_")


def _is_document(path: str) -> bool:
    language = recognise(path)
    if language == "text":
        *folders, name = path.lower().split("/")
        return name.startswith("readme") or any(folder in _DOC_FOLDERS for folder in folders)
    return language in _DOCUMENTS


def _rules(patterns: Iterable[str]) -> Rules:
    spelled = (re.sub(r"^\./", "/", pattern.replace("\\", "/")).rstrip("/") for pattern in patterns)
    # Names of documents are written in any case.
    return Rules(parse_patterns(matchable("\n".join(spelled).lower())), "config")


def _matches(rules: Rules, path: str, *, is_folder: bool) -> bool:
    place = matchable(path.lower())
    verdict = rules.verdict(place, place.rpartition("/")[2], is_folder)
    return verdict is not None and verdict.ignores
