"""What does a query name, and is a thing called so? Identifiers in questions, file names in words."""

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from dowse.text.words import compounds

# A part that marks an identifier: capitals inside (URLs is no name), underscores, or parts joined as code joins them.
_MARKED = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2}|\w_\w|\w\.\w|::|->|\w#\w")
# What a question marks as a name: `Log`, close(), the Error class, struct Frame.
_SAID_TO_BE_ONE = re.compile(
    r"`([A-Za-z_][\w.:]*)(?:\(\))?`|\b([A-Za-z_]\w*)\(\)"
    r"|\b([A-Z]\w*)\s+(?:class|struct|method|function|trait|enum|interface|module|macro|constructor|type)\b"
    r"|\b(?:class|struct|trait|enum|interface|macro)\s+([A-Z]\w*)"
)
# Whatever one of these two finds holds one of these signs; most questions hold none.
_MAY_NAME = re.compile(r"[A-Z`_.:#]|->|\(\)")
_JOINTS = re.compile(r"[.:#/\\]+|->")
_PUNCTUATION = "`'\"(),.?!:;<>[]{}"
_SHORTEST = 2
# What stands before such a word without being its name.
_ARTICLES = frozenset({"The", "This", "That", "Each", "Which", "What", "Any", "A", "An", "Every"})
# The words that many languages begin a definition with.
_DEFINES = (
    "class|struct|enum|trait|interface|type|def|fn|func|function|impl|mod|module|namespace|union|typedef|macro_rules!"
    "|const|static|let|var"
)
# Files that are called after their place, not after what they hold: their folder says that.
_PLACES = frozenset({"__init__", "index", "mod", "main", "lib", "package", "init", "readme"})
# Two words are forms of one when they share a beginning of this many letters and little follows it (retry, retries).
_BEGINNING = 4
_ENDING = 3
_OWN_ENDING = 2


# Several stages of one search ask.
@lru_cache(maxsize=64)
def names_in(text: str) -> tuple[str, ...]:
    """The identifiers a query holds, without what qualifies them. A single word is one, whatever it looks like.

    >>> names_in("Session"), names_in("how does res.redirect build the URL"), names_in("what is the Log class for, and `close`")
    (('Session',), ('redirect',), ('Log', 'close'))
    """
    words = text.split()
    if len(words) > 1 and not _MAY_NAME.search(text):
        return ()
    tokens = [token.strip(_PUNCTUATION) for token in words]
    if len(tokens) == 1:
        return tuple(_bare(tokens))
    said = [next(filter(None, found.groups())) for found in _SAID_TO_BE_ONE.finditer(text) if found[0].split()[0] not in _ARTICLES]
    return tuple(dict.fromkeys(_bare([*(token for token in tokens if _MARKED.search(token)), *said])))


def _bare(names: list[str]) -> list[str]:
    last = [[part for part in _JOINTS.split(name) if part][-1:] for name in names]
    return [part for parts in last for part in parts if len(part) >= _SHORTEST]


def defining(names: Collection[str]) -> re.Pattern[str]:
    """What finds a definition of one of these names in a text.

    >>> bool(defining(["Log"]).search("pub struct Log {")), bool(defining(["Log"]).search("let x = Log::new();"))
    (True, False)
    """
    return re.compile(rf"\b(?:{_DEFINES})(?:\s*<[^>\n]*>)?\s+(?:{'|'.join(map(re.escape, sorted(names)))})\b")


def file_words(path: str) -> tuple[str, ...]:
    """The words a file is called by; its folder's where the file is called after its place.

    >>> file_words("src/http/route_headers.go"), file_words("src/auth/index.ts"), file_words("SqlMapper.Async.cs")
    (('route', 'headers'), ('auth',), ('sql', 'mapper', 'async'))
    """
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem.lower() in _PLACES and folders:
        stem = folders[-1]
    return parts_of(stem)


def parts_of(text: str) -> tuple[str, ...]:
    """The words a text is made of, identifiers in parts, each once."""
    return tuple(dict.fromkeys(part for compound in compounds(text) for part in compound.parts))


def said_in(query: Collection[str]) -> Callable[[Collection[str]], float]:
    """Tells how much of a name a query says, in whatever form.

    >>> says = said_in({"routing", "header", "where", "retries"})
    >>> says(("route", "headers")), says(("retry", "limit"))
    (1.0, 0.5)
    """
    # Forms of one word begin alike; most words can so be told apart without comparing them, and each is compared once.
    begun: dict[str, list[str]] = {}
    for word in query:
        begun.setdefault(_beginning(word), []).append(word)
    known: dict[str, bool] = {}

    def is_said(word: str) -> bool:
        if word not in known:
            known[word] = any(_alike(word, other) for other in begun.get(_beginning(word), ()))
        return known[word]

    return lambda words: sum(map(is_said, words)) / len(words) if words else 0.0


def _beginning(word: str) -> str:
    """Two letters, which a word shares with its forms; of a single letter the only form is its plural."""
    return word[:2] if len(word) > 1 else word + "s"


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _BEGINNING:
        return shorter + "s" == longer
    shared = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    return shared >= _BEGINNING and len(longer) - shared <= _ENDING and len(shorter) - shared <= _OWN_ENDING
