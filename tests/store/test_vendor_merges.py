"""Vendors that people name and merge: durable, right in all sums, and taken apart again."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Failure, FailureCode, Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.vendor import MergedVendor
from serve_app.services.upkeep.differences import differences
from serve_app.store.base import Store
from serve_app.store.base.store_check import StoreCheck
from tests.store.test_vendors import bill, save, save_next, sums, vendors
from tests.support import MONTH, NOON, claim_next, newest_events


@pytest.fixture
async def acme(store: Store, account: Account) -> Invoice:
    return await save(store, account, bill("ACME", "10", date(2026, 3, 1)))


@pytest.fixture
async def bolt(store: Store, account: Account) -> Invoice:
    return await save(store, account, bill("Bolt", "7", date(2026, 4, 1)))


def vendor_of(invoice: Invoice) -> UUID:
    assert invoice.vendor_id is not None
    return invoice.vendor_id


async def merge(store: Store, account: Account, kept: Invoice, merged: Invoice) -> None:
    assert await store.vendors.merge(account.id, vendor_of(kept), vendor_of(merged))


async def ids_of(store: Store, account: Account, vendor_id: UUID) -> set[UUID]:
    found = await store.invoices.page(account.id, InvoiceQuery(vendor_id=vendor_id), 100)
    return {invoice.id for invoice in found.items}


async def check_vendors(check: StoreCheck, account: Account) -> None:
    """What is kept of vendors agrees with the invoices."""
    kept = await check.of_account(account.id)
    assert [each for each in differences(kept, frozenset(), NOON) if each.kind == "vendors"] == []


async def test_a_merged_vendor_counts_for_the_kept_one(
    store: Store, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    await merge(store, account, acme, bolt)
    (vendor,) = await vendors(store, account)
    assert (vendor.id, vendor.name) == (acme.vendor_id, "ACME")
    assert (vendor.invoice_count, vendor.total_billed) == (2, Decimal(17))
    assert vendor.last_seen_at == date(2026, 4, 1)
    assert await store.vendors.get(account.id, vendor_of(bolt)) is None
    found = await store.invoices.get(account.id, bolt.id)
    assert found is not None
    assert (found.vendor_id, found.vendor_name) == (acme.vendor_id, "Bolt")
    assert await ids_of(store, account, vendor_of(acme)) == {acme.id, bolt.id}
    spend = await store.vendors.spend(account.id, [vendor_of(acme)])
    assert [(month.month, month.total) for month in spend[vendor_of(acme)]] == [
        (date(2026, 3, 1), Decimal(10)),
        (date(2026, 4, 1), Decimal(7)),
    ]


async def test_later_invoices_of_the_merged_name_go_to_the_kept_vendor(
    store: Store, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    await merge(store, account, acme, bolt)
    later = await save(store, account, bill("BOLT Ltd", "0.5", date(2026, 5, 1)))
    assert later.vendor_id == acme.vendor_id
    assert await sums(store, account) == {"ACME": (3, Decimal("17.5"))}
    (event, *_) = await newest_events(store, account.id)
    assert event.data.invoice.vendor_id == acme.vendor_id


async def test_sums_stay_right_when_invoices_are_read_again_or_deleted(
    store: Store, check: StoreCheck, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    await merge(store, account, acme, bolt)
    bolt = bolt.model_copy(update={"vendor_id": acme.vendor_id})
    assert await store.intake.rerun(bolt, account.id, MONTH, None) is not None
    assert await sums(store, account) == {"ACME": (1, Decimal(10))}
    # From one name of the group to another, and out of it.
    again = await save_next(store, bill("ACME", "8"))
    assert await sums(store, account) == {"ACME": (2, Decimal(18))}
    assert await store.intake.rerun(again, account.id, MONTH, None) is not None
    again = await save_next(store, bill("Bolt", "9"))
    assert (again.vendor_id, await sums(store, account)) == (acme.vendor_id, {"ACME": (2, Decimal(19))})
    assert await store.intake.rerun(again, account.id, MONTH, None) is not None
    await save_next(store, bill("Cord", "1"))
    assert await sums(store, account) == {"ACME": (1, Decimal(10)), "Cord": (1, Decimal(1))}
    assert await store.intake.rerun(acme, account.id, MONTH, None) is not None
    await store.queue.fail(await claim_next(store), Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    assert await sums(store, account) == {"Cord": (1, Decimal(1))}
    await check_vendors(check, account)


async def test_duplicates_of_a_merged_vendor_are_billed_once(
    store: Store, check: StoreCheck, account: Account, acme: Invoice
) -> None:
    first = await save(store, account, bill("Bolt", "7", number="R-1"))
    await save(store, account, bill("Bolt", "7", number="R-1"))
    await merge(store, account, acme, first)
    await save(store, account, bill("Bolt", "7", number="R-1"))
    assert await sums(store, account) == {"ACME": (4, Decimal(17))}
    await check_vendors(check, account)


async def test_a_merged_vendor_is_split_off_again_with_its_invoices(
    store: Store, check: StoreCheck, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    await merge(store, account, acme, bolt)
    later = await save(store, account, bill("Bolt", "5", date(2026, 5, 2)))
    assert await store.vendors.merged(account.id, vendor_of(acme)) == [MergedVendor(vendor_of(bolt), "Bolt")]
    assert await store.vendors.split(account.id, vendor_of(bolt))
    assert await sums(store, account) == {"ACME": (1, Decimal(10)), "Bolt": (2, Decimal(12))}
    assert [vendor.last_seen_at for vendor in await vendors(store, account)] == [date(2026, 5, 2), date(2026, 3, 1)]
    assert await ids_of(store, account, vendor_of(bolt)) == {bolt.id, later.id}
    assert await store.vendors.merged(account.id, vendor_of(acme)) == []
    assert not await store.vendors.split(account.id, vendor_of(bolt))
    newest = await save(store, account, bill("Bolt", "1"))
    assert newest.vendor_id == bolt.vendor_id
    await check_vendors(check, account)


async def test_a_vendor_that_others_were_merged_into_takes_them_along(
    store: Store, check: StoreCheck, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    cord = await save(store, account, bill("Cord", "1"))
    await merge(store, account, acme, bolt)
    await merge(store, account, cord, acme)
    assert await sums(store, account) == {"Cord": (3, Decimal(18))}
    assert {each.name for each in await store.vendors.merged(account.id, vendor_of(cord))} == {"ACME", "Bolt"}
    later = await save(store, account, bill("Bolt", "2"))
    assert later.vendor_id == cord.vendor_id
    assert await store.vendors.split(account.id, vendor_of(bolt))
    assert await sums(store, account) == {"Cord": (2, Decimal(11)), "Bolt": (2, Decimal(9))}
    await check_vendors(check, account)


async def test_what_is_no_pair_of_vendors_of_the_account_is_not_merged(
    store: Store, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    foreign = await save(store, other, bill("Cord", "3"))
    for kept, merged in (
        *((acme, acme), (acme, foreign), (foreign, acme)),
        (acme, acme.model_copy(update={"vendor_id": new_id()})),
    ):
        assert not await store.vendors.merge(account.id, vendor_of(kept), vendor_of(merged))
    await merge(store, account, acme, bolt)
    # Into one that is merged itself: it is in the kept one already.
    assert not await store.vendors.merge(account.id, vendor_of(bolt), vendor_of(acme))
    assert not await store.vendors.split(other.id, vendor_of(bolt))
    assert await sums(store, account) == {"ACME": (2, Decimal(17))}
    assert await sums(store, other) == {"Cord": (1, Decimal(3))}


async def test_a_merge_can_be_repeated(store: Store, account: Account, acme: Invoice, bolt: Invoice) -> None:
    await merge(store, account, acme, bolt)
    await store.vendors.merge(account.id, vendor_of(acme), vendor_of(bolt))
    assert await sums(store, account) == {"ACME": (2, Decimal(17))}


async def test_a_repair_keeps_merges(
    store: Store, check: StoreCheck, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    await merge(store, account, acme, bolt)
    await check.repair(account.id)
    assert await sums(store, account) == {"ACME": (2, Decimal(17))}
    await check_vendors(check, account)


async def test_a_name_that_a_person_gave_stays(store: Store, account: Account, acme: Invoice) -> None:
    assert await store.vendors.rename(account.id, vendor_of(acme), "Acme Café")
    await save(store, account, bill("ACME GmbH", "1"))
    assert set(await sums(store, account)) == {"Acme Café"}
    for part, count in (("cafe", 1), ("gmbh", 0)):
        assert len((await store.vendors.page(account.id, 9, None, part)).items) == count
    assert await store.vendors.rename(account.id, vendor_of(acme), None)
    assert set(await sums(store, account)) == {"ACME GmbH"}
    assert len((await store.vendors.page(account.id, 9, None, "gmbh")).items) == 1
    assert not await store.vendors.rename(account.id, new_id(), "x")
    assert not await store.vendors.rename(new_id(), vendor_of(acme), "x")


async def test_the_names_of_one_vendor_are_known_by_any_of_them(
    store: Store, account: Account, acme: Invoice, bolt: Invoice
) -> None:
    await save(store, account, bill("Cord", "1"))
    assert await store.vendors.keys_alike(account.id, ["bolt", "cord", "nobody"]) == set()
    await merge(store, account, acme, bolt)
    for key in ("acme", "bolt"):
        assert await store.vendors.keys_alike(account.id, [key, "cord"]) == {"acme", "bolt"}
    assert await store.vendors.kept_id(account.id, vendor_of(bolt)) == acme.vendor_id
    assert await store.vendors.kept_id(account.id, vendor_of(acme)) == acme.vendor_id
    assert await store.vendors.kept_id(new_id(), vendor_of(bolt)) == bolt.vendor_id
    assert [await store.vendors.id_of(account.id, key) for key in ("acme", "bolt")] == [acme.vendor_id] * 2
    assert await store.vendors.id_of(account.id, "nobody") is None
    assert await store.vendors.id_of(new_id(), "acme") is None
