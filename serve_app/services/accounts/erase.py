"""Removes accounts permanently, with everything they have."""

import logging
from dataclasses import asdict
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.erased import Erased
from serve_app.domain.errors import AccountContended, AccountKept
from serve_app.domain.livemode import sandbox_id
from serve_app.domain.retention import Removal
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.mailroom.erase import MailEraser
from serve_app.services.upkeep.receipts import receipted
from serve_app.store.base import Files, Store

_BATCH = 100
_ROUNDS = 10

log = logging.getLogger(__name__)


class AccountEraser:
    """Removes an account and everything it has. It can be called again until it succeeds."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._clock = clock
        self._invoices = InvoiceEraser(store, files, clock)
        self._mails = MailEraser(store, files, clock)

    async def erase(self, account_id: UUID) -> Erased:
        """What was removed, with the test data. Raises LookupError for an unknown account, AccountKept if the
        law of a country keeps its invoices, AccountContended if new ones keep coming in."""
        await self._check(account_id)
        rules = await self._store.retention.rules([account_id])
        if rules and (country := rules[account_id].country) is not None:
            raise AccountKept(country, account_id)
        async with receipted(self._store.retention, self._clock, account_id, Removal.ACCOUNT) as removed:
            removed.erased = await self._lock_out(account_id)
            of_sandbox = await self._erase_sandbox(account_id)
            removed.erased += await self._remove(account_id)
            # What was being accepted while the account was removed.
            removed.erased += await self._remove_contents(account_id)
        log.info("account erased", extra={"account_id": str(account_id), **asdict(removed.erased)})
        return removed.erased + of_sandbox

    async def _erase_sandbox(self, account_id: UUID) -> Erased:
        """Before the account: while the sandbox is there, so is the account, and the call can be repeated."""
        sandbox = sandbox_id(account_id)
        is_to_erase = sandbox != account_id and await self._is_there(sandbox)
        return await self.erase(sandbox) if is_to_erase else Erased()

    async def _check(self, account_id: UUID) -> None:
        """An account that is gone may still have invoices or mails, if an earlier call did not finish."""
        if not await self._is_there(account_id):
            raise LookupError(f"there is no account {account_id}")

    async def _is_there(self, account_id: UUID) -> bool:
        known = await self._store.accounts.get(account_id) is not None
        return known or await self._has_left_overs(account_id)

    async def _has_left_overs(self, account_id: UUID) -> bool:
        invoices = await self._store.erasure.next_invoices(account_id, 1)
        return bool(invoices or await self._store.mails.of_account(account_id, 1))

    async def _lock_out(self, account_id: UUID) -> Erased:
        """Done first, so that nothing new comes in."""
        erased = await self._store.memberships.remove_all(account_id)
        await self._mails.close_addresses(account_id)
        for key in await self._store.keys.of_account(account_id):
            await self._store.keys.revoke(account_id, key.id, self._clock())
        return erased

    async def _remove(self, account_id: UUID) -> Erased:
        """Retries, because requests that were let in before may still add invoices or mails."""
        erased = Erased()
        for _ in range(_ROUNDS):
            erased += await self._remove_contents(account_id)
            try:
                return erased + await self._store.erasure.account(account_id)
            except ValueError:
                log.info("the account has new invoices or mails", extra={"account_id": str(account_id)})
        raise AccountContended

    async def _remove_contents(self, account_id: UUID) -> Erased:
        """Mails first, since they may become invoices."""
        mails = Erased(mails=await self._mails.remove_all(account_id))
        return mails + await self._remove_invoices(account_id)

    async def _remove_invoices(self, account_id: UUID) -> Erased:
        erased = Erased()
        while records := await self._store.erasure.next_invoices(account_id, _BATCH):
            for record in records:
                # The endpoints go with the account: nobody is left to receive an event.
                erased += await self._invoices.remove(record, emit_event=False)
        return erased
