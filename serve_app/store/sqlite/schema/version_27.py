"""Events that are archived, and documents that are removed before the values."""

STATEMENTS = (
    "ALTER TABLE retention_rules ADD COLUMN events_days INTEGER",
    "ALTER TABLE retention_rules ADD COLUMN documents_days INTEGER",
    # Of all invoices up to this one the documents are removed, if they were to be.
    "ALTER TABLE retention_rules ADD COLUMN documents_gone_until TEXT",
    "ALTER TABLE invoices ADD COLUMN document_gone_at INTEGER",
)
