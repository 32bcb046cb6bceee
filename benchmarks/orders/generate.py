"""Orders, and invoices that bill them: some as ordered, some with one planted difference."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from uuid import UUID

import numpy as np

from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Details, Extraction, LineItem
from serve_app.domain.order_match import OrderFindingKind
from serve_app.domain.purchase_order import OrderLine, OrderStatus, PurchaseOrder
from tests.support import NOON

Draw = np.random.Generator

PLANTED = (
    OrderFindingKind.PRICE_ABOVE,
    OrderFindingKind.PRICE_BELOW,
    OrderFindingKind.QUANTITY_ABOVE_ORDERED,
    OrderFindingKind.QUANTITY_ABOVE_RECEIVED,
    OrderFindingKind.LINE_NOT_ORDERED,
    OrderFindingKind.UNIT_DIFFERS,
    OrderFindingKind.VENDOR_DIFFERS,
    OrderFindingKind.CURRENCY_DIFFERS,
    OrderFindingKind.ORDER_CLOSED,
    OrderFindingKind.ORDER_USED_UP,
    OrderFindingKind.BILLED_TWICE,
    OrderFindingKind.TOTAL_DIFFERS,
    OrderFindingKind.CHARGE_NOT_ORDERED,
)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


_GOODS = _words(
    """hex bolt, washer, hinge, oak desk, swivel chair, floor lamp, ink cartridge, copy paper, cable tie, work glove,
    safety helmet, air filter, ball bearing, pump seal, label roll, carton, stretch film, cleaning cloth, hand soap,
    drill bit, paint roller, door handle, power strip, network cable, monitor arm"""
)
_KINDS = _words(
    "steel, black, white, large, small, heavy duty, recycled, zinc plated, premium, compact, blue, long life"
)
_SIZES = _words("M8, M10, A4, A3, 20 mm, 45 mm, 1.5 m, 3 m, XL, 500 g, 2 l, type B")
_TOWNS = _words("Norvik, Halden, Brenta, Lorca, Tamsel, Ostrov, Kalmar, Visby, Arden, Morsum, Ribe, Selva")
_TRADES = _words("Supplies, Technik, Paper, Tools, Logistics, Industrial")
_FORMS = _words("GmbH, Ltd, S.A., AB, BV")
# Kinds that also occur after a part of the order was delivered and billed.
_AFTER_DELIVERY = {None, OrderFindingKind.PRICE_ABOVE, OrderFindingKind.QUANTITY_ABOVE_ORDERED}


@dataclass(frozen=True, slots=True)
class Bill:
    """An invoice to be matched. `words` are those of its pages, `kind` the difference that was planted in it, and
    `order_id` what it bills. One without `is_measured` only comes before another one."""

    extraction: Extraction
    words: tuple[str, ...]
    order_id: UUID
    kind: OrderFindingKind | None = None
    is_measured: bool = True


@dataclass(slots=True)
class Scene:
    """The orders of an account, and its invoices in the order in which they come."""

    account_id: UUID
    orders: list[PurchaseOrder] = field(default_factory=list)
    bills: list[Bill] = field(default_factory=list)


def make_scene(draw: Draw, account_id: UUID, count: int, share_planted: float = 0.5) -> Scene:
    """So many measured invoices; each has an order of its own, or shares it with deliveries before."""
    scene, vendors = Scene(account_id), _vendors()
    for number in range(count):
        planted = PLANTED[number % len(PLANTED)] if number < count * share_planted else None
        _Maker(draw, scene, vendors, number, planted).make()
    return scene


def _vendors() -> list[str]:
    return [f"{town} {trade} {_FORMS[len(town + trade) % 5]}" for town in _TOWNS for trade in _TRADES]


@dataclass(slots=True)
class _Maker:
    """Makes one order with its invoices."""

    draw: Draw
    scene: Scene
    vendors: Sequence[str]
    number: int
    planted: OrderFindingKind | None

    def make(self) -> None:
        kind, order = self.planted, self._order()
        quantities = {line.position: line.quantity for line in order.lines}
        if kind is OrderFindingKind.QUANTITY_ABOVE_RECEIVED or (kind is None and self._chance(0.2)):
            received = [self._some(line.quantity) if kind else line.quantity for line in order.lines]
            lines = zip(order.lines, received, strict=True)
            order = replace(order, lines=tuple(_with(line, received_quantity=arrived) for line, arrived in lines))
        if kind is OrderFindingKind.ORDER_CLOSED:
            order = replace(order, status=OrderStatus.CLOSED)
        self.scene.orders.append(order)
        if kind in {OrderFindingKind.ORDER_USED_UP, OrderFindingKind.BILLED_TWICE}:
            self._bill(order, quantities, is_measured=False)
        elif kind in {None, OrderFindingKind.PRICE_ABOVE, OrderFindingKind.QUANTITY_ABOVE_ORDERED} and self._chance(
            0.3
        ):
            quantities = self._delivered_before(order, quantities)
        if kind is OrderFindingKind.ORDER_USED_UP:
            first = order.lines[0]
            quantities = {first.position: self._some(first.quantity)}
        self._bill(order, quantities, is_measured=True)

    def _delivered_before(self, order: PurchaseOrder, quantities: dict[int, Decimal]) -> dict[int, Decimal]:
        """A part of the order comes first; returns the rest."""
        first = {position: self._some(quantity) for position, quantity in quantities.items() if quantity > 1}
        if first:
            self._bill(order, first, is_measured=False)
        rest = {position: quantity - first.get(position, Decimal(0)) for position, quantity in quantities.items()}
        return {position: quantity for position, quantity in rest.items() if quantity > 0}

    def _order(self) -> PurchaseOrder:
        lines = [self._line(position) for position in range(1, int(self.draw.integers(1, 7)) + 1)]
        number = f"{self._pick(('PO-', 'B', '45', 'ORD/'))}{70_000 + self.number * 7}"
        return PurchaseOrder(
            new_id(),
            self.scene.account_id,
            number,
            self._pick(self.vendors),
            self._pick(("EUR", "EUR", "CHF", "USD")),
            tuple(lines),
            created_at=NOON,
            updated_at=NOON,
        )

    def _line(self, position: int) -> OrderLine:
        description = f"{self._pick(_KINDS)} {self._pick(_GOODS)} {self._pick(_SIZES)}".capitalize()
        sku = f"{self._pick('ABCDK')}-{self.draw.integers(1000, 9999)}" if self._chance(0.6) else None
        price = Decimal(int(self.draw.integers(50, 40_000))) / 100
        quantity = Decimal(int(self.draw.choice([1, 2, 3, 4, 5, 8, 10, 20, 25, 50, 100])))
        return OrderLine(
            position=position, description=description, sku=sku, quantity=quantity, unit_price=price, unit="pcs"
        )

    def _bill(self, order: PurchaseOrder, quantities: dict[int, Decimal], *, is_measured: bool) -> None:
        kind = self.planted if is_measured else None
        items = [self._item(line, quantities[line.position]) for line in order.lines if line.position in quantities]
        is_line = self._chance(0.5)
        items = self._with_difference(kind, items, is_line=is_line)
        if self._chance(0.3):
            items = [items[index] for index in self.draw.permutation(len(items))]
        net = sum((item.total or Decimal(0) for item in items), Decimal(0))
        shipping = None
        if kind is OrderFindingKind.CHARGE_NOT_ORDERED and not is_line:
            shipping = Decimal(int(self.draw.integers(500, 4000))) / 100
            net += shipping
        if kind is OrderFindingKind.TOTAL_DIFFERS:
            net += Decimal(int(self.draw.integers(50, 5000))) / 100
        tax = (net * Decimal("0.19")).quantize(Decimal("0.01"))
        printed, words = self._number(order, must_print=kind in _NEED_NUMBER)
        extraction = Extraction(
            vendor_name=self._vendor(kind, order),
            invoice_number=f"R{self.number}-{int(is_measured)}",
            currency=self._currency(kind, order),
            amount=net + tax,
            tax=tax,
            line_items=items,
            details=Details(purchase_order=printed, shipping=shipping),
        )
        self.scene.bills.append(Bill(extraction, words, order.id, kind, is_measured))

    def _item(self, line: OrderLine, quantity: Decimal) -> LineItem:
        words = line.description.split()
        if self._chance(0.3):
            words = [words[index] for index in self.draw.permutation(len(words))]
        if self._chance(0.2) and len(words) > 3:
            words.pop()
        sku = [line.sku] if line.sku and self._chance(0.7) else []
        return _item(" ".join([*sku, *words]), quantity, line.unit_price)

    def _with_difference(
        self, kind: OrderFindingKind | None, items: list[LineItem], *, is_line: bool
    ) -> list[LineItem]:
        index = int(self.draw.integers(len(items)))
        item, line = items[index], self._line(99)
        quantity, price = item.quantity or Decimal(1), item.unit_price or Decimal(1)
        text = item.description or ""
        match kind:
            case OrderFindingKind.PRICE_ABOVE:
                items[index] = _item(text, quantity, self._changed(price, 1))
            case OrderFindingKind.PRICE_BELOW:
                items[index] = _item(text, quantity, self._changed(price, -1))
            case OrderFindingKind.QUANTITY_ABOVE_ORDERED:
                items[index] = _item(text, quantity + self._some(quantity), price)
            case OrderFindingKind.LINE_NOT_ORDERED:
                items.append(_item(f"Special {line.description}", line.quantity, line.unit_price))
            case OrderFindingKind.UNIT_DIFFERS:
                factor = int(self.draw.choice([6, 10, 12, 25]))
                items[index] = _item(text, quantity * factor, price / factor, quantity * price)
            case OrderFindingKind.CHARGE_NOT_ORDERED if is_line:
                items.append(_item(self._pick(("Freight", "Shipping", "Versandkosten")), Decimal(1), line.unit_price))
            case _:
                pass
        return items

    def _changed(self, price: Decimal, sign: int) -> Decimal:
        percent = int(self.draw.integers(3, 31)) * sign
        return (price * (100 + percent) / 100).quantize(Decimal("0.01")) + Decimal("0.01") * sign

    def _vendor(self, kind: OrderFindingKind | None, order: PurchaseOrder) -> str:
        others = [vendor for vendor in self.vendors if vendor != order.vendor]
        return self._pick(others) if kind is OrderFindingKind.VENDOR_DIFFERS else order.vendor.upper()

    def _currency(self, kind: OrderFindingKind | None, order: PurchaseOrder) -> str:
        return "GBP" if kind is OrderFindingKind.CURRENCY_DIFFERS else order.currency

    def _number(self, order: PurchaseOrder, *, must_print: bool) -> tuple[str | None, tuple[str, ...]]:
        """What was read as the order's number, and the words of the page."""
        digits = order.number.lstrip("POBRD-/")
        where = self.draw.random()
        if must_print or where < 0.7:
            return self._pick((order.number, order.number.replace("-", " "), digits)), ()
        if where < 0.85:
            return None, ("Your", "order", order.number, "of", "2026", f"{self.draw.integers(10_000, 99_999)}")
        return None, ("Thank", "you", f"{self.draw.integers(10_000, 99_999)}")

    def _some(self, quantity: Decimal) -> Decimal:
        """A part of it, at least one."""
        return Decimal(int(self.draw.integers(1, max(int(quantity), 2))))

    def _chance(self, share: float) -> bool:
        return bool(self.draw.random() < share)

    def _pick(self, choices: Sequence[str]) -> str:
        return choices[int(self.draw.integers(len(choices)))]


# Without their number, nobody can say that an invoice bills these.
_NEED_NUMBER = {
    OrderFindingKind.VENDOR_DIFFERS,
    OrderFindingKind.CURRENCY_DIFFERS,
    OrderFindingKind.ORDER_CLOSED,
}


def _item(description: str, quantity: Decimal, price: Decimal, total: Decimal | None = None) -> LineItem:
    whole = (quantity * price if total is None else total).quantize(Decimal("0.01"))
    shown = price.quantize(Decimal("0.0001")).normalize()
    return LineItem(description=description, quantity=quantity, unit_price=shown, confidence=None, total=whole)


def _with(line: OrderLine, **changes: object) -> OrderLine:
    return line.model_copy(update=changes)
