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
    content BLOB,
    -- JSON: the place it is delivered to, and how that went.
    delivery TEXT,
    -- When that is tried next.
    due_at INTEGER
) STRICT;
CREATE INDEX exports_of_account ON exports (account_id, id);
CREATE INDEX exports_due ON exports (due_at) WHERE due_at IS NOT NULL;

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

-- Exports that the service makes by itself.
CREATE TABLE export_schedules (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    format TEXT NOT NULL,
    -- JSON.
    settings TEXT NOT NULL,
    cadence TEXT NOT NULL,
    hour INTEGER NOT NULL,
    place TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    -- NULL: it is paused.
    due_at INTEGER,
    ran_at INTEGER,
    problem TEXT NOT NULL
) STRICT;
CREATE INDEX export_schedules_of_account ON export_schedules (account_id, id);
CREATE INDEX export_schedules_due ON export_schedules (due_at) WHERE due_at IS NOT NULL;

-- What bills are booked with by the API of another program.
CREATE TABLE ledger_connections (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    ledger TEXT NOT NULL,
    -- JSON.
    settings TEXT NOT NULL,
    -- Encrypted JSON.
    sealed TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, ledger)
) STRICT, WITHOUT ROWID;
