"""Removes, or archives, what is older than it is to be kept."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import astuple
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.bookkeeping_periods import days_of
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.livemode import sandbox_id
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Removal, Retention
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.retention.archive import EventArchive
from serve_app.services.retention.documents import OldDocuments
from serve_app.services.upkeep.receipts import receipted
from serve_app.store.base import Files, Store

_BATCH = 100
_ACCOUNTS = 1000
_EVERY_SECONDS = 3600.0

log = logging.getLogger(__name__)


def _lawful(rule: Retention) -> Retention:
    return rule if rule.country is None else rule.at_least(days_of(rule.country))


class RetentionRounds:
    """Any number of processes may do it at the same time: removing can be repeated, and counts what it found itself.

    `deployment` is what applies where an account's own rule says nothing; 0, or None: for good.
    """

    def __init__(
        self,
        store: Store,
        files: Files,
        deployment: Retention,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._eraser = InvoiceEraser(store, files, clock)
        self._documents = OldDocuments(store, files, clock)
        self._archive = EventArchive(store, files, clock)
        self._deployment = deployment
        self._clock = clock
        self._monotonic = monotonic
        self._next = 0.0

    async def run(self) -> None:
        """Remove what is due, once an hour at most."""
        if self._monotonic() < self._next:
            return
        async for account_id, rule in self._accounts():
            # First, so that no event is archived that goes at once.
            if rule.values_days:
                await self._remove_old(account_id, self._clock() - timedelta(days=rule.values_days))
            if rule.documents_days:
                await self._documents.remove(account_id, self._clock() - timedelta(days=rule.documents_days))
            if rule.events_days:
                await self._archive.move(account_id, self._clock() - timedelta(days=rule.events_days))
        # Last: a round that broke off is repeated at once.
        self._next = self._monotonic() + _EVERY_SECONDS

    async def _accounts(self) -> AsyncIterator[tuple[UUID, Retention]]:
        """The accounts of which not everything is kept for good, with their test data, and the rule that applies to
        each."""
        rules = await self._store.retention.rules()
        for account_id, rule in rules.items():
            for id in (account_id, sandbox_id(account_id)):
                yield id, _lawful(rule.or_else(self._deployment))
        after: UUID | None = None
        while any(astuple(self._deployment)):
            page = await self._store.accounts.page(_ACCOUNTS, after)
            for account in page.items:
                if account.id not in rules:
                    for id in (account.id, sandbox_id(account.id)):
                        yield id, self._deployment
            if not page.has_more:
                return
            after = page.items[-1].id

    async def _remove_old(self, account_id: UUID, before: datetime) -> None:
        while old := await self._old(account_id, before):
            async with receipted(self._store.retention, self._clock, account_id, Removal.RETENTION, before) as removed:
                for record in old:
                    removed.erased += await self._eraser.remove(record)
            log.info("old invoices removed", extra={"account_id": str(account_id), "invoices": removed.erased.invoices})

    async def _old(self, account_id: UUID, before: datetime) -> list[InvoiceRecord]:
        # The oldest come first.
        oldest = await self._store.erasure.next_invoices(account_id, _BATCH)
        return [record for record in oldest if record.invoice.created_at < before and record.invoice.is_finished]
