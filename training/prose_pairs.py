"""Which headings and sentences of a document say what which of its sections is about?"""

import html
import json
import re
from collections.abc import Iterator

from training.code_pairs import Pair, first_sentence

SECTION_LIMIT = 1_200
SHORTEST = 100

# Headings that mean nothing without the title of the document.
BARE = re.compile(
    r"^(\W|\d)*(install\w*|usage|overview|introduction|description|examples?|notes?|licen[sc]e|authors?|see also|name"
    r"|synopsis|options|contributing|api|features|requirements|details|value|arguments|references|getting started"
    r"|quick ?start|background|summary|methods|index|contents|changes|bugs|history|acknowledg\w*)\W*$",
    re.I,
)

_HEADINGS = {
    "markdown": re.compile(r"^#{1,5}[ \t]+(.+?)[ \t#]*$|^([^\n#>|-].{2,80})\n(?:={3,}|-{3,})[ \t]*$", re.M),
    "rst": re.compile(r"^(?:([=~\-^\"'*+#`:.])\1{2,}\n)?([^\s.].{2,90})\n([=~\-^\"'*+#`:.])\3{2,}[ \t]*$", re.M),
    "adoc": re.compile(r"^={1,5}[ \t]+(.+)$", re.M),
    "org": re.compile(r"^\*{1,4}[ \t]+(.+)$", re.M),
    "texi": re.compile(
        r"^@(?:chapter|(?:sub)*section|unnumbered(?:sub)*(?:sec)?|appendix\w*|def\w+ \{[^}]*\}|defun)[ \t]+(.+)$", re.M
    ),
    "pod": re.compile(r"^=(?:head[1-4]|item)[ \t]+(.+)$", re.M),
    "man": re.compile(r"^\.\s*(?:SH|SS|Sh|Ss)[ \t]+\"?(.+?)\"?$", re.M),
    "html": re.compile(r"<h[1-5][^>]*>(.{2,160}?)</h[1-5]>", re.S | re.I),
}
_KIND = {
    **dict.fromkeys(("md", "markdown", "rmd", "qmd"), "markdown"),
    **dict.fromkeys(("txt", "rst"), "rst"),
    **dict.fromkeys(("adoc", "asciidoc"), "adoc"),
    **dict.fromkeys(("texi", "texinfo"), "texi"),
    **dict.fromkeys(("pod", "pm", "pl"), "pod"),
    **dict.fromkeys(("htm", "html"), "html"),
    "org": "org",
}
_MARKUP = {
    "html": re.compile(r"(?s)<(script|style|nav)\b.*?</\1>|<[^>]+>"),
    "man": re.compile(r"(?m)^\.\\\".*$|^\.\s?[A-Za-z]{1,3}\b[ \t]*|\\f.|\\&|\\-"),
    "texi": re.compile(r"(?m)^@\w+.*$|@\w+\{|\}"),
    "pod": re.compile(r"(?m)^=\w+.*$|[BCFILS]<+|>+"),
}
_R_PART = re.compile(r"^\\(name|title|description|details|value)\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", re.M)
_NOISE = re.compile(
    r"!?\[([^\]\n]*)\]\([^)\n]*\)|^\.\. [\w:-]+::.*$|^[=~\-^\"*+#`|]{3,}$|:\w+:`|<!--.*?-->|</?[a-z]+[^>\n]{0,80}>", re.M | re.S
)


def prose_pairs(path: str, text: str) -> Iterator[Pair]:
    ending = path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else "md"
    if ending == "rd":
        yield from _manual_of_r(text)
    elif ending == "ipynb":
        yield from _sections(path, _notebook(text), "markdown")
    elif ending in "12345678" or ending == "man":
        yield from _manual(path, text)
    elif ending in _KIND and (_KIND[ending] != "pod" or "\n=head1" in text):
        kind = _KIND[ending]
        yield from _sections(path, text, "markdown" if kind == "rst" and re.search(r"^#{1,3} \w", text, re.M) else kind)


def descriptions(text: str) -> Iterator[Pair]:
    """What the packages of a distribution say of themselves: one line, and at length."""
    for entry in text.split("\n\n"):
        match = re.search(r"Package: (\S+)\n(?:.*\n)*?Description-en: (.+)\n((?: .*\n?)+)", entry)
        if match:
            body = re.sub(r"^ \.?", "", match[3], flags=re.M).strip()
            if len(body) > SHORTEST:
                yield Pair("description", match[2], f"{match[1]}\n{body}"[:SECTION_LIMIT])


def glosses(text: str) -> Iterator[Pair]:
    """What the words of a dictionary mean: synonyms and gloss, example and gloss."""
    for match in re.finditer(r"^\[?\{ (.+?) \((.+)\) \}", text, re.M):
        # A comma and a space end a word of the entry; a comma and a sign, one it points to.
        names = [name.replace("_", " ").lower() for name in re.findall(r"([A-Za-z_'-]{3,})\d*,(?= |$)", match[1])]
        meaning, *examples = match[2].split('; "')
        if names and len(meaning) > 25:
            yield Pair("gloss", ", ".join(names), meaning)
            if examples:
                yield Pair("gloss", examples[0].strip(' "'), f"{', '.join(names)}: {meaning}")


def _sections(path: str, text: str, kind: str) -> Iterator[Pair]:
    headings = list(_HEADINGS[kind].finditer(text))[:120]
    title = ""
    for index, heading in enumerate(headings):
        name = _plain(next((group for group in reversed(heading.groups()) if group and len(group) > 1), ""), kind)
        end = headings[index + 1].start() if index + 1 < len(headings) else len(text)
        body = _plain(text[heading.end() : end][:3000], kind)
        title = title or name or path
        yield from section_pairs(title, name, body)


def section_pairs(title: str, name: str, body: str) -> Iterator[Pair]:
    """A section is asked for by its heading, and by its first sentence."""
    if len(body) < SHORTEST or not 2 < len(name) < 140:
        return
    asked = f"{title} {name}" if BARE.match(name) and title != name else name
    bare = bool(BARE.match(name)) and title == name
    if not bare:
        # The title stands in front of every other passage, as it does in an index; the heading itself would give the answer away.
        front = f"{title}\n" if title not in asked and len(body) % 2 else ""
        yield Pair("section", asked, (front + body)[:SECTION_LIMIT])
    sentence = first_sentence(body)
    rest = body[body.find(sentence.split(" ")[-1]) :] if sentence else ""
    if len(rest) > 2 * SHORTEST and len(sentence) > 30:
        yield Pair("opening", sentence, f"{name}\n{rest}"[:SECTION_LIMIT])


def _manual(path: str, text: str) -> Iterator[Pair]:
    if ".SH" not in text and ".Sh" not in text:
        return
    named = re.search(r"^\.S[Hh] \"?NAME\"?\n(.*?)^\.S[Hh]", text, re.M | re.S)
    described = re.search(r"^\.S[Hh] \"?DESCRIPTION\"?\n(.*?)(?:^\.S[Hh]|\Z)", text, re.M | re.S)
    if named and described:
        name, body = _plain(named[1], "man"), _plain(described[1][:3000], "man")
        line = re.split(r"\s-+\s|\\-", name, maxsplit=1)[-1]
        if len(body) > SHORTEST and len(line) > 12:
            yield Pair("manual", line, f"{path.rsplit('/', 1)[-1]}\n{body}"[:SECTION_LIMIT])
    for match in re.finditer(r"^\.(?:TP|It).*\n?(.{3,60})\n((?:(?!\.(?:TP|It|SH|Sh|SS)).*\n){2,12})", text, re.M):
        option, body = _plain(match[1], "man"), _plain(match[2], "man")
        sentence = first_sentence(body)
        if sentence and len(body) > 2 * SHORTEST:
            yield Pair("option", sentence, f"{option}\n{body[len(sentence) :]}"[:SECTION_LIMIT])
    yield from _sections(path, text, "man")


def _manual_of_r(text: str) -> Iterator[Pair]:
    parts = {match[1]: " ".join(re.sub(r"\\\w+\{|[{}]|\\", " ", match[2]).split()) for match in _R_PART.finditer(text)}
    body = " ".join(parts.get(part, "") for part in ("description", "details", "value"))
    if len(parts.get("title", "")) > 10 and len(body) > SHORTEST:
        yield Pair("manual", parts["title"], f"{parts.get('name', '')}\n{body}"[:SECTION_LIMIT])
    sentence = first_sentence(parts.get("description", ""))
    if sentence and len(parts.get("details", "")) > SHORTEST:
        yield Pair("manual", sentence, f"{parts.get('title', '')}\n{parts['details']}"[:SECTION_LIMIT])


def _notebook(text: str) -> str:
    try:
        cells = json.loads(text).get("cells", [])
    except (json.JSONDecodeError, AttributeError):
        return ""
    return "\n\n".join("".join(cell.get("source", "")) for cell in cells if isinstance(cell, dict))


def _plain(text: str, kind: str) -> str:
    if kind in _MARKUP:
        text = _MARKUP[kind].sub(" ", text)
    if kind == "html":
        text = html.unescape(text)
    text = _NOISE.sub(lambda match: match[1] or " ", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\s*\n\s*\n\s*", "\n\n", text)).strip()
