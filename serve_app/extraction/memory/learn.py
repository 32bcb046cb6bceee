"""What one confirmed invoice teaches."""

from serve_app.domain.einvoice import MIME_TYPE
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Citation, Details, Field, Invoice
from serve_app.domain.memory import FieldExample, Keys, ValuePosition, VendorExample
from serve_app.domain.review import Review
from serve_app.domain.review_fields import citation_of, same, value_of
from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.dates.dates import FoundDate, Order, find_dates
from serve_app.extraction.memory.keys import keys_of_evidence_layout, keys_of_vendor
from serve_app.extraction.memory.placement import PagePositions, corners, shape_of

PLACED = (Field.INVOICE_NUMBER, Field.AMOUNT, Field.ISSUED_AT, Field.DUE_AT, Field.TAX)
"""The fields whose place a vendor's invoices teach."""


def example_of(invoice: Invoice, review: Review, evidence: Evidence, known: VendorDetails) -> VendorExample | None:
    """What a confirmed invoice teaches; None if its vendor could not be found again, or if its file is an electronic
    invoice, whose pages are not the vendor's. `known` is what was read about the vendor besides the name."""
    if invoice.file.mime_type == MIME_TYPE:
        return None
    keys = keys_of_invoice(invoice, review, known)
    if not keys or invoice.vendor_name is None:
        return None
    positions = PagePositions(evidence)
    return VendorExample(
        keys=(*keys, *keys_of_evidence_layout(evidence)),
        name=invoice.vendor_name,
        read_name=_read_name(invoice, review),
        currency=invoice.currency,
        is_month_first=_is_month_first(invoice, review),
        fields={str(field): _field_example(invoice, review, evidence, positions, field) for field in PLACED},
    )


def keys_of_invoice(invoice: Invoice, review: Review, known: VendorDetails) -> Keys:
    """By what the vendor of an invoice is found again."""
    details = invoice.details or Details()
    return keys_of_vendor(
        (invoice.vendor_name, _read_name(invoice, review)),
        details.vendor_tax_id or known.vat_id,
        details.iban or known.iban,
        (known.website, known.email),
    )


def _read_name(invoice: Invoice, review: Review) -> str | None:
    return review.read[Field.VENDOR].value if Field.VENDOR in review.read else invoice.vendor_name


def _field_example(
    invoice: Invoice, review: Review, evidence: Evidence, positions: PagePositions, field: Field
) -> FieldExample:
    value = value_of(invoice, field)
    if value is None:
        return FieldExample()
    return FieldExample(
        right=_seen(positions, _citation(invoice, evidence, field, value)),
        wrong=_mistaken(review, positions, field),
        shape=shape_of(value) if field is Field.INVOICE_NUMBER else "",
    )


def _citation(invoice: Invoice, evidence: Evidence, field: Field, value: str) -> Citation | None:
    """The place that a person or the models named, else that of a candidate with the value."""
    citation = citation_of(invoice, field)
    if isinstance(citation, Citation):
        return citation
    seen = evidence.fields.get(str(field))
    candidates = seen.candidates if seen else ()
    return next((each.citation for each in candidates if same(field, each.value, value)), None)


def _mistaken(review: Review, positions: PagePositions, field: Field) -> ValuePosition | None:
    """Where the value was that a person has corrected."""
    if str(field) not in review.corrected:
        return None
    citation = review.read[str(field)].citation
    return _seen(positions, citation) if isinstance(citation, Citation) else None


def _seen(positions: PagePositions, citation: Citation | None) -> ValuePosition | None:
    return None if citation is None else positions.at(citation.page, corners(citation.box))


def _is_month_first(invoice: Invoice, review: Review) -> bool | None:
    """Which order makes the confirmed dates of what is printed where they, or the wrong ones, were read."""
    for field, day in ((Field.ISSUED_AT, invoice.issued_at), (Field.DUE_AT, invoice.due_at)):
        read = review.read.get(str(field))
        for citation in (citation_of(invoice, field), read.citation if read else None):
            for printed in find_dates(citation.text) if isinstance(citation, Citation) else ():
                if printed.is_ambiguous and _differs(printed):
                    return printed.value(Order.MONTH_FIRST) == day
    return None


def _differs(printed: FoundDate) -> bool:
    """Whether the two orders make different days."""
    return printed.value(Order.MONTH_FIRST) != printed.value(Order.DAY_FIRST)
