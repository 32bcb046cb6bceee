"""The codes on the pages of a document, compared with what the pages print."""

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.document import Document, Page, PrintedCode
from serve_app.domain.embedded_data import Code, CodeDifference, CodeValues
from serve_app.domain.invoice_data import InvoiceData
from serve_app.extraction.codes.decode import decode
from serve_app.extraction.einvoice.data import Comparison

_MOST_CODES = 50
"""Of one invoice. Those of later pages are left out."""
_MOST_CHARACTERS = 2000


def check_codes(document: Document, pages: Comparison) -> list[Code]:
    """The codes in reading order, and what of each the pages contradict."""
    printed = [(page, code) for page in document.pages for code in page.codes][:_MOST_CODES]
    return [_checked(page, code, pages) for page, code in printed]


def _checked(page: Page, code: PrintedCode, comparison: Comparison) -> Code:
    decoded, box = decode(code.text), page.shown(code.box)
    find = comparison.differences_of_payment if decoded.kind.is_payment else comparison.differences
    found = [] if decoded.kind is CodeKind.OTHER else find(decoded.values)
    return Code(
        kind=decoded.kind,
        profile=decoded.values.profile,
        page=page.number,
        box=(round(box.x0, 4), round(box.y0, 4), round(box.x1, 4), round(box.y1, 4)),
        text=code.text[:_MOST_CHARACTERS],
        values=_values(decoded.values),
        matches_page=not found,
        differences=[CodeDifference(field=field, code=given, page=shown) for field, given, shown in found],
    )


def _values(data: InvoiceData) -> CodeValues:
    return CodeValues(
        vendor_name=data.seller,
        invoice_number=data.number,
        amount=data.amount,
        tax=data.tax,
        currency=data.currency,
        issued_at=data.issued_at,
        due_at=data.due_at,
        tax_ids=list(data.vat_ids),
        iban=next(iter(data.ibans), None),
        reference=data.reference,
    )
