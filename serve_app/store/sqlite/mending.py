"""Derives anew what the rows of an account's invoices say together."""

from decimal import Decimal

from serve_app.domain.folding import folded
from serve_app.store.sqlite.driver import sqlite3
from serve_app.store.sqlite.finish import flag_key

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
_MAKE = """
    INSERT INTO vendors (id, account_id, key, name, name_folded) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
_CLEAR = """
    UPDATE vendors SET invoice_count = 0, total = '0', spend = 0, last_seen = NULL
    WHERE account_id = ? AND invoice_count != 0
"""
_SET = """
    UPDATE vendors SET invoice_count = ?, total = ?, spend = ?, last_seen = ? WHERE account_id = ? AND key = ?
"""


def mend_account(connection: sqlite3.Connection, account_id: str) -> None:
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
    of_vendor: dict[str, list[sqlite3.Row]] = {}
    for row in connection.execute(_OF_VENDORS, (account_id,)):
        of_vendor.setdefault(row["vendor_key"], []).append(row)
    connection.execute(_CLEAR, (account_id,))
    for key, rows in of_vendor.items():
        name = rows[-1]["name"]
        connection.execute(_MAKE, (rows[-1]["vendor_id"], account_id, key, name, folded(name)))
        total = sum((Decimal(row["billed"]) for row in rows if row["counts"]), Decimal(0))
        last_seen = max(row["seen_on"] for row in rows)
        connection.execute(_SET, (len(rows), str(total), float(total), last_seen, account_id, key))
