-- Parts of vendors' names and of invoice numbers are found by an index of all their trigrams. Triggers keep it, so no
-- write of an invoice can forget it. The text stands in `invoices` alone: the index has no copy.

-- The index counts in whole numbers. Those of `invoices` itself may change when the file is rewritten.
CREATE TABLE invoice_text_rows (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE
);

CREATE VIRTUAL TABLE invoice_texts
    USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = 'none');

CREATE TRIGGER invoice_text_added AFTER INSERT ON invoices BEGIN
    INSERT INTO invoice_text_rows (id)
        SELECT new.id WHERE new.vendor_folded IS NOT NULL OR new.invoice_number IS NOT NULL;
    INSERT INTO invoice_texts (rowid, text)
        SELECT number, ifnull(new.vendor_folded, '') || char(31) || ifnull(new.invoice_number, '')
        FROM invoice_text_rows WHERE id = new.id;
END;

CREATE TRIGGER invoice_text_changed AFTER UPDATE OF vendor_folded, invoice_number ON invoices
WHEN new.vendor_folded IS NOT old.vendor_folded OR new.invoice_number IS NOT old.invoice_number
BEGIN
    DELETE FROM invoice_texts WHERE rowid = (SELECT number FROM invoice_text_rows WHERE id = old.id);
    DELETE FROM invoice_text_rows WHERE id = old.id;
    INSERT INTO invoice_text_rows (id)
        SELECT new.id WHERE new.vendor_folded IS NOT NULL OR new.invoice_number IS NOT NULL;
    INSERT INTO invoice_texts (rowid, text)
        SELECT number, ifnull(new.vendor_folded, '') || char(31) || ifnull(new.invoice_number, '')
        FROM invoice_text_rows WHERE id = new.id;
END;

CREATE TRIGGER invoice_text_removed AFTER DELETE ON invoices BEGIN
    DELETE FROM invoice_texts WHERE rowid = (SELECT number FROM invoice_text_rows WHERE id = old.id);
    DELETE FROM invoice_text_rows WHERE id = old.id;
END;
