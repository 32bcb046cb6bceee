"""Compares an invoice with the orders that it bills."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from uuid import UUID

from serve_app.domain.invoice import Details, DocumentType, Extraction
from serve_app.domain.order_lines import BilledLine, Pair, Place, billed_lines, net_amount, pair_lines
from serve_app.domain.order_match import (
    MatchedLine,
    MatchedOrder,
    OrderFinding,
    OrderFindingKind,
    OrderFoundBy,
    OrderMatch,
    OrderMatchStatus,
)
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderLine, OrderStatus, PurchaseOrder, net_total, order_key

_CENT = Decimal("0.01")
_MOST_MISSING = 20
# A ratio of prices this near to a whole number may be that of two units.
_WHOLE = Decimal("0.02")


@dataclass(frozen=True, slots=True)
class EarlierBill:
    """What another invoice bills of orders: quantities by line."""

    invoice_number: str | None
    quantities: Mapping[Place, Decimal]

    def bills(self, order_id: UUID) -> bool:
        """Whether it bills anything of this order."""
        return any(id == order_id for id, _ in self.quantities)


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """What is known of an invoice's orders: the `orders` themselves, what `earlier` invoices bill of them, and the ids
    of those whose vendor is the invoice's (`same_vendor`)."""

    orders: Sequence[PurchaseOrder]
    earlier: Sequence[EarlierBill] = ()
    same_vendor: frozenset[UUID] = frozenset()
    found_by: OrderFoundBy = OrderFoundBy.NUMBER
    is_charge: Callable[[str], bool] = lambda _: False
    """Whether a description is of freight or another charge beside the goods."""


def billed_of(earlier: Iterable[EarlierBill]) -> dict[Place, Decimal]:
    """What all of them bill together."""
    billed: dict[Place, Decimal] = defaultdict(Decimal)
    for bill in earlier:
        for place, quantity in bill.quantities.items():
            billed[place] += quantity
    return billed


def compare(extraction: Extraction, facts: OrderFacts, rules: OrderRules) -> OrderMatch:
    """The match of an invoice whose orders are known, with each difference."""
    billed = billed_of(facts.earlier)
    lines = billed_lines(extraction)
    pairs = pair_lines(lines, facts.orders, billed)
    if extraction.document_type is DocumentType.CREDIT_NOTE:
        return _match(
            extraction, facts, [_matched(pair, _whole(pair), -1) for pair in pairs], _headers(extraction, facts)
        )
    return _Comparison(extraction, facts, rules, billed, lines, pairs).match()


@dataclass(slots=True)
class _Comparison:
    extraction: Extraction
    facts: OrderFacts
    rules: OrderRules
    billed: Mapping[Place, Decimal]
    lines: Sequence[BilledLine]
    pairs: Sequence[Pair]
    findings: list[OrderFinding] = field(default_factory=list)
    quantities: dict[int, Decimal] = field(default_factory=dict)

    def match(self) -> OrderMatch:
        self.findings += _headers(self.extraction, self.facts)
        has_currency = not any(each.kind is OrderFindingKind.CURRENCY_DIFFERS for each in self.findings)
        for pair in self.pairs:
            self._compare_price(pair, has_currency)
        twice = self._compare_bills()
        self._compare_quantities(twice)
        self._compare_others()
        if has_currency:
            self._compare_total()
        self._note_missing()
        matched = [_matched(pair, self.quantities[pair.line.number]) for pair in self.pairs]
        return _match(self.extraction, self.facts, matched, self.findings)

    def _compare_price(self, pair: Pair, has_currency: bool) -> None:
        """The price of the line, and the quantity that it bills in the order's unit."""
        line, ordered = pair.line, pair.ordered
        self.quantities[line.number] = _whole(pair)
        if line.total is None or (line.quantity is None and self.quantities[line.number] not in self._known(pair)):
            text = f"Line {line.number}: its quantity or its sum was not read. Compare it with the order yourself."
            self._note(OrderFindingKind.LINE_INCOMPLETE, text, pair)
            return
        if not has_currency:
            return
        expected = self.quantities[line.number] * ordered.unit_price
        if self.rules.is_same_amount(line.total, expected):
            return
        if (converted := self._in_unit_of_order(pair)) is not None:
            self.quantities[line.number] = converted
            found, what = _text(line.quantity), _text(converted)
            text = f"Line {line.number} bills {found}, which is {what} in the unit of the order."
            self._note(OrderFindingKind.UNIT_DIFFERS, text, pair, expected=what, found=found)
            return
        kind = OrderFindingKind.PRICE_ABOVE if line.total > expected else OrderFindingKind.PRICE_BELOW
        found, price = _text(line.unit_price), _text(ordered.unit_price)
        text = f"Line {line.number} costs {found} each, the order says {price}."
        self._note(kind, text, pair, expected=price, found=found)

    def _in_unit_of_order(self, pair: Pair) -> Decimal | None:
        """The quantity in the order's unit, if the line says the same in another one: 24 pieces instead of 2 boxes."""
        line, ordered, price = pair.line, pair.ordered, pair.line.unit_price
        if line.quantity is None or not price or not ordered.unit_price or line.total is None:
            return None
        ratio = max(price / ordered.unit_price, ordered.unit_price / price)
        is_whole = ratio > Decimal("1.5") and abs(ratio - round(ratio)) <= _WHOLE * ratio
        known = self._known(pair)
        if not is_whole or line.quantity in known:
            return None
        converted = line.total / ordered.unit_price
        return next((each for each in known if each and abs(converted - each) <= _WHOLE * each), None)

    def _known(self, pair: Pair) -> set[Decimal]:
        """The quantities that a line probably bills: all that was ordered, is open or has arrived."""
        ordered, before = pair.ordered, self.billed.get(pair.place, Decimal(0))
        received: set[Decimal] = set() if ordered.received_quantity is None else {ordered.received_quantity}
        return {ordered.quantity, ordered.quantity - before} | received

    def _compare_bills(self) -> set[UUID]:
        """The orders that another invoice with this number, or with the same lines, bills already."""
        number, twice = order_key(self.extraction.invoice_number or ""), set[UUID]()
        for order in self.facts.orders:
            own = self._own(order.id)
            for bill in self.facts.earlier:
                is_same_number = bool(number) and order_key(bill.invoice_number or "") == number
                if bill.bills(order.id) and (is_same_number or self._repeats(own, bill)):
                    twice.add(order.id)
                    text = (
                        f"Invoice {bill.invoice_number or 'without a number'} bills the same of order {order.number}."
                    )
                    self._note(OrderFindingKind.BILLED_TWICE, text, order=order, found=bill.invoice_number)
                    break
        return twice

    def _own(self, order_id: UUID) -> dict[Place, Decimal]:
        own: dict[Place, Decimal] = defaultdict(Decimal)
        for pair in self.pairs:
            if pair.order.id == order_id:
                own[pair.place] += self.quantities[pair.line.number]
        return own

    def _repeats(self, own: Mapping[Place, Decimal], bill: EarlierBill) -> bool:
        """Whether the other invoice bills exactly this, and more than was ordered with both."""
        ordered = {(order.id, line.position): line.quantity for order in self.facts.orders for line in order.lines}
        is_same = bool(own) and all(bill.quantities.get(place) == quantity for place, quantity in own.items())
        return is_same and all(
            self.billed.get(place, Decimal(0)) + quantity > self.rules.most(ordered[place])
            for place, quantity in own.items()
        )

    def _compare_quantities(self, twice: set[UUID]) -> None:
        last = {pair.place: pair for pair in self.pairs}
        used_up = {order.id for order in self.facts.orders if self._is_used_up(order)} - twice
        for order in self.facts.orders:
            if order.id in used_up and any(pair.order.id == order.id for pair in self.pairs):
                text = f"Order {order.number} was billed completely before."
                self._note(OrderFindingKind.ORDER_USED_UP, text, order=order)
        for place, pair in last.items():
            if pair.order.id not in used_up | twice:
                own = sum((self.quantities[each.line.number] for each in self.pairs if each.place == place), Decimal(0))
                self._compare_quantity(pair, own)

    def _is_used_up(self, order: PurchaseOrder) -> bool:
        return all(self.billed.get((order.id, line.position), Decimal(0)) >= line.quantity for line in order.lines)

    def _compare_quantity(self, pair: Pair, own: Decimal) -> None:
        before, ordered, received = (
            self.billed.get(pair.place, Decimal(0)),
            pair.ordered.quantity,
            pair.ordered.received_quantity,
        )
        with_this = before + own
        earlier = f", {_text(before)} of them on earlier invoices" if before else ""
        if with_this > self.rules.most(ordered):
            kind, expected, what = OrderFindingKind.QUANTITY_ABOVE_ORDERED, ordered, "ordered"
        elif received is not None and with_this > self.rules.most(received):
            kind, expected, what = OrderFindingKind.QUANTITY_ABOVE_RECEIVED, received, "received"
        else:
            return
        text = f"Line {pair.line.number}: {_text(with_this)} are billed{earlier}, {_text(expected)} were {what}."
        self._note(kind, text, pair, expected=_text(expected), found=_text(with_this))

    def _compare_others(self) -> None:
        """Line items that bill no line of the orders, and freight that nobody ordered."""
        paired = {pair.line.number for pair in self.pairs}
        shipping = (self.extraction.details or Details()).shipping
        is_charged = False
        for line in self.lines:
            if line.number in paired or (line.total is not None and line.total < 0):
                continue
            is_shipping = bool(shipping) and line.total == shipping
            is_charge = is_shipping or self.facts.is_charge(line.description)
            is_charged |= is_charge
            self._note_other(
                line, OrderFindingKind.CHARGE_NOT_ORDERED if is_charge else OrderFindingKind.LINE_NOT_ORDERED
            )
        if shipping and shipping > self.rules.amount and not is_charged and not self._is_ordered(shipping):
            text = f"Shipping of {_text(shipping)} was not ordered."
            self._note(OrderFindingKind.CHARGE_NOT_ORDERED, text, found=_text(shipping))

    def _note_other(self, line: BilledLine, kind: OrderFindingKind) -> None:
        text = f"Line {line.number} ({_short(line.description)}) is not on the order."
        found = line.description or _text(line.total)
        self.findings.append(OrderFinding(kind=kind, line=line.number, found=found, text=text))

    def _is_ordered(self, charge: Decimal) -> bool:
        """Whether a line of the orders, billed or not, is this charge."""
        return any(
            self.rules.is_same_amount(charge, line.quantity * line.unit_price)
            and self.facts.is_charge(line.description)
            for order in self.facts.orders
            for line in order.lines
        )

    def _compare_total(self) -> None:
        net = net_amount(self.extraction)
        if not self.lines:
            self._compare_open(net)
        if not self.lines or net is None:
            return
        details = self.extraction.details or Details()
        totals = [line.total for line in self.lines]
        if None in totals:
            return
        added = sum(filter(None, totals), Decimal(0))
        possible = {added + more - less for more in (0, details.shipping or 0) for less in (0, details.discount or 0)}
        allowed = max(self.rules.amount, _CENT * (len(totals) + 1))
        if all(abs(net - each) > allowed for each in possible):
            text = f"The net sum is {_text(net)}, its lines add up to {_text(added)}."
            self._note(OrderFindingKind.TOTAL_DIFFERS, text, expected=_text(added), found=_text(net))

    def _compare_open(self, net: Decimal | None) -> None:
        """Without line items only the sum is known: it must be what is open of the orders."""
        expected = net_total([line for order in self.facts.orders for line in self._open_lines(order)])
        if net is None or not self.rules.is_same_amount(net, expected):
            text = f"The net sum is {_text(net)}, {_text(expected)} of the order is open. No line items were read."
            self._note(OrderFindingKind.TOTAL_DIFFERS, text, expected=_text(expected), found=_text(net))

    def _open_lines(self, order: PurchaseOrder) -> list[OrderLine]:
        return [
            line.model_copy(update={"quantity": still_open})
            for line in order.lines
            if (still_open := line.quantity - self.billed.get((order.id, line.position), Decimal(0))) > 0
        ]

    def _note_missing(self) -> None:
        billed = {pair.place for pair in self.pairs}
        missing = [
            (order, line)
            for order in self.facts.orders
            for line in self._open_lines(order)
            if (order.id, line.position) not in billed
        ]
        for order, line in missing[:_MOST_MISSING] if self.pairs else []:
            text = f"{_short(line.description)} of order {order.number} is not billed yet."
            self.findings.append(
                OrderFinding(
                    kind=OrderFindingKind.LINE_MISSING,
                    order_id=order.id,
                    order_line=line.position,
                    expected=_text(line.quantity),
                    text=text,
                )
            )

    def _note(
        self,
        kind: OrderFindingKind,
        text: str,
        pair: Pair | None = None,
        *,
        order: PurchaseOrder | None = None,
        expected: str | None = None,
        found: str | None = None,
    ) -> None:
        about = pair.order if pair is not None else order
        self.findings.append(
            OrderFinding(
                kind=kind,
                line=None if pair is None else pair.line.number,
                order_id=None if about is None else about.id,
                order_line=None if pair is None else pair.ordered.position,
                expected=expected,
                found=found,
                text=text,
            )
        )


def _headers(extraction: Extraction, facts: OrderFacts) -> list[OrderFinding]:
    """Differences of vendor, currency and state, order by order."""
    found = []
    for order in facts.orders:
        if order.id not in facts.same_vendor:
            name = extraction.vendor_name
            text = (
                f"Order {order.number} is with {_short(order.vendor)}, the invoice is from {_short(name or 'nobody')}."
            )
            found.append((OrderFindingKind.VENDOR_DIFFERS, order, order.vendor, name, text))
        if extraction.currency != order.currency:
            text = (
                f"Order {order.number} is in {order.currency}, the invoice in {extraction.currency or 'no currency'}."
            )
            found.append((OrderFindingKind.CURRENCY_DIFFERS, order, order.currency, extraction.currency, text))
        if order.status is OrderStatus.CLOSED:
            text = f"Order {order.number} is closed."
            found.append((OrderFindingKind.ORDER_CLOSED, order, OrderStatus.OPEN, OrderStatus.CLOSED, text))
    return [
        OrderFinding(kind=kind, order_id=order.id, expected=expected, found=name, text=text)
        for kind, order, expected, name, text in found
    ]


def _match(
    extraction: Extraction, facts: OrderFacts, lines: Sequence[MatchedLine], findings: Sequence[OrderFinding]
) -> OrderMatch:
    differs = any(finding.is_difference for finding in findings)
    return OrderMatch(
        status=OrderMatchStatus.DIFFERS if differs else OrderMatchStatus.MATCHED,
        found_by=facts.found_by,
        orders=[MatchedOrder(id=order.id, number=order.number) for order in facts.orders],
        lines=list(lines),
        findings=list(findings),
    )


def _matched(pair: Pair, quantity: Decimal, sign: int = 1) -> MatchedLine:
    amount = pair.line.total if pair.line.total is not None else quantity * pair.ordered.unit_price
    return MatchedLine(
        line=pair.line.number,
        order_id=pair.order.id,
        order_line=pair.ordered.position,
        quantity=sign * abs(quantity) if sign < 0 else quantity,
        amount=sign * abs(amount) if sign < 0 else amount,
    )


def _whole(pair: Pair) -> Decimal:
    """The quantity that a line bills; without one, what its sum would buy."""
    line, price = pair.line, pair.ordered.unit_price
    if line.quantity is not None:
        return line.quantity
    return Decimal(0) if line.total is None or not price else line.total / price


def _text(number: Decimal | None) -> str:
    """As people write it: exact up to four decimals, at least two if any."""
    if number is None:
        return "?"
    rounded = round(number, 4).normalize()
    exponent = rounded.as_tuple().exponent
    decimals = max(2, -exponent) if isinstance(exponent, int) and exponent < 0 else 0
    return f"{rounded:.{decimals}f}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
