"""Files are recognised, whichever way they came in; pictures that come again and again are logos."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN sha256 TEXT",
    "CREATE INDEX invoices_of_sha256 ON invoices (account_id, sha256, created_at) WHERE sha256 IS NOT NULL",
    """
    CREATE TABLE mail_pictures (
        account_id TEXT NOT NULL,
        sender TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        mail_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (account_id, sender, sha256, mail_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX mail_pictures_age ON mail_pictures (at)",
)
