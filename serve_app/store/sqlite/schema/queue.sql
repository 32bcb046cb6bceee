-- The queue of documents beside the rows of `invoices` themselves.

-- Documents whose bytes are being written; a row that stays is of a process that died meanwhile.
CREATE TABLE reservations (
    invoice_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    file_key TEXT NOT NULL,
    month INTEGER,
    run INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    -- What distinguishes reservations of the same invoice that were made in the same microsecond.
    token TEXT
) STRICT;
CREATE INDEX reservations_by_age ON reservations (made_at);

-- How much waits, counted by triggers, so that the answer costs the same however long the queue is.
CREATE TABLE backlog (
    account_id TEXT NOT NULL,
    status TEXT NOT NULL,
    kind TEXT NOT NULL,
    documents INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    PRIMARY KEY (account_id, status, kind)
) STRICT, WITHOUT ROWID;

-- How fast work is done. Found in order of age by looking at all rows, which are few.
CREATE TABLE paces (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    costs TEXT NOT NULL,
    speed REAL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER backlog_added AFTER INSERT ON invoices WHEN new.status IN ('queued', 'processing') BEGIN
    INSERT INTO backlog (account_id, status, kind, documents, pages)
        VALUES (new.account_id, new.status, new.kind, 1, new.expected_pages)
        ON CONFLICT DO UPDATE SET documents = documents + 1, pages = pages + excluded.pages;
END;

CREATE TRIGGER backlog_changed AFTER UPDATE OF status ON invoices WHEN new.status IS NOT old.status BEGIN
    UPDATE backlog SET documents = documents - 1, pages = pages - old.expected_pages
        WHERE account_id = old.account_id AND status = old.status AND kind = old.kind;
    DELETE FROM backlog
        WHERE account_id = old.account_id AND status = old.status AND kind = old.kind AND documents = 0;
    INSERT INTO backlog (account_id, status, kind, documents, pages)
        SELECT new.account_id, new.status, new.kind, 1, new.expected_pages
        WHERE new.status IN ('queued', 'processing')
        ON CONFLICT DO UPDATE SET documents = documents + 1, pages = pages + excluded.pages;
END;

CREATE TRIGGER backlog_removed AFTER DELETE ON invoices WHEN old.status IN ('queued', 'processing') BEGIN
    UPDATE backlog SET documents = documents - 1, pages = pages - old.expected_pages
        WHERE account_id = old.account_id AND status = old.status AND kind = old.kind;
    DELETE FROM backlog
        WHERE account_id = old.account_id AND status = old.status AND kind = old.kind AND documents = 0;
END;
