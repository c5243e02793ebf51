"""How does text become findable? The derived tables: postings, vocabulary and packed columns, written with the truth.

Everything here can be thrown away and made again from the records. A set of lanes carries a number and a fingerprint; another
fingerprint (other kinds, another analysis) means a new set is built aside and swapped in within one transaction.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType

from dowse.engines.sqlite import merging
from dowse.engines.sqlite.checking import begun, ended
from dowse.engines.sqlite.columns import Attributes, write_attributes
from dowse.engines.sqlite.documents import Document, make_document
from dowse.engines.sqlite.driver import Connection, stem_words, value
from dowse.engines.sqlite.ground import DELETED, LIVE, PLACEHOLDER
from dowse.engines.sqlite.preparing import Prepared
from dowse.model.declaring import dataclass
from dowse.model.record import Record
from dowse.model.schema import COLUMNS, Column, Schema
from dowse.text.seen import SeenWords, none_seen
from dowse.text.words import ANALYSIS_VERSION

# Past this many records in one write it is cheaper to say "every word changed" than to mark the words one by one.
_MARK_WORDS_UP_TO = 64
# Bumped when the tables below change their layout.
_LAYOUT_VERSION = 4


@dataclass(frozen=True, slots=True)
class Source:
    """An FTS5 table: its columns with their numbers, the fullest first. ``sparse``: a record with nothing there has no row."""

    table: str
    columns: tuple[tuple[int, str], ...]
    sparse: bool = False

    @property
    def instances(self) -> str:
        """The view of its postings, a row per occurrence."""
        return f"{self.table}_instances"


def _numbered(*columns: Column) -> tuple[tuple[int, str], ...]:
    return tuple((COLUMNS.index(column), str(column)) for column in columns)


@lru_cache(maxsize=8)
def _text_sources(number: int) -> tuple[Source, ...]:
    return (
        Source(f"lane{number}_words", _numbered(Column.BODY, Column.TITLE, Column.TAGS)),
        Source(f"lane{number}_alternates", _numbered(Column.ALTERNATES), sparse=True),
        Source(f"lane{number}_tail", _numbered(Column.TAIL, Column.TAIL_ALTERNATES), sparse=True),
    )


@lru_cache(maxsize=8)
def _name_sources(number: int) -> tuple[Source, ...]:
    return (Source(f"lane{number}_names", ((0, "name"), (1, "alternates"))),)


@dataclass(frozen=True, slots=True)
class Lanes:
    """The table names of one set of lanes."""

    number: int

    @property
    def text(self) -> tuple[Source, ...]:
        """The text lane. Columns that most surfaces weigh alike share a table: read together, nobody asks which is which."""
        return _text_sources(self.number)

    @property
    def names(self) -> tuple[Source, ...]:
        """The names lane."""
        return _name_sources(self.number)

    @property
    def vocabulary(self) -> str:
        return f"lane{self.number}_vocabulary"

    @property
    def contains(self) -> str:
        return f"lane{self.number}_contains"

    @property
    def columns(self) -> str:
        return f"lane{self.number}_columns"

    @property
    def in_pieces(self) -> tuple[str, ...]:
        """The tables that writes leave in pieces."""
        return (*(source.table for source in (*self.text, *self.names)), self.contains)


def fingerprint(schema: Schema) -> str:
    """Changes whenever the same records would make other lanes."""
    shape = sorted((name, [(f.name, f.column, f.named, f.ranked) for f in kind.fields]) for name, kind in schema.kinds.items())
    return f"{zlib.crc32(repr((_LAYOUT_VERSION, ANALYSIS_VERSION, COLUMNS, shape)).encode()):08x}"


def current(connection: Connection) -> Lanes | None:
    number = value(connection, "select value from meta where name = 'lanes'")
    # It becomes a part of names: whatever else stands there names no tables.
    return Lanes(number) if isinstance(number, int) and number >= 0 else None


def create(connection: Connection, lanes: Lanes) -> None:
    for source in (*lanes.text, *lanes.names):
        columns = ", ".join(name for _, name in source.columns)
        connection.execute(f"""
            create virtual table {source.table} using fts5({columns}, content='', contentless_delete=1, tokenize='ascii');
            create virtual table {source.instances} using fts5vocab({source.table}, instance);
        """)
    connection.execute(f"""
        create table {lanes.vocabulary} (
          id integer primary key, word text not null unique, stem text not null, changed integer not null
        ) strict;
        create index {lanes.vocabulary}_stem on {lanes.vocabulary} (stem);
        create virtual table {lanes.contains} using fts5(
          word, content='{lanes.vocabulary}', content_rowid='id', tokenize='trigram', detail='none', columnsize=0
        );
        create table {lanes.columns} (id integer primary key, changed integer not null, data blob not null) strict;
        create index {lanes.columns}_changed on {lanes.columns} (changed);
    """)


def tables(lanes: Lanes) -> tuple[str, ...]:
    """Every table of a set, in an order in which they can be dropped."""
    sources = [name for source in (*lanes.text, *lanes.names) for name in (source.instances, source.table)]
    return (*sources, lanes.contains, lanes.vocabulary, lanes.columns)


def numbers(connection: Connection) -> set[int]:
    """The sets of which there is any table, in use or not."""
    named = connection.execute("select name from sqlite_schema where type = 'table' and name glob 'lane[0-9]*_*'")
    return {int(number) for (name,) in named if (number := name[len("lane") :].partition("_")[0]).isdigit()}


def drop(connection: Connection, lanes: Lanes) -> None:
    for table in tables(lanes):
        connection.execute(f"drop table if exists {table}")
    # Of a set that was damaged there may be tables that its owner no longer knows.
    left = connection.execute("select name from sqlite_schema where type = 'table' and name glob ?", (f"lane{lanes.number}_*",))
    for (table,) in list(left):
        connection.execute(f"drop table {table}")


@dataclass(slots=True)
class LaneWriter:
    """Keeps one set of lanes in step with the records of one transaction."""

    connection: Connection
    lanes: Lanes
    schema: Schema
    generation: int
    known: SeenWords = field(default_factory=none_seen)
    """Words that the vocabulary has for certain."""

    def replace(
        self,
        before: Mapping[int, Record],
        after: Mapping[int, Record],
        parents: Mapping[str, int],
        made: Mapping[int, Prepared] = MappingProxyType({}),
    ) -> None:
        """Takes the old state of these records out and puts the new one in; an id missing in ``after`` is gone.

        ``made`` is what was made of them beforehand.
        """
        count = len(before) + len(after)
        merging.expect(self.connection, self.lanes.in_pieces, count)
        gone = [identity for identity, record in before.items() if _state(record) == LIVE]
        marking = count <= _MARK_WORDS_UP_TO
        touched: set[str] = set()
        if gone:
            for source in (*self.lanes.text, *self.lanes.names):
                self.connection.executemany(f"delete from {source.table} where rowid = ?", [(i,) for i in gone])
            if marking:
                touched.update(*(make_document(self.schema, before[identity]).words() for identity in gone))
        attributes: dict[int, Attributes | None] = {identity: None for identity in before if identity not in after}
        documents = {}
        labels = self._labels({name for record in after.values() for name in (record.kind, record.space)})
        for identity, record in sorted(after.items()):
            state = _state(record)
            length = name_length = 0
            prepared = made.get(identity)
            if state == LIVE:
                document = documents[identity] = prepared.document if prepared else make_document(self.schema, record)
                length, name_length = document.length, document.name_length
            attributes[identity] = Attributes(
                record.updated,
                labels[record.kind],
                labels[record.space],
                parents.get(record.parent or "", 0),
                length,
                name_length,
                state,
                ended(prepared.check if prepared else begun(record), record),
            )
        characters = self._insert(documents, touched if marking else None)
        write_attributes(self.connection, self.lanes.columns, self.generation, attributes)
        if not marking:
            self.connection.execute("insert or replace into meta values ('flushed', ?)", (self.generation,))
        merging.merge_after(self.connection, self.lanes.in_pieces, self.generation, count, characters)

    def _insert(self, documents: Mapping[int, Document], touched: set[str] | None) -> int:
        """Returns how many characters that were."""
        for source in self.lanes.text:
            places = [number for number, _ in source.columns]
            filled: list[tuple[int | str, ...]] = [
                (identity, *[item.columns[place] for place in places]) for identity, item in documents.items()
            ]
            self._insert_into(source, filled)
        for source in self.lanes.names:
            self._insert_into(source, [(identity, item.name, item.name_alternates) for identity, item in documents.items()])
        # All at once: a set a record would cost more than everything else here. Names are among the words of their columns.
        texts: list[str] = []
        for item in documents.values():
            texts += item.columns
        self._learn(texts)
        if touched is not None:
            touched.update(" ".join(texts).split())
            self.connection.executemany(
                f"update {self.lanes.vocabulary} set changed = ? where word = ?",
                [(self.generation, word) for word in sorted(touched)],
            )
        return sum(map(len, texts))

    def _insert_into(self, source: Source, filled: list[tuple[int | str, ...]]) -> None:
        names = ", ".join(name for _, name in source.columns)
        places = ", ".join("?" * (len(source.columns) + 1))
        kept = [row for row in filled if any(row[1:])] if source.sparse else filled
        self.connection.executemany(f"insert into {source.table} (rowid, {names}) values ({places})", kept)

    def _learn(self, texts: list[str]) -> None:
        """Adds words the vocabulary does not have yet, with their stems, to the vocabulary and its trigram table."""
        unknown = sorted(self.known.take(texts))
        if not unknown:
            return
        # A join through json_each is one statement for any number of words.
        new = [
            word
            for (word,) in self.connection.execute(
                f"select value from json_each(?) where not exists (select 1 from {self.lanes.vocabulary} where word = value)",
                (_json_list(unknown),),
            )
        ]
        if not new:
            return
        start = (value(self.connection, f"select max(id) from {self.lanes.vocabulary}") or 0) + 1
        stems = stem_words(self.connection, new)
        rows = [(start + at, word, stem, self.generation) for at, (word, stem) in enumerate(zip(new, stems, strict=True))]
        self.connection.executemany(f"insert into {self.lanes.vocabulary} (id, word, stem, changed) values (?, ?, ?, ?)", rows)
        self.connection.executemany(f"insert into {self.lanes.contains} (rowid, word) values (?, ?)", [row[:2] for row in rows])

    def _labels(self, names: set[str]) -> dict[str, int]:
        self.connection.executemany("insert or ignore into label (name) values (?)", [(name,) for name in sorted(names)])
        rows = self.connection.execute(
            "select name, id from label where name in (select value from json_each(?))", (_json_list(names),)
        )
        return dict(rows)


def rebuild(
    connection: Connection, schema: Schema, records: Iterator[tuple[int, Record]], generation: int, batch: int = 2000
) -> int:
    """Builds a new set of lanes aside and swaps it in. Runs inside one transaction: readers see the old set until it commits."""
    old = current(connection)
    # Beyond every set there is: what was left half-built, by whomever, is not in the way.
    lanes = Lanes(max([old.number if old is not None else 0, *numbers(connection)]) + 1)
    create(connection, lanes)
    writer = LaneWriter(connection, lanes, schema, generation)
    parents = dict(
        connection.execute("select key, id from record where key in (select parent from record where parent is not null)")
    )
    count = 0
    for chunk in _batched(records, batch):
        writer.replace({}, dict(chunk), parents)
        count += sum(_state(record) == LIVE for _, record in chunk)
    connection.execute(
        "insert or replace into meta values ('lanes', ?), ('fingerprint', ?), ('flushed', ?)",
        (lanes.number, fingerprint(schema), generation),
    )
    for number in sorted(numbers(connection) - {lanes.number}):
        drop(connection, Lanes(number))
    return count


def _state(record: Record) -> int:
    return DELETED if record.deleted else PLACEHOLDER if record.is_placeholder else LIVE


def _json_list(items: Iterable[str]) -> str:
    return json.dumps(list(items))


def _batched(records: Iterator[tuple[int, Record]], size: int) -> Iterator[list[tuple[int, Record]]]:
    chunk: list[tuple[int, Record]] = []
    for item in records:
        chunk.append(item)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
