"""What does a file say? Its text, whatever encoding it is in, or the reason why it holds none worth reading."""

import codecs
import re
from dataclasses import dataclass

from dowse.ingest.recognising import is_document, recognise
from dowse.ingest.walking.entry import Reason

# The longer marks first: that of UTF-16 is how the one of UTF-32 begins.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# How formats begin that a short file of may pass for text.
_MAGIC = tuple(
    bytes.fromhex(start)
    for start in """89504e470d0a 474946383761 474946383961 ffd8ff 504b0304 504b0506 1f8b08 fd377a585a 377abcaf 526172211a 7f454c46
    4d5a9000 cafebabe cffaedfe 0061736d 213c617263683e0a d0cf11e0 28b52ffd 255044462d""".split()
)
# What no text has: control characters but for tab, newline, form feed, carriage return, backspace and escape.
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\b\t\n\f\r\x1b") + b"\x7f"
_MOST_CONTROL = 0.02
_HIGH = bytes(range(0x80, 0x100))
# A Western text has a few accents in each line. With more, it is in an encoding that nothing tells.
_MOST_HIGH = 0.4
# Of the bytes above ASCII in UTF-8, so many may be wrong; in any other encoding nearly all are.
_MOST_DAMAGE = 0.1
# Nearly any bytes are some characters of UTF-16, but of noise a tenth is for private use and some is none at all.
_ODD = re.compile("[\ue000-\uf8ff\ufffd-\uffff]")
_MOST_ODD = 0.05
_HEAD = 65_536

_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]{1,40})")
_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset[ \t]*=[ \t]*[\"']?([-\w.]{1,40})|<\?xml[^>]{0,200}?encoding[ \t]*=[ \t]*[\"']([-\w.]{1,40})",
    re.IGNORECASE,
)
# Python counts these among its encodings of text, but no file is in them.
_NO_FILE_ENCODING = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})
_SURROGATES = re.compile("[\ud800-\udfff]")

_SCRIPTS = (".js", ".mjs", ".cjs", ".css")
# People break lines long before this; a bundler puts a whole library on one.
_LONGEST_AVERAGE = 500
_SMALLEST_MINIFIED = 2000

# The sentence Go agreed on and its variants, and the word that many generators put into their first comment.
_GENERATED = re.compile(
    r"generated\b.{0,200}?\bdo\s+not\s+(?:hand-?)?(?:edit|modify)\b|\bdo\s+not\s+(?:edit|modify)\b.{0,120}?generated\b|^\W{1,6}\s*@generated\b",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_GENERATED_LINES = 12
_GENERATED_HEAD = 2000
# How a bundler ends what it made, however well it reads: with where the sources are. Nobody writes that by hand.
_MADE_FROM_SOURCES = re.compile(r"(?://|/\*)[#@] sourceMappingURL=\S+\s*(?:\*/)?\s*\Z")
_LAST_LETTERS = 300


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with ``\\n`` between its lines, or the reason why there is none. ``problems`` are for the user to read."""

    text: str = ""
    encoding: str = ""
    problems: tuple[str, ...] = ()
    reason: Reason | None = None
    detail: str = ""


def decode(data: bytes, path: str = "") -> Decoded:
    r"""The text in ``data``; ``path`` says which customs hold. Never raises, and the text is always valid Unicode.

    >>> decode(b"caf\xc3\xa9\r\n").text, decode(b"caf\xe9\n").text, decode(b"\x89PNG\r\n\x1a\n").reason.value
    ('café\n', 'café\n', 'binary')
    """
    decoded = _decode_marked(data) or _decode_wide(data) or _refuse_binary(data) or _decode_bytes(data, path)
    if decoded.reason is not None:
        return decoded
    text = decoded.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems = decoded.problems
    nuls = text.count("\0")
    if nuls:
        text = text.replace("\0", "")
        problems = (*problems, f"{_many(nuls, 'NUL character')} removed")
    reason, detail = _not_worth_reading(text, path)
    return Decoded("" if reason else text, decoded.encoding, problems, reason, detail)


def _decode_marked(data: bytes) -> Decoded | None:
    """By the mark that a file begins with."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _plausible(_tolerant(data[len(mark) :], encoding))
    return None


def _decode_wide(data: bytes) -> Decoded | None:
    """UTF-16 without a mark: in a text with Latin letters every other byte is a NUL."""
    head = data[:_HEAD]
    if len(head) < 4 or b"\0" not in head:
        return None
    half = len(head) // 2
    even, odd = head[0::2].count(0) / half, head[1::2].count(0) / half
    for mostly, hardly, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if mostly > 0.7 and hardly < 0.02:
            return _plausible(_tolerant(data, encoding))
    return None


def _plausible(decoded: Decoded) -> Decoded:
    """A mark may be chance: what follows must read like text as well."""
    head = decoded.text[:_HEAD]
    if len(_ODD.findall(head)) <= max(1, len(head) * _MOST_ODD) and _looks_like_text(head.encode()):
        return decoded
    return Decoded(reason=Reason.BINARY, detail="by its content")


def _refuse_binary(data: bytes) -> Decoded | None:
    if data.startswith(_MAGIC):
        return Decoded(reason=Reason.BINARY, detail="by its first bytes")
    return None if _looks_like_text(data) else Decoded(reason=Reason.BINARY, detail="by its content")


def _looks_like_text(data: bytes) -> bool:
    control = len(data) - len(data.translate(None, _CONTROL))
    # One stray NUL in a short file is a slip, not a format.
    return control <= max(1, len(data) * _MOST_CONTROL)


def _decode_bytes(data: bytes, path: str) -> Decoded:
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        declared = _declared(data, path)
    if declared:
        return _tolerant(data, declared)
    high = len(data) - len(data.translate(None, _HIGH))
    damaged = _tolerant(data, "utf-8")
    wrong = damaged.text.count("\ufffd") - data.count("\ufffd".encode())
    if wrong <= high * _MOST_DAMAGE or (wrong == 1 and high > 3) or _is_cut(data):
        return damaged
    if high > max(3, len(data) * _MOST_HIGH):
        return Decoded(reason=Reason.UNREADABLE, detail="neither UTF-8 nor Western text, and no encoding is declared")
    return _western(data)


def _western(data: bytes) -> Decoded:
    """The encoding of old Windows files, or its elder where that has no such character."""
    try:
        return Decoded(data.decode("cp1252"), "cp1252", ("not UTF-8, read as Windows-1252",))
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "latin-1", ("not UTF-8, read as Latin-1",))


def _is_cut(data: bytes) -> bool:
    """Whether only the last character is incomplete, as when a file was truncated."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, final=False)
    except UnicodeDecodeError:
        return False
    return True


def _declared(data: bytes, path: str) -> str:
    """The encoding that a file names itself, if there is such a one."""
    head = data[:2048]
    found: re.Match[bytes] | None = None
    if path.endswith((".py", ".pyw", ".pyi", ".rb")):
        found = next((match for line in head.split(b"\n")[:2] if (match := _COOKIE.match(line))), None)
    found = found or _CHARSET.search(head)
    name = (found[found.lastindex or 1]).decode("ascii", "replace") if found else ""
    return name if name and _is_text_encoding(name) else ""


def _is_text_encoding(name: str) -> bool:
    """Whether text that begins like ASCII may be in it: Python also knows rot13, base64 and zip by such names."""
    try:
        known = codecs.lookup(name).name.replace("-", "_")
        # What could be read byte by byte is not in UTF-16, and that it is no UTF-8 was found out before.
        return known not in _NO_FILE_ENCODING and not known.startswith("utf") and b"a".decode(known) == "a"
    except (LookupError, UnicodeError):
        return False


def _tolerant(data: bytes, encoding: str) -> Decoded:
    """The text with what cannot be read replaced and counted."""
    try:
        text = data.decode(encoding)
        problems: tuple[str, ...] = ()
    except UnicodeError:
        text = data.decode(encoding, "replace")
        broken = max(1, text.count("\ufffd"))
        problems = (f"{_many(broken, 'character')} not valid in {encoding}, replaced",)
    # Some codecs of other systems let lone surrogates through.
    if not text.isascii() and _SURROGATES.search(text):
        text = _SURROGATES.sub("\ufffd", text)
        problems = problems or (f"characters not valid in {encoding}, replaced",)
    return Decoded(text, encoding, problems)


def _not_worth_reading(text: str, path: str) -> tuple[Reason | None, str]:
    if path.lower().endswith(_SCRIPTS) and len(text) >= _SMALLEST_MINIFIED:
        average = len(text) // (text.count("\n") + 1)
        if average > _LONGEST_AVERAGE:
            return Reason.MINIFIED, f"lines of {average} characters"
    if path.lower().endswith(_SCRIPTS) and _MADE_FROM_SOURCES.search(text[-_LAST_LETTERS:]):
        return Reason.GENERATED, "its last line says where its sources are"
    # A generated reference is read by people like any other page.
    if is_document(recognise(path)):
        return None, ""
    head = "\n".join(text[:_GENERATED_HEAD].split("\n")[:_GENERATED_LINES])
    return (Reason.GENERATED, "it says so in its first lines") if _GENERATED.search(head) else (None, "")


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
