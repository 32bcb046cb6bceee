"""Titles of documents."""

from serve_app.extraction.knowledge import WordPattern

_INVOICE = WordPattern(r"{documents.invoice}(?!\s*{documents.heads_others})|{documents.compounds}")
_CREDIT_NOTE = WordPattern("{documents.credit_note}")
_RECEIPT = WordPattern("{documents.receipt}")
_OTHER = WordPattern("{documents.other}")
_CARRIED_OVER = WordPattern("{documents.carried_over}")


def names_invoice(title: str) -> bool:
    """Whether a title is that of an invoice, a receipt or a credit note."""
    return _INVOICE.search(title) is not None


def names_credit_note(title: str) -> bool:
    """Whether a title is that of a credit note."""
    return _CREDIT_NOTE.search(title) is not None


def names_receipt(title: str) -> bool:
    """Whether a title is that of a receipt."""
    return _RECEIPT.search(title) is not None


def names_other_document(title: str) -> bool:
    """Whether a title is that of a document that asks for no payment: an offer, a delivery note, terms ..."""
    return _OTHER.search(title) is not None


def carries_over(line: str) -> bool:
    """Whether a line carries over a sum from page to page."""
    return _CARRIED_OVER.search(line) is not None
