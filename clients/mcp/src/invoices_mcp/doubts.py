"""Why a person should look before an action relies on an invoice."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel, Field

from invoices_client.models import CheckSeverity, Confidence, Invoice, InvoiceReview, ReviewStatus
from invoices_mcp.untrusted import quoted, visible

FIELDS = {
    "vendor": "vendor_name",
    "invoice_number": "invoice_number",
    "amount": "amount",
    "currency": "currency",
    "issued_at": "issued_at",
    "due_at": "due_at",
    "tax": "tax",
}
"""Header fields, as they are called in levels of confidence, and the invoice's property of each."""
_REQUIRED = ("vendor", "invoice_number", "amount", "currency", "issued_at")
# Plain wordings only. An agent that a text deceives in other words is held by levels, people and its host.
_INSTRUCTION = re.compile(
    r"mark\W?paid|request\W?approval\b"
    r"|\bmark(?:ed)?\b[^.]{0,40}\b(?:as\W+)?paid\b"
    r"|\b(?:ignore|disregard|forget)\b[^.]{0,40}\binstructions?\b"
    r"|\bsystem\W+prompt\b",
    re.IGNORECASE,
)


class Doubt(BaseModel):
    """Something that a person should look at. It contains no text of the document."""

    about: str = Field(description="A field, or `review`, `checks`, `duplicate`, `text`, `recipient`, `action`.")
    level: str | None = Field(default=None, description="The field's level of confidence; null if it has none.")
    reason: str


def doubts_of(invoice: Invoice) -> list[Doubt]:
    """What is not certain about the values that a payment or an approval relies on."""
    return [*_doubtful_fields(invoice), *_warnings(invoice)]


def doubts_of_words(texts: Iterable[str]) -> list[Doubt]:
    """A doubt if a text reads like an instruction to an agent."""
    if any(_INSTRUCTION.search(_plain(text)) for text in texts):
        return [Doubt(about="text", reason="the document contains text that reads like an instruction to an agent")]
    return []


def _plain(text: str) -> str:
    """A text in common letters: without hidden ones, and without forms such as wide or mathematical letters."""
    return " ".join(visible(unicodedata.normalize("NFKC", text)).split())


def lines(doubts: Sequence[Doubt], invoice: Invoice) -> str:
    """The doubts for a person, each with the value, in quotation marks."""
    return "\n".join(f"- {doubt.about}{_value(invoice, doubt)}: {doubt.reason}" for doubt in doubts)


def _value(invoice: Invoice, doubt: Doubt) -> str:
    value = _values(invoice).get(doubt.about)
    return f" {quoted(value)}" if value is not None else ""


def _values(invoice: Invoice) -> Mapping[str, object]:
    values = {field: getattr(invoice, name) for field, name in FIELDS.items()}
    return {**values, "iban": invoice.details.iban if invoice.details else None}


def _doubtful_fields(invoice: Invoice) -> Iterator[Doubt]:
    details = invoice.details
    levels = {**((details.field_confidence if details else None) or {}), **(invoice.field_confidence or {})}
    for field, value in _values(invoice).items():
        if value is None and field not in _REQUIRED:
            continue
        reason = _reason(invoice.review, field, value, levels.get(field))
        if reason is not None:
            yield Doubt(about=field, level=levels.get(field), reason=reason)


def _reason(review: InvoiceReview, field: str, value: object, level: Confidence | None) -> str | None:
    """Why the value of a field is not certain; None if it is."""
    is_confirmed = review.status == ReviewStatus.CONFIRMED
    correction = review.corrections.get(field) or review.corrections.get(FIELDS.get(field, field))
    if correction is not None:
        # A confirmation is of what was there then.
        is_known = not correction.by_key or (is_confirmed and review.at is not None and correction.at <= review.at)
        return None if is_known else "entered through the API, and not confirmed by a person"
    if is_confirmed or (level == Confidence.HIGH and value is not None):
        return None
    if value is None:
        return "not found in the document"
    return f"read with {level or 'no level of'} confidence, and not confirmed by a person"


def _warnings(invoice: Invoice) -> Iterator[Doubt]:
    """What speaks against an action whatever the values are."""
    if invoice.review.status == ReviewStatus.REJECTED:
        yield Doubt(about="review", reason="a person has rejected the invoice")
    for check in invoice.checks:
        if check.severity == CheckSeverity.ALERT and check.confirmed_by is None:
            yield Doubt(about="checks", reason=f"alert {check.kind}, not confirmed by a person")
    if invoice.duplicate_of is not None:
        yield Doubt(about="duplicate", reason=f"the same vendor, number and amount as invoice {invoice.duplicate_of}")
