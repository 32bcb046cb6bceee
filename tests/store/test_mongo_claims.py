"""Claims of many processes at one moment, over a simulated server that lets each do one operation after the other."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import LaneRoom
from serve_app.store.base import Store
from serve_app.store.mongo.store import open_mongo
from tests.store.hooks import add_endpoint, add_test
from tests.store.mongo_faults import Fault, FaultyClient, Kind, background_done
from tests.support import LEASE, NOON, Clock, queue_new
from tests.support.mongomock import mock_client

DISPATCHERS, ROUNDS = 20, 3


@dataclass
class InTurns(Fault):
    """Every process does its next operation before any does the one after it."""

    async def do(self, operation: Callable[[], Awaitable[Any]], name: str, *where: Any) -> Any:
        await asyncio.sleep(0)
        self.count += 1
        return await operation()


async def test_dispatchers_that_claim_together_seldom_want_the_same_row() -> None:
    turns, client, clock = InTurns(), mock_client(), Clock()
    stores = [_opened(client, turns, clock) for _ in range(DISPATCHERS)]
    for _ in range(ROUNDS * DISPATCHERS):
        await queue_new(stores[0], await _account(stores[0]))
    await asyncio.gather(*(store.connection.ping() for store in stores))
    await background_done()
    claimed: list[UUID] = []
    for _ in range(ROUNDS):
        turns.count = 0
        found = await asyncio.gather(*(store.queue.claim_due_invoice(LEASE) for store in stores))
        claimed += [claim.invoice.id for claim in found if claim is not None]
    assert len(set(claimed)) == ROUNDS * DISPATCHERS
    # Three operations claim a row that nobody else wants. Were all to begin at the first row, it would be 13.
    assert turns.count < 9 * DISPATCHERS


async def test_one_dispatcher_claims_in_the_order_of_turns_after_it_had_competitors() -> None:
    turns, client, clock = InTurns(), mock_client(), Clock()
    stores = [_opened(client, turns, clock) for _ in range(4)]
    accounts = [await _account(stores[0]) for _ in range(60)]
    records = [await queue_new(stores[0], account_id, clock.now) for account_id in accounts]
    await asyncio.gather(*(store.queue.claim_due_invoice(LEASE) for store in stores))
    left = []
    # The last of them came too late for the first rows.
    while claim := await stores[-1].queue.claim_due_invoice(LEASE):
        left.append(claim.invoice.id)
    assert left[30:] == [record.invoice.id for record in records][-26:]


async def _account(store: Store) -> UUID:
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    return account.id


def _opened(client: Any, fault: Fault, clock: Clock) -> Store:
    return open_mongo("mongodb://nowhere/invoices", 1, clock, FaultyClient(client, fault))


async def test_lanes_that_are_claimed_before_the_connection_breaks_are_served() -> None:
    # The look, the first lane, and then not the second one.
    fault, client, clock = Fault(Kind.LOST_REQUEST, at=3), mock_client(), Clock()
    store = _opened(client, fault, clock)
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    endpoints = [await add_endpoint(store, account) for _ in range(3)]
    for endpoint in endpoints:
        await add_test(store, endpoint)
    await background_done()
    fault.arm()
    lanes = await store.lanes.claim(LEASE, slow=False, room=LaneRoom(3, 3))
    assert [lane.endpoint.id for lane in lanes] == [endpoints[0].id]
    fault.disarm()
    assert len(await store.lanes.claim(LEASE, slow=False, room=LaneRoom(3, 3))) == 2
