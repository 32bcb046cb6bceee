-- Vendors, with sums over their invoices.

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
    name_folded TEXT NOT NULL DEFAULT '',
    -- The name that a person gave, and the vendor that counts for this one.
    called TEXT,
    merged_into TEXT,
    UNIQUE (account_id, key)
) STRICT;
CREATE INDEX vendors_by_spend ON vendors (account_id, spend DESC, id, name_folded) WHERE invoice_count > 0;
CREATE INDEX vendors_merged ON vendors (merged_into) WHERE merged_into IS NOT NULL;
