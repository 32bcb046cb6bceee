"""Makes changes of orders at most once per idempotency key."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import KeyReused
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.ids import new_id
from serve_app.domain.purchase_order import PurchaseOrder
from serve_app.services.idempotency import KeyHolds
from serve_app.services.tasks.background import Background
from serve_app.store.base import Idempotency, PurchaseOrders

MakeOrder = Callable[[UUID, UUID | None], Awaitable[PurchaseOrder]]
"""Makes or changes the order with this id, and notes the change with the second one."""
ToAnswer = Callable[[PurchaseOrder], Awaitable[StoredAnswer]]


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """A change that a caller asks for: `operation` names its kind, `order_id` is None for a new order, `fingerprint`
    stands for its body."""

    account_id: UUID
    operation: str
    order_id: UUID | None
    fingerprint: str
    key: str | None

    def record(self, key: str, clock: Clock) -> IdempotencyRecord:
        """What the key is asked to stand for."""
        # Keys of other calls, which have no line break, never equal it.
        now, name = clock(), f"{key}\n{self.operation} {self.order_id or 'new'}"
        fingerprint = hashlib.sha256(f"{self.operation} {self.fingerprint}".encode()).hexdigest()
        id = self.order_id or new_id()
        return IdempotencyRecord(self.account_id, name, id, new_id(), now, held_since=now, fingerprint=fingerprint)


class OrdersOnce:
    """The change notes its id in the order, in the write that makes it. So a retry after a crash between the change
    and its answer finds out that it was made."""

    def __init__(self, orders: PurchaseOrders, idempotency: Idempotency, clock: Clock = utc_now) -> None:
        self._orders = orders
        self._holds = KeyHolds(idempotency)
        self._clock = clock
        self._background = Background()

    async def make(self, asked: OrderRequest, change: MakeOrder, answer: ToAnswer) -> tuple[StoredAnswer, bool]:
        """The answer, and whether it is that of an earlier request with the key. Raises RequestInFlight, KeyReused if
        that request asked for something else, and what `change` raises."""
        if asked.key is None:
            return await answer(await change(asked.order_id or new_id(), None)), False
        held = await self._holds.take(asked.record(asked.key, self._clock))
        if held.fingerprint != asked.record(asked.key, self._clock).fingerprint:
            raise KeyReused
        if held.answer is not None:
            return held.answer, True
        # A caller that disconnects must not leave a change without its answer.
        return await self._background.finish(self._make_held(held, change, answer))

    async def _make_held(
        self, hold: IdempotencyRecord, change: MakeOrder, answer: ToAnswer
    ) -> tuple[StoredAnswer, bool]:
        made = await self._made_before(hold)
        async with self._holds.released_after_errors(hold):
            order = made or await change(hold.invoice_id, hold.change_id)
            given = await answer(order)
        await self._holds.keep_answer(hold, given)
        return given, made is not None

    async def _made_before(self, hold: IdempotencyRecord) -> PurchaseOrder | None:
        """The order, if an earlier request changed it and died without answering."""
        if hold.held_since == hold.created_at:
            return None
        found = await self._orders.get(hold.account_id, [hold.invoice_id])
        return found[0] if found and hold.change_id in found[0].changes else None
