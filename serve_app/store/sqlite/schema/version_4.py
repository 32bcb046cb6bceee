"""More filters of invoice lists than in version 2: each filter has an index, in the order of the list."""

STATEMENTS = (
    # The same texts as in `document`.
    "ALTER TABLE invoices ADD COLUMN invoice_number TEXT",
    "ALTER TABLE invoices ADD COLUMN currency TEXT",
    "ALTER TABLE invoices ADD COLUMN issued_at TEXT",
    """
    UPDATE invoices SET invoice_number = document ->> '$.invoice_number', currency = document ->> '$.currency',
        issued_at = document ->> '$.issued_at'
    """,
    "DROP INDEX invoices_listed",
    # Contains every column that many invoices may share: rows that do not match are skipped without being read.
    """
    CREATE INDEX invoices_listed ON invoices
        (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid, currency, issued_at,
         duplicate_of)
    """,
    "CREATE INDEX invoices_by_vendor ON invoices (account_id, vendor_id, id) WHERE vendor_id IS NOT NULL",
    "CREATE INDEX invoices_by_number ON invoices (account_id, invoice_number, id) WHERE invoice_number IS NOT NULL",
    "CREATE INDEX invoices_by_currency ON invoices (account_id, currency, id) WHERE currency IS NOT NULL",
    "CREATE INDEX invoices_by_tag ON invoices (account_id, entity_tag, id) WHERE entity_tag IS NOT NULL",
    "CREATE INDEX invoices_by_approval ON invoices (account_id, approval_status, id) WHERE approval_status IS NOT NULL",
    "CREATE INDEX invoices_by_issue_date ON invoices (account_id, issued_at, id) WHERE issued_at IS NOT NULL",
    "CREATE INDEX invoices_repeated ON invoices (account_id, id, duplicate_of) WHERE duplicate_of IS NOT NULL",
)
