"""Pictures of pages for people: drawn when somebody first looks at a page, then kept beside the document."""

import logging
from uuid import UUID

from serve_app.domain.errors import DocumentGone, InvoiceNotFound, PartNotFound, ServiceError
from serve_app.domain.record import InvoiceRecord, pictures_key_of
from serve_app.services.ports import PageArtist
from serve_app.services.tasks.background import Background
from serve_app.store.base import Files, Invoices

log = logging.getLogger(__name__)


class PagePictures:
    """Draws each page of a file once, whichever of its invoices it belongs to; the pictures are deleted with the
    file."""

    def __init__(self, invoices: Invoices, files: Files, artist: PageArtist) -> None:
        self._invoices = invoices
        self._files = files
        self._artist = artist
        self._background = Background()

    async def of_file(self, account_id: UUID, invoice_id: UUID, page: int) -> bytes:
        """Page `page` (from 1) of the file that the invoice came in, whichever invoice it belongs to, as a JPEG. Raises
        as `get` does."""
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return await self._picture(record, page)

    async def get(self, account_id: UUID, invoice_id: UUID, number: int) -> bytes:
        """Page `number` (from 1) of the invoice as a JPEG. Raises InvoiceNotFound, PartNotFound if the invoice has no
        such page or it cannot be drawn, Unavailable."""
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return await self._picture(record, _page_of_file(record, number))

    async def _picture(self, record: InvoiceRecord, page: int) -> bytes:
        if record.document_gone_at is not None:
            raise DocumentGone
        key = f"{pictures_key_of(record.file_key)}/{page}"
        try:
            return await self._files.read(key)
        except FileNotFoundError:
            # A reader who turns the page must not stop the process that draws, which others wait for.
            return await self._background.finish(self._drawn(record, key, page))

    async def _drawn(self, record: InvoiceRecord, key: str, page: int) -> bytes:
        try:
            data = await self._files.read(record.file_key)
        except FileNotFoundError:
            raise InvoiceNotFound from None
        picture = await self._artist.show(data, page)
        await self._keep(record, key, picture)
        return picture

    async def _keep(self, record: InvoiceRecord, key: str, picture: bytes) -> None:
        try:
            await self._files.write(key, picture)
            if await self._invoices.find_record(record.account_id, record.invoice.id) is None:
                # Deleted meanwhile, perhaps with the file and its other pictures.
                await self._files.delete(key)
        except ServiceError as error:
            log.warning("picture not kept: %r", error, extra={"invoice_id": str(record.invoice.id)})


def _page_of_file(record: InvoiceRecord, number: int) -> int:
    batch, pages = record.invoice.batch, record.invoice.pages
    first = 1 if batch is None else batch.first_page
    last = (pages or 1) if batch is None else batch.last_page
    if not first <= first + number - 1 <= last:
        raise PartNotFound
    return first + number - 1
