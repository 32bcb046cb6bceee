"""Accounts and keys, managed by an operator or the web application."""

import logging
from dataclasses import astuple, replace
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.account import USUAL_LIMITS, Account, AccountLimits, ApiKey, Plan, Scope, mint_key, sandbox_of
from serve_app.domain.budget import CENT, MAX_BUDGET, is_amount
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.email_address import mail_server_form
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.limits import MAX_FILE_BYTES, megabytes
from serve_app.domain.livemode import is_live, sandbox_id
from serve_app.domain.plain_text import one_line
from serve_app.domain.query import ListPage
from serve_app.store.base import Accounts, Keys

MAX_KEY_NAME_LENGTH = 100
MAX_LIMIT = 10**9
"""Of documents and requests; databases cannot compare with any number."""

log = logging.getLogger(__name__)


class AccountService:
    """Creates accounts; creates, lists and revokes their keys."""

    def __init__(self, accounts: Accounts, keys: Keys, clock: Clock = utc_now) -> None:
        self._accounts = accounts
        self._keys = keys
        self._clock = clock

    async def create_account(
        self,
        plan: Plan = Plan.FREE,
        email: str | None = None,
        limits: AccountLimits = USUAL_LIMITS,
        account_id: UUID | None = None,
    ) -> Account:
        """`email` is for notices to the owner, `account_id` a new one if it is None. Raises InvalidParameter if `email`
        is not an address, or for limits that nothing can keep."""
        check_limits(limits)
        address = None if email is None else checked_address(email)
        account = Account(account_id or new_id(), plan, self._clock(), address, limits=limits)
        await self._accounts.add(account)
        log.info("account created", extra={"account_id": str(account.id), "plan": plan.name})
        return account

    async def set_plan(self, account_id: UUID, plan: Plan) -> None:
        """Set the plan from now on; what the account has used this month still counts. Raises LookupError for an
        unknown account."""
        if not await self._accounts.set_plan(account_id, plan):
            raise _unknown(account_id)
        await self._accounts.set_plan(sandbox_id(account_id), plan)
        log.info("plan set", extra={"account_id": str(account_id), "plan": plan.name})

    async def set_limits(self, account_id: UUID, limits: AccountLimits) -> None:
        """Set the account's own limits from now on, its sandbox's included, in place of all that were set before.
        Raises LookupError for an unknown account, InvalidParameter for limits that nothing can keep."""
        check_limits(limits)
        if not await self._accounts.set_limits(account_id, limits):
            raise _unknown(account_id)
        await self._accounts.set_limits(sandbox_id(account_id), limits.of_sandbox)
        log.info("limits set", extra={"account_id": str(account_id)})

    async def suspend(self, account_id: UUID) -> None:
        """Refuse whatever the account's keys and people ask for, and accept nothing for it, until it is resumed. What
        it has is kept, and what it has in progress ends. Raises LookupError for an unknown account, InvalidParameter
        if it is suspended."""
        if (await self.get_account(account_id)).suspended_at is not None:
            raise InvalidParameter("The account is suspended already.")
        await self._set_suspended(account_id, self._clock())
        log.warning("account suspended", extra={"account_id": str(account_id)})

    async def resume(self, account_id: UUID) -> None:
        """Raises LookupError for an unknown account, InvalidParameter if it is not suspended."""
        if (await self.get_account(account_id)).suspended_at is None:
            raise InvalidParameter("The account is not suspended.")
        await self._set_suspended(account_id, None)
        log.warning("account resumed", extra={"account_id": str(account_id)})

    async def _set_suspended(self, account_id: UUID, since: datetime | None) -> None:
        for id in _both(account_id):
            await self._accounts.set_suspended(id, since)

    async def set_email(self, account_id: UUID, email: str) -> None:
        """Set the owner's address for notices from now on. Raises LookupError for an unknown account, InvalidParameter
        if it is no address."""
        if not await self._accounts.set_email(account_id, checked_address(email)):
            raise _unknown(account_id)
        log.info("address of the owner set", extra={"account_id": str(account_id)})

    async def get_account(self, account_id: UUID) -> Account:
        """Raises LookupError for an unknown account."""
        account = await self._accounts.get(account_id)
        if account is None:
            raise _unknown(account_id)
        return account

    async def list_accounts(self, limit: int, after: UUID | None = None) -> ListPage[Account]:
        """All live accounts, newest first, starting strictly after the account `after`."""
        return await self._accounts.page(limit, after)

    async def get_sandbox(self, account_id: UUID) -> Account:
        """The account's sandbox, which comes to be when it is first needed. Raises LookupError for an
        unknown account."""
        account = await self.get_account(account_id)
        sandbox = account if not account.is_live else await self._accounts.get(sandbox_id(account_id))
        if sandbox is None:
            sandbox = sandbox_of(account, self._clock())
            await self._accounts.ensure(sandbox)
        return sandbox

    async def create_key(
        self, account_id: UUID, name: str, scope: Scope = Scope.FULL, *, livemode: bool = True
    ) -> tuple[ApiKey, str]:
        """The key and its raw form, to be shown once: it is not kept. Without `livemode` it is a key of test mode.
        Raises LookupError for an unknown account, InvalidParameter without a name or if it is too long."""
        checked = checked_key_name(name)
        owner = await (self.get_account(account_id) if livemode else self.get_sandbox(account_id))
        key, raw = mint_key(owner.id, checked, scope, self._clock())
        await self._keys.add(key)
        log.info("key created", extra={"account_id": str(account_id), "key_id": str(key.id), "scope": scope})
        return key, raw

    async def list_keys(self, account_id: UUID) -> list[ApiKey]:
        """All keys, including revoked ones and those of test mode, newest first. Raises LookupError for an unknown
        account."""
        await self.get_account(account_id)
        found = [key for id in _both(account_id) for key in await self._keys.of_account(id)]
        return sorted(found, key=lambda key: key.id, reverse=True)

    async def get_key(self, account_id: UUID, key_id: UUID) -> ApiKey:
        """Raises LookupError if the key is unknown or another account's."""
        for id in _both(account_id):
            for key in await self._keys.of_account(id):
                if key.id == key_id:
                    return key
        raise LookupError(f"the account has no key {key_id}")

    async def roll_key(self, account_id: UUID, key_id: UUID, overlap: timedelta) -> tuple[ApiKey, str]:
        """A new key with the name and scope of an old one, which works for the time of `overlap` from now, and the raw
        form of the new one, to be shown once. Raises LookupError as `get_key` does, InvalidParameter if the old key is
        revoked or was rolled before."""
        old, now = await self.get_key(account_id, key_id), self._clock()
        new, raw = mint_key(old.account_id, old.name, old.scope, now)
        if not await self._keys.replace(key_id, new, now + overlap):
            raise InvalidParameter("This key was already rolled or revoked. Roll the key that replaced it.")
        ids = {"account_id": str(account_id), "key_id": str(key_id), "new_key_id": str(new.id)}
        log.info("key rolled", extra=ids)
        return new, raw

    async def revoke_key(self, account_id: UUID, key_id: UUID) -> bool:
        """Refuse the key from now on. Returns False if it is unknown or was revoked before."""
        now = self._clock()
        revoked = any([await self._keys.revoke(id, key_id, now) for id in _both(account_id)])
        log.info("key revoked", extra={"account_id": str(account_id), "key_id": str(key_id), "changed": revoked})
        return revoked


def _both(account_id: UUID) -> tuple[UUID, ...]:
    """The account and its sandbox. A sandbox is alone."""
    return (account_id, sandbox_id(account_id)) if is_live(account_id) else (account_id,)


def _unknown(account_id: UUID) -> LookupError:
    return LookupError(f"there is no account {account_id}")


def check_limits(limits: AccountLimits) -> None:
    """Raises InvalidParameter for limits that nothing can keep."""
    if limits.file_mb is not None and limits.file_mb * 2**20 > MAX_FILE_BYTES:
        raise InvalidParameter(f"No account can have files over {megabytes(MAX_FILE_BYTES)}.")
    if limits.budget_per_month is not None and not is_amount(limits.budget_per_month):
        raise InvalidParameter(f"A budget is at least {CENT}, at most {MAX_BUDGET:,}, and has two decimals at most.")
    numbers = [value for value in astuple(replace(limits, budget_per_month=None)) if value is not None]
    if any(number < 1 for number in numbers):
        raise InvalidParameter("A limit is at least 1. To accept nothing from an account, suspend it.")
    if any(number > MAX_LIMIT for number in numbers):
        raise InvalidParameter(f"A limit is at most {MAX_LIMIT:,}.")


def checked_key_name(text: str) -> str:
    """The name on one line. Raises InvalidParameter if nothing is left of it, or if it is too long."""
    name = one_line(text).strip()
    if not name:
        raise InvalidParameter("Enter a name for the key, such as the program that uses it.")
    if len(name) > MAX_KEY_NAME_LENGTH:
        raise InvalidParameter(f"A key's name has at most {MAX_KEY_NAME_LENGTH} characters.")
    return name


def checked_address(email: str) -> str:
    """Raises InvalidParameter if it is no address."""
    if mail_server_form(email) is None:
        raise InvalidParameter("The address must be one plain address, like name@example.com.", "email")
    return email
