"""What confirmed invoices teach about their vendors."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN lesson TEXT",
    """
    CREATE TABLE lesson_keys (
        account_id TEXT NOT NULL,
        key TEXT NOT NULL,
        invoice_id TEXT NOT NULL,
        PRIMARY KEY (account_id, key, invoice_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX lesson_keys_of_invoice ON lesson_keys (invoice_id)",
)
