"""The check of an SQLite store, read from its file."""

import json
from collections.abc import Callable, Iterable
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from serve_app.domain.account_records import AccountRecords, EventEntry, InvoiceEntry
from serve_app.store.rows.account_records import endpoint_entry, export_entry, invoice_entry, mail_files, vendor_entry
from serve_app.store.rows.deletions import plan_from
from serve_app.store.sqlite.backup.damage import find_broken_references, find_damage
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import answer_for
from serve_app.store.sqlite.engine.opening import connect
from serve_app.store.sqlite.invoices.repair import repair_account
from serve_app.store.sqlite.webhooks.endpoint_rows import endpoints_of
from serve_app.system.thread_pools import DATABASE

T = TypeVar("T")

_BUSY_SECONDS = 30.0
_ACCOUNTS = """
    SELECT id FROM accounts UNION SELECT account_id FROM invoices UNION SELECT account_id FROM deletions ORDER BY id
"""
_INVOICES = """
    SELECT id, status, runs, file_key, document_gone_at, evidence_key, vendor_id, vendor_key, billed, duplicate_key,
        duplicate_of, export_id, outbox = '[]' AS is_settled, document -> '$.batch' AS batch
    FROM invoices WHERE account_id = ?
"""
_EVENTS = "SELECT id, invoice_id, type FROM events WHERE account_id = ? AND NOT is_test"
_DELIVERIES = """
    SELECT deliveries.event_id, deliveries.endpoint_id
    FROM deliveries LEFT JOIN events ON events.id = deliveries.event_id
    WHERE deliveries.account_id = ? AND ifnull(events.is_test, 0) = 0
"""
_VENDORS = "SELECT id, key, invoice_count, total, merged_into FROM vendors WHERE account_id = ?"
_UNITS = "SELECT ifnull(sum(used), 0) AS used FROM quotas WHERE account_id = ?"
_RESERVED = "SELECT file_key, month FROM reservations WHERE account_id = ?"
_EXPORTS = "SELECT id, sha256, content FROM exports WHERE account_id = ?"
_EXPORTED = "SELECT export_id, invoice_id FROM exported_invoices WHERE account_id = ?"
_PLANS = "SELECT * FROM deletions WHERE account_id = ?"
_MAILS = "SELECT id, state, document ->> '$.has_raw' AS has_raw FROM mails WHERE account_id = ?"


class SqliteStoreCheck:
    """Each account is read in one transaction. The file must have the current schema."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def accounts(self) -> list[UUID]:
        return [UUID(row["id"]) for row in await self._off_loop(lambda c: c.execute(_ACCOUNTS).fetchall())]

    async def of_account(self, account_id: UUID) -> AccountRecords:
        return await self._off_loop(lambda connection: _read_records(connection, account_id))

    async def damage(self) -> list[str]:
        return await self._off_loop(lambda c: find_damage(c) + find_broken_references(c))

    async def repair(self, account_id: UUID) -> None:
        await self._off_loop(lambda connection: repair_account(connection, str(account_id)))

    async def close(self) -> None:
        """Nothing is held open."""

    async def _off_loop(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            try:
                with closing(connect(self._path, _BUSY_SECONDS)) as connection:
                    return work(connection)
            except sqlite3.Error as error:
                raise answer_for(error) from error

        return await DATABASE.run(run)


def _read_records(connection: sqlite3.Connection, account_id: UUID) -> AccountRecords:
    connection.execute("BEGIN")
    try:
        return _read(connection, account_id)
    finally:
        connection.execute("ROLLBACK")


def _read(connection: sqlite3.Connection, account_id: UUID) -> AccountRecords:
    def rows(query: str) -> Iterable[sqlite3.Row]:
        return connection.execute(query, (str(account_id),))

    reservations = list(rows(_RESERVED))
    exported: dict[str, list[str]] = {}
    for row in rows(_EXPORTED):
        exported.setdefault(row["export_id"], []).append(row["invoice_id"])
    kept, passing = mail_files(account_id, ((row["id"], row["state"], bool(row["has_raw"])) for row in rows(_MAILS)))
    return AccountRecords(
        account_id=account_id,
        invoices=[_invoice(row) for row in rows(_INVOICES)],
        events=[EventEntry(row["id"], row["invoice_id"], row["type"]) for row in rows(_EVENTS)],
        endpoints=[endpoint_entry(endpoint) for endpoint in endpoints_of(connection, str(account_id))],
        deliveries=[(row["event_id"], row["endpoint_id"]) for row in rows(_DELIVERIES)],
        vendors=[vendor_entry(row) for row in rows(_VENDORS)],
        units=next(iter(rows(_UNITS)))["used"],
        reserved=frozenset(row["file_key"] for row in reservations) | passing,
        reserved_units=sum(row["month"] is not None for row in reservations),
        mails=frozenset(kept),
        plans=[plan_from(row) for row in rows(_PLANS)],
        exports=[
            export_entry(row["id"], row["sha256"], row["content"], exported.get(row["id"], ()))
            for row in rows(_EXPORTS)
        ],
    )


def _invoice(row: sqlite3.Row) -> InvoiceEntry:
    batch = None if row["batch"] is None else json.loads(row["batch"])
    return invoice_entry(row, Decimal(row["billed"] or 0), batch, is_settled=bool(row["is_settled"]))
