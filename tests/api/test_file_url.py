"""POST /v1/invoices with `file_url`."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import MONTH, PDF_BYTES

PATH = "/v1/invoices"
BAD = "invalid_request_error"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        bodies = {"/bill.pdf": PDF_BYTES, "/large": b"%PDF-" + bytes(2000), "/text": b"just text"}
        data = bodies.get(self.path)
        self.send_response(404 if data is None else 200)
        self.end_headers()
        self.wfile.write(data or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class TestOnAnAllowedNetwork:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"file_url_networks": "127.0.0.0/8"})

    async def test_the_file_is_fetched(self, client: httpx.AsyncClient, server: str) -> None:
        answer = await client.post(PATH, json={"file_url": f"{server}/bill.pdf"})
        assert answer.status_code == 202, answer.text
        assert answer.json()["file"] == {
            "name": "bill.pdf",
            "mime_type": "application/pdf",
            "size_bytes": len(PDF_BYTES),
        }

    async def test_the_name_given_wins_and_a_type_given_does_not(self, client: httpx.AsyncClient, server: str) -> None:
        body = {"file_url": f"{server}/bill.pdf", "file_name": "mine.png", "mime_type": "image/png"}
        file = (await client.post(PATH, json=body)).json()["file"]
        assert (file["name"], file["mime_type"]) == ("mine.png", "application/pdf")

    @pytest.mark.parametrize(
        ("path", "status", "code"),
        [
            ("/missing", 422, "file_url_unreachable"),
            ("/large", 413, "file_too_large"),
            ("/text", 415, "unsupported_file_type"),
        ],
    )
    async def test_what_cannot_be_taken_is_refused_and_costs_nothing(
        self,
        client: httpx.AsyncClient,
        server: str,
        store: Store,
        account: Account,
        path: str,
        status: int,
        code: str,
    ) -> None:
        assert_error(await client.post(PATH, json={"file_url": server + path}), status, BAD, code)
        assert await store.quotas.used(account.id, MONTH) == 0


@pytest.mark.parametrize(
    "url", ["http://example.com/a.pdf", "ftp://example.com/a", "a.pdf", "", "https://a:b@example.com/"]
)
async def test_only_a_plain_https_url_will_do(client: httpx.AsyncClient, url: str) -> None:
    assert_error(await client.post(PATH, json={"file_url": url}), 400, BAD, "invalid_parameter")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "0x7f.1", "[::1]", "169.254.169.254", "localhost"])
async def test_inner_addresses_are_out_of_reach(client: httpx.AsyncClient, server: str, host: str) -> None:
    port = server.rpartition(":")[2]
    answer = await client.post(PATH, json={"file_url": f"https://{host}:{port}/bill.pdf"})
    assert_error(answer, 422, BAD, "file_url_unreachable")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"file_url": 7}, "invalid_body"),
        ({"file_url": "https://example.com", "colour": "red"}, "invalid_body"),
        ({"file_url": "https://example.com", "file_base64": "QUJD", "file_name": "a"}, "invalid_body"),
        ({"file_url": None}, "invalid_body"),
    ],
)
async def test_a_bad_body_is_400(client: httpx.AsyncClient, body: dict[str, object], code: str) -> None:
    assert_error(await client.post(PATH, json=body), 400, BAD, code)
