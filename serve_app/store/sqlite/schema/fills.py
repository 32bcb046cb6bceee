"""What rows of earlier versions get in columns and tables that came later, for each of these versions."""

from decimal import Decimal
from typing import Any

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.folding import folded
from serve_app.domain.ids import new_id
from serve_app.store.sqlite.engine.driver import sqlite3

_OBSOLETE = (
    # Never filled before version 6: there was nobody who could sign in.
    (6, "DROP TABLE IF EXISTS sessions"),
)

# Nobody corrected what was read before version 13: until then the columns are what the document says.
_OF_VERSION_1 = """
    UPDATE invoices SET amount = number(document ->> '$.amount'), due_at = document ->> '$.due_at',
        turn = CASE status WHEN 'processing' THEN created_at END
"""
_SHARE = """
    UPDATE invoices SET vendor_key = vendor_key(document ->> '$.vendor_name'),
        billed = ifnull(document ->> '$.amount', '0'),
        seen_on = ifnull(document ->> '$.issued_at', date(created_at / 1000000, 'unixepoch'))
    WHERE status = 'complete' AND vendor_key(document ->> '$.vendor_name') IS NOT NULL
"""
_VENDORS = """
    INSERT INTO vendors (id, account_id, key, name)
        SELECT new_id(), account_id, vendor_key, document ->> '$.vendor_name' FROM invoices
        WHERE vendor_key IS NOT NULL ORDER BY invoices.id
        ON CONFLICT (account_id, key) DO UPDATE SET name = excluded.name
"""
_VENDOR_IDS = """
    UPDATE invoices SET vendor_id = vendors.id FROM vendors
    WHERE vendors.account_id = invoices.account_id AND vendors.key = invoices.vendor_key
"""
_COUNTS = """
    UPDATE vendors SET invoice_count = counted.invoices, last_seen = counted.last_seen
    FROM (
        SELECT account_id, vendor_key, count(*) AS invoices, max(seen_on) AS last_seen FROM invoices
        WHERE vendor_key IS NOT NULL GROUP BY account_id, vendor_key
    ) AS counted
    WHERE vendors.account_id = counted.account_id AND vendors.key = counted.vendor_key
"""
_SUMS = """
    UPDATE vendors SET total = summed.total, spend = number(summed.total)
    FROM (
        SELECT account_id, vendor_key,
            decimal_sum(billed) FILTER (WHERE duplicate_of IS NULL OR stands_in) AS total
        FROM invoices WHERE vendor_key IS NOT NULL GROUP BY account_id, vendor_key
    ) AS summed
    WHERE vendors.account_id = summed.account_id AND vendors.key = summed.vendor_key
"""
_TEXT_ROWS = """
    INSERT INTO invoice_text_rows (id)
        SELECT id FROM invoices WHERE vendor_folded IS NOT NULL OR invoice_number IS NOT NULL
"""
_TEXTS = """
    INSERT INTO invoice_texts (rowid, text)
        SELECT number, ifnull(vendor_folded, '') || char(31) || ifnull(invoice_number, '')
        FROM invoice_text_rows JOIN invoices USING (id)
"""
_BACKLOG = """
    INSERT INTO backlog SELECT account_id, status, kind, count(*), sum(expected_pages) FROM invoices
        WHERE status IN ('queued', 'processing') GROUP BY account_id, status, kind
"""
_LEVEL = """
    UPDATE invoices SET level = (
        SELECT CASE max(CASE value WHEN 'low' THEN 3 WHEN 'mid' THEN 2 WHEN 'high' THEN 1 END)
            WHEN 3 THEN 'low' WHEN 2 THEN 'mid' WHEN 1 THEN 'high' END
        FROM json_each(document, '$.field_confidence') WHERE key != 'line_items'
    ) WHERE status = 'complete'
"""
_MODELS = """
    UPDATE invoices SET models = (document ->> '$.models.extractor') || ' ' || (document ->> '$.models.verifier')
    WHERE status = 'complete'
"""
_MAIL_PROBLEMS = """
    UPDATE mails SET problems =
        (SELECT count(*) FROM json_each(document, '$.parts') WHERE value ->> 'outcome' IN
            ('xml_only', 'needs_password', 'encrypted_mail', 'unsupported', 'too_large', 'too_many', 'unreadable'))
        + (SELECT count(*) FROM mail_invoices JOIN invoices ON invoices.id = invoice_id
            WHERE mail_id = mails.id AND invoices.status = 'failed')
    WHERE state = 'done'
"""
_MAIL_WORDS = """
    UPDATE mails SET words = substr(folded(ifnull(document ->> '$.heading.subject', '') || char(10)
        || ifnull(document ->> '$.heading.sender_name', '') || char(10)
        || ifnull(document ->> '$.heading.sender', '') || char(10)
        || ifnull(document ->> '$.envelope.sender', '') || char(10)
        || ifnull((SELECT group_concat(value ->> 'name', char(10)) FROM json_each(document, '$.parts')), '')), 1, 4000)
"""
# Rejected invoices no longer add to their vendors' sums; the oldest twin that is left counts instead.
_REJECTED = "SELECT account_id, vendor_key FROM invoices WHERE review_status = 'rejected' AND vendor_key IS NOT NULL"
_STAND_IN = f"""
    UPDATE invoices SET stands_in = 1
    WHERE duplicate_of IS NOT NULL AND (account_id, vendor_key) IN ({_REJECTED}) AND id = (
        SELECT min(twin.id) FROM invoices twin
        WHERE twin.account_id = invoices.account_id AND twin.duplicate_key = invoices.duplicate_key
            AND twin.review_status != 'rejected'
    )
"""  # noqa: S608 - of constants

# Each is for databases of versions before its own, and is executed in this order.
_FILLS = (
    (2, "UPDATE events SET invoice_id = json_extract(payload, '$.data.invoice.id')"),
    *((2, statement) for statement in (_OF_VERSION_1, _SHARE, _VENDORS, _VENDOR_IDS, _COUNTS, _SUMS)),
    (3, "UPDATE endpoints SET due_at = 0"),
    (3, "UPDATE endpoints SET paused_reason = 'by_hand' WHERE paused_reason IS NOT NULL"),
    (3, "UPDATE deliveries SET abandoned_reason = 'endpoint_paused' WHERE abandoned_reason IS NOT NULL"),
    (4, "UPDATE invoices SET invoice_number = document ->> '$.invoice_number', currency = document ->> '$.currency'"),
    (4, "UPDATE invoices SET issued_at = document ->> '$.issued_at'"),
    (5, "UPDATE invoices SET vendor_folded = folded(document ->> '$.vendor_name')"),
    (7, "UPDATE invoices SET auto_verified = 1 WHERE document ->> '$.auto_verified'"),
    (12, _TEXT_ROWS),
    (12, _TEXTS),
    (13, "UPDATE invoices SET needs_person = 1 WHERE status = 'complete' AND auto_verified = 0"),
    (13, "UPDATE invoices SET quality = document ->> '$.quality_score' WHERE needs_person = 1"),
    (18, "UPDATE invoices SET queued_at = created_at WHERE status IN ('queued', 'processing')"),
    (18, "UPDATE invoices SET kind = 'photo' WHERE document ->> '$.file.mime_type' LIKE 'image/%'"),
    (18, _BACKLOG),
    (20, _LEVEL),
    (20, _MODELS),
    (20, "UPDATE vendors SET name_folded = folded(name)"),
    (29, _MAIL_PROBLEMS),
    (29, _MAIL_WORDS),
    (29, "UPDATE invoices SET billed = '0' WHERE review_status = 'rejected' AND vendor_key IS NOT NULL"),
    (29, _STAND_IN),
    (29, f"{_SUMS} AND (vendors.account_id, vendors.key) IN ({_REJECTED})"),
)


class _DecimalSum:
    """SQLite's own sum() is of floats."""

    def __init__(self) -> None:
        self._sum = Decimal(0)

    def step(self, value: Any, /) -> None:
        self._sum += Decimal(value)

    def finalize(self) -> Any:
        return str(self._sum)


def make_room_from(version: int, connection: sqlite3.Connection) -> None:
    """Drop what tables of this version have in the place of those of the current one."""
    _execute(_OBSOLETE, version, connection)


def fill_from(version: int, connection: sqlite3.Connection) -> None:
    """Fill what has come since this version, once the tables and columns are there, and before the triggers are."""
    connection.create_function("new_id", 0, lambda: str(new_id()))
    # SQLite's own lower() knows ASCII only.
    connection.create_function("folded", 1, lambda text: text and folded(text), deterministic=True)
    connection.create_function("vendor_key", 1, lambda name: normalise_vendor(name or "") or None, deterministic=True)
    connection.create_function("number", 1, lambda text: None if text is None else float(text), deterministic=True)
    connection.create_aggregate("decimal_sum", 1, _DecimalSum)
    _execute(_FILLS, version, connection)


def _execute(statements: tuple[tuple[int, str], ...], version: int, connection: sqlite3.Connection) -> None:
    for needed_before, statement in statements:
        if version < needed_before:
            connection.execute(statement)
