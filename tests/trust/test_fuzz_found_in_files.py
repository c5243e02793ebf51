"""What the campaign on formats found: links and archives that nobody would write by hand."""

import zipfile
from pathlib import Path

import pytest

from dowse.errors import InvalidRequest
from dowse.ingest.libraries.archives import archive
from dowse.ingest.libraries.llms import llms


@pytest.mark.parametrize(
    "link",
    ["docs/%00x.md", "docs/" + "a" * 5000 + ".md", "http://[broken/a.md", "a/" * 3000 + "b.md", "docs/%ff%fe.md"],
    ids=["a NUL", "a long name", "no address", "a long path", "no text"],
)
def test_a_link_that_no_file_can_have_is_left_out_and_told(tmp_path: Path, link: str) -> None:
    (tmp_path / "guide.md").write_text("# Guide\n\nHow to read a gauge.\n", encoding="utf-8")
    (tmp_path / "llms.txt").write_text(f"# Kit\n\n- [Odd]({link})\n- [Guide](guide.md)\n", encoding="utf-8")
    material = llms(str(tmp_path / "llms.txt"))
    assert [file.path for file in material.editions[0].files] == ["guide.md", "llms.txt"]
    assert [problem.path for problem in material.problems] == [link]


def test_an_archive_whose_members_lie_before_its_beginning_is_refused(tmp_path: Path) -> None:
    whole = tmp_path / "kit.whl"
    with zipfile.ZipFile(whole, "w") as made:
        made.writestr("kit/__init__.py", '"""Kit."""\n')
        made.writestr("README.md", "# Kit\n")
    data = whole.read_bytes()
    # Where the list of members begins is told from the end; without the first bytes everything lies before the beginning.
    broken = tmp_path / "broken.whl"
    broken.write_bytes(data[3:])
    with pytest.raises(InvalidRequest, match=r"broken\.whl is no archive that can be read"):
        archive(broken)


@pytest.mark.parametrize("cut", range(0, 120, 7))
def test_an_archive_that_was_cut_anywhere_is_refused_or_read(tmp_path: Path, cut: int) -> None:
    whole = tmp_path / "kit.whl"
    with zipfile.ZipFile(whole, "w") as made:
        made.writestr("README.md", "# Kit\n\nReads gauges.\n")
    broken = tmp_path / "broken.whl"
    data = bytearray(whole.read_bytes())
    data[cut] ^= 0xFF
    broken.write_bytes(data)
    try:
        archive(broken)
    except InvalidRequest as error:
        told = str(error)
        assert "broken.whl" in told
