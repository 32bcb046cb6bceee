"""Which orders an invoice bills."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from serve_app.domain.invoice import Extraction
from serve_app.domain.order_lines import BilledLine, Pair, billed_lines, pair_lines
from serve_app.domain.order_match import OrderFoundBy
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderStatus, PurchaseOrder, order_key

# Shorter numbers stand on every page.
_SHORTEST = 4
_MOST_KEYS = 1_000
# This share of the sum must be on an order whose number is not printed, and so much less on the next one.
_COVERED, _AHEAD = Decimal("0.8"), Decimal("0.2")
# Of a line that is on the order without doubt, at another price or in a greater quantity.
_OTHERWISE = Decimal("0.8")
_EXACT = OrderRules(price_percent=Decimal(1))


@dataclass(frozen=True, slots=True)
class OrderCandidates:
    """The orders that an invoice may bill: those whose number may be on it, and the newest ones of its vendor.
    `vendor_keys` are the names of the vendor, with those of vendors that are merged with it."""

    numbered: Sequence[PurchaseOrder]
    of_vendor: Sequence[PurchaseOrder]
    vendor_keys: Collection[str]


@dataclass(frozen=True, slots=True)
class Choice:
    """The orders, and how they were found. `unknown` is a number that was read as an order's, and is none."""

    orders: Sequence[PurchaseOrder] = ()
    found_by: OrderFoundBy | None = None
    unknown: str | None = None


def number_keys(printed: str | None) -> set[str]:
    """What an order's number could be, of what was read as one: all of it, or a part."""
    if not printed:
        return set()
    parts = printed.replace(",", " ").replace(";", " ").replace("/", " ").split()
    keys = {order_key(printed), *map(order_key, parts)}
    return {key for key in keys if any(map(str.isdigit, key))} or {order_key(printed)} - {""}


def text_keys(words: Sequence[str]) -> set[str]:
    """What could be an order's number among the words of the pages: a word with a digit, or two together."""
    pairs = (one + other for one, other in pairwise(words))
    keys = dict.fromkeys(order_key(word) for word in (*words, *pairs) if any(map(str.isdigit, word)))
    return {key for key in list(keys)[:_MOST_KEYS] if len(key) >= _SHORTEST}


def choose_orders(
    extraction: Extraction, read: Collection[str], mentioned: Collection[str], candidates: OrderCandidates
) -> Choice:
    """The orders of an invoice: `read` are keys of what was read as the order's number, `mentioned` those of other
    words.

    A number elsewhere in the text counts only for an order of the vendor, and beside others only if its lines are
    billed. Without a number, the lines must leave no doubt."""
    lines, vendor_keys = billed_lines(extraction), candidates.vendor_keys
    by_number = [
        order
        for order in _once([*candidates.numbered, *candidates.of_vendor])
        if _is_read(order, read, vendor_keys) and (order.vendor_key in vendor_keys or _has_pairs(lines, order))
    ]
    by_text = [order for order in candidates.numbered if order.key in mentioned and order.vendor_key in vendor_keys]
    by_text = [order for order in by_text if order not in by_number]
    if by_number or len(by_text) > 1:
        by_text = [order for order in by_text if _has_pairs(lines, order)] or ([] if by_number else by_text)
    unknown = None if by_number or not read else (extraction.details.purchase_order if extraction.details else None)
    if by_number or by_text:
        found_by = OrderFoundBy.NUMBER if by_number else OrderFoundBy.TEXT
        return Choice([*by_number, *by_text], found_by, unknown)
    by_lines = _by_lines(extraction, lines, candidates.of_vendor)
    return Choice(by_lines, OrderFoundBy.LINES if by_lines else None, unknown)


def _once(orders: Sequence[PurchaseOrder]) -> list[PurchaseOrder]:
    return list({order.id: order for order in orders}.values())


def _is_read(order: PurchaseOrder, read: Collection[str], vendor_keys: Collection[str]) -> bool:
    """Whether the order's number was read; of the vendor's own orders an end of it is enough, as in 4711 for
    PO-4711."""
    if order.key in read:
        return True
    is_own = order.vendor_key in vendor_keys
    return is_own and any(
        len(key) >= _SHORTEST and (order.key.endswith(key) or key.endswith(order.key)) for key in read
    )


def _has_pairs(lines: Sequence[BilledLine], order: PurchaseOrder) -> bool:
    return bool(pair_lines(lines, [order], {}))


def _by_lines(
    extraction: Extraction, lines: Sequence[BilledLine], of_vendor: Sequence[PurchaseOrder]
) -> list[PurchaseOrder]:
    shares = [
        (_covered(lines, order), -index, order)
        for index, order in enumerate(of_vendor)
        if order.currency == extraction.currency and order.status is OrderStatus.OPEN
    ]
    if not shares:
        return []
    (covered, _, best), *others = sorted(shares, reverse=True, key=lambda each: each[:2])
    following = others[0][0] if others else Decimal(0)
    return [best] if covered >= _COVERED and covered - following >= _AHEAD else []


def _covered(lines: Sequence[BilledLine], order: PurchaseOrder) -> Decimal:
    """The share of the invoice's sum in lines that the order has at the same price, and not in a smaller quantity. What
    differs, and is certainly the line, counts less."""
    whole = sum((abs(line.total) for line in lines if line.total), Decimal(0))
    if not whole:
        return Decimal(0)
    covered = Decimal(0)
    for pair in pair_lines(lines, [order], {}):
        share = Decimal(1) if _is_as_ordered(pair) else _OTHERWISE * pair.is_certain
        covered += abs(pair.line.total or Decimal(0)) * share
    return covered / whole


def _is_as_ordered(pair: Pair) -> bool:
    total, quantity, ordered = pair.line.total, pair.line.quantity, pair.ordered
    if not total or not quantity or quantity > ordered.quantity:
        return False
    return _EXACT.is_same_amount(total, quantity * ordered.unit_price)
