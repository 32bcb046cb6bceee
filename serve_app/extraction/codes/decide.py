"""Codes decide between the values that may be a field's: they were written by the program that wrote the invoice."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from serve_app.domain.invoice import Field
from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes.decode import decode
from serve_app.extraction.einvoice.data import is_same, value_of
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.fields import Fields
from serve_app.extraction.printed import PrintedText, printed_text
from serve_app.extraction.reconcile.choice import Check

_DECIDED = (Field.INVOICE_NUMBER, Field.ISSUED_AT, Field.DUE_AT, Field.AMOUNT, Field.TAX)
_SUMS = frozenset({Field.AMOUNT, Field.TAX})
# A code belongs to the invoice if the pages print at least so many of its values.
_ENOUGH = 2


def with_codes(fields: Fields, pages: Sequence[PageFacts]) -> Fields:
    """The fields, where a code of the invoice says which of several candidates is the value. The sums of a page are
    left alone if they prove one another."""
    data = list(_of_invoice(pages))
    chosen: dict[str, Any] = {}
    for field in _DECIDED:
        if field in _SUMS and fields.check >= Check.NET:
            continue
        stated = [value for each in data if (value := value_of(each, field)) is not None]
        for candidate in reversed(fields.ranked.get(field, ())):
            if any(is_same(field, candidate.value, value) for value in stated):
                chosen[field.value] = candidate
    return replace(fields, **chosen) if chosen else fields


def _of_invoice(pages: Sequence[PageFacts]) -> Iterator[InvoiceData]:
    """What codes say that do not order a payment, which may be for another sum on another day."""
    codes = [decode(code.text) for page in pages for code in page.page.codes]
    text = printed_text(pages)
    yield from (each.values for each in codes if not each.kind.is_payment and _is_of_invoice(each.values, text))


def _is_of_invoice(data: InvoiceData, text: PrintedText) -> bool:
    printed = (
        data.number is not None and text.has_code(data.number),
        data.amount is not None and abs(data.amount) in text.amounts(),
        data.issued_at is not None and data.issued_at in text.dates(),
        any(map(text.has_code, data.vat_ids)),
    )
    return sum(printed) >= _ENOUGH
