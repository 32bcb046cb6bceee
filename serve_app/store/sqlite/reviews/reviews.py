"""What people say about invoices."""

from datetime import datetime
from typing import Any
from uuid import UUID

from serve_app.domain.errors import NotComplete, ReviewChanged
from serve_app.domain.event import EventType
from serve_app.domain.export import refuse_change_of_exported
from serve_app.domain.ids import first_id_at
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import as_read
from serve_app.store.base.reviews import NewReview
from serve_app.store.rows.charts import coding_fields
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.invoices import review_from, review_text
from serve_app.store.rows.own_fields import own_example_fields
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.rows import find_row
from serve_app.store.sqlite.invoices.codec import invoice_from, record_from
from serve_app.store.sqlite.invoices.finish import change, note_event
from serve_app.store.sqlite.reviews.memory import write_example
from serve_app.store.sqlite.vendors.vendors import vendor_of

_DECIDED = """
    SELECT * FROM invoices INDEXED BY invoices_reviewed
    WHERE account_id = :account AND reviewed_at >= :at AND (reviewed_at > :at OR id > :id)
    ORDER BY reviewed_at, id LIMIT :limit
"""
_UNSEEN = """
    SELECT count(*) AS number FROM (
        SELECT 1 FROM invoices INDEXED BY invoices_unseen
        WHERE account_id = :account AND id >= :first
            AND status = 'complete' AND needs_person = 0 AND review_status = 'open'
        LIMIT :most
    )
"""


class SqliteReviews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, account_id: UUID, invoice_id: UUID, new: NewReview) -> InvoiceRecord | None:
        def save(connection: sqlite3.Connection) -> InvoiceRecord | None:
            row = find_row(connection, account_id, invoice_id)
            if row is None:
                return None
            saved = _save(connection, row, new)
            write_example(connection, row, new.example)
            return saved

        return await self._database.write(save)

    async def decided(
        self, account_id: UUID, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[InvoiceRecord]:
        at, id = (to_micros(after[0]), str(after[1])) if after else (-1, "")
        values = {"account": str(account_id), "at": at, "id": id, "limit": limit}
        rows = await self._database.rows(_DECIDED, values, is_search=True)
        return [record_from(row) for row in rows]

    async def unseen(self, account_id: UUID, since: datetime, at_most: int) -> int:
        values = {"account": str(account_id), "first": str(first_id_at(since)), "most": at_most}
        (row,) = await self._database.rows(_UNSEEN, values, is_search=True)
        return int(row["number"])


def _save(connection: sqlite3.Connection, row: sqlite3.Row, new: NewReview) -> InvoiceRecord:
    if row["status"] != "complete":
        raise NotComplete
    said = review_from(row)
    if record_from(row).review_revision != new.over:
        raise ReviewChanged
    before = invoice_from(row)
    invoice, kept = new.over_read(as_read(before, said))
    refuse_change_of_exported(before, invoice)
    more: dict[str, Any] = {"review": review_text(kept), "updated_at": to_micros(new.at)}
    more |= coding_fields(new) | own_example_fields(new)
    if invoice.vendor_name != before.vendor_name:
        more["vendor_id"] = vendor_of(connection, row["account_id"], invoice, None)
    changed = change(connection, row, invoice, more)
    for type in (EventType.UPDATED, *([EventType.REVIEWED] if new.emits_event else [])):
        note_event(connection, changed, new.at, type)
    return record_from(changed)
