"""Which invoices somebody works through, and in what order; the addresses of the queue and of its screens carry it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from serve_app.domain.work import WorkOrder, WorkQuery
from serve_app.services.bundle import Services
from serve_app.web.visitor import Visitor

QUEUE = "/app/review"
ORDERS: Mapping[WorkOrder, str] = {
    WorkOrder.DUE: "Due first",
    WorkOrder.AMOUNT: "Highest amount first",
    WorkOrder.AGE: "Oldest first",
    WorkOrder.DOUBT: "Lowest confidence first",
    WorkOrder.VENDOR: "By vendor",
}
WHOSE = {"": "Everybody’s", "mine": "Mine", "nobody": "Nobody’s"}


@dataclass(frozen=True, slots=True)
class QueueFilters:
    """A way through what needs a person. `whose` is a key of WHOSE."""

    order: WorkOrder = WorkOrder.DUE
    vendor: str = ""
    whose: str = ""

    @property
    def state(self) -> str:
        """The query string of this way, with its question mark; empty for the usual one."""
        given = {"order": "" if self.order is WorkOrder.DUE else str(self.order), "vendor": self.vendor}
        text = urlencode({name: value for name, value in {**given, "whose": self.whose}.items() if value})
        return f"?{text}" if text else ""

    @property
    def path(self) -> str:
        return QUEUE + self.state

    def query(self, person_id: UUID, window: str | None = None) -> WorkQuery:
        """The same for the service."""
        return WorkQuery(
            order=self.order,
            vendor=self.vendor or None,
            assignee=person_id if self.whose == "mine" else None,
            unassigned=self.whose == "nobody",
            free_for=window,
            put_off_by=person_id,
        )


USUAL = QueueFilters()
"""The way of those who ask for none."""


def queue_filters_of(given: Mapping[str, str]) -> QueueFilters:
    """The way that an address asks for; what makes no sense is left out."""
    order, whose = given.get("order", ""), given.get("whose", "")
    return QueueFilters(
        WorkOrder(order) if order in set(WorkOrder) else WorkOrder.DUE,
        given.get("vendor", "").strip()[:100],
        whose if whose in WHOSE else "",
    )


async def next_path(
    services: Services, visitor: Visitor, filters: QueueFilters, window: str | None, after: UUID
) -> str:
    """The screen of the first other invoice that nobody else has open; empty if there is none."""
    query = filters.query(visitor.person.id, window)
    items = await services.work.waiting(visitor.account.id, query, 2)
    found = next((item.invoice.id for item in items if item.invoice.id != after), None)
    return f"{QUEUE}/{found}{filters.state}" if found else ""
