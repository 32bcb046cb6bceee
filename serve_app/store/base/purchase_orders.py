"""What accounts have ordered."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.order_rules import OrderRules
from serve_app.domain.order_selection import OrderCandidates
from serve_app.domain.purchase_order import OrderQuery, PurchaseOrder
from serve_app.domain.query import ListPage


class PurchaseOrders(Protocol):
    """The orders of accounts; they go with the account. Which invoices bill an order is in the invoices alone."""

    async def add(self, order: PurchaseOrder) -> bool:
        """False if the account has an order of this number, or does not exist."""
        ...

    async def replace(self, order: PurchaseOrder, over: int) -> bool:
        """Replace everything but the id; of two moments to compare invoices again the later counts. False if its
        revision is no longer `over`, if it is gone, or if another order has the number."""
        ...

    async def remove(self, account_id: UUID, order_id: UUID) -> bool:
        """False if the account has no such order."""
        ...

    async def get(self, account_id: UUID, order_ids: Collection[UUID]) -> list[PurchaseOrder]:
        """Those of these that the account has, the oldest first."""
        ...

    async def page(
        self, account_id: UUID, query: OrderQuery, limit: int, after: UUID | None = None
    ) -> ListPage[PurchaseOrder]:
        """Newest first, starting strictly after the id `after` in that order."""
        ...

    async def numbered(self, account_id: UUID, keys: Collection[str]) -> list[PurchaseOrder]:
        """The orders whose number has one of these keys, the oldest first."""
        ...

    async def candidates(
        self, account_id: UUID, number_keys: Collection[str], vendor_key: str, limit: int
    ) -> OrderCandidates:
        """The orders whose number has one of these keys, and the newest ones, newest first, of the vendor with this key
        or of those merged with it; an empty key: of none."""
        ...

    async def rules(self, account_id: UUID) -> OrderRules:
        """The account's tolerances; those of everybody if it chose none."""
        ...

    async def matching_rules(self, account_id: UUID) -> OrderRules | None:
        """The same; None if the account has no order."""
        ...

    async def set_rules(self, account_id: UUID, rules: OrderRules) -> bool:
        """False if there is no such account."""
        ...

    async def check_again(self, account_id: UUID, order_ids: Collection[UUID], at: datetime) -> None:
        """Have the invoices of these orders compared again from this moment on, or later if that is due already."""
        ...

    async def due(self, now: datetime, limit: int) -> Sequence[PurchaseOrder]:
        """Orders of all accounts whose invoices are to be compared again by now, those that wait longest first."""
        ...

    async def checked(self, order: PurchaseOrder) -> None:
        """Nothing is to be compared again, unless the order or its moment has changed since it was read."""
        ...
