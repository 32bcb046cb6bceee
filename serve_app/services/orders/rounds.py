"""Compares invoices again with orders that have changed."""

import logging
from collections.abc import Sequence
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import Status
from serve_app.domain.order_match import OrderMatchStatus
from serve_app.domain.purchase_order import PurchaseOrder
from serve_app.domain.query import InvoiceQuery, ReviewFilter
from serve_app.services.orders.matching import Bill, OrderMatcher
from serve_app.services.review.evidence import evidence_of
from serve_app.store.base import Files, Store
from serve_app.store.base.reviews import NewReview

log = logging.getLogger(__name__)

MOST_AT_ONCE = 100
"""Orders of a round, and invoices of an order."""


class OrderRounds:
    """Brings `order_match` of invoices up to date that nobody has decided on: those that bill an order which has
    changed, or which other invoices bill differently now. An order that none bills yet may be the one that others
    named before it was there."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._clock = clock
        self._matcher = OrderMatcher(store, clock)

    async def run(self) -> None:
        """One round over all accounts."""
        await self.compare(await self._store.purchase_orders.due(self._clock(), MOST_AT_ONCE))

    async def compare(self, orders: Sequence[PurchaseOrder]) -> None:
        """Compare the invoices of these orders, each once. What cannot be reached stays for the next round."""
        looked_at = set[UUID]()
        for order in orders:
            try:
                for invoice_id in await self._concerned(order):
                    if invoice_id not in looked_at:
                        looked_at.add(invoice_id)
                        await self._compare(order.account_id, invoice_id)
                await self._store.purchase_orders.checked(order)
            except ServiceError as error:
                log.warning("invoices not compared with an order: %r", error, extra={"order_id": str(order.id)})

    async def _concerned(self, order: PurchaseOrder) -> list[UUID]:
        billing = InvoiceQuery(status=Status.COMPLETE, order_id=order.id)
        naming = InvoiceQuery(status=Status.COMPLETE, order_match=OrderMatchStatus.NOT_FOUND, review=ReviewFilter.OPEN)
        page = self._store.invoices.page
        found = await page(order.account_id, billing, MOST_AT_ONCE)
        if not found.items:
            found = await page(order.account_id, naming, MOST_AT_ONCE)
        return [invoice.id for invoice in reversed(found.items)]

    async def _compare(self, account_id: UUID, invoice_id: UUID) -> None:
        record = await self._store.invoices.find_record(account_id, invoice_id)
        if record is None or record.invoice.status is not Status.COMPLETE or not record.review.is_open:
            return
        evidence = await evidence_of(self._files, record)
        match = await self._matcher.match(account_id, Bill.of(record, record.review, evidence))
        if match is None or match == record.invoice.order_match:
            return
        await self._matcher.check_again(account_id, [record.invoice])
        new = NewReview(record.review, record.review_revision, self._clock(), order_match=match)
        await self._store.reviews.save(account_id, invoice_id, new)
