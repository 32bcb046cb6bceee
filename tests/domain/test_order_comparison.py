"""An invoice is compared with its orders line by line; each difference has its kind, and what is equal has none."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.invoice import Details, DocumentType, Extraction, LineItem
from serve_app.domain.order_comparison import EarlierBill, OrderFacts, compare
from serve_app.domain.order_match import OrderFindingKind, OrderMatch, OrderMatchStatus
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderStatus, PurchaseOrder
from tests.support.orders import make_line, make_order

ACCOUNT = UUID(int=7)
OAK, CHAIR = make_line(1, "Oak desk", "10", "25.00"), make_line(2, "Swivel chair black", "4", "80.00", sku="SC-80")
RULES = OrderRules()


def item(description: str, quantity: str, price: str, total: str | None = None) -> LineItem:
    numbers = {"quantity": Decimal(quantity), "unit_price": Decimal(price)}
    whole = Decimal(quantity) * Decimal(price) if total is None else Decimal(total)
    return LineItem(description=description, confidence=None, total=whole, **numbers)


def invoice(*items: LineItem, net: str | None = None, rate: str = "0.19", **more: Any) -> Extraction:
    """An invoice of these lines with tax on top."""
    net_sum = Decimal(net) if net else sum((each.total or Decimal(0) for each in items), Decimal(0))
    taxed = (net_sum * Decimal(rate)).quantize(Decimal("0.01"))
    values: dict[str, Any] = {"vendor_name": "Norvik Supplies", "invoice_number": "R-1", "currency": "EUR"}
    values |= {"amount": net_sum + taxed, "tax": taxed, "line_items": list(items), "details": Details()}
    return Extraction(**values | more)


@pytest.fixture
def order() -> PurchaseOrder:
    return make_order(ACCOUNT, "PO-1001", OAK, CHAIR)


def match_of(
    extraction: Extraction, *orders: PurchaseOrder, rules: OrderRules = RULES, earlier: Any = (), **more: Any
) -> OrderMatch:
    same = frozenset(each.id for each in orders)
    return compare(extraction, OrderFacts(orders, earlier, **{"same_vendor": same} | more), rules)


def kinds(match: OrderMatch) -> list[str]:
    return [finding.kind for finding in match.findings if finding.is_difference]


def billed(order: PurchaseOrder, desks: str = "0", chairs: str = "0", number: str = "R-0") -> EarlierBill:
    quantities = {(order.id, 1): Decimal(desks), (order.id, 2): Decimal(chairs)}
    return EarlierBill(number, {place: quantity for place, quantity in quantities.items() if quantity})


ALL_OAK, CHAIRS = item("Oak desk", "10", "25.00"), item("SC-80 Swivel chair, black", "4", "80.00")


class TestWithoutDifferences:
    def test_lines_are_found_in_another_order_and_in_other_words(self, order: PurchaseOrder) -> None:
        match = match_of(invoice(CHAIRS, item("Desk, oak", "10", "25")), order)
        assert (match.status, kinds(match)) == (OrderMatchStatus.MATCHED, [])
        assert [(line.line, line.order_line, int(line.quantity)) for line in match.lines] == [(1, 2, 4), (2, 1, 10)]

    def test_a_part_of_the_order_is_a_delivery_and_the_rest_is_only_named(self, order: PurchaseOrder) -> None:
        match = match_of(invoice(item("Oak desk", "3", "25.00")), order)
        assert match.status is OrderMatchStatus.MATCHED
        assert [(each.kind, each.order_line, each.expected) for each in match.findings] == [("line_missing", 2, "4")]

    def test_the_rest_of_a_delivery_is_within_the_order(self, order: PurchaseOrder) -> None:
        earlier = [billed(order, desks="7")]
        assert kinds(match_of(invoice(item("Oak desk", "3", "25.00"), CHAIRS), order, earlier=earlier)) == []

    def test_a_line_in_two_parts_is_added_up(self, order: PurchaseOrder) -> None:
        parts = item("Oak desk", "4", "25.00"), item("Oak desk", "6", "25.00")
        assert kinds(match_of(invoice(*parts), order)) == []
        more = item("Oak desk", "7", "25.00")
        assert kinds(match_of(invoice(parts[0], more), order)) == ["quantity_above_ordered"]

    def test_lines_with_tax_in_them_are_compared_without(self, order: PurchaseOrder) -> None:
        gross = item("Oak desk", "10", "29.75")
        sums: dict[str, Any] = {"amount": Decimal("297.50"), "tax": Decimal("47.50")}
        assert kinds(match_of(invoice(gross, **sums), order)) == []

    def test_two_orders_share_an_invoice(self, order: PurchaseOrder) -> None:
        other = make_order(ACCOUNT, "PO-1002", make_line(1, "Floor lamp", "2", "40.00"))
        match = match_of(invoice(ALL_OAK, item("Floor lamp", "2", "40.00"), CHAIRS), order, other)
        assert kinds(match) == []
        assert [line.order_id for line in match.lines] == [order.id, other.id, order.id]

    def test_a_credit_note_gives_quantities_back(self, order: PurchaseOrder) -> None:
        match = match_of(invoice(ALL_OAK, document_type=DocumentType.CREDIT_NOTE), order)
        assert (str(match.status), int(match.lines[0].quantity), int(match.lines[0].amount)) == ("matched", -10, -250)

    def test_headings_and_discounts_need_no_order(self, order: PurchaseOrder) -> None:
        items = item("Delivery of 2 May", "0", "0"), ALL_OAK, item("Discount", "1", "-10.00")
        assert kinds(match_of(invoice(*items), order)) == []


class TestDifferences:
    @pytest.mark.parametrize(
        ("items", "kind", "expected", "found"),
        [
            ((item("Oak desk", "10", "27.50"),), "price_above", "25", "27.50"),
            ((item("Oak desk", "10", "22.00"),), "price_below", "25", "22"),
            ((item("Oak desk", "12", "25.00"),), "quantity_above_ordered", "10", "12"),
            ((ALL_OAK, item("Wall clock", "1", "19.00")), "line_not_ordered", None, "Wall clock"),
            ((item("Oak desk", "120", "2.0833", "250.00"),), "unit_differs", "10", "120"),
            ((ALL_OAK, item("Freight", "1", "30.00")), "charge_not_ordered", None, "Freight"),
        ],
    )
    def test_a_line_that_differs_is_named_with_both_values(
        self, order: PurchaseOrder, items: tuple[LineItem, ...], kind: str, expected: str | None, found: str
    ) -> None:
        match = match_of(invoice(*items), order, is_charge=lambda text: text == "Freight")
        assert match.status is OrderMatchStatus.DIFFERS
        (finding,) = [each for each in match.findings if each.is_difference]
        assert (finding.kind, finding.expected, finding.found) == (kind, expected, found)
        assert finding.line == len(items)

    def test_more_than_arrived_is_named_if_arrivals_are_counted(self) -> None:
        order = make_order(ACCOUNT, "PO-1", make_line(received_quantity=Decimal(6)))
        assert kinds(match_of(invoice(ALL_OAK), order)) == ["quantity_above_received"]
        assert kinds(match_of(invoice(item("Oak desk", "6", "25.00")), order)) == []

    def test_another_vendor_currency_and_a_closed_order_are_named(self, order: PurchaseOrder) -> None:
        assert kinds(match_of(invoice(ALL_OAK), order, same_vendor=frozenset())) == ["vendor_differs"]
        assert kinds(match_of(invoice(ALL_OAK, currency="CHF"), order)) == ["currency_differs"]
        closed = make_order(ACCOUNT, "PO-2", OAK, status=OrderStatus.CLOSED)
        assert kinds(match_of(invoice(ALL_OAK), closed)) == ["order_closed"]

    def test_an_order_that_was_billed_completely_is_used_up(self, order: PurchaseOrder) -> None:
        earlier = [billed(order, desks="6"), billed(order, desks="4", chairs="4")]
        assert kinds(match_of(invoice(item("Oak desk", "2", "25.00")), order, earlier=earlier)) == ["order_used_up"]

    def test_the_same_number_or_the_same_lines_again_are_billed_twice(self, order: PurchaseOrder) -> None:
        same_lines = [billed(order, desks="10", chairs="4")]
        assert kinds(match_of(invoice(ALL_OAK, CHAIRS), order, earlier=same_lines)) == ["billed_twice"]
        same_number = [billed(order, desks="1", number="r 1")]
        assert kinds(match_of(invoice(item("Oak desk", "2", "25.00")), order, earlier=same_number)) == ["billed_twice"]
        halves = [billed(order, desks="5", chairs="2")]
        two = item("Oak desk", "5", "25.00"), item("Swivel chair black", "2", "80.00")
        assert kinds(match_of(invoice(*two), order, earlier=halves)) == []

    def test_a_sum_that_its_lines_do_not_make_is_named(self, order: PurchaseOrder) -> None:
        assert kinds(match_of(invoice(ALL_OAK, CHAIRS, net="590.00"), order)) == ["total_differs"]

    def test_shipping_outside_the_lines_must_be_ordered(self, order: PurchaseOrder) -> None:
        shipped = invoice(ALL_OAK, net="262.00", details=Details(shipping=Decimal("12.00")))
        assert kinds(match_of(shipped, order)) == ["charge_not_ordered"]
        freight = make_order(ACCOUNT, "PO-2", OAK, make_line(2, "Freight", "1", "12.00"))
        assert kinds(match_of(shipped, freight, is_charge=lambda text: text == "Freight")) == []

    def test_without_lines_the_sum_must_be_what_is_open(self, order: PurchaseOrder) -> None:
        assert kinds(match_of(invoice(net="570.00"), order)) == []
        assert kinds(match_of(invoice(net="320.00"), order, earlier=[billed(order, desks="10")])) == []
        assert kinds(match_of(invoice(net="100.00"), order)) == ["total_differs"]


class TestTolerances:
    def test_prices_and_quantities_within_them_are_equal(self, order: PurchaseOrder) -> None:
        dearer, more = invoice(item("Oak desk", "10", "25.50")), invoice(item("Oak desk", "10.5", "25.00"))
        assert kinds(match_of(dearer, order, rules=OrderRules(price_percent=Decimal(2)))) == []
        assert kinds(match_of(dearer, order, rules=OrderRules(amount=Decimal(5)))) == []
        assert kinds(match_of(dearer, order, rules=OrderRules(price_percent=Decimal("1.9")))) == ["price_above"]
        assert kinds(match_of(more, order, rules=OrderRules(quantity_percent=Decimal(5)))) == []
        assert kinds(match_of(more, order, rules=OrderRules(quantity_percent=Decimal("4.9")))) == [
            "quantity_above_ordered"
        ]

    def test_rounding_of_a_unit_price_is_no_difference(self) -> None:
        order = make_order(ACCOUNT, "PO-1", make_line(1, "Screw", "300", "0.0333"))
        assert kinds(match_of(invoice(item("Screw", "300", "0.03", "9.99")), order)) == []


class TestUnusualOrders:
    def test_a_thousand_lines_are_compared_quickly_and_no_number_divides_by_zero(self) -> None:
        lines = [make_line(n, f"Part {n} grade {n % 7}", "3", "0") for n in range(1, 300)]
        items = [item(f"Part {n} grade {n % 7}", "3", "0.00", "1.00") for n in range(1, 300)]
        match = match_of(invoice(*items), make_order(ACCOUNT, "PO-1", *lines))
        assert {each.kind for each in match.findings} == {OrderFindingKind.PRICE_ABOVE}

    def test_what_was_not_read_is_never_said_to_match(self, order: PurchaseOrder) -> None:
        assert kinds(match_of(Extraction(currency="EUR"), order)) == ["total_differs"]
        blank = LineItem(description="Oak desk", quantity=None, unit_price=None, confidence=None)
        assert kinds(match_of(invoice(blank, net="250.00"), order)) == ["line_incomplete"]
        unpriced = blank.model_copy(update={"quantity": Decimal(10)})
        assert kinds(match_of(invoice(unpriced, net="250.00"), order)) == ["line_incomplete"]
        summed = blank.model_copy(update={"total": Decimal("250.00")})
        assert kinds(match_of(invoice(summed), order)) == []
        partly = blank.model_copy(update={"total": Decimal("100.00")})
        assert kinds(match_of(invoice(partly), order)) == ["line_incomplete"]
