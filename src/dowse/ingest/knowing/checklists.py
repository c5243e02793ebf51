"""Which pieces of work do the check lists of a Markdown file hold?"""

import re
from dataclasses import dataclass, field

from dowse.domains.pages import slug
from dowse.ingest.documents.assembling import lines_of
from dowse.ingest.documents.markdown import plain_heading
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import Keys, digest
from dowse.ingest.knowing import skills, taskfiles
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import filled, tags, unique
from dowse.ingest.knowing.mentions import defined, mentions, refer
from dowse.ingest.knowing.prose import inline_tags, is_markdown, outline_of, prose_lines
from dowse.ingest.knowing.statuses import priority_of
from dowse.model.record import Record
from dowse.model.source import Definition, Reference

_BOX = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[(?P<mark>[ xX/-])\][ \t]+(?P<text>\S.*)$", re.MULTILINE)
# How some tools count the boxes of a list; it is no part of what is to be done.
_COUNT = re.compile(r"^#\d+[.:]?[ \t]+(?=\S)")
# These say when the work of the whole file is done; they are found in its description.
_CRITERIA = re.compile(r"acceptance criteria|definition of done|success criteria", re.IGNORECASE)
_MARKS = {" ": ("queue", "open"), "x": ("terminal", "done"), "/": ("work", "doing"), "-": ("work", "doing")}
# In these, check lists are for whoever fills in a copy.
_TEMPLATE = re.compile(r"(?:issue|pull_request|merge_request)_template|(?:^|/)[^/]*templates?(?:/|\.)", re.IGNORECASE)
_TAB = 4
# A longer line is a text with a box before it; it is found as the description.
_LONGEST_TITLE = 300
# What people put beside a task: "!high", "(A)", or the signs of a plugin for tasks.
_LEVEL = re.compile(
    r"(?<!\S)!(?P<word>high|medium|low)\b|^\((?P<letter>[ABC])\)(?=\s)|(?P<sign>[🔺⏫🔼🔽⏬])\ufe0f?", re.IGNORECASE
)
_SIGNS = {"🔺": "high", "⏫": "high", "🔼": "medium", "🔽": "low", "⏬": "low"}
_PERSON = re.compile(r"(?<!\S)@([A-Za-z][\w-]*)(?![\w/.@])")
_LAST_TAGS = re.compile(r"(?:\s+(?:#[^\W\d_][\w/-]*|@[A-Za-z][\w-]*))+$")
_CODE = re.compile(r"`([^`\n]{1,300})`")
_OWN_ID = re.compile(r"(?:🆔\s*|(?<!\S)id:)([\w-]+)")
_WAITS = re.compile(r"(?:⛔\s*|\bblocked by\s+#)([\w-]+(?:,[\w-]+)*)", re.IGNORECASE)


def fits(file: SourceFile) -> bool:
    if not is_markdown(file) or skills.fits(file) or _TEMPLATE.search(file.path):
        return False
    return _BOX.search(file.text) is not None


def read(file: SourceFile) -> Extract:
    found = outline_of(file)
    top = file.key if taskfiles.fits(file) else None
    lists = _Lists(file, top)
    headings = {section.line: (*section.trail, section.title) for section in found.sections if section.level}
    # Boxes in code are examples, but code below a box is part of what is to be done.
    for number, (line, prose) in enumerate(zip(lines_of(file.text), prose_lines(file, found), strict=True), 1):
        if number in headings:
            lists.heading(headings[number])
        elif top is not None and lists.under and _CRITERIA.match(lists.under[-1]):
            continue
        elif box := _BOX.match(prose):
            lists.open(_width(box["indent"]), box["mark"].lower(), _COUNT.sub("", box["text"].strip()), number)
        else:
            lists.text(line)
    return lists.extract()


READER = DomainReader("check lists", fits, read, replaces=False)


@dataclass(slots=True)
class _Task:
    key: str
    parent: str | None
    indent: int
    mark: str
    written: str
    line: int
    under: tuple[str, ...]
    more: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Lists:
    """The lists of a file while its lines go by."""

    file: SourceFile
    top: str | None
    under: tuple[str, ...] = ()
    tasks: list[_Task] = field(default_factory=list)
    above: list[_Task] = field(default_factory=list)
    keys: Keys = field(default_factory=Keys)

    def heading(self, trail: tuple[str, ...]) -> None:
        self.under = trail
        self.above = []

    def open(self, indent: int, mark: str, written: str, number: int) -> None:
        while self.above and self.above[-1].indent >= indent:
            self.above.pop()
        parent = self.above[-1].key if self.above else self.top
        title = _title(written)
        key = self.keys.take(self.file.part(f"task/{slug(title) or digest(title)}"))
        self.above.append(_Task(key, parent, indent, mark, written, number, self.under))
        if len(written) > _LONGEST_TITLE:
            self.above[-1].more.append(written)
        self.tasks.append(self.above[-1])

    def text(self, line: str) -> None:
        """What is indented more than a task belongs to it; what is not ends its list."""
        if not line.strip():
            return
        while self.above and self.above[-1].indent >= _width(line):
            self.above.pop()
        if self.above:
            self.above[-1].more.append(line.strip())

    def extract(self) -> Extract:
        defines: list[Definition] = []
        refers: list[Reference] = []
        for task in self.tasks:
            said = "\n".join((task.written, *task.more))
            own = _OWN_ID.findall(said)
            defines += defined(task.key, *own)
            waits = [refer(task.key, "is_blocked_by", other) for hit in _WAITS.findall(said) for other in hit.split(",")]
            refers += [made for made in waits if made is not None]
            refers += mentions(task.key, said, *own[:1])
        return Extract(tuple(self._item(task) for task in self.tasks), tuple(defines), tuple(dict.fromkeys(refers)))

    def _item(self, task: _Task) -> Record:
        role, status = _MARKS[task.mark]
        said = "\n".join((task.written, *task.more))
        people = unique(_PERSON.findall(said))
        facets: dict[str, str | int] = {"role": role, "status": status, "path": self.file.path, "line": task.line}
        return Record(
            key=task.key,
            kind="item",
            title=_title(task.written),
            fields=filled(summary=" > ".join(task.under), description="\n".join(task.more)),
            space=self.file.space,
            parent=task.parent,
            tags=tags(inline_tags(said.split("\n")), people),
            facets={**facets, **filled(priority=_priority(task.written), assignee=people[0] if people else "")},
            updated=self.file.modified,
        )


def _title(written: str) -> str:
    """
    >>> _title("(A) **Fix** the [login](a.md) #bug page !high #web @ann")
    'Fix the login bug page'
    """
    bare = _LAST_TAGS.sub("", " ".join(_LEVEL.sub("", written[:_LONGEST_TITLE]).split()))
    parts = _CODE.split(re.sub(r"(?<!\S)#(?=[^\W\d_])", "", bare))
    # What is code stays as it is; the text around it loses its markup, not its spaces.
    plain = "".join(part if number % 2 else _unmarked(part) for number, part in enumerate(parts)).strip()
    return plain or written[:_LONGEST_TITLE].strip()


def _unmarked(part: str) -> str:
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{plain_heading(part)}{after}" if part.strip() else part


def _priority(written: str) -> str:
    said = _LEVEL.search(written)
    if said is None:
        return ""
    return _SIGNS.get(said["sign"] or "", "") or priority_of(said["word"] or said["letter"] or "") or ""


def _width(line: str) -> int:
    """How far a line is indented, in columns."""
    led = line[: len(line) - len(line.lstrip())].expandtabs(_TAB)
    return len(led)
