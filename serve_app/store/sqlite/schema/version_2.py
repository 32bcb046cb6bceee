"""Seats in the queue, reservations, vendors, webhooks, idempotency, sessions, and columns to filter lists by."""

import json
from decimal import Decimal
from typing import Any

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.ids import new_id
from serve_app.store.sqlite.engine.driver import sqlite3

STATEMENTS = (
    # `turn` is NULL without a seat; `next_run_at` 0 means claimable at once.
    "ALTER TABLE invoices ADD COLUMN turn INTEGER",
    "ALTER TABLE invoices ADD COLUMN runs INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE invoices ADD COLUMN details TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE invoices ADD COLUMN paid INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE invoices ADD COLUMN paid_at INTEGER",
    "ALTER TABLE invoices ADD COLUMN entity_tag TEXT",
    "ALTER TABLE invoices ADD COLUMN approval_status TEXT",
    "ALTER TABLE invoices ADD COLUMN approval_email TEXT",
    "ALTER TABLE invoices ADD COLUMN approval_token TEXT",
    # What lists are filtered by; the exact values are in `document`.
    "ALTER TABLE invoices ADD COLUMN vendor_folded TEXT",
    "ALTER TABLE invoices ADD COLUMN amount REAL",
    "ALTER TABLE invoices ADD COLUMN due_at TEXT",
    # What a complete invoice adds to its vendor.
    "ALTER TABLE invoices ADD COLUMN vendor_id TEXT",
    "ALTER TABLE invoices ADD COLUMN vendor_key TEXT",
    "ALTER TABLE invoices ADD COLUMN billed TEXT",
    "ALTER TABLE invoices ADD COLUMN seen_on TEXT",
    "DROP INDEX invoices_due",
    "CREATE INDEX invoices_turns ON invoices (turn, id, next_run_at) WHERE status = 'queued' AND turn IS NOT NULL",
    """
    CREATE INDEX invoices_delayed ON invoices (next_run_at) WHERE status = 'queued' AND turn IS NOT NULL
    """,
    "CREATE INDEX invoices_seated ON invoices (account_id) WHERE turn IS NOT NULL",
    "CREATE INDEX invoices_waiting ON invoices (account_id, id) WHERE status = 'queued' AND turn IS NULL",
    # Contains every column that a list can be filtered by: rows that do not match are skipped without being read.
    """
    CREATE INDEX invoices_listed ON invoices
        (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid)
    """,
    "CREATE INDEX invoices_by_status ON invoices (account_id, status, id)",
    """
    CREATE INDEX invoices_of_vendor ON invoices (account_id, vendor_key, seen_on) WHERE vendor_key IS NOT NULL
    """,
    "CREATE INDEX invoices_of_file ON invoices (file_key)",
    """
    CREATE TABLE vendors (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id),
        key TEXT NOT NULL,
        name TEXT NOT NULL,
        website TEXT,
        email TEXT,
        phone TEXT,
        invoice_count INTEGER NOT NULL DEFAULT 0,
        total TEXT NOT NULL DEFAULT '0',
        spend REAL NOT NULL DEFAULT 0,
        last_seen TEXT,
        UNIQUE (account_id, key)
    ) STRICT
    """,
    "CREATE INDEX vendors_by_spend ON vendors (account_id, spend DESC, id) WHERE invoice_count > 0",
    """
    CREATE TABLE reservations (
        invoice_id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        file_key TEXT NOT NULL,
        month INTEGER,
        run INTEGER NOT NULL,
        made_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX reservations_by_age ON reservations (made_at)",
    "ALTER TABLE events ADD COLUMN invoice_id TEXT NOT NULL DEFAULT ''",
    "UPDATE events SET invoice_id = json_extract(payload, '$.data.invoice.id')",
    "CREATE INDEX events_of_invoice ON events (invoice_id)",
    "DROP INDEX events_of_account",
    "CREATE INDEX events_listed ON events (account_id, id, type, created_at)",
    """
    CREATE TABLE endpoints (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id),
        url TEXT NOT NULL,
        types TEXT NOT NULL,
        secrets TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        paused_reason TEXT,
        failing_since INTEGER,
        revision INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX endpoints_of_account ON endpoints (account_id, id)",
    """
    CREATE TABLE deliveries (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id),
        endpoint_id TEXT NOT NULL REFERENCES endpoints (id),
        event_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        next_attempt_at INTEGER,
        claims INTEGER NOT NULL DEFAULT 0,
        step INTEGER NOT NULL DEFAULT 0,
        attempts TEXT NOT NULL DEFAULT '[]',
        abandoned_reason TEXT,
        UNIQUE (event_id, endpoint_id)
    ) STRICT
    """,
    "CREATE INDEX deliveries_due ON deliveries (next_attempt_at, id) WHERE state = 'pending'",
    "CREATE INDEX deliveries_listed ON deliveries (account_id, id, endpoint_id, event_id, state)",
    "CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, state, id)",
    """
    CREATE TABLE idempotency (
        account_id TEXT NOT NULL,
        key TEXT NOT NULL,
        invoice_id TEXT NOT NULL,
        holder TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        held_since INTEGER NOT NULL,
        status INTEGER,
        body TEXT,
        PRIMARY KEY (account_id, key)
    ) STRICT
    """,
    "CREATE INDEX idempotency_by_age ON idempotency (created_at)",
    """
    CREATE TABLE sessions (
        hash TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id),
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX sessions_of_account ON sessions (account_id)",
    "CREATE INDEX sessions_by_end ON sessions (expires_at)",
    "CREATE INDEX rate_windows_by_age ON rate_windows (window)",
)

_ROWS = "SELECT id, account_id, status, created_at, document, duplicate_of FROM invoices ORDER BY id"
_FILL = """
    UPDATE invoices SET vendor_folded = :vendor_folded, amount = :amount, due_at = :due_at, vendor_id = :vendor_id,
        vendor_key = :vendor_key, billed = :billed, seen_on = :seen_on
    WHERE id = :id
"""
_VENDOR = """
    INSERT INTO vendors (id, account_id, key, name) VALUES (:vendor_id, :account_id, :vendor_key, :vendor_name)
    ON CONFLICT (account_id, key) DO UPDATE SET name = excluded.name RETURNING id
"""
_SUMS = """
    UPDATE vendors SET invoice_count = :count, total = :total, spend = :spend, last_seen = :last_seen WHERE id = :id
"""
_OF_VENDOR = "SELECT billed, duplicate_of, seen_on FROM invoices WHERE account_id = ? AND vendor_key = ?"


def fill(connection: sqlite3.Connection) -> None:
    """Fill the new columns of existing rows, and create the vendors that they name. Waiting invoices get seats later,
    from the regular repair; running invoices keep a seat."""
    connection.execute("UPDATE invoices SET turn = created_at WHERE status = 'processing'")
    for row in connection.execute(_ROWS).fetchall():
        _fill_invoice(connection, row)
    for vendor in connection.execute("SELECT id, account_id, key FROM vendors").fetchall():
        _fill_vendor(connection, vendor)


def _fill_invoice(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    invoice: dict[str, Any] = json.loads(row["document"])
    name, amount = invoice["vendor_name"], invoice["amount"]
    values = {
        **dict(row),
        "vendor_name": name,
        "vendor_folded": name and name.casefold(),
        "amount": None if amount is None else float(amount),
        "due_at": invoice["due_at"],
        **dict.fromkeys(("vendor_id", "vendor_key", "billed", "seen_on")),
    }
    key = normalise_vendor(name or "")
    if key and row["status"] == "complete":
        day = connection.execute("SELECT date(?, 'unixepoch')", (row["created_at"] // 1_000_000,)).fetchone()[0]
        values |= {"vendor_id": str(new_id()), "vendor_key": key, "billed": amount or "0"}
        values["seen_on"] = invoice["issued_at"] or day
        values["vendor_id"] = connection.execute(_VENDOR, values).fetchall()[0]["id"]
    connection.execute(_FILL, values)


def _fill_vendor(connection: sqlite3.Connection, vendor: sqlite3.Row) -> None:
    rows = connection.execute(_OF_VENDOR, (vendor["account_id"], vendor["key"])).fetchall()
    total = sum((Decimal(row["billed"]) for row in rows if row["duplicate_of"] is None), Decimal(0))
    values = {
        "id": vendor["id"],
        "count": len(rows),
        "total": str(total),
        "spend": float(total),
        "last_seen": max(row["seen_on"] for row in rows),
    }
    connection.execute(_SUMS, values)
