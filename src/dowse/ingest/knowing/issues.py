"""Which pieces of work does an export of issues hold?"""

import re
from dataclasses import dataclass, field

from dowse.domains import work
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import Keys
from dowse.ingest.knowing import beads, github
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.exports import LINED, rows
from dowse.ingest.knowing.issue import Issue
from dowse.ingest.knowing.loose import filled, tags
from dowse.ingest.knowing.mentions import defined, mentions, refer
from dowse.model.record import Record
from dowse.model.source import Definition, Reference

_NAMED = re.compile(r"issue|pull|ticket|bug|(?:^|[^a-z])prs?(?:[^a-z]|$)", re.IGNORECASE)


def fits(file: SourceFile) -> bool:
    """Whether the words of an issue stand in a JSON file; each object in it is looked at again."""
    if not file.path.lower().endswith((".json", *LINED)) or '"title"' not in file.text:
        return False
    return _is_beads(file) or ('"number"' in file.text and ('"state"' in file.text or _is_named(file)))


def read(file: SourceFile) -> Extract:
    found = _Found(file)
    for row in rows(file, found.problems):
        issue = github.issue(row, named=_is_named(file)) or beads.issue(row, at_home=".beads/" in f"/{file.path}")
        if issue is not None:
            found.add(issue)
    # What is wrong with a file that merely has the words of an issue is not for us to say.
    return found.extract() if found.issues or _is_named(file) or _is_beads(file) else Extract()


READER = DomainReader("issues", fits, read, replaces=False)


@dataclass(slots=True)
class _Found:
    file: SourceFile
    issues: dict[str, Issue] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, issue: Issue) -> None:
        if issue.id in self.issues:
            self.problems.append(f"{self.file.path}: the issue {issue.sign} is there twice; the first one counts")
        else:
            self.issues[issue.id] = issue

    def extract(self) -> Extract:
        parents = self._parents()
        prefixes = tuple(sorted({issue.id.rpartition("-")[0] for issue in self.issues.values()} - {""}))
        records: list[Record] = []
        defines: list[Definition] = []
        refers: list[Reference] = []
        for issue in self.issues.values():
            key = self._key(issue)
            records += [self._item(issue, parents.get(issue.id)), *self._notes(issue)]
            defines += defined(key, issue.id)
            refers += self._refers(issue, key, prefixes, parents)
        return Extract(tuple(records), tuple(defines), tuple(dict.fromkeys(refers)), tuple(self.problems))

    def _key(self, issue: Issue) -> str:
        return self.file.part(issue.id)

    def _item(self, issue: Issue, parent: str | None) -> Record:
        return Record(
            key=self._key(issue),
            kind="item",
            title=issue.title,
            fields=filled(summary=issue.summary, description=issue.description),
            space=self.file.space,
            parent=self._key(self.issues[parent]) if parent else None,
            tags=tags(issue.tags),
            facets={name: value for name, value in {**issue.facets, "path": self.file.path}.items() if value},
            updated=self.file.modified,
        )

    def _notes(self, issue: Issue) -> list[Record]:
        keys = Keys()
        made = []
        for note in issue.notes:
            facets = filled(noteKey=note.key, author=note.author, url=note.url, path=self.file.path)
            key = keys.take(work.note_key(self._key(issue), note.key))
            space, updated = self.file.space, self.file.modified
            made.append(Record(key, "note", "", {"body": note.body}, space, self._key(issue), (), facets, updated))
        return made

    def _refers(self, issue: Issue, key: str, prefixes: tuple[str, ...], parents: dict[str, str]) -> list[Reference]:
        said = [refer(key, kind, other) for kind, other in issue.links if other != issue.id]
        if issue.parent and issue.id not in parents:
            said.append(refer(key, "part_of", issue.parent))
        explicit = [reference for reference in said if reference is not None]
        named = {name for reference in explicit for name in reference.names} | {f"task:{parents.get(issue.id, '')}"}
        text = "\n".join((issue.title, issue.summary, issue.description, *(note.body for note in issue.notes)))
        # What a list of dependencies says is not said again by the sentence that mentions it.
        in_text = [made for made in mentions(key, text, issue.id, prefixes) if named.isdisjoint(made.names)]
        return [*explicit, *in_text]

    def _parents(self) -> dict[str, str]:
        """The parents that are in the file too. A circle of parents is opened, for a tree has none."""
        parents = {own: issue.parent for own, issue in self.issues.items() if issue.parent in self.issues and issue.parent != own}
        sound: set[str] = set()
        for start in self.issues:
            own = start
            way: dict[str, None] = {}
            while own in parents and own not in sound and own not in way:
                way[own] = None
                own = parents[own]
            if own in way:
                last = next(reversed(way))
                del parents[last]
                sign = self.issues[last].sign
                self.problems.append(f"{self.file.path}: the issue {sign} is its own ancestor; its parent was left out")
            sound.update(way)
        return parents


def _is_named(file: SourceFile) -> bool:
    return _NAMED.search(file.path.rpartition("/")[2]) is not None


def _is_beads(file: SourceFile) -> bool:
    if ".beads/" in f"/{file.path}":
        return True
    return file.path.lower().endswith(LINED) and '"status"' in file.text and '"issue_type"' in file.text
