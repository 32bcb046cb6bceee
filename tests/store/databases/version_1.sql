-- A database of schema version 1, made by the program of commit 605b914, without rows.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    plan TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_of_account ON api_keys (account_id, id);
CREATE TABLE quotas (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    month INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE rate_windows (
    key_id TEXT PRIMARY KEY,
    window INTEGER NOT NULL,
    requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    document TEXT NOT NULL,
    duplicate_key TEXT,
    duplicate_of TEXT,
    file_key TEXT NOT NULL,
    next_run_at INTEGER,
    attempt INTEGER NOT NULL DEFAULT 0,
    lost_claims INTEGER NOT NULL DEFAULT 0,
    releases INTEGER NOT NULL DEFAULT 0,
    outbox TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX invoices_due ON invoices (next_run_at, id) WHERE next_run_at IS NOT NULL;
CREATE INDEX invoices_processing ON invoices (next_run_at) WHERE status = 'processing';
CREATE INDEX invoices_twins ON invoices (account_id, duplicate_key, id) WHERE duplicate_key IS NOT NULL;
CREATE INDEX invoices_with_outbox ON invoices (id) WHERE outbox != '[]';
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    payload TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_account ON events (account_id, id);
PRAGMA user_version = 1;
