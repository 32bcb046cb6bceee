"""A write may be done although its answer is lost, or no majority confirmed it in time. Nobody pays for that: no unit
of the quota is taken, and no claim counts as lost."""

from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import ServiceError, Unavailable
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from serve_app.store.mongo.store import open_mongo
from tests.store import test_mongo_faults as runs
from tests.store import test_mongo_hook_faults as hooks
from tests.store.mongo_faults import Fault, FaultyClient, Kind, background_done, patient
from tests.support import LEASE, MONTH, NOON, Clock, claim_next, make_record, queue_new
from tests.support.mongomock import mock_client

ACCOUNT = Account(new_id(), Plan.FREE, NOON)
WITHOUT_MAJORITY = [Kind.UNCONFIRMED, Kind.ROLLED_BACK]
KINDS = [Kind.LOST_REQUEST, Kind.LOST_ANSWER, *WITHOUT_MAJORITY]


async def opened(fault: Fault, clock: Clock) -> Store:
    """A store with an account in which nothing has failed so far."""
    client: Any = mock_client()
    store = open_mongo("mongodb://nowhere/invoices", 8, clock, FaultyClient(client, fault))
    await store.accounts.add(ACCOUNT)
    await background_done()
    return store


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", range(1, 7))
async def test_a_reservation_that_fails_takes_no_unit(kind: Kind, at: int) -> None:
    fault = Fault(kind, at)
    store = await opened(fault, Clock())
    # The first of a month takes more steps.
    for _ in range(2):
        before = await store.quotas.used(ACCOUNT.id, MONTH)
        fault.arm()
        reserved = await patient(lambda: store.intake.reserve(make_record(ACCOUNT.id), MONTH, 10), tries=1)
        fault.disarm()
        assert await store.quotas.used(ACCOUNT.id, MONTH) == before + int(reserved is not None)


async def test_repeating_while_no_majority_answers_does_not_use_the_quota_up() -> None:
    fault = Fault(Kind.UNCONFIRMED, at=1, length=1000)
    store = await opened(fault, Clock())
    await store.intake.reserve(make_record(ACCOUNT.id), MONTH, 3)
    fault.arm()
    for _ in range(10):
        with pytest.raises(Unavailable):
            await store.intake.reserve(make_record(ACCOUNT.id), MONTH, 3)
    assert await store.quotas.used(ACCOUNT.id, MONTH) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [1, 2, 3])
async def test_an_invoice_whose_claim_failed_can_be_claimed_at_once(kind: Kind, length: int) -> None:
    fault = Fault(kind, at=1, length=length)
    store = await opened(fault, Clock())
    record = await queue_new(store, ACCOUNT.id)
    fault.arm()
    # Giving it back may fail, too.
    for _ in range(length):
        try:
            claim = await store.queue.claim_due_invoice(LEASE)
            break
        except ServiceError:
            continue
    else:
        claim = await claim_next(store)
    assert claim is not None
    assert (claim.invoice.id, claim.lost_claims) == (record.invoice.id, 0)
    assert await store.queue.renew_lease(claim, LEASE)
    assert await store.queue.claim_due_invoice(LEASE) is None


async def test_an_invoice_is_not_given_up_because_no_majority_answered_for_minutes() -> None:
    clock, fault = Clock(), Fault(Kind.UNCONFIRMED, at=1, length=1000)
    store = await opened(fault, clock)
    await queue_new(store, ACCOUNT.id)
    fault.arm()
    for _ in range(20):
        for call in (store.queue.repair, lambda: store.queue.claim_due_invoice(LEASE)):
            with pytest.raises(ServiceError):
                await call()
        clock.advance(LEASE.total_seconds() / 2)
    fault.disarm()
    claim = await claim_next(store)
    assert claim.lost_claims == 0


@pytest.mark.parametrize("kind", WITHOUT_MAJORITY)
@pytest.mark.parametrize("at", range(1, 100, 12))
async def test_the_data_is_consistent_after_a_time_without_a_majority(kind: Kind, at: int) -> None:
    await runs.day_with(Fault(kind, at, length=25))
    await hooks.day_with(Fault(kind, at, length=25))
