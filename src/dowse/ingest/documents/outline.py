"""What is in a document, whatever its format? Sections under headings, with their examples, links and mentions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# What GitHub leaves out of an anchor: everything but letters, digits, underscores, hyphens and spaces.
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]+")


@dataclass(frozen=True, slots=True)
class Example:
    """A block of code. ``line`` and ``line_end`` are those of the whole block with its fences; 0 where there are no lines."""

    language: str
    code: str
    line: int = 0
    line_end: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """Where a text points. ``target`` as written; ``ref:name`` for a label that may stand in any file of the project."""

    target: str
    text: str = ""
    wiki: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, without its sub-sections. What stands before the first heading has level 0.

    ``text`` is as written, without blank lines around it; its last line is ``line_end``. Formats without lines have 0 for both.
    """

    title: str
    level: int
    trail: tuple[str, ...]
    """The titles of the headings above, outermost first."""
    anchor: str
    line: int = 0
    line_end: int = 0
    text: str = ""
    examples: tuple[Example, ...] = ()
    links: tuple[Link, ...] = ()
    mentions: tuple[str, ...] = ()
    """Code spans: what the text names in backticks."""
    labels: tuple[str, ...] = ()
    """Other names of the section, which links of the form ``ref:name`` mean."""

    @property
    def text_line(self) -> int:
        """The line the text begins on; 0 where there are no lines.

        >>> Section("Use", 1, (), "use", line=4, line_end=7, text="First.\\nSecond.").text_line
        6
        """
        return self.line_end - self.text.count("\n") if self.line_end else 0


@dataclass(frozen=True, slots=True)
class Outline:
    """A document. ``front`` is what its front matter says; ``problems`` are sentences for the user."""

    title: str
    front: Mapping[str, Any] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    problems: tuple[str, ...] = ()


def anchor_of(title: str) -> str:
    """The anchor GitHub gives a heading.

    >>> anchor_of("What's new in 2.0?")
    'whats-new-in-20'
    """
    return _NOT_IN_ANCHOR.sub("", title.strip().lower()).replace(" ", "-")
