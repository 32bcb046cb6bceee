"""How long things are kept, and receipts of what was removed, which stay when the account is gone."""

STATEMENTS = (
    """
    CREATE TABLE retention_rules (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id),
        values_days INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE receipts (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        why TEXT NOT NULL,
        begun_at INTEGER NOT NULL,
        done_at INTEGER,
        before INTEGER,
        erased TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX receipts_of_account ON receipts (account_id, id)",
)
