"""The last use of keys, the log of API calls, and when approval was asked for and answered."""

STATEMENTS = (
    "ALTER TABLE api_keys ADD COLUMN last_used_on TEXT",
    # A ring for each account: a slot is written again after `RING` further calls, so that nothing has to be trimmed.
    """
    CREATE TABLE calls (
        account_id TEXT NOT NULL,
        slot INTEGER NOT NULL,
        id TEXT NOT NULL,
        request_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        status INTEGER NOT NULL,
        code TEXT,
        milliseconds INTEGER NOT NULL,
        key_id TEXT NOT NULL,
        PRIMARY KEY (account_id, slot)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX calls_listed ON calls (account_id, id, status, key_id, request_id)",
    "CREATE INDEX calls_by_age ON calls (at)",
    "CREATE TABLE call_counts (account_id TEXT PRIMARY KEY, calls INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "ALTER TABLE invoices ADD COLUMN approval_asked_at INTEGER",
    "ALTER TABLE invoices ADD COLUMN approval_answered_at INTEGER",
)
