"""What the page's tests start from: a browser, a workspace worth looking at, and records that mean harm."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from dowse.app.workspace import Workspace

ROOT = Path(__file__).resolve().parents[3]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SWITCHES = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
# Each would set the flag if the page ever took it for markup.
_HARM = "globalThis.harmed = true"
HARMFUL: tuple[dict[str, Any], ...] = (
    {
        "key": "evil-page",
        "kind": "page",
        "title": f"Poisoned <script>{_HARM}</script><img src=x onerror='{_HARM}'>",
        "content": f"poisoned <img src=x onerror='{_HARM}'> <script>{_HARM}</script>\n\n"
        f"[click](javascript:{_HARM}) ![pixel](https://elsewhere.example/pixel.png) <a href='javascript:{_HARM}'>raw</a>\n\n"
        f"[[Home<img src=x onerror='{_HARM}'>]]\n\n```html\n</code></pre><script>{_HARM}</script>\n```\n",
        "tags": [f"<b onclick='{_HARM}'>tag</b>"],
        "space": "<i>space</i>",
    },
    {
        "key": "evil:src/<script>.py#poisoned",
        "kind": "symbol",
        "title": "poisoned_call",
        "path": "src/<img src=x onerror=alert(1)>.py",
        "signature": f"def poisoned_call(a='</span></td><script>{_HARM}</script>')",
        "body": f"return '</div></pre></code><img src=x onerror={_HARM}>'  # poisoned </mark><script>{_HARM}</script>",
        "language": "python",
        "symbolKind": "function",
        "line": 1,
        "lineEnd": 2,
        "space": "<i>space</i>",
    },
)


def fill(workspace: Workspace, project: Path) -> None:
    """The sample, the search's own source as a project, and what means harm."""
    workspace.import_file(ROOT / "docs" / "sample.jsonl")
    shutil.copytree(ROOT / "src" / "dowse" / "search", project, ignore=shutil.ignore_patterns("__pycache__"))
    workspace.index(project, space="search", jobs=1)
    workspace.put(HARMFUL[0])
    workspace.put({**HARMFUL[1], "parent": workspace.put(kind="codefile", key="evil:src", title="x.py", path="src/x.py").key})


@contextmanager
def browsing() -> Iterator[Browser]:
    """The browser of this machine. Without one the page cannot be shown to work, so that is a failure."""
    found = next((place for name in _BROWSERS if (place := shutil.which(name))), None)
    if found is None:
        raise AssertionError(
            "The page is tested in a real browser and none was found. "
            "Install Chromium, with 'apt install chromium' or 'brew install --cask chromium'."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(_SWITCHES))
        yield browser
        browser.close()


class Watch:
    """What a page did that nobody asked for: requests elsewhere, errors, dialogs."""

    def __init__(self, page: Page, home: str) -> None:
        self._home = home
        self.addresses: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)
        page.on("dialog", lambda dialog: (self.errors.append(f"dialog {dialog.message}"), dialog.dismiss()))

    def _hear(self, message: ConsoleMessage) -> None:
        # A browser tells of every search that was refused; the page says so itself.
        is_refusal = "/page/search" in message.location["url"] and "status of 400" in message.text
        if message.type == "error" and not is_refusal:
            self.errors.append(message.text)

    @property
    def elsewhere(self) -> list[str]:
        return [address for address in self.addresses if not address.startswith((self._home, "data:"))]
