"""Purchase orders belong to an account; which invoices bill one is in the invoices alone."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.order_match import MatchedOrder, OrderMatch, OrderMatchStatus
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderQuery, OrderStatus, PurchaseOrder
from serve_app.domain.query import InvoiceQuery
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.store.base import Files, Store
from tests.store.test_vendors import bill as vendors_bill
from tests.store.test_vendors import save
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.orders import make_line, make_order

LATER = NOON + timedelta(minutes=5)


@pytest.fixture
def order(account: Account) -> PurchaseOrder:
    lines = make_line(1, unit="pcs", sku="D-1"), make_line(2, "Chair", "2.5", "0.3333", received_quantity=Decimal("1"))
    return make_order(account.id, "PO 10/01", *lines, ordered_on=date(2026, 5, 2), changes=(new_id(),), check_at=NOON)


async def bill(store: Store, account: Account, *orders: PurchaseOrder) -> InvoiceQuery:
    """Finish an invoice that bills these; returns the query for the invoices of the first."""
    await queue_new(store, account.id)
    claim = await claim_next(store)
    matched = [MatchedOrder(id=order.id, number=order.number) for order in orders]
    match = OrderMatch(status=OrderMatchStatus.MATCHED, orders=matched)
    assert await store.queue.save_result(claim, Extraction(order_match=match), NOON) is not None
    return InvoiceQuery(order_id=orders[0].id)


async def ids_of(store: Store, account: Account, query: InvoiceQuery) -> int:
    return len((await store.invoices.page(account.id, query, 9)).items)


class TestKeeping:
    async def test_an_order_is_kept_exactly_and_found_by_each_of_its_names(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        assert await store.purchase_orders.add(order)
        assert await store.purchase_orders.get(account.id, [order.id, new_id()]) == [order]
        assert await store.purchase_orders.numbered(account.id, ["po1001", "x"]) == [order]
        assert await store.purchase_orders.get(account.id, []) == []

    async def test_a_number_is_kept_once_however_it_is_spaced(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        assert await store.purchase_orders.add(order)
        assert not await store.purchase_orders.add(make_order(account.id, "PO-1001"))
        other = make_order(account.id, "PO-1002")
        assert await store.purchase_orders.add(other)
        assert not await store.purchase_orders.replace(replace(other, number="po1001", revision=1), 0)
        assert await store.purchase_orders.get(account.id, [other.id]) == [other]

    async def test_a_change_is_made_over_the_revision_that_was_seen(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        assert await store.purchase_orders.add(order)
        changed = replace(order, vendor="Other", status=OrderStatus.CLOSED, revision=1, updated_at=LATER)
        assert await store.purchase_orders.replace(changed, 0)
        assert not await store.purchase_orders.replace(replace(changed, vendor="Third"), 0)
        assert await store.purchase_orders.get(account.id, [order.id]) == [changed]
        found = await store.purchase_orders.candidates(account.id, [], changed.vendor_key, 9)
        assert found.of_vendor == [changed]

    async def test_other_accounts_have_nothing_of_them(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        other = Account(new_id(), Plan.FREE, NOON)
        await store.accounts.add(other)
        assert await store.purchase_orders.add(order)
        orders = store.purchase_orders
        assert await orders.get(other.id, [order.id]) == await orders.numbered(other.id, [order.key]) == []
        assert await orders.matching_rules(other.id) is None
        nothing = await orders.candidates(other.id, [order.key], order.vendor_key, 9)
        assert (nothing.numbered, nothing.of_vendor) == ([], [])
        assert not await orders.remove(other.id, order.id)
        assert not await orders.replace(replace(order, account_id=other.id, revision=1), 0)
        await orders.check_again(other.id, [order.id], LATER)
        assert await orders.get(account.id, [order.id]) == [order]
        assert await orders.add(make_order(other.id, order.number))
        assert not await orders.add(make_order(new_id()))
        assert await orders.remove(account.id, order.id)
        assert not await orders.remove(account.id, order.id)


class TestLists:
    async def test_orders_are_listed_newest_first_in_pages_and_by_filters(self, store: Store, account: Account) -> None:
        made = [make_order(account.id, f"PO-{n}", vendor=f"Vendor {n % 2} AG") for n in range(5)]
        made[0] = replace(made[0], status=OrderStatus.CLOSED)
        for order in made:
            assert await store.purchase_orders.add(order)
        first = await store.purchase_orders.page(account.id, OrderQuery(), 3)
        rest = await store.purchase_orders.page(account.id, OrderQuery(), 3, first.items[-1].id)
        assert [*first.items, *rest.items] == made[::-1]
        assert (first.has_more, rest.has_more) == (True, False)
        for query, found in (
            (OrderQuery(number="po 3"), [made[3]]),
            (OrderQuery(vendor="VENDOR 1"), [made[3], made[1]]),
            (OrderQuery(status=OrderStatus.CLOSED), [made[0]]),
            (OrderQuery(status=OrderStatus.OPEN, vendor="Vendor 0 AG"), [made[4], made[2]]),
            (OrderQuery(vendor="Vendor"), []),
        ):
            assert list((await store.purchase_orders.page(account.id, query, 9)).items) == found


class TestRules:
    async def test_each_account_has_its_own(self, store: Store, account: Account) -> None:
        assert await store.purchase_orders.rules(account.id) == OrderRules()
        rules = OrderRules(price_percent=Decimal("2.5"), amount=Decimal("1.10"), skip_review=True)
        assert await store.purchase_orders.set_rules(account.id, rules)
        assert await store.purchase_orders.rules(account.id) == rules
        assert not await store.purchase_orders.set_rules(new_id(), rules)

    async def test_an_account_without_orders_matches_nothing(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        assert await store.purchase_orders.matching_rules(account.id) is None
        assert await store.purchase_orders.add(order)
        assert await store.purchase_orders.matching_rules(account.id) == OrderRules()
        rules = OrderRules(amount=Decimal("1.10"))
        assert await store.purchase_orders.set_rules(account.id, rules)
        assert await store.purchase_orders.matching_rules(account.id) == rules


class TestCandidates:
    async def test_they_have_a_number_of_the_invoice_or_are_the_newest_of_its_vendor(
        self, store: Store, account: Account
    ) -> None:
        made = [make_order(account.id, f"PO-{n}", vendor=f"Vendor {n % 2} AG") for n in range(7)]
        for order in made:
            assert await store.purchase_orders.add(order)
        found = await store.purchase_orders.candidates(account.id, ["po2", "po1", "x"], made[0].vendor_key, 3)
        assert found.numbered == [made[1], made[2]]
        assert (found.of_vendor, found.vendor_keys) == ([made[6], made[4], made[2]], {made[0].vendor_key})
        nobody = await store.purchase_orders.candidates(account.id, [], "", 3)
        assert (nobody.numbered, nobody.of_vendor, nobody.vendor_keys) == ([], [], set())

    async def test_vendors_that_are_merged_count_as_one(self, store: Store, account: Account) -> None:
        names = "Muster GmbH", "Muster Nord GmbH"
        kept, merged = [(await save(store, account, vendors_bill(name, "10", NOON.date()))).vendor_id for name in names]
        assert kept is not None
        assert merged is not None
        assert await store.vendors.merge(account.id, kept, merged)
        order = make_order(account.id, vendor="Muster GmbH")
        assert await store.purchase_orders.add(order)
        found = await store.purchase_orders.candidates(account.id, [], normalise_vendor("Muster Nord GmbH"), 9)
        assert found.of_vendor == [order]
        assert found.vendor_keys == set(map(normalise_vendor, names))


class TestComparingAgain:
    async def test_an_order_is_due_from_its_moment_on_until_it_was_checked(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        orders, settled = store.purchase_orders, make_order(account.id, "PO-2")
        assert await orders.add(order)
        assert await orders.add(settled)
        assert await orders.due(NOON - timedelta(seconds=1), 9) == []
        assert await orders.due(NOON, 9) == [order]
        await orders.checked(order)
        assert await orders.due(LATER, 9) == []
        await orders.check_again(account.id, [settled.id, new_id()], LATER)
        assert [each.id for each in await orders.due(LATER, 9)] == [settled.id]

    async def test_what_changed_while_it_was_checked_is_checked_again(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        orders = store.purchase_orders
        assert await orders.add(order)
        await orders.check_again(account.id, [order.id], LATER)
        await orders.checked(order)
        (due,) = await orders.due(LATER, 9)
        # An earlier moment never replaces a later one.
        await orders.check_again(account.id, [order.id], NOON)
        assert await orders.replace(replace(due, revision=1, check_at=NOON), 0)
        (again,) = await orders.due(LATER, 9)
        assert (again.check_at, again.revision) == (LATER, 1)
        await orders.checked(due)
        assert await orders.due(LATER, 9) == [again]


class TestInvoicesOfAnOrder:
    async def test_they_are_found_by_the_order_and_by_how_they_match(
        self, store: Store, account: Account, order: PurchaseOrder
    ) -> None:
        other = make_order(account.id, "PO-2")
        await bill(store, account, order, other)
        query = await bill(store, account, order)
        assert await ids_of(store, account, query) == 2
        assert await ids_of(store, account, InvoiceQuery(order_id=other.id)) == 1
        assert await ids_of(store, account, InvoiceQuery(order_id=new_id())) == 0
        assert await ids_of(store, account, InvoiceQuery(order_match=OrderMatchStatus.MATCHED)) == 2
        assert await ids_of(store, account, InvoiceQuery(order_match=OrderMatchStatus.DIFFERS)) == 0

    async def test_a_deleted_invoice_bills_nothing(
        self, store: Store, files: Files, clock: Clock, account: Account, order: PurchaseOrder
    ) -> None:
        query = await bill(store, account, order)
        (invoice,) = (await store.invoices.page(account.id, query, 9)).items
        assert invoice.order_match is not None
        await InvoiceEraser(store, files, clock).erase(account.id, invoice.id)
        assert await ids_of(store, account, query) == 0
