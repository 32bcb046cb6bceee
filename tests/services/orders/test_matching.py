"""Invoices are matched before they are saved, and again when an order or another invoice changes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.batch import Section
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.evidence import Evidence, PageWords, pack
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import VERIFIED_BY, CheckKind, Confidence, Details, Extraction, Invoice, LineItem
from serve_app.domain.order_match import OrderFoundBy, OrderMatchStatus
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import PurchaseOrder
from serve_app.domain.query import InvoiceQuery
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.orders.rounds import OrderRounds
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.store.base import Files, Store
from serve_app.wiring.orders import build_orders
from serve_app.wiring.review import build_reviews
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.orders import make_line, make_order

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
HIGH = dict.fromkeys(VERIFIED_BY, Confidence.HIGH)


def read(quantity: str = "10", number: str | None = "PO 1001", price: str = "25.00", **more: Any) -> Extraction:
    """An invoice of so many desks."""
    total = Decimal(quantity) * Decimal(price)
    line = LineItem(
        description="Oak desk", quantity=Decimal(quantity), unit_price=Decimal(price), confidence=None, total=total
    )
    values: dict[str, Any] = {"vendor_name": "Norvik Supplies", "invoice_number": "R-1", "currency": "EUR"}
    values |= {"amount": total * Decimal("1.19"), "tax": total * Decimal("0.19"), "line_items": [line]}
    return Extraction(**values | {"details": Details(purchase_order=number), "field_confidence": HIGH} | more)


@pytest.fixture
async def order(store: Store, account: Account) -> PurchaseOrder:
    order = make_order(account.id)
    assert await store.purchase_orders.add(order)
    return order


class Runs:
    """Reads and saves invoices as a run does."""

    def __init__(self, store: Store, files: Files, clock: Clock, account: Account) -> None:
        self.store, self.files, self.clock, self.account = store, files, clock, account
        self.matcher = OrderMatcher(store, clock)
        self.rounds = OrderRounds(store, files, clock)

    async def matched(self, extraction: Extraction, *words: str) -> Invoice:
        await queue_new(self.store, self.account.id)
        claim = await claim_next(self.store)
        page = PageWords(1, 595.0, 842.0, " ".join(words), ())
        section = Section(1, 1, extraction, evidence=pack(Evidence((page,))) if words else None)
        (found,) = await self.matcher.apply(self.account.id, claim.invoice.id, [section])
        saved = await self.store.queue.save_result(claim, found.extraction, NOON)
        assert saved is not None
        return await self.invoice(claim.invoice.id)

    async def invoice(self, id: UUID) -> Invoice:
        found = await self.store.invoices.get(self.account.id, id)
        assert found is not None
        return found

    async def kinds(self, id: UUID) -> Sequence[str]:
        match = (await self.invoice(id)).order_match
        return [each.kind for each in match.findings if each.is_difference] if match else []

    async def settle(self) -> None:
        """What housekeeping does a few minutes later."""
        self.clock.advance(301)
        await self.rounds.run()


@pytest.fixture
def runs(store: Store, files: Files, clock: Clock, account: Account) -> Runs:
    return Runs(store, files, clock, account)


class TestFindingOrders:
    async def test_an_account_without_orders_has_no_match(self, runs: Runs) -> None:
        assert (await runs.matched(read())).order_match is None

    @pytest.mark.parametrize(
        ("number", "words", "found_by"),
        [
            ("PO 1001", (), OrderFoundBy.NUMBER),
            ("Order 1001", (), OrderFoundBy.NUMBER),
            ("PO-0999, PO-1001", (), OrderFoundBy.NUMBER),
            (None, ("our", "order", "PO-1001,"), OrderFoundBy.TEXT),
            (None, ("order", "PO", "1001"), OrderFoundBy.TEXT),
            (None, ("no", "number"), OrderFoundBy.LINES),
        ],
    )
    async def test_it_is_found_by_its_number_or_by_its_lines(
        self, runs: Runs, order: PurchaseOrder, number: str | None, words: tuple[str, ...], found_by: OrderFoundBy
    ) -> None:
        match = (await runs.matched(read(number=number), *words)).order_match
        assert match is not None
        assert (match.found_by, [each.id for each in match.orders]) == (found_by, [order.id])

    async def test_two_orders_alike_leave_a_doubt_without_a_number(
        self, runs: Runs, store: Store, order: PurchaseOrder, account: Account
    ) -> None:
        assert await store.purchase_orders.add(make_order(account.id, "PO-2002"))
        match = (await runs.matched(read(number=None))).order_match
        assert match is not None
        assert (match.status, match.orders) == (OrderMatchStatus.NOT_FOUND, [])

    @pytest.mark.parametrize(
        ("quantity", "price", "kind"), [("10", "27.50", "price_above"), ("12", "25.00", "quantity_above_ordered")]
    )
    async def test_without_a_number_a_line_that_differs_is_found_by_its_words(
        self, runs: Runs, store: Store, order: PurchaseOrder, account: Account, quantity: str, price: str, kind: str
    ) -> None:
        assert await store.purchase_orders.add(make_order(account.id, "PO-2002", make_line(1, "Swivel chair")))
        differs = await runs.matched(read(quantity, None, price))
        assert differs.order_match is not None
        assert [each.id for each in differs.order_match.orders] == [order.id]
        assert await runs.kinds(differs.id) == [kind]

    async def test_without_a_number_words_that_are_only_alike_leave_a_doubt(
        self, runs: Runs, order: PurchaseOrder
    ) -> None:
        line = LineItem(
            description="Oak desk lamp, black",
            quantity=Decimal(10),
            unit_price=Decimal(40),
            confidence=None,
            total=Decimal(400),
        )
        match = (await runs.matched(read(number=None, line_items=[line]))).order_match
        assert match is not None
        assert match.orders == []

    async def test_a_number_that_is_none_is_named(self, runs: Runs, order: PurchaseOrder) -> None:
        known = await runs.matched(read(number="PO-7777"))
        assert await runs.kinds(known.id) == ["order_unknown"]
        other = await runs.matched(read(number="PO-7777", vendor_name="Somebody else"))
        assert other.order_match is not None
        assert other.order_match.status is OrderMatchStatus.NOT_FOUND

    async def test_another_vendors_invoice_names_the_order_only_if_it_bills_its_lines(
        self, runs: Runs, order: PurchaseOrder
    ) -> None:
        taken = await runs.matched(read(vendor_name="Somebody else"))
        assert await runs.kinds(taken.id) == ["vendor_differs"]
        shoes = LineItem(description="Shoes", quantity=None, unit_price=None, confidence=None, total=Decimal(9))
        chance = await runs.matched(read(vendor_name="Somebody else", line_items=[shoes]))
        assert chance.order_match is not None
        assert chance.order_match.orders == []

    async def test_without_the_store_the_invoice_is_saved_without_a_match(
        self, runs: Runs, order: PurchaseOrder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_: object) -> None:
            raise StoreUnreachable

        monkeypatch.setattr(runs.matcher, "_match", fail)
        assert (await runs.matched(read())).order_match is None


class TestWhatIsOpen:
    async def test_it_follows_from_the_invoices(self, runs: Runs, order: PurchaseOrder) -> None:
        first = await runs.matched(read("6"))
        second = await runs.matched(read("5", invoice_number="R-2"))
        assert await runs.kinds(first.id) == []
        assert await runs.kinds(second.id) == ["quantity_above_ordered"]
        assert await runs.matcher.billed(order) == {1: Decimal(11)}

    async def test_a_deleted_or_rejected_invoice_is_open_again_and_the_next_one_is_compared_again(
        self, runs: Runs, order: PurchaseOrder
    ) -> None:
        first, second = await runs.matched(read("6")), await runs.matched(read("5", invoice_number="R-2"))
        await InvoiceEraser(runs.store, runs.files, runs.clock).erase(runs.account.id, first.id)
        await runs.settle()
        assert await runs.kinds(second.id) == []
        third = await runs.matched(read("6", invoice_number="R-3"))
        assert await runs.kinds(third.id) == ["quantity_above_ordered"]
        reviews = build_reviews(runs.store, runs.files, runs.clock)
        await reviews.reject(runs.account.id, second.id, 0, "not ours", ANN)
        await runs.settle()
        assert await runs.kinds(third.id) == []
        assert await runs.matcher.billed(order) == {1: Decimal(6)}

    async def test_two_that_are_read_at_the_same_time_are_compared_again(
        self, runs: Runs, order: PurchaseOrder
    ) -> None:
        claims = []
        for _ in range(2):
            await queue_new(runs.store, runs.account.id)
            claims.append(await claim_next(runs.store))
        sections = [Section(1, 1, read(f"{6 + n}", invoice_number=f"R-{n}")) for n in range(2)]
        found = [
            await runs.matcher.apply(runs.account.id, claim.invoice.id, [section])
            for claim, section in zip(claims, sections, strict=True)
        ]
        for claim, (section,) in zip(claims, found, strict=True):
            await runs.store.queue.save_result(claim, section.extraction, NOON)
        await runs.settle()
        kinds = [list(await runs.kinds(claim.invoice.id)) for claim in sorted(claims, key=lambda each: each.invoice.id)]
        assert kinds == [[], ["quantity_above_ordered"]]

    async def test_a_kill_between_matching_and_writing_leaves_nothing(self, runs: Runs, order: PurchaseOrder) -> None:
        await queue_new(runs.store, runs.account.id)
        claim = await claim_next(runs.store)
        await runs.matcher.apply(runs.account.id, claim.invoice.id, [Section(1, 1, read())])
        assert await runs.matcher.billed(order) == {}
        await runs.settle()
        assert await runs.store.purchase_orders.due(NOON + timedelta(days=1), 9) == []

    async def test_the_invoices_of_one_file_bill_one_after_the_other(self, runs: Runs, order: PurchaseOrder) -> None:
        sections = [Section(n, n, read("6", invoice_number=f"R-{n}")) for n in (1, 2)]
        first, second = await runs.matcher.apply(runs.account.id, new_id(), sections)
        assert first.extraction.order_match is not None
        assert second.extraction.order_match is not None
        assert [each.order_match.status for each in (first.extraction, second.extraction) if each.order_match] == [
            OrderMatchStatus.MATCHED,
            OrderMatchStatus.DIFFERS,
        ]


class TestAfterChanges:
    async def test_an_order_that_comes_after_its_invoice_is_found(
        self, runs: Runs, store: Store, files: Files, order: PurchaseOrder
    ) -> None:
        early = await runs.matched(read(number="PO-3003", vendor_name="Late AG"))
        draft = replace(order.draft, number="PO-3003", vendor="Late AG")
        await build_orders(store, files, runs.clock).create(runs.account.id, draft, ANN)
        match = (await runs.invoice(early.id)).order_match
        assert match is not None
        assert match.status is OrderMatchStatus.MATCHED

    async def test_a_changed_order_is_compared_at_once(
        self, runs: Runs, store: Store, files: Files, order: PurchaseOrder
    ) -> None:
        invoice = await runs.matched(read(price="27.50"))
        assert await runs.kinds(invoice.id) == ["price_above"]
        orders, lines = build_orders(store, files, runs.clock), (make_line(unit_price="27.50"),)
        await orders.amend(runs.account.id, order.id, lambda draft: replace(draft, lines=lines), ANN)
        assert await runs.kinds(invoice.id) == []
        assert (await runs.invoice(invoice.id)).checks == []
        await orders.receive(runs.account.id, order.id, {1: Decimal(4)}, ANN)
        assert await runs.kinds(invoice.id) == ["quantity_above_received"]

    async def test_a_correction_is_compared_in_the_same_write(self, runs: Runs, order: PurchaseOrder) -> None:
        invoice = await runs.matched(read(number="PO-7777", vendor_name="Somebody else"))
        reviews = build_reviews(runs.store, runs.files, runs.clock)
        change = ReviewChange({"vendor": FieldChange("Norvik Supplies"), "purchase_order": FieldChange("PO-1001")})
        await reviews.change(runs.account.id, invoice.id, 0, change, ANN)
        match = (await runs.invoice(invoice.id)).order_match
        assert match is not None
        assert (match.status, match.found_by) == (OrderMatchStatus.MATCHED, OrderFoundBy.NUMBER)

    async def test_what_a_person_decided_stays(
        self, runs: Runs, store: Store, files: Files, order: PurchaseOrder
    ) -> None:
        invoice = await runs.matched(read())
        reviews = build_reviews(runs.store, runs.files, runs.clock)
        await reviews.confirm(runs.account.id, invoice.id, 0, ANN)
        before = await runs.invoice(invoice.id)
        orders, lines = build_orders(store, files, runs.clock), (make_line(unit_price="1.00"),)
        await orders.amend(runs.account.id, order.id, lambda draft: replace(draft, lines=lines), ANN)
        assert (await runs.invoice(invoice.id)).order_match == before.order_match


class TestReview:
    async def test_a_difference_is_an_alert_that_a_person_confirms(self, runs: Runs, order: PurchaseOrder) -> None:
        invoice = await runs.matched(read(price="27.50"))
        (check,) = invoice.checks
        assert (check.kind, check.is_open_alert) == (CheckKind.ORDER_DIFFERS, True)
        assert check.text == "Line 1 costs 27.50 each, the order says 25."
        reviews = build_reviews(runs.store, runs.files, runs.clock)
        await reviews.confirm_check(runs.account.id, invoice.id, CheckKind.ORDER_DIFFERS, ANN, is_confirmed=True)
        assert not (await runs.invoice(invoice.id)).checks[0].is_open_alert

    async def needs_person(self, runs: Runs, invoice: Invoice) -> bool:
        page = await runs.store.invoices.page(runs.account.id, InvoiceQuery(to_check=True), 9)
        return invoice.id in {each.id for each in page.items}

    async def test_a_match_skips_review_only_if_the_account_says_so_and_each_value_is_sure(
        self, runs: Runs, order: PurchaseOrder
    ) -> None:
        assert await self.needs_person(runs, await runs.matched(read("1")))
        rules = OrderRules(skip_review=True)
        assert await runs.store.purchase_orders.set_rules(runs.account.id, rules)
        assert not await self.needs_person(runs, await runs.matched(read("1", invoice_number="R-2")))
        unsure = HIGH | {VERIFIED_BY[0]: Confidence.MID}
        assert await self.needs_person(
            runs, await runs.matched(read("1", invoice_number="R-3", field_confidence=unsure))
        )
        assert await self.needs_person(runs, await runs.matched(read("1", invoice_number="R-4", price="26")))
        assert await self.needs_person(runs, await runs.matched(read("1", invoice_number="R-5", number=None)))

    async def test_a_value_that_a_person_confirmed_is_sure(self, runs: Runs, order: PurchaseOrder) -> None:
        assert await runs.store.purchase_orders.set_rules(runs.account.id, OrderRules(skip_review=True))
        invoice = await runs.matched(read(field_confidence=HIGH | {VERIFIED_BY[0]: Confidence.MID}))
        reviews = build_reviews(runs.store, runs.files, runs.clock)
        change = ReviewChange({"vendor": FieldChange("Norvik Supplies")})
        await reviews.change(runs.account.id, invoice.id, 0, change, ANN)
        assert not await self.needs_person(runs, invoice)
