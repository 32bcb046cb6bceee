"""Comparisons of pairs of models, and canaries."""

from dataclasses import replace
from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.canary import Arm, Canary, CanaryRun, CanaryState
from serve_app.domain.comparison import COMPARISON_LIFE, Comparison, Difference, Right, Signs
from serve_app.domain.ids import new_id
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Store
from tests.support import NOON, queue_new

LATER = NOON + timedelta(seconds=1)
DIFFERENCES = (Difference("amount", "1", None, Right.FIRST), Difference("vendor", "Ä", "B"))


def compared(record: InvoiceRecord, **values: object) -> Comparison:
    made = Comparison(record.invoice.id, record.account_id, "new", NOON, differences=DIFFERENCES)
    return replace(made, **values)  # type: ignore[arg-type]


def run_of(record: InvoiceRecord, canary: Canary) -> CanaryRun:
    ids = canary.id, record.invoice.id, record.account_id
    return CanaryRun(*ids, NOON, Arm.CONTROL, failed=True, seconds=0.5)


def canary_of(*accounts: Account) -> Canary:
    return Canary(new_id(), "new", 0.01, NOON, NOON, frozenset(each.id for each in accounts) or None)


async def test_the_latest_comparison_of_an_invoice_is_kept(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    await store.comparisons.put([compared(record, is_answer=True)])
    latest = compared(record, at=LATER, signs=Signs(-1, 0, 1), canary_id=new_id())
    await store.comparisons.put([latest])
    assert await store.comparisons.of_invoice(account.id, record.invoice.id) == latest
    assert await store.comparisons.of_invoice(new_id(), record.invoice.id) is None
    assert await store.comparisons.newest("new", 10) == [latest]
    assert await store.comparisons.newest("other", 10) == []
    assert await store.comparisons.candidates() == ["new"]


async def test_comparisons_are_listed_newest_first(store: Store, account: Account) -> None:
    records = [await queue_new(store, account.id) for _ in range(3)]
    made = [compared(each, at=NOON + timedelta(seconds=number)) for number, each in enumerate(records)]
    await store.comparisons.put(made)
    assert await store.comparisons.newest("new", 2) == [made[2], made[1]]


async def test_only_what_has_signs_is_evidence_of_a_canary(store: Store, account: Account) -> None:
    canary_id = new_id()
    records = [await queue_new(store, account.id) for _ in range(3)]
    signs = [None, Signs(-1, 1, 0), Signs(0, 0, 0)]
    for number, (record, each) in enumerate(zip(records, signs, strict=True)):
        at = NOON - timedelta(seconds=number)
        await store.comparisons.put([compared(record, at=at, signs=each, canary_id=canary_id)])
    assert await store.comparisons.signs(canary_id, 10) == [Signs(0, 0, 0), Signs(-1, 1, 0)]
    assert await store.comparisons.signs(canary_id, 1) == [Signs(0, 0, 0)]
    assert await store.comparisons.signs(new_id(), 10) == []


async def test_what_is_of_an_invoice_is_erased_with_it(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    canary = canary_of()
    await store.comparisons.put([compared(record)])
    await store.canaries.add_run(run_of(record, canary))
    await store.erasure.invoice(record, NOON)
    assert await store.comparisons.candidates() == []
    assert await store.canaries.runs(canary.id, 10) == []
    # Nor does it come back.
    await store.comparisons.put([compared(record)])
    await store.canaries.add_run(run_of(record, canary))
    assert await store.comparisons.candidates() == []
    assert await store.canaries.runs(canary.id, 10) == []


async def test_both_are_kept_for_thirty_days(store: Store, account: Account) -> None:
    record, canary = await queue_new(store, account.id), canary_of()
    await store.comparisons.put([compared(record)])
    await store.canaries.add_run(run_of(record, canary))
    assert await store.upkeep.expire(NOON + COMPARISON_LIFE - timedelta(seconds=1)) == 0
    assert await store.upkeep.expire(NOON + COMPARISON_LIFE) == 2
    assert await store.comparisons.newest("new", 10) == []


async def test_of_two_who_change_a_canary_one_succeeds(store: Store, account: Account) -> None:
    assert await store.canaries.present() is None
    canary = canary_of(account)
    assert await store.canaries.put(canary, None)
    assert not await store.canaries.put(canary_of(), None)
    stepped = canary.stepped(0.1, LATER)
    assert await store.canaries.put(stepped, canary)
    ended = canary.ended(CanaryState.ROLLED_BACK, "worse", LATER, {"agreement": 140.5})
    assert not await store.canaries.put(ended, canary)
    assert await store.canaries.present() == stepped


async def test_earlier_canaries_are_kept_with_their_evidence(store: Store) -> None:
    first = canary_of()
    await store.canaries.put(first, None)
    ended = first.ended(CanaryState.ROLLED_BACK, "worse", LATER, {"agreement": 140.5})
    await store.canaries.put(ended, first)
    second = canary_of()
    assert await store.canaries.put(second, ended)
    assert await store.canaries.present() == second
    assert await store.canaries.newest(10) == [second, ended]
    assert await store.canaries.newest(1) == [second]
    assert not await store.canaries.put(canary_of(), ended)


async def test_a_canary_forgets_an_account_that_is_erased(store: Store, account: Account) -> None:
    canary = canary_of(account)
    await store.canaries.put(canary, None)
    await store.erasure.account(account.id)
    present = await store.canaries.present()
    assert present is not None
    assert present.accounts == frozenset()


async def test_the_first_decision_about_an_answer_counts(store: Store, account: Account) -> None:
    record, canary = await queue_new(store, account.id), canary_of()
    run = run_of(record, canary)
    await store.canaries.note_decision(account.id, record.invoice.id, LATER, corrected=True)
    await store.canaries.add_run(run)
    await store.canaries.note_decision(account.id, record.invoice.id, LATER, corrected=True)
    await store.canaries.note_decision(account.id, record.invoice.id, NOON, corrected=False)
    assert await store.canaries.runs(canary.id, 10) == [replace(run, decided_at=LATER, corrected=True)]
