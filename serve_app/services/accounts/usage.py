"""How much of its quota an account has used, month by month."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.store.base import Quotas


class UsageService:
    """Looks up extractions by month."""

    def __init__(self, quotas: Quotas, clock: Clock = utc_now) -> None:
        self._quotas = quotas
        self._clock = clock

    async def this_month(self, account_id: UUID) -> int:
        """The extractions of the present calendar month (UTC)."""
        return await self._quotas.used(account_id, month_start(self._clock()))

    async def by_month(self, account_id: UUID, months: int) -> list[tuple[datetime, int]]:
        """The start of each of the last months, the present one last, and its extractions."""
        shown = _months_until(month_start(self._clock()), months)
        used = await self._quotas.by_month(account_id, shown[0])
        return [(month, used.get(month, 0)) for month in shown]


def _months_until(last: datetime, number: int) -> list[datetime]:
    count = last.year * 12 + last.month - 1
    return [last.replace(year=month // 12, month=month % 12 + 1) for month in range(count - number + 1, count + 1)]
