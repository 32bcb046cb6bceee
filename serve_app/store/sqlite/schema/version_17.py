"""The audit sample, and thresholds that rose."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN drawn REAL",
    """
    CREATE TABLE thresholds (
        account_id TEXT NOT NULL,
        field TEXT NOT NULL,
        step INTEGER NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (account_id, field)
    ) STRICT, WITHOUT ROWID
    """,
)
