"""Lanes, deliveries and endpoints are different documents: whichever step a process dies at, and whoever comes in
between, what waits is delivered, and what is paused is not."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.webhook import AbandonReason, Delivery, DeliveryState, Lane, PauseReason, WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.base.webhooks import EndpointPaused
from serve_app.store.mongo.store import open_mongo
from tests.store.hooks import FAILED, REACHED, WELL, deliveries_of, make_test_event, serve_lane
from tests.store.mongo_faults import Crash, Fault, FaultyClient, Kind, background_done, patient
from tests.support import LEASE, MONTH, NOON, Clock, make_record
from tests.support.mongomock import mock_client
from tests.support.thorough import part_of

URL = "mongodb://nowhere/invoices"


class Service:
    """One process that delivers, and is told what to do with endpoints."""

    def __init__(self, client: Any, clock: Clock, account: Account) -> None:
        self.store: Store = open_mongo(URL, 8, clock, client)
        self.clock = clock
        self.account = account

    async def add_endpoint(self) -> WebhookEndpoint:
        endpoint = WebhookEndpoint(new_id(), self.account.id, f"https://example.com/{new_id()}", (), (), NOON)
        await self.store.endpoints.add(endpoint, at_most=1000)
        return endpoint

    async def emit(self) -> None:
        record = make_record(self.account.id, self.clock.now)
        await patient(lambda: self.store.intake.reserve(record, MONTH, None))
        await patient(lambda: self.store.intake.add(record))
        claim = await patient(lambda: self.store.queue.claim_due_invoice(LEASE))
        if claim is not None:
            await patient(lambda: self.store.queue.save_result(claim, Extraction(), self.clock.now))
        await patient(lambda: self.store.outbox.spread_pending(10))

    async def test(self, endpoint: WebhookEndpoint) -> None:
        with suppress(EndpointPaused):
            await patient(lambda: self.store.deliveries.add_test(make_test_event(self.account.id), endpoint.id))

    async def serve(self) -> None:
        """Of what is due for the next endpoint, one attempt reaches it, one fails, one is the last."""
        for lane in await patient(lambda: self.store.lanes.claim(LEASE, slow=False)) or []:
            await self._serve(lane)

    async def _serve(self, lane: Lane) -> None:
        claims = await patient(lambda: self.store.deliveries.claim_due(lane.endpoint.id, LEASE, 4)) or []
        for number, claim in enumerate(claims):
            await self._attempt(claim, number)
        await patient(lambda: self.store.lanes.release_lease(lane, WELL))

    async def _attempt(self, claim: Delivery, number: int) -> None:
        deliveries = self.store.deliveries
        writes: list[Callable[[], Awaitable[bool]]] = [
            lambda: deliveries.delivered(claim, REACHED),
            lambda: deliveries.retry(claim, FAILED, timedelta(seconds=2)),
            lambda: deliveries.abandon(claim, FAILED, AbandonReason.SCHEDULE_OVER),
            lambda: deliveries.hand_back(claim),
        ]
        await patient(writes[number])

    async def set_paused(self, endpoint: WebhookEndpoint, reason: PauseReason | None) -> None:
        present = await patient(lambda: self.store.endpoints.get(self.account.id, endpoint.id))
        if present is not None:
            await patient(lambda: self.store.endpoints.replace(replace(present, paused_reason=reason)))

    async def redeliver(self) -> None:
        """All that was abandoned, and one that arrived; nothing to a paused endpoint, as far as is known."""
        await patient(lambda: self.store.deliveries.redeliver_abandoned(self.account.id, NOON))
        made = await patient(lambda: deliveries_of(self.store, self.account)) or []
        endpoints = await patient(lambda: self.store.endpoints.of_account(self.account.id)) or []
        active = {endpoint.id for endpoint in endpoints if endpoint.is_active}
        arrived = [
            delivery.id
            for delivery in made
            if delivery.state is DeliveryState.DELIVERED and delivery.endpoint_id in active
        ]
        if arrived:
            with suppress(EndpointPaused):
                await patient(lambda: self.store.deliveries.redeliver(self.account.id, arrived[0]))

    async def recover(self) -> None:
        """The background work that nobody requests."""
        self.clock.advance(3600)
        await self.store.queue.repair()
        while (claim := await self.store.queue.claim_due_invoice(LEASE)) is not None:
            await self.store.queue.save_result(claim, Extraction(), self.clock.now)
        self.clock.advance(3600)
        while (await self.store.outbox.spread_pending(100)).invoices:
            pass
        await self.store.lanes.repair()
        while await serve_lane(self.store, Counter[UUID]()):
            pass


async def hold(client: Any, removed: WebhookEndpoint | None = None) -> None:
    """Everything that is to be delivered was; nothing is left of what was removed."""
    collections = client.get_database("invoices")
    endpoints = {row["_id"]: row for row in await collections.endpoints.find({}).to_list(None)}
    for endpoint in endpoints.values():
        assert not endpoint.get("unsettled"), endpoint
        # A lane whose holder died is claimed again once the endpoint is active.
        assert endpoint["paused_reason"] is not None or not endpoint.get("is_held"), endpoint
    rows = await collections.deliveries.find({}).to_list(None)
    for row in rows:
        assert row["state"] != DeliveryState.PENDING, row
        assert row["endpoint_id"] in endpoints
    assert all(count == 1 for count in Counter((row["event_id"], row["endpoint_id"]) for row in rows).values())
    if removed is not None:
        assert await collections.events.find({"test_of": str(removed.id)}).to_list(None) == []


async def a_day(service: Service, endpoints: list[WebhookEndpoint]) -> None:
    """A bit of everything; the last endpoint is removed at its end."""
    for _ in range(3):
        await service.emit()
    for endpoint in endpoints:
        await service.test(endpoint)
    await service.serve()
    await service.serve()
    await service.set_paused(endpoints[0], PauseReason.BY_HAND)
    await service.emit()
    await service.redeliver()
    await service.set_paused(endpoints[0], None)
    await service.redeliver()
    await service.set_paused(endpoints[1], PauseReason.GONE)
    await service.serve()
    await patient(lambda: service.store.endpoints.remove(service.account.id, endpoints[2].id))


async def day_with(fault: Fault) -> None:
    """A day on which the fault happens, and what came of it."""
    client: Any = mock_client()
    clock, account = Clock(), Account(new_id(), Plan.FREE, NOON)
    service = Service(FaultyClient(client, fault), clock, account)
    await service.store.accounts.add(account)
    endpoints = [await service.add_endpoint() for _ in range(3)]
    await background_done()
    fault.arm()
    with suppress(Crash):
        await a_day(service, endpoints)
    await fault.fail_over()
    heir = Service(client, clock, account)
    # What its owner does when a removal failed: the same once more.
    await heir.store.endpoints.remove(account.id, endpoints[2].id)
    await heir.recover()
    await hold(client, endpoints[2])


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(Kind))
async def test_what_waits_is_delivered_wherever_a_day_breaks_off(kind: Kind) -> None:
    quiet = Fault(kind)
    await day_with(quiet)
    assert len(quiet.strikes) > 50
    for at in part_of(quiet.strikes, list(Kind).index(kind)):
        try:
            await day_with(Fault(kind, at))
        except Exception as error:
            raise AssertionError(f"{kind.name} of operation {at}") from error


@pytest.mark.parametrize("seed", range(10))
async def test_what_waits_is_delivered_when_many_do_everything_at_once(seed: int) -> None:
    client: Any = mock_client()
    clock, account = Clock(), Account(new_id(), Plan.FREE, NOON)
    order = random.Random(seed)  # noqa: S311 - no secret
    services = [Service(FaultyClient(client, Fault(order=order)), clock, account) for _ in range(4)]
    await services[0].store.accounts.add(account)
    endpoints = [await services[0].add_endpoint() for _ in range(3)]
    await asyncio.gather(*(_work(service, endpoints, order) for service in services))
    await settle_and_hold(services[0], client, endpoints)


async def _work(service: Service, endpoints: list[WebhookEndpoint], order: random.Random) -> None:
    for _ in range(12):
        await _do_something(service, order.choice(endpoints), order)


async def _do_something(service: Service, endpoint: WebhookEndpoint, order: random.Random) -> None:
    reason = order.choice([PauseReason.BY_HAND, None, None])
    actions: list[Callable[[], Awaitable[object]]] = [
        service.emit,
        service.serve,
        service.serve,
        service.redeliver,
        service.store.lanes.repair,
        lambda: service.test(endpoint),
        lambda: service.set_paused(endpoint, reason),
    ]
    await order.choice(actions)()


async def settle_and_hold(service: Service, client: Any, endpoints: list[WebhookEndpoint]) -> None:
    """No clock moves and nothing is mended: each lane that has work is due, but for retries."""
    collections = client.get_database("invoices")
    for row in await collections.endpoints.find({}).to_list(None):
        due = await collections.deliveries.count_documents(
            {"endpoint_id": row["_id"], "state": "pending", "next_attempt_at": {"$lte": 0}}
        )
        if due and row["paused_reason"] is None:
            assert "due_at" in row, row
    for endpoint in endpoints:
        await service.set_paused(endpoint, None)
    while await serve_lane(service.store, Counter[UUID]()):
        pass
    await service.recover()
    await hold(client)
