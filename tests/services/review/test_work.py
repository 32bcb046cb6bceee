"""Who works on what."""

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.ids import new_id
from serve_app.domain.person import Role
from serve_app.domain.work import Reader
from serve_app.services.people.audit import AuditTrail
from serve_app.services.review.service import ReviewService
from serve_app.services.review.work import WorkService
from serve_app.store.base import Files, Store
from tests.store.test_reviews import found, read_new
from tests.support import Clock
from tests.support.people import COMMAND_LINE, add_member

ANN, BOB = Reader(new_id(), "Ann", "window 1"), Reader(new_id(), "Bob", "window 2")


@pytest.fixture
def work(store: Store, clock: Clock) -> WorkService:
    return WorkService(store.work, store.memberships, AuditTrail(store.audit, clock))


@pytest.fixture
def reviews(store: Store, files: Files, clock: Clock) -> ReviewService:
    return ReviewService(store.invoices, store.reviews, files, AuditTrail(store.audit, clock), clock)


async def test_who_has_a_review_open_is_shown_until_the_lease_ends(
    work: WorkService, reviews: ReviewService, store: Store, account: Account, clock: Clock
) -> None:
    id = (await read_new(store, account)).invoice.id
    await work.open(account.id, id, ANN)
    opened = (await reviews.get(account.id, id)).opened_by
    assert opened is not None
    assert opened.name == "Ann"
    assert (await work.open(account.id, id, BOB)).reader == ANN
    assert (await work.take_over(account.id, id, BOB)).reader == BOB
    await work.close(account.id, id, ANN.window)
    assert (await work.open(account.id, id, ANN)).reader == BOB
    clock.advance(121)
    assert (await reviews.get(account.id, id)).opened_by is None
    assert (await work.open(account.id, id, ANN)).reader == ANN


async def test_a_review_is_measured_from_opening_it_in_one_window_to_the_verdict(
    work: WorkService, reviews: ReviewService, store: Store, account: Account, clock: Clock
) -> None:
    async def seconds(opened_by: Reader | None, decided_by: Actor) -> float | None:
        record = await read_new(store, account)
        id = record.invoice.id
        if opened_by is not None:
            await work.open(account.id, id, opened_by)
            clock.advance(30)
            await work.open(account.id, id, opened_by)
            clock.advance(12)
        await reviews.confirm(account.id, id, 0, decided_by)
        return (await found(store, record)).review.verdict.seconds

    ann, bob = (Actor(ActorKind.PERSON, reader.person_id, reader.name) for reader in (ANN, BOB))
    assert await seconds(ANN, ann) == 42
    assert await seconds(ANN, bob) is None
    assert await seconds(None, ann) is None
    assert await seconds(None, COMMAND_LINE) is None


async def test_an_unknown_invoice_cannot_be_opened(work: WorkService, account: Account) -> None:
    with pytest.raises(InvoiceNotFound):
        await work.open(account.id, new_id(), ANN)


async def test_work_is_given_to_who_may_review_and_that_is_on_record(
    work: WorkService, reviews: ReviewService, store: Store, account: Account
) -> None:
    id = (await read_new(store, account)).invoice.id
    reviewer = await add_member(store, account, role=Role.REVIEWER)
    assert await work.assign(account.id, [id], reviewer.id, COMMAND_LINE) == 1
    assert (await reviews.get(account.id, id)).assignee == reviewer.id
    (entry,) = await AuditTrail(store.audit).of_target(account.id, str(id), 10)
    assert (entry.action, entry.details) == ("invoice.assigned", {"to": str(reviewer.id)})
    viewer = await add_member(store, account, email="v@example.com", role=Role.VIEWER)
    for person in (viewer.id, new_id()):
        with pytest.raises(InvalidParameter):
            await work.assign(account.id, [id], person, COMMAND_LINE)
    assert await work.assign(account.id, [id], None, COMMAND_LINE) == 1
