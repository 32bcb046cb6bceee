"""Permanent removal."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.erased import Erased
from serve_app.domain.event import DeletedEvent, LoggedEvent
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.reservation import Reservation
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.accounts.limits import give_back_unit
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import find_row
from serve_app.store.sqlite.exports.exports import forget_invoice
from serve_app.store.sqlite.invoices.codec import record_from
from serve_app.store.sqlite.invoices.finish import flag_duplicates
from serve_app.store.sqlite.invoices.intake import note
from serve_app.store.sqlite.models.candidates import forget_account
from serve_app.store.sqlite.people.memberships import remove_members
from serve_app.store.sqlite.queue.slots import ConcurrencySlots
from serve_app.store.sqlite.retention.erased_ids import note_erased
from serve_app.store.sqlite.reviews.comments import remove_comments
from serve_app.store.sqlite.vendors.vendors import recount
from serve_app.store.sqlite.webhooks.events import log_event

_DELIVERIES = "DELETE FROM deliveries WHERE event_id IN (SELECT id FROM events WHERE invoice_id = ?)"
_KEYS = "DELETE FROM idempotency WHERE invoice_id = ?"
_EVENTS = "DELETE FROM events WHERE invoice_id = ?"
_WATCHED = "DELETE FROM watched_files WHERE account_id = ? AND invoice_id = ?"
_EXAMPLE = "DELETE FROM lesson_keys WHERE invoice_id = ?"
_CANDIDATES = ("DELETE FROM comparisons WHERE id = ?", "DELETE FROM canary_runs WHERE id = ?")
_SHARED = "SELECT 1 FROM invoices WHERE file_key = ? LIMIT 1"
_NEXT = "SELECT * FROM invoices WHERE account_id = ? ORDER BY id LIMIT ?"
_ANY = "SELECT 1 FROM invoices WHERE account_id = ? LIMIT 1"
_ANY_MAIL = "SELECT 1 FROM mails WHERE account_id = ? LIMIT 1"
_HOURS = "DELETE FROM endpoint_hours WHERE endpoint_id IN (SELECT id FROM endpoints WHERE account_id = ?)"
_WINDOWS = "DELETE FROM rate_windows WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = ?)"


class SqliteErasure:
    def __init__(self, database: Database, slots: ConcurrencySlots) -> None:
        self._database = database
        self._slots = slots

    async def invoice(
        self, record: InvoiceRecord, now: datetime, refund: datetime | None = None, *, emit_event: bool = True
    ) -> Erased:
        def erase(connection: sqlite3.Connection) -> Erased:
            row = find_row(connection, record.account_id, record.invoice.id)
            if row is None:
                return Erased()
            if refund is not None:
                give_back_unit(connection, row["account_id"], to_micros(refund))
            erased = self._erase(connection, row, now)
            if emit_event:
                log_event(
                    connection, LoggedEvent.of(DeletedEvent.about(record.invoice.id, now), record.account_id), row
                )
            return erased

        return await self._database.write(erase)

    def _erase(self, connection: sqlite3.Connection, row: sqlite3.Row, now: datetime) -> Erased:
        invoice_id = (row["id"],)
        note_erased(connection, row["id"], to_micros(now))
        # Its answer would repeat the invoice.
        connection.execute(_KEYS, invoice_id)
        erased = Erased(
            deliveries=connection.execute(_DELIVERIES, invoice_id).rowcount,
            events=connection.execute(_EVENTS, invoice_id).rowcount,
            invoices=connection.execute("DELETE FROM invoices WHERE id = ?", invoice_id).rowcount,
        )
        connection.execute(_EXAMPLE, invoice_id)
        connection.execute(_WATCHED, (row["account_id"], row["id"]))
        forget_invoice(connection, row["id"])
        for query in _CANDIDATES:
            connection.execute(query, invoice_id)
        remove_comments(connection, row["id"])
        recount(connection, row, None)
        flag_duplicates(connection, row)
        self._slots.fill(connection, row["account_id"])
        if connection.execute(_SHARED, (row["file_key"],)).fetchone() is None:
            ids = UUID(row["id"]), UUID(row["account_id"])
            note(connection, Reservation(*ids, row["file_key"], month=None, run=0, made_at=now))
        return erased

    async def next_invoices(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        rows = await self._database.read(lambda c: c.execute(_NEXT, (str(account_id), limit)).fetchall())
        return [record_from(row) for row in rows]

    async def account(self, account_id: UUID) -> Erased:
        return await self._database.write(lambda c: _erase_account(c, str(account_id)))


def _erase_account(connection: sqlite3.Connection, account_id: str) -> Erased:
    if any(connection.execute(query, (account_id,)).fetchone() is not None for query in (_ANY, _ANY_MAIL)):
        raise ValueError("the account still has invoices or mails")

    def remove(table: str, column: str = "account_id") -> int:
        # Both names are constants in this file.
        return connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (account_id,)).rowcount  # noqa: S608

    erased = remove_members(connection, account_id)
    forget_account(connection, account_id)
    # The answer to its creation repeats the account, with the key of an operator.
    for query in (_WINDOWS, _HOURS, _KEYS):
        connection.execute(query, (account_id,))
    for table in (
        *(
            "quotas",
            "usage_months",
            "idempotency",
            "approval_mails",
            "erased_ids",
            "calls",
            "call_counts",
            "mail_addresses",
            "thresholds",
            "deletions",
            "retention_rules",
            "pins",
            "charts",
            "own_fields",
            "comparisons",
            "comments",
            "saved_views",
            "purchase_orders",
            "comment_mentions",
            "canary_runs",
        ),
        *("mail_documents", "mail_pictures", "automatic_mails", "watched_folders", "watched_files"),
        *("exported_invoices", "exports", "export_schedules", "ledger_connections"),
    ):
        remove(table)
    return erased + Erased(
        deliveries=remove("deliveries"),
        endpoints=remove("endpoints"),
        events=remove("events"),
        vendors=remove("vendors"),
        audit_entries=remove("audit"),
        keys=remove("api_keys"),
        accounts=remove("accounts", "id"),
    )
