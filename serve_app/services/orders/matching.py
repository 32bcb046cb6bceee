"""Matches invoices with the purchase orders of their account."""

import logging
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

from serve_app.domain.batch import Section, sibling_id
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.errors import ServiceError
from serve_app.domain.evidence import Evidence, unpack
from serve_app.domain.invoice import Details, Extraction, Invoice, Status
from serve_app.domain.order_comparison import EarlierBill, OrderFacts, compare
from serve_app.domain.order_lines import Place
from serve_app.domain.order_match import (
    OrderFinding,
    OrderFindingKind,
    OrderMatch,
    OrderMatchStatus,
)
from serve_app.domain.order_review import allows_skip, with_order_match
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.order_selection import choose_orders, number_keys, text_keys
from serve_app.domain.purchase_order import PurchaseOrder
from serve_app.domain.query import InvoiceQuery, ReviewFilter
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review, as_read, overlaid
from serve_app.store.base import Store
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)

MAX_OF_VENDOR = 100
"""So many of the newest orders of a vendor are compared with an invoice."""
_SETTLED_AFTER = timedelta(minutes=5)
"""When the invoices of an order that one of them bills anew are compared again. Whoever writes that invoice has given
up before."""
_PAGE = 100
_LONGEST_CAPTION = 3


@dataclass(frozen=True, slots=True)
class Bill:
    """An invoice to be matched: `id` is the record's, `mentioned` what may be an order's number among the words of its
    pages, `decided` the fields of which a person says what they are."""

    id: UUID
    extraction: Extraction
    mentioned: Collection[str] = ()
    decided: Collection[str] = ()

    @classmethod
    def of(cls, record: InvoiceRecord, said: Review, evidence: Evidence) -> "Bill":
        """The invoice as it is once this is said about it."""
        invoice, _ = overlaid(as_read(record.invoice, record.review), said)
        return cls(invoice.id, invoice, _mentioned(evidence), frozenset(said.decisions))


class OrderMatcher:
    """Finds the orders of invoices and compares. What is open of an order follows from the invoices that bill it: those
    that are complete and not rejected; of two duplicates only the older one."""

    def __init__(self, store: Store, clock: Clock = utc_now) -> None:
        self._orders = store.purchase_orders
        self._invoices = store.invoices
        self._clock = clock

    async def apply(self, account_id: UUID, invoice_id: UUID, sections: Sequence[Section]) -> list[Section]:
        """The invoices of a document with their orders, before they are saved. While the store is out of reach, they
        have none: housekeeping compares them once an order changes."""
        try:
            rules = await self._orders.matching_rules(account_id)
            return list(sections) if rules is None else await self._applied(account_id, invoice_id, sections, rules)
        except ServiceError as error:
            log.warning("orders not compared: %r", error)
            return list(sections)

    async def _applied(
        self, account_id: UUID, invoice_id: UUID, sections: Sequence[Section], rules: OrderRules
    ) -> list[Section]:
        siblings, matched = list[EarlierBill](), list[Section]()
        for index, section in enumerate(sections, 1):
            mentioned = await COMPUTING.run(_mentioned_by, section)
            bill = Bill(sibling_id(invoice_id, index), section.extraction, mentioned)
            match = await self._match(account_id, bill, rules, siblings)
            siblings.append(_bill_of(section.extraction.invoice_number, match))
            extraction = with_order_match(section.extraction, match)
            skips = allows_skip(extraction, match, rules)
            matched.append(replace(section, extraction=_with_skip(extraction, match, skips=skips)))
        await self.check_again(account_id, [section.extraction for section in matched])
        return matched

    async def match(self, account_id: UUID, bill: Bill) -> OrderMatch | None:
        """The match of one invoice; None if the account has no orders. Raises ServiceError."""
        rules = await self._orders.matching_rules(account_id)
        if rules is None:
            return None
        match = await self._match(account_id, bill, rules, ())
        skips = allows_skip(with_order_match(bill.extraction, match), match, rules, bill.decided)
        return match.model_copy(update={"skips_review": skips})

    async def check_again(self, account_id: UUID, bills: Iterable[Extraction]) -> None:
        """To be called before invoices are written or removed that bill orders: a little later, other invoices of
        these orders are compared again, whatever becomes of this process."""
        ids = {order.id for bill in bills if bill.order_match for order in bill.order_match.orders}
        if ids:
            await self._orders.check_again(account_id, ids, self._clock() + _SETTLED_AFTER)

    async def billed(self, order: PurchaseOrder) -> Mapping[int, Decimal]:
        """How much of each line is billed, by position."""
        found: dict[int, Decimal] = {}
        for bill in await self._bills(order.account_id, [order], before=None):
            for (id, position), quantity in bill.quantities.items():
                if id == order.id:
                    found[position] = found.get(position, Decimal(0)) + quantity
        return found

    async def _match(
        self, account_id: UUID, bill: Bill, rules: OrderRules, siblings: Sequence[EarlierBill]
    ) -> OrderMatch:
        read = number_keys((bill.extraction.details or Details()).purchase_order)
        vendor = normalise_vendor(bill.extraction.vendor_name or "")
        candidates = await self._orders.candidates(account_id, {*read, *bill.mentioned}, vendor, MAX_OF_VENDOR)
        choice = await COMPUTING.run(choose_orders, bill.extraction, read, bill.mentioned, candidates)
        same = frozenset(order.id for order in choice.orders if order.vendor_key in candidates.vendor_keys)
        unknown = [] if choice.unknown is None else [_unknown(choice.unknown)]
        if not choice.orders or choice.found_by is None:
            return OrderMatch(status=OrderMatchStatus.NOT_FOUND, findings=unknown)
        earlier = [*await self._bills(account_id, choice.orders, before=bill.id), *siblings]
        facts = OrderFacts(choice.orders, earlier, same, choice.found_by, is_charge)
        match = await COMPUTING.run(compare, bill.extraction, facts, rules)
        if not unknown:
            return match
        return match.model_copy(update={"status": OrderMatchStatus.DIFFERS, "findings": [*unknown, *match.findings]})

    async def _bills(self, account_id: UUID, orders: Sequence[PurchaseOrder], before: UUID | None) -> list[EarlierBill]:
        """What invoices bill of these orders: those that came before the one with this id, or all."""
        found: dict[UUID, Invoice] = {}
        for order in orders:
            async for invoice in self._invoices_of(account_id, order.id):
                if before is None or invoice.id < before:
                    found[invoice.id] = invoice
        counted = [invoice for invoice in found.values() if invoice.duplicate_of not in found]
        return [_bill_of(each.invoice_number, each.order_match) for each in sorted(counted, key=lambda each: each.id)]

    async def _invoices_of(self, account_id: UUID, order_id: UUID) -> AsyncIterator[Invoice]:
        query = InvoiceQuery(status=Status.COMPLETE, order_id=order_id, review=ReviewFilter.NOT_REJECTED)
        after, has_more = None, True
        while has_more:
            page = await self._invoices.page(account_id, query, _PAGE, after)
            for invoice in page.items:
                yield invoice
            has_more = page.has_more
            after = page.items[-1].id if page.items else None


def is_charge(description: str) -> bool:
    """Whether a line of this description is freight and the like, in any language that is known."""
    # With the words of all languages, which an account without orders never needs.
    from serve_app.extraction.captions.lexicon import meanings, tokens
    from serve_app.extraction.knowledge.language import Caption

    words = tokens(description)
    starts = (words[:length] for length in range(1, _LONGEST_CAPTION + 1))
    return any(Caption.SHIPPING in meanings(start) for start in (words, *starts))


def _mentioned_by(section: Section) -> Collection[str]:
    evidence = None if section.evidence is None else unpack(section.evidence)
    return () if evidence is None else _mentioned(evidence)


def _mentioned(evidence: Evidence) -> set[str]:
    return text_keys([word for page in evidence.pages for word in page.words])


def _bill_of(number: str | None, match: OrderMatch | None) -> EarlierBill:
    quantities: dict[Place, Decimal] = {}
    for line in match.lines if match else ():
        place = line.order_id, line.order_line
        quantities[place] = quantities.get(place, Decimal(0)) + line.quantity
    return EarlierBill(number, quantities)


def _unknown(number: str) -> OrderFinding:
    text = f"There is no order with the number {number}."
    return OrderFinding(kind=OrderFindingKind.ORDER_UNKNOWN, found=number, text=text)


def _with_skip(extraction: Extraction, match: OrderMatch, *, skips: bool) -> Extraction:
    return extraction.model_copy(update={"order_match": match.model_copy(update={"skips_review": skips})})
