-- What people teach, say and save.

CREATE TABLE lesson_keys (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    PRIMARY KEY (account_id, key, invoice_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lesson_keys_of_invoice ON lesson_keys (invoice_id);

CREATE TABLE thresholds (
    account_id TEXT NOT NULL,
    field TEXT NOT NULL,
    step INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (account_id, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE comments (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    person_id TEXT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    mentions TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX comments_of_invoice ON comments (invoice_id, id);
CREATE INDEX comments_of_account ON comments (account_id);

CREATE TABLE comment_mentions (
    account_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    comment_id TEXT NOT NULL,
    PRIMARY KEY (account_id, person_id, comment_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_of_comment ON comment_mentions (comment_id);

CREATE TABLE saved_views (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_views_of_person ON saved_views (account_id, person_id);

-- What invoices of an account are booked on: JSON of its dimensions and rules.
CREATE TABLE charts (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    revision INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;
