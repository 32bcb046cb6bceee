"""Filling a database fast: rows as the store's own code makes them, but thousands in a transaction."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.record import InvoiceRecord
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.codec import columns_of, details_of

_BATCH = 5_000
_INDEXES = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'invoices' AND sql IS NOT NULL"
FIRST_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


@contextmanager
def bulk(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a database that the store has made; nothing waits for the disk, and indexes of invoices are made
    at the end."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -400000")
    try:
        indexes = connection.execute(_INDEXES).fetchall()
        for index in indexes:
            connection.execute(f"DROP INDEX {index['name']}")
        yield connection
        for index in indexes:
            connection.execute(index["sql"])
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def insert_accounts(connection: sqlite3.Connection, accounts: Iterable[Account]) -> None:
    """Add accounts."""
    rows = [(str(account.id), account.plan.name, to_micros(account.created_at)) for account in accounts]
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO accounts (id, plan, created_at) VALUES (?, ?, ?)", rows)
    connection.execute("COMMIT")


def insert_records(connection: sqlite3.Connection, records: Iterable[InvoiceRecord]) -> None:
    """Add invoices, without slots and without their vendors' rows."""
    remaining = iter(records)
    while rows := [_columns(record) for record in islice(remaining, _BATCH)]:
        names = list(rows[0])
        marks = ", ".join(f":{name}" for name in names)
        connection.execute("BEGIN")
        # The names are the store's own.
        connection.executemany(f"INSERT INTO invoices ({', '.join(names)}) VALUES ({marks})", rows)  # noqa: S608
        connection.execute("COMMIT")


def _columns(record: InvoiceRecord) -> dict[str, Any]:
    return columns_of(record.invoice) | {
        "account_id": str(record.account_id),
        "file_key": record.file_key,
        "details": details_of(record.details),
    }


def id_at(number: int) -> UUID:
    """The id of the invoice with this number: UUIDv7 of a moment of its own, some seconds after the one before."""
    milliseconds = int(created_at(number).timestamp() * 1000)
    return UUID(int=(milliseconds << 80) | (7 << 76) | (2 << 62) | number)


def created_at(number: int) -> datetime:
    """When the invoice with this number was created."""
    return FIRST_MOMENT + timedelta(seconds=7 * number)
