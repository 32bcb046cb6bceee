"""Creates invoices from the files of watched folders, once for each content of a folder."""

from unicodedata import normalize
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, Source
from serve_app.domain.mail_address import MAX_TAG_LENGTH
from serve_app.domain.plain_text import one_line
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.watched_folder import WatchedFile, WatchedFolder
from serve_app.services.capacity.start_times import StartTimes
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.services.watching.ports import FolderEntry
from serve_app.services.watching.report import FileResult
from serve_app.store.base import Accounts, Invoices, WatchedFolders

_MAX_INVOICES = 1000
"""Per file: more than the maximum number of pages."""


class WatchedDocuments:
    """A file can be sent again after a crash at any step: the record of its content has the id of its invoice, and an
    id is used for one invoice only."""

    def __init__(
        self,
        accounts: Accounts,
        intake: DocumentIntake,
        invoices: Invoices,
        folders: WatchedFolders,
        start_times: StartTimes,
        clock: Clock = utc_now,
    ) -> None:
        self._accounts = accounts
        self._intake = intake
        self._invoices = invoices
        self._folders = folders
        self._start_times = start_times
        self._clock = clock

    async def send(self, folder: WatchedFolder, entry: FolderEntry, data: bytes, sha256: str) -> WatchedFile | None:
        """The record of the content. Its invoice exists, unless it was deleted. None if the account is gone. Raises
        InvalidRequest for the document, MonthlyLimitReached, Unavailable."""
        account = await self._accounts.get(folder.account_id)
        if account is None:
            return None
        file = await self._folders.claim_file(WatchedFile(account.id, folder.id, sha256, new_id(), self._clock()))
        if not await self._invoices.is_or_was(account.id, file.invoice_id):
            await self._submit(account, entry, data, file.invoice_id)
        return file

    async def _submit(self, account: Account, entry: FolderEntry, data: bytes, invoice_id: UUID) -> None:
        await self._start_times.check(account.id)
        # As in the web application, a person has chosen the file.
        upload = Upload(data, entry.name, Source.APP, entity_tag=tag_of(entry.path))
        await self._intake.submit(account, upload, invoice_id)

    async def result(self, file: WatchedFile) -> FileResult | None:
        """None while the file is being processed."""
        invoice = await self._invoices.get(file.account_id, file.invoice_id)
        if invoice is None:
            return FileResult((), "invoice_deleted", "The invoice of this file was deleted.")
        if not invoice.is_finished:
            return None
        invoices = await self._invoices_of_file(file.account_id, invoice)
        if invoice.failure is not None:
            return FileResult(invoices, invoice.failure.code, invoice.failure.message)
        return FileResult(invoices)

    async def _invoices_of_file(self, account_id: UUID, invoice: Invoice) -> list[Invoice]:
        if invoice.batch is None:
            return [invoice]
        page = await self._invoices.page(account_id, InvoiceQuery(batch=invoice.batch.id), _MAX_INVOICES)
        return sorted(page.items, key=lambda each: each.batch.index if each.batch else 0)


def tag_of(path: str) -> str | None:
    """The entity tag of a file: the name of the top-level subfolder that contains it."""
    folder, _, rest = path.partition("/")
    # Some systems write accents as separate characters.
    return (one_line(normalize("NFC", folder))[:MAX_TAG_LENGTH].strip() or None) if rest else None
