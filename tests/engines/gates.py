"""A gate before a node: TLS with certificates made for the test, and someone who asks who you are."""

import base64
import datetime
import http.client
import ipaddress
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = datetime.timedelta(days=1)
_PEM = serialization.Encoding.PEM


class Authority:
    """Signs certificates. Its own is what a client must trust."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _called(name)
        made = _certificate(self._name, self._name, self._key.public_key())
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(_PEM))

    def context(self, *, ended: int = -1) -> ssl.SSLContext:
        """For a server at 127.0.0.1; ``ended``: so many days ago."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _certificate(_called("node"), self._name, key.public_key(), until=-ended * _DAY)
        named = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        signed = made.add_extension(named, critical=False).sign(self._key, hashes.SHA256())
        path = self._folder / "node.pem"
        plain = serialization.NoEncryption()
        path.write_bytes(
            signed.public_bytes(_PEM) + key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, plain),
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _called(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, until: datetime.timedelta = _DAY
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    numbered = x509.CertificateBuilder().serial_number(x509.random_serial_number()).public_key(key)
    return numbered.subject_name(subject).issuer_name(issuer).not_valid_before(now - 10 * _DAY).not_valid_after(now + until)


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


@contextmanager
def gate(context: ssl.SSLContext, behind: tuple[str, int], admitted: Sequence[str]) -> Iterator[int]:
    """Passes on to a node what is sent by those it admits, by their header; gives its port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.headers.get("authorization") not in admitted:
                self._send(401, "text/plain", b"Unauthorized")
                return
            node = http.client.HTTPConnection(*behind, timeout=60)
            named = {"content-type": self.headers.get("content-type") or "application/json"}
            node.request(self.command, self.path, body or None, named)
            answer = node.getresponse()
            self._send(answer.status, answer.getheader("content-type") or "application/json", answer.read())
            node.close()

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _answer  # noqa: N815

        def log_message(self, format: str, *_: object) -> None:
            del format

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Who does not trust us hangs up in the middle of a sentence; that is what is tested."""
            del request, client_address

    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
