"""Statements built from the names of the columns that they write."""

from typing import Any

from serve_app.domain.record import InvoiceRecord
from serve_app.store.rows.invoices import load_fields
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.codec import columns_of, details_of


def insert_invoice(connection: sqlite3.Connection, record: InvoiceRecord) -> sqlite3.Row:
    """Part of a write: add the record's row, without a slot."""
    values = (
        columns_of(record.invoice)
        | load_fields(record)
        | {
            "account_id": str(record.account_id),
            "file_key": record.file_key,
            "details": details_of(record.details),
            "sha256": record.sha256,
            "trace": record.trace,
        }
    )
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    # The names are those of `columns_of`, never a caller's.
    query = f"INSERT INTO invoices ({names}) VALUES ({marks}) RETURNING *"  # noqa: S608
    return _only(connection.execute(query, values))


def update_invoice(connection: sqlite3.Connection, row: sqlite3.Row, values: dict[str, Any]) -> sqlite3.Row:
    """Part of a write: set these columns of a row; returns the updated row."""
    assignments = ", ".join(f"{name} = :{name}" for name in values)
    query = f"UPDATE invoices SET {assignments} WHERE id = :row_id RETURNING *"  # noqa: S608
    return _only(connection.execute(query, values | {"row_id": row["id"]}))


def find_row(connection: sqlite3.Connection, account_id: object, invoice_id: object) -> sqlite3.Row | None:
    """The row of an account's invoice."""
    query = "SELECT * FROM invoices WHERE id = ? AND account_id = ?"
    row: sqlite3.Row | None = connection.execute(query, (str(invoice_id), str(account_id))).fetchone()
    return row


def _only(cursor: sqlite3.Cursor) -> sqlite3.Row:
    (row,) = cursor.fetchall()
    found: sqlite3.Row = row
    return found
