"""Indexes of the invoices that a person should look at, and of what was done to one."""

STATEMENTS = (
    # The same as in `document`.
    "ALTER TABLE invoices ADD COLUMN auto_verified INTEGER NOT NULL DEFAULT 0",
    "UPDATE invoices SET auto_verified = 1 WHERE document ->> '$.auto_verified'",
    # With what the sums of a list need.
    """
    CREATE INDEX invoices_to_check ON invoices (account_id, id, status, auto_verified, currency, amount)
    WHERE status = 'complete' AND auto_verified = 0
    """,
    "CREATE INDEX audit_of_target ON audit (account_id, target, id)",
)
