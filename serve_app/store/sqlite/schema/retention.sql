-- What is removed, and how long things are kept.

-- Deletions that can still be undone.
CREATE TABLE deletions (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    invoices TEXT NOT NULL,
    actor TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    is_begun INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deletions_of_account ON deletions (account_id, id);
CREATE INDEX deletions_due ON deletions (due_at);

CREATE TABLE erased_ids (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    erased_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX erased_ids_by_age ON erased_ids (erased_at);

CREATE TABLE retention_rules (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    values_days INTEGER,
    events_days INTEGER,
    documents_days INTEGER,
    -- The documents of all invoices up to this one are removed.
    documents_gone_until TEXT,
    -- Whose law says how long invoices are kept at least.
    country TEXT
) STRICT;

-- What was removed; receipts stay when the account is gone.
CREATE TABLE receipts (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    why TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    done_at INTEGER,
    before INTEGER,
    erased TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_of_account ON receipts (account_id, id);
