"""Deletes accounts for operators, with an entry in the deployment's audit trail."""

import asyncio
import logging
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.erased import Erased
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.people.audit import AuditTrail
from serve_app.services.tasks.background import Background

log = logging.getLogger(__name__)


class AccountDeletion:
    """A deletion that a crash interrupts is repeated by calling it again."""

    def __init__(self, eraser: AccountEraser, audit: AuditTrail) -> None:
        self._eraser = eraser
        self._audit = audit
        self._background = Background()
        self._running: dict[UUID, asyncio.Task[Erased]] = {}

    async def delete(self, actor: Actor, account_id: UUID) -> Erased:
        """What was removed. Raises as `AccountEraser.erase`."""
        try:
            erased = await self._eraser.erase(account_id)
        except Exception as error:
            log.warning("account not deleted: %r", error, extra={"account_id": str(account_id)})
            raise
        # The account's own trail is gone with it.
        await self._audit.record(actor, None, "account.deleted", str(account_id))
        return erased

    async def is_deleted_within(self, actor: Actor, account_id: UUID, seconds: float) -> bool:
        """Start the deletion, or wait for the one that this process has started; False if it goes on after `seconds`.
        Raises as `delete`."""
        task = self._running.get(account_id)
        if task is None:
            task = self._running[account_id] = self._background.start(self.delete(actor, account_id))
            task.add_done_callback(lambda _: self._running.pop(account_id, None))
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if done:
            task.result()
        return bool(done)
