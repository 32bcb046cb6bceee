"""Derives anew what the rows of an account's invoices say together."""

from collections.abc import Sequence
from decimal import Decimal

from serve_app.domain.folding import folded
from serve_app.domain.ids import new_id
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.finish import flag_key

_KEYS = """
    SELECT DISTINCT duplicate_key AS key FROM invoices WHERE account_id = ? AND duplicate_key IS NOT NULL
"""
_UNFLAG = "UPDATE invoices SET duplicate_of = NULL WHERE account_id = ? AND duplicate_key IS NULL"
# In the order of their ids, so that the spelling is the newest one's.
_OF_VENDORS = """
    SELECT vendor_key, vendor_id, billed, duplicate_of IS NULL OR stands_in AS counts, seen_on,
        document ->> '$.vendor_name' AS name
    FROM invoices WHERE account_id = ? AND vendor_key IS NOT NULL ORDER BY id
"""
_KNOWN = "SELECT key, ifnull(merged_into, id) AS kept_id FROM vendors WHERE account_id = ?"
_MAKE = """
    INSERT INTO vendors (id, account_id, key, name, name_folded) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
_CLEAR = """
    UPDATE vendors SET invoice_count = 0, total = '0', spend = 0, last_seen = NULL
    WHERE account_id = ? AND invoice_count != 0
"""
_SET = """
    UPDATE vendors SET invoice_count = ?, total = ?, spend = ?, last_seen = ? WHERE account_id = ? AND id = ?
"""


def repair_account(connection: sqlite3.Connection, account_id: str) -> None:
    """Derive the marks of duplicates and the sums of vendors, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_UNFLAG, (account_id,))
        for row in connection.execute(_KEYS, (account_id,)).fetchall():
            flag_key(connection, account_id, row["key"])
        _sum_vendors(connection, account_id)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _sum_vendors(connection: sqlite3.Connection, account_id: str) -> None:
    rows = connection.execute(_OF_VENDORS, (account_id,)).fetchall()
    connection.execute(_CLEAR, (account_id,))
    kept_ids = _kept_ids(connection, account_id, rows)
    of_vendor: dict[str, list[sqlite3.Row]] = {}
    for row in rows:
        of_vendor.setdefault(kept_ids[row["vendor_key"]], []).append(row)
    for kept_id, own in of_vendor.items():
        total = sum((Decimal(row["billed"]) for row in own if row["counts"]), Decimal(0))
        last_seen = max(row["seen_on"] for row in own)
        connection.execute(_SET, (len(own), str(total), float(total), last_seen, account_id, kept_id))


def _kept_ids(connection: sqlite3.Connection, account_id: str, rows: Sequence[sqlite3.Row]) -> dict[str, str]:
    """By each name that invoices print, the vendor that it counts for; makes those that are not there."""
    known = {row["key"]: row["kept_id"] for row in connection.execute(_KNOWN, (account_id,))}
    newest = {row["vendor_key"]: row for row in rows if row["vendor_key"] not in known}
    for key, row in newest.items():
        # The id that its invoices name, unless that is of a vendor that it was merged into.
        id = row["vendor_id"] if row["vendor_id"] not in known.values() else str(new_id())
        connection.execute(_MAKE, (id, account_id, key, row["name"], folded(row["name"])))
        known[key] = id
    return known
