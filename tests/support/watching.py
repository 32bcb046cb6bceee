"""A watched folder with its watch, whose time tests move."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.watched_folder import WatchedFolder, folder_id_of
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.intake.submit import DocumentIntake
from serve_app.services.tasks.wake import Wake
from serve_app.services.watching.documents import WatchedDocuments
from serve_app.services.watching.lease import FolderLease
from serve_app.services.watching.ports import FolderAccess
from serve_app.services.watching.watch import FolderWatch, WatchOptions
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.watched.local import LocalFolder
from serve_app.wiring.intake import build_start_times
from tests.support import LEASE, NOON, PDF_BYTES, Clock

MAX_BYTES = 1000
SETTLE = 10.0


class NoNotifier:
    async def wake(self) -> None:
        return None


def pdf(text: str) -> bytes:
    """A document with this content."""
    return PDF_BYTES + f"% {text}\n".encode()


@dataclass
class WatchScene:
    """`seconds` is the monotonic time of the watches."""

    store: Store
    files: Files
    settings: Settings
    account: Account
    root: Path
    clock: Clock
    seconds: float = 1000.0
    folder: WatchedFolder = field(init=False)

    def __post_init__(self) -> None:
        self.root.mkdir(exist_ok=True)
        self.folder = WatchedFolder(folder_id_of(str(self.root)), self.account.id, str(self.root), NOON)

    async def add(self) -> None:
        assert await self.store.watched_folders.add(self.folder)

    def watch(self, open_folder: Callable[[], FolderAccess] | None = None) -> FolderWatch:
        """A watch in a process of its own, so to say."""
        store, folders = self.store, self.store.watched_folders
        intake = DocumentIntake(
            store.intake,
            MonthlyLimits(UsageService(store.quotas)),
            self.files,
            Wake(NoNotifier()),
            MAX_BYTES,
            self.clock,
        )
        starts = build_start_times(store, self.settings, self.clock)
        documents = WatchedDocuments(store.accounts, intake, store.invoices, folders, starts, self.clock)
        lease = FolderLease(folders, self.folder, new_id(), self.clock, lambda: self.seconds)
        options = WatchOptions(MAX_BYTES, 1.0, SETTLE)
        return FolderWatch(
            self.folder,
            open_folder or (lambda: LocalFolder(self.root)),
            documents,
            folders,
            lease,
            options,
            self.clock,
            lambda: self.seconds,
        )

    def put(self, path: str, data: bytes) -> Path:
        """A file in the folder."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file

    def advance(self, seconds: float) -> None:
        self.seconds += seconds
        self.clock.advance(seconds)

    async def settle(self, watch: FolderWatch) -> None:
        """A scan, and another one when files have settled."""
        await watch.run_round()
        self.advance(SETTLE)
        await watch.run_round()

    async def process(self) -> int:
        """Process all queued documents; returns how many."""
        count = 0
        while claim := await self.store.queue.claim_due_invoice(LEASE):
            await self.store.queue.save_result(claim, Extraction(), self.clock.now)
            count += 1
        return count

    async def take(self, watch: FolderWatch) -> None:
        """All of it: settle, process, move."""
        await self.settle(watch)
        await self.process()
        await watch.run_round()

    async def invoices(self) -> list[Invoice]:
        return list((await self.store.invoices.page(self.account.id, InvoiceQuery(), 100)).items)

    async def delete_invoice(self) -> None:
        """The only one."""
        (invoice,) = await self.invoices()
        record = await self.store.invoices.find_record(self.account.id, invoice.id)
        assert record is not None
        await self.store.erasure.invoice(record, self.clock.now)

    async def state(self) -> WatchedFolder:
        (found,) = await self.store.watched_folders.list_all()
        return found

    def report(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.root / path).read_bytes())
        return found

    def paths(self) -> list[str]:
        """All files in and below the folder, sorted."""
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir())
