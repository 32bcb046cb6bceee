-- Fields that accounts add.

CREATE TABLE own_fields (
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

-- Which invoices have a value: the same as `custom_terms` of the invoices. Triggers keep it, so no write can forget it.
CREATE TABLE custom_invoices (
    account_id TEXT NOT NULL,
    term TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    PRIMARY KEY (account_id, term, invoice_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX custom_invoices_of_invoice ON custom_invoices (invoice_id);

CREATE TRIGGER custom_invoices_added AFTER INSERT ON invoices WHEN new.custom_terms IS NOT NULL BEGIN
    INSERT INTO custom_invoices SELECT new.account_id, value, new.id FROM json_each(new.custom_terms);
END;

CREATE TRIGGER custom_invoices_changed AFTER UPDATE OF custom_terms ON invoices
WHEN new.custom_terms IS NOT old.custom_terms
BEGIN
    DELETE FROM custom_invoices WHERE invoice_id = old.id;
    INSERT INTO custom_invoices SELECT new.account_id, value, new.id FROM json_each(new.custom_terms)
        WHERE new.custom_terms IS NOT NULL;
END;

CREATE TRIGGER custom_invoices_removed AFTER DELETE ON invoices WHEN old.custom_terms IS NOT NULL BEGIN
    DELETE FROM custom_invoices WHERE invoice_id = old.id;
END;
