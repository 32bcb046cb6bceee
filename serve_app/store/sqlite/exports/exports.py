"""Exports."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.export import Export, ExportDelivery, NewExport
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import ListPage, page_of
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.exports import delivery_values, export_from, export_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import find_row, update_invoice
from serve_app.store.sqlite.invoices.codec import invoice_from
from serve_app.store.sqlite.invoices.finish import note_event

_FIELDS = """
    id, account_id, format, created_at, created_by, file_name, sha256, size_bytes, settings, notes, has_file,
    delivery, due_at
"""
_ADD = f"""
    INSERT INTO exports ({_FIELDS}, content)
    VALUES (:id, :account_id, :format, :created_at, :created_by, :file_name, :sha256, :size_bytes, :settings, :notes,
        :has_file, :delivery, :due_at, :content)
"""  # noqa: S608
_ADD_INVOICE = "INSERT INTO exported_invoices (export_id, place, invoice_id, account_id) VALUES (?, ?, ?, ?)"
_GET = f"SELECT {_FIELDS} FROM exports WHERE id = ? AND account_id = ?"  # noqa: S608
_PAGE = f"""
    SELECT {_FIELDS} FROM exports
    WHERE account_id = :account AND (:after IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit
"""  # noqa: S608
_CONTENT = "SELECT content FROM exports WHERE id = ? AND account_id = ?"
_INVOICES = "SELECT invoice_id FROM exported_invoices WHERE export_id = ? ORDER BY place"
_DUE = "SELECT id FROM exports WHERE due_at <= :now ORDER BY due_at LIMIT 1"
_CLAIM = f"UPDATE exports SET due_at = :until WHERE id = ({_DUE}) RETURNING {_FIELDS}"  # noqa: S608
_RECORD = """
    UPDATE exports SET delivery = :delivery, due_at = :due_at
    WHERE id = :id AND account_id = :account AND due_at = :claimed
"""
_DELIVER = "UPDATE exports SET due_at = ? WHERE id = ? AND account_id = ? AND delivery IS NOT NULL"
_EMPTY = """
    UPDATE exports SET content = NULL, has_file = 0
    WHERE id IN (SELECT export_id FROM exported_invoices WHERE invoice_id = ?)
"""
_REMOVE_INVOICE = "DELETE FROM exported_invoices WHERE invoice_id = ?"


class SqliteExports:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, new: NewExport) -> bool:
        return await self._database.write(lambda connection: _add(connection, new))

    async def get(self, account_id: UUID, export_id: UUID) -> Export | None:
        def find(connection: sqlite3.Connection) -> Export | None:
            row = connection.execute(_GET, (str(export_id), str(account_id))).fetchone()
            return None if row is None else _export(connection, row)

        return await self._database.read(find)

    async def content(self, account_id: UUID, export_id: UUID) -> bytes | None:
        values = (str(export_id), str(account_id))
        row = await self._database.read(lambda c: c.execute(_CONTENT, values).fetchone())
        return None if row is None else row["content"]

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None) -> ListPage[Export]:
        values = {"account": str(account_id), "after": after and str(after), "limit": limit + 1}

        def find(connection: sqlite3.Connection) -> list[Export]:
            return [_export(connection, row) for row in connection.execute(_PAGE, values).fetchall()]

        return page_of(await self._database.read(find), limit)

    async def claim_delivery(self, now: datetime, until: datetime) -> Export | None:
        values = {"now": to_micros(now), "until": to_micros(until)}

        def claim(connection: sqlite3.Connection) -> Export | None:
            row = connection.execute(_CLAIM, values).fetchone()
            return None if row is None else _export(connection, row)

        # Mostly there is none, and a write costs a disk sync.
        if await self._database.read(lambda c: c.execute(_DUE, values).fetchone()) is None:
            return None
        return await self._database.write(claim)

    async def record_delivery(self, claimed: Export, delivery: ExportDelivery) -> bool:
        this = {"id": str(claimed.id), "account": str(claimed.account_id)}
        values = this | delivery_values(delivery) | {"claimed": delivery_values(claimed.delivery)["due_at"]}
        return await self._database.write(lambda c: c.execute(_RECORD, values).rowcount == 1)

    async def deliver_again(self, account_id: UUID, export_id: UUID, now: datetime) -> bool:
        values = to_micros(now), str(export_id), str(account_id)
        return await self._database.write(lambda c: c.execute(_DELIVER, values).rowcount == 1)

    async def unlock(self, account_id: UUID, invoice_id: UUID, now: datetime) -> Invoice | None:
        def unlock(connection: sqlite3.Connection) -> Invoice | None:
            row = find_row(connection, account_id, invoice_id)
            if row is None or row["export_id"] is None:
                return None if row is None else invoice_from(row)
            return _mark(connection, row, None, now)

        return await self._database.write(unlock)


def forget_invoice(connection: sqlite3.Connection, invoice_id: str) -> None:
    """Part of a write: remove an invoice from its exports, and their files, which contain its values."""
    for query in (_EMPTY, _REMOVE_INVOICE):
        connection.execute(query, (invoice_id,))


def _add(connection: sqlite3.Connection, new: NewExport) -> bool:
    export, account = new.export, str(new.export.account_id)
    rows = [find_row(connection, account, id) for id in export.invoices]
    found = [row for row in rows if row is not None and _is_as_seen(row, new)]
    if len(found) < len(rows):
        return False
    connection.execute(_ADD, {"id": str(export.id), **export_row(export), "content": new.content})
    for place, row in enumerate(found):
        connection.execute(_ADD_INVOICE, (str(export.id), place, row["id"], account))
        # An invoice that is exported once more stays marked as in its first export.
        if row["export_id"] is None:
            _mark(connection, row, export.id, export.created_at)
    return True


def _is_as_seen(row: sqlite3.Row, new: NewExport) -> bool:
    is_free = new.is_repeated or row["export_id"] is None
    return is_free and row["updated_at"] == to_micros(new.seen[UUID(row["id"])])


def _mark(connection: sqlite3.Connection, row: sqlite3.Row, export_id: UUID | None, now: datetime) -> Invoice:
    values = {"export_id": export_id and str(export_id), "updated_at": to_micros(now)}
    changed = update_invoice(connection, row, values)
    return note_event(connection, changed, now, EventType.UPDATED)


def _export(connection: sqlite3.Connection, row: sqlite3.Row) -> Export:
    invoices = connection.execute(_INVOICES, (row["id"],)).fetchall()
    return export_from(dict(row), (each["invoice_id"] for each in invoices))
