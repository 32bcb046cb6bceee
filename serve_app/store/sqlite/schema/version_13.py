"""What people say about invoices, who is at work on them, and what runs saw."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN review TEXT",
    "ALTER TABLE invoices ADD COLUMN review_status TEXT NOT NULL DEFAULT 'open'",
    "ALTER TABLE invoices ADD COLUMN needs_person INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE invoices ADD COLUMN quality REAL",
    "ALTER TABLE invoices ADD COLUMN evidence_key TEXT",
    "ALTER TABLE invoices ADD COLUMN review_lease TEXT",
    "ALTER TABLE invoices ADD COLUMN assignee TEXT",
    "UPDATE invoices SET needs_person = 1 WHERE status = 'complete' AND auto_verified = 0",
    "UPDATE invoices SET quality = document ->> '$.quality_score' WHERE needs_person = 1",
    "DROP INDEX invoices_to_check",
    # Contains what the list of work is sorted and filtered by, and what its sums are made of.
    """
    CREATE INDEX invoices_to_check ON invoices
        (account_id, id, due_at, amount, vendor_folded, quality, assignee, currency)
    WHERE needs_person = 1
    """,
    "CREATE INDEX invoices_reviewed ON invoices (account_id, id) WHERE review_status != 'open'",
)
