"""Find the facts of a document among its words; amounts may be ambiguous at first."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from models.training.generator.core.numbers import SYMBOLS
from models.training.templates.facts import Facts, Item
from models.training.templates.find_values import Sheet, Spot, find_amounts, find_date, find_text
from serve_app.domain.labels import Label

_MONEY = re.compile(r"\d[.,]\d\d[^\d%]{0,4}$")


@dataclass(slots=True)
class Found:
    """What was found on the pages: labelled words, and ambiguous amounts."""

    entities: list[tuple[Label, Spot]] = field(default_factory=list)
    items: dict[int, Spot] = field(default_factory=dict)
    sums: list[tuple[Spot, frozenset[Label]]] = field(default_factory=list)
    rows: dict[int, list[tuple[Spot, frozenset[Label]]]] = field(default_factory=dict)
    unknown: set[tuple[int, int]] = field(default_factory=set)

    def taken(self) -> set[tuple[int, int]]:
        """Every word that has a label."""
        return {(spot.page, word) for _, spot in self.entities for word in spot.words}

    def add(self, label: Label, spots: Iterable[Spot]) -> None:
        """Label those of `spots` that are free."""
        for spot in spots:
            if not self.taken() & {(spot.page, word) for word in spot.words}:
                self.entities.append((label, spot))


def look(sheets: Sequence[Sheet], facts: Facts, *, below: float = 0.6) -> Found:
    """Find all facts. `below`: how far under a description its row goes on, in heights of its line."""
    found = Found()
    _texts(found, sheets, facts)
    for label, day in (
        (Label.ISSUE_DATE, facts.issued), (Label.DUE_DATE, facts.due), (Label.OTHER_DATE, facts.delivered),
    ):  # fmt: skip
        found.add(label, find_date(sheets, day))
    marks = _marks(facts)
    _amounts(found, sheets, facts, marks, below)
    _remaining(found, sheets, marks)
    return found


def _amounts(found: Found, sheets: Sequence[Sheet], facts: Facts, marks: frozenset[str], below: float) -> None:
    roles = _roles(facts)
    for spot, values in find_amounts(sheets, [*roles, *_row_values(facts)], marks, found.taken()):
        row = _row_of(spot, found, sheets, below)
        among = None if row is None else _row_roles(facts.items[row], values)
        if row is not None and among is not None:
            found.rows.setdefault(row, []).append((spot, among))
            continue
        labels = frozenset().union(*(roles.get(value, frozenset()) for value in values))
        if labels:
            found.sums.append((spot, labels))


def _remaining(found: Found, sheets: Sequence[Sheet], marks: frozenset[str]) -> None:
    """Currencies on their own, and amounts that are not among the facts: programs print more than they are given."""
    used = found.taken() | {(spot.page, word) for spot, _ in _pending(found) for word in spot.words}
    for sheet in sheets:
        for index, word in enumerate(sheet.page.words):
            if (sheet.number, index) in used:
                continue
            if word.text.strip("()[]:").casefold() in marks:
                found.entities.append((Label.CURRENCY, Spot(sheet.number, (index,), word.box)))
            elif _MONEY.search(word.text):
                found.unknown.add((sheet.number, index))


def _pending(found: Found) -> Iterable[tuple[Spot, frozenset[Label]]]:
    yield from found.sums
    for row in found.rows.values():
        yield from row


def _texts(found: Found, sheets: Sequence[Sheet], facts: Facts) -> None:
    for place, item in sorted(enumerate(facts.items), key=lambda pair: -len(pair[1].description)):
        spots = [spot for spot in find_text(sheets, item.description) if _is_free(found, spot)]
        if spots:
            found.items[place] = spots[0]
            found.add(Label.LINE_DESCRIPTION, spots[:1])
            found.unknown |= {(spot.page, word) for spot in spots[1:] for word in spot.words}
        # Further lines belong to the description if they are below it and not in a separate column.
        details = find_text(sheets, item.details) if item.details else []
        found.unknown |= {(spot.page, word) for spot in details for word in spot.words}
    names = [(Label.SELLER, facts.seller.name), (Label.BUYER, facts.buyer.name)]
    for label, name in sorted(names, key=lambda pair: -len(pair[1])):
        found.add(label, find_text(sheets, name))
    found.add(Label.INVOICE_NUMBER, find_text(sheets, facts.number, inside=True))
    others = (
        facts.order, facts.customer, facts.seller.vat, facts.buyer.vat, facts.seller.tax_no, facts.buyer.tax_no,
        facts.seller.iban, facts.seller.bic,
    )  # fmt: skip
    for number in sorted(others, key=len, reverse=True):
        if len(number) > 2:
            found.add(Label.OTHER_NUMBER, find_text(sheets, number, inside=True))


def _is_free(found: Found, spot: Spot) -> bool:
    return not found.taken() & {(spot.page, word) for word in spot.words}


def _marks(facts: Facts) -> frozenset[str]:
    symbols = (*SYMBOLS.get(facts.currency, ()), facts.symbol, facts.currency)
    return frozenset(mark.casefold() for mark in symbols) | frozenset(mark.casefold().strip(".") for mark in symbols)


def _roles(facts: Facts) -> dict[Decimal, frozenset[Label]]:
    """What each sum may be. The total stands for the amount due, too, where nothing was paid."""
    pairs = [
        (facts.subtotal, Label.SUBTOTAL), (facts.net, Label.SUBTOTAL), (facts.tax, Label.TAX),
        (facts.total, Label.TOTAL), (facts.discount, Label.DISCOUNT), (-facts.discount, Label.DISCOUNT),
        (facts.shipping, Label.SHIPPING), (facts.paid, Label.PAID), (-facts.paid, Label.PAID),
    ]  # fmt: skip
    if facts.paid:
        pairs.append((facts.amount_due, Label.AMOUNT_DUE))
    roles: dict[Decimal, frozenset[Label]] = {}
    for value, label in pairs:
        roles[value] = roles.get(value, frozenset()) | {label}
    return roles


def _row_values(facts: Facts) -> Iterable[Decimal]:
    for item in facts.items:
        yield from (item.quantity, item.price, item.total, item.gross)


def _row_roles(item: Item, values: frozenset[Decimal]) -> frozenset[Label] | None:
    """What an amount in the row of `item` may be; None if it has nothing to do with it."""
    pairs = ((item.quantity, Label.LINE_QUANTITY), (item.price, Label.LINE_UNIT_PRICE), (item.total, Label.LINE_TOTAL))
    among = frozenset(label for value, label in pairs if value in values)
    return among or (frozenset() if item.gross in values else None)


def _row_of(spot: Spot, found: Found, sheets: Sequence[Sheet], below: float) -> int | None:
    """The item in whose row a word stands: the one with the nearest description."""
    best: tuple[float, int] | None = None
    for place, description in found.items.items():
        if description.page != spot.page:
            continue
        height = sheets[spot.page].page.words[description.words[0]].box.height
        top, bottom = description.box.y0 - 0.6 * height, description.box.y1 + below * height
        if top <= spot.box.y_center <= bottom:
            far = abs(spot.box.y_center - description.box.y_center)
            best = min(best, (far, place)) if best else (far, place)
    return best[1] if best else None
