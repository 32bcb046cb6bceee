"""What the screens of deliveries show."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.query import DeliveryQuery, ListPage
from serve_app.domain.webhook import Delivery, DeliveryState, WebhookEndpoint
from serve_app.web.query_parameters import from_day, id_of, one_of, path_with, until_day

LIST = "/app/deliveries"
PAGE = 50
STATES = {
    DeliveryState.PENDING: "Waiting or retrying",
    DeliveryState.DELIVERED: "Delivered",
    DeliveryState.ABANDONED: "Failed",
}


@dataclass(frozen=True, slots=True)
class DeliveryFilters:
    """The filters of the list, as its address gives them."""

    endpoint: str = ""
    state: str = ""
    event: str = ""
    since: str = ""
    until: str = ""

    def query(self) -> DeliveryQuery:
        """Raises InvalidParameter."""
        return DeliveryQuery(
            endpoint_id=id_of(self.endpoint),
            event_id=self.event.strip() or None,
            state=one_of(DeliveryState, self.state),
            created_after=from_day(self.since),
            created_before=until_day(self.until),
        )

    @property
    def is_filtered(self) -> bool:
        return self != DeliveryFilters()

    def path(self, after: UUID | None = None) -> str:
        """The address of the list, or of its part that follows a delivery."""
        return path_with(
            LIST,
            endpoint=self.endpoint,
            state=self.state,
            event=self.event,
            since=self.since,
            until=self.until,
            after=after,
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A delivery as the list shows it; `endpoint` is what its owner calls the endpoint."""

    delivery: Delivery
    endpoint: str


def rows_of(found: ListPage[Delivery], endpoints: Sequence[WebhookEndpoint]) -> list[Row]:
    """The rows of a page."""
    names = {endpoint.id: endpoint.description or endpoint.url for endpoint in endpoints}
    return [Row(delivery, names.get(delivery.endpoint_id, "")) for delivery in found.items]


def as_curl(url: str, headers: Mapping[str, str], body: str) -> str:
    """A command for a POSIX shell that sends exactly this body."""
    lines = [f"curl {shlex.quote(url)}", *(f"-H {shlex.quote(f'{name}: {value}')}" for name, value in headers.items())]
    return " \\\n  ".join([*lines, f"--data-binary {shlex.quote(body)}"])
