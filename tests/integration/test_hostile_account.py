"""What one account sends does not stop the calls of another."""

import asyncio
import base64
import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from serve_app.domain.account import Plan
from serve_app.store.factory import open_store
from serve_app.wiring.accounts import build_accounts
from tests.integration.conftest import Service

pytestmark = pytest.mark.ray

PATH = "/v1/invoices"
EMPTY_MEMBERS = gzip.compress(b"") * 750_000
"""15 MB of gzip that contain nothing."""
STALL_SECONDS = 30
"""Far more than a create takes on a busy machine, far less than what the attack once took."""


class _Gzip(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(EMPTY_MEMBERS)))
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(EMPTY_MEMBERS)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def hostile_url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Gzip)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/a.pdf"
    server.shutdown()
    server.server_close()
    thread.join()


async def key_of_another_account(service: Service) -> str:
    store = open_store(service.settings)
    accounts = build_accounts(store)
    account = await accounts.create_account(Plan.UNLIMITED)
    _, raw = await accounts.create_key(account.id, "hostile")
    await store.connection.close()
    return raw


def large_body() -> dict[str, str]:
    document = b"\xff\xd8\xff" + os.urandom(14 * 2**20)
    return {"file_name": "a.jpg", "file_base64": base64.b64encode(document).decode()}


async def test_creates_are_answered_while_another_account_attacks(service: Service, hostile_url: str) -> None:
    """Six documents of gzip that is empty, and six large ones, at once."""
    bearer = {"Authorization": f"Bearer {await key_of_another_account(service)}"}
    bodies = [*({"file_url": hostile_url} for _ in range(6)), *(large_body() for _ in range(6))]
    limits = httpx.Limits(max_connections=None)
    answered = 0
    async with (
        service.client() as client,
        httpx.AsyncClient(base_url=service.url, headers=bearer, timeout=120, limits=limits) as hostile,
    ):
        attack = asyncio.gather(*(hostile.post(PATH, json=body) for body in bodies))
        while not attack.done():
            async with asyncio.timeout(STALL_SECONDS):
                assert (await client.post(PATH, files=service.upload())).status_code == 202
            answered += 1
        statuses = [answer.status_code for answer in await attack]
    assert statuses == [422] * 6 + [202] * 6
    # How many depends on how long the attack takes; the first may have come before it.
    assert answered > 1
