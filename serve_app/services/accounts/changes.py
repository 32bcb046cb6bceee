"""Changes that operators make to accounts, each with its entries in the audit trails."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from serve_app.domain.account import USUAL_LIMITS, Account, AccountLimits, ApiKey, LimitValue, Plan, Scope
from serve_app.domain.audit import Actor
from serve_app.services.accounts.plans import PlanService
from serve_app.services.accounts.service import AccountService, check_limits, checked_address
from serve_app.services.people.audit import AuditTrail


@dataclass(frozen=True, slots=True)
class AccountAmendment:
    """What is to change; None: nothing. `limits` are those of its own that change."""

    plan: str | None = None
    email: str | None = None
    limits: Mapping[str, LimitValue] = field(default_factory=dict)
    suspended: bool | None = None


class AccountChanges:
    """Makes changes for an actor. What is refused is not noted."""

    def __init__(self, accounts: AccountService, plans: PlanService, audit: AuditTrail) -> None:
        self._accounts = accounts
        self._plans = plans
        self._audit = audit

    async def create(
        self,
        actor: Actor,
        plan: str,
        email: str | None = None,
        limits: AccountLimits = USUAL_LIMITS,
        account_id: UUID | None = None,
    ) -> Account:
        """Raises InvalidParameter for an unknown plan, an address that is none, or limits that nothing can keep."""
        account = await self._accounts.create_account(await self._plans.get(plan), email, limits, account_id)
        own = None if limits == USUAL_LIMITS else limits.described
        await self._audit.record(actor, None, "account.created", str(account.id), plan=plan, limits=own)
        return account

    async def amend(self, actor: Actor, account_id: UUID, amendment: AccountAmendment) -> Account:
        """The changed account. What it has already is not noted again. Raises LookupError for an unknown account,
        and InvalidParameter before anything is changed."""
        account = await self._accounts.get_account(account_id)
        limits = account.limits.changed(amendment.limits)
        check_limits(limits)
        if amendment.email is not None:
            checked_address(amendment.email)
        plan = account.plan if amendment.plan is None else await self._plans.get(amendment.plan)
        if plan.name != account.plan.name:
            await self._accounts.set_plan(account_id, plan)
            texts = {"before": account.plan.name, "plan": plan.name}
            await self._record_twice(actor, account_id, "plan.changed", **texts)
        if amendment.email is not None and amendment.email != account.email:
            await self._accounts.set_email(account_id, amendment.email)
            await self._audit.record(actor, account_id, "account.address_changed")
        if limits != account.limits:
            await self._accounts.set_limits(account_id, limits)
            texts = {"before": account.limits.described, "limits": limits.described}
            await self._record_twice(actor, account_id, "limits.changed", **texts)
        if amendment.suspended not in (None, account.suspended_at is not None):
            await (self.suspend if amendment.suspended else self.resume)(actor, account_id)
        return await self._accounts.get_account(account_id)

    async def suspend(self, actor: Actor, account_id: UUID) -> None:
        """Raises LookupError for an unknown account, InvalidParameter if it is suspended."""
        await self._accounts.suspend(account_id)
        await self._record_twice(actor, account_id, "account.suspended")

    async def resume(self, actor: Actor, account_id: UUID) -> None:
        """Raises LookupError for an unknown account, InvalidParameter if it is not suspended."""
        await self._accounts.resume(account_id)
        await self._record_twice(actor, account_id, "account.resumed")

    async def create_key(
        self, actor: Actor, account_id: UUID, name: str, scope: Scope = Scope.FULL, *, livemode: bool = True
    ) -> tuple[ApiKey, str]:
        """As `AccountService.create_key`."""
        key, raw = await self._accounts.create_key(account_id, name, scope, livemode=livemode)
        await self._record_key(actor, account_id, "key.created", key)
        return key, raw

    async def revoke_key(self, actor: Actor, account_id: UUID, key_id: UUID) -> bool:
        """False if the key was revoked before. Raises LookupError if it is unknown."""
        key = await self._accounts.get_key(account_id, key_id)
        was_valid = await self._accounts.revoke_key(account_id, key_id)
        if was_valid:
            await self._record_key(actor, account_id, "key.revoked", key)
        return was_valid

    async def define_plan(self, actor: Actor, name: str, limits: AccountLimits) -> Plan:
        """Raises InvalidParameter as `PlanService.set`."""
        before = await self._plans.set(name, limits)
        was = None if before is None else before.limits.described
        if before is None or before.limits != limits:
            await self._audit.record(actor, None, "plan.defined", name, before=was, limits=limits.described)
        return Plan(name, limits)

    async def amend_plan(self, actor: Actor, name: str, changes: Mapping[str, LimitValue]) -> Plan:
        """Change only these limits of a plan, or add one with them."""
        known = {plan.name: plan.limits for plan in await self._plans.list_all()}
        return await self.define_plan(actor, name, known.get(name, USUAL_LIMITS).changed(changes))

    async def remove_plan(self, actor: Actor, name: str) -> None:
        """Raises InvalidParameter as `PlanService.remove`."""
        await self._plans.remove(name)
        await self._audit.record(actor, None, "plan.removed", name)

    async def _record_key(self, actor: Actor, account_id: UUID, action: str, key: ApiKey) -> None:
        await self._audit.record(actor, account_id, action, key.name, scope=key.scope, prefix=key.prefix)

    async def _record_twice(self, actor: Actor, account_id: UUID, action: str, **details: object) -> None:
        """In the trail of the deployment and in the account's own."""
        for trail in (None, account_id):
            await self._audit.record(actor, trail, action, str(account_id), **details)
