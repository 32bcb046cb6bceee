"""What accounts may still use in the present calendar month (UTC): their quota of documents, and their budget."""

from decimal import Decimal

from serve_app.domain.account import Account, QuotaInfo
from serve_app.domain.budget import BudgetInfo, in_cents
from serve_app.domain.errors import BudgetReached
from serve_app.domain.usage import Usage
from serve_app.services.accounts.usage import UsageService


class MonthlyLimits:
    """Looks limits and use up. The store counts the documents of the quota; the budget is checked here, before a
    document is accepted. What is accepted is read, so an account can exceed its budget by the cost of the documents
    that wait or are in progress when it is used up."""

    def __init__(self, usage: UsageService) -> None:
        self._usage = usage

    async def documents(self, account: Account) -> int | None:
        """How many documents the account may send in this month; None: no limit. Raises BudgetReached."""
        if await self._is_budget_used_up(account):
            raise BudgetReached(account.monthly_budget or Decimal(0), self._usage.prices.currency)
        return account.monthly_limit

    async def are_reached(self, account: Account) -> bool:
        """Whether the account's next document would be refused."""
        limit = account.monthly_limit
        used_up = limit is not None and await self._usage.this_month(account.id) >= limit
        return used_up or await self._is_budget_used_up(account)

    async def quota(self, account: Account) -> QuotaInfo:
        """What the account has used of its quota."""
        used = await self._usage.this_month(account.id)
        return QuotaInfo(used=used, limit=account.monthly_limit, period_start=self._usage.month)

    async def budget(self, account: Account) -> BudgetInfo | None:
        """What the account has used of its budget; None: it has none."""
        if account.monthly_budget is None:
            return None
        spent = in_cents(await self._cost(account))
        return BudgetInfo(spent=spent, amount=account.monthly_budget, currency=self._usage.prices.currency)

    async def usage(self, account: Account) -> Usage:
        """What the readings of this month took together."""
        return (await self._usage.readings_this_month(account.id)).as_usage()

    async def _is_budget_used_up(self, account: Account) -> bool:
        return account.monthly_budget is not None and await self._cost(account) >= account.monthly_budget

    async def _cost(self, account: Account) -> Decimal:
        return self._usage.prices.cost_of(await self._usage.readings_this_month(account.id))
