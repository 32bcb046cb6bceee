"""Makes invoices of the documents that a mail brought: each once, the same file once in a while, and logos never."""

import logging
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from serve_app.documents.mail.opened import OpenedPart
from serve_app.domain.account import Account
from serve_app.domain.approval_mail import recipient_key
from serve_app.domain.errors import InvalidRequest
from serve_app.domain.inbound_mail import (
    LOGO_MAILS,
    SAME_FILE_WINDOW,
    InboundMail,
    MailDocument,
    MailPart,
    Outcome,
    invoice_id_of,
)
from serve_app.domain.invoice import Source
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.store.base import Invoices, MailDocuments, MailPictures

log = logging.getLogger(__name__)


class MailedDocuments:
    """A mail can be worked on again after a crash at any step: the id of an invoice follows from its mail and part."""

    def __init__(
        self, intake: DocumentIntake, invoices: Invoices, documents: MailDocuments, pictures: MailPictures
    ) -> None:
        self._intake = intake
        self._invoices = invoices
        self._documents = documents
        self._pictures = pictures

    async def submit(self, account: Account, mail: InboundMail, opened: OpenedPart) -> MailPart:
        """What became of a document. Raises MonthlyLimitReached, Unavailable."""
        part = opened.part
        invoice_id = invoice_id_of(mail.id, part.path, mail.received_at)
        if await self._invoices.is_or_was(account.id, invoice_id):
            return await self._known(account.id, part, invoice_id)
        if not part.is_wanted and (known := await self._why_not(mail, part, invoice_id)) is not None:
            return known
        upload = Upload(opened.data, part.name, Source.EMAIL, entity_tag=mail.entity_tag)
        try:
            await self._intake.submit(account, upload, invoice_id)
        except InvalidRequest as error:
            return replace(part, outcome=Outcome.UNSUPPORTED, reason=error.message)
        log.info("document of a mail accepted", extra={"mail_id": str(mail.id), "invoice_id": str(invoice_id)})
        return replace(part, outcome=Outcome.INVOICE, reason="", invoice_id=invoice_id)

    async def _known(self, account_id: UUID, part: MailPart, invoice_id: UUID) -> MailPart:
        """The part whose invoice was made by an earlier try, and perhaps deleted since."""
        if await self._invoices.get(account_id, invoice_id) is None:
            return replace(part, outcome=Outcome.ERASED, reason="", name=None, sha256=None)
        return replace(part, outcome=Outcome.INVOICE, reason="", invoice_id=invoice_id)

    async def _why_not(self, mail: InboundMail, part: MailPart, invoice_id: UUID) -> MailPart | None:
        """What became of a document that need not be read."""
        if await self._is_logo(mail, part):
            reason = f"This picture was in {LOGO_MAILS} e-mails of this sender, so it is treated as a logo."
            return replace(part, outcome=Outcome.IGNORED, reason=reason)
        first = await self._earlier(mail, part, invoice_id)
        if first is None:
            return None
        known_id, came_at = first
        reason = f"The same file arrived on {came_at:%Y-%m-%d}."
        return replace(part, outcome=Outcome.SAME_FILE, reason=reason, invoice_id=known_id)

    async def _is_logo(self, mail: InboundMail, part: MailPart) -> bool:
        sender = mail.heading.sender or mail.envelope.sender
        if not sender or not part.sha256 or not (part.mime_type or "").startswith("image/"):
            return False
        key, now = recipient_key(sender), mail.received_at
        return await self._pictures.note(mail.account_id, key, part.sha256, mail.id, now) >= LOGO_MAILS

    async def _earlier(self, mail: InboundMail, part: MailPart, invoice_id: UUID) -> tuple[UUID, datetime] | None:
        """The invoice of the same file and when it came, if it came before in whichever way."""
        sha256, since = part.sha256 or "", mail.received_at - SAME_FILE_WINDOW
        invoice = await self._invoices.of_file(mail.account_id, sha256, since)
        if invoice is not None:
            return invoice.id, invoice.created_at
        # Another mail with it may be in work at this moment.
        note = MailDocument(mail.account_id, sha256, mail.id, part.path, invoice_id, mail.received_at)
        stands = await self._documents.claim(note, since)
        is_own = (stands.mail_id, stands.path) == (mail.id, part.path)
        return None if is_own else (stands.invoice_id, stands.received_at)
