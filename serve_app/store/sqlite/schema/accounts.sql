-- Accounts, their plans, keys and limits, and the calls of their keys.

-- Plans of operators: those of the contract have no row.
CREATE TABLE plans (
    name TEXT PRIMARY KEY,
    limits TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    plan TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    email TEXT,
    target_precision REAL,
    -- JSON of the limits that are the account's own.
    limits TEXT,
    suspended_at INTEGER,
    -- JSON of the tolerances for purchase orders; NULL for those of everybody.
    order_rules TEXT
) STRICT;

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    last_used_on TEXT
) STRICT;
CREATE INDEX api_keys_of_account ON api_keys (account_id, id);

-- Keys of the deployment, for the API of operators.
CREATE TABLE operator_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE quotas (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    month INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- What reading took: sums that deleting invoices does not change.
CREATE TABLE usage_months (
    account_id TEXT NOT NULL,
    month INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    ocr_pages INTEGER NOT NULL,
    cpu_ms INTEGER NOT NULL,
    gpu_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- One row per key, not one per window: nothing to clean up.
CREATE TABLE rate_windows (
    key_id TEXT PRIMARY KEY,
    window INTEGER NOT NULL,
    requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rate_windows_by_age ON rate_windows (window);

CREATE TABLE idempotency (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    held_since INTEGER NOT NULL,
    status INTEGER,
    body TEXT,
    -- Of what was asked for, if it was a change of an invoice.
    fingerprint TEXT,
    PRIMARY KEY (account_id, key)
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX idempotency_of_invoice ON idempotency (invoice_id);

CREATE TABLE approval_mails (
    account_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    mails INTEGER NOT NULL,
    PRIMARY KEY (account_id, day, recipient)
) STRICT, WITHOUT ROWID;
CREATE INDEX approval_mails_by_age ON approval_mails (day);

-- A ring for each account: a slot is written again later, so that nothing has to be trimmed.
CREATE TABLE calls (
    account_id TEXT NOT NULL,
    slot INTEGER NOT NULL,
    id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT,
    milliseconds INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    PRIMARY KEY (account_id, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_listed ON calls (account_id, id, status, key_id, request_id);
CREATE INDEX calls_by_age ON calls (at);

CREATE TABLE call_counts (
    account_id TEXT PRIMARY KEY,
    calls INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
