"""Who sends a request."""

from serve_app.domain.account import Caller, KeyInfo, Me, hash_key
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import AccountSuspended, UnknownKey
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.accounts.key_uses import KeyUses
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.store.base import Keys


class Callers:
    """Knows callers by their keys, and tells them about themselves."""

    def __init__(
        self,
        keys: Keys,
        limits: MonthlyLimits,
        clock: Clock = utc_now,
        usual: TargetPrecision = TargetPrecision.STANDARD,
    ) -> None:
        """`usual` is the target precision of accounts that chose none."""
        self._keys = keys
        self._limits = limits
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

    async def describe(self, caller: Caller) -> Me:
        """The caller's key, what is left of quota and budget, and what was used."""
        key = caller.key
        return Me(
            user_id=caller.account.id,
            key=KeyInfo(id=key.id, name=key.name, prefix=key.prefix, scope=key.scope, created_at=key.created_at),
            quota=await self._limits.quota(caller.account),
            budget=await self._limits.budget(caller.account),
            usage=await self._limits.usage(caller.account),
            target_precision=caller.account.target_or(self._usual),
            livemode=caller.account.is_live,
        )
