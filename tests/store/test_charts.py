"""Charts, and what confirmed codings teach."""

from datetime import timedelta
from decimal import Decimal

from serve_app.domain.account import Account, Plan
from serve_app.domain.chart import NO_CHART, Chart, ChartCode, CodingRule, Dimension
from serve_app.domain.coding import CodedLine, CodingDecision, CodingExample, DecidedPosting, Part, Trial
from serve_app.domain.ids import new_id
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import CodingChange, Review
from serve_app.store.base import Store
from serve_app.store.base.reviews import NewReview
from tests.store.test_reviews import found, read_new
from tests.support import NOON

CHART = Chart(
    dimensions=[Dimension(key="account", name="Accounts", codes=[ChartCode(code="4930", name="Bürobedarf")])],
    rules=[CodingRule(contains="paper", codes={"account": "4930"})],
)
LINE = CodedLine("Paper", 12.5, [Part("100", {"account": "4930"})])
EXAMPLE = CodingExample("acme", "", [LINE], [Trial("account", 0.5, is_right=True)])
DECISION = CodingDecision(postings=[DecidedPosting(codes={"account": "4930"})], by="Ann", at=NOON)


async def save(
    store: Store, record: InvoiceRecord, review: Review, example: CodingExample | None, minutes: int
) -> None:
    at = NOON + timedelta(minutes=minutes)
    new = NewReview(review, record.review_revision, at, coding=example)
    assert await store.reviews.save(record.account_id, record.invoice.id, new) is not None


async def code(store: Store, record: InvoiceRecord, example: CodingExample = EXAMPLE, minutes: int = 0) -> None:
    record = await found(store, record)
    await save(store, record, record.review.changed({}, coding=CodingChange(DECISION)), example, minutes)


async def test_a_chart_is_replaced_only_over_the_revision_that_was_seen(store: Store, account: Account) -> None:
    assert await store.charts.of_account(account.id) == NO_CHART
    first = await store.charts.put(account.id, CHART, 0)
    assert first == CHART.model_copy(update={"revision": 1})
    assert await store.charts.of_account(account.id) == first
    assert await store.charts.put(account.id, NO_CHART, 0) is None
    assert await store.charts.put(account.id, NO_CHART, 2) is None
    assert await store.charts.put(account.id, NO_CHART, 1) == Chart(revision=2)
    assert await store.charts.of_account(account.id) == Chart(revision=2)


async def test_a_chart_is_its_accounts_alone_and_goes_with_it(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await store.charts.put(account.id, CHART, 0)
    assert await store.charts.of_account(other.id) == NO_CHART
    await store.erasure.account(account.id)
    assert await store.charts.of_account(account.id) == NO_CHART
    assert await store.charts.put(account.id, CHART, 0) is None


async def test_examples_are_listed_the_newest_decision_first(store: Store, account: Account) -> None:
    assert await store.coding_examples.state(account.id) == (0, None)
    later = CodingExample("beta", "", [LINE], [])
    await code(store, await read_new(store, account), later, minutes=9)
    await code(store, await read_new(store, account), EXAMPLE, minutes=2)
    assert await store.coding_examples.newest(account.id, 10) == [later, EXAMPLE]
    assert await store.coding_examples.newest(account.id, 1) == [later]
    assert await store.coding_examples.state(account.id) == (2, NOON + timedelta(minutes=9))
    assert await store.coding_examples.newest(new_id(), 10) == []


async def test_the_invoice_has_the_decided_coding_until_it_is_taken_back(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    await code(store, record)
    record = await found(store, record)
    coding = record.invoice.coding
    assert coding is not None
    assert [(each.amount, each.codes["account"].value) for each in coding.postings] == [(record.invoice.amount, "4930")]
    await save(store, record, record.review.undone(), None, 5)
    record = await found(store, record)
    assert record.invoice.coding is None
    assert await store.coding_examples.newest(account.id, 10) == []


async def test_an_erased_invoice_teaches_nothing(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    await code(store, record)
    await store.erasure.invoice(await found(store, record), NOON)
    assert await store.coding_examples.newest(account.id, 10) == []


async def test_exact_amounts_are_kept(store: Store, account: Account) -> None:
    record = await found(store, await read_new(store, account))
    shares = [Decimal("33.3333"), Decimal("66.6667")]
    postings = [DecidedPosting(share=share, codes={"account": "4930"}) for share in shares]
    decision = CodingDecision(postings=postings, by="Ann", at=NOON)
    await save(store, record, record.review.changed({}, coding=CodingChange(decision)), None, 0)
    record = await found(store, record)
    assert record.invoice.coding is not None
    assert [each.share for each in record.invoice.coding.postings] == shares
    assert sum((each.amount or Decimal(0)) for each in record.invoice.coding.postings) == record.invoice.amount
