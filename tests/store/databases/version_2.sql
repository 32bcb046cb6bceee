-- A database of schema version 2, made by the program of commit e8d99b6.
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
, turn INTEGER, runs INTEGER NOT NULL DEFAULT 1, details TEXT NOT NULL DEFAULT '{}', paid INTEGER NOT NULL DEFAULT 0, paid_at INTEGER, entity_tag TEXT, approval_status TEXT, approval_email TEXT, approval_token TEXT, vendor_folded TEXT, amount REAL, due_at TEXT, vendor_id TEXT, vendor_key TEXT, billed TEXT, seen_on TEXT) STRICT;
CREATE INDEX invoices_processing ON invoices (next_run_at) WHERE status = 'processing';
CREATE INDEX invoices_twins ON invoices (account_id, duplicate_key, id) WHERE duplicate_key IS NOT NULL;
CREATE INDEX invoices_with_outbox ON invoices (id) WHERE outbox != '[]';
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    payload TEXT NOT NULL
, invoice_id TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX invoices_turns ON invoices (turn, id, next_run_at) WHERE status = 'queued' AND turn IS NOT NULL;
CREATE INDEX invoices_delayed ON invoices (next_run_at) WHERE status = 'queued' AND turn IS NOT NULL;
CREATE INDEX invoices_seated ON invoices (account_id) WHERE turn IS NOT NULL;
CREATE INDEX invoices_waiting ON invoices (account_id, id) WHERE status = 'queued' AND turn IS NULL;
CREATE INDEX invoices_listed ON invoices
    (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid);
CREATE INDEX invoices_by_status ON invoices (account_id, status, id);
CREATE INDEX invoices_of_vendor ON invoices (account_id, vendor_key, seen_on) WHERE vendor_key IS NOT NULL;
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
    last_seen TEXT,
    UNIQUE (account_id, key)
) STRICT;
CREATE INDEX vendors_by_spend ON vendors (account_id, spend DESC, id) WHERE invoice_count > 0;
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
) STRICT;
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
    abandoned_reason TEXT,
    UNIQUE (event_id, endpoint_id)
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_listed ON deliveries (account_id, id, endpoint_id, event_id, state);
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
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_account ON sessions (account_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX rate_windows_by_age ON rate_windows (window);
INSERT INTO accounts VALUES ('01a22267-3156-7eca-941a-699bcb0b04fa', 'free', 1779019207123456);
INSERT INTO quotas VALUES ('01a22267-3156-7eca-941a-699bcb0b04fa', 1777593600000000, 7);
INSERT INTO invoices VALUES ('01a22267-322e-732e-8de5-0d5658d37187', '01a22267-3156-7eca-941a-699bcb0b04fa', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Café Αθήνα", "invoice_number": "A-1", "amount": "100.10", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null}', '["caféαθήνα", "A-1", "100.1"]', NULL, '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-322e-732e-8de5-0d5658d37187', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'café αθήνα', 100.1, '2026-06-01', '01a22267-3235-7660-8bd5-2d019599c107', 'caféαθήνα', '100.10', '2026-05-01');
INSERT INTO invoices VALUES ('01a22267-3237-7760-bc93-64f4f830d114', '01a22267-3156-7eca-941a-699bcb0b04fa', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Café Αθήνα", "invoice_number": "A-1", "amount": "100.10", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null}', '["caféαθήνα", "A-1", "100.1"]', '01a22267-322e-732e-8de5-0d5658d37187', '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-3237-7760-bc93-64f4f830d114', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'café αθήνα', 100.1, '2026-06-01', '01a22267-3235-7660-8bd5-2d019599c107', 'caféαθήνα', '100.10', '2026-05-01');
INSERT INTO invoices VALUES ('01a22267-323c-7a72-b722-bca0bb763313', '01a22267-3156-7eca-941a-699bcb0b04fa', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Acme Ltd", "invoice_number": "A-2", "amount": "0.10", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null}', '["acme", "A-2", "0.1"]', NULL, '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-323c-7a72-b722-bca0bb763313', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'acme ltd', 0.1, '2026-06-01', '01a22267-324f-74dc-a1ff-4150c97f4cd1', 'acme', '0.10', '2026-05-01');
INSERT INTO invoices VALUES ('01a22267-325a-7983-9590-92865008e2d7', '01a22267-3156-7eca-941a-699bcb0b04fa', 'complete', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": "Acme Ltd", "invoice_number": "A-3", "amount": "0.20", "currency": "EUR", "issued_at": "2026-05-01", "due_at": "2026-06-01", "tax": null, "line_items": [], "field_confidence": {"vendor": "high", "amount": "mid"}, "citations": null, "quality_score": 0.5, "auto_verified": true, "pages": null, "batch": null, "einvoice": null, "models": {"extractor": "layout", "verifier": "verifier"}, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null}', '["acme", "A-3", "0.2"]', NULL, '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-325a-7983-9590-92865008e2d7', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, 'acme ltd', 0.2, '2026-06-01', '01a22267-324f-74dc-a1ff-4150c97f4cd1', 'acme', '0.20', '2026-05-01');
INSERT INTO invoices VALUES ('01a22267-3276-71c3-a04f-00580352b387', '01a22267-3156-7eca-941a-699bcb0b04fa', 'failed', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": null, "invoice_number": null, "amount": null, "currency": null, "issued_at": null, "due_at": null, "tax": null, "line_items": [], "field_confidence": null, "citations": null, "quality_score": null, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": {"code": "document_unreadable", "message": "broken"}}', NULL, NULL, '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-3276-71c3-a04f-00580352b387', NULL, 1, 0, 0, '[]', NULL, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-32a4-7b27-a1f4-a9e22e6c8981', '01a22267-3156-7eca-941a-699bcb0b04fa', 'processing', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": null, "invoice_number": null, "amount": null, "currency": null, "issued_at": null, "due_at": null, "tax": null, "line_items": [], "field_confidence": null, "citations": null, "quality_score": null, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null}', NULL, NULL, '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-32a4-7b27-a1f4-a9e22e6c8981', 1779019237123456, 1, 0, 0, '[]', 1779019207123456, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO invoices VALUES ('01a22267-32b6-7879-8911-fe1eef6c6275', '01a22267-3156-7eca-941a-699bcb0b04fa', 'queued', 'api', 1779019207123456, 1779019207123456, '{"vendor_name": null, "invoice_number": null, "amount": null, "currency": null, "issued_at": null, "due_at": null, "tax": null, "line_items": [], "field_confidence": null, "citations": null, "quality_score": null, "auto_verified": false, "pages": null, "batch": null, "einvoice": null, "models": null, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 17}, "failure": null}', NULL, NULL, '01a22267-3156-7eca-941a-699bcb0b04fa/01a22267-32b6-7879-8911-fe1eef6c6275', 0, 0, 0, 0, '[]', 1779019212123456, 1, '{}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO events VALUES ('evt_01a22267-3236-7e26-b511-0897f71550b9', '01a22267-3156-7eca-941a-699bcb0b04fa', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-3236-7e26-b511-0897f71550b9","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Café Αθήνα","invoice_number":"A-1","amount":100.1,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"id":"01a22267-322e-732e-8de5-0d5658d37187","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":null,"vendor_id":"01a22267-3235-7660-8bd5-2d019599c107","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null}}}', '01a22267-322e-732e-8de5-0d5658d37187');
INSERT INTO events VALUES ('evt_01a22267-323b-7b05-bdba-c634d5ff8ad7', '01a22267-3156-7eca-941a-699bcb0b04fa', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-323b-7b05-bdba-c634d5ff8ad7","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Café Αθήνα","invoice_number":"A-1","amount":100.1,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"id":"01a22267-3237-7760-bc93-64f4f830d114","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":"01a22267-322e-732e-8de5-0d5658d37187","vendor_id":"01a22267-3235-7660-8bd5-2d019599c107","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null}}}', '01a22267-3237-7760-bc93-64f4f830d114');
INSERT INTO events VALUES ('evt_01a22267-3250-7706-af0d-072780ed7c80', '01a22267-3156-7eca-941a-699bcb0b04fa', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-3250-7706-af0d-072780ed7c80","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Acme Ltd","invoice_number":"A-2","amount":0.1,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"id":"01a22267-323c-7a72-b722-bca0bb763313","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":null,"vendor_id":"01a22267-324f-74dc-a1ff-4150c97f4cd1","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null}}}', '01a22267-323c-7a72-b722-bca0bb763313');
INSERT INTO events VALUES ('evt_01a22267-3271-75a2-be29-df5413944841', '01a22267-3156-7eca-941a-699bcb0b04fa', 'invoice.completed', 1779019207123456, '{"id":"evt_01a22267-3271-75a2-be29-df5413944841","type":"invoice.completed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":"Acme Ltd","invoice_number":"A-3","amount":0.2,"currency":"EUR","issued_at":"2026-05-01","due_at":"2026-06-01","tax":null,"line_items":[],"field_confidence":{"vendor":"high","amount":"mid"},"citations":null,"quality_score":0.5,"auto_verified":true,"pages":null,"batch":null,"einvoice":null,"models":{"extractor":"layout","verifier":"verifier"},"id":"01a22267-325a-7983-9590-92865008e2d7","object":"invoice","status":"complete","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":null,"duplicate_of":null,"vendor_id":"01a22267-324f-74dc-a1ff-4150c97f4cd1","paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null}}}', '01a22267-325a-7983-9590-92865008e2d7');
INSERT INTO events VALUES ('evt_01a22267-3297-7e05-8c23-ea92e1946fb1', '01a22267-3156-7eca-941a-699bcb0b04fa', 'invoice.failed', 1779019207123456, '{"id":"evt_01a22267-3297-7e05-8c23-ea92e1946fb1","type":"invoice.failed","created_at":"2026-05-17T12:00:07.123456Z","data":{"invoice":{"vendor_name":null,"invoice_number":null,"amount":null,"currency":null,"issued_at":null,"due_at":null,"tax":null,"line_items":[],"field_confidence":null,"citations":null,"quality_score":null,"auto_verified":false,"pages":null,"batch":null,"einvoice":null,"models":null,"id":"01a22267-3276-71c3-a04f-00580352b387","object":"invoice","status":"failed","source":"api","created_at":"2026-05-17T12:00:07.123456Z","updated_at":"2026-05-17T12:00:07.123456Z","file":{"name":"a.pdf","mime_type":"application/pdf","size_bytes":17},"failure":{"code":"document_unreadable","message":"broken"},"duplicate_of":null,"vendor_id":null,"paid":false,"paid_at":null,"entity_tag":null,"approval_status":null,"approval_email":null}}}', '01a22267-3276-71c3-a04f-00580352b387');
INSERT INTO vendors VALUES ('01a22267-3235-7660-8bd5-2d019599c107', '01a22267-3156-7eca-941a-699bcb0b04fa', 'caféαθήνα', 'Café Αθήνα', NULL, NULL, NULL, 2, '100.10', 100.1, '2026-05-01');
INSERT INTO vendors VALUES ('01a22267-324f-74dc-a1ff-4150c97f4cd1', '01a22267-3156-7eca-941a-699bcb0b04fa', 'acme', 'Acme Ltd', NULL, NULL, NULL, 2, '0.30', 0.3, '2026-05-01');
INSERT INTO endpoints VALUES ('01a22267-322a-74a8-9c4d-f1776630c8c5', '01a22267-3156-7eca-941a-699bcb0b04fa', 'https://example.com/hook', '[]', '[["sealed", null]]', 1779019207123456, NULL, NULL, 0);
INSERT INTO deliveries VALUES ('01a22267-329f-7877-beeb-25e4226e6131', '01a22267-3156-7eca-941a-699bcb0b04fa', '01a22267-322a-74a8-9c4d-f1776630c8c5', 'evt_01a22267-3236-7e26-b511-0897f71550b9', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL);
INSERT INTO deliveries VALUES ('01a22267-32a0-72c7-b4e1-d8d832a0a100', '01a22267-3156-7eca-941a-699bcb0b04fa', '01a22267-322a-74a8-9c4d-f1776630c8c5', 'evt_01a22267-323b-7b05-bdba-c634d5ff8ad7', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL);
INSERT INTO deliveries VALUES ('01a22267-32a1-7c2c-836d-1173b151b39f', '01a22267-3156-7eca-941a-699bcb0b04fa', '01a22267-322a-74a8-9c4d-f1776630c8c5', 'evt_01a22267-3250-7706-af0d-072780ed7c80', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL);
INSERT INTO deliveries VALUES ('01a22267-32a2-73a7-96fa-35d98f6e2cf1', '01a22267-3156-7eca-941a-699bcb0b04fa', '01a22267-322a-74a8-9c4d-f1776630c8c5', 'evt_01a22267-3271-75a2-be29-df5413944841', 'invoice.completed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL);
INSERT INTO deliveries VALUES ('01a22267-32a3-7eac-abb1-07d2e6038cd5', '01a22267-3156-7eca-941a-699bcb0b04fa', '01a22267-322a-74a8-9c4d-f1776630c8c5', 'evt_01a22267-3297-7e05-8c23-ea92e1946fb1', 'invoice.failed', 1779019207123456, 'pending', 0, 0, 0, '[]', NULL);
PRAGMA user_version = 2;
