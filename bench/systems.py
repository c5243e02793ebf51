"""Who is measured? Each system with the settings its own documentation would suggest, over the same titles and texts."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import apsw

import dowse
from bench.questions import WORD_SHAPES, Asked, Shape
from bench.texts import Piece
from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.request import Mode, SearchRequest
from dowse.search.pipeline import rank, search

TOP = 10
Answer = Sequence[object]


@dataclass(frozen=True, slots=True)
class Session:
    """An index opened by someone who has not asked anything yet."""

    ask: Callable[[Asked], Answer]
    close: Callable[[], None]


class System(Protocol):
    name: str
    shapes: tuple[Shape, ...]
    path: Path

    def build(self, pieces: Iterable[Piece]) -> None: ...
    def open(self) -> Session: ...


class Dowse:
    """The surface that searches everything, as it is. Its file is written by ``bench.importing``, which also weighs the memory."""

    name = "dowse"
    shapes: tuple[Shape, ...] = (*WORD_SHAPES, Shape.SUBSTRING)

    def __init__(self, place: Path, *, whole_page: bool = False) -> None:
        self.path = place / "dowse.db"
        self._whole_page = whole_page
        if whole_page:
            self.name = "dowse, whole page"

    def build(self, pieces: Iterable[Piece]) -> None:
        raise NotImplementedError("see bench.importing")

    def open(self) -> Session:
        engine = SqliteEngine(self.path, SCHEMA, create=False)

        def ask(asked: Asked) -> Answer:
            request = SearchRequest(asked.text, mode=Mode.SUBSTRING if asked.shape is Shape.SUBSTRING else None, limit=TOP)
            with engine.view() as view:
                if self._whole_page:
                    return search(view, request, EVERYTHING, SCHEMA).hits
                return [(place.handle, place.score) for place in rank(view, request, EVERYTHING, SCHEMA).places]

        return Session(ask, engine.close)


class DowseWorkspace(Dowse):
    """The Python API as people call it: a page with records and excerpts. A question asked again within a commit is remembered."""

    name = "dowse, asked again"

    def open(self) -> Session:
        workspace = dowse.open(self.path, create=False)

        def ask(asked: Asked) -> Answer:
            mode = {"mode": "substring"} if asked.shape is Shape.SUBSTRING else {}
            return workspace.search(asked.text, limit=TOP, **mode).hits

        return Session(ask, workspace.close)


class Fts5:
    """One FTS5 table as SQLite's documentation makes it: Porter stems, any of the words, ``order by rank``."""

    name = "FTS5"
    shapes: tuple[Shape, ...] = WORD_SHAPES
    _create = "create virtual table piece using fts5(title, text, tokenize='porter unicode61')"

    def __init__(self, place: Path) -> None:
        self.path = place / f"{type(self).__name__.lower()}.db"

    def build(self, pieces: Iterable[Piece]) -> None:
        connection = _connect(self.path)
        with connection:
            connection.execute(self._create)
            connection.executemany("insert into piece (rowid, title, text) values (?, ?, ?)", self._rows(pieces))
        connection.close()

    def open(self) -> Session:
        connection = _connect(self.path)

        def ask(asked: Asked) -> Answer:
            sql = "select rowid, rank from piece where piece match ? order by rank limit ?"
            return list(connection.execute(sql, (self._expression(asked.text), TOP)))

        return Session(ask, connection.close)

    def _rows(self, pieces: Iterable[Piece]) -> Iterable[tuple[int, str, str]]:
        return ((number, piece.title, piece.text) for number, piece in enumerate(pieces, 1))

    def _expression(self, text: str) -> str:
        return " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", text)))


class Trigram(Fts5):
    """FTS5's own substring search. Contentless, so that only the index is built and weighed: the text is not counted twice."""

    name = "FTS5 trigram"
    shapes: tuple[Shape, ...] = (Shape.SUBSTRING,)
    _create = "create virtual table piece using fts5(title, text, tokenize='trigram', content='')"


class Tantivy:
    """Title and text, stemmed as dowse stems, stored as dowse stores them.

    One thread writes, as with all the others; a heap that holds the index makes few segments, which is what its queries like best.
    ``parse_query`` ors the words over both fields, its default.
    """

    name = "tantivy"
    shapes: tuple[Shape, ...] = WORD_SHAPES
    _heap = 512 << 20

    def __init__(self, place: Path) -> None:
        import tantivy  # type: ignore[import-not-found,unused-ignore]

        self._tantivy = tantivy
        self.path = place / "tantivy"

    def build(self, pieces: Iterable[Piece]) -> None:
        self.path.mkdir()
        index = self._tantivy.Index(self._schema(), path=str(self.path))
        writer = index.writer(self._heap, 1)
        for piece in pieces:
            writer.add_document(self._tantivy.Document(key=piece.key, title=piece.title, text=piece.text))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> Session:
        index = self._tantivy.Index.open(str(self.path))
        index.reload()
        searcher = index.searcher()

        def ask(asked: Asked) -> Answer:
            hits: Answer = searcher.search(index.parse_query(asked.text, ["title", "text"]), TOP).hits
            return hits

        return Session(ask, _nothing)

    def _schema(self) -> Any:
        builder = self._tantivy.SchemaBuilder()
        builder.add_text_field("key", stored=True, tokenizer_name="raw")
        builder.add_text_field("title", stored=True, tokenizer_name="en_stem")
        builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
        return builder.build()


class Bm25s:
    """As its README does it: English stop words, Snowball stems, the NumPy backend (no numba), all of the index in memory."""

    name = "bm25s"
    shapes: tuple[Shape, ...] = WORD_SHAPES

    def __init__(self, place: Path) -> None:
        import bm25s  # type: ignore[import-not-found,import-untyped,unused-ignore]
        import Stemmer  # type: ignore[import-not-found,unused-ignore]

        self._bm25s = bm25s
        self._stemmer = Stemmer.Stemmer("english")
        self.path = place / "bm25s"

    def build(self, pieces: Iterable[Piece]) -> None:
        index = self._bm25s.BM25(backend="numpy")
        index.index(self._words([f"{piece.title}\n{piece.text}" for piece in pieces], ids=True), show_progress=False)
        index.save(str(self.path), show_progress=False)

    def open(self) -> Session:
        index = self._bm25s.BM25.load(str(self.path), show_progress=False)

        def ask(asked: Asked) -> Answer:
            found, scores = index.retrieve(self._words([asked.text], ids=False), k=TOP, show_progress=False)
            return list(zip(found[0].tolist(), scores[0].tolist(), strict=True))

        return Session(ask, _nothing)

    def _words(self, texts: list[str], *, ids: bool) -> Any:
        return self._bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, return_ids=ids, show_progress=False)


OTHERS: tuple[Callable[[Path], System], ...] = (Fts5, Trigram, Tantivy, Bm25s)


def size_on_disk(path: Path) -> int:
    """The index file or folder, and what SQLite keeps beside it."""
    if path.is_dir():
        return sum(item.stat().st_size for item in path.rglob("*") if item.is_file())
    return sum(item.stat().st_size for item in path.parent.glob(f"{path.name}*"))


def _connect(path: Path) -> apsw.Connection:
    """With the settings dowse gives its own connections, so that not the pragmas are measured."""
    connection = apsw.Connection(str(path))
    with suppress(apsw.Error):
        connection.pragma("mmap_size", 1 << 30)
    connection.pragma("cache_size", -32_768)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", 1)
    return connection


def _nothing() -> None:
    """What stays open is given back with the session."""
