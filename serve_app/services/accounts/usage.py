"""How much of its quota an account has used, month by month."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.store.base import Invoices, Quotas


@dataclass(frozen=True, slots=True)
class MonthUsage:
    """What an account used in the calendar month that starts at `month`: the documents that count towards its plan, and
    the pages of those that are still stored."""

    month: datetime
    documents: int
    pages: int


class UsageService:
    """Looks up extractions and pages by month."""

    def __init__(self, quotas: Quotas, invoices: Invoices, clock: Clock = utc_now) -> None:
        self._quotas = quotas
        self._invoices = invoices
        self._clock = clock

    async def this_month(self, account_id: UUID) -> int:
        """The extractions of the present calendar month (UTC)."""
        return await self._quotas.used(account_id, month_start(self._clock()))

    async def by_month(self, account_id: UUID, months: int) -> list[tuple[datetime, int]]:
        """The start of each of the last months, the present one last, and its extractions."""
        shown = _months_until(month_start(self._clock()), months)
        used = await self._quotas.by_month(account_id, shown[0])
        return [(month, used.get(month, 0)) for month in shown]

    async def with_pages(self, account_id: UUID, months: int) -> list[MonthUsage]:
        """The last months with their pages, the present one last."""
        documents = await self.by_month(account_id, months)
        pages: Counter[datetime] = Counter()
        for day, number in (await self._invoices.pages_by_day(account_id, documents[0][0])).items():
            pages[month_start(day)] += number
        return [MonthUsage(month, number, pages[month]) for month, number in documents]


def _months_until(last: datetime, number: int) -> list[datetime]:
    count = last.year * 12 + last.month - 1
    return [last.replace(year=month // 12, month=month % 12 + 1) for month in range(count - number + 1, count + 1)]
