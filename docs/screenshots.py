"""How does the page look? Takes the pictures in docs/screenshots: ``python docs/screenshots.py``.

Needs ``dowse[serve]``, Playwright and a Chromium; shows the sample records and dowse's own source.
"""

import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

import dowse
from dowse.shells.http.app import App
from dowse.shells.http.serving import Server, listening

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "screenshots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"]
DESK, PHONE = (1280, 800), (390, 844)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: what is asked for, and what must be seen before it is taken."""

    name: str
    address: str
    ready: str
    scheme: str = "light"
    size: tuple[int, int] = DESK


TAKEN = (
    Picture("start", "/", ".hold"),
    Picture("results", "/?q=how+are+retries+capped", ".hit"),
    Picture("preview", "/?q=merge+marks+that+overlap&kind=symbol&open=dowse:text/excerpting.py%23merge", ".code.whole", "dark"),
    Picture("task", "/?q=retries&open=task-17", ".tree"),
    Picture("why", "/?q=how+are+retries+capped&open=retry-policy&view=why", ".bar-row"),
    Picture("graph", "/?q=fuse+the+lists&open=dowse:search/fuse.py%23fuse&view=graph", ".node", "dark"),
    Picture("status", "/?status", "#health .rows"),
    Picture("phone", "/?q=how+are+retries+capped", ".hit", size=PHONE),
)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    found = next((place for name in BROWSERS if (place := shutil.which(name))), None)
    if found is None:
        sys.exit("No browser was found. Install Chromium, then try again.")
    with serving() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=SWITCHES)
        for picture in TAKEN:
            take(browser, home, picture)
        browser.close()


def take(browser: Browser, home: str, picture: Picture) -> None:
    width, height = picture.size
    context = browser.new_context(base_url=home, viewport={"width": width, "height": height}, color_scheme=picture.scheme)  # type: ignore[arg-type]
    page = context.new_page()
    # Twice: the first time the server reads what it then keeps.
    page.goto(picture.address)
    expect(page.locator(picture.ready).first).to_be_visible()
    page.reload()
    expect(page.locator(picture.ready).first).to_be_visible()
    expect(page.locator("#pulse")).to_have_attribute("data-state", "fresh")
    page.screenshot(path=PICTURES / f"{picture.name}.png")
    context.close()


@contextmanager
def serving() -> Iterator[str]:
    """The sample and dowse's own source, on a free port."""
    folder = Path(tempfile.gettempdir()) / "dowse-screenshots"
    folder.mkdir()
    try:
        yield from _served(folder)
    finally:
        shutil.rmtree(folder)


def _served(folder: Path) -> Iterator[str]:
    with dowse.open(folder / "shown.dowse") as workspace:
        workspace.import_file(ROOT / "docs" / "sample.jsonl")
        project = folder / "dowse"
        shutil.copytree(ROOT / "src" / "dowse", project, ignore=shutil.ignore_patterns("__pycache__", "weights", "static"))
        for name in ("indexing.md", "meaning.md", "ranking.md"):
            shutil.copy2(ROOT / "docs" / name, project / name)
        workspace.index(project, space="dowse")
        server = Server(App(workspace))
        with listening("127.0.0.1", 0) as listener:
            thread = threading.Thread(target=server.run, args=([listener],))
            thread.start()
            try:
                yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            finally:
                server.should_exit = True
                thread.join()


if __name__ == "__main__":
    main()
