"""What a vendor bills, by month and currency, from an index alone."""

STATEMENTS = (
    "DROP INDEX invoices_of_vendor",
    """
    CREATE INDEX invoices_of_vendor ON invoices (account_id, vendor_key, seen_on, currency, billed, duplicate_of)
    WHERE vendor_key IS NOT NULL
    """,
)
