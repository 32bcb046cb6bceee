"""What an operator takes care of, as numbers: free disks, backups, keys, certificates and clocks."""

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from datetime import timedelta
from itertools import product
from pathlib import Path
from uuid import UUID

from serve_app.domain.audit import AuditEntry
from serve_app.domain.backup import MADE, TESTED
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.invoice import Status
from serve_app.services.accounts.usage import UsageService
from serve_app.services.tasks.rounds import forever
from serve_app.store.base import AuditLog, Store
from serve_app.system.certificates import expires_at
from serve_app.system.disks import free_bytes
from serve_app.system.kernel_clock import ClockState, clock_state
from serve_app.telemetry.logs import RepeatedLog
from serve_app.telemetry.meter import set_to
from serve_app.telemetry.series import (
    ACCOUNT_CPU,
    ACCOUNT_DOCUMENTS,
    ACCOUNT_PAGES,
    ACCOUNT_QUEUE,
    BACKUP_MADE,
    BACKUP_TESTED,
    CERTIFICATE_EXPIRES,
    CLOCK_OFFSET,
    CLOCK_UNKEPT,
    DISK_FREE,
    KEY_CHANGED,
)

SECONDS = 60.0
_PAGE = 200
_MOST_PAGES = 10

log = RepeatedLog(logging.getLogger(__name__))


class Care:
    """Looks every minute, until the task is cancelled. `folders`, `keys` and `certificates` are files of this machine,
    by what they are; `clock_ahead` is how far its clock is ahead of the database's. `accounts` have numbers of their
    own."""

    def __init__(
        self,
        store: Store,
        folders: Mapping[str, Path],
        keys: Mapping[str, Path],
        certificates: Mapping[str, Path],
        clock_ahead: Callable[[], Awaitable[timedelta]],
        accounts: Collection[UUID] = (),
        clock: Clock = utc_now,
    ) -> None:
        self._audit = store.audit
        self._usage = UsageService(store.quotas, clock=clock)
        self._queue = store.queue
        self._accounts = accounts
        self._folders = folders
        self._keys = keys
        self._certificates = certificates
        self._clock_ahead = clock_ahead

    async def publish_forever(self) -> None:
        """Each part by itself: one that is out of reach leaves its last number, and the others go on."""
        await forever(self.publish, SECONDS)

    async def publish(self) -> None:
        """Look once."""
        for part in (self._disks, self._backups, self._files, self._clock, self._usage_of_accounts):
            try:
                await part()
            except Exception as error:
                log.error("not known: %r", error)

    async def _disks(self) -> None:
        for what, folder in self._folders.items():
            set_to(DISK_FREE, free_bytes(folder), folder=what)

    async def _usage_of_accounts(self) -> None:
        if not self._accounts:
            return
        for account_id in self._accounts:
            (month,) = await self._usage.with_readings(account_id, 1)
            account = str(account_id)
            set_to(ACCOUNT_DOCUMENTS, month.documents, account=account)
            for kind, pages in (("all", month.readings.pages), ("ocr", month.readings.ocr_pages)):
                set_to(ACCOUNT_PAGES, pages, account=account, kind=kind)
            set_to(ACCOUNT_CPU, month.readings.cpu_ms / 1000, account=account)
        backlog = await self._queue.backlog()
        for account_id, status in product(self._accounts, (Status.QUEUED, Status.PROCESSING)):
            documents = backlog.documents_of(account_id, status)
            set_to(ACCOUNT_QUEUE, documents, account=str(account_id), state=status)

    async def _files(self) -> None:
        for what, path in self._keys.items():
            if path.is_file():
                set_to(KEY_CHANGED, path.stat().st_mtime, key=what)
        for what, path in self._certificates.items():
            set_to(CERTIFICATE_EXPIRES, expires_at(path).timestamp(), certificate=what)

    async def _backups(self) -> None:
        found = await newest(self._audit, (MADE, TESTED))
        for action, series in ((MADE, BACKUP_MADE), (TESTED, BACKUP_TESTED)):
            entry = found.get(action)
            set_to(series, 0.0 if entry is None else entry.at.timestamp())

    async def _clock(self) -> None:
        set_to(CLOCK_UNKEPT, clock_state() is ClockState.ALONE)
        set_to(CLOCK_OFFSET, (await self._clock_ahead()).total_seconds())


async def newest(audit: AuditLog, actions: Iterable[str]) -> Mapping[str, AuditEntry]:
    """The newest entry of the deployment with each action, among the newest 2,000."""
    wanted, found = set(actions), dict[str, AuditEntry]()
    last: UUID | None = None
    for _ in range(_MOST_PAGES):
        page = await audit.page(None, _PAGE, last)
        for entry in page.items:
            if entry.action in wanted:
                found.setdefault(entry.action, entry)
        if wanted <= found.keys() or not page.has_more:
            break
        last = page.items[-1].id
    return found
