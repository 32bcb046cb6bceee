"""Which line of an order each line item of an invoice bills."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from uuid import UUID

from rapidfuzz import fuzz

from serve_app.domain.assignment import assign
from serve_app.domain.folding import folded
from serve_app.domain.invoice import Details, Extraction, LineItem
from serve_app.domain.purchase_order import OrderLine, PurchaseOrder, order_key

Place = tuple[UUID, int]
"""A line of an order: the order's id and the line's position."""

# How much of the score each sign is: a SKU decides, then the words, then numbers.
_SKU, _WORDS, _PRICE, _QUANTITY, _OPEN = 2.0, 1.0, 0.3, 0.15, 0.05
_SAME_WORDS = 0.6
"""From this similarity on, descriptions alone say that two lines are one."""
_LIKE_WORDS = 0.4
"""The same if the price is equal, too."""
_CERTAIN_WORDS = 0.9
_CERTAIN = _CERTAIN_WORDS + _QUANTITY + _OPEN
"""From this score on, a line is the same even at another price, or in another quantity."""
_CENT = Decimal("0.01")
_NEAR = Decimal("0.02")
_MOST_LINES = 400
"""Lines of an invoice, and of its orders together, that are compared; of more, the rest counts as not found."""


@dataclass(frozen=True, slots=True)
class BilledLine:
    """A line item as it is compared: net, and with what follows from its other numbers. `number` counts from 1."""

    number: int
    description: str
    quantity: Decimal | None
    total: Decimal | None

    @property
    def unit_price(self) -> Decimal | None:
        """What one unit costs, after any discount in the line."""
        if self.total is None or not self.quantity:
            return None
        return self.total / self.quantity


@dataclass(frozen=True, slots=True)
class Pair:
    """A line item, and the line of an order that it bills. `is_certain`: its SKU says so, or nearly equal words and a
    number."""

    line: BilledLine
    order: PurchaseOrder
    ordered: OrderLine
    is_certain: bool

    @property
    def place(self) -> Place:
        return self.order.id, self.ordered.position


def billed_lines(extraction: Extraction) -> list[BilledLine]:
    """The line items with a value, in their order. If they include tax, it is taken out: orders are net."""
    factor = _net_factor(extraction)
    lines = [_line(number, item, factor) for number, item in enumerate(extraction.line_items[:_MOST_LINES], 1)]
    return [line for line in lines if line.total != 0]


def net_amount(extraction: Extraction) -> Decimal | None:
    """What the invoice asks for without tax; None if that is unknown."""
    details = extraction.details or Details()
    if extraction.amount is not None and extraction.tax is not None:
        return extraction.amount - extraction.tax
    return details.subtotal


def _net_factor(extraction: Extraction) -> Decimal:
    """The net share of what line items say: 1, unless only with their tax they add up to the amount."""
    amount, tax, details = extraction.amount, extraction.tax, extraction.details or Details()
    totals = [_total_of(item) for item in extraction.line_items]
    if not totals or None in totals or not amount or not tax or tax >= amount:
        return Decimal(1)
    allowed = _CENT * (len(totals) + 1)
    added = sum(filter(None, totals), Decimal(0))
    sums = {added, added + (details.shipping or 0), added - (details.discount or 0)}
    is_gross = any(abs(each - amount) <= allowed for each in sums)
    is_net = any(abs(each - amount + tax) <= allowed for each in sums)
    return (amount - tax) / amount if is_gross and not is_net else Decimal(1)


def _total_of(item: LineItem) -> Decimal | None:
    if item.total is not None:
        return item.total
    return None if item.quantity is None or item.unit_price is None else item.quantity * item.unit_price


def _line(number: int, item: LineItem, factor: Decimal) -> BilledLine:
    total, quantity = _total_of(item), item.quantity
    if quantity is None and total is not None and item.unit_price:
        quantity = total / item.unit_price
    net = None if total is None else total * factor
    return BilledLine(number, item.description or "", quantity, net)


def pair_lines(
    lines: Sequence[BilledLine], orders: Sequence[PurchaseOrder], billed: Mapping[Place, Decimal]
) -> list[Pair]:
    """The best assignment of line items to lines of these orders, in the order of the line items. `billed` is what
    earlier invoices have billed of them."""
    places = [(order, ordered) for order in orders for ordered in order.lines][:_MOST_LINES]
    texts = [_Text.of(ordered.description) for _, ordered in places]
    scores = [
        [
            _score(line, text, ordered, billed.get((order.id, ordered.position), Decimal(0)), own)
            for (order, ordered), text in zip(places, texts, strict=True)
        ]
        for line in lines
        for own in (_Text.of(line.description),)
    ]
    pairs = list[Pair]()
    for row, (line, column) in enumerate(zip(lines, assign(scores), strict=True)):
        found = column if column is not None else _shared(scores[row])
        if found is not None:
            pairs.append(Pair(line, *places[found], scores[row][found] >= _CERTAIN))
    return pairs


def _shared(scores: Sequence[float]) -> int | None:
    """The column of a line that surely bills what another one bills, too: a delivery in two parts."""
    best = max(range(len(scores)), key=scores.__getitem__, default=None)
    return best if best is not None and scores[best] >= _CERTAIN_WORDS + _PRICE else None


@dataclass(frozen=True, slots=True)
class _Text:
    words: str
    keys: frozenset[str]

    @classmethod
    def of(cls, description: str) -> "_Text":
        parts = description.split()
        joined = [one + other for one, other in pairwise(parts)]
        words = " ".join(re.findall(r"\w+", folded(description)))
        return cls(words, frozenset(order_key(each) for each in (*parts, *joined)) - {""})


def _score(line: BilledLine, text: _Text, ordered: OrderLine, billed: Decimal, own: _Text) -> float:
    """How likely the line item bills the line of the order; 0 if nothing says so."""
    has_sku = bool(ordered.sku) and order_key(ordered.sku or "") in own.keys
    words = _similarity(own.words, text.words)
    has_price = _is_near(line.unit_price, ordered.unit_price)
    still_open = ordered.quantity - billed
    has_quantity = line.quantity is not None and line.quantity in {ordered.quantity, still_open}
    has_numbers = has_price and has_quantity and (len(own.words) < 3 or len(text.words) < 3)
    if not (has_sku or words >= _SAME_WORDS or (words >= _LIKE_WORDS and has_price) or has_numbers):
        return 0.0
    signs = _SKU * has_sku + _PRICE * has_price + _QUANTITY * has_quantity + _OPEN * (still_open > 0)
    return signs + _WORDS * words


def _similarity(one: str, other: str) -> float:
    """0 to 1. The words of one may be among those of the other, and count less then."""
    if not one or not other:
        return 0.0
    return float(fuzz.token_set_ratio(one, other) + fuzz.token_sort_ratio(one, other)) / 200


def _is_near(found: Decimal | None, expected: Decimal) -> bool:
    return found is not None and abs(found - expected) <= _NEAR * abs(expected)
