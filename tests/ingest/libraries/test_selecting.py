import pytest

from dowse.ingest.libraries.configs import Config
from dowse.ingest.libraries.selecting import Selection


def chosen(config: Config, *paths: str) -> list[str]:
    return list(Selection(config).documents(paths))


@pytest.mark.parametrize(
    "path", ["README.md", "docs/a.mdx", "docs/deep/er/b.rst", "guide/c.adoc", "d.html", "e.ipynb", "docs/f.txt"]
)
def test_documents_are_chosen(path: str) -> None:
    assert chosen(Config(), path) == [path]


@pytest.mark.parametrize(
    "path",
    [
        *("CHANGELOG.md", "LICENSE", "docs/CODE_OF_CONDUCT.md", "README.zh-CN.md", "README_ja.md", "llms.txt"),
        *("docs/archive/a.md", "docs/i18n/de/a.md", "docs/zh-CN/a.md", "deprecated/a.md", "tests/data/a.md"),
        *("node_modules/x/README.md", ".github/PULL_REQUEST_TEMPLATE.md", "words.txt", "src/a.py", "logo.png"),
    ],
)
def test_what_nobody_looks_up_is_left_out(path: str) -> None:
    assert chosen(Config(), path) == []


def test_folders_limit_to_what_is_in_them_but_files_at_the_root_stay() -> None:
    config = Config(folders=("docs", "packages/*/guide"))
    paths = ("README.md", "docs/a.md", "packages/kit/guide/b.md", "packages/kit/c.md", "blog/d.md")
    assert chosen(config, *paths) == ["README.md", "docs/a.md", "packages/kit/guide/b.md"]


def test_a_list_of_exclusions_stands_in_the_place_of_the_customary_ones() -> None:
    config = Config(exclude_folders=("internal", "./blog", "docs/**/draft"), exclude_files=("secret*.md",))
    paths = (
        "archive/a.md",
        "docs/internal/b.md",
        "blog/c.md",
        "docs/blog/d.md",
        "docs/x/y/draft/e.md",
        "secrets.md",
        "CHANGELOG.md",
    )
    assert chosen(config, *paths) == ["CHANGELOG.md", "archive/a.md", "docs/blog/d.md"]


def test_no_config_brings_back_what_tools_fetched() -> None:
    assert chosen(Config(folders=("node_modules",), exclude_folders=()), "node_modules/x/README.md") == []
