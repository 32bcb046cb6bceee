"""Indexes of what was sent by people, and of what is not paid."""

STATEMENTS = (
    # Most invoices come by the API: those of the other ways are few beside them.
    "CREATE INDEX invoices_from_app ON invoices (account_id, id) WHERE source = 'app'",
    "CREATE INDEX invoices_from_email ON invoices (account_id, id) WHERE source = 'email'",
    """
    CREATE INDEX invoices_unpaid ON invoices (account_id, id, status, paid, due_at, currency, amount)
    WHERE status = 'complete' AND paid = 0
    """,
)
