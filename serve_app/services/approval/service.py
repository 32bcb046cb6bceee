"""Approval by e-mail: requesting it, and accepting the answer."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.approval import Approval, ApprovalTimes
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvoiceNotFound, MailNotSent, NotComplete
from serve_app.domain.invoice import ApprovalStatus, Invoice, Status
from serve_app.domain.plain_text import one_line, shortened
from serve_app.domain.query import InvoiceQuery, ListPage
from serve_app.services.approval.facts import ApprovalFacts
from serve_app.services.approval.links import LINK_LIFE, ApprovalLinkError, ApprovalLinks, ApprovalToken, LinkProblem
from serve_app.services.approval.mail_allowance import MailAllowance
from serve_app.services.ports import Mailer, MailError
from serve_app.services.signed_tokens import SigningKeys
from serve_app.store.base import Invoices

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ApprovalMail:
    """The content of an approval request. `asked_by` names the requester; the links work until `expires_at`."""

    to: str
    asked_by: str
    facts: ApprovalFacts
    approve_url: str
    reject_url: str
    sent_at: datetime
    expires_at: datetime
    livemode: bool = True


Compose = Callable[[ApprovalMail], EmailMessage]
_ASKER_LENGTH = 150
_ANSWERS = {ApprovalStatus.APPROVED, ApprovalStatus.REJECTED}


class ApprovalService:
    """Sends approval requests and accepts one answer to each.

    The mail is sent before the request is recorded (ADR 0023): if mail cannot be sent, the invoice is unchanged, and
    the links of a mail whose request was not recorded do nothing.
    """

    def __init__(
        self,
        invoices: Invoices,
        allowance: MailAllowance,
        mailer: Mailer,
        compose: Compose,
        signing_keys: SigningKeys,
        clock: Clock = utc_now,
    ) -> None:
        self._invoices = invoices
        self._allowance = allowance
        self._mailer = mailer
        self._compose = compose
        self._links = ApprovalLinks(signing_keys, clock)
        self._clock = clock

    async def request(
        self,
        account_id: UUID,
        invoice_id: UUID,
        email: str,
        asked_by: str,
        base_url: str,
        change_id: UUID | None = None,
    ) -> Invoice:
        """Ask `email`, a valid address, for approval; this voids any earlier request. The links begin with
        `base_url`. Raises InvoiceNotFound, NotComplete, MailLimitReached, MailNotSent, Unavailable."""
        invoice = await self._invoices.get(account_id, invoice_id)
        if invoice is None:
            raise InvoiceNotFound
        if invoice.status is not Status.COMPLETE:
            raise NotComplete
        token = ApprovalToken.new(account_id, invoice_id)
        await self._send(account_id, invoice, self._mail(invoice, email, asked_by, self._page(token, base_url)))
        asked = await self._invoices.request_approval(
            account_id, invoice_id, email, token.hash, self._clock(), change_id
        )
        if asked is None:
            raise InvoiceNotFound
        return asked

    async def list(
        self, account_id: UUID, status: ApprovalStatus, limit: int, after: UUID | None = None
    ) -> ListPage[Approval]:
        """The requests in this state, newest invoice first, starting strictly after the invoice `after`."""
        page = await self._invoices.page(account_id, InvoiceQuery(approval_status=status), limit, after)
        times = await self._invoices.approval_times(account_id, [invoice.id for invoice in page.items])
        found = (Approval(invoice, times.get(invoice.id, ApprovalTimes())) for invoice in page.items)
        return ListPage(tuple(found), page.has_more)

    async def remind(self, account_id: UUID, invoice_id: UUID, asked_by: str, base_url: str) -> Invoice | None:
        """Ask the person of the open request again: a new mail, whose links replace the earlier ones. None, and nothing
        is sent, if no request is open. Raises what `request` does."""
        invoice = await self._invoices.get(account_id, invoice_id)
        if invoice is None:
            raise InvoiceNotFound
        if invoice.approval_status is not ApprovalStatus.REQUESTED or invoice.approval_email is None:
            return None
        return await self.request(account_id, invoice_id, invoice.approval_email, asked_by, base_url)

    async def withdraw(self, account_id: UUID, invoice_id: UUID) -> Invoice | None:
        """Take the open request back, so that its links do nothing; None if there is none. Raises InvoiceNotFound."""
        if await self._invoices.get(account_id, invoice_id) is None:
            raise InvoiceNotFound
        return await self._invoices.withdraw_approval(account_id, invoice_id, self._clock())

    async def look(self, link: str) -> Invoice:
        """The invoice that an open link refers to. Raises ApprovalLinkError for any other link, Unavailable."""
        return await self._open(self._links.read(link))

    async def answer(self, link: str, *, approved: bool, seen: str) -> Invoice:
        """Approve or reject, once; `seen` is the fingerprint of the facts that were shown. Raises ApprovalLinkError
        if the link is not open or the facts have changed, Unavailable."""
        token = self._links.read(link)
        invoice = await self._open(token)
        if ApprovalFacts.of(invoice).fingerprint != seen:
            raise ApprovalLinkError(LinkProblem.CHANGED)
        answered = await self._invoices.answer_approval(
            token.account_id, token.invoice_id, token.hash, approved, self._clock()
        )
        if answered is None:
            raise ApprovalLinkError(await self._why_closed(token))
        log.info("approval answered: %s", answered.approval_status, extra={"invoice_id": str(answered.id)})
        return answered

    def _page(self, token: ApprovalToken, base_url: str) -> str:
        return f"{base_url.rstrip('/')}/approvals/{self._links.write(token)}"

    def _mail(self, invoice: Invoice, email: str, asked_by: str, page: str) -> ApprovalMail:
        now = self._clock()
        return ApprovalMail(
            to=email,
            asked_by=shortened(one_line(asked_by), _ASKER_LENGTH),
            facts=ApprovalFacts.of(invoice),
            approve_url=f"{page}?answer=approve",
            reject_url=f"{page}?answer=reject",
            sent_at=now,
            expires_at=now + LINK_LIFE,
            livemode=invoice.livemode,
        )

    async def _send(self, account_id: UUID, invoice: Invoice, mail: ApprovalMail) -> None:
        day = await self._allowance.take(account_id, mail.to)
        try:
            await self._mailer.send(self._compose(mail))
        except MailError as error:
            await self._allowance.refund(account_id, mail.to, day)
            log.warning("approval mail not sent: %s", error, extra={"invoice_id": str(invoice.id)})
            raise MailNotSent from error

    async def _open(self, token: ApprovalToken) -> Invoice:
        invoice = await self._invoices.find_approval(token.account_id, token.invoice_id, token.hash)
        if invoice is None:
            raise ApprovalLinkError(await self._why_closed(token))
        if invoice.status is not Status.COMPLETE:
            raise ApprovalLinkError(LinkProblem.NOT_COMPLETE)
        return invoice

    async def _why_closed(self, token: ApprovalToken) -> LinkProblem:
        invoice = await self._invoices.get(token.account_id, token.invoice_id)
        answered = invoice is not None and invoice.approval_status in _ANSWERS
        return LinkProblem.ANSWERED if answered else LinkProblem.NOT_OPEN
