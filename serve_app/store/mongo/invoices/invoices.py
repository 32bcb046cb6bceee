"""Invoices as their account sees and changes them."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec
from pymongo import ASCENDING, DESCENDING, ReturnDocument

from serve_app.domain.approval import ApprovalTimes
from serve_app.domain.earlier_invoice import EarlierInvoice
from serve_app.domain.errors import NotComplete
from serve_app.domain.event import EventType
from serve_app.domain.invoice import ApprovalStatus, Invoice, Status
from serve_app.domain.query import InvoiceQuery, ListPage, Order, Position, SortKey, Total, page_of
from serve_app.domain.record import Amendment, InvoiceRecord
from serve_app.store.base.invoices import MOST_MODELS
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.invoices.codec import invoice_from, record_from
from serve_app.store.mongo.invoices.filters import invoice_filter
from serve_app.store.mongo.invoices.finish import event_about
from serve_app.store.mongo.invoices.text_search import rare_trigram
from serve_app.store.mongo.queue.outbox_entries import entry_of_event
from serve_app.store.mongo.retention.erased_ids import was_erased
from serve_app.store.rows.codec import optional_moment, to_micros
from serve_app.store.rows.earlier_invoices import ComparedValues, earlier_from, earlier_query
from serve_app.store.rows.invoices import change_ids_from, with_change

_HIDDEN = {"outbox": 0, "trigrams": 0}
# What is compared of earlier invoices: without tables, own fields and where each value stands.
_COMPARED = {
    **dict.fromkeys(("created_at", "source"), 1),
    **{
        f"document.{name}": 1
        for name in (
            *("vendor_name", "invoice_number", "amount", "tax", "currency", "issued_at", "checks"),
            *("details.iban", "details.vendor_tax_id", "batch.id"),
        )
    },
}
_SORTED_BY = {
    SortKey.AMOUNT: "amount",
    SortKey.DUE: "due_at",
    SortKey.ISSUED: "document.issued_at",
    SortKey.VENDOR: "vendor_folded",
    SortKey.UPDATED: "updated_at",
}
Change = Callable[[Row], Row | None]


class MongoInvoices:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice | None:
        record = await self.find_record(account_id, invoice_id)
        return None if record is None else record.invoice

    async def find_record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord | None:
        query = {"_id": str(invoice_id), "account_id": str(account_id)}
        row = await self._database.read_confirmed(lambda collections: collections.invoices.find_one(query, _HIDDEN))
        return None if row is None else record_from(row)

    async def account_of(self, invoice_id: UUID) -> UUID | None:
        query, wanted = {"_id": str(invoice_id)}, {"account_id": 1}
        row = await self._database.read(lambda collections: collections.invoices.find_one(query, wanted))
        return None if row is None else UUID(row["account_id"])

    async def is_or_was(self, account_id: UUID, invoice_id: UUID) -> bool:
        async def known(collections: Collections) -> bool:
            query = {"_id": str(invoice_id), "account_id": str(account_id)}
            found = await collections.invoices.find_one(query, {"_id": 1}) is not None
            return found or await was_erased(collections, account_id, invoice_id)

        return await self._database.read(known)

    async def of_file(self, account_id: UUID, sha256: str, since: datetime) -> Invoice | None:
        where = {"account_id": str(account_id), "sha256": sha256, "created_at": {"$gte": to_micros(since)}}

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.find(where, _HIDDEN).sort("created_at", ASCENDING).limit(1).to_list(None)

        rows = await self._database.read_confirmed(find)
        return invoice_from(rows[0]) if rows else None

    async def page(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Invoice]:
        where = invoice_filter(account_id, query, after)

        async def find(collections: Collections) -> list[Row]:
            rare = await rare_trigram(collections, str(account_id), query)
            found = collections.invoices.find(where | rare, _HIDDEN)
            return await found.sort("_id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([invoice_from(row) for row in await self._database.read_confirmed(find)], limit)

    async def earlier(self, account_id: UUID, vendor_id: UUID, most: int) -> list[EarlierInvoice]:
        where = invoice_filter(account_id, earlier_query(vendor_id), None)

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.find(where, _COMPARED).sort("_id", DESCENDING).limit(most).to_list(None)

        rows = await self._database.read_confirmed(find)
        return [earlier_from(named(row), msgspec.convert(row["document"], ComparedValues)) for row in rows]

    async def sorted_page(
        self, account_id: UUID, query: InvoiceQuery, order: Order, limit: int, after: Position | None = None
    ) -> ListPage[Invoice]:
        where, key = invoice_filter(account_id, query, None), _SORTED_BY[order.key]
        way = DESCENDING if order.descending else ASCENDING

        async def find(collections: Collections) -> list[Row]:
            rare = await rare_trigram(collections, str(account_id), query)
            rows: list[Row] = []
            for part in _parts(key, order, after):
                if left := limit + 1 - len(rows):
                    # A condition of the query may be about the same field.
                    found = collections.invoices.find({"$and": [where | rare, part]}, _HIDDEN)
                    rows += await found.sort([(key, way), ("_id", way)]).limit(left).to_list(None)
            return rows

        return page_of([invoice_from(row) for row in await self._database.read_confirmed(find)], limit)

    async def models(self, account_id: UUID) -> list[str]:
        async def find(collections: Collections) -> list[str]:
            known: list[str] = []
            # From one value to the next: it does not matter how many invoices have it.
            while len(known) < MOST_MODELS:
                query = {"account_id": str(account_id), "models": {"$gt": known[-1] if known else ""}}
                row = await collections.invoices.find_one(query, {"models": 1}, sort=[("models", ASCENDING)])
                if row is None:
                    break
                known.append(row["models"])
            return known

        return await self._database.read(find)

    async def totals(self, account_id: UUID, query: InvoiceQuery, at_most: int) -> list[Total]:
        where = invoice_filter(account_id, query, None)

        async def find(collections: Collections) -> list[Row]:
            rare = await rare_trigram(collections, str(account_id), query)
            found = collections.invoices.find(where | rare, {"amount": 1, "document.currency": 1})
            return await found.sort("_id", DESCENDING).limit(at_most).to_list(None)

        return _totals(await self._database.read(find))

    async def amend(
        self,
        account_id: UUID,
        invoice_id: UUID,
        amendment: Amendment,
        now: datetime,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        def change(row: Row) -> Row:
            values: Row = {"entity_tag": amendment.entity_tag} if amendment.sets_tag else {}
            if amendment.batch is not None:
                values["document"] = row["document"] | {"batch": amendment.batch.model_dump(mode="json")}
            if amendment.paid is None:
                return values
            _check_complete(row)
            since = to_micros(now) if row["paid_at"] is None else row["paid_at"]
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
        def change(row: Row) -> Row:
            _check_complete(row)
            requested = str(ApprovalStatus.REQUESTED)
            times = {"approval_asked_at": to_micros(now), "approval_answered_at": None}
            return {"approval_status": requested, "approval_email": email, "approval_token": token_hash, **times}

        return await self._change(account_id, invoice_id, change, now, change_id)

    async def find_approval(self, account_id: UUID, invoice_id: UUID, token_hash: str) -> Invoice | None:
        query = {"_id": str(invoice_id), "account_id": str(account_id), "approval_token": token_hash}
        row = await self._database.read(lambda collections: collections.invoices.find_one(query, _HIDDEN))
        return None if row is None else invoice_from(row)

    async def answer_approval(
        self, account_id: UUID, invoice_id: UUID, token_hash: str, approved: bool, now: datetime
    ) -> Invoice | None:
        answer = str(ApprovalStatus.APPROVED if approved else ApprovalStatus.REJECTED)

        def change(row: Row) -> Row | None:
            if row.get("approval_token") != token_hash:
                return None
            return {"approval_status": answer, "approval_token": None, "approval_answered_at": to_micros(now)}

        return await self._change(account_id, invoice_id, change, now)

    async def withdraw_approval(self, account_id: UUID, invoice_id: UUID, now: datetime) -> Invoice | None:
        def change(row: Row) -> Row | None:
            is_open = row.get("approval_status") == ApprovalStatus.REQUESTED
            return dict.fromkeys(("approval_status", "approval_email", "approval_token")) if is_open else None

        return await self._change(account_id, invoice_id, change, now)

    async def approval_times(self, account_id: UUID, invoice_ids: Collection[UUID]) -> Mapping[UUID, ApprovalTimes]:
        query = {"_id": {"$in": [str(id) for id in invoice_ids]}, "account_id": str(account_id)}
        fields = {"approval_asked_at": 1, "approval_answered_at": 1}

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.find(query, fields).to_list(None)

        return {
            UUID(row["_id"]): ApprovalTimes(
                optional_moment(row.get("approval_asked_at")), optional_moment(row.get("approval_answered_at"))
            )
            for row in await self._database.read(find)
        }

    async def _change(
        self, account_id: UUID, invoice_id: UUID, change: Change, now: datetime, change_id: UUID | None = None
    ) -> Invoice | None:
        """Set the values that `change` returns for the row, and note an event if the invoice differs then. None if
        there is no row or `change` returns None. A change that is recorded already is not made again."""

        async def write(collections: Collections) -> Row | None:
            query = {"_id": str(invoice_id), "account_id": str(account_id)}
            while (row := await collections.invoices.find_one(query, _HIDDEN)) is not None:
                recorded = row.get("change_ids")
                if change_id in change_ids_from(recorded):
                    return row
                if (values := change(row)) is None:
                    return None
                # Retry if the row was changed since it was read.
                changed: Row | None = await collections.invoices.find_one_and_update(
                    query | {"revision": row["revision"]},
                    _update(row, values | with_change(recorded, change_id), now),
                    projection=_HIDDEN,
                    return_document=ReturnDocument.AFTER,
                )
                if changed is not None:
                    return changed
            return None

        row = await self._database.write(write)
        return None if row is None else invoice_from(row)


def _update(row: Row, values: Row, now: datetime) -> Row:
    """The change of the row to these values, with the event about it."""
    values = values | {"updated_at": to_micros(now)}
    changed = invoice_from(row | values)
    if not changed.differs_from(invoice_from(row)):
        return {"$set": values, "$inc": {"revision": 1}}
    entry = entry_of_event(event_about(row, changed, now, EventType.UPDATED))
    return {"$set": values | {"outbox_at": 0}, "$inc": {"revision": 1}, "$push": {"outbox": entry}}


def _parts(key: str, order: Order, after: Position | None) -> list[Row]:
    """What follows a position, in parts that an index has in this order: the rest of its value, the next values, and
    those without one."""
    sign = "$lt" if order.descending else "$gt"
    if after is None:
        return [{key: {"$ne": None}}, {key: None}]
    rest = {"_id": {sign: str(after.id)}}
    if after.value is None:
        return [{key: None, **rest}]
    value = {SortKey.AMOUNT: float, SortKey.UPDATED: int}.get(order.key, str)(after.value)
    return [{key: value, **rest}, {key: {sign: value}}, {key: None}]


def _totals(rows: list[Row]) -> list[Total]:
    counts: Counter[str | None] = Counter()
    sums: dict[str | None, Decimal] = {}
    for row in rows:
        currency = row.get("document", {}).get("currency")
        counts[currency] += 1
        # The shortest text of the number is the amount as it was read.
        sums[currency] = sums.get(currency, Decimal(0)) + Decimal(repr(row.get("amount") or 0))
    return [Total(currency, count, sums[currency]) for currency, count in counts.most_common()]


def _check_complete(row: Row) -> None:
    if row["status"] != Status.COMPLETE:
        raise NotComplete
