"""What a call about accounts or invoices confirms, and how to see that it stays."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from serve_app.domain.account import Account, ApiKey, Plan, Scope
from serve_app.domain.audit import AuditEntry
from serve_app.domain.batch import Section, records_of
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Failure, FailureCode, Invoice, Status
from serve_app.domain.person import Changed, Membership, Role
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import Amendment, Release
from serve_app.domain.review import NO_REVIEW, Decision
from serve_app.domain.sign_in import SignInLink
from serve_app.store.base.reviews import NewReview
from tests.store.hooks import add_endpoint, claim_lane
from tests.store.mongo_scene import READ, IsKept, NotConfirmed, Scene
from tests.support import LEASE, MONTH, NOON, claim_next, make_record, queue_new
from tests.support.people import COMMAND_LINE, add_member, add_person, make_session


async def a_new_account(scene: Scene) -> IsKept:
    made = Account(new_id(), Plan.FREE, NOON)
    await scene.confirmed(lambda: scene.store.accounts.add(made))

    async def is_kept() -> bool:
        return await scene.sound.accounts.get(made.id) == made

    return is_kept


async def a_plan(scene: Scene) -> IsKept:
    await scene.confirmed(lambda: scene.store.accounts.set_plan(scene.account.id, Plan.UNLIMITED))

    async def is_kept() -> bool:
        return (await scene.sound.accounts.get(scene.account.id)).plan == Plan.UNLIMITED  # type: ignore[union-attr]

    return is_kept


async def an_api_key(scene: Scene) -> IsKept:
    key = ApiKey(new_id(), scene.account.id, "a key", "inv_live_a", Scope.FULL, "hash", NOON, None)
    await scene.confirmed(lambda: scene.store.keys.add(key))

    async def is_kept() -> bool:
        return await scene.sound.keys.find_caller("hash", NOON) is not None

    return is_kept


async def a_revoked_key(scene: Scene) -> IsKept:
    key = ApiKey(new_id(), scene.account.id, "a key", "inv_live_a", Scope.FULL, "hash", NOON, None)
    await scene.sound.keys.add(key)
    await scene.confirmed(lambda: scene.store.keys.revoke(scene.account.id, key.id, NOON))

    async def is_kept() -> bool:
        return await scene.sound.keys.find_caller("hash", NOON) is None

    return is_kept


async def a_session_that_ended(scene: Scene) -> IsKept:
    ann = await add_member(scene.sound, scene.account)
    session, _ = make_session(ann, scene.account)
    await scene.sound.sessions.add(session)
    await scene.confirmed(lambda: scene.store.sessions.remove(ann.id, session.id))

    async def is_kept() -> bool:
        return await scene.sound.sessions.find(session.hash, NOON) is None

    return is_kept


async def a_member_who_was_added(scene: Scene) -> IsKept:
    ann = await add_person(scene.sound)
    membership = Membership(scene.account.id, ann.id, Role.VIEWER, NOON)
    await scene.confirmed(lambda: scene.store.memberships.add(membership))

    async def is_kept() -> bool:
        return await scene.sound.memberships.of_person(ann.id) == [membership]

    return is_kept


async def a_member_who_was_removed(scene: Scene) -> IsKept:
    await add_member(scene.sound, scene.account, "owner@example.com")
    ann = await add_member(scene.sound, scene.account)
    if await scene.confirmed(lambda: scene.store.memberships.remove(scene.account.id, ann.id)) is not Changed.DONE:
        raise NotConfirmed

    async def is_kept() -> bool:
        return await scene.sound.memberships.of_person(ann.id) == []

    return is_kept


async def a_link_that_was_used(scene: Scene) -> IsKept:
    ann = await add_member(scene.sound, scene.account)
    await scene.sound.sign_ins.add_link(SignInLink("hash", ann.id, NOON + LEASE))
    await scene.confirmed(lambda: scene.store.sign_ins.take_link("hash", NOON))

    async def is_kept() -> bool:
        return await scene.sound.sign_ins.take_link("hash", NOON) is None

    return is_kept


async def an_audit_entry(scene: Scene) -> IsKept:
    entry = AuditEntry(new_id(), scene.account.id, NOON, COMMAND_LINE, "key.revoked")
    await scene.confirmed(lambda: scene.store.audit.add(entry))

    async def is_kept() -> bool:
        return (await scene.sound.audit.page(scene.account.id, 10)).items == (entry,)

    return is_kept


async def a_reservation(scene: Scene) -> IsKept:
    record = make_record(scene.account.id)
    await scene.confirmed(lambda: scene.store.intake.reserve(record, MONTH, 10))

    async def is_kept() -> bool:
        return await scene.sound.quotas.used(scene.account.id, MONTH) == 1

    return is_kept


async def a_reservation_given_up(scene: Scene) -> IsKept:
    reservation = await scene.sound.intake.reserve(make_record(scene.account.id), MONTH, 10)

    async def give_up() -> None:
        await scene.store.intake.give_up(reservation)
        await scene.store.intake.cancel(reservation)

    await scene.confirmed(give_up)

    async def is_kept() -> bool:
        return await scene.sound.quotas.used(scene.account.id, MONTH) == 0

    return is_kept


async def an_added_invoice(scene: Scene) -> IsKept:
    record = make_record(scene.account.id)
    await scene.sound.intake.reserve(record, MONTH, 10)
    await scene.confirmed(lambda: scene.store.intake.add(record))

    async def is_kept() -> bool:
        await scene.sound.queue.repair()
        return (await claim_next(scene.sound)).invoice.id == record.invoice.id

    return is_kept


async def an_invoice_read_again(scene: Scene) -> IsKept:
    record = await scene.completed()

    async def again() -> Invoice:
        """What the service does: one that is queued already is the answer."""
        invoice = await scene.store.invoices.get(scene.account.id, record.invoice.id)
        assert invoice is not None
        if invoice.is_finished:
            invoice = await scene.store.intake.rerun(invoice, scene.account.id, MONTH, None)
        if invoice is None:
            raise NotConfirmed
        return invoice

    await scene.confirmed(again)

    async def is_kept() -> bool:
        return not (await scene.finished(record.invoice.id)).is_finished

    return is_kept


async def a_claim(scene: Scene) -> IsKept:
    await queue_new(scene.sound, scene.account.id)
    claim = await scene.confirmed(lambda: scene.store.queue.claim_due_invoice(LEASE))

    async def is_kept() -> bool:
        return claim is None or await scene.sound.queue.renew_lease(claim, LEASE)

    return is_kept


async def a_release(scene: Scene) -> IsKept:
    await queue_new(scene.sound, scene.account.id)
    claim = await claim_next(scene.sound)
    if not await scene.confirmed(lambda: scene.store.queue.release(claim, timedelta(0), Release.HANDED_BACK)):
        raise NotConfirmed

    async def is_kept() -> bool:
        return (await claim_next(scene.sound)).lost_claims == 0

    return is_kept


async def a_result_with_two_more_invoices(scene: Scene) -> IsKept:
    await queue_new(scene.sound, scene.account.id)
    claim = await claim_next(scene.sound)
    first, siblings = records_of(claim, [Section(page, page, READ) for page in (1, 2, 3)], NOON)
    if await scene.confirmed(lambda: scene.store.queue.save_result(claim, first, NOON, siblings)) is None:
        raise NotConfirmed

    async def is_kept() -> bool:
        scene.clock.advance(60)
        while (await scene.sound.outbox.spread_pending(100)).invoices:
            pass
        found = await scene.sound.erasure.next_invoices(scene.account.id, 10)
        return len(found) == 3 and {record.invoice.status for record in found} == {Status.COMPLETE}

    return is_kept


async def a_failure(scene: Scene) -> IsKept:
    await queue_new(scene.sound, scene.account.id)
    claim = await claim_next(scene.sound)
    failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="-")
    if await scene.confirmed(lambda: scene.store.queue.fail(claim, failure, NOON)) is None:
        raise NotConfirmed

    async def is_kept() -> bool:
        return (await scene.finished(claim.invoice.id)).status is Status.FAILED

    return is_kept


async def an_event_with_its_delivery(scene: Scene) -> IsKept:
    await add_endpoint(scene.sound, scene.account)
    await scene.completed()
    # The process that ended the run is gone.
    scene.clock.advance(31)
    await scene.confirmed(lambda: scene.store.outbox.spread_pending(10))

    async def is_kept() -> bool:
        scene.clock.advance(60)
        while (await scene.sound.outbox.spread_pending(100)).invoices:
            pass
        lane = await claim_lane(scene.sound)
        (claim,) = await scene.sound.deliveries.claim_due(lane.endpoint.id, LEASE, 10)
        return len(await scene.sound.deliveries.payloads([claim])) == 1

    return is_kept


async def an_amendment(scene: Scene) -> IsKept:
    record = await scene.completed()
    id, change = record.invoice.id, Amendment(paid=True)
    await scene.confirmed(lambda: scene.store.invoices.amend(scene.account.id, id, change, NOON))

    async def is_kept() -> bool:
        return (await scene.finished(id)).paid

    return is_kept


async def an_answer_to_an_approval(scene: Scene) -> IsKept:
    ids = scene.account.id, (await scene.completed()).invoice.id
    await scene.sound.invoices.request_approval(*ids, "a@example.com", "hash", NOON)
    if await scene.confirmed(lambda: scene.store.invoices.answer_approval(*ids, "hash", True, NOON)) is None:
        raise NotConfirmed

    async def is_kept() -> bool:
        return (await scene.finished(ids[1])).approval_status == "approved"

    return is_kept


async def an_answer_to_an_idempotency_key(scene: Scene) -> IsKept:
    record = IdempotencyRecord(scene.account.id, "key", new_id(), new_id(), NOON, NOON)
    await scene.sound.idempotency.hold(record)
    answer = StoredAnswer(202, "{}")
    if not await scene.confirmed(lambda: scene.store.idempotency.answer(record, answer)):
        raise NotConfirmed

    async def is_kept() -> bool:
        return (await scene.sound.idempotency.hold(replace(record, holder=new_id()))).answer == answer

    return is_kept


async def a_held_idempotency_key(scene: Scene) -> IsKept:
    record = IdempotencyRecord(scene.account.id, "key", new_id(), new_id(), NOON, NOON)
    held = await scene.confirmed(lambda: scene.store.idempotency.hold(record))
    if held.holder != record.holder:
        raise NotConfirmed

    async def is_kept() -> bool:
        return await scene.sound.idempotency.answer(record, StoredAnswer(202, "{}"))

    return is_kept


async def an_erased_invoice(scene: Scene) -> IsKept:
    record = await scene.completed()
    await scene.confirmed(lambda: scene.store.erasure.invoice(record, NOON))

    async def is_kept() -> bool:
        return await scene.sound.invoices.get(scene.account.id, record.invoice.id) is None

    return is_kept


async def an_erased_account(scene: Scene) -> IsKept:
    await scene.completed()

    async def erase() -> None:
        """What the service does."""
        for record in await scene.store.erasure.next_invoices(scene.account.id, 10):
            await scene.store.erasure.invoice(record, NOON)
        await scene.store.erasure.account(scene.account.id)

    await scene.confirmed(erase)

    async def is_kept() -> bool:
        left = await scene.sound.erasure.next_invoices(scene.account.id, 10)
        return not left and await scene.sound.accounts.get(scene.account.id) is None

    return is_kept


async def a_correction(scene: Scene) -> IsKept:
    await queue_new(scene.sound, scene.account.id)
    claim = await claim_next(scene.sound)
    await scene.sound.queue.save_result(claim, READ, NOON)
    ids = scene.account.id, claim.invoice.id
    review = NO_REVIEW.changed({"vendor": Decision(value="Beta", by="Ann", at=NOON)})
    await scene.confirmed(lambda: scene.store.reviews.save(*ids, NewReview(review, 0, NOON, emits_event=True)))

    async def is_kept() -> bool:
        found = await scene.sound.invoices.find_record(*ids)
        return found is not None and (found.invoice.vendor_name, found.review.corrected) == ("Beta", ["vendor"])

    return is_kept


async def vendors_that_were_merged(scene: Scene) -> IsKept:
    acme, bolt = await _two_vendors(scene)
    await scene.confirmed(lambda: scene.store.vendors.merge(scene.account.id, acme, bolt))

    async def is_kept() -> bool:
        (vendor,) = await scene.sound.vendors.by_spend(scene.account.id, 9)
        found = await scene.sound.invoices.page(scene.account.id, InvoiceQuery(vendor_id=acme), 9)
        return (vendor.id, vendor.invoice_count, len(found.items)) == (acme, 2, 2)

    return is_kept


async def a_vendor_that_was_split_off(scene: Scene) -> IsKept:
    acme, bolt = await _two_vendors(scene)
    await scene.sound.vendors.merge(scene.account.id, acme, bolt)
    await scene.confirmed(lambda: scene.store.vendors.split(scene.account.id, bolt))

    async def is_kept() -> bool:
        vendors = await scene.sound.vendors.by_spend(scene.account.id, 9)
        found = await scene.sound.invoices.page(scene.account.id, InvoiceQuery(vendor_id=bolt), 9)
        return {(each.id, each.invoice_count) for each in vendors} == {(acme, 1), (bolt, 1)} and len(found.items) == 1

    return is_kept


async def an_invoice_of_a_merged_vendor(scene: Scene) -> IsKept:
    acme, bolt = await _two_vendors(scene)
    await scene.sound.vendors.merge(scene.account.id, acme, bolt)
    await queue_new(scene.sound, scene.account.id)
    claim = await claim_next(scene.sound)
    read = READ.model_copy(update={"vendor_name": "Bolt", "invoice_number": "R-9"})
    if await scene.confirmed(lambda: scene.store.queue.save_result(claim, read, NOON)) is None:
        raise NotConfirmed

    async def is_kept() -> bool:
        scene.clock.advance(60)
        while (await scene.sound.outbox.spread_pending(100)).invoices:
            pass
        (vendor,) = await scene.sound.vendors.by_spend(scene.account.id, 9)
        return (vendor.id, vendor.invoice_count) == (acme, 3)

    return is_kept


async def _two_vendors(scene: Scene) -> tuple[UUID, UUID]:
    ids = []
    for name in ("ACME", "Bolt"):
        await queue_new(scene.sound, scene.account.id)
        read = READ.model_copy(update={"vendor_name": name})
        saved = await scene.sound.queue.save_result(await claim_next(scene.sound), read, NOON)
        assert saved is not None
        assert saved.vendor_id is not None
        ids.append(saved.vendor_id)
    return ids[0], ids[1]
