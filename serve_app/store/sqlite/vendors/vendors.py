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
from serve_app.domain.vendor import (
    NOTHING_KNOWN,
    IdentifierKind,
    MergedVendor,
    MonthSpend,
    Vendor,
    VendorDetails,
    VendorIdentifier,
)
from serve_app.store.rows.columns import identifiers_of, month_spends, vendor_from
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.vendors.groups import merge, rename, set_sums, split

_NAMED = """
    INSERT INTO vendors (id, account_id, key, name, name_folded, website, email, phone)
    VALUES (:id, :account, :key, :name, :folded, :website, :email, :phone)
    ON CONFLICT (account_id, key) DO UPDATE SET
        name = excluded.name, name_folded = iif(called IS NULL, excluded.name_folded, name_folded),
        website = coalesce(excluded.website, website), email = coalesce(excluded.email, email),
        phone = coalesce(excluded.phone, phone)
    RETURNING ifnull(merged_into, id) AS id
"""
_DUPLICATE = """
    SELECT 1 FROM invoices
    WHERE account_id = ? AND duplicate_key = ? AND id != ? AND review_status != 'rejected' LIMIT 1
"""
# The sums are those of the vendor that the one with the key was merged into.
_SUMS = """
    SELECT id, invoice_count, total FROM vendors WHERE id = (
        SELECT ifnull(merged_into, id) FROM vendors WHERE account_id = ? AND key = ?
    )
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
    WITH names (vendor_id, key) AS (
        SELECT id, key FROM vendors
        WHERE +account_id = :account AND id IN (SELECT value FROM json_each(:vendors))
        UNION ALL
        SELECT merged_into, key FROM vendors
        WHERE +account_id = :account AND merged_into IN (SELECT value FROM json_each(:vendors))
    )
    SELECT names.vendor_id, substr(seen_on, 1, 7) AS month, currency, billed
    FROM names CROSS JOIN invoices ON invoices.account_id = :account AND vendor_key = names.key
    WHERE vendor_key IS NOT NULL AND (duplicate_of IS NULL OR stands_in) AND review_status != 'rejected'
"""

# What invoices print is in their documents, and in an index.
_PRINTED = {
    IdentifierKind.IBAN: ("document ->> '$.details.iban'", "invoices_by_iban"),
    IdentifierKind.TAX_NUMBER: ("document ->> '$.details.vendor_tax_id'", "invoices_by_tax_number"),
}
_IDENTIFIERS = """
    SELECT vendor_id, document ->> '$.details.iban' AS iban, document ->> '$.details.vendor_tax_id' AS tax_number,
        details ->> '$.website' AS website, details ->> '$.email' AS email,
        min(seen_on) AS first, max(seen_on) AS last, count(*) AS number
    FROM invoices INDEXED BY invoices_identified
    WHERE account_id = :account AND vendor_id IN (SELECT value FROM json_each(:vendors))
        AND seen_on IS NOT NULL AND review_status != 'rejected'
    GROUP BY 1, 2, 3, 4, 5
"""
_IDENTIFIED = """
    SELECT DISTINCT vendor_id FROM invoices INDEXED BY {index}
    WHERE account_id = :account AND {printed} = :value AND vendor_id != :besides AND review_status != 'rejected'
    LIMIT 2
"""
_MERGED = """
    SELECT id, name, called FROM vendors WHERE +account_id = ? AND merged_into = ? ORDER BY name_folded, id
"""
_KEPT_ID = "SELECT merged_into FROM vendors WHERE account_id = ? AND id = ? AND merged_into IS NOT NULL"
_ID_OF = "SELECT ifnull(merged_into, id) AS id FROM vendors WHERE account_id = ? AND key = ?"
_KEYS_ALIKE = """
    WITH kept (id) AS (
        SELECT DISTINCT ifnull(merged_into, id) FROM vendors
        WHERE account_id = :account AND key IN (SELECT value FROM json_each(:keys))
    ), merged (id) AS (SELECT id FROM kept WHERE id IN (SELECT merged_into FROM vendors WHERE merged_into IS NOT NULL))
    SELECT key FROM vendors WHERE id IN merged UNION SELECT key FROM vendors WHERE merged_into IN merged
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

    async def identifiers(
        self, account_id: UUID, vendor_ids: Collection[UUID]
    ) -> Mapping[UUID, list[VendorIdentifier]]:
        values = {"account": str(account_id), "vendors": json.dumps([str(id) for id in vendor_ids])}
        return identifiers_of(map(dict, await self._database.rows(_IDENTIFIERS, values, is_search=True)))

    async def identified_by(
        self, account_id: UUID, kind: IdentifierKind, value: str, besides: UUID | None = None
    ) -> UUID | None:
        printed, index = _PRINTED[kind]
        statement = _IDENTIFIED.format(printed=printed, index=index)
        values = {"account": str(account_id), "value": value, "besides": str(besides)}
        rows = await self._database.rows(statement, values, is_search=True)
        return UUID(rows[0]["vendor_id"]) if len(rows) == 1 else None

    async def rename(self, account_id: UUID, vendor_id: UUID, name: str | None) -> bool:
        return await self._database.write(lambda c: rename(c, str(account_id), str(vendor_id), name))

    async def merge(self, account_id: UUID, kept_id: UUID, merged_id: UUID) -> bool:
        return await self._database.write(lambda c: merge(c, str(account_id), str(kept_id), str(merged_id)))

    async def split(self, account_id: UUID, merged_id: UUID) -> bool:
        return await self._database.write(lambda c: split(c, str(account_id), str(merged_id)))

    async def merged(self, account_id: UUID, kept_id: UUID) -> list[MergedVendor]:
        values = (str(account_id), str(kept_id))
        rows = await self._database.read(lambda c: c.execute(_MERGED, values).fetchall())
        return [MergedVendor(UUID(row["id"]), row["called"] or row["name"]) for row in rows]

    async def kept_id(self, account_id: UUID, vendor_id: UUID) -> UUID:
        values = (str(account_id), str(vendor_id))
        row = await self._database.read(lambda c: c.execute(_KEPT_ID, values).fetchone())
        return vendor_id if row is None else UUID(row["merged_into"])

    async def id_of(self, account_id: UUID, key: str) -> UUID | None:
        row = await self._database.read(lambda c: c.execute(_ID_OF, (str(account_id), key)).fetchone())
        return None if row is None else UUID(row["id"])

    async def keys_alike(self, account_id: UUID, keys: Collection[str]) -> set[str]:
        return await self._database.read(lambda connection: keys_alike(connection, str(account_id), keys))


def keys_alike(connection: sqlite3.Connection, account_id: str, keys: Collection[str]) -> set[str]:
    """Part of a read: see `Vendors.keys_alike`."""
    values = {"account": account_id, "keys": json.dumps(list(keys))}
    return {row["key"] for row in connection.execute(_KEYS_ALIKE, values).fetchall()}


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
    # Duplicates have the same amount, which counts once for all that are not rejected: it is added with the first and
    # subtracted with the last.
    has_duplicate = connection.execute(_DUPLICATE, (account, row["duplicate_key"], row["id"])).fetchone() is not None
    total = Decimal(sums["total"]) + (0 if has_duplicate else sign * Decimal(row["billed"]))
    set_sums(connection, sums["id"], sums["invoice_count"] + sign, total)
