"""How much an account has used, month by month."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from serve_app.domain.budget import NO_PRICES, Prices
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.usage import UsageSums
from serve_app.store.base import Quotas


@dataclass(frozen=True, slots=True)
class MonthUsage:
    """What an account used in the calendar month that starts at `month`: the documents that count towards its plan, and
    what the readings took that ended in it. They cost `cost` at the present prices."""

    month: datetime
    documents: int
    readings: UsageSums
    cost: Decimal


class UsageService:
    """Looks up extractions, and what they took, by month."""

    def __init__(self, quotas: Quotas, prices: Prices = NO_PRICES, clock: Clock = utc_now) -> None:
        self._quotas = quotas
        self.prices = prices
        self._clock = clock

    @property
    def month(self) -> datetime:
        """The start of the present calendar month (UTC)."""
        return month_start(self._clock())

    async def this_month(self, account_id: UUID) -> int:
        """The extractions of the present calendar month (UTC)."""
        return await self._quotas.used(account_id, self.month)

    async def readings_this_month(self, account_id: UUID) -> UsageSums:
        """What the readings took that ended in the present calendar month (UTC)."""
        month = self.month
        return (await self._quotas.usage_by_month(account_id, month)).get(month, UsageSums())

    async def by_month(self, account_id: UUID, months: int) -> list[tuple[datetime, int]]:
        """The start of each of the last months, the present one last, and its extractions."""
        shown = _months_until(self.month, months)
        used = await self._quotas.by_month(account_id, shown[0])
        return [(month, used.get(month, 0)) for month in shown]

    async def with_readings(self, account_id: UUID, months: int) -> list[MonthUsage]:
        """The same, with what the readings took."""
        documents = await self.by_month(account_id, months)
        readings = await self._quotas.usage_by_month(account_id, documents[0][0])
        return [self._used(month, number, readings.get(month, UsageSums())) for month, number in documents]

    def _used(self, month: datetime, documents: int, readings: UsageSums) -> MonthUsage:
        return MonthUsage(month, documents, readings, self.prices.cost_of(readings))


def _months_until(last: datetime, number: int) -> list[datetime]:
    count = last.year * 12 + last.month - 1
    return [last.replace(year=month // 12, month=month % 12 + 1) for month in range(count - number + 1, count + 1)]
