"""Which language is a file written in? Told by its name, its extension, or how it begins."""

import re

# The languages whose definitions and calls are read.
CODE = frozenset(
    """python javascript typescript tsx java go rust c cpp csharp ruby php kotlin swift scala bash lua
    haskell elixir zig sql""".split()
)
# What people write to be read.
DOCUMENTS = frozenset("markdown mdx rst asciidoc text html notebook pdf".split())

_EXTENSIONS = {
    "python": "py pyi pyw py3 wsgi bzl",
    "javascript": "js mjs cjs jsx es6 jsm",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "java": "java",
    "go": "go",
    "rust": "rs",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hpp hh hxx h++ ipp inl tpp txx cu cuh ino ixx cppm",
    "csharp": "cs csx",
    "ruby": "rb rake gemspec ru podspec rbi rbw jbuilder thor",
    "php": "php phtml php3 php4 php5 php7 phps",
    "kotlin": "kt kts",
    "swift": "swift",
    "scala": "scala sc sbt",
    "bash": "sh bash zsh ksh bats ebuild",
    "lua": "lua rockspec luau",
    "haskell": "hs lhs hsc",
    "elixir": "ex exs",
    "zig": "zig zon",
    "sql": "sql psql pgsql mysql ddl dml tsql plsql pks pkb",
    "markdown": "md markdown mdown mkd mkdn mdwn mdc qmd rmd",
    "mdx": "mdx",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc asc",
    "text": "txt text",
    "html": "html htm xhtml shtml",
    "notebook": "ipynb",
    "pdf": "pdf",
    "ada": "ada adb ads",
    "assembly": "asm s nasm",
    "astro": "astro",
    "awk": "awk",
    "batch": "bat cmd",
    "bazel": "bazel",
    "bib": "bib",
    "clojure": "clj cljs cljc edn",
    "cmake": "cmake",
    "cobol": "cob cbl cpy",
    "coffeescript": "coffee",
    "commonlisp": "lisp lsp cl asd",
    "crystal": "cr",
    "css": "css",
    "csv": "csv",
    "cython": "pyx pxd pxi",
    "d": "d",
    "dart": "dart",
    "diff": "diff patch",
    "dockerfile": "dockerfile containerfile",
    "dot": "dot gv",
    "elisp": "el",
    "elm": "elm",
    "erb": "erb",
    "erlang": "erl hrl",
    "fish": "fish",
    "fortran": "f for f77 f90 f95 f03 f08",
    "fsharp": "fs fsi fsx",
    "gherkin": "feature",
    "glsl": "glsl vert frag comp",
    "graphql": "graphql gql graphqls",
    "groovy": "groovy gradle gvy",
    "handlebars": "hbs handlebars mustache",
    "haml": "haml",
    "hlsl": "hlsl",
    "http": "http",
    "ini": "ini cfg conf cnf properties desktop service",
    "jinja": "j2 jinja jinja2",
    "json": "json json5 jsonc webmanifest geojson avsc har",
    "jsonl": "jsonl ndjson",
    "julia": "jl",
    "less": "less",
    "liquid": "liquid",
    "log": "log",
    "makefile": "mk mak make",
    "mermaid": "mmd mermaid",
    "metal": "metal",
    "mojo": "mojo",
    "nim": "nim nims nimble",
    "nix": "nix",
    "objectivec": "m mm",
    "ocaml": "ml mli mll mly",
    "org": "org",
    "pascal": "pas pp lpr dpr",
    "perl": "pl pm pod t",
    "plantuml": "puml plantuml iuml",
    "po": "po pot",
    "powershell": "ps1 psm1 psd1",
    "prisma": "prisma",
    "prolog": "pro prolog",
    "protobuf": "proto",
    "pug": "pug jade",
    "puppet": "epp",
    "purescript": "purs",
    "r": "r rprofile",
    "racket": "rkt",
    "razor": "cshtml razor",
    "reason": "re rei",
    "roff": "man mdoc roff",
    "sass": "sass",
    "scheme": "scm ss sld",
    "scss": "scss",
    "slim": "slim",
    "smali": "smali",
    "solidity": "sol",
    "starlark": "star",
    "stylus": "styl",
    "svelte": "svelte",
    "svg": "svg",
    "systemverilog": "sv svh",
    "tcl": "tcl",
    "terraform": "tf tfvars hcl",
    "tex": "tex sty cls ltx",
    "textile": "textile",
    "thrift": "thrift",
    "toml": "toml",
    "tsv": "tsv tab",
    "twig": "twig",
    "v": "v vsh",
    "vala": "vala",
    "verilog": "vh",
    "vhdl": "vhd vhdl",
    "vim": "vim",
    "visualbasic": "vb vbs bas",
    "vue": "vue",
    "wat": "wat",
    "webvtt": "vtt srt",
    "wgsl": "wgsl",
    "xml": "xml xsd xsl xslt wsdl plist csproj fsproj vbproj props targets xaml resx storyboard xib rss atom nuspec dtd",
    "yaml": "yaml yml",
}
_NAMES = {
    "ruby": "rakefile gemfile guardfile vagrantfile podfile capfile brewfile fastfile appfile berksfile dangerfile .irbrc .pryrc",
    "python": "sconstruct sconscript wscript snakefile tiltfile",
    "bash": ".bashrc .bash_profile .bash_aliases .zshrc .zprofile .zshenv .profile pkgbuild apkbuild configure gradlew mvnw",
    "javascript": "jakefile",
    "dockerfile": "dockerfile containerfile",
    "makefile": "makefile gnumakefile bsdmakefile",
    "cmake": "cmakelists.txt",
    "just": "justfile .justfile",
    "groovy": "jenkinsfile",
    "bazel": "BUILD WORKSPACE module.bazel build.bazel workspace.bazel",
    "gomod": "go.mod go.work",
    "meson": "meson.build meson_options.txt meson.options",
    "text": """readme license licence copying notice authors contributors changelog changes history news install todo thanks
        maintainers credits version patents copyright""",
    "markdown": "llms.txt llms-full.txt",
    "codeowners": "codeowners",
    "requirements": "requirements.txt constraints.txt requirements-dev.txt requirements_dev.txt dev-requirements.txt",
    "procfile": "procfile",
    "ignore": ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .dowseignore .ignore .helmignore",
    "ini": ".editorconfig .gitconfig .gitmodules .flake8 .pylintrc .coveragerc .importlinter pylintrc pipfile.cfg",
    "gitattributes": ".gitattributes",
    "json": ".babelrc .eslintrc .prettierrc .stylelintrc .jshintrc .swcrc composer.lock pipfile.lock flake.lock",
    "yaml": ".clang-format .clang-tidy .yamllint yarn.lock .rubocop",
    "toml": "pipfile cargo.lock poetry.lock uv.lock",
    "vim": ".vimrc _vimrc",
    "nginx": "nginx.conf",
}
_INTERPRETERS = {
    "python": "python python2 python3 pypy pypy3 uv",
    "bash": "sh bash zsh ksh dash ash bats",
    "javascript": "node nodejs bun deno qjs",
    "typescript": "ts-node tsx",
    "ruby": "ruby jruby rake macruby",
    "php": "php",
    "lua": "lua luajit texlua",
    "perl": "perl",
    "elixir": "elixir iex",
    "haskell": "runhaskell runghc stack",
    "scala": "scala amm scala-cli",
    "kotlin": "kotlin kotlinc",
    "swift": "swift",
    "zig": "zig",
    "r": "rscript",
    "julia": "julia",
    "groovy": "groovy",
    "awk": "awk gawk mawk",
    "fish": "fish",
    "tcl": "tclsh wish expect",
    "clojure": "bb clojure",
    "erlang": "escript",
    "makefile": "make",
    "nix": "nix-shell",
    "powershell": "pwsh",
    "fsharp": "fsharpi",
    "crystal": "crystal",
    "ocaml": "ocaml",
    "racket": "racket",
    "dart": "dart",
}
# What editors call a language, where that is not our own word for it.
_EDITOR_WORDS = {
    "sh": "bash",
    "shell": "bash",
    "zsh": "bash",
    "shell-script": "bash",
    "c++": "cpp",
    "js": "javascript",
    "ts": "typescript",
    "cs": "csharp",
    "adoc": "asciidoc",
    "make": "makefile",
    "proto": "protobuf",
    "emacs-lisp": "elisp",
    "conf": "ini",
    "dosini": "ini",
}


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word: language for language, words in table.items() for word in words.split()}


_BY_EXTENSION = _by_word(_EXTENSIONS)
_BY_NAME = _by_word(_NAMES)
_BY_INTERPRETER = _by_word(_INTERPRETERS)
_LANGUAGES = CODE | DOCUMENTS | _EXTENSIONS.keys() | _NAMES.keys()

_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+([^\r\n]*))?")
_MODELINE = re.compile(
    rb"-\*-[ \t]*(?:.{0,200}?\bmode:[ \t]*)?([\w+-]+?)[ \t]*(?:;.{0,200})?-\*-|\bvim?:.{0,200}?\b(?:ft|filetype|syntax)=([\w+-]+)"
)
_C_COMMENTS = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
# What no C header has outside of its comments; `extern "C"` is in headers for both.
_SMELLS_OF_CPP = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w[\w \t]*[:;{]|(?:inline[ \t]+)?namespace\b|template[ \t]*<|using[ \t]+(?:namespace\b|\w+[ \t]*=)"
    rb"|(?:public|private|protected)[ \t]*:|virtual[ \t]|constexpr[ \t]|#[ \t]*include[ \t]*<[a-z_]+>)"
    rb"|\bstd::|\boperator[ \t]*[=<>+*(\[-]",
    re.MULTILINE,
)
_SMELLS_OF_OBJECTIVE_C = re.compile(rb"^[ \t]*(?:@(?:interface|protocol|class|import)\b|#import\b)", re.MULTILINE)
_BY_START = {
    b"<?php": "php",
    b"<!doctype html": "html",
    b"<html": "html",
    b"<!doctype ts": "xml",
    b"<?xml": "xml",
    b"%pdf-": "pdf",
    b".th ": "roff",
    b'.\\"': "roff",
}
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(" + b"|".join(re.escape(start) for start in _BY_START) + rb")", re.IGNORECASE)
# A table or a page below `tests/` is what tests read.
_TESTED = CODE | frozenset(
    "clojure coffeescript crystal dart elm erlang fsharp groovy julia nim objectivec ocaml perl r svelte vue".split()
)
_TEST_FOLDERS = frozenset("test tests __tests__ unittests androidtest integrationtest e2e cypress".split())
_TEST_NAME = re.compile(
    r"(?:test_.*|.*_(?:test|tests|spec|unittest)|.*[.-](?:test|spec|e2e|cy)|conftest|tests?|spec)\.[^.]+|.*\.(?:bats|phpt)"
)
# Elsewhere a folder of this name may hold a specification.
_SPEC_FOLDER = frozenset("ruby javascript typescript tsx lua php elixir haskell".split())
_CAMEL_CASE = frozenset("java kotlin scala groovy csharp swift php haskell c cpp objectivec fsharp".split())
_TEST_CLASS = re.compile(r"(?:Test[A-Z]\w*|\w*(?:Tests?|TestCase|Spec|Suite|Cest)|\w*[a-z0-9]IT)\.\w+")
_TEST_PROJECT = re.compile(r"\w[\w.]*(?:Tests|\.Test)")
# How much of a file is looked at; what gives it away stands near its beginning.
_HEAD = 8192


def recognise(path: str, head: bytes = b"") -> str:
    """The language of a file, by its name and how it begins; empty if neither tells.

    >>> recognise("src/app.tsx"), recognise("Rakefile"), recognise("tools/run", b"#!/usr/bin/env python3")
    ('tsx', 'ruby', 'python')
    """
    spelled = path.rpartition("/")[2]
    name = spelled.lower()
    head = head[:_HEAD]
    language = _BY_NAME.get(spelled) or _BY_NAME.get(name) or _by_extension(name)
    if language == "c" and name.endswith(".h"):
        return _header(head)
    # Translations have the extension of TypeScript, and an `install` may be a script as well as a text.
    if (language == "typescript" and _START.match(head)) or (language == "text" and "." not in name):
        return _by_head(head) or language
    return language or _by_prefix(name) or _by_head(head)


def is_code(language: str) -> bool:
    return language in CODE


def is_document(language: str) -> bool:
    return language in DOCUMENTS


def is_test(path: str, language: str) -> bool:
    """Whether a file tests others, by the customs of its language.

    >>> is_test("pkg/router_test.go", "go"), is_test("src/LatestNews.java", "java"), is_test("tests/README.md", "markdown")
    (True, False, False)
    """
    if language not in _TESTED:
        return False
    *folders, name = path.split("/")
    if any(folder.lower() in _TEST_FOLDERS for folder in folders) or _TEST_NAME.fullmatch(name):
        return True
    if language in _CAMEL_CASE:
        return bool(_TEST_CLASS.fullmatch(name)) or any(_TEST_PROJECT.fullmatch(folder) for folder in folders)
    return language in _SPEC_FOLDER and ("spec" in folders or "specs" in folders)


def _by_extension(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem:
        return ""
    found = _BY_EXTENSION.get(extension, "")
    # `page.html.j2` and `app.conf.erb` are templates, `settings.yml.example` is what it was before.
    if not found and extension in ("example", "sample", "template", "tmpl", "dist", "in", "orig", "default"):
        return _BY_NAME.get(stem) or _by_extension(stem)
    return found


def _by_prefix(name: str) -> str:
    """``Dockerfile.dev``, ``Makefile.am`` and ``README.old`` are what they begin with."""
    first = re.split(r"[.\-_]", name, maxsplit=1)[0]
    return (
        _BY_NAME[first]
        if first in ("dockerfile", "containerfile", "makefile", "jenkinsfile", "readme", "license", "changelog")
        else ""
    )


def _header(head: bytes) -> str:
    bare = _C_COMMENTS.sub(b"", head)
    if _SMELLS_OF_OBJECTIVE_C.search(bare):
        return "objectivec"
    return "cpp" if _SMELLS_OF_CPP.search(bare) or b"-*- C++ -*-" in head else "c"


def _by_head(head: bytes) -> str:
    shebang = _SHEBANG.match(head)
    if shebang:
        return _by_interpreter(shebang[1], shebang[2] or b"")
    lines = head.split(b"\n")
    # Editors look for such a line in the first and last few lines only.
    for line in (*lines[:3], *lines[-3:]):
        mode = _MODELINE.search(line)
        if mode:
            word = (mode[1] or mode[2]).decode("ascii", "replace").lower()
            return _EDITOR_WORDS.get(word, word if word in _LANGUAGES else "")
    start = _START.match(head)
    return _BY_START[start[1].lower()] if start else ""


def _by_interpreter(program: bytes, arguments: bytes) -> str:
    words = [program, *arguments.split()]
    names = [word.rpartition(b"/")[2].decode("ascii", "replace").lower() for word in words]
    if names[0] == "env":
        # `env -S deno run` and `env A=b python` name the program after options and settings.
        names = [name for name in names[1:] if not name.startswith("-") and "=" not in name] or [""]
    return _BY_INTERPRETER.get(names[0]) or _BY_INTERPRETER.get(names[0].rstrip("0123456789."), "")
