-- Folders that are watched for documents.

CREATE TABLE watched_folders (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    place TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    is_paused INTEGER NOT NULL,
    holder TEXT,
    leased_until INTEGER,
    scanned_at INTEGER,
    problem TEXT NOT NULL,
    waiting INTEGER NOT NULL,
    done INTEGER NOT NULL,
    failed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_folders_of_account ON watched_folders (account_id);

-- What became of each content in a folder.
CREATE TABLE watched_files (
    folder_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    account_id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    found_at INTEGER NOT NULL,
    PRIMARY KEY (folder_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_files_of_invoice ON watched_files (account_id, invoice_id);
