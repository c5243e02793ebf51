import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from making_libraries import GUIDE, write

from dowse.errors import NotFound
from dowse.ingest.libraries.llms import llms

INDEX = """# Acme Rocket

> Rockets for everyone.

## Docs

- [Guide](docs/guide.md): how to fly
- [Page](page.html)
- [Gone](docs/gone.md)
- [Elsewhere](http://other.invalid/secret.md)
- [Out](../outside.md)
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Tests say nothing."""

    def do_GET(self) -> None:
        if self.path == "/away.md":
            self.send_response(302)
            self.send_header("Location", "http://other.invalid/secret.md")
            self.end_headers()
        else:
            super().do_GET()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write(tmp_path, {"outside.md": "# Outside\n"})
    page = "<h1>Page</h1><p>It is a page of the rocket.</p>"
    return write(tmp_path / "site", {"llms.txt": INDEX, "docs/guide.md": GUIDE, "page.html": page})


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_file_leads_to_the_documents_beside_it_and_to_nothing_outside(site: Path) -> None:
    material = llms(str(site / "llms.txt"))
    assert (material.name, material.title, material.description) == ("acme-rocket", "Acme Rocket", "Rockets for everyone.")
    assert [file.path for file in material.editions[0].files] == ["docs/guide.md", "llms.txt", "page.html"]
    assert {problem.path for problem in material.problems} == {"docs/gone.md", "../outside.md"}


def test_an_address_leads_to_the_documents_on_its_host_alone(address: str) -> None:
    material = llms(f"{address}/llms.txt")
    files = {file.path: file for file in material.editions[0].files}
    assert sorted(files) == ["docs/guide.md", "llms.txt", "page.html"]
    assert files["docs/guide.md"].load() == GUIDE.encode()
    assert {problem.path for problem in material.problems} == {"docs/gone.md", "../outside.md"}


def test_a_redirection_to_another_host_is_not_followed(site: Path, address: str) -> None:
    (site / "llms.txt").write_text("# R\n\n- [Away](away.md)\n")
    (problem,) = llms(f"{address}/llms.txt").problems
    assert "leads to another host, other.invalid" in problem.text


def test_an_address_that_does_not_answer_is_told(address: str) -> None:
    with pytest.raises(NotFound, match="answers 404"):
        llms(f"{address}/none/llms.txt")
