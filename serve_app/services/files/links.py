"""Links that download an invoice's document: signed, valid for an hour, for any holder."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Literal
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import DocumentGone, ExpiredFileLink, InvalidFileLink, InvoiceNotFound
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.resource import Resource
from serve_app.services.ports import PageCutter
from serve_app.services.signed_tokens import BadToken, ExpiredToken, SigningKeys, TimedTokens
from serve_app.store.base import Files, Invoices

LINK_SECONDS = 3600


class FileLink(Resource):
    """Where an invoice's document can be downloaded for `expires_in` seconds, with no key."""

    id: UUID
    url: str
    expires_in: Literal[3600] = 3600
    file_name: str | None
    mime_type: str | None


@dataclass(frozen=True, slots=True)
class Download:
    """A document to be downloaded."""

    data: bytes
    name: str
    mime_type: str


class FileLinks:
    """Creates and redeems links. The document of an invoice split from a batch is its own pages."""

    def __init__(
        self,
        invoices: Invoices,
        files: Files,
        cutter: PageCutter,
        signing_keys: SigningKeys,
        clock: Clock = utc_now,
    ) -> None:
        self._invoices = invoices
        self._files = files
        self._cutter = cutter
        self._tokens = TimedTokens(signing_keys, "file link", timedelta(seconds=LINK_SECONDS), clock)

    def link(self, account_id: UUID, invoice: Invoice, downloads: str, *, original: bool) -> FileLink:
        """A link to the document of an account's invoice, below the address `downloads`; `original` selects the file
        as it was submitted."""
        whole = original or invoice.batch is None
        token = self._tokens.write([str(account_id), str(invoice.id), whole])
        return FileLink(
            id=invoice.id,
            url=f"{downloads}/{token}",
            file_name=_name(invoice, whole),
            mime_type=invoice.file.mime_type,
        )

    async def redeem(self, token: str) -> Download:
        """The document that a link names. Raises AccessDenied if the link was changed or has expired, NotFound if the
        invoice is gone, or its pages cannot be cut out of the file."""
        account_id, invoice_id, whole = self._read(token)
        return await self.download(account_id, invoice_id, whole=whole)

    async def download(self, account_id: UUID, invoice_id: UUID, *, whole: bool) -> Download:
        """The document of an account's invoice; `whole` also if it came with others. Raises NotFound as `redeem`
        does."""
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        if record.document_gone_at is not None:
            raise DocumentGone
        invoice = record.invoice
        name = _name(invoice, whole) or f"{invoice.id}"
        return Download(await self._data(record, whole), name, invoice.file.mime_type or "application/octet-stream")

    def _read(self, token: str) -> tuple[UUID, UUID, bool]:
        try:
            account_id, invoice_id, whole = self._tokens.read(token)
        except ExpiredToken:
            raise ExpiredFileLink from None
        except BadToken:
            raise InvalidFileLink from None
        return UUID(account_id), UUID(invoice_id), bool(whole)

    async def _data(self, record: InvoiceRecord, whole: bool) -> bytes:
        data = await self._files.read(record.file_key)
        batch = record.invoice.batch
        if whole or batch is None:
            return data
        return await self._cutter.cut(data, batch.first_page, batch.last_page)


def _name(invoice: Invoice, whole: bool) -> str | None:
    """The file's name; the name of a part includes its pages: `scans-p3-4.pdf`."""
    name, batch = invoice.file.name, invoice.batch
    if name is None or whole or batch is None:
        return name
    path = PurePosixPath(name)
    return f"{path.stem}-p{batch.first_page}-{batch.last_page}{path.suffix}"
