-- People: their places in accounts, how they sign in, and what they did.

CREATE TABLE people (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    is_operator INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    oidc_issuer TEXT,
    oidc_subject TEXT
) STRICT;
CREATE INDEX people_operators ON people (id) WHERE is_operator;
CREATE UNIQUE INDEX people_by_identity ON people (oidc_issuer, oidc_subject) WHERE oidc_issuer IS NOT NULL;

CREATE TABLE memberships (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    person_id TEXT NOT NULL REFERENCES people (id),
    role TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_of_person ON memberships (person_id);

CREATE TABLE sessions (
    id TEXT NOT NULL,
    hash TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    account_id TEXT,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    authenticated_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    user_agent TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_of_person ON sessions (person_id);
CREATE INDEX sessions_of_account ON sessions (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE sign_in_links (
    hash TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_links_of_person ON sign_in_links (person_id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

CREATE TABLE mail_sign_ins (
    browser_hash TEXT PRIMARY KEY,
    link_hash TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    person_id TEXT REFERENCES people (id),
    tries INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_sign_ins_of_person ON mail_sign_ins (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX mail_sign_ins_by_end ON mail_sign_ins (expires_at);

CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    account_id TEXT,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    details TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_listed ON audit (account_id, id);
CREATE INDEX audit_of_target ON audit (account_id, target, id);
