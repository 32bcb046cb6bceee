"""Invoices as their account sees and changes them."""

import json
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.domain.approval import ApprovalTimes
from serve_app.domain.earlier_invoice import EarlierInvoice
from serve_app.domain.errors import NotComplete
from serve_app.domain.event import EventType
from serve_app.domain.invoice import ApprovalStatus, Invoice
from serve_app.domain.query import InvoiceQuery, ListPage, Order, Position, SortKey, Total, page_of
from serve_app.domain.record import Amendment, InvoiceRecord
from serve_app.store.base.invoices import MOST_MODELS
from serve_app.store.rows.codec import optional_moment, to_micros
from serve_app.store.rows.earlier_invoices import earlier_query
from serve_app.store.rows.invoices import change_ids_from, document_of, with_change
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import find_row, update_invoice
from serve_app.store.sqlite.invoices.codec import earlier_from, invoice_from, record_from
from serve_app.store.sqlite.invoices.finish import note_event
from serve_app.store.sqlite.invoices.pages import SUM_UNITS, invoice_page, invoice_totals, sorted_ids
from serve_app.store.sqlite.invoices.text_search import trigrams_if_few_have_them
from serve_app.store.sqlite.retention.erased_ids import was_erased

_ROW = "SELECT * FROM invoices WHERE id = ?"
# Steps from one value to the next: it does not matter how many invoices have it.
_MODELS = """
    WITH RECURSIVE known (models) AS (
        SELECT min(models) FROM invoices WHERE account_id = :account AND models IS NOT NULL
        UNION ALL
        SELECT (SELECT min(models) FROM invoices WHERE account_id = :account AND models > known.models)
        FROM known WHERE known.models IS NOT NULL
        LIMIT :most + 1
    )
    SELECT models FROM known WHERE models IS NOT NULL LIMIT :most
"""
_APPROVAL_TIMES = """
    SELECT id, approval_asked_at, approval_answered_at FROM invoices
    WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))
"""
_OF_FILE = """
    SELECT * FROM invoices WHERE account_id = ? AND sha256 = ? AND created_at >= ? ORDER BY created_at, id LIMIT 1
"""


class SqliteInvoices:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice | None:
        row = await self._database.read(lambda c: find_row(c, account_id, invoice_id))
        return None if row is None else invoice_from(row)

    async def find_record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord | None:
        row = await self._database.read(lambda c: find_row(c, account_id, invoice_id))
        return None if row is None else record_from(row)

    async def account_of(self, invoice_id: UUID) -> UUID | None:
        row = await self._database.read(lambda c: c.execute(_ROW, (str(invoice_id),)).fetchone())
        return None if row is None else UUID(row["account_id"])

    async def is_or_was(self, account_id: UUID, invoice_id: UUID) -> bool:
        def known(connection: sqlite3.Connection) -> bool:
            found = find_row(connection, account_id, invoice_id) is not None
            return found or was_erased(connection, account_id, invoice_id)

        return await self._database.read(known)

    async def of_file(self, account_id: UUID, sha256: str, since: datetime) -> Invoice | None:
        values = (str(account_id), sha256, to_micros(since))
        row = await self._database.read(lambda c: c.execute(_OF_FILE, values).fetchone())
        return None if row is None else invoice_from(row)

    async def page(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Invoice]:
        def find(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            few = trigrams_if_few_have_them(connection, query)
            return connection.execute(*invoice_page(account_id, query, limit + 1, after, few)).fetchall()

        is_filtered = query != InvoiceQuery(overdue_on=query.overdue_on)
        rows = await (self._database.search(find) if is_filtered else self._database.read(find))
        return page_of([invoice_from(row) for row in rows], limit)

    async def earlier(self, account_id: UUID, vendor_id: UUID, most: int) -> list[EarlierInvoice]:
        page = invoice_page(account_id, earlier_query(vendor_id), most, None)
        rows = await self._database.search(lambda connection: connection.execute(*page).fetchall())
        return [earlier_from(row) for row in rows]

    async def sorted_page(
        self, account_id: UUID, query: InvoiceQuery, order: Order, limit: int, after: Position | None = None
    ) -> ListPage[Invoice]:
        def find(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            few = trigrams_if_few_have_them(connection, query)
            found: list[sqlite3.Row] = []
            halves = (True, False) if after is None or after.value is not None else (False,)
            # Every invoice has a moment of change.
            for have_value in (True,) if order.key is SortKey.UPDATED else halves:
                place = after if after is not None and have_value == (after.value is not None) else None
                left = limit + 1 - len(found)
                ids = sorted_ids(account_id, query, order, left, place, have_value=have_value, trigrams=few)
                found += connection.execute(*ids).fetchall()
            # One by one, because a join would lose the order.
            return [connection.execute(_ROW, (row["id"],)).fetchone() for row in found]

        rows = await self._database.search(find)
        return page_of([invoice_from(row) for row in rows], limit)

    async def models(self, account_id: UUID) -> list[str]:
        rows = await self._database.rows(_MODELS, {"account": str(account_id), "most": MOST_MODELS}, is_search=True)
        return [row["models"] for row in rows]

    async def totals(self, account_id: UUID, query: InvoiceQuery, at_most: int) -> list[Total]:
        def find(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            few = trigrams_if_few_have_them(connection, query)
            return connection.execute(*invoice_totals(account_id, query, at_most, few)).fetchall()

        rows = await self._database.search(find)
        return [Total(row["currency"], row["count"], Decimal(row["amount"] or 0) / SUM_UNITS) for row in rows]

    async def amend(
        self,
        account_id: UUID,
        invoice_id: UUID,
        amendment: Amendment,
        now: datetime,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        def change(row: sqlite3.Row) -> dict[str, Any]:
            values: dict[str, Any] = {"entity_tag": amendment.entity_tag} if amendment.sets_tag else {}
            if amendment.batch is not None:
                values["document"] = document_of(invoice_from(row).model_copy(update={"batch": amendment.batch}))
            if amendment.paid is None:
                return values
            _check_complete(row)
            since = row["paid_at"] or to_micros(now)
            return values | {"paid": amendment.paid, "paid_at": since if amendment.paid else None}

        return await self._change(account_id, invoice_id, change, now, change_id)

    async def request_approval(
        self,
        account_id: UUID,
        invoice_id: UUID,
        email: str,
        token_hash: str,
        now: datetime,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        def change(row: sqlite3.Row) -> dict[str, Any]:
            _check_complete(row)
            return {
                "approval_status": ApprovalStatus.REQUESTED,
                "approval_email": email,
                "approval_token": token_hash,
                "approval_asked_at": to_micros(now),
                "approval_answered_at": None,
            }

        return await self._change(account_id, invoice_id, change, now, change_id)

    async def find_approval(self, account_id: UUID, invoice_id: UUID, token_hash: str) -> Invoice | None:
        row = await self._database.read(lambda c: find_row(c, account_id, invoice_id))
        return None if row is None or row["approval_token"] != token_hash else invoice_from(row)

    async def answer_approval(
        self, account_id: UUID, invoice_id: UUID, token_hash: str, approved: bool, now: datetime
    ) -> Invoice | None:
        answer = ApprovalStatus.APPROVED if approved else ApprovalStatus.REJECTED

        def change(row: sqlite3.Row) -> dict[str, Any] | None:
            if row["approval_token"] != token_hash:
                return None
            return {"approval_status": answer, "approval_token": None, "approval_answered_at": to_micros(now)}

        return await self._change(account_id, invoice_id, change, now)

    async def withdraw_approval(self, account_id: UUID, invoice_id: UUID, now: datetime) -> Invoice | None:
        def change(row: sqlite3.Row) -> dict[str, Any] | None:
            is_open = row["approval_status"] == ApprovalStatus.REQUESTED
            return dict.fromkeys(("approval_status", "approval_email", "approval_token")) if is_open else None

        return await self._change(account_id, invoice_id, change, now)

    async def approval_times(self, account_id: UUID, invoice_ids: Collection[UUID]) -> Mapping[UUID, ApprovalTimes]:
        values = (str(account_id), json.dumps([str(id) for id in invoice_ids]))
        rows = await self._database.read(lambda c: c.execute(_APPROVAL_TIMES, values).fetchall())
        return {
            UUID(row["id"]): ApprovalTimes(
                optional_moment(row["approval_asked_at"]), optional_moment(row["approval_answered_at"])
            )
            for row in rows
        }

    async def _change(
        self,
        account_id: UUID,
        invoice_id: UUID,
        change: Callable[[sqlite3.Row], dict[str, Any] | None],
        now: datetime,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        """Set the values that `change` returns for the row, and note an event if the invoice differs then. None if
        there is no row or `change` returns None. A change that is recorded already is not made again."""

        def write(connection: sqlite3.Connection) -> Invoice | None:
            row = find_row(connection, account_id, invoice_id)
            if row is not None and change_id in change_ids_from(row["change_ids"]):
                return invoice_from(row)
            values = None if row is None else change(row)
            if row is None or values is None:
                return None
            recorded = with_change(row["change_ids"], change_id)
            changed = update_invoice(connection, row, values | recorded | {"updated_at": to_micros(now)})
            if invoice_from(changed).differs_from(invoice_from(row)):
                note_event(connection, changed, now, EventType.UPDATED)
            return invoice_from(changed)

        return await self._database.write(write)


def _check_complete(row: sqlite3.Row) -> None:
    if row["status"] != "complete":
        raise NotComplete
