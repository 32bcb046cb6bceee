"""Endpoints and deliveries of version 2, which had no lanes, are served by the present one."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.query import EventQuery
from serve_app.domain.webhook import AbandonReason, Attempt, DeliveryState, EndpointSecret, PauseReason, WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.store import open_sqlite
from tests.store.hooks import deliveries_of, emit, make_test_event, no_lane, resume, serve_lane
from tests.support import NOON, Clock
from tests.support.old_databases import make_old_database

ACCOUNT = Account(new_id(), Plan.FREE, NOON)
ACTIVE, PAUSED = new_id(), new_id()
EVENTS = [make_test_event(ACCOUNT.id) for _ in range(3)]
ATTEMPT = [to_micros(NOON), 0.5, 500, None, "no"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of version 2 with an active endpoint and a paused one."""
    path = make_old_database(tmp_path / "invoices.db", 2, has_rows=False)
    with sqlite3.connect(path) as connection:
        add(connection, "accounts", id=str(ACCOUNT.id), plan="free", created_at=to_micros(NOON))
        for id, reason in ((ACTIVE, None), (PAUSED, "by hand, for a test")):
            add_old_endpoint(connection, id, reason)
        add_old_deliveries(connection)
    connection.close()
    return path


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    store = open_sqlite(path, slots=8, clock=Clock())
    yield store
    await store.connection.close()


def add(connection: sqlite3.Connection, table: str, **values: object) -> None:
    names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)  # noqa: S608


def add_old_endpoint(connection: sqlite3.Connection, id: UUID, reason: str | None) -> None:
    add(
        connection,
        "endpoints",
        id=str(id),
        account_id=str(ACCOUNT.id),
        url="https://example.com",
        types=json.dumps(["invoice.completed"]),
        secrets=json.dumps([["sealed", None]]),
        created_at=to_micros(NOON),
        paused_reason=reason,
        revision=3,
    )


def add_old_deliveries(connection: sqlite3.Connection) -> None:
    rows = ((ACTIVE, "pending", 0, None), (ACTIVE, "delivered", None, None), (PAUSED, "abandoned", None, "gone"))
    for logged, (endpoint, state, due, reason) in zip(EVENTS, rows, strict=True):
        common = {"account_id": str(ACCOUNT.id), "created_at": to_micros(NOON)}
        event = {"id": logged.id, "type": logged.type, "invoice_id": str(new_id()), "payload": logged.payload}
        add(connection, "events", **common, **event)
        delivery = {"id": str(new_id()), "endpoint_id": str(endpoint), "event_id": logged.id, "state": state}
        done = {"next_attempt_at": due, "abandoned_reason": reason, "attempts": json.dumps([ATTEMPT])}
        add(connection, "deliveries", **common, **delivery, **done, event_type=logged.type)


async def test_endpoints_are_as_they_were(store: Store) -> None:
    active, paused = await store.endpoints.of_account(ACCOUNT.id)
    assert active == WebhookEndpoint(
        id=ACTIVE,
        account_id=ACCOUNT.id,
        url="https://example.com",
        types=(EventType.COMPLETED,),
        secrets=(EndpointSecret("sealed"),),
        created_at=NOON,
        revision=3,
    )
    assert (paused.id, paused.paused_reason) == (PAUSED, PauseReason.BY_HAND)
    assert await store.endpoints.with_unnotified_owner(10) == []


async def test_the_account_has_no_address_and_can_get_one(store: Store) -> None:
    assert await store.accounts.get(ACCOUNT.id) == ACCOUNT
    assert await store.accounts.set_email(ACCOUNT.id, "owner@example.com")


async def test_the_log_stays(store: Store) -> None:
    made = {delivery.event_id: delivery for delivery in await deliveries_of(store, ACCOUNT)}
    assert [made[event.id].state for event in EVENTS] == [
        DeliveryState.PENDING,
        DeliveryState.DELIVERED,
        DeliveryState.ABANDONED,
    ]
    assert made[EVENTS[2].id].abandoned_reason is AbandonReason.ENDPOINT_PAUSED
    assert made[EVENTS[1].id].attempts == (Attempt(NOON, 0.5, 500, None, "no"),)
    assert len((await store.events.page(ACCOUNT.id, EventQuery(), 10)).items) == 3


async def test_what_waited_is_delivered_and_so_is_what_comes(store: Store) -> None:
    reached = Counter[UUID]()
    while await serve_lane(store, reached):
        pass
    assert len(reached) == 1
    await emit(store, ACCOUNT)
    assert await serve_lane(store, reached)
    assert len(reached) == 2
    assert await no_lane(store)


async def test_a_paused_endpoint_can_be_resumed_and_gets_what_was_abandoned(store: Store) -> None:
    (_, paused) = await store.endpoints.of_account(ACCOUNT.id)
    await resume(store, paused)
    assert await store.deliveries.redeliver_abandoned(ACCOUNT.id, NOON) == 1
    reached = Counter[UUID]()
    while await serve_lane(store, reached):
        pass
    assert len(reached) == 2
