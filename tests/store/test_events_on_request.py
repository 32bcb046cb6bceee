"""Events that only those get who ask for them: what changed without a run, and what was deleted."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.erased import ERASED_ID_LIFE
from serve_app.domain.event import DeletedEvent, Event, EventType
from serve_app.domain.invoice import ApprovalStatus, Extraction, Invoice, ReviewStatus
from serve_app.domain.query import DeliveryQuery, EventQuery
from serve_app.domain.record import Amendment, InvoiceRecord
from serve_app.domain.review import NO_REVIEW, Decision, Verdict
from serve_app.store.base import Store
from serve_app.store.base.reviews import NewReview
from tests.store.hooks import add_endpoint
from tests.support import NOON, claim_next, newest_events, queue_new

LATER = NOON + timedelta(hours=1)


@pytest.fixture
async def complete(store: Store, account: Account) -> Invoice:
    await queue_new(store, account.id)
    saved = await store.queue.save_result(await claim_next(store), Extraction(vendor_name="ACME"), NOON)
    assert saved is not None
    await newest_events(store, account.id)
    return saved


async def record_of(store: Store, invoice: Invoice, account: Account) -> InvoiceRecord:
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    return record


async def reported(store: Store, account: Account, type: EventType) -> list[Invoice]:
    """The invoices of the events of this type, the oldest first."""
    await newest_events(store, account.id)
    page = await store.events.page(account.id, EventQuery(type), 100)
    events = [event.parsed() for event in reversed(page.items)]
    assert all(isinstance(event, Event) for event in events)
    return [event.data.invoice for event in events if isinstance(event, Event)]


async def test_every_change_by_people_is_an_event_with_the_invoice_after_it(
    store: Store, account: Account, complete: Invoice
) -> None:
    ids = account.id, complete.id
    changed = [
        await store.invoices.amend(*ids, Amendment(paid=True), LATER),
        await store.invoices.amend(*ids, Amendment(sets_tag=True, entity_tag="north"), LATER),
        await store.invoices.request_approval(*ids, "a@example.com", "hash", LATER),
        await store.invoices.answer_approval(*ids, "hash", True, LATER),
    ]
    assert await reported(store, account, EventType.UPDATED) == changed
    assert changed[-1] is not None
    assert changed[-1].approval_status is ApprovalStatus.APPROVED


async def test_a_review_is_an_event_whether_or_not_it_decides(
    store: Store, account: Account, complete: Invoice
) -> None:
    corrected = NO_REVIEW.changed({"invoice_number": Decision(value="A-1", by="ann@example.com", at=LATER)})
    confirmed = corrected.changed({}, Verdict(status=ReviewStatus.CONFIRMED, by="ann@example.com", at=LATER))
    await store.reviews.save(account.id, complete.id, NewReview(corrected, 0, LATER))
    await store.reviews.save(account.id, complete.id, NewReview(confirmed, 1, LATER, emits_event=True))
    updated = await reported(store, account, EventType.UPDATED)
    assert [invoice.review.status for invoice in updated] == [ReviewStatus.OPEN, ReviewStatus.CONFIRMED]
    assert [invoice.invoice_number for invoice in updated] == ["A-1", "A-1"]
    assert await reported(store, account, EventType.REVIEWED) == updated[1:]


async def test_what_changes_nothing_is_no_event(store: Store, account: Account, complete: Invoice) -> None:
    for _ in range(2):
        await store.invoices.amend(account.id, complete.id, Amendment(paid=True), LATER)
    assert await store.invoices.answer_approval(account.id, complete.id, "none", True, LATER) is None
    assert len(await reported(store, account, EventType.UPDATED)) == 1


async def test_those_who_ask_for_nothing_get_the_ends_of_runs_only(
    store: Store, account: Account, complete: Invoice
) -> None:
    await add_endpoint(store, account)
    await store.invoices.amend(account.id, complete.id, Amendment(paid=True), LATER)
    await store.erasure.invoice(await record_of(store, complete, account), LATER)
    assert await newest_events(store, account.id) == []
    assert (await store.deliveries.page(account.id, DeliveryQuery(), 10)).items == ()


async def test_a_deletion_leaves_one_event_with_nothing_but_the_id(
    store: Store, account: Account, complete: Invoice, open_again: Callable[[], Store]
) -> None:
    asking = await add_endpoint(store, account, types=(EventType.DELETED,))
    await store.invoices.amend(account.id, complete.id, Amendment(paid=True), LATER)
    record = await record_of(store, complete, account)
    stores = [store, open_again()]
    await asyncio.gather(*(stores[i % 2].erasure.invoice(record, LATER) for i in range(4)))
    (event,) = (await store.events.page(account.id, EventQuery(EventType.DELETED), 10)).items
    parsed = event.parsed()
    assert isinstance(parsed, DeletedEvent)
    assert parsed.data.model_dump(mode="json") == {
        "invoice": {"id": str(complete.id), "object": "invoice", "deleted": True}
    }
    assert "ACME" not in event.payload
    (delivery,) = (await store.deliveries.page(account.id, DeliveryQuery(), 10)).items
    assert (delivery.endpoint_id, delivery.event_id) == (asking.id, event.id)
    assert (await store.events.page(account.id, EventQuery(EventType.UPDATED), 10)).items == ()


async def test_a_deletion_can_be_kept_quiet(store: Store, account: Account, complete: Invoice) -> None:
    record = await record_of(store, complete, account)
    await store.erasure.invoice(record, LATER, emit_event=False)
    assert (await store.events.page(account.id, EventQuery(EventType.DELETED), 10)).items == ()


async def test_the_event_of_a_deletion_is_kept_as_long_as_the_id(
    store: Store, account: Account, complete: Invoice
) -> None:
    await add_endpoint(store, account, types=(EventType.DELETED,))
    await store.erasure.invoice(await record_of(store, complete, account), LATER)
    await store.upkeep.expire(LATER + ERASED_ID_LIFE - timedelta(seconds=1))
    assert len((await store.events.page(account.id, EventQuery(EventType.DELETED), 10)).items) == 1
    await store.upkeep.expire(LATER + ERASED_ID_LIFE)
    assert (await store.events.page(account.id, EventQuery(EventType.DELETED), 10)).items == ()
    assert (await store.deliveries.page(account.id, DeliveryQuery(), 10)).items == ()
