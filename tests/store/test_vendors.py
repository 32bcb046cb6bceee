"""Vendors are derived from the complete invoices, and right whatever happens to those."""

import asyncio
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Details, Extraction, Failure, FailureCode, Invoice
from serve_app.domain.vendor import IdentifierKind, MonthSpend, Vendor, VendorDetails
from serve_app.store.base import Store
from tests.support import MONTH, NOON, claim_next, newest_events, queue_new

NUMBERS = iter(range(1_000_000))


def bill(vendor: str, amount: str | None, issued_at: date | None = None, number: str | None = None) -> Extraction:
    return Extraction(
        vendor_name=vendor,
        amount=None if amount is None else Decimal(amount),
        issued_at=issued_at,
        invoice_number=number or f"R-{next(NUMBERS)}",
    )


async def save(store: Store, account: Account, extraction: Extraction, details: VendorDetails | None = None) -> Invoice:
    await queue_new(store, account.id)
    return await save_next(store, extraction, details)


async def save_next(store: Store, extraction: Extraction, details: VendorDetails | None = None) -> Invoice:
    saved = await store.queue.save_result(await claim_next(store), extraction, NOON, details=details or VendorDetails())
    assert saved is not None
    return saved


async def vendors(store: Store, account: Account) -> list[Vendor]:
    await newest_events(store, account.id)
    return await store.vendors.by_spend(account.id, 100)


async def sums(store: Store, account: Account) -> dict[str, tuple[int, Decimal]]:
    return {vendor.name: (vendor.invoice_count, vendor.total_billed) for vendor in await vendors(store, account)}


async def test_spellings_of_one_vendor_are_one_and_the_last_one_names_it(store: Store, account: Account) -> None:
    first = await save(store, account, bill("ACME GmbH", "10.10", date(2026, 3, 1)))
    second = await save(store, account, bill("Acme", "0.20", date(2026, 2, 1)))
    (vendor,) = await vendors(store, account)
    assert (vendor.name, vendor.invoice_count, vendor.total_billed) == ("Acme", 2, Decimal("10.30"))
    assert vendor.last_seen_at == date(2026, 3, 1)
    assert first.vendor_id == second.vendor_id == vendor.id


async def test_the_highest_spend_comes_first(store: Store, account: Account) -> None:
    for name, amount in (("Small", "9.99"), ("Large", "1000000000000.01"), ("Nothing", None), ("Medium", "10")):
        await save(store, account, bill(name, amount))
    assert [vendor.name for vendor in await vendors(store, account)] == ["Large", "Medium", "Small", "Nothing"]
    assert [vendor.name for vendor in await store.vendors.by_spend(account.id, 2)] == ["Large", "Medium"]


async def test_without_an_issue_date_the_day_of_creation_counts(store: Store, account: Account) -> None:
    await save(store, account, bill("ACME", "1"))
    (vendor,) = await vendors(store, account)
    assert vendor.last_seen_at == NOON.date()


async def test_a_duplicate_is_counted_but_not_billed_again(store: Store, account: Account) -> None:
    for _ in range(3):
        await save(store, account, bill("ACME", "10", number="R-1"))
    await save(store, account, bill("ACME", "5", number="R-2"))
    assert await sums(store, account) == {"ACME": (4, Decimal(15))}


async def test_a_new_run_moves_an_invoice_to_another_vendor(store: Store, account: Account) -> None:
    kept = await save(store, account, bill("ACME", "10", date(2026, 1, 1)))
    moved = await save(store, account, bill("ACME", "7", date(2026, 4, 1)))
    assert await sums(store, account) == {"ACME": (2, Decimal(17))}
    assert await store.intake.rerun(moved, account.id, MONTH, None) is not None
    assert await sums(store, account) == {"ACME": (1, Decimal(10))}
    again = await save_next(store, bill("Bolt", "8"))
    assert await sums(store, account) == {"ACME": (1, Decimal(10)), "Bolt": (1, Decimal(8))}
    assert again.vendor_id != kept.vendor_id
    acme = next(vendor for vendor in await vendors(store, account) if vendor.name == "ACME")
    assert acme.last_seen_at == date(2026, 1, 1)


async def test_when_the_original_goes_its_duplicate_is_billed(store: Store, account: Account) -> None:
    original = await save(store, account, bill("ACME", "10", number="R-1"))
    duplicate = await save(store, account, bill("ACME", "10", number="R-1"))
    assert await store.intake.rerun(original, account.id, MONTH, None) is not None
    assert await sums(store, account) == {"ACME": (1, Decimal(10))}
    await store.queue.fail(await claim_next(store), Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    assert await sums(store, account) == {"ACME": (1, Decimal(10))}
    found = await store.invoices.get(account.id, duplicate.id)
    assert found is not None
    assert found.duplicate_of is None


async def test_a_vendor_without_invoices_is_not_listed_and_comes_back_as_itself(store: Store, account: Account) -> None:
    first = await save(store, account, bill("ACME", "10"))
    assert await store.intake.rerun(first, account.id, MONTH, None) is not None
    assert await vendors(store, account) == []
    again = await save_next(store, bill("ACME", "11"))
    assert again.vendor_id == first.vendor_id


async def test_details_are_those_read_last(store: Store, account: Account) -> None:
    await save(store, account, bill("ACME", "1"), VendorDetails(website="acme.example", phone="1"))
    await save(store, account, bill("ACME", "2"), VendorDetails(email="a@acme.example", phone="2"))
    (vendor,) = await vendors(store, account)
    assert (vendor.website, vendor.email, vendor.phone) == ("acme.example", "a@acme.example", "2")


async def test_an_invoice_without_a_vendor_has_none(store: Store, account: Account) -> None:
    for name in (None, "...", ""):
        saved = await save(store, account, bill("x", "1").model_copy(update={"vendor_name": name}))
        assert saved.vendor_id is None
    assert await vendors(store, account) == []


async def test_many_runs_that_end_at_once_are_all_counted(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    for _ in range(8):
        await queue_new(store, account.id)
    claims = [await claim_next(store) for _ in range(8)]
    stores = [store, open_again()]
    same = bill("ACME", "10", number="R-1")
    extractions = [same if number % 2 else bill("ACME", "1") for number in range(8)]
    await asyncio.gather(
        *(
            stores[number % 2].queue.save_result(claim, extraction, NOON)
            for number, (claim, extraction) in enumerate(zip(claims, extractions, strict=True))
        )
    )
    assert await sums(store, account) == {"ACME": (8, Decimal(14))}


async def test_the_list_of_vendors_goes_on_after_any_of_them(store: Store, account: Account) -> None:
    for name, amount in (("A", "5"), ("B", "7"), ("C", "5"), ("D", "5"), ("E", "1")):
        await save(store, account, bill(name, amount))
    await newest_events(store, account.id)
    found, after = [], None
    while True:
        page = await store.vendors.page(account.id, 2, after)
        found += [vendor.name for vendor in page.items]
        if not page.has_more:
            break
        after = page.items[-1].id
    assert found == ["B", "A", "C", "D", "E"]
    assert (await store.vendors.page(account.id, 2, new_id())).items == ()
    assert (await store.vendors.page(new_id(), 2)).items == ()


async def test_spend_is_by_month_and_currency_without_duplicates(store: Store, account: Account) -> None:
    acme = [
        bill("ACME", "10.10", date(2026, 3, 1)),
        bill("ACME", "0.20", date(2026, 3, 31)),
        bill("ACME", "5", date(2026, 3, 2)).model_copy(update={"currency": "EUR"}),
        bill("ACME", "7", date(2026, 1, 2)).model_copy(update={"currency": "EUR"}),
        bill("ACME", "99", date(2026, 4, 1), number="twice"),
        bill("ACME", "99", date(2026, 4, 1), number="twice"),
    ]
    for extraction in [*acme, bill("Other", "1", date(2026, 3, 1))]:
        await save(store, account, extraction)
    found = {vendor.name: vendor.id for vendor in await vendors(store, account)}
    spend = await store.vendors.spend(account.id, [found["ACME"]])
    assert spend == {
        found["ACME"]: [
            MonthSpend(date(2026, 1, 1), "EUR", 1, Decimal(7)),
            MonthSpend(date(2026, 3, 1), None, 2, Decimal("10.30")),
            MonthSpend(date(2026, 3, 1), "EUR", 1, Decimal(5)),
            MonthSpend(date(2026, 4, 1), None, 1, Decimal(99)),
        ]
    }
    assert await store.vendors.spend(new_id(), list(found.values())) == {}
    assert (await store.vendors.get(account.id, found["Other"])) is not None
    assert (await store.vendors.get(new_id(), found["Other"])) is None


async def test_a_part_of_the_name_finds_vendors_in_the_order_of_the_list(store: Store, account: Account) -> None:
    for name, amount in (
        ("Café Nord", "5"),
        ("Nordlicht", "70"),
        ("ACME", "900"),
        ("Fa. NORDEN", "6"),
        ("50%_Off", "1"),
    ):
        await save(store, account, bill(name, amount))
    await newest_events(store, account.id)

    async def found(part: str, limit: int = 10) -> list[str]:
        names: list[str] = []
        after, has_more = None, True
        while has_more:
            page = await store.vendors.page(account.id, limit, after, part)
            names += [vendor.name for vendor in page.items]
            after, has_more = page.items[-1].id if page.items else None, page.has_more
        return names

    assert await found("nord") == ["Nordlicht", "Fa. NORDEN", "Café Nord"]
    assert await found("nord", 1) == ["Nordlicht", "Fa. NORDEN", "Café Nord"]
    assert await found("CAFE") == ["Café Nord"]
    assert await found("%_") == ["50%_Off"]
    assert await found(".*") == []
    assert await found("\0") == []
    assert (await store.vendors.page(new_id(), 10, None, "nord")).items == ()
    await save(store, account, bill("acme", "1"))
    assert await found("acme") == ["acme"]


def printing(vendor: str, issued_at: date, **details: str) -> Extraction:
    return bill(vendor, "10", issued_at).model_copy(update={"details": Details(**details)})


async def test_a_vendor_is_known_by_what_its_invoices_print(store: Store, account: Account) -> None:
    site = VendorDetails(website="www.acme.example", email="billing@mail.acme.example")
    first = await save(store, account, printing("ACME", date(2026, 1, 5), iban="DE1", vendor_tax_id="T1"), site)
    await save(store, account, printing("Acme GmbH", date(2026, 2, 5), iban="DE2", vendor_tax_id="T1"))
    await save(store, account, printing("ACME", date(2026, 3, 5), iban="DE1"))
    bolt = await save(store, account, printing("Bolt", date(2026, 3, 5), iban="DE3"))
    assert first.vendor_id is not None
    assert bolt.vendor_id is not None
    await newest_events(store, account.id)

    found = await store.vendors.identifiers(account.id, [first.vendor_id, bolt.vendor_id])
    assert [(each.kind, each.value, each.invoices) for each in found[first.vendor_id]] == [
        (IdentifierKind.TAX_NUMBER, "T1", 2),
        (IdentifierKind.IBAN, "DE1", 2),
        (IdentifierKind.IBAN, "DE2", 1),
        (IdentifierKind.DOMAIN, "acme.example", 1),
        (IdentifierKind.DOMAIN, "mail.acme.example", 1),
    ]
    days = [(each.first_seen_at, each.last_seen_at) for each in found[first.vendor_id][:2]]
    assert days == [(date(2026, 1, 5), date(2026, 2, 5)), (date(2026, 1, 5), date(2026, 3, 5))]
    assert [each.value for each in found[bolt.vendor_id]] == ["DE3"]
    assert await store.vendors.identifiers(new_id(), [first.vendor_id]) == {}


async def test_an_identifier_names_a_vendor_that_alone_has_it(store: Store, account: Account) -> None:
    acme = await save(store, account, printing("ACME", date(2026, 1, 5), iban="DE1", vendor_tax_id="T1"))
    bolt = await save(store, account, printing("Bolt", date(2026, 1, 6), iban="DE1", vendor_tax_id="T2"))
    assert acme.vendor_id is not None
    assert bolt.vendor_id is not None
    await newest_events(store, account.id)

    async def by(kind: IdentifierKind, value: str, account_id: UUID = account.id) -> UUID | None:
        return await store.vendors.identified_by(account_id, kind, value)

    assert await by(IdentifierKind.TAX_NUMBER, "T2") == bolt.vendor_id
    assert await by(IdentifierKind.TAX_NUMBER, "T3") is None
    assert await by(IdentifierKind.TAX_NUMBER, "T2", new_id()) is None
    assert await by(IdentifierKind.IBAN, "DE1") is None
    assert await store.vendors.identified_by(account.id, IdentifierKind.IBAN, "DE1", bolt.vendor_id) == acme.vendor_id
    await store.vendors.merge(account.id, acme.vendor_id, bolt.vendor_id)
    await newest_events(store, account.id)
    assert await by(IdentifierKind.IBAN, "DE1") == acme.vendor_id
