"""Deletions that can still be undone; lists by level, by models and in other orders; how far runs are; how endpoints
did lately; the search of vendors."""

from serve_app.domain.folding import folded
from serve_app.store.sqlite.engine.driver import sqlite3

_LEVEL = """
    SELECT CASE max(CASE value WHEN 'low' THEN 3 WHEN 'mid' THEN 2 WHEN 'high' THEN 1 END)
        WHEN 3 THEN 'low' WHEN 2 THEN 'mid' WHEN 1 THEN 'high' END
    FROM json_each(document, '$.field_confidence') WHERE key != 'line_items'
"""

STATEMENTS = (
    """
    CREATE TABLE deletions (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        invoices TEXT NOT NULL,
        actor TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        is_begun INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX deletions_of_account ON deletions (account_id, id)",
    "CREATE INDEX deletions_due ON deletions (due_at)",
    """
    CREATE TABLE endpoint_hours (
        endpoint_id TEXT NOT NULL,
        hour INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        arrived INTEGER NOT NULL,
        PRIMARY KEY (endpoint_id, hour, bucket)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX endpoint_hours_age ON endpoint_hours (hour)",
    "ALTER TABLE vendors ADD COLUMN name_folded TEXT NOT NULL DEFAULT ''",
    "DROP INDEX vendors_by_spend",
    """
    CREATE INDEX vendors_by_spend ON vendors (account_id, spend DESC, id, name_folded) WHERE invoice_count > 0
    """,
    "ALTER TABLE invoices ADD COLUMN stage TEXT",
    "ALTER TABLE invoices ADD COLUMN level TEXT",
    "ALTER TABLE invoices ADD COLUMN models TEXT",
    f"UPDATE invoices SET level = ({_LEVEL}) WHERE status = 'complete'",  # noqa: S608 - of constants
    """
    UPDATE invoices SET models = (document ->> '$.models.extractor') || ' ' || (document ->> '$.models.verifier')
    WHERE status = 'complete'
    """,
    "CREATE INDEX invoices_by_level ON invoices (account_id, level, id) WHERE level IS NOT NULL",
    "CREATE INDEX invoices_by_models ON invoices (account_id, models, id) WHERE models IS NOT NULL",
    # Each order has those without a value, too, which come last.
    "CREATE INDEX invoices_in_order_of_amount ON invoices (account_id, amount, id)",
    "CREATE INDEX invoices_in_order_of_due_date ON invoices (account_id, due_at, id)",
    "CREATE INDEX invoices_in_order_of_issue_date ON invoices (account_id, issued_at, id)",
    "CREATE INDEX invoices_in_order_of_vendor ON invoices (account_id, vendor_folded, id)",
    # What many invoices may match is looked for in the list itself: the level belongs to its columns, too.
    "DROP INDEX invoices_listed",
    """
    CREATE INDEX invoices_listed ON invoices
        (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid, currency, issued_at,
         duplicate_of, invoice_number, level)
    """,
)


def fill(connection: sqlite3.Connection) -> None:
    """The names of vendors as they are searched for."""
    names = connection.execute("SELECT id, name FROM vendors").fetchall()
    rows = [(folded(row["name"]), row["id"]) for row in names]
    connection.executemany("UPDATE vendors SET name_folded = ? WHERE id = ?", rows)
