"""Documents and indexes that an earlier version made, which had no lanes, serve the present one."""

from collections import Counter
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.webhook import AbandonReason, Attempt, DeliveryState, EndpointSecret, PauseReason, WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.mongo.invoices.codec import new_row
from serve_app.store.mongo.store import open_mongo
from serve_app.store.rows.codec import to_micros
from tests.store.hooks import add_test, claim_lane, deliveries_of, make_test_event, no_lane, pause, resume, serve_lane
from tests.store.mongo_faults import background_done
from tests.support import NOON, Clock, make_record
from tests.support.mongomock import mock_client

ACCOUNT = Account(new_id(), Plan.FREE, NOON)
ACTIVE, PAUSED = new_id(), new_id()
EVENTS = [make_test_event(ACCOUNT.id) for _ in range(2)]
COMMON = {"account_id": str(ACCOUNT.id), "created_at": to_micros(NOON)}
ATTEMPT = {"at": to_micros(NOON), "seconds": 0.5, "status": 500, "error": None, "body": "no"}


def old_endpoint(id: UUID, reason: str | None) -> dict[str, Any]:
    return {
        **COMMON,
        "_id": str(id),
        # On a server they may share a URL: mongomock leaves nothing out when it makes a partial index.
        "url": f"https://example.com/{id}",
        "types": ["invoice.completed"],
        "secrets": [{"sealed": "sealed", "expires_at": None}],
        "paused_reason": reason,
        "failing_since": None,
        "revision": 3,
    }


def old_delivery(event_id: str, endpoint: UUID, state: str, due: int | None, reason: str | None) -> dict[str, Any]:
    return {
        **COMMON,
        "_id": str(new_id()),
        "endpoint_id": str(endpoint),
        "event_id": event_id,
        "event_type": "invoice.completed",
        "state": state,
        "next_attempt_at": due,
        **{"claims": 1, "step": 1, "attempts": [ATTEMPT], "abandoned_reason": reason},
    }


@pytest.fixture
async def client() -> Any:
    """A database of the earlier version: an active endpoint for which one delivery waits, and a paused one."""
    client: Any = mock_client()
    collections = client.get_database("invoices")
    await collections.accounts.insert_one({"_id": str(ACCOUNT.id), "plan": "free", "created_at": to_micros(NOON)})
    for event in EVENTS:
        row = {"_id": event.id, "type": event.type.value, "payload": event.payload, "invoice_id": str(new_id())}
        await collections.events.insert_one({**COMMON, **row})
    for id, reason in ((ACTIVE, None), (PAUSED, "by hand, for a test")):
        await collections.endpoints.insert_one(old_endpoint(id, reason))
    await collections.deliveries.insert_one(old_delivery(EVENTS[0].id, ACTIVE, "pending", 0, None))
    await collections.deliveries.insert_one(old_delivery(EVENTS[1].id, PAUSED, "abandoned", None, "gone"))
    await collections.deliveries.create_index([("next_attempt_at", 1), ("_id", 1)], name="due")
    await collections.deliveries.create_index([("account_id", 1), ("_id", -1)], name="listed")
    return client


@pytest.fixture
def store(client: Any) -> Store:
    return open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)


async def test_old_documents_are_read(store: Store) -> None:
    assert await store.accounts.get(ACCOUNT.id) == ACCOUNT
    active, paused = await store.endpoints.of_account(ACCOUNT.id)
    assert active == WebhookEndpoint(
        id=ACTIVE,
        account_id=ACCOUNT.id,
        url=f"https://example.com/{ACTIVE}",
        types=(EventType.COMPLETED,),
        secrets=(EndpointSecret("sealed"),),
        created_at=NOON,
        revision=3,
    )
    assert (paused.id, paused.paused_reason) == (PAUSED, PauseReason.BY_HAND)
    abandoned, pending = await deliveries_of(store, ACCOUNT)
    assert (abandoned.state, abandoned.abandoned_reason) == (
        DeliveryState.ABANDONED,
        AbandonReason.ENDPOINT_PAUSED,
    )
    assert pending.attempts == (Attempt(NOON, 0.5, 500, None, "no"),)


async def test_what_waited_is_delivered_once_lanes_were_repaired(store: Store) -> None:
    assert await no_lane(store)
    await store.lanes.repair()
    reached = Counter[UUID]()
    assert await serve_lane(store, reached)
    assert len(reached) == 1
    await store.lanes.repair()
    assert await no_lane(store)


async def test_what_comes_to_an_old_endpoint_has_a_lane_without_that(store: Store) -> None:
    active, _ = await store.endpoints.of_account(ACCOUNT.id)
    await add_test(store, active)
    assert (await claim_lane(store)).endpoint == active


async def test_old_endpoints_can_be_paused_resumed_and_removed(store: Store) -> None:
    active, paused = await store.endpoints.of_account(ACCOUNT.id)
    await pause(store, active)
    assert {delivery.state for delivery in await deliveries_of(store, ACCOUNT)} == {DeliveryState.ABANDONED}
    await resume(store, paused)
    assert await store.deliveries.redeliver_abandoned(ACCOUNT.id, NOON) == 1
    assert (await claim_lane(store)).endpoint.id == PAUSED
    assert await store.endpoints.remove(ACCOUNT.id, PAUSED)
    assert len(await deliveries_of(store, ACCOUNT)) == 1


async def test_indexes_that_others_took_the_place_of_are_dropped(store: Store, client: Any) -> None:
    await store.connection.ping()
    await background_done()
    names = set(await client.get_database("invoices").deliveries.index_information())
    assert not names & {"due", "listed"}
    assert {"next", "log"} <= names


async def test_vendors_of_earlier_versions_are_found_whatever_case_and_accents(client: Any) -> None:
    """Earlier versions folded the case of names alone."""
    collections = client.get_database("invoices")
    record = make_record(ACCOUNT.id)
    named = record.invoice.model_copy(update={"vendor_name": "Café Αθήνα"})
    row = new_row(replace(record, invoice=named), "unit")
    await collections.invoices.insert_one(row | {"vendor_folded": "café αθήνα"})
    store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
    await store.connection.ping()
    await background_done()
    for part in ("CAFE", "café", "ΑΘΗΝΑ"):
        page = await store.invoices.page(ACCOUNT.id, InvoiceQuery(vendor=part), 10)
        assert [invoice.id for invoice in page.items] == [record.invoice.id]
