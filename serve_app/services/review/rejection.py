"""Tells the sender of a mail that the invoice in it was rejected."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound, MailNotSent
from serve_app.domain.inbound_mail import InboundMail
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.record import InvoiceRecord, first_of
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import AutomaticMails, Invoices, Mails

_DAY = timedelta(days=1)
_A_DAY = 200
_TO_ONE_A_DAY = 20

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RejectionMail:
    """What the mail says. `answers` is the message id of the mail that brought the invoice."""

    to: str
    invoice: Invoice
    reason: str
    subject: str
    answers: str | None
    sent_at: datetime


Compose = Callable[[RejectionMail], EmailMessage]


class RejectionMails:
    """Writes to the address that an invoice came from, if that was proved: anybody can write any address into a mail.

    Raises InvoiceNotFound for an invoice that is unknown or another account's."""

    def __init__(
        self,
        invoices: Invoices,
        mails: Mails,
        sent: AutomaticMails,
        mailer: Mailer,
        compose: Compose,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._invoices = invoices
        self._mails = mails
        self._sent = sent
        self._mailer = mailer
        self._compose = compose
        self._audit = audit
        self._clock = clock

    async def addressee(self, account_id: UUID, invoice_id: UUID) -> str | None:
        """Whom a mail about the invoice would go to; None if nobody is known."""
        mail = await self._mail_of(await self._record(account_id, invoice_id))
        return None if mail is None else mail.heading.sender

    async def send(self, account_id: UUID, invoice_id: UUID, actor: Actor) -> str:
        """Tell the sender that the invoice was rejected, and why; the address. Raises InvalidParameter if it is not
        rejected, no sender is known, or too many were told today; MailNotSent."""
        record = await self._record(account_id, invoice_id)
        review, mail = record.invoice.review, await self._mail_of(record)
        if review.status is not ReviewStatus.REJECTED or review.reason is None:
            raise InvalidParameter("You can notify the sender only about a rejected invoice.")
        if mail is None or mail.heading.sender is None:
            raise InvalidParameter("The sender of this invoice is not known.")
        to, now = mail.heading.sender, self._clock()
        await self._count(account_id, to, now)
        heading = mail.heading
        message = RejectionMail(to, record.invoice, review.reason, heading.subject, heading.message_id, now)
        try:
            await self._mailer.send(self._compose(message))
        except MailError as error:
            log.warning("mail about a rejected invoice not sent: %s", error, extra={"invoice_id": str(invoice_id)})
            raise MailNotSent from None
        await self._audit.record(actor, account_id, "invoice.sender_told", str(invoice_id), to=to)
        return to

    async def _count(self, account_id: UUID, to: str, now: datetime) -> None:
        for key, limit in ((f"rejection:{to.lower()}", _TO_ONE_A_DAY), ("rejection", _A_DAY)):
            if not await self._sent.take(account_id, key, now, [(_DAY, limit)]):
                raise InvalidParameter("Daily limit for rejection e-mails reached. Try again tomorrow.")

    async def _record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return record

    async def _mail_of(self, record: InvoiceRecord) -> InboundMail | None:
        """The mail that brought the invoice, if it is from who it says and may be answered. A batch came in as its
        first invoice."""
        mails = await self._mails.of_invoice(record.account_id, first_of(record.file_key))
        return next((mail for mail in mails if _may_be_answered(mail)), None)


def _may_be_answered(mail: InboundMail) -> bool:
    sender, verdict = mail.heading.sender, mail.verdict
    is_proved = sender is not None and verdict is not None and sender.lower() in verdict.identities
    return is_proved and not mail.heading.is_automatic
