"""How does an older workspace become a current one? Numbered steps, each in one transaction with its own mark."""

from dowse.engines.sqlite.driver import Connection, writing
from dowse.errors import NewerWorkspace

# Truth only. Lanes are derived from it and rebuilt, never migrated (see ``lanes``).
_MIGRATIONS: tuple[str, ...] = (
    """
    create table meta (name text primary key, value) without rowid;

    create table record (
      id integer primary key,
      key text not null unique,
      kind text not null,
      space text not null,
      parent text,
      title text not null,
      fields text not null,
      facets text not null,
      updated real not null,
      deleted integer not null,
      version integer not null
    ) strict;
    create index record_parent on record (parent) where parent is not null;

    create table tag (
      name text not null,
      record integer not null references record (id) on delete cascade,
      primary key (name, record)
    ) without rowid;
    create index tag_record on tag (record);

    create table facet (
      name text not null,
      value not null,
      record integer not null references record (id) on delete cascade,
      primary key (name, value, record)
    ) without rowid;
    create index facet_record on facet (record);

    create table edge (
      source text not null,
      kind text not null,
      target text not null,
      facets text not null,
      primary key (source, kind, target)
    ) without rowid;
    create index edge_target on edge (target, kind);

    create table label (id integer primary key, name text not null unique) strict;

    insert into meta values ('generation', 0), ('updated', 0.0);
    """,
    """
    create table source (
      id integer primary key,
      space text not null,
      path text not null,
      size integer not null,
      modified integer not null,
      digest text not null,
      reader text not null,
      settled integer not null,
      content blob not null,
      links blob not null,
      unique (space, path)
    ) strict;
    create index source_unsettled on source (space, path) where not settled;

    create table source_name (
      hash integer not null, role integer not null, source integer not null, primary key (hash, role, source)
    ) without rowid;
    """,
    # A passage's id is its place in the packed blocks. Its text is not kept: it follows from the record and the number.
    """
    create table passage (
      id integer primary key,
      record integer not null,
      number integer not null,
      digest blob not null,
      waiting integer not null
    ) strict;
    create index passage_record on passage (record);
    create index passage_digest on passage (digest);
    create index passage_waiting on passage (record, number, digest) where waiting;
    create table passage_free (id integer primary key) strict;

    create table sketch (id integer primary key, changed integer not null, data blob not null) strict;
    create index sketch_changed on sketch (changed);
    create table vector (id integer primary key, data blob not null) strict;
    """,
    # What is called so? Who types a name is answered from here.
    """
    create index record_title on record (title collate nocase);
    """,
    # Numbers of records that are gone, for new ones to take.
    """
    create table if not exists record_free (id integer primary key) strict;
    insert or ignore into record_free
      with recursive number (id) as (select 1 union all select id + 1 from number where id < (select max(id) from record))
      select id from number where id not in (select id from record);
    """,
    # Long texts are kept compressed (see ``rows``): the column takes bytes as well, and every text in it stays as it is.
    # The words of the declaration are all that changes, so not a row is written. A table that comes and goes tells every connection
    # that something did, and "reset" has this one read it again.
    """
    pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, 'fields text not null', 'fields any not null')
      where type = 'table' and name = 'record';
    create table packing (id integer primary key) strict;
    drop table packing;
    pragma writable_schema = reset;
    """,
    # Texts are kept with the facets from here on (see ``packing``). Which facets a record has is known from the record, so no index
    # needs to say it once more.
    """
    create table facet_kept (
      name text not null, value not null, record integer not null, primary key (name, value, record)
    ) without rowid;
    insert into facet_kept select name, value, record from facet order by name, value, record;
    drop table facet;
    alter table facet_kept rename to facet;
    """,
)


def migrate(connection: Connection, location: str) -> None:
    """Brings the workspace to the newest version; refuses one from the future."""
    refuse_newer(connection, location)
    for number in range(connection.pragma("user_version") + 1, len(_MIGRATIONS) + 1):
        with writing(connection):
            # Another process may have taken this step while we waited for the lock.
            if connection.pragma("user_version") < number:
                connection.execute(_MIGRATIONS[number - 1])
                connection.pragma("user_version", number)


def refuse_newer(connection: Connection, location: str) -> None:
    current, newest = connection.pragma("user_version"), len(_MIGRATIONS)
    if current > newest:
        raise NewerWorkspace(
            f"{location} was written by a newer dowse (format {current}; this one knows up to {newest}). Upgrade dowse to open it."
        )
