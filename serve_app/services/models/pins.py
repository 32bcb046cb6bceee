"""Accounts that stay on one pair of models for a time."""

import logging
from collections.abc import Collection
from datetime import date, timedelta
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter, ServiceError
from serve_app.domain.model_pairs import FIRST, Pin
from serve_app.domain.record import InvoiceRecord
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Pins

log = logging.getLogger(__name__)

LONGEST = timedelta(days=366)
"""How long an account can stay on a pair, because every pair that is kept costs memory."""


class ModelPins:
    """Pins accounts to pairs of models: of those that are served, of which `further` are beside the first one."""

    def __init__(self, pins: Pins, audit: AuditTrail, further: Collection[str], clock: Clock = utc_now) -> None:
        self._pins = pins
        self._audit = audit
        self.served = (FIRST, *further)
        self._clock = clock

    async def pin(self, actor: Actor, account_id: UUID, pair: str, last_day: date) -> Pin:
        """Let this pair read what the account sends from now on, up to the last day (UTC). Raises InvalidParameter if
        it is not served or the day is out of range, LookupError if there is no such account."""
        now = self._clock()
        if pair not in self.served:
            raise InvalidParameter(f"There is no model pair {pair!r}. Available: {_listed(self.served)}.")
        if not now.date() <= last_day <= now.date() + LONGEST:
            raise InvalidParameter(f"The last day must be from today to {LONGEST.days} days from now.")
        pin = Pin(account_id, pair, last_day, now)
        if not await self._pins.put(pin):
            raise LookupError(f"there is no account {account_id}")
        await self._audit.record(actor, account_id, "models.pinned", pair, last_day=last_day)
        return pin

    async def unpin(self, actor: Actor, account_id: UUID) -> bool:
        """Let the account's documents be read like those of others; False if they were."""
        removed = await self._pins.remove(account_id)
        if removed:
            await self._audit.record(actor, account_id, "models.unpinned")
        return removed

    async def present(self, account_id: UUID) -> Pin | None:
        """The account's pin, unless its last day is over."""
        pin = await self._pins.of_account(account_id)
        return pin if pin is not None and pin.last_day >= self._clock().date() else None

    async def list_all(self) -> list[Pin]:
        """The pins of all accounts, the oldest first; those whose last day is over, too."""
        return await self._pins.list_all()

    async def warn_of_unserved(self) -> None:
        """Log which accounts stay on a pair that is no longer served: the first one reads what they send. For the start
        of a process; it raises nothing."""
        try:
            pins = await self.list_all()
        except ServiceError as error:
            log.warning("whether all pins are served is not known: %r", error)
            return
        for pin in pins:
            if pin.pair not in self.served and pin.last_day >= self._clock().date():
                log.warning(
                    "account %s stays on %s, which is not served: the first pair reads", pin.account_id, pin.pair
                )

    async def chosen(self, claim: InvoiceRecord) -> str | None:
        """The pair for a run: a reason for `PairChoice`."""
        pin = await self.present(claim.account_id)
        return None if pin is None else pin.pair


def _listed(names: Collection[str]) -> str:
    return ", ".join(names)
