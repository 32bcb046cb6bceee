"""Intake of documents."""

from datetime import datetime
from uuid import UUID, uuid4

from serve_app.domain.errors import InvoiceContended
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord, queued_again
from serve_app.domain.reservation import Reservation
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.rows.invoices import change_ids_from, with_change
from serve_app.store.sqlite.accounts.limits import give_back_unit, take_unit
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import find_row, insert_invoice
from serve_app.store.sqlite.invoices.codec import invoice_from
from serve_app.store.sqlite.invoices.finish import change
from serve_app.store.sqlite.queue.slots import ConcurrencySlots

_RESERVE = """
    INSERT INTO reservations (invoice_id, account_id, file_key, month, run, made_at, token)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_GET = "SELECT * FROM reservations WHERE invoice_id = ?"
_USE = "DELETE FROM reservations WHERE invoice_id = ? AND month IS NOT NULL"
_WITHOUT_UNIT = "UPDATE reservations SET month = NULL WHERE invoice_id = ?"
_END = "DELETE FROM reservations WHERE invoice_id = ?"
_STALE = "SELECT * FROM reservations WHERE made_at < ? ORDER BY made_at LIMIT ?"
_RUNS = "SELECT runs FROM invoices WHERE id = ?"
_HAS_INVOICE = "SELECT 1 FROM invoices WHERE file_key = ? LIMIT 1"


class SqliteIntake:
    def __init__(self, database: Database, slots: ConcurrencySlots) -> None:
        self._database = database
        self._slots = slots

    async def reserve(self, record: InvoiceRecord, month: datetime, limit: int | None) -> Reservation:
        invoice_id, account_id, now = record.invoice.id, record.account_id, self._slots.clock()
        reservation = Reservation(invoice_id, account_id, record.file_key, month, 1, now, token=uuid4().hex)

        def reserve(connection: sqlite3.Connection) -> None:
            _take_over(connection, str(invoice_id))
            take_unit(connection, str(account_id), month, limit)
            note(connection, reservation)

        await self._database.write(reserve)
        return reservation

    async def add(self, record: InvoiceRecord) -> None:
        def add(connection: sqlite3.Connection) -> None:
            if connection.execute(_USE, (str(record.invoice.id),)).rowcount == 0:
                raise InvoiceContended
            row = insert_invoice(connection, record)
            self._slots.fill(connection, row["account_id"])

        await self._database.write(add)

    async def rerun(
        self,
        invoice: Invoice,
        account_id: UUID,
        month: datetime,
        limit: int | None,
        trace: str | None = None,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        def rerun(connection: sqlite3.Connection) -> Invoice | None:
            row = find_row(connection, account_id, invoice.id)
            if row is not None and change_id in change_ids_from(row["change_ids"]):
                return invoice_from(row)
            is_there = row is not None and row["document_gone_at"] is None
            if row is None or not is_there or invoice_from(row) != invoice or not invoice.is_finished:
                return None
            take_unit(connection, row["account_id"], month, limit)
            queued = queued_again(invoice, self._slots.clock())
            more = {
                "runs": row["runs"] + 1,
                "attempt": row["attempt"] + 1,
                "trace": trace,
                "pair": None,
                "queued_at": to_micros(queued.updated_at),
                **with_change(row["change_ids"], change_id),
            }
            row = change(connection, row, queued, more)
            self._slots.fill(connection, row["account_id"])
            return invoice_from(row)

        return await self._database.write(rerun)

    async def stale(self, before: datetime, limit: int) -> list[Reservation]:
        rows = await self._database.read(lambda c: c.execute(_STALE, (to_micros(before), limit)).fetchall())
        return [_reservation_from(row) for row in rows]

    async def has_invoice(self, file_key: str) -> bool:
        return await self._database.read(lambda c: c.execute(_HAS_INVOICE, (file_key,)).fetchone() is not None)

    async def give_up(self, reservation: Reservation) -> bool:
        def give_up(connection: sqlite3.Connection) -> bool:
            row = _find(connection, str(reservation.invoice_id))
            if row is not None and not _is_of(row, reservation):
                raise InvoiceContended
            if row is not None:
                _settle_unit(connection, row)
                connection.execute(_WITHOUT_UNIT, (row["invoice_id"],))
            return connection.execute(_HAS_INVOICE, (reservation.file_key,)).fetchone() is None

        return await self._database.write(give_up)

    async def cancel(self, reservation: Reservation) -> None:
        def cancel(connection: sqlite3.Connection) -> None:
            row = _find(connection, str(reservation.invoice_id))
            if row is not None and _is_of(row, reservation):
                _settle_unit(connection, row)
                connection.execute(_END, (row["invoice_id"],))

        await self._database.write(cancel)


def _take_over(connection: sqlite3.Connection, invoice_id: str) -> None:
    """End the reservation that an interrupted request for the same invoice left; that request may even still be
    running."""
    left = _find(connection, invoice_id)
    is_given_up = left is not None and left["month"] is None
    if is_given_up or connection.execute(_RUNS, (invoice_id,)).fetchone() is not None:
        raise InvoiceContended
    if left is not None:
        give_back_unit(connection, left["account_id"], left["month"])
        connection.execute(_END, (invoice_id,))


def _find(connection: sqlite3.Connection, invoice_id: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = connection.execute(_GET, (invoice_id,)).fetchone()
    return row


def _is_of(row: sqlite3.Row, reservation: Reservation) -> bool:
    """False if a later request has taken over."""
    return (row["made_at"], row["token"]) == (to_micros(reservation.made_at), reservation.token)


def _settle_unit(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    """Give the reservation's unit back if it has one, unless its run was queued."""
    if row["month"] is None:
        return
    found = connection.execute(_RUNS, (row["invoice_id"],)).fetchone()
    if found is None or found["runs"] < row["run"]:
        give_back_unit(connection, row["account_id"], row["month"])


def note(connection: sqlite3.Connection, reservation: Reservation) -> None:
    """Part of a write: add the reservation."""
    values = (
        *(str(reservation.invoice_id), str(reservation.account_id), reservation.file_key),
        *(optional_micros(reservation.month), reservation.run, to_micros(reservation.made_at), reservation.token),
    )
    connection.execute(_RESERVE, values)


def _reservation_from(row: sqlite3.Row) -> Reservation:
    return Reservation(
        invoice_id=UUID(row["invoice_id"]),
        account_id=UUID(row["account_id"]),
        file_key=row["file_key"],
        month=optional_moment(row["month"]),
        run=row["run"],
        made_at=from_micros(row["made_at"]),
        token=row["token"],
    )
