"""Who the caller is and what is left of the quota."""

from serve_app.domain.account import Caller, KeyInfo, Me, QuotaInfo
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.store.base import Quotas


class DescribeCaller:
    """Answers `GET /v1/me`."""

    def __init__(self, quotas: Quotas, clock: Clock = utc_now) -> None:
        self._quotas = quotas
        self._clock = clock

    async def __call__(self, caller: Caller) -> Me:
        month = month_start(self._clock())
        used = await self._quotas.used(caller.account.id, month)
        key = caller.key
        return Me(
            user_id=caller.account.id,
            key=KeyInfo(id=key.id, name=key.name, prefix=key.prefix, created_at=key.created_at),
            quota=QuotaInfo(used=used, limit=caller.account.plan.monthly_limit, period_start=month),
        )
