"""How an endpoint has done lately."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from uuid import UUID

from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import Attempt, Delivery
from serve_app.store.base import Deliveries

PERIOD = timedelta(hours=24)
# The schedule of retries spans a day and a half: an attempt may be of a delivery that is so much older.
_BEFORE = timedelta(hours=36)
_PAGE = 250
_MOST = 1000


@dataclass(frozen=True, slots=True)
class RecentHealth:
    """The attempts of PERIOD: how many there were and arrived, and the time that half, and 95 %, of the answers took at
    most, in seconds. `is_part`: of the newest deliveries only, because there were too many to look at."""

    attempts: int
    arrived: int
    median: float | None
    p95: float | None
    is_part: bool

    @property
    def share(self) -> float | None:
        """The share of attempts that arrived; None without any."""
        return self.arrived / self.attempts if self.attempts else None


async def recent_health(deliveries: Deliveries, account_id: UUID, endpoint_id: UUID, now: datetime) -> RecentHealth:
    """Of the endpoint's newest deliveries."""
    query = DeliveryQuery(endpoint_id=endpoint_id, created_after=now - PERIOD - _BEFORE)
    found: list[Delivery] = []
    is_more = True
    while is_more and len(found) < _MOST:
        page = await deliveries.page(account_id, query, _PAGE, found[-1].id if found else None)
        found += page.items
        is_more = page.has_more
    return _health_of((attempt for delivery in found for attempt in delivery.attempts), now - PERIOD, is_part=is_more)


def _health_of(attempts: Iterable[Attempt], since: datetime, *, is_part: bool) -> RecentHealth:
    recent = [attempt for attempt in attempts if attempt.at > since]
    times = sorted(attempt.seconds for attempt in recent if attempt.status is not None)
    arrived = sum(attempt.status is not None and 200 <= attempt.status < 300 for attempt in recent)
    return RecentHealth(len(recent), arrived, _quantile(times, 0.5), _quantile(times, 0.95), is_part)


def _quantile(times: Sequence[float], share: float) -> float | None:
    return times[ceil(share * len(times)) - 1] if times else None
