"""Lists of invoices: newest first, page by page, filtered."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section, records_of
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ApprovalStatus, Extraction, Failure, FailureCode, Source, Status
from serve_app.domain.query import InvoiceQuery, Order, SortKey, Total
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.support import MONTH, NOON, claim_next, make_record, newest_events, queue_invoice, queue_new
from tests.support.suppliers import NOTICE, alert

TODAY = date(2026, 5, 17)


@pytest.fixture
async def invoices(store: Store, account: Account) -> dict[str, UUID]:
    """Four invoices, oldest first."""
    found: dict[str, UUID] = {}
    extractions = {
        "due": Extraction(
            vendor_name="Straße & Co. (50%)",
            amount=Decimal("10.10"),
            due_at=TODAY,
            invoice_number="A-1",
            currency="EUR",
            issued_at=date(2026, 4, 1),
            checks=[NOTICE],
        ),
        "overdue": Extraction(
            vendor_name="ACME",
            amount=Decimal("99.99"),
            due_at=date(2026, 5, 16),
            invoice_number="A-2",
            currency="EUR",
            issued_at=date(2026, 4, 2),
            checks=[NOTICE, alert()],
        ),
        "failed": None,
    }
    for number, (name, extraction) in enumerate(extractions.items()):
        record = await queue_new(store, account.id, NOON + timedelta(minutes=number))
        claim = await claim_next(store)
        if extraction is None:
            await store.queue.fail(claim, Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
        else:
            await store.queue.save_result(claim, extraction, NOON)
        found[name] = record.invoice.id
    mailed = make_record(account.id, NOON + timedelta(minutes=3))
    mailed.invoice.source = Source.EMAIL
    await queue_invoice(store, mailed)
    await newest_events(store, account.id)
    return found | {"queued": mailed.invoice.id}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (InvoiceQuery(), ["queued", "failed", "overdue", "due"]),
        (InvoiceQuery(status=Status.COMPLETE), ["overdue", "due"]),
        (InvoiceQuery(status=Status.FAILED), ["failed"]),
        (InvoiceQuery(source=Source.EMAIL), ["queued"]),
        (InvoiceQuery(created_after=NOON + timedelta(minutes=1)), ["queued", "failed"]),
        (InvoiceQuery(created_before=NOON + timedelta(minutes=1)), ["due"]),
        (InvoiceQuery(vendor="acm"), ["overdue"]),
        (InvoiceQuery(vendor="STRASSE"), ["due"]),
        (InvoiceQuery(vendor="(50%)"), ["due"]),
        (InvoiceQuery(vendor=".*"), []),
        (InvoiceQuery(vendor="%"), ["due"]),
        (InvoiceQuery(vendor="_"), []),
        (InvoiceQuery(min_amount=Decimal("10.10"), max_amount=Decimal("10.10")), ["due"]),
        (InvoiceQuery(min_amount=Decimal("10.11")), ["overdue"]),
        (InvoiceQuery(max_amount=Decimal("99.98")), ["due"]),
        (InvoiceQuery(due_after=date(2026, 5, 16)), ["due"]),
        (InvoiceQuery(due_before=TODAY), ["overdue"]),
        (InvoiceQuery(overdue=True, overdue_on=TODAY), ["overdue"]),
        (InvoiceQuery(overdue=False, overdue_on=TODAY), ["queued", "failed", "due"]),
        (InvoiceQuery(paid=False), ["queued", "failed", "overdue", "due"]),
        (InvoiceQuery(paid=True), []),
        (InvoiceQuery(status=Status.COMPLETE, vendor="a", min_amount=Decimal(50)), ["overdue"]),
        (InvoiceQuery(invoice_number="A-1"), ["due"]),
        (InvoiceQuery(invoice_number="a-1"), []),
        (InvoiceQuery(invoice_number=""), []),
        (InvoiceQuery(currency="EUR"), ["overdue", "due"]),
        (InvoiceQuery(currency="USD"), []),
        (InvoiceQuery(currency="EUR", status=Status.COMPLETE, paid=False, vendor="a"), ["overdue", "due"]),
        (InvoiceQuery(issued_after=date(2026, 4, 1)), ["overdue"]),
        (InvoiceQuery(issued_after=date(2026, 3, 31)), ["overdue", "due"]),
        (InvoiceQuery(issued_before=date(2026, 4, 2)), ["due"]),
        (InvoiceQuery(issued_after=date(2026, 3, 31), issued_before=date(2026, 4, 3)), ["overdue", "due"]),
        (InvoiceQuery(issued_after=date(2025, 1, 1), issued_before=date(2026, 4, 2)), ["due"]),
        (InvoiceQuery(issued_after=date(2026, 4, 1), issued_before=date(2026, 4, 2)), []),
        (InvoiceQuery(issued_after=date(2026, 4, 2), issued_before=date(2026, 4, 1)), []),
        (InvoiceQuery(issued_after=date(2026, 3, 31), currency="EUR", vendor="acme"), ["overdue"]),
        (InvoiceQuery(duplicate=True), []),
        (InvoiceQuery(duplicate=False), ["queued", "failed", "overdue", "due"]),
        (InvoiceQuery(entity_tag="north"), []),
        (InvoiceQuery(approval_status=ApprovalStatus.REQUESTED), []),
        (InvoiceQuery(vendor_id=new_id()), []),
        (InvoiceQuery(batch=new_id()), []),
        (InvoiceQuery(number="a-"), ["overdue", "due"]),
        (InvoiceQuery(number="-2"), ["overdue"]),
        (InvoiceQuery(number="."), []),
        (InvoiceQuery(number="_"), []),
        (InvoiceQuery(number="%"), []),
        (InvoiceQuery(number="^"), []),
        (InvoiceQuery(number="a-2"), ["overdue"]),
        (InvoiceQuery(number="A-2", vendor="cme"), ["overdue"]),
        (InvoiceQuery(number="A-2", vendor="strasse"), []),
        (InvoiceQuery(vendor="RASSE & co"), ["due"]),
        (InvoiceQuery(vendor='a"b" OR c*'), []),
        (InvoiceQuery(number="-", overdue=True, overdue_on=TODAY), ["overdue"]),
        (InvoiceQuery(to_check=True), ["overdue", "due"]),
        (InvoiceQuery(to_check=True, status=Status.FAILED), []),
        (InvoiceQuery(to_check=False), ["queued", "failed"]),
        (InvoiceQuery(has_alerts=True), ["overdue"]),
        (InvoiceQuery(has_alerts=True, paid=False, vendor="acm"), ["overdue"]),
        (InvoiceQuery(has_alerts=True, currency="USD"), []),
        (InvoiceQuery(has_alerts=False), ["queued", "failed", "due"]),
        (InvoiceQuery(to_check=False, overdue=False, overdue_on=TODAY), ["queued", "failed"]),
    ],
)
async def test_a_query_finds_what_it_says(
    store: Store, account: Account, invoices: dict[str, UUID], query: InvoiceQuery, names: list[str]
) -> None:
    page = await store.invoices.page(account.id, query, 100)
    assert [invoice.id for invoice in page.items] == [invoices[name] for name in names]
    assert not page.has_more


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (InvoiceQuery(), ["queued", "overdue", "due"]),
        (InvoiceQuery(currency="EUR"), ["overdue", "due"]),
        (InvoiceQuery(vendor="acm"), ["overdue"]),
    ],
)
async def test_asked_for_by_their_ids_they_come_in_the_order_of_the_list(
    store: Store, account: Account, invoices: dict[str, UUID], query: InvoiceQuery, names: list[str]
) -> None:
    wanted = replace(query, ids=(invoices["due"], new_id(), invoices["queued"], invoices["overdue"], invoices["due"]))
    page = await store.invoices.page(account.id, wanted, 100)
    assert [invoice.id for invoice in page.items] == [invoices[name] for name in names]
    first = await store.invoices.page(account.id, wanted, 1)
    rest = await store.invoices.page(account.id, wanted, 100, first.items[0].id)
    assert (first.has_more, first.items + rest.items) == (len(names) > 1, page.items)
    by_change = await store.invoices.sorted_page(account.id, wanted, Order(SortKey.UPDATED), 100)
    assert {invoice.id for invoice in by_change.items} == {invoice.id for invoice in page.items}
    assert not (await store.invoices.page(new_id(), wanted, 100)).items


async def test_totals_are_exact_sums_by_currency(store: Store, account: Account) -> None:
    for amount, currency in (("0.1", "EUR"), ("0.2", "EUR"), ("1234567.89", "EUR"), ("7.125", "KWD"), (None, None)):
        await queue_new(store, account.id)
        read = Extraction(amount=None if amount is None else Decimal(amount), currency=currency)
        await store.queue.save_result(await claim_next(store), read, NOON)
    everything = await store.invoices.totals(account.id, InvoiceQuery(), 100)
    assert set(everything) == {
        Total("EUR", 3, Decimal("1234568.19")), Total("KWD", 1, Decimal("7.125")), Total(None, 1, Decimal(0))
    }  # fmt: skip
    assert everything[0].currency == "EUR"
    assert await store.invoices.totals(account.id, InvoiceQuery(currency="EUR"), 100) == everything[:1]
    assert sum(total.count for total in await store.invoices.totals(account.id, InvoiceQuery(to_check=True), 2)) == 2


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("İstanbul Ticaret A.Ş.", ["istanbul", "ISTANBUL", "i\u0307stanbul", "a.s."]),
        ("Αθήνα Α.Ε.", ["ΑΘΗΝΑ", "αθήνα", "αθηνα", "Αθη\u0301να"]),
        ("Cafe\u0301 Crème", ["café", "CAFE", "cafe\u0301 creme"]),
        ("Μύλος", ["ΜΎΛΟΣ", "μυλοσ"]),
    ],
)
async def test_a_vendor_is_found_whatever_case_and_accents(
    store: Store, account: Account, name: str, parts: list[str]
) -> None:
    record = await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(vendor_name=name), NOON)
    for part in [*parts, name]:
        page = await store.invoices.page(account.id, InvoiceQuery(vendor=part), 10)
        assert [invoice.id for invoice in page.items] == [record.invoice.id], part
    assert (await store.invoices.page(account.id, InvoiceQuery(vendor="Athena"), 10)).items == ()


async def test_what_is_paid_is_not_overdue(store: Store, account: Account, invoices: dict[str, UUID]) -> None:
    await store.invoices.amend(account.id, invoices["overdue"], Amendment(paid=True), NOON)

    async def found(query: InvoiceQuery) -> list[UUID]:
        return [invoice.id for invoice in (await store.invoices.page(account.id, query, 100)).items]

    assert await found(InvoiceQuery(overdue=True, overdue_on=TODAY)) == []
    assert await found(InvoiceQuery(paid=True)) == [invoices["overdue"]]
    assert len(await found(InvoiceQuery(overdue=False, overdue_on=TODAY))) == 4


async def test_what_an_account_does_with_an_invoice_finds_it(
    store: Store, account: Account, invoices: dict[str, UUID]
) -> None:
    due = invoices["due"]
    await store.invoices.amend(account.id, due, Amendment(sets_tag=True, entity_tag="north 1"), NOON)
    await store.invoices.request_approval(account.id, due, "boss@example.com", "hash", NOON)

    async def found(query: InvoiceQuery) -> list[UUID]:
        return [invoice.id for invoice in (await store.invoices.page(account.id, query, 100)).items]

    assert await found(InvoiceQuery(entity_tag="north 1")) == [due]
    assert await found(InvoiceQuery(entity_tag="north")) == []
    assert await found(InvoiceQuery(approval_status=ApprovalStatus.REQUESTED)) == [due]
    await store.invoices.answer_approval(account.id, due, "hash", True, NOON)
    assert await found(InvoiceQuery(approval_status=ApprovalStatus.REQUESTED)) == []
    assert await found(InvoiceQuery(approval_status=ApprovalStatus.APPROVED, entity_tag="north 1", paid=False)) == [due]


async def test_a_vendors_invoices_are_found_by_its_id(
    store: Store, account: Account, invoices: dict[str, UUID]
) -> None:
    for vendor in await store.vendors.by_spend(account.id, 10):
        page = await store.invoices.page(account.id, InvoiceQuery(vendor_id=vendor.id), 100)
        assert [invoice.vendor_id for invoice in page.items] == [vendor.id]
        assert (await store.invoices.page(new_id(), InvoiceQuery(vendor_id=vendor.id), 100)).items == ()


async def test_the_parts_of_a_file_are_found_by_their_batch(store: Store, account: Account) -> None:
    alone, bill = await queue_new(store, account.id), Extraction(vendor_name="ACME")
    await store.queue.save_result(await claim_next(store), bill, NOON)
    record = await queue_new(store, account.id)
    claim = await claim_next(store)
    extraction, others = records_of(claim, [Section(page, page, bill) for page in (1, 2, 3)], NOON)
    assert await store.queue.save_result(claim, extraction, NOON, others) is not None
    await newest_events(store, account.id)

    async def found(batch: UUID, **more: Any) -> list[UUID]:
        query = InvoiceQuery(batch=batch, **more)
        return [invoice.id for invoice in (await store.invoices.page(account.id, query, 100)).items]

    parts = [record.invoice.id, *(other.invoice.id for other in others)]
    assert await found(record.invoice.id) == parts[::-1]
    assert await found(record.invoice.id, duplicate=True) == []
    assert await found(parts[1]) == []
    # It came in a file of its own.
    assert await found(alone.invoice.id) == []
    page = await store.invoices.page(account.id, InvoiceQuery(batch=record.invoice.id), 2, after=parts[2])
    assert [invoice.id for invoice in page.items] == parts[1::-1]


async def test_duplicates_are_found_as_such(store: Store, account: Account) -> None:
    bill = Extraction(vendor_name="ACME", invoice_number="7", amount=Decimal(5))
    ids = []
    for number in range(3):
        ids.append((await queue_new(store, account.id, NOON + timedelta(minutes=number))).invoice.id)
        await store.queue.save_result(await claim_next(store), bill, NOON)
    await newest_events(store, account.id)
    for is_duplicate, expected in ((True, ids[:0:-1]), (False, ids[:1])):
        page = await store.invoices.page(account.id, InvoiceQuery(duplicate=is_duplicate), 100)
        assert [invoice.id for invoice in page.items] == expected


async def test_pages_by_issue_date_follow_each_other_newest_first(store: Store, account: Account) -> None:
    days = [date(2026, 1, day) for day in (9, 3, 9, 5, 3, 9, 5)]
    ids = []
    for number, day in enumerate(days):
        ids.append((await queue_new(store, account.id, NOON + timedelta(minutes=number))).invoice.id)
        await store.queue.save_result(await claim_next(store), Extraction(issued_at=day), NOON)
    query = InvoiceQuery(issued_after=date(2026, 1, 3), issued_before=date(2026, 1, 10))
    found: list[UUID] = []
    has_more = True
    while has_more:
        page = await store.invoices.page(account.id, query, 2, after=found[-1] if found else None)
        found += [invoice.id for invoice in page.items]
        has_more = page.has_more
    assert found == [id for id, day in reversed(list(zip(ids, days, strict=True))) if day > date(2026, 1, 3)]


async def test_pages_follow_each_other_without_gaps(store: Store, account: Account, invoices: dict[str, UUID]) -> None:
    expected = [invoices[name] for name in ("queued", "failed", "overdue", "due")]
    found: list[UUID] = []
    has_more = True
    while has_more:
        page = await store.invoices.page(account.id, InvoiceQuery(), 3, after=found[-1] if found else None)
        found += [invoice.id for invoice in page.items]
        has_more = page.has_more
    assert found == expected


async def test_an_invoice_in_a_list_is_the_whole_invoice(
    store: Store, account: Account, invoices: dict[str, UUID]
) -> None:
    page = await store.invoices.page(account.id, InvoiceQuery(), 100)
    assert list(page.items) == [await store.invoices.get(account.id, invoice.id) for invoice in page.items]


@pytest.mark.usefixtures("invoices")
async def test_another_account_sees_none(store: Store) -> None:
    assert (await store.invoices.page(new_id(), InvoiceQuery(), 100)).items == ()


async def named(store: Store, account: Account, query: InvoiceQuery) -> list[str | None]:
    """The numbers of the invoices that a search finds."""
    return [invoice.invoice_number for invoice in (await store.invoices.page(account.id, query, 100)).items]


async def test_a_part_of_a_name_is_found_among_many_and_among_few(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        await queue_new(store, account.id, NOON + timedelta(minutes=number))
        name = "Ostwind Rara GmbH" if number == 1 else "Westwind GmbH"
        extraction = Extraction(vendor_name=name, invoice_number=f"INV-{number}", amount=Decimal(1))
        await store.queue.save_result(await claim_next(store), extraction, NOON)
    for enough in (2000, 1):
        monkeypatch.setattr("serve_app.store.sqlite.invoices.text_search.ENOUGH", enough)
        monkeypatch.setattr("serve_app.store.mongo.invoices.text_search.ENOUGH", enough)
        assert await named(store, account, InvoiceQuery(vendor="rara")) == ["INV-1"]
        assert await named(store, account, InvoiceQuery(vendor="gmbh")) == ["INV-3", "INV-2", "INV-1", "INV-0"]
        assert await named(store, account, InvoiceQuery(vendor="twind", number="inv-2")) == ["INV-2"]
        (total,) = await store.invoices.totals(account.id, InvoiceQuery(vendor="westwind"), 100)
        assert total.count == 3


async def test_a_search_follows_a_new_reading_and_an_erasure(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id, NOON)
    first = Extraction(vendor_name="Ostwind GmbH", invoice_number="OLD-1", amount=Decimal(1))
    await store.queue.save_result(await claim_next(store), first, NOON)
    assert await named(store, account, InvoiceQuery(vendor="ostwind")) == ["OLD-1"]
    complete = await store.invoices.get(account.id, record.invoice.id)
    assert complete is not None
    await store.intake.rerun(complete, account.id, MONTH, None)
    second = Extraction(vendor_name="Westwind GmbH", invoice_number="NEW-1", amount=Decimal(1))
    await store.queue.save_result(await claim_next(store), second, NOON)
    assert await named(store, account, InvoiceQuery(vendor="ostwind")) == []
    assert await named(store, account, InvoiceQuery(number="OLD-1")) == []
    assert await named(store, account, InvoiceQuery(vendor="westwind", number="NEW-")) == ["NEW-1"]
    await store.erasure.invoice(record, NOON)
    assert await named(store, account, InvoiceQuery(vendor="westwind")) == []


async def test_a_search_finds_nothing_of_another_account(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await queue_new(store, other.id, NOON)
    await store.queue.save_result(await claim_next(store), Extraction(vendor_name="Ostwind"), NOON)
    assert await named(store, account, InvoiceQuery(vendor="ostwind")) == []
