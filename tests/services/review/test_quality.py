"""Thresholds rise by themselves where `high` is not worth what was promised."""

from email.headerregistry import Address
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.clock import utc_now
from serve_app.domain.evidence import Evidence, FieldEvidence, pack
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Extraction, Field, ReviewStatus
from serve_app.domain.quality import Threshold
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Verdict
from serve_app.domain.target_precision import TargetPrecision
from serve_app.mail.raised_threshold import ComposeRaised
from serve_app.services.people.audit import AuditTrail
from serve_app.services.processing.confidence_policy import ConfidencePolicy
from serve_app.services.review.precision_watch import PrecisionWatch
from serve_app.services.review.quality import PERIOD, QualityService
from serve_app.services.review.quality_answer import quality_answer, quality_csv, time_csv
from serve_app.store.base import Store
from tests.store.test_reviews import READ, found, say, saying
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.mails import FakeMailer, text_of
from tests.support.people import COMMAND_LINE

HIGH = READ.model_copy(update={"field_confidence": {Field.AMOUNT: Confidence.HIGH, Field.TAX: Confidence.LOW}})


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


@pytest.fixture
def quality(store: Store, mailer: FakeMailer, clock: Clock) -> QualityService:
    compose = ComposeRaised(Address("Invoices", addr_spec="invoices@example.net"))
    audit = AuditTrail(store.audit, clock)
    return QualityService(store.accounts, store.reviews, store.thresholds, mailer, compose, audit, clock)


async def decide(
    store: Store, account: Account, *, is_right: bool, drawn: float | None = None, is_verified: bool = False
) -> InvoiceRecord:
    """A person has looked at an invoice whose amount is `high`."""
    await queue_new(store, account.id)
    claim = await claim_next(store)
    read = HIGH.model_copy(update={"auto_verified": is_verified})
    await store.queue.save_result(claim, read, NOON, drawn=drawn)
    record = await found(store, claim)
    verdict = Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON)
    return await say(store, record, record.review.changed({} if is_right else saying(amount="7.00"), verdict))


async def test_figures_are_weighted_by_how_invoices_came_to_be_seen(
    quality: QualityService, store: Store, account: Account
) -> None:
    for _ in range(3):
        await decide(store, account, is_right=True)
    await decide(store, account, is_right=False, drawn=0.5, is_verified=True)
    # Somebody saw by chance that it was wrong: that says nothing about the others.
    await decide(store, account, is_right=False, is_verified=True)
    measured = await quality.measure(account.id)
    assert (measured.decided, measured.confirmed, measured.drawn) == (5, 5, 1)
    amount = measured.precision[Field.AMOUNT, Confidence.HIGH]
    assert (amount.values, amount.right, amount.stands_for, amount.share) == (4, 3, 5.0, 0.6)
    assert measured.corrections == {"amount": 2}
    assert measured.vendors == [("Acme Ltd", 2)]
    assert measured.coverage[Field.AMOUNT] == 1.0
    (row, *_) = [each for each in quality_answer(measured).levels if each.field is Field.AMOUNT]
    assert (row.share, row.values) == (0.6, 4)
    assert quality_csv(measured).splitlines()[0] == "field,level,values,right,stands_for,share,low,high"


async def test_time_is_saved_where_nobody_had_to_look_at_the_pace_of_those_who_do(
    quality: QualityService, store: Store, account: Account
) -> None:
    async def verified(drawn: float | None = None) -> InvoiceRecord:
        await queue_new(store, account.id)
        claim = await claim_next(store)
        await store.queue.save_result(claim, HIGH.model_copy(update={"auto_verified": True}), NOON, drawn=drawn)
        return await found(store, claim)

    assert (await quality.measure(account.id)).time.minutes is None
    for seconds in (8.0, 14.0, 3600.0, None):
        record = await decide(store, account, is_right=True)
        verdict = Verdict(status=ReviewStatus.REJECTED, by="Ann", at=NOON, reason="no", seconds=seconds)
        await say(store, record, record.review.changed({}, verdict))
    for _ in range(3):
        await verified()
    # Somebody looks at these all the same.
    await verified(drawn=0.02)
    seen = await verified()
    await say(store, seen, seen.review.changed({}, Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON)))
    time = (await quality.measure(account.id)).time
    assert (time.measured, time.seconds, time.unseen, time.minutes) == (3, 14.0, 3, 0.7)
    assert await store.reviews.unseen(account.id, NOON - PERIOD, 2) == 2
    header, row = time_csv(await quality.measure(account.id)).splitlines()
    assert header == "measured,seconds,since,unseen,minutes_saved"
    assert row == f"3,14.0,{time.since:%Y-%m-%dT%H:%M:%SZ},3,0.7"
    assert await store.reviews.unseen(account.id, utc_now() + PERIOD, 2) == 0


async def test_too_many_wrong_values_raise_the_threshold_once_and_notify_the_owner(
    quality: QualityService, store: Store, account: Account, mailer: FakeMailer, clock: Clock
) -> None:
    await store.accounts.set_email(account.id, "owner@example.com")
    for number in range(16):
        await decide(store, account, is_right=number % 2 == 0)
    clock.advance(60)
    assert await quality.raise_thresholds(account.id) == [Field.AMOUNT]
    assert await store.thresholds.of_account(account.id) == {Field.AMOUNT: Threshold(1, clock.now)}
    (message,) = mailer.messages
    assert message["To"] == "owner@example.com"
    for kind in ("plain", "html"):
        assert "8 of 16" in text_of(message, kind)
        assert "99.0%" in text_of(message, kind)
    (entry,) = await AuditTrail(store.audit).of_target(account.id, "amount", 10)
    assert (entry.action, entry.actor.name) == ("threshold.rose", "the service")
    assert await quality.raise_thresholds(account.id) == []
    assert await quality.reset(account.id, Field.AMOUNT, COMMAND_LINE)
    assert await store.thresholds.of_account(account.id) == {}


async def test_enough_right_values_change_nothing(
    quality: QualityService, store: Store, account: Account, mailer: FakeMailer
) -> None:
    for _ in range(10):
        await decide(store, account, is_right=True)
    assert await quality.raise_thresholds(account.id) == []
    assert mailer.messages == []


async def test_an_account_is_looked_at_after_a_decision(
    quality: QualityService, store: Store, account: Account
) -> None:
    for _ in range(8):
        await decide(store, account, is_right=False)
    watch = PrecisionWatch(quality, pause=0)
    watch.decided(account.id)
    watch.decided(account.id)
    await watch.idle()
    assert (await store.thresholds.of_account(account.id))[Field.AMOUNT].step == 1


def section(chance: float) -> Section:
    levels = dict.fromkeys(VERIFIED_BY, Confidence.HIGH)
    evidence = Evidence((), {str(field): FieldEvidence(chance=chance, may_be_high=True, high=0.9) for field in levels})
    return Section(1, 1, Extraction(field_confidence=levels, auto_verified=True), evidence=pack(evidence))


async def test_what_is_read_afterwards_is_held_to_the_higher_threshold(store: Store, account: Account) -> None:
    policy = ConfidencePolicy(store.accounts, store.thresholds, 0.0, TargetPrecision.STANDARD)
    likely, sure = section(0.95), section(0.995)
    assert await policy.apply(account.id, [likely]) == [likely]
    await store.thresholds.rise(account.id, Field.AMOUNT, Threshold(1, NOON))
    lowered, kept = await policy.apply(account.id, [likely, sure])
    levels = lowered.extraction.field_confidence or {}
    assert (levels[Field.AMOUNT], levels[Field.VENDOR]) == (Confidence.MID, Confidence.HIGH)
    assert not lowered.extraction.auto_verified
    assert kept.extraction == sure.extraction


def test_the_audit_sample_is_drawn_from_what_was_verified(store: Store) -> None:
    policy = ConfidencePolicy(store.accounts, store.thresholds, 0.1, TargetPrecision.STANDARD)
    verified = Extraction(auto_verified=True)
    drawn = [policy.draw(UUID(int=number), 1, verified) for number in range(2000)]
    assert 150 < sum(share is not None for share in drawn) < 250
    assert {share for share in drawn if share is not None} == {0.1}
    assert policy.draw(UUID(int=7), 1, verified) == policy.draw(UUID(int=7), 1, verified)
    assert policy.draw(UUID(int=7), 1, Extraction()) is None
