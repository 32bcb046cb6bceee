"""Who sends a request."""

from serve_app.domain.account import Account, Caller, KeyInfo, Me, QuotaInfo, hash_key
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.errors import AccountSuspended, UnknownKey
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import Usage, UsageSums
from serve_app.services.accounts.key_uses import KeyUses
from serve_app.store.base import Keys, Quotas


class Callers:
    """Knows callers by their keys, and tells them about themselves."""

    def __init__(
        self,
        keys: Keys,
        quotas: Quotas,
        clock: Clock = utc_now,
        usual: TargetPrecision = TargetPrecision.STANDARD,
    ) -> None:
        """`usual` is the target precision of accounts that chose none."""
        self._keys = keys
        self._quotas = quotas
        self._clock = clock
        self._usual = usual
        self.uses = KeyUses(keys, clock)
        """Written beside the calls; flush it when the process ends."""

    async def authenticate(self, raw_key: str) -> Caller:
        """Raises UnknownKey, AccountSuspended."""
        caller = await self._keys.find_caller(hash_key(raw_key), self._clock())
        if caller is None:
            raise UnknownKey
        if caller.account.suspended_at is not None:
            raise AccountSuspended
        self.uses.note(caller.key.id)
        return caller

    async def quota(self, account: Account) -> QuotaInfo:
        """What the account has used of its quota in the present calendar month."""
        month = month_start(self._clock())
        used = await self._quotas.used(account.id, month)
        return QuotaInfo(used=used, limit=account.monthly_limit, period_start=month)

    async def _usage(self, account: Account) -> Usage:
        month = month_start(self._clock())
        return (await self._quotas.usage_by_month(account.id, month)).get(month, UsageSums()).as_usage()

    async def describe(self, caller: Caller) -> Me:
        """The caller's key, what is left of the quota, and what was used."""
        key = caller.key
        return Me(
            user_id=caller.account.id,
            key=KeyInfo(id=key.id, name=key.name, prefix=key.prefix, scope=key.scope, created_at=key.created_at),
            quota=await self.quota(caller.account),
            usage=await self._usage(caller.account),
            target_precision=caller.account.target_or(self._usual),
            livemode=caller.account.is_live,
        )
