"""When a person decided on an invoice."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN reviewed_at INTEGER",
    "DROP INDEX invoices_reviewed",
    "CREATE INDEX invoices_reviewed ON invoices (account_id, reviewed_at) WHERE reviewed_at IS NOT NULL",
)
