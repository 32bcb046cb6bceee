"""The plans of the deployment: the contract's, and those that operators add."""

import logging
import re

from serve_app.domain.account import CONTRACT_PLANS, AccountLimits, Plan
from serve_app.domain.errors import InvalidParameter
from serve_app.services.accounts.service import check_limits
from serve_app.store.base import Plans

_NAME = re.compile("[a-z0-9][a-z0-9_-]{0,39}")

log = logging.getLogger(__name__)


class PlanService:
    """Lists, adds, changes and removes plans."""

    def __init__(self, plans: Plans) -> None:
        self._plans = plans

    async def list_all(self) -> list[Plan]:
        """The contract's first, then those of operators by name."""
        return [*CONTRACT_PLANS.values(), *await self._plans.list_all()]

    async def get(self, name: str) -> Plan:
        """Raises InvalidParameter for an unknown name."""
        plan = CONTRACT_PLANS.get(name) or await self._plans.get(name)
        if plan is None:
            known = ", ".join(plan.name for plan in await self.list_all())
            raise InvalidParameter(f"There is no plan of this name. The plans are {known}.", "plan")
        return plan

    async def set(self, name: str, limits: AccountLimits) -> Plan | None:
        """Add the plan, or replace all its limits, from now on, for the accounts that have it. Returns what it was.
        Raises InvalidParameter for a plan of the contract, a name of another form, or limits that nothing can keep."""
        _refuse_contract(name)
        if _NAME.fullmatch(name) is None:
            raise InvalidParameter("The name of a plan has up to 40 of the characters a-z, 0-9, - and _.", "name")
        check_limits(limits)
        before = await self._plans.get(name)
        await self._plans.put(Plan(name, limits))
        log.info("plan defined", extra={"plan": name})
        return before

    async def remove(self, name: str) -> None:
        """Raises InvalidParameter for a plan of the contract, one that accounts have, or an unknown one."""
        _refuse_contract(name)
        if not await self._plans.remove(name):
            await self.get(name)
            raise InvalidParameter("Accounts have this plan. Give them another one first.", "name")
        log.info("plan removed", extra={"plan": name})

    async def missing(self) -> list[str]:
        """The plans that accounts have and that are not there: these allow what the free one does."""
        return sorted(await self._plans.in_use() - {plan.name for plan in await self.list_all()})


def _refuse_contract(name: str) -> None:
    if name in CONTRACT_PLANS:
        raise InvalidParameter(
            f"The contract defines the plans {', '.join(CONTRACT_PLANS)}. Choose another name.", "name"
        )
