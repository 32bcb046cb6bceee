"""How far mailboxes have been read."""

STATEMENTS = (
    """
    CREATE TABLE mailboxes (
        name TEXT PRIMARY KEY,
        validity INTEGER NOT NULL,
        uid INTEGER NOT NULL,
        read_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
)
