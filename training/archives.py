"""Which texts does a package archive hold?"""

import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from training.packages import HELD_OUT_PATH

# Beyond this a file is data or generated; below, there is nothing in it to pair.
SMALLEST, LARGEST = 200, 250_000

# Copies of other projects and files made by tools repeat what is read elsewhere, or say nothing.
SKIPPED = re.compile(
    r"(^|/)(vendor|vendored|_vendor|third_party|node_modules|bower_components|locale|po|\.git|testdata|fixtures|__snapshots__)/"
    r"|\.min\.|\.bundle\.|_pb2\.|\.pb\.|generated|autogen|/(de|fr|es|it|ja|zh|ko|pt|ru|pl|zh_CN|pt_BR)/",
    re.I,
)

# Source files, documents, the files of a dictionary, and documents without an ending.
READ = re.compile(
    r"\.(py|pyi|js|mjs|cjs|jsx|ts|tsx|mts|java|kt|kts|scala|groovy|swift|m|mm|go|rs|c|h|cc|cpp|cxx|hpp|hh|cs|php|rb|rake|pl|pm|pod"
    r"|sh|bash|bats|r|lua|hs|lhs|ml|mli|ex|exs|erl|hrl|zig|jl|dart|sql|el|lisp|clj|scm|vala|d|nim|tcl|vim|md|markdown|rst|txt|adoc"
    r"|asciidoc|texi|texinfo|html|htm|xml|rd|rmd|qmd|[1-8]|man|org|dox|qdoc|ipynb|cmake|nix|fs|vb|sol)(\.gz)?$"
    r"|(^|/)dbfiles/[a-z]+\.[A-Za-z]+$|(^|/)(readme|faq|hacking|contributing|news|changes|changelog|todo|install)[^/]*$",
    re.I,
)

_INSTALLED = re.compile(r"^usr/(share/(cargo/registry|ruby|php|gocode/src|doc)|lib/(python3/dist-packages|ruby/vendor_ruby))/")


def texts(archive: Path, largest: int = LARGEST) -> Iterator[tuple[str, str]]:
    """The path and the text of every file worth reading, in the archive's order. A damaged archive gives what could be read."""
    members = _zipped if archive.name.endswith((".whl", ".zip")) else _tarred
    try:
        for path, content in members(archive, largest):
            yield path, content.decode("utf-8", "replace")
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
        print(f"{archive.name}: {error}")


def _wanted(path: str, size: int, largest: int) -> bool:
    return (
        SMALLEST <= size <= largest
        and READ.search(path.removesuffix(".gz")) is not None
        and not SKIPPED.search(path)
        and not HELD_OUT_PATH.search(path)
    )


def _tarred(archive: Path, largest: int) -> Iterator[tuple[str, bytes]]:
    content = archive.read_bytes()
    # A Debian package is an "ar" archive; its files are in the member that is a tar archive, the last one.
    start = content.find(b"data.tar") if content.startswith(b"!<arch>") else -60
    with tarfile.open(fileobj=io.BytesIO(content[start + 60 :]), mode="r:*") as file:
        for member in file:
            path = member.name.partition("/")[2]
            member_file = file.extractfile(member) if member.isfile() and _wanted(path, member.size, largest) else None
            if member_file is not None:
                yield _short(path), _content(path, member_file.read())


def _content(path: str, content: bytes) -> bytes:
    return gzip.decompress(content) if path.endswith(".gz") else content


def _short(path: str) -> str:
    """Where a file lies in its project rather than on a machine it is installed on."""
    return _INSTALLED.sub("", path.removesuffix(".gz"))


def _zipped(archive: Path, largest: int) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as file:
        for member in file.infolist():
            if _wanted(member.filename, member.file_size, largest):
                yield member.filename, file.read(member)
