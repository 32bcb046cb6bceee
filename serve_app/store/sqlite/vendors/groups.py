"""Names that people give vendors, and vendors that are merged: parts of writes.

A merged vendor keeps its row, which names the kept one in `merged_into`; that one is never merged itself. Invoices keep
the key of the name that they print, so what belongs to whom can always be derived.
"""

from decimal import Decimal

from serve_app.domain.folding import folded
from serve_app.store.sqlite.engine.driver import sqlite3

_RENAME = "UPDATE vendors SET called = ?, name_folded = ? WHERE id = ?"
_FIND = "SELECT * FROM vendors WHERE account_id = ? AND id = ?"
_MERGE = "UPDATE vendors SET merged_into = :kept WHERE id = :merged OR merged_into = :merged"
_SPLIT = "UPDATE vendors SET merged_into = NULL WHERE id = ?"
_MOVE = "UPDATE invoices SET vendor_id = :kept WHERE account_id = :account AND vendor_id = :merged"
_MOVE_BACK = "UPDATE invoices SET vendor_id = :id WHERE account_id = :account AND vendor_key = :key"
_OF_NAME = """
    SELECT billed, duplicate_of IS NULL OR stands_in AS counts FROM invoices WHERE account_id = ? AND vendor_key = ?
"""
# One name after the other: so each last day is the end of an index.
_SET_SUMS = """
    UPDATE vendors SET invoice_count = :count, total = :total, spend = :spend, last_seen = (
        SELECT max(last) FROM (
            SELECT (
                SELECT max(seen_on) FROM invoices WHERE account_id = names.account_id AND vendor_key = names.key
            ) AS last
            FROM (
                SELECT account_id, key FROM vendors WHERE id = :id AND merged_into IS NULL
                UNION ALL SELECT account_id, key FROM vendors WHERE merged_into = :id
            ) AS names
        )
    ) WHERE id = :id
"""


def set_sums(connection: sqlite3.Connection, id: str, count: int, total: Decimal) -> None:
    """Store these sums of a vendor, with the last day of all its names."""
    connection.execute(_SET_SUMS, {"id": id, "count": count, "total": str(total), "spend": float(total)})


def rename(connection: sqlite3.Connection, account_id: str, id: str, name: str | None) -> bool:
    """Call a vendor so; see `Vendors.rename`."""
    row = _find(connection, account_id, id)
    if row is None:
        return False
    connection.execute(_RENAME, (name, folded(name or row["name"]), id))
    return True


def merge(connection: sqlite3.Connection, account_id: str, kept_id: str, merged_id: str) -> bool:
    """Let a vendor count for another one; see `Vendors.merge`."""
    kept, merged = (_find(connection, account_id, id) for id in (kept_id, merged_id))
    if kept is None or merged is None or kept_id == merged_id or kept["merged_into"] is not None:
        return False
    if merged["merged_into"] == kept_id:
        return True
    if merged["merged_into"] is not None:
        split(connection, account_id, merged_id)
        return merge(connection, account_id, kept_id, merged_id)
    connection.execute(_MERGE, {"kept": kept_id, "merged": merged_id})
    connection.execute(_MOVE, {"kept": kept_id, "account": account_id, "merged": merged_id})
    total = Decimal(kept["total"]) + Decimal(merged["total"])
    set_sums(connection, kept_id, kept["invoice_count"] + merged["invoice_count"], total)
    set_sums(connection, merged_id, 0, Decimal(0))
    return True


def split(connection: sqlite3.Connection, account_id: str, id: str) -> bool:
    """Take a vendor out of the one that it was merged into; see `Vendors.split`."""
    row = _find(connection, account_id, id)
    kept = None if row is None or row["merged_into"] is None else _find(connection, account_id, row["merged_into"])
    if row is None or kept is None:
        return False
    connection.execute(_SPLIT, (id,))
    connection.execute(_MOVE_BACK, {"id": id, "account": account_id, "key": row["key"]})
    own = connection.execute(_OF_NAME, (account_id, row["key"])).fetchall()
    total = sum((Decimal(each["billed"]) for each in own if each["counts"]), Decimal(0))
    set_sums(connection, id, len(own), total)
    set_sums(connection, kept["id"], kept["invoice_count"] - len(own), Decimal(kept["total"]) - total)
    return True


def _find(connection: sqlite3.Connection, account_id: str, id: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = connection.execute(_FIND, (account_id, id)).fetchone()
    return row
