"""Vendors: each has its sums, kept up to date by every write that changes an invoice's share in them."""

from decimal import Decimal
from uuid import UUID

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.vendor import NOTHING_KNOWN, Vendor, VendorDetails
from serve_app.store.rows import vendor_from
from serve_app.store.sqlite.connection import Database
from serve_app.store.sqlite.driver import sqlite3

_NAMED = """
    INSERT INTO vendors (id, account_id, key, name, website, email, phone)
    VALUES (:id, :account, :key, :name, :website, :email, :phone)
    ON CONFLICT (account_id, key) DO UPDATE SET
        name = excluded.name, website = coalesce(excluded.website, website),
        email = coalesce(excluded.email, email), phone = coalesce(excluded.phone, phone)
    RETURNING id
"""
_TWIN = "SELECT 1 FROM invoices WHERE account_id = ? AND duplicate_key = ? AND id != ? LIMIT 1"
_SUMS = "SELECT invoice_count, total FROM vendors WHERE account_id = ? AND key = ?"
_SET_SUMS = """
    UPDATE vendors SET invoice_count = :count, total = :total, spend = :spend, last_seen = (
        SELECT max(seen_on) FROM invoices WHERE account_id = :account AND vendor_key = :key
    ) WHERE account_id = :account AND key = :key
"""
_BY_SPEND = """
    SELECT * FROM vendors WHERE account_id = ? AND invoice_count > 0 ORDER BY spend DESC, id LIMIT ?
"""


class SqliteVendors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_spend(self, account_id: UUID, limit: int) -> list[Vendor]:
        rows = await self._database.read(lambda c: c.execute(_BY_SPEND, (str(account_id), limit)).fetchall())
        return [vendor_from(row) for row in rows]


def vendor_of(
    connection: sqlite3.Connection, account_id: str, invoice: Invoice, details: VendorDetails | None
) -> str | None:
    """Part of a write: the id of the invoice's vendor, which takes over this invoice's spelling and details; None if
    the invoice names no vendor."""
    key = normalise_vendor(invoice.vendor_name or "")
    if not key:
        return None
    known = details or NOTHING_KNOWN
    values = {
        "id": str(new_id()),
        "account": account_id,
        "key": key,
        "name": invoice.vendor_name,
        "website": known.website,
        "email": known.email,
        "phone": known.phone,
    }
    return str(connection.execute(_NAMED, values).fetchall()[0]["id"])


def recount(connection: sqlite3.Connection, before: sqlite3.Row, after: sqlite3.Row | None) -> None:
    """Part of a write: update the sums of the vendors after an invoice's row was replaced or removed."""
    _count(connection, before, -1)
    if after is not None:
        _count(connection, after, 1)


def _count(connection: sqlite3.Connection, row: sqlite3.Row, sign: int) -> None:
    account, key = row["account_id"], row["vendor_key"]
    if key is None:
        return
    sums = connection.execute(_SUMS, (account, key)).fetchone()
    # Twins have the same amount, which counts once for all of them: so it is added with the first one and subtracted
    # with the last.
    has_twin = connection.execute(_TWIN, (account, row["duplicate_key"], row["id"])).fetchone() is not None
    total = Decimal(sums["total"]) + (0 if has_twin else sign * Decimal(row["billed"]))
    values = {"count": sums["invoice_count"] + sign, "total": str(total), "spend": float(total)}
    connection.execute(_SET_SUMS, values | {"account": account, "key": key})
