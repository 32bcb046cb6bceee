"""Checks that all that is stored agrees with each other, whether or not the service runs."""

import asyncio
from collections.abc import AsyncIterator, Collection
from uuid import UUID

from serve_app.domain.account_records import Difference
from serve_app.domain.archive import ARCHIVE
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.ids import parse_id
from serve_app.domain.inbound_mail import MAILS
from serve_app.domain.record import CUTS, DEPLOYMENT, EVIDENCE, PAGES
from serve_app.services.upkeep.differences import differences
from serve_app.store.base import Files
from serve_app.store.base.store_check import StoreCheck

_LOOKS = 3
_FOLDERS = (ARCHIVE, EVIDENCE, MAILS)
_SHARED = (*_FOLDERS, PAGES, CUTS)


PAUSE_SECONDS = 2.0


class Verification:
    """Reads everything, account by account. What is only on its way looks like a difference for a moment, so one counts
    if it is still there after two pauses of `pause_seconds`."""

    def __init__(
        self, check: StoreCheck, files: Files, pause_seconds: float | None = None, clock: Clock = utc_now
    ) -> None:
        self._check = check
        self._files = files
        self._clock = clock
        self._pause_seconds = PAUSE_SECONDS if pause_seconds is None else pause_seconds

    async def of_account(self, account_id: UUID) -> list[Difference]:
        """What is wrong with an account."""
        found = set(await self._look(account_id))
        for _ in range(_LOOKS - 1):
            if not found:
                break
            await asyncio.sleep(self._pause_seconds)
            found &= set(await self._look(account_id))
        return sorted(found)

    async def all_accounts(self) -> list[UUID]:
        """All accounts, and those that only invoices know of."""
        return await self._check.accounts()

    async def damage(self) -> list[str]:
        """What is wrong with the database itself."""
        return await self._check.damage()

    async def strays(self, accounts: Collection[UUID]) -> AsyncIterator[Difference]:
        """Files that belong to none of these accounts, which are all that there are."""
        known = {str(account) for account in accounts}
        async for file in self._files.list_all():
            if file.key == DEPLOYMENT:
                continue
            owner = _owner_of(file.key)
            if owner is None or (parse_id(owner) is not None and owner not in known):
                yield Difference("files", f"no account has the file {file.key}")

    async def repair(self, account_id: UUID) -> None:
        """Derive anew what is derived."""
        await self._check.repair(account_id)

    async def _look(self, account_id: UUID) -> list[Difference]:
        records = await self._check.of_account(account_id)
        folders = [str(account_id), *(f"{folder}/{account_id}" for folder in _FOLDERS)]
        keys = [key for folder in folders for key in await self._files.keys_in(folder)]
        return differences(records, frozenset(keys), self._clock())


def _owner_of(key: str) -> str | None:
    """The account that the key of a file names; None if it names none."""
    first, _, rest = key.partition("/")
    return rest.partition("/")[0] or None if first in _SHARED else first
