"""Who has put off deciding on an invoice, and when; the invoices that nobody had to look at."""

STATEMENTS = (
    # By person, in microseconds.
    "ALTER TABLE invoices ADD COLUMN put_off TEXT",
    "CREATE INDEX invoices_put_off ON invoices (account_id, id) WHERE needs_person = 1 AND put_off IS NOT NULL",
    """
    CREATE INDEX invoices_unseen ON invoices (account_id, id)
    WHERE status = 'complete' AND needs_person = 0 AND review_status = 'open'
    """,
)
