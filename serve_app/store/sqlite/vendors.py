"""Vendors: each has its sums, kept up to date by every write that changes an invoice's share in them."""

import json
from collections.abc import Collection, Mapping
from decimal import Decimal
from uuid import UUID

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.folding import folded
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import ListPage, page_of
from serve_app.domain.vendor import NOTHING_KNOWN, MonthSpend, Vendor, VendorDetails
from serve_app.store.rows import month_spends, vendor_from
from serve_app.store.sqlite.connection import Database
from serve_app.store.sqlite.driver import sqlite3

_NAMED = """
    INSERT INTO vendors (id, account_id, key, name, name_folded, website, email, phone)
    VALUES (:id, :account, :key, :name, :folded, :website, :email, :phone)
    ON CONFLICT (account_id, key) DO UPDATE SET
        name = excluded.name, name_folded = excluded.name_folded, website = coalesce(excluded.website, website),
        email = coalesce(excluded.email, email), phone = coalesce(excluded.phone, phone)
    RETURNING id
"""
_TWIN = """
    SELECT 1 FROM invoices
    WHERE account_id = ? AND duplicate_key = ? AND id != ? AND review_status != 'rejected' LIMIT 1
"""
_SUMS = "SELECT invoice_count, total FROM vendors WHERE account_id = ? AND key = ?"
_SET_SUMS = """
    UPDATE vendors SET invoice_count = :count, total = :total, spend = :spend, last_seen = (
        SELECT max(seen_on) FROM invoices WHERE account_id = :account AND vendor_key = :key
    ) WHERE account_id = :account AND key = :key
"""
_BY_SPEND = """
    SELECT * FROM vendors WHERE account_id = ? AND invoice_count > 0 ORDER BY spend DESC, id LIMIT ?
"""
_AFTER = "spend <= last_spend AND (spend < last_spend OR id > last_id)"
_HAS_PART = "instr(name_folded, :part) > 0"
# The index has all that is asked for: rows are read only once they are known to be on the page.
_PAGE = """
    SELECT * FROM vendors WHERE id IN (
        SELECT id FROM vendors INDEXED BY vendors_by_spend {after}
        WHERE account_id = :account AND invoice_count > 0 AND {conditions}
        ORDER BY spend DESC, id LIMIT :limit
    ) ORDER BY spend DESC, id
"""
_GET = "SELECT * FROM vendors WHERE account_id = ? AND id = ? AND invoice_count > 0"
# First the vendors, by their ids: SQLite would rather go through all invoices.
_SPEND = """
    SELECT vendors.id AS vendor_id, substr(seen_on, 1, 7) AS month, currency, billed
    FROM vendors CROSS JOIN invoices ON invoices.account_id = vendors.account_id AND vendor_key = vendors.key
    WHERE +vendors.account_id = :account AND vendors.id IN (SELECT value FROM json_each(:vendors))
        AND vendor_key IS NOT NULL AND (duplicate_of IS NULL OR stands_in) AND review_status != 'rejected'
"""


class SqliteVendors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_spend(self, account_id: UUID, limit: int) -> list[Vendor]:
        rows = await self._database.read(lambda c: c.execute(_BY_SPEND, (str(account_id), limit)).fetchall())
        return [vendor_from(row) for row in rows]

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None, part: str = "") -> ListPage[Vendor]:
        if after is None and not part:
            return page_of(await self.by_spend(account_id, limit + 1), limit)
        values = {"account": str(account_id), "after": str(after), "limit": limit + 1, "part": folded(part)}
        last = ", (SELECT spend AS last_spend, id AS last_id FROM vendors WHERE id = :after)" if after else ""
        conditions = " AND ".join([_AFTER] * bool(after) + [_HAS_PART] * bool(part))
        statement = _PAGE.format(after=last, conditions=conditions)
        rows = await self._database.rows(statement, values, is_search=bool(part))
        return page_of([vendor_from(row) for row in rows], limit)

    async def get(self, account_id: UUID, vendor_id: UUID) -> Vendor | None:
        values = (str(account_id), str(vendor_id))
        row = await self._database.read(lambda c: c.execute(_GET, values).fetchone())
        return None if row is None else vendor_from(row)

    async def spend(self, account_id: UUID, vendor_ids: Collection[UUID]) -> Mapping[UUID, list[MonthSpend]]:
        values = {"account": str(account_id), "vendors": json.dumps([str(id) for id in vendor_ids])}
        rows = await self._database.rows(_SPEND, values, is_search=True)
        # Summed here, because SQLite has no exact sums of decimals.
        named = ("vendor_id", "month", "currency")
        return month_spends((*(row[name] for name in named), 1, Decimal(row["billed"])) for row in rows)


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
        "folded": folded(invoice.vendor_name or ""),
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
    # Twins have the same amount, which counts once for all that are not rejected: so it is added with the first one and
    # subtracted with the last.
    has_twin = connection.execute(_TWIN, (account, row["duplicate_key"], row["id"])).fetchone() is not None
    total = Decimal(sums["total"]) + (0 if has_twin else sign * Decimal(row["billed"]))
    values = {"count": sums["invoice_count"] + sign, "total": str(total), "spend": float(total)}
    connection.execute(_SET_SUMS, values | {"account": account, "key": key})
