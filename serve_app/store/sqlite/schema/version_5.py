"""Vendors' names folded without accents, counts of approval mail, ids of what was erased."""

from serve_app.domain.folding import folded
from serve_app.store.sqlite.engine.driver import sqlite3

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE approval_mails (
        account_id TEXT NOT NULL,
        day INTEGER NOT NULL,
        recipient TEXT NOT NULL,
        mails INTEGER NOT NULL,
        PRIMARY KEY (account_id, day, recipient)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX approval_mails_by_age ON approval_mails (day)",
    """
    CREATE TABLE erased_ids (
        id TEXT NOT NULL,
        account_id TEXT NOT NULL,
        erased_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX erased_ids_by_age ON erased_ids (erased_at)",
    "CREATE INDEX idempotency_of_invoice ON idempotency (invoice_id)",
)

# Read from the index of lists alone. ASCII has nothing more to fold.
_NAMES = "SELECT id, vendor_folded FROM invoices WHERE vendor_folded GLOB '*[^' || char(1) || '-~]*'"
_FOLD = "UPDATE invoices SET vendor_folded = ? WHERE id = ?"


def fill(connection: sqlite3.Connection) -> None:
    """Fold the names, of which earlier versions had folded the case alone."""
    rows = connection.execute(_NAMES).fetchall()
    changed = ((name, row["id"]) for row in rows if (name := folded(row["vendor_folded"])) != row["vendor_folded"])
    connection.executemany(_FOLD, changed)
