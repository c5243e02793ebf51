"""Which files may a link mean?"""

import posixpath
import re
from urllib.parse import unquote

from dowse.ingest.knowing.loose import unique

_ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]+:|//|#|\?|$)", re.IGNORECASE)


def file_names(path: str, link: str) -> tuple[str, ...]:
    """The names of what a link in the file at ``path`` points to, the most exact first; none if it is no file.

    >>> file_names("docs/adr/0007-x.md", "../guide.md#use")
    ('/docs/guide.md#use', '/docs/guide.md', '/guide.md')
    >>> file_names("docs/a.yaml", "b.md"), file_names("a.md", "https://example.org/b.md")
    (('/docs/b.md', '/b.md', 'b.md'), ())
    """
    if _ELSEWHERE.match(link.strip()):
        return ()
    target, _, fragment = link.strip().partition("#")
    target = unquote(target.partition("?")[0])
    here = posixpath.normpath(posixpath.join("/", posixpath.dirname(path), target))
    root = posixpath.normpath(f"/{target}")
    # Only a plain path may also mean a file that merely ends so; "../a" says where it is.
    anywhere = target if not target.startswith((".", "/")) else ""
    # A half of a surrogate pair can hide behind a percent sign.
    names = (f"{here}#{fragment}" if fragment else "", here, root, anywhere)
    return unique(name.encode("utf-8", "replace").decode() for name in names if name != "/")


def stem(path: str) -> str:
    """
    >>> stem("docs/adr/0007-use-x.md")
    '0007-use-x'
    """
    return posixpath.basename(path).rpartition(".")[0] or posixpath.basename(path)
