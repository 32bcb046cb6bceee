"""The audit trail: who changed what, and when."""

from uuid import UUID

from serve_app.domain.audit import Actor, AuditEntry
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.plain_text import one_line, shortened
from serve_app.domain.query import ListPage
from serve_app.store.base import AuditLog

_MAX_LENGTH = 300


class AuditTrail:
    """Writes down changes once they are made, and lists them."""

    def __init__(self, log: AuditLog, clock: Clock = utc_now) -> None:
        self._log = log
        self._clock = clock

    async def record(
        self, actor: Actor, account_id: UUID | None, action: str, target: str = "", **details: object
    ) -> None:
        """Write down that `actor` did `action` (a noun and a verb: `key.revoked`) to `target`. `details` are shown to
        everybody who may read the trail: no secrets, nothing of documents. `account_id` None: a change of the
        deployment."""
        texts = {name: _plain(value) for name, value in details.items() if value is not None}
        entry = AuditEntry(new_id(), account_id, self._clock(), actor, action, _plain(target), texts)
        await self._log.add(entry)

    async def page(self, account_id: UUID | None, limit: int, after: UUID | None = None) -> ListPage[AuditEntry]:
        """Newest first, starting strictly after the id `after`; None: changes of the deployment."""
        return await self._log.page(account_id, limit, after)

    async def of_target(self, account_id: UUID, target: str, limit: int) -> list[AuditEntry]:
        """What was done to one thing, such as an invoice's id; newest first."""
        return await self._log.of_target(account_id, target, limit)


def _plain(value: object) -> str:
    return shortened(one_line(str(value)), _MAX_LENGTH)
