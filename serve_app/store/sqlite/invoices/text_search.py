"""The index of the trigrams of vendors' names and invoice numbers."""

from serve_app.domain.folding import folded
from serve_app.domain.query import InvoiceQuery
from serve_app.store.rows.trigrams import ENOUGH, trigrams
from serve_app.store.sqlite.engine.driver import sqlite3

_FEW = """
    SELECT count(*) <= :enough FROM (SELECT 1 FROM invoice_texts WHERE invoice_texts MATCH :trigrams LIMIT :enough + 1)
"""
MAY_MATCH = """
    id IN (
        SELECT invoice_text_rows.id FROM invoice_texts
        JOIN invoice_text_rows ON invoice_text_rows.number = invoice_texts.rowid
        WHERE invoice_texts MATCH :trigrams
    )
"""
"""The condition that an invoice has all of `:trigrams`, in its vendor's name or its number: it may match."""


def trigrams_if_few_have_them(connection: sqlite3.Connection, query: InvoiceQuery) -> str | None:
    """An expression for the trigrams of the parts asked for; None if many invoices may match, or if the parts are too
    short to have any."""
    expression = _expression(query)
    if not expression:
        return None
    (are_few,) = connection.execute(_FEW, {"trigrams": expression, "enough": ENOUGH}).fetchone()
    return expression if are_few else None


def _expression(query: InvoiceQuery) -> str:
    parts = [folded(query.vendor) if query.vendor else "", query.number or ""]
    # No stored text has a NUL, and no expression can have one.
    grams = sorted({trigram for part in parts for trigram in trigrams(part) if "\0" not in trigram})
    return " AND ".join('"' + trigram.replace('"', '""') + '"' for trigram in grams)
