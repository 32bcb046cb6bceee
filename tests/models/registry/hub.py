"""Stands in for the Hugging Face Hub: one repository, as `huggingface_hub` asks for it."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

REPOSITORY = "acme/reader"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


class _Hub(BaseHTTPRequestHandler):
    files: Mapping[str, bytes]
    broken: str | None

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        path = urlsplit(self.path).path
        api, resolve = f"/api/models/{REPOSITORY}", f"/{REPOSITORY}/resolve/{COMMIT}/"
        if path in (api, f"{api}/revision/main", f"{api}/revision/{COMMIT}"):
            siblings = [{"rfilename": name} for name in self.files]
            self._send({}, json.dumps({"id": REPOSITORY, "sha": COMMIT, "siblings": siblings}).encode(), with_body)
        elif path.startswith(f"{api}/tree/"):
            tree = [{"type": "file", "path": name, "size": len(data), "oid": "0"} for name, data in self.files.items()]
            self._send({}, json.dumps(tree).encode(), with_body)
        elif path.startswith(resolve) and (name := path.removeprefix(resolve)) in self.files:
            data = self.files[name]
            headers = {"ETag": f'"{sha1(data, usedforsecurity=False).hexdigest()}"', "X-Repo-Commit": COMMIT}
            self._send(headers, data, with_body, is_broken=name == self.broken)
        else:
            self.send_error(404)

    def _send(self, headers: dict[str, str], body: bytes, with_body: bool, is_broken: bool = False) -> None:
        self.send_response(200)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body[: len(body) // 2] if is_broken else body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def hub_with(files: Mapping[str, bytes], broken: str | None = None) -> Iterator[str]:
    """The address of a hub with these files; the connection breaks off in the middle of the one that is `broken`."""
    handler = type("Hub", (_Hub,), {"files": files, "broken": broken})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
