-- Invoices, with the columns that lists are filtered and sorted by.

CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- JSON of everything that has no column of its own.
    document TEXT NOT NULL,
    duplicate_key TEXT,
    duplicate_of TEXT,
    file_key TEXT NOT NULL,
    -- When a worker may claim it: 0 at once. While one works, when its lease ends; NULL when it is finished.
    next_run_at INTEGER,
    attempt INTEGER NOT NULL DEFAULT 0,
    lost_claims INTEGER NOT NULL DEFAULT 0,
    releases INTEGER NOT NULL DEFAULT 0,
    -- JSON of the events that are not in `events` yet.
    outbox TEXT NOT NULL DEFAULT '[]',
    -- Its place in the queue; NULL without a slot.
    turn INTEGER,
    runs INTEGER NOT NULL DEFAULT 1,
    details TEXT NOT NULL DEFAULT '{}',
    paid INTEGER NOT NULL DEFAULT 0,
    paid_at INTEGER,
    entity_tag TEXT,
    approval_status TEXT,
    approval_email TEXT,
    approval_token TEXT,
    -- What lists are filtered by; the exact values are in `document`.
    vendor_folded TEXT,
    amount REAL,
    due_at TEXT,
    -- What a complete invoice adds to its vendor.
    vendor_id TEXT,
    vendor_key TEXT,
    billed TEXT,
    seen_on TEXT,
    -- The same texts as in `document`.
    invoice_number TEXT,
    currency TEXT,
    issued_at TEXT,
    auto_verified INTEGER NOT NULL DEFAULT 0,
    -- When approval was asked for and answered.
    approval_asked_at INTEGER,
    approval_answered_at INTEGER,
    -- JSON of a person's corrections, which lie over `document`.
    review TEXT,
    review_status TEXT NOT NULL DEFAULT 'open',
    needs_person INTEGER NOT NULL DEFAULT 0,
    quality REAL,
    evidence_key TEXT,
    review_lease TEXT,
    assignee TEXT,
    reviewed_at INTEGER,
    -- JSON of what a confirmed invoice teaches about its vendor.
    lesson TEXT,
    -- Its draw for the audit sample.
    drawn REAL,
    -- What the document is expected to take.
    kind TEXT NOT NULL DEFAULT 'text',
    expected_pages INTEGER NOT NULL DEFAULT 1,
    -- When the latest run was requested: an invoice that is read again has not waited since it was created.
    queued_at INTEGER,
    sha256 TEXT,
    stage TEXT,
    level TEXT,
    models TEXT,
    -- Its place in a trace, so that the trace goes on wherever the work does.
    trace TEXT,
    -- JSON: who snoozed it, and until when in microseconds.
    put_off TEXT,
    -- The pair of models that reads it.
    pair TEXT,
    document_gone_at INTEGER,
    -- Whether a duplicate counts in its vendor's sums, because all older twins are rejected.
    stands_in INTEGER NOT NULL DEFAULT 0,
    has_alerts INTEGER NOT NULL DEFAULT 0,
    -- JSON of the latest changes with an idempotency key.
    change_ids TEXT,
    export_id TEXT,
    -- JSON of what its confirmed coding teaches, and when that was decided.
    coding_example TEXT,
    coded_at INTEGER,
    -- How it matches purchase orders, and JSON of the ids of those that it bills.
    order_match TEXT,
    order_ids TEXT,
    -- JSON of what its own fields teach, and when that was decided.
    own_field_example TEXT,
    own_fields_at INTEGER,
    -- JSON of its own fields with their values.
    custom_terms TEXT
) STRICT;
CREATE INDEX invoices_processing ON invoices (next_run_at) WHERE status = 'processing';
CREATE INDEX invoices_twins ON invoices (account_id, duplicate_key, id) WHERE duplicate_key IS NOT NULL;
CREATE INDEX invoices_with_outbox ON invoices (id) WHERE outbox != '[]';
CREATE INDEX invoices_turns ON invoices (turn, id, next_run_at) WHERE status = 'queued' AND turn IS NOT NULL;
CREATE INDEX invoices_delayed ON invoices (next_run_at) WHERE status = 'queued' AND turn IS NOT NULL;
CREATE INDEX invoices_seated ON invoices (account_id) WHERE turn IS NOT NULL;
CREATE INDEX invoices_waiting ON invoices (account_id, id) WHERE status = 'queued' AND turn IS NULL;
CREATE INDEX invoices_by_status ON invoices (account_id, status, id);
CREATE INDEX invoices_of_file ON invoices (file_key);
-- Each filter of a list has an index, in the order of the list.
CREATE INDEX invoices_by_vendor ON invoices (account_id, vendor_id, id) WHERE vendor_id IS NOT NULL;
CREATE INDEX invoices_by_number ON invoices (account_id, invoice_number, id) WHERE invoice_number IS NOT NULL;
CREATE INDEX invoices_by_currency ON invoices (account_id, currency, id) WHERE currency IS NOT NULL;
CREATE INDEX invoices_by_tag ON invoices (account_id, entity_tag, id) WHERE entity_tag IS NOT NULL;
CREATE INDEX invoices_by_approval ON invoices (account_id, approval_status, id) WHERE approval_status IS NOT NULL;
CREATE INDEX invoices_by_issue_date ON invoices (account_id, issued_at, id) WHERE issued_at IS NOT NULL;
CREATE INDEX invoices_repeated ON invoices (account_id, id, duplicate_of) WHERE duplicate_of IS NOT NULL;
-- Most invoices come by the API: those of the other ways are few beside them.
CREATE INDEX invoices_from_app ON invoices (account_id, id) WHERE source = 'app';
CREATE INDEX invoices_from_email ON invoices (account_id, id) WHERE source = 'email';
-- With what the sums of a list need.
CREATE INDEX invoices_unpaid ON invoices (account_id, id, status, paid, due_at, currency, amount)
    WHERE status = 'complete' AND paid = 0;
-- With what the list of work is sorted and filtered by, and what its sums are made of.
CREATE INDEX invoices_to_check ON invoices
    (account_id, id, due_at, amount, vendor_folded, quality, assignee, currency)
    WHERE needs_person = 1;
CREATE INDEX invoices_reviewed ON invoices (account_id, reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX invoices_coded ON invoices (account_id, coded_at) WHERE coded_at IS NOT NULL;
CREATE INDEX invoices_with_own_fields ON invoices (account_id, own_fields_at) WHERE own_fields_at IS NOT NULL;
CREATE INDEX invoices_queued ON invoices (queued_at) WHERE status = 'queued';
CREATE INDEX invoices_of_sha256 ON invoices (account_id, sha256, created_at) WHERE sha256 IS NOT NULL;
CREATE INDEX invoices_by_level ON invoices (account_id, level, id) WHERE level IS NOT NULL;
CREATE INDEX invoices_by_models ON invoices (account_id, models, id) WHERE models IS NOT NULL;
-- Each order has those without a value, too, which come last.
CREATE INDEX invoices_in_order_of_amount ON invoices (account_id, amount, id);
CREATE INDEX invoices_in_order_of_due_date ON invoices (account_id, due_at, id);
CREATE INDEX invoices_in_order_of_issue_date ON invoices (account_id, issued_at, id);
CREATE INDEX invoices_in_order_of_vendor ON invoices (account_id, vendor_folded, id);
CREATE INDEX invoices_put_off ON invoices (account_id, id) WHERE needs_person = 1 AND put_off IS NOT NULL;
CREATE INDEX invoices_unseen ON invoices (account_id, id)
    WHERE status = 'complete' AND needs_person = 0 AND review_status = 'open';
CREATE INDEX invoices_by_review ON invoices (account_id, review_status, id);
-- With every column that many invoices may share: rows that do not match are skipped without being read.
CREATE INDEX invoices_listed ON invoices
    (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid, currency, issued_at,
     duplicate_of, invoice_number, level, review_status);
-- What a vendor bills, by month and currency, from the index alone.
CREATE INDEX invoices_of_vendor ON invoices
    (account_id, vendor_key, seen_on, currency, billed, duplicate_of, stands_in, review_status)
    WHERE vendor_key IS NOT NULL;
-- What the next export may contain.
CREATE INDEX invoices_to_export ON invoices (account_id, id) WHERE status = 'complete' AND export_id IS NULL;
CREATE INDEX invoices_by_order_match ON invoices (account_id, order_match, id) WHERE order_match IS NOT NULL;
CREATE INDEX invoices_in_order_of_change ON invoices (account_id, updated_at, id);
-- With what the sums of a list need.
CREATE INDEX invoices_with_alerts ON invoices (account_id, id, paid, review_status, currency, amount)
    WHERE has_alerts = 1;
-- What invoices print besides the names of their vendors, which are known by it too.
CREATE INDEX invoices_by_iban ON invoices (account_id, document ->> '$.details.iban', vendor_id, review_status)
    WHERE document ->> '$.details.iban' IS NOT NULL;
CREATE INDEX invoices_by_tax_number ON invoices
    (account_id, document ->> '$.details.vendor_tax_id', vendor_id, review_status)
    WHERE document ->> '$.details.vendor_tax_id' IS NOT NULL;
CREATE INDEX invoices_identified ON invoices
    (account_id, vendor_id, document ->> '$.details.iban', document ->> '$.details.vendor_tax_id',
     details ->> '$.website', details ->> '$.email', seen_on, review_status)
    WHERE seen_on IS NOT NULL;
