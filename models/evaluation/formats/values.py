"""From printed texts to the values of a truth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from models.evaluation.dataset import Truth
from serve_app.domain.labels import Label
from serve_app.extraction.currency.currencies import CODES, currency_of, may_mean
from serve_app.extraction.dates.dates import Order, possible_orders
from serve_app.extraction.notation.numbers import parse_number
from serve_app.extraction.stated.keys import Notation, days_of

LABELS: Mapping[str, Label] = {
    "vendor_name": Label.SELLER,
    "invoice_number": Label.INVOICE_NUMBER,
    "issued_at": Label.ISSUE_DATE,
    "due_at": Label.DUE_DATE,
    "currency": Label.CURRENCY,
    "description": Label.LINE_DESCRIPTION,
    "quantity": Label.LINE_QUANTITY,
    "unit_price": Label.LINE_UNIT_PRICE,
    "tax": Label.TAX,
    "amount": Label.TOTAL,
}
"""The keys of a truth and of its rows, in the order in which invoices print their values."""
NUMBERS = frozenset({"amount", "tax", "quantity", "unit_price"})
_DATES = frozenset({"issued_at", "due_at"})

Texts = Mapping[str, str | None]


def truth_of(
    texts: Texts, rows: Sequence[Texts] | None, around: Iterable[str], order: Order | None
) -> tuple[Truth, tuple[str, ...]]:
    """The truth that printed texts state, and the keys whose text has no certain value. None is an absent value. Rows
    are None if the format has no line items. `around` are further texts of the page, which show its notation."""
    stated = [text for each in (texts, *(rows or ())) for text in each.values() if text]
    reader = _Reader([*stated, *around], order)
    truth, unclear = reader.values(texts)
    if rows is not None:
        read = [reader.values(row) for row in rows]
        if any(missing for _, missing in read):
            unclear.append("line_items")
        else:
            truth["line_items"] = [
                {**dict.fromkeys(("description", "quantity", "unit_price")), **row} for row, _ in read
            ]
    return truth, tuple(unclear)


def without(texts: Texts, rows: Sequence[Texts], unlabelled: Sequence[str]) -> tuple[Texts, Sequence[Texts] | None]:
    """The texts of what is labelled."""
    known = {key: text for key, text in texts.items() if key not in unlabelled}
    return known, None if "line_items" in unlabelled else rows


class _Reader:
    """Reads texts in the notation of their document."""

    def __init__(self, texts: Sequence[str], order: Order | None) -> None:
        self._notation = Notation.of(word for text in texts for word in text.split())
        self._orders = (order,) if order else possible_orders(texts, month_first_hint=False)

    def values(self, texts: Texts) -> tuple[dict[str, Any], list[str]]:
        """The values of texts by key, and the keys without one."""
        found: dict[str, Any] = {}
        unclear = []
        for key, text in texts.items():
            value = None if text is None else self._value(key, " ".join(text.split()))
            if text is not None and value is None:
                unclear.append(key)
            else:
                found[key] = value
        return found, unclear

    def _value(self, key: str, text: str) -> str | float | None:
        if key in NUMBERS:
            return self._number(text)
        if key in _DATES:
            days = set(self._days(text))
            return days.pop().isoformat() if len(days) == 1 else None
        return _currency(text) if key == "currency" else text or None

    def _number(self, text: str) -> float | None:
        read = parse_number(text, self._notation.style, thousandths=self._notation.has_thousandths)
        return None if read is None else float(read)

    def _days(self, text: str) -> Iterator[date]:
        days = days_of(text)
        return (days[order] for order in self._orders if order in days)


def _currency(text: str) -> str | None:
    """The only currency that a code or a sign means: "$" is the sign of many."""
    code = currency_of(text, {})
    others = (each for each in CODES if each != code and may_mean(text, each))
    return None if code is None or (text.upper() != code and any(others)) else code
