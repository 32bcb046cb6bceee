"""Test events look like any other, and nobody takes them for an invoice."""

import json
from dataclasses import replace

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import ServiceError
from serve_app.domain.event import Event, EventType
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Status
from serve_app.domain.webhook import Delivery, DeliveryState, PauseReason, WebhookEndpoint
from serve_app.services.webhooks.sample_events import SampleEvents
from serve_app.store.base import Store
from tests.support import NOON, Clock, newest_events
from tests.support.webhooks import URL, claim_all, manage_endpoints


@pytest.fixture
def sample_invoice(store: Store, clock: Clock) -> SampleEvents:
    return SampleEvents(store.endpoints, store.deliveries, clock)


@pytest.fixture
async def endpoint(store: Store, clock: Clock, account: Account) -> WebhookEndpoint:
    return (await manage_endpoints(store, clock).register(account.id, URL))[0]


async def payload_of(store: Store, delivery: Delivery) -> str:
    return (await store.deliveries.payloads([delivery]))[delivery.event_id].text


@pytest.mark.parametrize(
    ("type", "status"), [(EventType.COMPLETED, Status.COMPLETE), (EventType.FAILED, Status.FAILED)]
)
async def test_it_is_a_due_delivery_of_a_made_up_invoice(
    sample_invoice: SampleEvents,
    store: Store,
    account: Account,
    endpoint: WebhookEndpoint,
    type: EventType,
    status: Status,
) -> None:
    delivery = await sample_invoice.send(account.id, endpoint.id, type)
    assert (delivery.state, delivery.event_type) == (DeliveryState.PENDING, type)
    assert [claim.id for claim in await claim_all(store, endpoint.id)] == [delivery.id]
    event = Event.model_validate_json(await payload_of(store, delivery))
    assert (event.id, event.type, event.created_at) == (delivery.event_id, type, NOON)
    assert event.data.invoice.status is status
    assert event.data.invoice.file.name == "test-event.pdf"


async def test_a_complete_one_has_values_and_a_failed_one_says_why(
    sample_invoice: SampleEvents, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    first, second = [
        json.loads(await payload_of(store, await sample_invoice.send(account.id, endpoint.id, type)))["data"]["invoice"]
        for type in (EventType.COMPLETED, EventType.FAILED)
    ]
    assert (first["invoice_number"], first["amount"], first["currency"]) == ("TEST-1", 119.0, "EUR")
    assert first["line_items"][0]["unit_price"] + first["tax"] == first["amount"]
    assert first["failure"] is None
    assert second["failure"]["code"] == "no_text_found"
    assert second["amount"] is None


@pytest.mark.parametrize("type", EventType)
async def test_it_is_of_the_type_that_was_asked_for(
    sample_invoice: SampleEvents, store: Store, account: Account, endpoint: WebhookEndpoint, type: EventType
) -> None:
    delivery = await sample_invoice.send(account.id, endpoint.id, type)
    payload = json.loads(await payload_of(store, delivery))
    assert (delivery.event_type, payload["type"]) == (type, type)
    assert payload["data"]["invoice"].get("deleted", False) is (type is EventType.DELETED)


async def test_each_has_an_id_of_its_own(
    sample_invoice: SampleEvents, account: Account, endpoint: WebhookEndpoint
) -> None:
    sent = [await sample_invoice.send(account.id, endpoint.id) for _ in range(2)]
    assert sent[0].event_id != sent[1].event_id


async def test_no_list_of_events_or_invoices_shows_it(
    sample_invoice: SampleEvents, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    delivery = await sample_invoice.send(account.id, endpoint.id)
    event = Event.model_validate_json(await payload_of(store, delivery))
    assert await newest_events(store, account.id) == []
    assert await store.invoices.get(account.id, event.data.invoice.id) is None


async def test_it_is_of_the_first_type_that_the_endpoint_wants(
    sample_invoice: SampleEvents, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    assert (await sample_invoice.send(account.id, endpoint.id)).event_type is EventType.COMPLETED
    await manage_endpoints(store, clock).choose_types(account.id, endpoint.id, [EventType.FAILED])
    assert (await sample_invoice.send(account.id, endpoint.id)).event_type is EventType.FAILED


async def test_a_paused_endpoint_gets_none(
    sample_invoice: SampleEvents, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    await store.endpoints.replace(replace(endpoint, paused_reason=PauseReason.BY_HAND))
    with pytest.raises(ServiceError, match="paused; resume it first"):
        await sample_invoice.send(account.id, endpoint.id)


async def test_another_accounts_endpoint_gets_none(sample_invoice: SampleEvents, endpoint: WebhookEndpoint) -> None:
    with pytest.raises(LookupError, match="no webhook endpoint"):
        await sample_invoice.send(new_id(), endpoint.id)
