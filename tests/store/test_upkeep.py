"""What is over goes by itself; what an operator deletes is gone."""

from decimal import Decimal

import pytest

from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.audit import AuditEntry, actor_of
from serve_app.domain.batch import Section, records_of
from serve_app.domain.erased import Erased
from serve_app.domain.idempotency import REPLAY_WINDOW, IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.limits import WINDOW_LIFE
from serve_app.domain.person import Role
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.session import IDLE_LIFE
from serve_app.domain.sign_in import MailSignIn, SignInLink
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.base import Store
from tests.support import LEASE, MONTH, NOON, claim_next, newest_events, queue_new
from tests.support.people import add_member, make_session

SAME = Extraction(vendor_name="ACME", invoice_number="R-1", amount=Decimal(10))


async def finish_one(store: Store, account: Account, extraction: Extraction = SAME) -> InvoiceRecord:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    await store.queue.save_result(claim, extraction, NOON)
    await newest_events(store, account.id)
    found = await store.invoices.find_record(account.id, claim.invoice.id)
    assert found is not None
    return found


async def add_endpoint(store: Store, account: Account) -> None:
    await store.endpoints.add(WebhookEndpoint(new_id(), account.id, "https://example.com", (), (), NOON), at_most=1)


async def test_what_is_over_is_removed_and_nothing_else(store: Store, account: Account) -> None:
    later = NOON + REPLAY_WINDOW
    ann = await add_member(store, account)
    sessions = [make_session(ann, account, seen)[0] for seen in (later - IDLE_LIFE, later)]
    for number, session in enumerate(sessions):
        await store.sessions.add(session)
        end = (later, later + LEASE)[number]
        await store.sign_ins.add_link(SignInLink(f"{number}", ann.id, end))
        await store.sign_ins.add_mail(MailSignIn(f"{number}", "link", "code", ann.id, end))
    for key, start in (("old", NOON), ("new", later)):
        await store.idempotency.hold(IdempotencyRecord(account.id, key, new_id(), new_id(), start, start))
    key_id = new_id()
    await store.rate_windows.count(key_id, later - WINDOW_LIFE)
    await store.rate_windows.count(new_id(), later)
    # A session, a link, a mail, an idempotency key and a count.
    assert await store.upkeep.expire(later) == 5
    assert await store.upkeep.expire(later) == 0
    assert await store.sessions.find(sessions[1].hash, later) is not None
    assert await store.sign_ins.take_link("1", later) == ann.id
    assert await store.sign_ins.take_mail("1", "link", later) == ann.id
    held = await store.idempotency.hold(IdempotencyRecord(account.id, "new", new_id(), new_id(), later, later))
    assert held.created_at == later
    assert await store.rate_windows.count(key_id, later - WINDOW_LIFE) == 1


async def test_a_deleted_invoice_is_gone_with_its_events_and_deliveries(store: Store, account: Account) -> None:
    await add_endpoint(store, account)
    record, kept = await finish_one(store, account), await finish_one(store, account)
    assert await store.erasure.invoice(record, NOON) == Erased(invoices=1, events=1, deliveries=1)
    assert await store.invoices.get(account.id, record.invoice.id) is None
    (event,) = await newest_events(store, account.id)
    assert event.data.invoice.id == kept.invoice.id
    assert len((await store.deliveries.page(account.id, DeliveryQuery(), 10)).items) == 1
    assert await store.erasure.invoice(record, NOON) == Erased()


async def test_the_file_of_a_deleted_invoice_is_left_with_a_reservation(store: Store, account: Account) -> None:
    record = await finish_one(store, account)
    await store.erasure.invoice(record, NOON)
    assert not await store.intake.has_invoice(record.file_key)
    (left,) = await store.intake.stale(NOON + LEASE, 10)
    assert (left.file_key, left.month) == (record.file_key, None)
    await store.intake.cancel(left)
    assert await store.intake.stale(NOON + LEASE, 10) == []
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_a_file_is_kept_while_another_invoice_has_it(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    sections = [Section(page, page, SAME.model_copy(update={"invoice_number": str(page)})) for page in (1, 2)]
    first, siblings = records_of(claim, sections, NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    await newest_events(store, account.id)
    await store.erasure.invoice(claim, NOON)
    assert await store.intake.stale(NOON + LEASE, 10) == []
    assert await store.intake.has_invoice(claim.file_key)
    await store.erasure.invoice(siblings[0], NOON)
    assert len(await store.intake.stale(NOON + LEASE, 10)) == 1


async def test_vendors_and_duplicates_are_right_after_a_deletion(store: Store, account: Account) -> None:
    original, duplicate = await finish_one(store, account), await finish_one(store, account)
    assert duplicate.invoice.duplicate_of == original.invoice.id
    await store.erasure.invoice(original, NOON)
    await newest_events(store, account.id)
    left = await store.invoices.get(account.id, duplicate.invoice.id)
    assert left is not None
    assert left.duplicate_of is None
    (vendor,) = await store.vendors.by_spend(account.id, 10)
    assert (vendor.invoice_count, vendor.total_billed) == (1, Decimal(10))


async def test_the_run_of_a_deleted_invoice_changes_nothing(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    assert (await store.erasure.invoice(claim, NOON)).invoices == 1
    assert not await store.queue.renew_lease(claim, LEASE)
    assert await store.queue.save_result(claim, SAME, NOON) is None
    assert await store.invoices.get(account.id, claim.invoice.id) is None
    assert await newest_events(store, account.id) == []


async def test_deleting_what_runs_makes_room_for_what_waits(store: Store, account: Account) -> None:
    for _ in range(9):
        await queue_new(store, account.id)
    claims = [await claim_next(store) for _ in range(8)]
    assert await store.queue.claim_due_invoice(LEASE) is None
    await store.erasure.invoice(claims[0], NOON)
    assert (await claim_next(store)).invoice.status is Status.PROCESSING


async def test_an_account_is_deleted_with_all_that_it_has(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    for owner in (account, other):
        await add_endpoint(store, owner)
        key, _ = mint_key(owner.id, "key", Scope.FULL, NOON)
        await store.keys.add(key)
        ann = await add_member(store, owner)
        await add_member(store, owner, f"{owner.id}@example.com", Role.VIEWER)
        await _sign_in_everywhere(store, owner)
        await store.sessions.add(make_session(ann, None)[0])
        await store.audit.add(AuditEntry(new_id(), owner.id, NOON, actor_of(ann), "key.revoked"))
        await finish_one(store, owner)
    with pytest.raises(ValueError, match="still has invoices"):
        await store.erasure.account(account.id)
    erased = Erased()
    for record in await store.erasure.next_invoices(account.id, 10):
        erased += await store.erasure.invoice(record, NOON, emit_event=False)
    erased += await store.erasure.account(account.id)
    # Ann belongs to the other account, too, and has sessions there and in none.
    assert erased == Erased(
        **dict.fromkeys(("invoices", "events", "deliveries", "endpoints", "vendors", "keys", "accounts"), 1),
        people=1,
        sessions=2,
        audit_entries=1,
    )
    assert await store.accounts.get(account.id) is None
    assert await store.keys.of_account(account.id) == []
    assert await store.people.find(f"{account.id}@example.com") is None
    assert (await store.audit.page(account.id, 10)).items == ()
    assert await store.sign_ins.take_link(f"{account.id}{account.id}@example.com", NOON) is None
    assert await store.quotas.used(account.id, MONTH) == 0
    assert await store.erasure.account(account.id) == Erased()
    # The other one has lost nothing.
    assert len(await store.erasure.next_invoices(other.id, 10)) == 1
    assert await store.quotas.used(other.id, MONTH) == 1
    assert len(await store.keys.of_account(other.id)) == 1
    assert len(await store.memberships.of_account(other.id)) == 2
    assert len((await store.audit.page(other.id, 10)).items) == 1
    ann_now = await store.people.find("ann@example.com")
    assert ann_now is not None
    assert len(await store.sessions.of_person(ann_now.id, NOON)) == 3


async def _sign_in_everywhere(store: Store, account: Account) -> None:
    """A session of every member in the account, and a link and a mail for each."""
    for member in await store.memberships.of_account(account.id):
        person = member.person
        await store.sessions.add(make_session(person, account)[0])
        await store.sign_ins.add_link(SignInLink(f"{account.id}{person.email}", person.id, NOON + LEASE))
        await store.sign_ins.add_mail(
            MailSignIn(f"{account.id}{person.email}", "link", "code", person.id, NOON + LEASE)
        )


async def test_a_plan_can_be_changed(store: Store, account: Account) -> None:
    assert await store.accounts.set_plan(account.id, Plan.BUSINESS)
    assert await store.accounts.get(account.id) == Account(account.id, Plan.BUSINESS, account.created_at)
    assert not await store.accounts.set_plan(new_id(), Plan.PRO)
