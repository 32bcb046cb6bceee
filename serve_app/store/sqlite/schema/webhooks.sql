-- Events, and their way to webhook endpoints.

CREATE TABLE events (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    payload TEXT NOT NULL,
    invoice_id TEXT NOT NULL DEFAULT '',
    is_test INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX events_of_invoice ON events (invoice_id);
CREATE INDEX events_listed ON events (account_id, id, type, created_at);
-- Events of deleted invoices, which are kept for a while only.
CREATE INDEX events_of_deletions ON events (created_at) WHERE type = 'invoice.deleted';

CREATE TABLE endpoints (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    secrets TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    paused_reason TEXT,
    failing_since INTEGER,
    revision INTEGER NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    is_owner_untold INTEGER NOT NULL DEFAULT 0,
    is_slow INTEGER NOT NULL DEFAULT 0,
    -- The lane: when it may be claimed (NULL: nothing waits), whether it is held, and how often it was claimed.
    due_at INTEGER,
    is_held INTEGER NOT NULL DEFAULT 0,
    lane INTEGER NOT NULL DEFAULT 0,
    -- JSON of private keys, which sign beside the secrets.
    signing_keys TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX endpoints_of_account ON endpoints (account_id, id);
CREATE INDEX endpoints_due ON endpoints (is_slow, due_at, id) WHERE paused_reason IS NULL AND due_at IS NOT NULL;
CREATE INDEX endpoints_by_url ON endpoints (account_id, url);
CREATE INDEX endpoints_untold ON endpoints (id) WHERE is_owner_untold;

CREATE TABLE endpoint_hours (
    endpoint_id TEXT NOT NULL,
    hour INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    arrived INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, hour, bucket)
) STRICT, WITHOUT ROWID;
CREATE INDEX endpoint_hours_age ON endpoint_hours (hour);

CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    endpoint_id TEXT NOT NULL REFERENCES endpoints (id),
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    next_attempt_at INTEGER,
    claims INTEGER NOT NULL DEFAULT 0,
    step INTEGER NOT NULL DEFAULT 0,
    attempts TEXT NOT NULL DEFAULT '[]',
    abandoned_reason TEXT,
    trace TEXT,
    UNIQUE (event_id, endpoint_id)
) STRICT;
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, state, id);
CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_listed ON deliveries (account_id, id, endpoint_id, event_id, state, created_at);
