-- Mails that come in: private addresses, the mails, the files that they brought, and the service's own answers.

CREATE TABLE mail_addresses (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    local TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    ends_at INTEGER,
    revision INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_addresses_of_account ON mail_addresses (account_id, id);

CREATE TABLE mails (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    address_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL,
    held_for TEXT,
    received_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    due_at INTEGER,
    care_at INTEGER,
    revision INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    document TEXT NOT NULL,
    -- What they are found by.
    problems INTEGER NOT NULL DEFAULT 0,
    words TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX mails_fingerprint ON mails (address_id, fingerprint);
CREATE INDEX mails_of_day ON mails (address_id, received_at, size);
CREATE INDEX mails_due ON mails (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX mails_care ON mails (care_at, id) WHERE care_at IS NOT NULL;
CREATE INDEX mails_listed ON mails (account_id, id, state, held_for, address_id);
CREATE INDEX mails_held ON mails (account_id, id) WHERE held_for IS NOT NULL;
CREATE INDEX mails_with_problems ON mails (account_id, id) WHERE problems > 0;
CREATE INDEX mails_turns ON mails (account_id, due_at, id) WHERE due_at IS NOT NULL;

-- What deleting an invoice finds its mails by.
CREATE TABLE mail_invoices (
    invoice_id TEXT NOT NULL,
    mail_id TEXT NOT NULL,
    PRIMARY KEY (invoice_id, mail_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_invoices_of_mail ON mail_invoices (mail_id);

CREATE TABLE mail_documents (
    account_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    mail_id TEXT NOT NULL,
    path TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_documents_of_invoice ON mail_documents (account_id, invoice_id);
CREATE INDEX mail_documents_of_mail ON mail_documents (mail_id);
CREATE INDEX mail_documents_age ON mail_documents (received_at);

-- Pictures that come again and again are logos.
CREATE TABLE mail_pictures (
    account_id TEXT NOT NULL,
    sender TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    mail_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, sender, sha256, mail_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_pictures_age ON mail_pictures (at);

CREATE TABLE automatic_mails (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX automatic_mails_counted ON automatic_mails (account_id, key, at);
CREATE INDEX automatic_mails_age ON automatic_mails (at);

-- How far mailboxes have been read.
CREATE TABLE mailboxes (
    name TEXT PRIMARY KEY,
    validity INTEGER NOT NULL,
    uid INTEGER NOT NULL,
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
