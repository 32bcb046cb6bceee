"""Keeps purchase orders."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter, InvoiceContended, PurchaseOrderNotFound
from serve_app.domain.ids import new_id
from serve_app.domain.order_file import OrderFile
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderDraft, OrderQuery, PurchaseOrder, order_key
from serve_app.domain.query import ListPage
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import PurchaseOrders

Change = Callable[[OrderDraft], OrderDraft]

_TRIES = 5


async def _nothing_follows(orders: Sequence[PurchaseOrder]) -> None:
    """Housekeeping compares the invoices."""


@dataclass(frozen=True, slots=True)
class OrderImport:
    """What a file of orders changes: the orders that are new, and those that are kept and differ from it."""

    new: tuple[OrderDraft, ...]
    changed: tuple[OrderDraft, ...]
    unchanged: int


class OrderService:
    """An account's orders. `changed` is called with orders after each change, to compare the invoices that bill them;
    what it leaves undone, housekeeping does. Methods that take an id raise PurchaseOrderNotFound if it is unknown or
    another account's."""

    def __init__(
        self,
        orders: PurchaseOrders,
        audit: AuditTrail,
        matcher: OrderMatcher,
        clock: Clock = utc_now,
        changed: Callable[[Sequence[PurchaseOrder]], Awaitable[None]] = _nothing_follows,
    ) -> None:
        self._orders = orders
        self._audit = audit
        self._matcher = matcher
        self._clock = clock
        self._changed = changed

    async def page(
        self, account_id: UUID, query: OrderQuery, limit: int, after: UUID | None = None
    ) -> ListPage[PurchaseOrder]:
        """Newest first, starting strictly after the id `after` in that order. Raises InvalidParameter if the account
        has no such order."""
        if after is not None and not await self._orders.get(account_id, [after]):
            raise InvalidParameter("starting_after: there is no order with this id.", "starting_after")
        return await self._orders.page(account_id, query, limit, after)

    async def get(self, account_id: UUID, order_id: UUID) -> PurchaseOrder:
        """The order."""
        found = await self._orders.get(account_id, [order_id])
        if not found:
            raise PurchaseOrderNotFound
        return found[0]

    async def create(
        self,
        account_id: UUID,
        draft: OrderDraft,
        actor: Actor,
        order_id: UUID | None = None,
        change_id: UUID | None = None,
    ) -> PurchaseOrder:
        """Keep an order, with this id if one is given. Raises InvalidParameter, also if the account has its number."""
        draft.check()
        order = _order(order_id or new_id(), account_id, draft, self._clock).with_change(change_id)
        if not await self._orders.add(order):
            raise _taken(draft)
        await self._audit.record(actor, account_id, "order.created", str(order.id), number=order.number)
        await self._changed([order])
        return order

    async def amend(
        self, account_id: UUID, order_id: UUID, change: Change, actor: Actor, change_id: UUID | None = None
    ) -> PurchaseOrder:
        """Change what was ordered, over whatever others changed meanwhile. Raises InvalidParameter, also if another
        order has the new number."""
        order = await self._amend(account_id, order_id, change, change_id)
        await self._audit.record(actor, account_id, "order.changed", str(order_id), number=order.number)
        return order

    async def receive(
        self,
        account_id: UUID,
        order_id: UUID,
        quantities: Mapping[int, Decimal],
        actor: Actor,
        change_id: UUID | None = None,
    ) -> PurchaseOrder:
        """Add what has arrived, by the position of the line; less than nothing takes back. Raises InvalidParameter."""
        order = await self._amend(account_id, order_id, lambda draft: draft.with_received(quantities), change_id)
        await self._audit.record(actor, account_id, "order.received", str(order_id), number=order.number)
        return order

    async def remove(self, account_id: UUID, order_id: UUID, actor: Actor) -> None:
        """Delete an order. Invoices keep what was found when they were compared with it."""
        order = await self.get(account_id, order_id)
        if not await self._orders.remove(account_id, order_id):
            raise PurchaseOrderNotFound
        await self._audit.record(actor, account_id, "order.deleted", str(order_id), number=order.number)

    async def billed(self, order: PurchaseOrder) -> Mapping[int, Decimal]:
        """How much of each line invoices bill, by position."""
        return await self._matcher.billed(order)

    async def rules(self, account_id: UUID) -> OrderRules:
        """The account's tolerances."""
        return await self._orders.rules(account_id)

    async def set_rules(self, account_id: UUID, rules: OrderRules, actor: Actor) -> OrderRules:
        """Replace the tolerances, for invoices that are compared from now on. Raises LookupError for an unknown
        account."""
        if not await self._orders.set_rules(account_id, rules):
            raise LookupError(f"there is no account {account_id}")
        values = {name: str(value) for name, value in rules.model_dump().items()}
        await self._audit.record(actor, account_id, "order.rules_changed", "", **values)
        return rules

    async def preview(self, account_id: UUID, file: OrderFile) -> OrderImport:
        """What the import of a file would change."""
        kept = await self._orders.numbered(account_id, [order_key(draft.number) for draft in file.drafts])
        by_key = {order.key: order for order in kept}
        new, changed, unchanged = list[OrderDraft](), list[OrderDraft](), 0
        for draft in file.drafts:
            order = by_key.get(order_key(draft.number))
            if order is None:
                new.append(draft)
            elif draft.over(order.draft) == order.draft:
                unchanged += 1
            else:
                changed.append(draft)
        return OrderImport(tuple(new), tuple(changed), unchanged)

    async def carry_out(self, account_id: UUID, file: OrderFile, actor: Actor) -> OrderImport:
        """Import a file without errors, each order as a whole: the import may be repeated after a crash. Housekeeping
        compares the invoices. Raises LookupError for an unknown account, ValueError for a file with errors."""
        if file.errors:
            raise ValueError("a file with errors is not imported")
        plan = await self.preview(account_id, file)
        for draft in plan.new:
            order = _order(new_id(), account_id, draft, self._clock)
            if not await self._orders.add(order):
                await self._replace_numbered(account_id, draft)
        for draft in plan.changed:
            await self._replace_numbered(account_id, draft)
        new, changed = len(plan.new), len(plan.changed)
        await self._audit.record(actor, account_id, "order.imported", new=new, changed=changed)
        return plan

    async def _replace_numbered(self, account_id: UUID, draft: OrderDraft) -> None:
        found = await self._orders.numbered(account_id, [order_key(draft.number)])
        if not found:
            raise LookupError(f"there is no account {account_id}, or it is changed by others at the same time")
        await self._replaced(account_id, found[0].id, draft.over, None)

    async def _amend(self, account_id: UUID, order_id: UUID, change: Change, change_id: UUID | None) -> PurchaseOrder:
        order = await self._replaced(account_id, order_id, change, change_id)
        await self._changed([order])
        return order

    async def _replaced(
        self, account_id: UUID, order_id: UUID, change: Change, change_id: UUID | None
    ) -> PurchaseOrder:
        for _ in range(_TRIES):
            order = await self.get(account_id, order_id)
            draft = change(order.draft)
            draft.check()
            if order_key(draft.number) != order.key and await self._orders.numbered(
                account_id, [order_key(draft.number)]
            ):
                raise _taken(draft)
            now = self._clock()
            changed = order.with_draft(draft, now).with_change(change_id)
            if await self._orders.replace(changed, order.revision):
                return changed
        raise InvoiceContended


def _order(order_id: UUID, account_id: UUID, draft: OrderDraft, clock: Clock) -> PurchaseOrder:
    now = clock()
    return PurchaseOrder(
        order_id,
        account_id,
        draft.number,
        draft.vendor,
        draft.currency,
        draft.lines,
        created_at=now,
        updated_at=now,
        ordered_on=draft.ordered_on,
        status=draft.status,
        check_at=now,
    )


def _taken(draft: OrderDraft) -> InvalidParameter:
    return InvalidParameter(f"number: the account has an order with the number {draft.number}.", "number")
