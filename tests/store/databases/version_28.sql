-- A database of schema version 28, made by the program of commit 7876ee4.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    plan TEXT NOT NULL,
    created_at INTEGER NOT NULL
, email TEXT) STRICT;
CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
, last_used_on TEXT) STRICT;
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
, turn INTEGER, runs INTEGER NOT NULL DEFAULT 1, details TEXT NOT NULL DEFAULT '{}', paid INTEGER NOT NULL DEFAULT 0, paid_at INTEGER, entity_tag TEXT, approval_status TEXT, approval_email TEXT, approval_token TEXT, vendor_folded TEXT, amount REAL, due_at TEXT, vendor_id TEXT, vendor_key TEXT, billed TEXT, seen_on TEXT, invoice_number TEXT, currency TEXT, issued_at TEXT, auto_verified INTEGER NOT NULL DEFAULT 0, approval_asked_at INTEGER, approval_answered_at INTEGER, review TEXT, review_status TEXT NOT NULL DEFAULT 'open', needs_person INTEGER NOT NULL DEFAULT 0, quality REAL, evidence_key TEXT, review_lease TEXT, assignee TEXT, reviewed_at INTEGER, lesson TEXT, drawn REAL, kind TEXT NOT NULL DEFAULT 'text', expected_pages INTEGER NOT NULL DEFAULT 1, queued_at INTEGER, sha256 TEXT, stage TEXT, level TEXT, models TEXT, trace TEXT, put_off TEXT, pair TEXT, document_gone_at INTEGER) STRICT;
CREATE INDEX invoices_processing ON invoices (next_run_at) WHERE status = 'processing';
CREATE INDEX invoices_twins ON invoices (account_id, duplicate_key, id) WHERE duplicate_key IS NOT NULL;
CREATE INDEX invoices_with_outbox ON invoices (id) WHERE outbox != '[]';
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    payload TEXT NOT NULL
, invoice_id TEXT NOT NULL DEFAULT '', is_test INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX invoices_turns ON invoices (turn, id, next_run_at) WHERE status = 'queued' AND turn IS NOT NULL;
CREATE INDEX invoices_delayed ON invoices (next_run_at) WHERE status = 'queued' AND turn IS NOT NULL;
CREATE INDEX invoices_seated ON invoices (account_id) WHERE turn IS NOT NULL;
CREATE INDEX invoices_waiting ON invoices (account_id, id) WHERE status = 'queued' AND turn IS NULL;
CREATE INDEX invoices_by_status ON invoices (account_id, status, id);
CREATE INDEX invoices_of_file ON invoices (file_key);
CREATE TABLE vendors (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    website TEXT,
    email TEXT,
    phone TEXT,
    invoice_count INTEGER NOT NULL DEFAULT 0,
    total TEXT NOT NULL DEFAULT '0',
    spend REAL NOT NULL DEFAULT 0,
    last_seen TEXT, name_folded TEXT NOT NULL DEFAULT '',
    UNIQUE (account_id, key)
) STRICT;
CREATE TABLE reservations (
    invoice_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    file_key TEXT NOT NULL,
    month INTEGER,
    run INTEGER NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reservations_by_age ON reservations (made_at);
CREATE INDEX events_of_invoice ON events (invoice_id);
CREATE INDEX events_listed ON events (account_id, id, type, created_at);
CREATE TABLE endpoints (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    secrets TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    paused_reason TEXT,
    failing_since INTEGER,
    revision INTEGER NOT NULL
, description TEXT NOT NULL DEFAULT '', is_owner_untold INTEGER NOT NULL DEFAULT 0, is_slow INTEGER NOT NULL DEFAULT 0, due_at INTEGER, is_held INTEGER NOT NULL DEFAULT 0, lane INTEGER NOT NULL DEFAULT 0, signing_keys TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE INDEX endpoints_of_account ON endpoints (account_id, id);
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
    abandoned_reason TEXT, trace TEXT,
    UNIQUE (event_id, endpoint_id)
) STRICT;
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, state, id);
CREATE TABLE idempotency (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    held_since INTEGER NOT NULL,
    status INTEGER,
    body TEXT,
    PRIMARY KEY (account_id, key)
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX rate_windows_by_age ON rate_windows (window);
CREATE INDEX endpoints_due ON endpoints (is_slow, due_at, id) WHERE paused_reason IS NULL AND due_at IS NOT NULL;
CREATE INDEX endpoints_by_url ON endpoints (account_id, url);
CREATE INDEX endpoints_untold ON endpoints (id) WHERE is_owner_untold;
CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_listed ON deliveries (account_id, id, endpoint_id, event_id, state, created_at);
CREATE INDEX invoices_by_vendor ON invoices (account_id, vendor_id, id) WHERE vendor_id IS NOT NULL;
CREATE INDEX invoices_by_number ON invoices (account_id, invoice_number, id) WHERE invoice_number IS NOT NULL;
CREATE INDEX invoices_by_currency ON invoices (account_id, currency, id) WHERE currency IS NOT NULL;
CREATE INDEX invoices_by_tag ON invoices (account_id, entity_tag, id) WHERE entity_tag IS NOT NULL;
CREATE INDEX invoices_by_approval ON invoices (account_id, approval_status, id) WHERE approval_status IS NOT NULL;
CREATE INDEX invoices_by_issue_date ON invoices (account_id, issued_at, id) WHERE issued_at IS NOT NULL;
CREATE INDEX invoices_repeated ON invoices (account_id, id, duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE TABLE approval_mails (
    account_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    mails INTEGER NOT NULL,
    PRIMARY KEY (account_id, day, recipient)
) STRICT, WITHOUT ROWID;
CREATE INDEX approval_mails_by_age ON approval_mails (day);
CREATE TABLE erased_ids (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    erased_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX erased_ids_by_age ON erased_ids (erased_at);
CREATE INDEX idempotency_of_invoice ON idempotency (invoice_id);
CREATE TABLE people (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    is_operator INTEGER NOT NULL,
    created_at INTEGER NOT NULL
, oidc_issuer TEXT, oidc_subject TEXT) STRICT;
CREATE INDEX people_operators ON people (id) WHERE is_operator;
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
CREATE TABLE call_counts (account_id TEXT PRIMARY KEY, calls INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX invoices_from_app ON invoices (account_id, id) WHERE source = 'app';
CREATE INDEX invoices_from_email ON invoices (account_id, id) WHERE source = 'email';
CREATE INDEX invoices_unpaid ON invoices (account_id, id, status, paid, due_at, currency, amount)
WHERE status = 'complete' AND paid = 0;
CREATE INDEX invoices_of_vendor ON invoices (account_id, vendor_key, seen_on, currency, billed, duplicate_of)
WHERE vendor_key IS NOT NULL;
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
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX mails_fingerprint ON mails (address_id, fingerprint);
CREATE INDEX mails_of_day ON mails (address_id, received_at, size);
CREATE INDEX mails_due ON mails (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX mails_care ON mails (care_at, id) WHERE care_at IS NOT NULL;
CREATE INDEX mails_listed ON mails (account_id, id, state, held_for, address_id);
CREATE INDEX mails_held ON mails (account_id, id) WHERE held_for IS NOT NULL;
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
CREATE TABLE automatic_mails (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX automatic_mails_counted ON automatic_mails (account_id, key, at);
CREATE INDEX automatic_mails_age ON automatic_mails (at);
CREATE TABLE invoice_text_rows (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE VIRTUAL TABLE invoice_texts
    USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = 'none');
CREATE INDEX invoices_to_check ON invoices
    (account_id, id, due_at, amount, vendor_folded, quality, assignee, currency)
WHERE needs_person = 1;
CREATE INDEX invoices_reviewed ON invoices (account_id, reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE TABLE mailboxes (
    name TEXT PRIMARY KEY,
    validity INTEGER NOT NULL,
    uid INTEGER NOT NULL,
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE INDEX invoices_queued ON invoices (queued_at) WHERE status = 'queued';
CREATE TABLE backlog (
    account_id TEXT NOT NULL,
    status TEXT NOT NULL,
    kind TEXT NOT NULL,
    documents INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    PRIMARY KEY (account_id, status, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE paces (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    costs TEXT NOT NULL,
    speed REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX invoices_of_sha256 ON invoices (account_id, sha256, created_at) WHERE sha256 IS NOT NULL;
CREATE TABLE mail_pictures (
    account_id TEXT NOT NULL,
    sender TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    mail_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, sender, sha256, mail_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_pictures_age ON mail_pictures (at);
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
CREATE TABLE endpoint_hours (
    endpoint_id TEXT NOT NULL,
    hour INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    arrived INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, hour, bucket)
) STRICT, WITHOUT ROWID;
CREATE INDEX endpoint_hours_age ON endpoint_hours (hour);
CREATE INDEX vendors_by_spend ON vendors (account_id, spend DESC, id, name_folded) WHERE invoice_count > 0;
CREATE INDEX invoices_by_level ON invoices (account_id, level, id) WHERE level IS NOT NULL;
CREATE INDEX invoices_by_models ON invoices (account_id, models, id) WHERE models IS NOT NULL;
CREATE INDEX invoices_in_order_of_amount ON invoices (account_id, amount, id);
CREATE INDEX invoices_in_order_of_due_date ON invoices (account_id, due_at, id);
CREATE INDEX invoices_in_order_of_issue_date ON invoices (account_id, issued_at, id);
CREATE INDEX invoices_in_order_of_vendor ON invoices (account_id, vendor_folded, id);
CREATE INDEX invoices_listed ON invoices
    (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid, currency, issued_at,
     duplicate_of, invoice_number, level);
CREATE UNIQUE INDEX people_by_identity ON people (oidc_issuer, oidc_subject) WHERE oidc_issuer IS NOT NULL;
CREATE INDEX invoices_put_off ON invoices (account_id, id) WHERE needs_person = 1 AND put_off IS NOT NULL;
CREATE INDEX invoices_unseen ON invoices (account_id, id)
WHERE status = 'complete' AND needs_person = 0 AND review_status = 'open';
CREATE TABLE retention_rules (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    values_days INTEGER
, events_days INTEGER, documents_days INTEGER, documents_gone_until TEXT) STRICT;
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
CREATE TABLE pins (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    pair TEXT NOT NULL,
    last_day TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;
CREATE TABLE comparisons (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    candidate TEXT NOT NULL,
    at INTEGER NOT NULL,
    is_answer INTEGER NOT NULL,
    canary_id TEXT,
    agreement INTEGER,
    high INTEGER,
    sums INTEGER,
    differences TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX comparisons_by_age ON comparisons (at);
CREATE INDEX comparisons_of_account ON comparisons (account_id);
CREATE INDEX comparisons_of_candidate ON comparisons (candidate, at);
CREATE INDEX comparisons_of_canary ON comparisons (canary_id, at, agreement, high, sums)
    WHERE canary_id IS NOT NULL;
CREATE TABLE canaries (
    id TEXT PRIMARY KEY,
    pair TEXT NOT NULL,
    share REAL NOT NULL,
    started_at INTEGER NOT NULL,
    stepped_at INTEGER NOT NULL,
    accounts TEXT,
    steps_itself INTEGER NOT NULL,
    state TEXT NOT NULL,
    ended_at INTEGER,
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE canary_runs (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    canary_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    arm TEXT NOT NULL,
    failed INTEGER NOT NULL,
    seconds REAL NOT NULL,
    decided_at INTEGER,
    corrected INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX canary_runs_by_age ON canary_runs (at);
CREATE INDEX canary_runs_of_account ON canary_runs (account_id);
CREATE INDEX canary_runs_of_canary ON canary_runs (canary_id, at);
CREATE TABLE schema_info (oldest INTEGER NOT NULL) STRICT;
INSERT INTO accounts VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'free', 1779019207123456, NULL);
INSERT INTO quotas VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 1777593600000000, 8);
INSERT INTO invoices VALUES ('01a22267-ce89-7e36-8352-7a775cc2ce27', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'complete', 'api', 1779019207123456, 1779019267123456, '{"vendor_name": "Café Αθήνα", "invoice_number": "A-1", "amount": "100.10", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "rejected", "by": "Ann", "at": "2026-05-17 12:00:07.123456+00:00", "reason": "Not ours", "fields": []}}', '["caféαθήνα", "A-1", "100.1"]', NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-ce89-7e36-8352-7a775cc2ce27', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'cafe αθηνα', 100.1, '2026-06-01', '01a22267-cf08-751e-b68f-a57e6fd53657', 'caféαθήνα', '100.10', '2026-05-01', 'A-1', 'EUR', '2026-05-01', 0, NULL, NULL, '{"revision":1,"verdict":{"status":"rejected","by":"Ann","at":"2026-05-17T12:00:07.123456Z","reason":"Not ours","seconds":null},"decisions":{},"read":{},"steps":[{"before":{},"after":{},"verdict_before":{"status":"open","by":null,"at":null,"reason":null,"seconds":null},"verdict_after":{"status":"rejected","by":"Ann","at":"2026-05-17T12:00:07.123456Z","reason":"Not ours","seconds":null}}],"done":1}', 'rejected', 0, 0.5, 'evidence/01a22267-ce89-7e36-8352-7a775cc2ce27', NULL, NULL, 1779019207123456, NULL, NULL, 'text', 1, 1779019207123456, NULL, 'reading', 'mid', 'layout verifier', NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-cf3b-75d3-b554-75559324cba4', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Café Αθήνα", "invoice_number": "A-1", "amount": "100.10", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": []}}', '["caféαθήνα", "A-1", "100.1"]', '01a22267-ce89-7e36-8352-7a775cc2ce27', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-cf3b-75d3-b554-75559324cba4', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'cafe αθηνα', 100.1, '2026-06-01', '01a22267-cf08-751e-b68f-a57e6fd53657', 'caféαθήνα', '100.10', '2026-05-01', 'A-1', 'EUR', '2026-05-01', 0, NULL, NULL, NULL, 'open', 1, 0.5, 'evidence/01a22267-cf3b-75d3-b554-75559324cba4', NULL, NULL, NULL, NULL, NULL, 'text', 1, 1779019207123456, NULL, 'reading', 'mid', 'layout verifier', NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-cf6c-7e57-96d4-f874e5f7799d', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'complete', 'api', 1779019207123456, 1779019267123456, '{"vendor_name": "Bolt & Söhne", "invoice_number": "A-2", "amount": "7.00", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": ["amount", "vendor"]}}', '["boltsöhne", "A-2", "7"]', NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-cf6c-7e57-96d4-f874e5f7799d', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'bolt & sohne', 7.0, '2026-06-01', '01a22267-d26c-737c-a023-6a78d3b8ee17', 'boltsöhne', '7.00', '2026-05-01', 'A-2', 'EUR', '2026-05-01', 0, NULL, NULL, '{"revision":1,"verdict":{"status":"open","by":null,"at":null,"reason":null,"seconds":null},"decisions":{"amount":{"value":"7.00","citation":null,"by":"ann@example.com","at":"2026-05-17T12:00:07.123456Z"},"vendor":{"value":"Bolt & Söhne","citation":null,"by":"ann@example.com","at":"2026-05-17T12:00:07.123456Z"}},"read":{"amount":{"value":"0.10","citation":null},"vendor":{"value":"Acme Ltd","citation":null}},"steps":[{"before":{"amount":null,"vendor":null},"after":{"amount":{"value":"7.00","citation":null,"by":"ann@example.com","at":"2026-05-17T12:00:07.123456Z"},"vendor":{"value":"Bolt & Söhne","citation":null,"by":"ann@example.com","at":"2026-05-17T12:00:07.123456Z"}},"verdict_before":{"status":"open","by":null,"at":null,"reason":null,"seconds":null},"verdict_after":{"status":"open","by":null,"at":null,"reason":null,"seconds":null}}],"done":1}', 'open', 1, 0.5, 'evidence/01a22267-cf6c-7e57-96d4-f874e5f7799d', NULL, NULL, NULL, NULL, NULL, 'text', 1, 1779019207123456, NULL, 'reading', 'mid', 'layout verifier', NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-cf8a-7746-af25-b4468b96e89a', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Acme Ltd", "invoice_number": "A-3", "amount": "0.20", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": true, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": []}}', '["acme", "A-3", "0.2"]', NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-cf8a-7746-af25-b4468b96e89a', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'acme ltd', 0.2, '2026-06-01', '01a22267-cf7b-73fe-97bb-658814729545', 'acme', '0.20', '2026-05-01', 'A-3', 'EUR', '2026-05-01', 1, NULL, NULL, NULL, 'open', 0, 0.5, 'evidence/01a22267-cf8a-7746-af25-b4468b96e89a', NULL, NULL, NULL, NULL, NULL, 'text', 1, 1779019207123456, NULL, 'reading', 'mid', 'layout verifier', NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-cfae-7395-9b07-b59b5fda33b0', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'failed', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": null, "invoice_number": null, "amount": null, "currency": null, "issued_at": null, "due_at": null, "tax": null, "line_items": [], "field_confidence": null, "citations": null, "quality_score": null, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": null, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": {"code": "document_unreadable", "message": "broken"}, "metadata": {}, "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": []}}', NULL, NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-cfae-7395-9b07-b59b5fda33b0', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 'open', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'text', 1, 1779019207123456, NULL, 'reading', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-d2a2-7286-a73b-55ed441e5de3', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Acme Ltd", "invoice_number": "A-4", "amount": "100.10", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "confirmed", "by": "Ann", "at": "2026-05-17 12:00:07.123456+00:00", "reason": null, "fields": []}}', '["acme", "A-4", "100.1"]', NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-d2a2-7286-a73b-55ed441e5de3', NULL, 1, 0, 0, '[{"id":"evt_01a22267-d2bb-7919-861b-1921219d677e","type":"invoice.completed","created_at":1779019207123456,"payload":"{\"id\":\"evt_01a22267-d2bb-7919-861b-1921219d677e\",\"type\":\"invoice.completed\",\"created_at\":\"2026-05-17T12:00:07.123456Z\",\"data\":{\"invoice\":{\"vendor_name\":\"Acme Ltd\",\"invoice_number\":\"A-4\",\"amount\":100.1,\"currency\":\"EUR\",\"issued_at\":\"2026-05-01\",\"due_at\":\"2026-06-01\",\"tax\":null,\"line_items\":[],\"field_confidence\":{\"vendor\":\"high\",\"amount\":\"mid\"},\"citations\":null,\"quality_score\":0.5,\"auto_verified\":false,\"pages\":null,\"batch\":null,\"einvoice\":null,\"models\":{\"extractor\":\"layout\",\"verifier\":\"verifier\"},\"document_type\":null,\"document_type_confidence\":null,\"details\":null,\"id\":\"01a22267-d2a2-7286-a73b-55ed441e5de3\",\"object\":\"invoice\",\"status\":\"complete\",\"source\":\"api\",\"created_at\":\"2026-05-17T12:00:07.123456Z\",\"updated_at\":\"2026-05-17T12:00:07.123456Z\",\"file\":{\"name\":\"a.pdf\",\"mime_type\":\"application/pdf\",\"size_bytes\":17},\"failure\":null,\"duplicate_of\":null,\"vendor_id\":\"01a22267-cf7b-73fe-97bb-658814729545\",\"paid\":false,\"paid_at\":null,\"entity_tag\":null,\"approval_status\":null,\"approval_email\":null,\"metadata\":{},\"review\":{\"status\":\"open\",\"by\":null,\"at\":null,\"reason\":null,\"fields\":[]},\"estimated_start_at\":null}}}"}]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'acme ltd', 100.1, '2026-06-01', '01a22267-cf7b-73fe-97bb-658814729545', 'acme', '100.10', '2026-05-01', 'A-4', 'EUR', '2026-05-01', 0, NULL, NULL, '{"revision":1,"verdict":{"status":"confirmed","by":"Ann","at":"2026-05-17T12:00:07.123456Z","reason":null,"seconds":null},"decisions":{},"read":{},"steps":[{"before":{},"after":{},"verdict_before":{"status":"open","by":null,"at":null,"reason":null,"seconds":null},"verdict_after":{"status":"confirmed","by":"Ann","at":"2026-05-17T12:00:07.123456Z","reason":null,"seconds":null}}],"done":1}', 'confirmed', 0, 0.5, 'evidence/01a22267-d2a2-7286-a73b-55ed441e5de3', NULL, NULL, 1779019207123456, '{"keys":["vat:DE1","name:acme"],"name":"Acme","read_name":null,"currency":null,"is_month_first":null,"fields":{"amount":[["total","",0,0,7000,9000],null,""]}}', NULL, 'text', 1, 1779019207123456, NULL, 'reading', 'mid', 'layout verifier', NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-d31e-7160-83d5-eb09fb044c5e', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'processing', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": null, "invoice_number": null, "amount": null, "currency": null, "issued_at": null, "due_at": null, "tax": null, "line_items": [], "field_confidence": null, "citations": null, "quality_score": null, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": null, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": []}}', NULL, NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-d31e-7160-83d5-eb09fb044c5e', 1779019237123456, 1, 0, 0, '[]', 1779019207123456, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 'open', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'text', 1, 1779019207123456, NULL, 'reading', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-d326-7b9a-a9e5-0e71dc4ab9c8', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'queued', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": null, "invoice_number": null, "amount": null, "currency": null, "issued_at": null, "due_at": null, "tax": null, "line_items": [], "field_confidence": null, "citations": null, "quality_score": null, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": null, "document_type": null, "document_type_confidence": null, "details": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null, "metadata": {}, "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": []}}', NULL, NULL, '01a22267-cd4b-7d28-bf1d-b6dc9b515c86/01a22267-d326-7b9a-a9e5-0e71dc4ab9c8', 0, 0, 0, 0, '[]', 1779019212123456, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 'open', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'text', 1, 1779019207123456, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO events VALUES ('evt_01a22267-cf09-7732-9d3e-cea21b9479f4', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-cf09-7732-9d3e-cea21b9479f4","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Café Αθήνα","invoice_number":"A-1","amount":100.1,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"document_type":null,"document_type_confidence":null,"details":null,"id":"01a22267-ce89-7e36-8352-7a775cc2ce27","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":null,"vendor_id":"01a22267-cf08-751e-b68f-a57e6fd53657","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null,"metadata":{},"review":{"status":"open","by":null,"at":null,"reason":null,"fields":[]},"estimated_start_at":null}}}', '01a22267-ce89-7e36-8352-7a775cc2ce27', 0);
INSERT INTO events VALUES ('evt_01a22267-cf60-7dac-95a2-dd1ccea81a95', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-cf60-7dac-95a2-dd1ccea81a95","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Café Αθήνα","invoice_number":"A-1","amount":100.1,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"document_type":null,"document_type_confidence":null,"details":null,"id":"01a22267-cf3b-75d3-b554-75559324cba4","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":"01a22267-ce89-7e36-8352-7a775cc2ce27","vendor_id":"01a22267-cf08-751e-b68f-a57e6fd53657","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null,"metadata":{},"review":{"status":"open","by":null,"at":null,"reason":null,"fields":[]},"estimated_start_at":null}}}', '01a22267-cf3b-75d3-b554-75559324cba4', 0);
INSERT INTO events VALUES ('evt_01a22267-cf7c-7649-84d6-b358ebf862dc', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-cf7c-7649-84d6-b358ebf862dc","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Acme Ltd","invoice_number":"A-2","amount":0.1,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"document_type":null,"document_type_confidence":null,"details":null,"id":"01a22267-cf6c-7e57-96d4-f874e5f7799d","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":null,"vendor_id":"01a22267-cf7b-73fe-97bb-658814729545","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null,"metadata":{},"review":{"status":"open","by":null,"at":null,"reason":null,"fields":[]},"estimated_start_at":null}}}', '01a22267-cf6c-7e57-96d4-f874e5f7799d', 0);
INSERT INTO events VALUES ('evt_01a22267-cfa0-7194-873c-4d6aa86ee591', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-cfa0-7194-873c-4d6aa86ee591","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Acme Ltd","invoice_number":"A-3","amount":0.2,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":true,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"document_type":null,"document_type_confidence":null,"details":null,"id":"01a22267-cf8a-7746-af25-b4468b96e89a","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":null,"vendor_id":"01a22267-cf7b-73fe-97bb-658814729545","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null,"metadata":{},"review":{"status":"open","by":null,"at":null,"reason":null,"fields":[]},"estimated_start_at":null}}}', '01a22267-cf8a-7746-af25-b4468b96e89a', 0);
INSERT INTO events VALUES ('evt_01a22267-cfb9-7169-9f51-0c4a72186976', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'invoice.failed', 1779019207123456, '{"id":"evt_01a22267-cfb9-7169-9f51-0c4a72186976","type":"invoice.failed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":null,"invoice_number":null,"amount":null,"currency":null,"issued_at":null,"due_at":null,"tax":null,"line_items":[],"field_confidence":null,"citations":null,"quality_score":null,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":null,"document_type":null,"document_type_confidence":null,"details":null,"id":"01a22267-cfae-7395-9b07-b59b5fda33b0","object":"invoice","status":"failed","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":{"code":"document_unreadable","message":"broken"},"duplicate_of":null,"vendor_id":null,"paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null,"metadata":{},"review":{"status":"open","by":null,"at":null,"reason":null,"fields":[]},"estimated_start_at":null}}}', '01a22267-cfae-7395-9b07-b59b5fda33b0', 0);
INSERT INTO vendors VALUES ('01a22267-cf08-751e-b68f-a57e6fd53657', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'caféαθήνα', 'Café Αθήνα', NULL, NULL, NULL, 2, '100.10', 100.1, '2026-05-01', 'cafe αθηνα');
INSERT INTO vendors VALUES ('01a22267-cf7b-73fe-97bb-658814729545', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'acme', 'Acme Ltd', NULL, NULL, NULL, 2, '100.30', 100.3, '2026-05-01', 'acme ltd');
INSERT INTO vendors VALUES ('01a22267-d26c-737c-a023-6a78d3b8ee17', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'boltsöhne', 'Bolt & Söhne', NULL, NULL, NULL, 1, '7.00', 7.0, '2026-05-01', 'bolt & sohne');
INSERT INTO endpoints VALUES ('01a22267-ce7b-745f-acaa-aed314ef2941', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'https://example.com/hook', '[]', '[["sealed", null]]', 1779019207123456, NULL, NULL, 0, '', 0, 0, 1779019207123456, 0, 0, '[]');
INSERT INTO deliveries VALUES ('01a22267-cfd0-795a-a927-ed97889147fb', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-ce7b-745f-acaa-aed314ef2941', 'evt_01a22267-cf09-7732-9d3e-cea21b9479f4', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL, NULL);
INSERT INTO deliveries VALUES ('01a22267-cfd1-7699-b143-9525bad0b20c', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-ce7b-745f-acaa-aed314ef2941', 'evt_01a22267-cf60-7dac-95a2-dd1ccea81a95', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL, NULL);
INSERT INTO deliveries VALUES ('01a22267-cfd2-7d41-b193-00ef4f2db155', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-ce7b-745f-acaa-aed314ef2941', 'evt_01a22267-cf7c-7649-84d6-b358ebf862dc', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL, NULL);
INSERT INTO deliveries VALUES ('01a22267-cfd3-707b-ae34-06e889f92d2e', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-ce7b-745f-acaa-aed314ef2941', 'evt_01a22267-cfa0-7194-873c-4d6aa86ee591', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL, NULL);
INSERT INTO deliveries VALUES ('01a22267-cfd4-7c19-aeb2-225f47e68ddc', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-ce7b-745f-acaa-aed314ef2941', 'evt_01a22267-cfb9-7169-9f51-0c4a72186976', 'invoice.failed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL, NULL);
INSERT INTO people VALUES ('01a22267-d1e7-78fd-9e9c-018b6855ecb4', 'ann@example.com', 'ann@example.com', 'Ann', 0, 1779019207123456, NULL, NULL);
INSERT INTO memberships VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-d1e7-78fd-9e9c-018b6855ecb4', 'owner', 1779019207123456);
INSERT INTO sessions VALUES ('01a22267-d252-7b29-91c7-7bcd264c5c25', '170d3d1e5138e1c52ac2f524dd3e8f15fc1d519af8e9083f8d6682de42c96073', '01a22267-d1e7-78fd-9e9c-018b6855ecb4', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 1779019207123456, 1779019207123456, 1779019207123456, 1780228807123456, 'A browser');
INSERT INTO mail_addresses VALUES ('01a22267-d2d4-7cda-8b54-19f5946f6916', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'acme-gs2mjq2v6msde6h6', 1779019207123456, NULL, 0, '{"label": "", "entity_tag": null, "policy": "anyone", "allowed": [], "denied": [], "bodies": "alone", "answering": "failures", "ignored_pictures": []}');
INSERT INTO mails VALUES ('01a22267-d2f7-7157-89f4-9ce8ca4e8e38', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-d2d4-7cda-8b54-19f5946f6916', 'a', 'done', NULL, 1779019207123456, 100, NULL, 1779022807123456, 1, 0, '{"envelope": {"recipient": "acme-gs2mjq2v6msde6h6", "way": "smtp", "sender": "anna@example.com", "peer": "192.0.2.1", "helo": null}, "is_admitted": false, "entity_tag": null, "heading": {"sender": "anna@shop.test", "sender_name": "Anna M\u00fcller", "subject": "Gr\u00f6\u00dfe", "message_id": null, "sent_at": "", "is_automatic": false, "original_sender": null}, "verdict": null, "confirmation": null, "parts": [{"path": "1", "outcome": "unreadable", "reason": "damaged", "name": "\u00dcbersicht.pdf", "mime_type": null, "size": 0, "sha256": null, "invoice_id": null, "is_wanted": false, "links": [], "is_fetched": false, "is_locked": false}, {"path": "2", "outcome": "invoice", "reason": "", "name": "second.pdf", "mime_type": null, "size": 0, "sha256": null, "invoice_id": "01a22267-cfae-7395-9b07-b59b5fda33b0", "is_wanted": false, "links": [], "is_fetched": false, "is_locked": false}], "has_raw": true, "answered_at": null}');
INSERT INTO mails VALUES ('01a22267-d30d-7190-ab1b-e72c72977103', '01a22267-cd4b-7d28-bf1d-b6dc9b515c86', '01a22267-d2d4-7cda-8b54-19f5946f6916', 'b', 'queued', NULL, 1779019207123456, 100, 1779019207123456, 1779022807123456, 1, 0, '{"envelope": {"recipient": "acme-gs2mjq2v6msde6h6", "way": "smtp", "sender": "anna@example.com", "peer": "192.0.2.1", "helo": null}, "is_admitted": false, "entity_tag": null, "heading": {"sender": null, "sender_name": "", "subject": "", "message_id": null, "sent_at": "", "is_automatic": false, "original_sender": null}, "verdict": null, "confirmation": null, "parts": [], "has_raw": true, "answered_at": null}');
INSERT INTO mail_invoices VALUES ('01a22267-cfae-7395-9b07-b59b5fda33b0', '01a22267-d2f7-7157-89f4-9ce8ca4e8e38');
INSERT INTO invoice_text_rows VALUES (1, '01a22267-ce89-7e36-8352-7a775cc2ce27');
INSERT INTO invoice_text_rows VALUES (2, '01a22267-cf3b-75d3-b554-75559324cba4');
INSERT INTO invoice_text_rows VALUES (4, '01a22267-cf8a-7746-af25-b4468b96e89a');
INSERT INTO invoice_text_rows VALUES (5, '01a22267-cf6c-7e57-96d4-f874e5f7799d');
INSERT INTO invoice_text_rows VALUES (6, '01a22267-d2a2-7286-a73b-55ed441e5de3');
INSERT INTO lesson_keys VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'name:acme', '01a22267-d2a2-7286-a73b-55ed441e5de3');
INSERT INTO lesson_keys VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'vat:DE1', '01a22267-d2a2-7286-a73b-55ed441e5de3');
INSERT INTO backlog VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'processing', 'text', 1, 1);
INSERT INTO backlog VALUES ('01a22267-cd4b-7d28-bf1d-b6dc9b515c86', 'queued', 'text', 1, 1);
INSERT INTO schema_info VALUES (21);
INSERT INTO invoice_texts (rowid, text)
SELECT number, ifnull(vendor_folded, '') || char(31) || ifnull(invoice_number, '')
FROM invoice_text_rows JOIN invoices USING (id);
CREATE TRIGGER invoice_text_added AFTER INSERT ON invoices BEGIN
   INSERT INTO invoice_text_rows (id) SELECT new.id WHERE (new.vendor_folded IS NOT NULL OR new.invoice_number IS NOT NULL);
   INSERT INTO invoice_texts (rowid, text)
       SELECT number, ifnull(new.vendor_folded, '') || char(31) || ifnull(new.invoice_number, '') FROM invoice_text_rows WHERE id = new.id;
END;
CREATE TRIGGER invoice_text_changed AFTER UPDATE OF vendor_folded, invoice_number ON invoices
   WHEN new.vendor_folded IS NOT old.vendor_folded OR new.invoice_number IS NOT old.invoice_number
   BEGIN
   DELETE FROM invoice_texts WHERE rowid = (SELECT number FROM invoice_text_rows WHERE id = old.id);
   DELETE FROM invoice_text_rows WHERE id = old.id;

   INSERT INTO invoice_text_rows (id) SELECT new.id WHERE (new.vendor_folded IS NOT NULL OR new.invoice_number IS NOT NULL);
   INSERT INTO invoice_texts (rowid, text)
       SELECT number, ifnull(new.vendor_folded, '') || char(31) || ifnull(new.invoice_number, '') FROM invoice_text_rows WHERE id = new.id;
END;
CREATE TRIGGER invoice_text_removed AFTER DELETE ON invoices BEGIN
   DELETE FROM invoice_texts WHERE rowid = (SELECT number FROM invoice_text_rows WHERE id = old.id);
   DELETE FROM invoice_text_rows WHERE id = old.id;
END;
CREATE TRIGGER backlog_added AFTER INSERT ON invoices WHEN new.status IN ('queued', 'processing') BEGIN
   INSERT INTO backlog (account_id, status, kind, documents, pages)
       SELECT new.account_id, new.status, new.kind, 1, new.expected_pages WHERE new.status IN ('queued', 'processing')
       ON CONFLICT DO UPDATE SET documents = documents + 1, pages = pages + excluded.pages;
END;
CREATE TRIGGER backlog_changed AFTER UPDATE OF status ON invoices WHEN new.status IS NOT old.status
   BEGIN
   UPDATE backlog SET documents = documents - 1, pages = pages - old.expected_pages WHERE account_id = old.account_id AND status = old.status AND kind = old.kind;
   DELETE FROM backlog WHERE account_id = old.account_id AND status = old.status AND kind = old.kind AND documents = 0;

   INSERT INTO backlog (account_id, status, kind, documents, pages)
       SELECT new.account_id, new.status, new.kind, 1, new.expected_pages WHERE new.status IN ('queued', 'processing')
       ON CONFLICT DO UPDATE SET documents = documents + 1, pages = pages + excluded.pages;
END;
CREATE TRIGGER backlog_removed AFTER DELETE ON invoices WHEN old.status IN ('queued', 'processing') BEGIN
   UPDATE backlog SET documents = documents - 1, pages = pages - old.expected_pages WHERE account_id = old.account_id AND status = old.status AND kind = old.kind;
   DELETE FROM backlog WHERE account_id = old.account_id AND status = old.status AND kind = old.kind AND documents = 0;
END;
PRAGMA user_version = 28;
