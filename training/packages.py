"""Which open packages is the model trained on, and how do they get onto this machine?

Everything comes from three registries: source packages of the Debian archive (free software in every language, ranked by how many
other packages need them to build), packages of npm and wheels of the Python package index (chosen by hand for what Debian lacks).
"""

import argparse
import json
import lzma
import re
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urljoin

RELEASE = "trixie"

# Packages a section may give. Sections that are one language get more, so that no language is a rarity.
QUOTA = {
    "python": 330, "golang": 300, "rust": 330, "javascript": 300, "ruby": 220, "php": 220, "java": 260, "haskell": 220,
    "perl": 160, "libs": 260, "libdevel": 260, "cli-mono": 80, "gnu-r": 200, "ocaml": 100, "lisp": 100, "interpreters": 120,
    "devel": 220,
    "utils": 160, "net": 160, "web": 120, "database": 80, "admin": 120, "doc": 90, "science": 110, "text": 90, "vcs": 40,
    "shells": 20, "editors": 60, "httpd": 40, "mail": 40, "math": 60, "graphics": 40, "gnome": 60, "kde": 60, "sound": 20,
    "video": 20, "embedded": 20, "kernel": 10, "x11": 30, "tex": 10, "misc": 60,
}  # fmt: skip

MANUALS = 300

# A source archive beyond this is mostly data, generated code or bundled copies of others.
LARGEST = 3_000_000

# Languages with few packages in Debian: these sources are taken whatever their size.
ALWAYS = tuple(
    "wordnet elixir-lang kotlin scala julia neovim erlang lua5.4 bash redis sqlite3 git postgresql-17 mono swiftlang".split()
)

# Repositories the evaluation searches. Neither they, nor packages made of them, nor copies of them inside others are read.
_HELD_OUT = (
    "aiohttp|fastapi|model2vec|requests|express|expressjs|cobra|chi|gson|laravel|illuminate|rack|trpc|messagepack|msgpack|ktor|alamofire|serde"
    "|phoenix|axum|vitest|dapper|exposed|fmt|fmtlib|libuv|uv|bats|aeson|mini.nvim|zls|anthropic|libafl|beads"
)
HELD_OUT = re.compile(rf"(?<![a-z])({_HELD_OUT})(?![a-z])")
HELD_OUT_PATH = re.compile(rf"(^|[/@])(lib|python-|ruby-|rust-|node-|golang-|php-|haskell-)?({_HELD_OUT})[-_.0-9]*/", re.I)


@dataclass(frozen=True, slots=True)
class Registries:
    """The addresses of the three registries, or of mirrors of them: whoever trains says where."""

    debian: str
    npm: str
    python: str


@dataclass(frozen=True, slots=True)
class Package:
    """One archive to read: what it is called, which section it stands for, where it lies, and where else if it is not there."""

    name: str
    section: str
    url: str
    otherwise: str = ""


def debian(archive: str, sources: str, binaries: str, quota: dict[str, int]) -> list[Package]:
    """The most needed source packages of each section; where a mirror lacks a source, a package of text made of it."""
    entries = _entries(sources)
    made = _made(binaries)
    needed = _needed(entries)
    entries.sort(key=lambda entry: (-needed[entry["Package"]], entry["Package"]))
    left, chosen, seen = dict(quota), [], set()
    for entry in entries:
        name, section = entry["Package"], _section(entry)
        source = _archive(entry, ALWAYS)
        if source is None or name in seen or HELD_OUT.search(name) or (left.get(section, 0) <= 0 and name not in ALWAYS):
            continue
        seen.add(name)
        left[section] = left.get(section, 0) - 1
        otherwise = f"{archive}/{made[name]}" if name in made else ""
        chosen.append(Package(name, section, f"{archive}/{entry['Directory']}/{source}", otherwise))
    return chosen


def manuals(archive: str, binaries: str, most: int) -> list[Package]:
    """Packages of documentation alone: whole manuals, mostly as HTML."""
    found = [entry for entry in _entries(binaries) if entry["Package"].endswith("-doc") and 40_000 < int(entry["Size"]) < LARGEST]
    found = [entry for entry in found if not HELD_OUT.search(entry["Package"])]
    # By the end of the checksum: any order will do that is not the alphabet's, which would favour its beginning.
    found.sort(key=lambda entry: entry["SHA256"])
    return [Package(entry["Package"], "manuals", f"{archive}/{entry['Filename']}") for entry in found[:most]]


def npm(registry: str, names: Iterable[str]) -> Iterator[Package]:
    for name in dict.fromkeys(names):
        if not HELD_OUT.search(name):
            latest = _json(f"{registry}/{name.replace('/', '%2f')}/latest")
            if latest:
                yield Package(name, "npm", latest["dist"]["tarball"])


def pypi(index: str, names: Iterable[str]) -> Iterator[Package]:
    """Pure wheels where there are any: they hold the code and none of what only builds it."""
    for name in dict.fromkeys(names):
        if not HELD_OUT.search(name):
            files = (_json(f"{index}/pypi/{name}/json") or {}).get("urls", [])
            files.sort(
                key=lambda file: (
                    file["packagetype"] != "bdist_wheel",
                    "linux" not in file["filename"],
                    file["size"],
                    file["filename"],
                )
            )
            if files and files[0]["size"] < 40 * LARGEST:
                yield Package(name, "pypi", urljoin(f"{index}/simple/{name}/", files[0]["url"]))


def download(packages: Iterable[Package], folder: Path) -> None:
    """Fetches what is not there yet, sixteen at a time; a package that cannot be had is left out with a line saying so."""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(16) as pool:
        for line in pool.map(lambda package: _fetch(package, folder), packages):
            if line:
                print(line, file=sys.stderr)


def path_of(package: Package, folder: Path) -> Path:
    """Section and name go into the file's name: pairs are counted and balanced by them."""
    return folder / "__".join((package.section, package.name.replace("/", "+"), package.url.rsplit("/", 1)[1]))


def _fetch(package: Package, folder: Path) -> str:
    target = path_of(package, folder)
    if target.exists():
        return ""
    try:
        with urllib.request.urlopen(package.url, timeout=120) as answer:
            content = answer.read()
    except (URLError, TimeoutError, ConnectionError) as error:
        return (
            _fetch(replace(package, url=package.otherwise, otherwise=""), folder)
            if package.otherwise
            else f"{package.name}: {error}"
        )
    aside = target.with_name(target.name + ".part")
    aside.write_bytes(content)
    aside.rename(target)
    return ""


def _json(url: str) -> dict | None:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)
    except (URLError, TimeoutError, ConnectionError) as error:
        print(f"{url}: {error}", file=sys.stderr)
        return None


def _entries(index: str) -> list[dict[str, str]]:
    return [_fields(entry) for entry in index.split("\n\n") if entry.strip()]


def _made(binaries: str) -> dict[str, str]:
    """For each source package the file of a package made of it whose content is source text: for all machines, or Rust's."""
    made = {}
    for entry in _entries(binaries):
        source = entry.get("Source", entry["Package"]).split()[0]
        if int(entry["Size"]) < LARGEST and (entry["Architecture"] == "all" or entry["Package"].startswith("librust-")):
            made.setdefault(source, entry["Filename"])
    return made


def _fields(entry: str) -> dict[str, str]:
    return {match[1]: match[2].strip() for match in re.finditer(r"^([A-Z][\w-]*):((?:.*\n?)(?:[ \t].*\n?)*)", entry, re.M)}


def _section(entry: dict[str, str]) -> str:
    """The section of the first binary package; the source's own is mostly "misc"."""
    match = re.search(r"^\s*\S+ u?deb (\S+)", entry.get("Package-List", ""), re.M)
    return (match[1] if match else entry.get("Section", "misc")).rsplit("/", 1)[-1]


def _archive(entry: dict[str, str], always: tuple[str, ...]) -> str | None:
    for line in entry.get("Files", "").splitlines():
        parts = line.split()
        if len(parts) == 3 and re.search(r"(\.orig\.tar\.|_[^-]*\.tar\.)(gz|xz|bz2)$", parts[2]):
            small = 4_000 < int(parts[1]) < LARGEST or entry["Package"] in always
            return parts[2] if small else None
    return None


def _needed(entries: list[dict[str, str]]) -> Counter[str]:
    """By source package, how many others build with something it makes."""
    makers = {binary.strip(): entry["Package"] for entry in entries for binary in entry.get("Binary", "").split(",")}
    needed: Counter[str] = Counter()
    for entry in entries:
        named = re.findall(r"(?:^|,)\s*([\w.+-]+)", entry.get("Build-Depends", "") + "," + entry.get("Build-Depends-Indep", ""))
        needed.update({makers[name] for name in named if name in makers and makers[name] != entry["Package"]})
    return needed


def _index(archive: str, path: str) -> str:
    with urllib.request.urlopen(f"{archive}/dists/{RELEASE}/main/{path}", timeout=300) as answer:
        return lzma.decompress(answer.read()).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the archives go")
    for name in ("debian", "npm", "python"):
        parser.add_argument(f"--{name}", required=True, metavar="URL", help="the address of that registry, or of a mirror of it")
    given = parser.parse_args()
    at = Registries(given.debian.rstrip("/"), given.npm.rstrip("/"), given.python.rstrip("/"))
    sources, binaries = _index(at.debian, "source/Sources.xz"), _index(at.debian, "binary-amd64/Packages.xz")
    texts = [Package("descriptions", "debian", f"{at.debian}/dists/{RELEASE}/main/i18n/Translation-en.xz")]
    here = Path(__file__).parent
    download(pypi(at.python, (here / "pypi.txt").read_text().split()), given.folder)
    download(debian(at.debian, sources, binaries, QUOTA) + manuals(at.debian, binaries, MANUALS), given.folder)
    download(npm(at.npm, (here / "npm.txt").read_text().split()), given.folder)
    download(texts, given.folder)


if __name__ == "__main__":
    main()
