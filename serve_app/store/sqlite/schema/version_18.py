"""What a document is expected to take, how much of it waits, and how fast it is worked off.

Triggers count, so no write of an invoice can forget it, and the answer costs the same however long the queue is.
"""

_OPEN = "{0}.status IN ('queued', 'processing')"
_ADD = f"""
    INSERT INTO backlog (account_id, status, kind, documents, pages)
        SELECT new.account_id, new.status, new.kind, 1, new.expected_pages WHERE {_OPEN.format("new")}
        ON CONFLICT DO UPDATE SET documents = documents + 1, pages = pages + excluded.pages;
"""
_OLD = "account_id = old.account_id AND status = old.status AND kind = old.kind"
_REMOVE = f"""
    UPDATE backlog SET documents = documents - 1, pages = pages - old.expected_pages WHERE {_OLD};
    DELETE FROM backlog WHERE {_OLD} AND documents = 0;
"""  # noqa: S608

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN kind TEXT NOT NULL DEFAULT 'text'",
    "ALTER TABLE invoices ADD COLUMN expected_pages INTEGER NOT NULL DEFAULT 1",
    # When the latest run was requested: an invoice that is read again has not waited since it was created.
    "ALTER TABLE invoices ADD COLUMN queued_at INTEGER",
    "UPDATE invoices SET queued_at = created_at WHERE status IN ('queued', 'processing')",
    "UPDATE invoices SET kind = 'photo' WHERE document ->> '$.file.mime_type' LIKE 'image/%'",
    "CREATE INDEX invoices_queued ON invoices (queued_at) WHERE status = 'queued'",
    """
    CREATE TABLE backlog (
        account_id TEXT NOT NULL,
        status TEXT NOT NULL,
        kind TEXT NOT NULL,
        documents INTEGER NOT NULL,
        pages INTEGER NOT NULL,
        PRIMARY KEY (account_id, status, kind)
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO backlog SELECT account_id, status, kind, count(*), sum(expected_pages) FROM invoices
        WHERE status IN ('queued', 'processing') GROUP BY account_id, status, kind
    """,
    # Found in order of their age by looking at all of them, which are few.
    """
    CREATE TABLE paces (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        costs TEXT NOT NULL,
        speed REAL
    ) STRICT, WITHOUT ROWID
    """,
    f"CREATE TRIGGER backlog_added AFTER INSERT ON invoices WHEN {_OPEN.format('new')} BEGIN {_ADD} END",
    f"""
    CREATE TRIGGER backlog_changed AFTER UPDATE OF status ON invoices WHEN new.status IS NOT old.status
    BEGIN {_REMOVE} {_ADD} END
    """,
    f"CREATE TRIGGER backlog_removed AFTER DELETE ON invoices WHEN {_OPEN.format('old')} BEGIN {_REMOVE} END",
)
