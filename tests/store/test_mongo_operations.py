"""What a document costs on MongoDB, from its POST to its end or to the delivery of its event: counted by the driver's
own monitoring where there is a server, and by what is called where MongoDB is simulated."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import httpx
import pytest
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.batch import Section
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.delivery.attempt import Attempts
from serve_app.services.delivery.deliverer import Deliverer
from serve_app.services.delivery.lane import ServedLane
from serve_app.settings import Settings
from serve_app.store.base import Files
from serve_app.store.mongo.engine.client import database_name
from serve_app.store.mongo.store import open_mongo
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.services import build_services
from tests.services.delivery.conftest import SECRET, URL
from tests.services.delivery.receivers import Receivers
from tests.store.mongo_faults import Fault, FaultyClient, FaultyCollection
from tests.support import (
    NOON,
    PDF_BYTES,
    Clock,
    Extract,
    FakeCutter,
    FakeModels,
    FakeNotifier,
    FakeReader,
    FakeReconciler,
    interpreting,
)
from tests.support.databases import SERVER_URL
from tests.support.mongomock import mock_client
from tests.support.shared_api import api_of
from tests.support.until import until

_READS = frozenset({"find", "find_one", "aggregate", "distinct", "count_documents"})
_WRITES = frozenset({"insert", "update", "findAndModify", "delete"})
# Those of store.py, and the note of the schema's version.
_UPGRADES = 6
_SLOTS = 50


@dataclass
class Operations(Fault):
    """Lets nothing fail, and counts what the simulated server is asked to write."""

    writes: Counter[str] = field(default_factory=Counter)

    def asked(self, collection: FaultyCollection, name: str, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        if name not in _READS:
            self.writes[collection.name] += 1


class Commands(CommandListener):
    """Counts the commands that write to this database."""

    def __init__(self, database: str) -> None:
        self.writes = Counter[str]()
        self._database = database

    def started(self, event: CommandStartedEvent) -> None:
        if event.database_name == self._database and event.command_name in _WRITES:
            self.writes[event.command[event.command_name]] += 1

    def succeeded(self, event: CommandSucceededEvent) -> None:
        pass

    def failed(self, event: CommandFailedEvent) -> None:
        pass


@dataclass
class Deployment:
    """A service in this process, whose parts look for work when they are woken, and not by the clock."""

    settings: Settings
    files: Files
    client: Any
    writes: Counter[str]

    def __post_init__(self) -> None:
        self.clock = Clock()
        self.store = open_mongo(str(self.settings.database_url), _SLOTS, self.clock, self.client)
        self.sealer, self.receivers = Sealer([new_key()]), Receivers(self.clock)
        self.notifier, self.delivery = FakeNotifier(), FakeNotifier()
        args = self.store, self.files
        self.services = build_services(*args, self.notifier, FakeCutter(), FakeModels(), self.settings, self.clock)
        self.dispatcher = build_dispatcher(
            *args, FakeReader(), interpreting(FakeReconciler(_one_vendor())), self.settings, self.clock, self.delivery
        )
        attempts = Attempts(self.store, self.sealer, self.clock)
        self.deliverer = Deliverer(
            self.store,
            lambda lane: ServedLane(self.store, self.receivers, attempts, lane, max_inline_delay=timedelta()),
            _nobody,
            self.clock,
            poll_seconds=3600,
            maintenance_seconds=3600,
        )
        self.notifier.then, self.delivery.then = self.dispatcher.wake, self.deliverer.wake

    async def start(self, *, has_endpoint: bool) -> None:
        self.has_endpoint = has_endpoint
        account = Account(new_id(), Plan.PRO, NOON)
        await self.store.accounts.add(account)
        key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
        await self.store.keys.add(key)
        if has_endpoint:
            secrets = (EndpointSecret(self.sealer.seal(SECRET)),)
            await self.store.endpoints.add(WebhookEndpoint(new_id(), account.id, URL, (), secrets, NOON), at_most=9)
        self.header = {"Authorization": f"Bearer {raw}"}
        self.transport = httpx.ASGITransport(app=api_of(self.services))
        self.loops = [asyncio.create_task(loop.run()) for loop in (self.dispatcher, self.deliverer)]
        await self.take(1)

    async def stop(self) -> None:
        self.deliverer.stop()
        await self.dispatcher.stop()
        await asyncio.gather(*self.loops)
        await self.store.connection.close()

    async def take(self, documents: int) -> None:
        """From the POSTs, all at once, to the last thing that is written about them."""
        before = len(self.receivers.posts[URL])
        self.writes.clear()
        async with httpx.AsyncClient(transport=self.transport, base_url="http://service") as client:
            form = {"file": ("a.pdf", PDF_BYTES, "application/pdf")}
            posts = (client.post("/v1/invoices", files=form, headers=self.header) for _ in range(documents))
            answers = await asyncio.gather(*posts)
        assert {answer.status_code for answer in answers} == {202}
        ids = {UUID(answer.json()["id"]) for answer in answers}

        async def all_finished() -> bool:
            return await self.store.queue.finished_among(ids) == ids

        await until(all_finished, 60)
        await until(lambda: not self.has_endpoint or len(self.receivers.posts[URL]) >= before + documents)
        await asyncio.sleep(0.1)
        await self.deliverer.idle()
        await self.services.calls.flush()
        # The key's last use, once a minute.
        del self.writes["api_keys"]


def _one_vendor() -> Extract:
    numbers = iter(range(1000))

    def extract(*_: object) -> list[Section]:
        found = Extraction(vendor_name="ACME", invoice_number=f"R-{next(numbers)}", amount=Decimal(7))
        return [Section(1, 1, found)]

    return extract


async def _nobody() -> None:
    pass


@pytest.fixture(params=["mongomock", *(["mongodb"] if SERVER_URL else [])])
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def deployment(settings: Settings, files: Files, store_kind: str) -> AsyncIterator[Deployment]:
    slow = settings.model_copy(update={"poll_seconds": 3600.0, "housekeeping_seconds": 3600.0})
    if store_kind == "mongomock":
        operations = Operations()
        deployment = Deployment(slow, files, FaultyClient(mock_client(), operations), operations.writes)
    else:
        url = str(settings.database_url)
        commands = Commands(database_name(url))
        client = AsyncIOMotorClient[Any](url, tz_aware=True, event_listeners=[commands])
        deployment = Deployment(slow, files, client, commands.writes)
        await _bring_up_to_date(deployment, client[database_name(url)].upgrades)
    yield deployment
    await deployment.stop()


async def _bring_up_to_date(deployment: Deployment, upgrades: Any) -> None:
    """What a new process does once, in the background, to documents of earlier versions."""
    await deployment.store.accounts.get(new_id())

    async def all_written() -> bool:
        return bool(await upgrades.count_documents({}) >= _UPGRADES)

    await until(all_written, 60)


async def test_a_document_alone_costs_few_writes(deployment: Deployment) -> None:
    await deployment.start(has_endpoint=False)
    await deployment.take(1)
    assert deployment.writes.total() <= 11, deployment.writes


async def test_a_document_alone_and_its_delivery_cost_few_writes(deployment: Deployment) -> None:
    await deployment.start(has_endpoint=True)
    await deployment.take(1)
    assert deployment.writes.total() <= 18, deployment.writes


async def test_a_document_among_others_costs_fewer_writes_than_alone(deployment: Deployment) -> None:
    """How many events one delivery takes depends on time."""
    await deployment.start(has_endpoint=True)
    await deployment.take(20)
    of_delivery = sum(deployment.writes[name] for name in ("endpoints", "deliveries", "events", "endpoint_hours"))
    assert (deployment.writes.total() - of_delivery) / 20 <= 9, deployment.writes
    assert deployment.writes.total() / 20 <= 15, deployment.writes
