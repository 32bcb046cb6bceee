"""Parts of vendors' names and of invoice numbers are found by an index of all their trigrams.

Triggers keep it, so no write of an invoice can forget it. The text stands in `invoices` alone: the index has no copy.
"""

_TEXT = "ifnull({0}.vendor_folded, '') || char(31) || ifnull({0}.invoice_number, '')"
_HAS_TEXT = "({0}.vendor_folded IS NOT NULL OR {0}.invoice_number IS NOT NULL)"
_NEW_TEXT, _NEW_HAS_TEXT = _TEXT.format("new"), _HAS_TEXT.format("new")
_ADD = f"""
    INSERT INTO invoice_text_rows (id) SELECT new.id WHERE {_NEW_HAS_TEXT};
    INSERT INTO invoice_texts (rowid, text)
        SELECT number, {_NEW_TEXT} FROM invoice_text_rows WHERE id = new.id;
"""  # noqa: S608 - of constants
_REMOVE = """
    DELETE FROM invoice_texts WHERE rowid = (SELECT number FROM invoice_text_rows WHERE id = old.id);
    DELETE FROM invoice_text_rows WHERE id = old.id;
"""

STATEMENTS = (
    # The index counts in whole numbers. Those of `invoices` itself may change when the file is rewritten.
    "CREATE TABLE invoice_text_rows (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
    """
    CREATE VIRTUAL TABLE invoice_texts
        USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = 'none')
    """,
    f"CREATE TRIGGER invoice_text_added AFTER INSERT ON invoices BEGIN {_ADD} END",
    f"""
    CREATE TRIGGER invoice_text_changed AFTER UPDATE OF vendor_folded, invoice_number ON invoices
    WHEN new.vendor_folded IS NOT old.vendor_folded OR new.invoice_number IS NOT old.invoice_number
    BEGIN {_REMOVE} {_ADD} END
    """,
    f"CREATE TRIGGER invoice_text_removed AFTER DELETE ON invoices BEGIN {_REMOVE} END",
    f"INSERT INTO invoice_text_rows (id) SELECT id FROM invoices WHERE {_HAS_TEXT.format('invoices')}",  # noqa: S608
    f"""
    INSERT INTO invoice_texts (rowid, text)
        SELECT number, {_TEXT.format("invoices")} FROM invoice_text_rows JOIN invoices USING (id)
    """,  # noqa: S608
    # What many invoices may match is looked for in the list itself: the number belongs to its columns, too.
    "DROP INDEX invoices_listed",
    """
    CREATE INDEX invoices_listed ON invoices
        (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid, currency, issued_at,
         duplicate_of, invoice_number)
    """,
)
