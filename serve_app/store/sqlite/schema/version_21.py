"""The place of a document in its trace, so that a trace goes on wherever the work does."""

STATEMENTS = (
    "ALTER TABLE invoices ADD COLUMN trace TEXT",
    "ALTER TABLE deliveries ADD COLUMN trace TEXT",
)
