"""While MongoDB does not answer, callers are told so within seconds, however many there are."""

import asyncio
import signal
import time

import httpx

from actors.application import create_application
from serve_app.settings import Settings
from serve_app.store.base import Files
from serve_app.store.mongo.store import open_mongo
from serve_app.wiring.services import build_services
from tests.support import FakeCutter, FakeModels, FakeNotifier
from tests.support.wire_server import wire_server

# Each call may wait for five seconds; eight connections would need forty for all of them, one after the other.
CALLS, WITHIN_S = 60, 20.0


async def test_sixty_calls_at_once_do_not_wait_for_each_other(files: Files, settings: Settings) -> None:
    with wire_server() as (server, url):
        store = open_mongo(f"{url}/invoices", 8)
        app = create_application(build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings))
        transport = httpx.ASGITransport(app=app)
        headers = {"Authorization": "Bearer inv_live_" + "a" * 43}
        async with httpx.AsyncClient(transport=transport, base_url="http://service", headers=headers) as client:
            assert (await client.get("/v1/me")).status_code == 401
            server.send_signal(signal.SIGSTOP)
            answers = await asyncio.gather(*(_timed(client) for _ in range(CALLS)))
            assert {status for status, _ in answers} == {503}
            assert max(seconds for _, seconds in answers) < WITHIN_S
            server.send_signal(signal.SIGCONT)
            assert (await client.get("/v1/me")).status_code == 401
        await store.connection.close()


async def _timed(client: httpx.AsyncClient) -> tuple[int, float]:
    began = time.monotonic()
    answer = await client.get("/v1/me", timeout=None)
    return answer.status_code, time.monotonic() - began
