"""Accounts, which own everything, and the keys that may act for them."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.account import Account, AccountLimits, ApiKey, Caller, Plan
from serve_app.domain.query import ListPage
from serve_app.domain.target_precision import TargetPrecision


class Accounts(Protocol):
    """Accounts and their plans."""

    async def add(self, account: Account) -> None: ...

    async def ensure(self, account: Account) -> None:
        """Add the account unless there is one with its id."""
        ...

    async def get(self, account_id: UUID) -> Account | None: ...

    async def page(self, limit: int, after: UUID | None = None) -> ListPage[Account]:
        """All live accounts of the deployment, newest first, starting strictly after the id `after` in that order."""
        ...

    async def set_plan(self, account_id: UUID, plan: Plan) -> bool:
        """False if there is no such account."""
        ...

    async def set_email(self, account_id: UUID, email: str | None) -> bool:
        """False if there is no such account."""
        ...

    async def set_limits(self, account_id: UUID, limits: AccountLimits) -> bool:
        """Replace all limits of its own. False if there is no such account."""
        ...

    async def set_suspended(self, account_id: UUID, since: datetime | None) -> bool:
        """None: not suspended. False if there is no such account."""
        ...

    async def set_target_precision(self, account_id: UUID, target: TargetPrecision | None) -> bool:
        """False if there is no such account."""
        ...


class Keys(Protocol):
    """API keys, known by their hash only."""

    async def add(self, key: ApiKey) -> None: ...

    async def find_caller(self, key_hash: str, now: datetime) -> Caller | None:
        """The key with this hash and its account; None if the key is unknown or has been revoked by now."""
        ...

    async def of_account(self, account_id: UUID) -> list[ApiKey]:
        """All keys of the account, including revoked ones, newest first."""
        ...

    async def revoke(self, account_id: UUID, key_id: UUID, now: datetime) -> bool:
        """True if the key was valid until now."""
        ...

    async def replace(self, key_id: UUID, new: ApiKey, end: datetime) -> bool:
        """Add a key of the same account that takes this one's place, which works until `end`. False, and nothing is
        added, unless the account has such a key that works without an end."""
        ...

    async def note_use(self, key_ids: Collection[UUID], day: date) -> None:
        """Note that these keys were used on this day. It never takes back a later day, and may be lost in a crash."""
        ...
