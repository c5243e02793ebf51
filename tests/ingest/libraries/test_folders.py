"""What of a folder is read for a library?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dowse.ingest.libraries.folders import holds_npm_package, npm_folder

_PACKAGE = '{"name": "kit", "version": "1.0.0", "types": "index.d.ts"}'
_READ = """
import sys
from pathlib import Path
from dowse.ingest.libraries.folders import folder, holds_npm_package, npm_folder

path = Path(sys.argv[1])
holds = holds_npm_package(path)
print(holds, sorted(file.path for file in (npm_folder if holds else folder)(path).editions[0].files))
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are there on POSIX alone")
@pytest.mark.parametrize(
    ("pipe", "expected"),
    [("GUIDE.md", "True"), ("package.json", "False"), ("dowse.library.toml", "True"), ("docs/index.d.ts", "True")],
)
def test_a_pipe_in_a_package_is_not_waited_for(tmp_path: Path, pipe: str, expected: str) -> None:
    (tmp_path / "docs").mkdir()
    for name, text in (("package.json", _PACKAGE), ("README.md", "# Kit\n\nTells the tide.\n")):
        if name != pipe:
            (tmp_path / name).write_text(text)
    os.mkfifo(tmp_path / pipe)
    # In a process of its own, which can be ended: whoever waits for a pipe hears nothing.
    done = subprocess.run([sys.executable, "-c", _READ, str(tmp_path)], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.startswith(expected), done.stderr
    assert "README.md" in done.stdout
    assert pipe not in done.stdout


def test_what_a_link_or_a_huge_file_says_of_a_package_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "told.json").write_text(_PACKAGE)
    linked, huge = tmp_path / "linked", tmp_path / "huge"
    for folder in (linked, huge):
        folder.mkdir()
    (linked / "package.json").symlink_to(tmp_path / "told.json")
    with (huge / "package.json").open("wb") as file:
        file.truncate(1 << 40)
    assert not holds_npm_package(linked)
    assert not holds_npm_package(huge)


def test_a_package_is_read_as_it_lies_there(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(_PACKAGE)
    (tmp_path / "README.md").write_text("# Kit\n\nTells the tide.\n")
    (tmp_path / "link.md").symlink_to(tmp_path / "README.md")
    assert holds_npm_package(tmp_path)
    assert [file.path for file in npm_folder(tmp_path).editions[0].files] == ["README.md"]
