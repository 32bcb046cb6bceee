"""What people decide is evidence about candidates."""

from dataclasses import replace

from serve_app.domain.account import Account
from serve_app.domain.canary import Arm, Canary, CanaryRun
from serve_app.domain.comparison import Comparison, Difference, Right
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Verdict
from serve_app.services.candidates.decisions import CandidateDecisions
from serve_app.store.base import Store
from tests.store.test_reviews import READ, found, say, saying
from tests.support import NOON, claim_next, queue_new

CANARY = Canary(new_id(), "new", 0.5, NOON, NOON)


async def reviewed(store: Store, account: Account, status: ReviewStatus, **values: str) -> InvoiceRecord:
    """An invoice that a person has decided on, and that two pairs have read."""
    await queue_new(store, account.id)
    claim = await claim_next(store)
    await store.queue.save_result(claim, READ, NOON)
    record = await found(store, claim)
    ids = record.invoice.id, account.id
    differences = (Difference("amount", "100", "7"),)
    await store.comparisons.put([Comparison(*ids, "new", NOON, differences=differences)])
    await store.canaries.add_run(CanaryRun(CANARY.id, *ids, NOON, Arm.CONTROL, failed=False, seconds=1.0))
    verdict = Verdict(status=status, by="Ann", at=NOON)
    return await say(store, record, record.review.changed(saying(**values), verdict))


async def note(store: Store, record: InvoiceRecord) -> tuple[Right | None, list[CanaryRun]]:
    decisions = CandidateDecisions(store.comparisons, store.canaries)
    decisions.decided(record)
    await decisions.idle()
    comparison = await store.comparisons.of_invoice(record.account_id, record.invoice.id)
    assert comparison is not None
    return comparison.differences[0].right, await store.canaries.runs(CANARY.id, 10)


async def test_a_correction_shows_who_was_right_and_counts_against_who_answered(store: Store, account: Account) -> None:
    right, (run,) = await note(store, await reviewed(store, account, ReviewStatus.CONFIRMED, amount="7.00"))
    assert (right, run.corrected, run.decided_at) == (Right.CANDIDATE, True, NOON)


async def test_a_confirmation_says_that_the_answer_was_right(store: Store, account: Account) -> None:
    right, (run,) = await note(store, await reviewed(store, account, ReviewStatus.CONFIRMED))
    assert (right, run.corrected, run.decided_at) == (Right.FIRST, False, NOON)


async def test_a_rejection_says_nothing(store: Store, account: Account) -> None:
    right, (run,) = await note(store, await reviewed(store, account, ReviewStatus.REJECTED))
    assert (right, run.decided_at) == (None, None)


async def test_a_decision_that_cannot_be_recorded_is_only_logged(store: Store, account: Account) -> None:
    record = await reviewed(store, account, ReviewStatus.CONFIRMED)

    class Lost:
        async def of_invoice(self, *ids: object) -> None:
            raise StoreUnreachable

    decisions = CandidateDecisions(Lost(), store.canaries)  # type: ignore[arg-type]
    decisions.decided(replace(record))
    await decisions.idle()
