"""What language does an example say it is in?"""

import re

_ALIASES = {
    "bat": "batch",
    "c#": "csharp",
    "c++": "cpp",
    "cc": "cpp",
    "console": "bash",
    "cs": "csharp",
    "cjs": "javascript",
    "cts": "typescript",
    "ex": "elixir",
    "golang": "go",
    "hs": "haskell",
    "htm": "html",
    "ipython": "python",
    "ipython3": "python",
    "js": "javascript",
    "json5": "json",
    "jsonc": "json",
    "jsx": "javascript",
    "kt": "kotlin",
    "md": "markdown",
    "mjs": "javascript",
    "mts": "typescript",
    "node": "javascript",
    "plain": "text",
    "plaintext": "text",
    "ps1": "powershell",
    "py": "python",
    "py3": "python",
    "pycon": "python",
    "python3": "python",
    "pwsh": "powershell",
    "rb": "ruby",
    "rs": "rust",
    "sh": "bash",
    "shell": "bash",
    "shell-session": "bash",
    "shellscript": "bash",
    "terminal": "bash",
    "ts": "typescript",
    "txt": "text",
    "yml": "yaml",
    "zsh": "bash",
}
# "{code-block} python" is a directive with an argument; "{.python}" and "python,ignore" are a language with more.
_DIRECTIVE = re.compile(r"^\{(?:code-block|code-cell|code|sourcecode)\}\s*(\S*)")
_LANGUAGE = re.compile(r"^\{?\s*\.?([A-Za-z][\w+#.-]{0,30})")
_TITLE = re.compile(r"""\b(?:title|filename|caption)\s*=\s*(?:"([^"]{1,200})"|'([^']{1,200})'|(\S{1,200}))""")


def language_name(word: str) -> str:
    """The name dowse uses for a language.

    >>> [language_name(word) for word in ("Py", "c++", "nix", "")]
    ['python', 'cpp', 'nix', '']
    """
    word = word.strip().lower()
    return _ALIASES.get(word, word)


def fence_language(info: str) -> str:
    """The language of a fence by what stands behind its marks.

    >>> [fence_language(info) for info in ("js {1,3}", "rust,ignore", "{.python .numberLines}", "{code-block} c++", "{1-3}")]
    ['javascript', 'rust', 'python', 'cpp', '']
    """
    info = info.strip()
    directive = _DIRECTIVE.match(info)
    found = _LANGUAGE.match(directive[1] if directive else info)
    return language_name(found[1].rstrip(".-")) if found else ""


def fence_title(info: str) -> str:
    """The title a fence gives itself.

    >>> fence_title('js title="app.js" {2}')
    'app.js'
    """
    found = _TITLE.search(info[:1000])
    return next((group for group in found.groups() if group), "") if found else ""
