"""Makes invoices of the documents that a mail brought: each once, and the same file once in a while."""

from dataclasses import replace
from uuid import UUID

from serve_app.documents.mail.opened import OpenedPart
from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidRequest
from serve_app.domain.inbound_mail import (
    SAME_FILE_WINDOW,
    InboundMail,
    MailDocument,
    MailPart,
    Outcome,
    invoice_id_of,
)
from serve_app.domain.invoice import Source
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.store.base import Invoices, MailDocuments


class MailedDocuments:
    """A mail can be worked on again after a crash at any step: the id of an invoice follows from its mail and part."""

    def __init__(self, intake: DocumentIntake, invoices: Invoices, documents: MailDocuments) -> None:
        self._intake = intake
        self._invoices = invoices
        self._documents = documents

    async def submit(self, account: Account, mail: InboundMail, opened: OpenedPart) -> MailPart:
        """What became of a document. Raises QuotaReached, Unavailable."""
        part = opened.part
        invoice_id = invoice_id_of(mail.id, part.path, mail.received_at)
        if await self._invoices.is_or_was(account.id, invoice_id):
            return await self._known(account.id, part, invoice_id)
        if not part.is_wanted and (first := await self._earlier(mail, part, invoice_id)) is not None:
            reason = f"The same file came on {first.received_at:%Y-%m-%d}."
            return replace(part, outcome=Outcome.SAME_FILE, reason=reason, invoice_id=first.invoice_id)
        upload = Upload(opened.data, part.name, Source.EMAIL, entity_tag=mail.entity_tag)
        try:
            await self._intake.submit(account, upload, invoice_id)
        except InvalidRequest as error:
            return replace(part, outcome=Outcome.UNSUPPORTED, reason=error.message)
        return replace(part, outcome=Outcome.INVOICE, reason="", invoice_id=invoice_id)

    async def _known(self, account_id: UUID, part: MailPart, invoice_id: UUID) -> MailPart:
        """The part whose invoice was made by an earlier try, and perhaps deleted since."""
        if await self._invoices.get(account_id, invoice_id) is None:
            return replace(part, outcome=Outcome.ERASED, reason="", name=None, sha256=None)
        return replace(part, outcome=Outcome.INVOICE, reason="", invoice_id=invoice_id)

    async def _earlier(self, mail: InboundMail, part: MailPart, invoice_id: UUID) -> MailDocument | None:
        """The mail that brought this file before, if any did."""
        note = MailDocument(
            account_id=mail.account_id,
            sha256=part.sha256 or "",
            mail_id=mail.id,
            path=part.path,
            invoice_id=invoice_id,
            received_at=mail.received_at,
        )
        stands = await self._documents.claim(note, mail.received_at - SAME_FILE_WINDOW)
        return None if (stands.mail_id, stands.path) == (mail.id, part.path) else stands
