"""Changes of an invoice that affect others: its vendor, its duplicates, the recipients of its event."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from serve_app.domain.clock import month_start
from serve_app.domain.event import Event, EventType, LoggedEvent
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import as_read, needs_person, overlaid
from serve_app.domain.usage import UsageSums
from serve_app.domain.vendor import VendorDetails
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.invoices import review_from, review_text
from serve_app.store.sqlite.accounts.limits import add_usage, take_unit
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import insert_invoice, update_invoice
from serve_app.store.sqlite.invoices.codec import columns_of, details_of, invoice_from
from serve_app.store.sqlite.vendors.vendors import recount, vendor_of

_CLAIMED = "SELECT * FROM invoices WHERE id = ? AND attempt = ? AND status = 'processing'"
# Every invoice with the key names the oldest of them; the oldest names none. This is correct in whatever order runs
# finish, and also after a re-extraction.
_FLAG = """
    WITH oldest (id) AS (SELECT min(id) FROM invoices WHERE account_id = :account AND duplicate_key = :key)
    UPDATE invoices SET duplicate_of = nullif((SELECT id FROM oldest), id)
    WHERE account_id = :account AND duplicate_key = :key
        AND duplicate_of IS NOT nullif((SELECT id FROM oldest), id)
"""
# Of duplicates that are not rejected the oldest counts in the vendor's sums, which is not the oldest of all if that was
# rejected.
_STAND_IN = """
    WITH counted (id) AS (
        SELECT min(id) FROM invoices
        WHERE account_id = :account AND duplicate_key = :key AND review_status != 'rejected'
    ), due (id, stands_in) AS (
        SELECT id, duplicate_of IS NOT NULL AND id IS (SELECT id FROM counted) FROM invoices
        WHERE account_id = :account AND duplicate_key = :key
    )
    UPDATE invoices SET stands_in = due.stands_in FROM due
    WHERE invoices.id = due.id AND invoices.stands_in != due.stands_in
"""
_APPEND = "UPDATE invoices SET outbox = json_insert(outbox, '$[#]', json(?)) WHERE id = ?"
_NO_TURN: dict[str, Any] = {"turn": None, "next_run_at": None, "lost_claims": 0, "releases": 0}


def finish(
    connection: sqlite3.Connection,
    claim: InvoiceRecord,
    change_to: Callable[[Invoice], Invoice],
    now: datetime,
    details: VendorDetails | None = None,
    evidence_key: str | None = None,
    drawn: float | None = None,
) -> Invoice | None:
    """Part of a write: end the claim's run with `change_to` and note the event; None if the claim is not current. What
    people said stays. `details` None keeps those of the previous run, with its evidence."""
    row = connection.execute(_CLAIMED, (str(claim.invoice.id), claim.attempt)).fetchone()
    if row is None:
        return None
    said = review_from(row)
    read = change_to(as_read(invoice_from(row), said)).model_copy(update={"duplicate_of": None})
    invoice, kept = overlaid(read, said)
    more: dict[str, Any] = {"review": review_text(kept)}
    if details is not None:
        more |= {"details": details_of(details), "evidence_key": evidence_key, "drawn": drawn}
    return _settle(connection, row, invoice, now, details, more)


def add_finished(connection: sqlite3.Connection, record: InvoiceRecord, now: datetime) -> None:
    """Part of a write: add an invoice that is finished from the start, with its event and its quota unit."""
    take_unit(connection, str(record.account_id), month_start(now), limit=None)
    blank = record.invoice.model_copy(update={"status": Status.QUEUED})
    row = insert_invoice(connection, InvoiceRecord(blank, record.account_id, record.file_key, next_run_at=None))
    more = {"details": details_of(record.details), "evidence_key": record.evidence_key, "drawn": record.drawn}
    _settle(connection, row, record.invoice, now, record.details, more)


def change(connection: sqlite3.Connection, row: sqlite3.Row, invoice: Invoice, more: dict[str, Any]) -> sqlite3.Row:
    """Part of a write: store the new invoice in the row, without a slot and with these further columns, and correct
    vendors and duplicates; returns the updated row."""
    needs = needs_person(invoice, is_drawn=more.get("drawn", row["drawn"]) is not None)
    columns = columns_of(invoice) | {"needs_person": needs}
    if columns["duplicate_key"] is None:
        columns["duplicate_of"] = None
    changed = update_invoice(connection, row, columns | _NO_TURN | more)
    recount(connection, row, changed)
    flag_duplicates(connection, row, changed)
    return _again(connection, changed)


def flag_duplicates(connection: sqlite3.Connection, *rows: sqlite3.Row) -> None:
    """Part of a write: flag all that are, or were, duplicates of these rows."""
    for account, key in {(row["account_id"], row["duplicate_key"]) for row in rows if row["duplicate_key"]}:
        flag_key(connection, account, key)


def flag_key(connection: sqlite3.Connection, account_id: str, key: str) -> None:
    """Part of a write: flag all that have this key of duplicates."""
    for statement in (_FLAG, _STAND_IN):
        connection.execute(statement, {"account": account_id, "key": key})


def _settle(
    connection: sqlite3.Connection,
    row: sqlite3.Row,
    invoice: Invoice,
    now: datetime,
    details: VendorDetails | None,
    more: dict[str, Any],
) -> Invoice:
    more |= {"updated_at": to_micros(now)}
    if invoice.status is Status.COMPLETE:
        more["vendor_id"] = vendor_of(connection, row["account_id"], invoice, details)
        if invoice.usage is not None:
            add_usage(connection, row["account_id"], month_start(now), UsageSums.of([invoice.usage]))
    changed = change(connection, row, invoice, more)
    return note_event(connection, changed, now)


def note_event(
    connection: sqlite3.Connection, row: sqlite3.Row, now: datetime, type: EventType | None = None
) -> Invoice:
    """Part of a write: note an event about the row's invoice, by default that its run has ended; returns the
    invoice."""
    invoice = invoice_from(row)
    event = LoggedEvent.of(Event.about(invoice, now, type), row["account_id"])
    entry = {"id": event.id, "type": event.type, "created_at": to_micros(now), "payload": event.payload}
    connection.execute(_APPEND, (json.dumps(entry, ensure_ascii=False), row["id"]))
    return invoice


def _again(connection: sqlite3.Connection, row: sqlite3.Row) -> sqlite3.Row:
    latest: sqlite3.Row = connection.execute("SELECT * FROM invoices WHERE id = ?", (row["id"],)).fetchone()
    return latest
