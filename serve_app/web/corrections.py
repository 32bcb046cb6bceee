"""How pages tell that somebody has entered a value that the models read otherwise, or not at all."""

from serve_app.domain.invoice import Invoice
from serve_app.domain.provenance import correction_text, provenance_of
from serve_app.web.formats import Formats
from serve_app.web.review.fields import DETAILS, HEADER
from serve_app.web.review.view import shown


def correction_note(invoice: Invoice, name: str, formats: Formats) -> str:
    """Who has entered the value of a field, when, and what was read instead; empty for a value that was read."""
    correction = provenance_of(invoice, name).correction
    if correction is None:
        return ""
    known = HEADER.get(name) or DETAILS.get(name)
    read = shown(known[1], correction.read, formats, invoice.currency) if known else None
    return correction_text(name, correction, read)
