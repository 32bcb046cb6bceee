-- Files for other bookkeeping programs, and the invoices in them.

CREATE TABLE exports (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    format TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    file_name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    -- JSON.
    settings TEXT NOT NULL,
    notes TEXT NOT NULL,
    has_file INTEGER NOT NULL,
    -- The compressed file; NULL once one of its invoices was deleted.
    content BLOB
) STRICT;
CREATE INDEX exports_of_account ON exports (account_id, id);

CREATE TABLE exported_invoices (
    export_id TEXT NOT NULL,
    -- The order in the file.
    place INTEGER NOT NULL,
    invoice_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (export_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX exported_invoices_of_invoice ON exported_invoices (invoice_id);
CREATE INDEX exported_invoices_of_account ON exported_invoices (account_id);
