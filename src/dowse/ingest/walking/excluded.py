"""What does nobody want to find, even if no rule says so? What tools made, fetched or hid, and secrets."""

import re
from collections.abc import Container, Iterable

from dowse.ingest.walking.entry import Reason

Exclusion = tuple[Reason, str]

# These stay out whatever a rule says: their insides are the tools' own affair.
KEPT_BY_TOOLS = frozenset({".git", ".hg", ".svn", ".jj", ".bzr", "CVS", ".dowse"})

_FETCHED = frozenset(
    """node_modules bower_components jspm_packages site-packages Pods Carthage elm-stuff
    third_party third-party thirdparty vendored _vendor _vendored .bundle .yarn .pnpm-store .terraform""".split()
)
_MADE = frozenset(
    """__pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis .ipynb_checkpoints .eggs .gradle .idea .vs
    DerivedData .build .next .nuxt .svelte-kit .turbo .parcel-cache .angular .cache .nyc_output htmlcov lcov-report
    dist-newstyle .stack-work .zig-cache zig-cache zig-out .dart_tool .metals .bloop .elixir_ls .sass-cache __snapshots__""".split()
)
# Names that a person may use as well: they count only beside the file that tells what would have made them.
_JVM = ("pom.xml", "build.gradle", "build.gradle.kts", "build.sbt")
_PYTHON = ("pyproject.toml", "setup.py", "setup.cfg")
_BUILT = (*_JVM, *_PYTHON, "package.json", "CMakeLists.txt", "meson.build", "pubspec.yaml")
_MADE_BESIDE = {
    "target": ("Cargo.toml", "pom.xml", "build.sbt", "project.clj"),
    "build": _BUILT,
    "dist": (*_PYTHON, "package.json"),
    "out": (*_JVM, "package.json", "foundry.toml"),
    "coverage": ("package.json", "Gemfile", "composer.json", *_PYTHON),
    "_build": ("mix.exs", "dune-project", "conf.py", "Makefile"),
    "obj": (".csproj", ".fsproj", ".vbproj"),
    "bin": (".csproj", ".fsproj", ".vbproj"),
}
_FETCHED_BESIDE = {
    "vendor": ("go.mod", "composer.json", "Gemfile", "Cargo.toml"),
    "deps": ("mix.exs", "rebar.config"),
}
_MADE_FOLDER = re.compile(r"cmake-build-.*|.*\.egg-info|.*\.dist-info")

# Hidden, and yet written by people for people and agents.
_WELCOME = frozenset(
    """.ci .cargo .github .gitlab .gitlab-ci.yml .gitlab-ci.yaml .circleci .buildkite .forgejo .gitea .woodpecker .woodpecker.yml
    .travis.yml .appveyor.yml .drone.yml .azure-pipelines .azure-pipelines.yml
    .claude .cursor .cursorrules .windsurf .windsurfrules .clinerules .beads .tasks .backlog .notes .knowledge .memory
    .agents .codex .gemini .kiro .opencode .roo .mcp.json .devcontainer .devcontainer.json .vscode .husky .changeset .storybook
    .config .well-known .editorconfig .gitattributes .gitmodules .pre-commit-config.yaml .pre-commit-hooks.yaml .readthedocs.yaml
    .readthedocs.yml .importlinter .golangci.yml .golangci.yaml .goreleaser.yml .goreleaser.yaml .rubocop.yml .swiftlint.yml
    .clang-format .clang-tidy .rustfmt.toml .ruff.toml .flake8 .pylintrc .coveragerc .babelrc .stylelintrc .markdownlint.json
    .markdownlint.yaml .yamllint .codecov.yml .mergify.yml .tool-versions .python-version .nvmrc .ruby-version .vitepress
    .dockerignore .formatter.exs .credo.exs .scalafmt.conf .luacheckrc .stylua.toml""".split()
)
_WELCOME_START = (".eslintrc", ".prettierrc", ".releaserc", ".commitlintrc", ".lintstagedrc", ".swcrc", ".mocharc")

_SECRET = re.compile(
    r"""\.env(?:[._-].*|rc)? | \.netrc | _netrc | \.npmrc | \.pypirc | \.git-credentials | \.htpasswd | \.pgpass | \.my\.cnf
    | id_(?:rsa|dsa|ecdsa|ed25519) | .*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)
    | \.ssh | \.aws | \.gnupg | \.kube | credentials\.json | service[-_]account.*\.json""",
    re.VERBOSE | re.IGNORECASE,
)
# Few names hold a secret; these letters tell most of the others apart before the long expression is asked.
_SECRET_HINT = re.compile(r"^[._]|^id_|\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$|^credentials|^service", re.IGNORECASE)

_LOCKS = frozenset(
    """package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb poetry.lock pdm.lock uv.lock Pipfile.lock
    Cargo.lock go.sum go.work.sum Gemfile.lock composer.lock mix.lock pubspec.lock Podfile.lock Package.resolved flake.lock
    deno.lock    packages.lock.json gradle.lockfile conda-lock.yml .terraform.lock.hcl Manifest.toml stack.yaml.lock
    cabal.project.freeze""".split()
)
_MADE_FILE = tuple(
    """.map _pb2.py _pb2.pyi _pb2_grpc.py .pb.go .pb.gw.go .pb.cc .pb.h .pb.swift _pb.js _pb.d.ts .g.dart .freezed.dart
    .designer.cs .Designer.cs .g.cs .tsbuildinfo .snap .generated.ts .generated.js .generated.go""".split()
)
_MINIFIED = (".min.js", ".min.css", ".min.mjs", ".bundle.js", ".min.html", "-min.js")
_BINARY = frozenset(
    """png jpg jpeg gif bmp ico icns webp avif tif tiff psd ai eps heic raw xcf sketch fig
    mp3 wav ogg flac aac m4a mp4 mov avi mkv webm wmv mid
    zip gz tgz bz2 xz zst lz4 7z rar tar jar war ear whl egg gem nupkg deb rpm apk ipa dmg iso img cab msi crx xpi
    exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm node elc beam rlib rmeta ilk hi
    ttf otf woff woff2 eot
    db sqlite sqlite3 db3 mdb parquet feather arrow avro orc npy npz pkl pickle h5 hdf5 mat rds rdata pt pth onnx safetensors gguf
    tflite ckpt joblib bin
    doc docx xls xlsx ppt pptx odt ods odp pages numbers epub mobi
    swp swo ds_store blend fbx glb stl 3ds dwg""".split()
)


def excluded_folder(name: str, beside: Container[str], kinds: Container[str]) -> Exclusion | None:
    """Why a folder is left out. ``beside``: the names in its own folder; ``kinds``: how they end."""
    if name in _FETCHED:
        return Reason.VENDORED, "fetched, not written here"
    if name in _MADE or _MADE_FOLDER.fullmatch(name):
        return Reason.GENERATED, "made by a tool"
    for table, reason in ((_MADE_BESIDE, Reason.GENERATED), (_FETCHED_BESIDE, Reason.VENDORED)):
        for maker in table.get(name, ()):
            if maker in beside or maker in kinds:
                return reason, f"beside {maker}" if maker in beside else f"beside a {maker}"
    return _hidden(name)


def excluded_file(name: str) -> Exclusion | None:
    """Why a file is left out, by its name alone."""
    if name in _LOCKS:
        return Reason.GENERATED, "a lock file"
    ending = name.rpartition(".")[2].lower()
    if ending in _BINARY and ending != name.lower():
        return Reason.BINARY, f"by its name: .{ending}"
    if name.endswith(_MINIFIED):
        return Reason.MINIFIED, "by its name"
    if name.endswith(_MADE_FILE):
        return Reason.GENERATED, "by its name"
    return _hidden(name)


def excluded_by_content(names: Container[str]) -> Exclusion | None:
    """Why a folder is left out, by what lies in it: an environment, a cache, or a repository without a working tree."""
    if "pyvenv.cfg" in names or "conda-meta" in names:
        return Reason.VENDORED, "an environment"
    if "CACHEDIR.TAG" in names:
        return Reason.GENERATED, "a cache, by its CACHEDIR.TAG"
    if "HEAD" in names and "objects" in names and "refs" in names:
        return Reason.REPOSITORY, "a bare repository"
    return None


def is_secret(name: str) -> bool:
    """Whether a name is one that passwords and keys are kept under.

    >>> [is_secret(name) for name in (".env", ".env.local", "server.pem", "environment.py", "keys.py")]
    [True, True, True, False, False]
    """
    return _SECRET_HINT.search(name) is not None and _SECRET.fullmatch(name) is not None


def kinds_of(names: Iterable[str]) -> frozenset[str]:
    """How names end, with the dot."""
    return frozenset(f".{name.rpartition('.')[2]}" for name in names)


def _hidden(name: str) -> Exclusion | None:
    if name[0] != "." or name in _WELCOME or name.startswith(_WELCOME_START):
        return None
    return Reason.HIDDEN, ""
