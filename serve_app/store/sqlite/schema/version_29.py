"""What the tables gain for states and filters of reviews, further events, and the web application's lists."""

from decimal import Decimal

from serve_app.domain.folding import folded
from serve_app.store.sqlite.engine.driver import sqlite3

STATEMENTS: tuple[str, ...] = (
    # At most one row, made when it is first asked for.
    "CREATE TABLE deployment (is_only INTEGER PRIMARY KEY CHECK (is_only = 1), id TEXT NOT NULL) STRICT",
    # Whether a duplicate counts in its vendor's sums, because all older twins are rejected.
    "ALTER TABLE invoices ADD COLUMN stands_in INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX invoices_by_review ON invoices (account_id, review_status, id)",
    # What many invoices match is looked for in the list itself.
    "DROP INDEX invoices_listed",
    """
    CREATE INDEX invoices_listed ON invoices
        (account_id, id, status, source, created_at, vendor_folded, amount, due_at, paid, currency, issued_at,
         duplicate_of, invoice_number, level, review_status)
    """,
    "DROP INDEX invoices_of_vendor",
    """
    CREATE INDEX invoices_of_vendor ON invoices
        (account_id, vendor_key, seen_on, currency, billed, duplicate_of, stands_in, review_status)
    WHERE vendor_key IS NOT NULL
    """,
    "CREATE INDEX invoices_in_order_of_change ON invoices (account_id, updated_at, id)",
    # Events of deleted invoices, which are kept for a while only.
    "CREATE INDEX events_of_deletions ON events (created_at) WHERE type = 'invoice.deleted'",
    """
    CREATE TABLE comments (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        invoice_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        person_id TEXT NOT NULL,
        author TEXT NOT NULL,
        text TEXT NOT NULL,
        mentions TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX comments_of_invoice ON comments (invoice_id, id)",
    "CREATE INDEX comments_of_account ON comments (account_id)",
    """
    CREATE TABLE comment_mentions (
        account_id TEXT NOT NULL,
        person_id TEXT NOT NULL,
        comment_id TEXT NOT NULL,
        PRIMARY KEY (account_id, person_id, comment_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX mentions_of_comment ON comment_mentions (comment_id)",
    """
    CREATE TABLE saved_views (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL,
        person_id TEXT NOT NULL,
        name TEXT NOT NULL,
        state TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX saved_views_of_person ON saved_views (account_id, person_id)",
    # The name that a person gave, and the vendor that counts for this one.
    "ALTER TABLE vendors ADD COLUMN called TEXT",
    "ALTER TABLE vendors ADD COLUMN merged_into TEXT",
    "CREATE INDEX vendors_merged ON vendors (merged_into) WHERE merged_into IS NOT NULL",
    # What became of mails, what they are found by, and whose turn it is.
    "ALTER TABLE mails ADD COLUMN problems INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE mails ADD COLUMN words TEXT",
    "CREATE INDEX mails_with_problems ON mails (account_id, id) WHERE problems > 0",
    "CREATE INDEX mails_turns ON mails (account_id, due_at, id) WHERE due_at IS NOT NULL",
)
_PROBLEMS = """
    UPDATE mails SET problems =
        (SELECT count(*) FROM json_each(document, '$.parts') WHERE value ->> 'outcome' IN
            ('xml_only', 'needs_password', 'encrypted_mail', 'unsupported', 'too_large', 'too_many', 'unreadable'))
        + (SELECT count(*) FROM mail_invoices JOIN invoices ON invoices.id = invoice_id
            WHERE mail_id = mails.id AND invoices.status = 'failed')
    WHERE state = 'done'
"""
_WORDS = """
    UPDATE mails SET words = substr(folded(ifnull(document ->> '$.heading.subject', '') || char(10)
        || ifnull(document ->> '$.heading.sender_name', '') || char(10)
        || ifnull(document ->> '$.heading.sender', '') || char(10)
        || ifnull(document ->> '$.envelope.sender', '') || char(10)
        || ifnull((SELECT group_concat(value ->> 'name', char(10)) FROM json_each(document, '$.parts')), '')), 1, 4000)
"""
_REJECTED = """
    SELECT DISTINCT account_id, vendor_key FROM invoices WHERE review_status = 'rejected' AND vendor_key IS NOT NULL
"""
_ADD_NOTHING = "UPDATE invoices SET billed = '0' WHERE review_status = 'rejected' AND vendor_key IS NOT NULL"
_STAND_IN = """
    UPDATE invoices SET stands_in = 1 WHERE duplicate_of IS NOT NULL AND review_status != 'rejected' AND id = (
        SELECT min(twin.id) FROM invoices twin
        WHERE twin.account_id = invoices.account_id AND twin.duplicate_key = invoices.duplicate_key
            AND twin.review_status != 'rejected'
    )
"""
_SHARES = """
    SELECT billed FROM invoices WHERE account_id = ? AND vendor_key = ? AND (duplicate_of IS NULL OR stands_in)
"""
_SET = "UPDATE vendors SET total = ?, spend = ? WHERE account_id = ? AND key = ?"


def fill(connection: sqlite3.Connection) -> None:
    """Rejected invoices no longer add to their vendors' sums; mails are found by their words and problems."""
    connection.execute(_PROBLEMS)
    # SQLite's own lower() knows ASCII only.
    connection.create_function("folded", 1, folded, deterministic=True)
    connection.execute(_WORDS)
    vendors = connection.execute(_REJECTED).fetchall()
    if not vendors:
        return
    connection.execute(_ADD_NOTHING)
    connection.execute(_STAND_IN)
    for account, key in vendors:
        total = sum((Decimal(row[0]) for row in connection.execute(_SHARES, (account, key))), Decimal(0))
        connection.execute(_SET, (str(total), float(total), account, key))
