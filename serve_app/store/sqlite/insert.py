"""New rows of invoices."""

import sqlite3

from serve_app.domain.record import InvoiceRecord
from serve_app.store.sqlite.codec import document_of, to_micros

_ADD = """
    INSERT INTO invoices (id, account_id, status, source, created_at, updated_at, document, file_key, next_run_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def insert(connection: sqlite3.Connection, record: InvoiceRecord) -> None:
    """Part of a write: add the record's row."""
    invoice = record.invoice
    values = (
        *(str(invoice.id), str(record.account_id), invoice.status, invoice.source),
        *(to_micros(invoice.created_at), to_micros(invoice.updated_at), document_of(invoice), record.file_key),
        None if record.next_run_at is None else to_micros(record.next_run_at),
    )
    connection.execute(_ADD, values)
