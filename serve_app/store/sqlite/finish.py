"""The one write that ends a run: result, state, duplicates and the event."""

import sqlite3
from collections.abc import Callable
from datetime import datetime

from serve_app.domain.clock import month_start
from serve_app.domain.duplicates import duplicate_key
from serve_app.domain.event import Event
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.store.sqlite.codec import document_of, invoice_from, to_micros
from serve_app.store.sqlite.insert import insert
from serve_app.store.sqlite.limits import take_unit

_CLAIMED = "SELECT * FROM invoices WHERE id = ? AND attempt = ? AND status = 'processing'"
_FINISH = """
    UPDATE invoices SET status = ?, updated_at = ?, document = ?, duplicate_key = ?, duplicate_of = NULL,
        next_run_at = NULL, lost_claims = 0, releases = 0
    WHERE id = ?
"""
# Every invoice with the key names the oldest of them, the oldest none: right in whatever order runs finish, and
# after a re-extraction, too.
_FLAG = """
    UPDATE invoices SET duplicate_of = nullif(
        (SELECT min(id) FROM invoices WHERE account_id = :account AND duplicate_key = :key), id)
    WHERE account_id = :account AND duplicate_key = :key
"""
_APPEND = "UPDATE invoices SET outbox = json_insert(outbox, '$[#]', json(?)) WHERE id = ?"


def finish(
    connection: sqlite3.Connection, claim: InvoiceRecord, change: Callable[[Invoice], Invoice], now: datetime
) -> Invoice | None:
    """Part of a write: end the claim's run with `change` and note the event; None where the claim is not valid now."""
    row = connection.execute(_CLAIMED, (str(claim.invoice.id), claim.attempt)).fetchone()
    if row is None:
        return None
    return _settle(connection, row, change(invoice_from(row)), now)


def add_finished(connection: sqlite3.Connection, record: InvoiceRecord, now: datetime) -> None:
    """Part of a write: add an invoice that is finished from the start, with its event and its quota unit."""
    take_unit(connection, record.account_id, month_start(now), limit=None)
    insert(connection, record)
    _settle(connection, _row(connection, record.invoice), record.invoice, now)


def _settle(connection: sqlite3.Connection, row: sqlite3.Row, invoice: Invoice, now: datetime) -> Invoice:
    key = duplicate_key(invoice) if invoice.status is Status.COMPLETE else None
    values = (invoice.status, to_micros(now), document_of(invoice), key, str(invoice.id))
    connection.execute(_FINISH, values)
    for affected in {row["duplicate_key"], key} - {None}:
        connection.execute(_FLAG, {"account": row["account_id"], "key": affected})
    return _note_event(connection, invoice, now)


def _note_event(connection: sqlite3.Connection, invoice: Invoice, now: datetime) -> Invoice:
    latest = invoice_from(_row(connection, invoice))
    connection.execute(_APPEND, (Event.about(latest, now).model_dump_json(), str(latest.id)))
    return latest


def _row(connection: sqlite3.Connection, invoice: Invoice) -> sqlite3.Row:
    row: sqlite3.Row = connection.execute("SELECT * FROM invoices WHERE id = ?", (str(invoice.id),)).fetchone()
    return row
