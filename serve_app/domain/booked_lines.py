"""The lines of an invoice that are booked."""

from decimal import Decimal

from serve_app.domain.coding import BookedLine, Coding, CodingDecision, decided_coding, without_lost_lines
from serve_app.domain.invoice import Extraction, LineItem

_LONGEST = 300
"""Characters of a text: what comes after them says nothing new about what was bought."""


def booked_lines(extraction: Extraction) -> list[BookedLine]:
    """The line items, numbered from 1; without any, the whole invoice."""
    lines = [
        BookedLine(number, (item.description or "")[:_LONGEST], _total(item))
        for number, item in enumerate(extraction.line_items, 1)
    ]
    return lines or [whole_invoice(extraction)]


def whole_invoice(extraction: Extraction) -> BookedLine:
    """The invoice as one line: with the words of all line items, and the amount."""
    text = " ".join(item.description or "" for item in extraction.line_items)
    return BookedLine(None, text[:_LONGEST], extraction.amount)


def overlaid_coding(read: Coding | None, decision: CodingDecision | None, extraction: Extraction) -> Coding | None:
    """The coding of an invoice that has these values now: as somebody decided it, else as it was suggested."""
    lines = booked_lines(extraction)
    if decision is not None:
        decided = decided_coding(decision, lines, whole_invoice(extraction), read)
        if decided is not None:
            return decided
    return None if read is None else without_lost_lines(read, lines)


def _total(item: LineItem) -> Decimal | None:
    if item.total is not None:
        return item.total
    if item.unit_price is None:
        return None
    return round(item.unit_price * (1 if item.quantity is None else item.quantity), 2)
