"""An event of a real service, at an independent receiver."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from aiohttp import web
from standardwebhooks import Webhook

from serve_app.store.factory import open_store
from serve_app.wiring.webhooks import build_webhooks
from tests.integration.conftest import Service, replica

pytestmark = pytest.mark.ray

# Until another replica is there.
AGAIN_WITHIN_S = 90
_END_LEASES = (
    "UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'pending'; UPDATE endpoints SET due_at = 0 WHERE is_held"
)


@dataclass
class Receiver:
    """What came, and the answers: the first `silent` posts get none until `let_go`."""

    silent: int = 0
    url: str = ""
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.BaseRequest) -> web.Response:
        body = await request.read()
        self.came.append(({name.lower(): value for name, value in request.headers.items()}, body))
        self.changed.set()
        if len(self.came) <= self.silent:
            await self.let_go.wait()
        return web.Response(text="thanks")

    async def posts(self, count: int) -> None:
        """Returns when this many have arrived."""
        while len(self.came) < count:
            self.changed.clear()
            await self.changed.wait()


@asynccontextmanager
async def receiving(silent: int = 0) -> AsyncIterator[Receiver]:
    receiver = Receiver(silent)
    runner = web.ServerRunner(web.Server(receiver.handle, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield receiver
    finally:
        receiver.let_go.set()
        await runner.cleanup()


@asynccontextmanager
async def registered(service: Service, url: str) -> AsyncIterator[str]:
    """The secret of an endpoint of the service's account, until the end of the block."""
    store = open_store(service.settings)
    endpoints = build_webhooks(store, service.settings).endpoints
    try:
        async with service.client() as client:
            account_id = UUID((await client.get("/v1/me")).json()["user_id"])
        endpoint, secret = await endpoints.register(account_id, url)
        try:
            yield secret
        finally:
            await endpoints.delete(account_id, endpoint.id)
    finally:
        await store.connection.close()


def end_leases(service: Service) -> None:
    """As if the half minute were over for which a replica claims deliveries."""
    with closing(sqlite3.connect(service.settings.database_url.removeprefix("sqlite:///"))) as connection:
        connection.executescript(_END_LEASES)


async def test_a_finished_document_is_reported_and_verified(service: Service) -> None:
    async with receiving() as receiver, registered(service, receiver.url) as secret, service.client() as client:
        invoice = (await client.post("/v1/invoices", params={"wait": True}, files=service.upload())).json()
        async with asyncio.timeout(30):
            await receiver.posts(1)
        ((headers, body),) = receiver.came
        event = Webhook(secret).verify(body, headers)
        (listed,) = (await client.get("/v1/events", params={"limit": 1})).json()["data"]
    assert event == listed
    assert event["data"]["invoice"] == invoice
    assert headers["webhook-id"] == event["id"]


async def test_what_a_killed_replica_had_sent_without_an_answer_is_sent_again(service: Service) -> None:
    async with receiving(silent=1) as receiver, registered(service, receiver.url) as secret:
        async with service.client() as client:
            await client.post("/v1/invoices", files=service.upload())
        async with asyncio.timeout(AGAIN_WITHIN_S):
            await receiver.posts(1)
            replica("Delivery").kill()
            end_leases(service)
            await receiver.posts(2)
    (first, body), (second, again) = receiver.came
    assert (first["webhook-id"], body) == (second["webhook-id"], again)
    Webhook(secret).verify(again, second)
