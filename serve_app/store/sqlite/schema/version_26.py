"""Which pair of models reads an invoice, and the pairs that accounts stay on."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN pair TEXT",
    """
    CREATE TABLE pins (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id),
        pair TEXT NOT NULL,
        last_day TEXT NOT NULL,
        since INTEGER NOT NULL
    ) STRICT
    """,
)
