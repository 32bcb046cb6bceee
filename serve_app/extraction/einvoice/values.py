"""The values of a document that is itself an electronic invoice: those of its XML, wherever the models read others.

The pages were made from the XML, with amounts as plain decimals and dates as ISO 8601. What both models read as the XML
states it keeps its confidence, but for `low`, which is for values that nothing else supports.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest

from msgspec import structs

from serve_app.domain.document import Document
from serve_app.domain.einvoice import EInvoice, Line
from serve_app.domain.evidence import HEADER, Doubt, DoubtCode, Evidence, FieldEvidence
from serve_app.domain.invoice import (
    VERIFIED_BY,
    Citation,
    Citations,
    Confidence,
    Detail,
    Details,
    DocumentType,
    Extraction,
    Field,
    LineItem,
    TaxLine,
)
from serve_app.domain.invoice_data import data_in
from serve_app.domain.provenance import ATTRIBUTES
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.einvoice.data import Value, is_same, value_of
from serve_app.extraction.einvoice.places import PrintedPlaces
from serve_app.extraction.parties.identifiers import compact

_READ_OTHERWISE = Doubt(DoubtCode.MODELS_DIFFER, "The electronic invoice states it; the models did not read it so.")
_MOST_DIGITS = 6
"""Behind the point, of a price for one piece that is given for several."""


def with_einvoice_values(read: Extraction, document: Document, cite: Callable[[Place], Citation]) -> Extraction:
    """What was read, with the values of the document's XML. What that does not state has no value."""
    einvoice = document.einvoice
    if einvoice is None:
        return read
    words = PrintedPlaces(document, cite)
    data = data_in(einvoice)
    stated: dict[Field, Value] = {field: value for field in HEADER if (value := value_of(data, field)) is not None}
    levels: dict[Field, Confidence] = {field: _level(read, field, value) for field, value in stated.items()}
    lines = [_line_item(line) for line in einvoice.lines]
    if lines:
        levels[Field.LINE_ITEMS] = _level_of_lines(read, lines)
    kind = DocumentType.CREDIT_NOTE if einvoice.is_credit_note else DocumentType.INVOICE
    is_read = kind is read.document_type
    return read.model_copy(
        update={
            **{_attribute(field): stated.get(field) for field in HEADER},
            "line_items": [_with_level(line, read, number) for number, line in enumerate(lines)],
            "field_confidence": levels,
            "citations": _citations(words, read, stated, einvoice.lines),
            "auto_verified": all(levels.get(field) is Confidence.HIGH for field in VERIFIED_BY),
            "document_type": kind,
            "document_type_confidence": _at_least_mid(read.document_type_confidence if is_read else None),
            "details": _details(einvoice, read.details or Details(), words),
        }
    )


def with_einvoice_doubts(evidence: Evidence, read: Extraction, stated: Extraction) -> Evidence:
    """The evidence, in which values that the models read otherwise are doubted for this reason alone."""
    levels = stated.field_confidence or {}
    changed = [field for field in HEADER if field in levels and not _is_read(read, field, _value(stated, field))]
    doubted = {str(field): FieldEvidence(doubt=_READ_OTHERWISE) for field in changed}
    return structs.replace(evidence, fields={**evidence.fields, **doubted})


def _value(extraction: Extraction, field: Field) -> Value:
    value: Value = getattr(extraction, _attribute(field))
    return value


def _attribute(field: Field) -> str:
    return ATTRIBUTES.get(field, field.value)


def _is_read(read: Extraction, field: Field, value: Value) -> bool:
    found = getattr(read, _attribute(field))
    return found is not None and is_same(field, value, found)


def _level(read: Extraction, field: Field, value: Value) -> Confidence:
    is_read = _is_read(read, field, value)
    return _at_least_mid((read.field_confidence or {}).get(field) if is_read else None)


def _at_least_mid(level: Confidence | None) -> Confidence:
    return Confidence.HIGH if level is Confidence.HIGH else Confidence.MID


def _line_item(line: Line) -> LineItem:
    return LineItem(
        description=line.name or line.description,
        quantity=line.quantity,
        unit_price=_unit_price(line),
        confidence=Confidence.MID,
        total=line.net,
        tax_rate=line.vat_rate,
    )


def _unit_price(line: Line) -> Decimal | None:
    if line.price is None or not line.base_quantity:
        return line.price
    return round(line.price / line.base_quantity, _MOST_DIGITS).normalize() if line.base_quantity != 1 else line.price


def _with_level(line: LineItem, read: Extraction, number: int) -> LineItem:
    found = read.line_items[number] if number < len(read.line_items) else None
    is_read = found is not None and _is_same_line(line, found)
    return line.model_copy(update={"confidence": _at_least_mid(found.confidence if found and is_read else None)})


def _level_of_lines(read: Extraction, lines: Sequence[LineItem]) -> Confidence:
    pairs = zip_longest(lines, read.line_items)
    are_read = all(line and found and _is_same_line(line, found) for line, found in pairs)
    return _at_least_mid((read.field_confidence or {}).get(Field.LINE_ITEMS) if are_read else None)


def _is_same_line(line: LineItem, found: LineItem) -> bool:
    """By its numbers, and by its name, which stands before further texts on the page."""
    numbers = (line.quantity, line.unit_price, line.total) == (found.quantity, found.unit_price, found.total)
    return numbers and (found.description or "").startswith(line.description or "")


def _citations(
    words: PrintedPlaces, read: Extraction, stated: Mapping[Field, Value], lines: Sequence[Line]
) -> Citations:
    """Where the values are printed. A value that both models read has its place already."""
    cited: Citations = {}
    for field, value in stated.items():
        known = (read.citations or {}).get(field) if _is_read(read, field, value) else None
        if place := known or words.find(value):
            cited[field] = place
    if rows := words.find_lines(lines):
        cited[Field.LINE_ITEMS] = rows
    return cited


def _details(einvoice: EInvoice, read: Details, words: PrintedPlaces) -> Details:
    stated = {detail: value for detail, value in _stated_details(einvoice) if value is not None}
    levels = {
        detail: _at_least_mid(read.field_confidence.get(detail) if getattr(read, detail) == value else None)
        for detail, value in stated.items()
    }
    cited: dict[Detail, Citation | list[Citation]] = {
        detail: place for detail, value in stated.items() if (place := words.find(value))
    }
    taxes = [TaxLine(rate=each.rate, base=each.base, amount=each.tax) for each in einvoice.vat]
    if taxes:
        is_read = read.tax_lines == taxes
        levels[Detail.TAX_LINES] = _at_least_mid(read.field_confidence.get(Detail.TAX_LINES) if is_read else None)
        if places := words.find_taxes(einvoice.vat):
            cited[Detail.TAX_LINES] = places
    return Details(
        **{detail.value: value for detail, value in stated.items()},
        tax_lines=taxes,
        field_confidence={detail: levels[detail] for detail in Detail if detail in levels},
        citations={detail: cited[detail] for detail in Detail if detail in cited},
    )


def _stated_details(einvoice: EInvoice) -> Iterator[tuple[Detail, str | Decimal | None]]:
    seller, buyer, totals = einvoice.seller, einvoice.buyer, einvoice.totals
    yield Detail.BUYER_NAME, buyer.name
    yield Detail.PURCHASE_ORDER, einvoice.order
    yield Detail.SUBTOTAL, totals.net
    yield Detail.DISCOUNT, abs(totals.allowances) if totals.allowances else None
    yield Detail.AMOUNT_DUE, totals.due
    yield Detail.AMOUNT_PAID, abs(totals.paid) if totals.paid else None
    yield Detail.VENDOR_TAX_ID, _without_gaps(seller.vat_id or seller.tax_number)
    yield Detail.BUYER_TAX_ID, _without_gaps(buyer.vat_id or buyer.tax_number)
    yield Detail.IBAN, next((_without_gaps(account.number) for account in einvoice.payment.accounts), None)
    yield Detail.PAYMENT_TERMS, " ".join((einvoice.payment.terms or "").split()) or None


def _without_gaps(identifier: str | None) -> str | None:
    return compact(identifier) if identifier else None
