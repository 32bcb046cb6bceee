"""Answers mails of people who are known and proved to be themselves, about what went wrong (RFC 3834)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.message import EmailMessage

from serve_app.domain.account import Account
from serve_app.domain.approval_mail import recipient_key
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.email_address import is_email_address
from serve_app.domain.inbound_mail import FAILURES, InboundMail, MailPart, MailQuery, MailState, Outcome, Way
from serve_app.domain.invoice import FailureCode, Invoice
from serve_app.domain.mail_address import Answering, MailAddress
from serve_app.domain.mail_result import invoices_of
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import AutomaticMails, Invoices, Mails, Memberships

LIMITS = ((timedelta(hours=1), 1), (timedelta(days=1), 10))
"""Most answers to one sender."""
QUIET = timedelta(seconds=20)
"""How long after a mail its sender is answered at the earliest: many send several at once."""
ANSWER_WINDOW = timedelta(minutes=10)
"""How long an answer waits for other mails of its sender to be read."""
AGAIN = timedelta(minutes=10)
"""After which it is seen whether a sender who has had an answer lately may have the next one."""
LATEST = timedelta(days=2)
"""After which a sender gets no answer about a mail any more."""
MOST_TOGETHER = 50
"""Mails that one answer covers."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PartNews:
    """What an answer says of one part."""

    name: str
    outcome: str
    advice: str = ""
    is_failure: bool = False
    mail: str = ""
    """The subject of its mail, if the answer is about several."""


@dataclass(frozen=True, slots=True)
class AnswerMail:
    """What an answer says. `message_id` is the id of the answered mail, None if it has none; `mails` is how many
    mails it is about."""

    to: str
    subject: str
    message_id: str | None
    news: tuple[PartNews, ...]
    ignored: int
    sent_at: datetime
    mails: int = 1


Compose = Callable[[AnswerMail], EmailMessage]

_OUTCOMES = {
    Outcome.INVOICE: "read",
    Outcome.SAME_FILE: "already received, not read again",
    Outcome.LINKS: "only links",
    Outcome.ATTACHMENT_MISSING: "without its attachment",
    Outcome.XML_ONLY: "electronic invoice without a picture",
    Outcome.NEEDS_PASSWORD: "protected with a password",
    Outcome.ENCRYPTED_MAIL: "encrypted",
    Outcome.UNSUPPORTED: "unsupported file type",
    Outcome.TOO_LARGE: "too large",
    Outcome.TOO_MANY: "not processed",
    Outcome.UNREADABLE: "damaged",
}


_NOTHING = PartNews(
    "The e-mail", "no document", "Attach the invoice as PDF, JPEG, PNG, HEIC, TIFF, WebP, HTML or XML.", is_failure=True
)


class MailAnswers:
    """One answer for a mail, after all its documents were read. `own` is the sender of the service's mail."""

    def __init__(
        self,
        automatic: AutomaticMails,
        memberships: Memberships,
        mails: Mails,
        invoices: Invoices,
        mailer: Mailer,
        compose: Compose,
        own: str,
        clock: Clock = utc_now,
    ) -> None:
        self._automatic = automatic
        self._memberships = memberships
        self._mails = mails
        self._invoices = invoices
        self._mailer = mailer
        self._compose = compose
        self._own = own.lower()
        self._clock = clock

    async def answer(
        self, mail: InboundMail, address: MailAddress, account: Account, invoices: Sequence[Invoice]
    ) -> InboundMail:
        """Send the answer if the mail is to have one. Returns the mail as it is to be saved: answered, or due again
        when its sender may get an answer about it and other mails. Raises Unavailable. A crash can lose an answer,
        but never sends it twice."""
        news = _news(mail.parts, {str(invoice.id): invoice for invoice in invoices})
        to = mail.heading.sender
        if (
            to is None
            or not _is_due(mail, address, news)
            or not await self._may_be_answered(mail, to, address, account)
        ):
            return replace(mail, due_at=None)
        now = self._clock()
        if (later := await self._later(mail, to, address, account, now)) is not None:
            return replace(mail, due_at=later)
        if not await self._automatic.take(account.id, f"answer:{recipient_key(to)}", now, LIMITS):
            return replace(mail, due_at=now + AGAIN) if now - mail.received_at < LATEST else replace(mail, due_at=None)
        waiting = await self._waiting(mail, to, address, account)
        answer = self._answer_to(to, [(mail, news), *waiting], now)
        if not await self._sent(answer, mail):
            return replace(mail, due_at=None)
        for other, _ in waiting:
            # One that has changed meanwhile may be in two answers.
            await self._mails.save(replace(other, answered_at=now, due_at=None))
        return replace(mail, answered_at=now, due_at=None)

    async def answer_late(self, mail: InboundMail, address: MailAddress, account: Account) -> InboundMail:
        """The same for a mail that was done earlier, and whose sender could not be answered then."""
        return await self.answer(mail, address, account, await self._invoices_of(mail))

    async def _later(
        self, mail: InboundMail, to: str, address: MailAddress, account: Account, now: datetime
    ) -> datetime | None:
        """When to answer, if others of the sender may be about to fail, too: one answer names them all."""
        if now < mail.received_at + QUIET:
            return mail.received_at + QUIET
        if now > mail.received_at + ANSWER_WINDOW:
            return None
        for state in (MailState.QUEUED, MailState.READING):
            page = await self._mails.page(account.id, MailQuery(state=state, address_id=address.id), MOST_TOGETHER)
            if any(to in {one.heading.sender, one.envelope.sender} for one in page.items if one.id != mail.id):
                return now + QUIET
        return None

    async def _waiting(
        self, mail: InboundMail, to: str, address: MailAddress, account: Account
    ) -> list[tuple[InboundMail, tuple[PartNews, ...]]]:
        """Other mails of the sender to the same address that wait for an answer."""
        query = MailQuery(state=MailState.DONE, address_id=address.id, awaits_answer=True)
        page = await self._mails.page(account.id, query, MOST_TOGETHER)
        others = [one for one in page.items if one.id != mail.id and one.heading.sender == to and _is_proved(one, to)]
        return [(one, await self._news_of(one)) for one in others]

    async def _news_of(self, mail: InboundMail) -> tuple[PartNews, ...]:
        return _news(mail.parts, {str(invoice.id): invoice for invoice in await self._invoices_of(mail)})

    async def _invoices_of(self, mail: InboundMail) -> list[Invoice]:
        found = [await self._invoices.get(mail.account_id, each) for each in sorted(invoices_of(mail))]
        return [invoice for invoice in found if invoice is not None]

    def _answer_to(
        self, to: str, mails: Sequence[tuple[InboundMail, tuple[PartNews, ...]]], now: datetime
    ) -> AnswerMail:
        first = mails[0][0].heading
        ignored = sum(part.outcome is Outcome.IGNORED for mail, _ in mails for part in mail.parts)
        if len(mails) == 1:
            return AnswerMail(to, first.subject, first.message_id, mails[0][1], ignored, now)
        news = [
            replace(each, mail=mail.heading.subject or "(no subject)")
            for mail, parts in mails
            for each in parts or [_NOTHING]
        ]
        return AnswerMail(to, first.subject, first.message_id, tuple(news), ignored, now, mails=len(mails))

    async def _sent(self, answer: AnswerMail, mail: InboundMail) -> bool:
        try:
            await self._mailer.send(self._compose(answer))
        except MailError as error:
            log.warning("mail not answered: %s", error, extra={"mail_id": str(mail.id)})
            return False
        log.info("mail answered", extra={"mail_id": str(mail.id)})
        return True

    async def _may_be_answered(self, mail: InboundMail, to: str, address: MailAddress, account: Account) -> bool:
        """Never robots, lists, bounces, this service, or somebody who only claims to be the sender."""
        is_bounce = mail.envelope.way in {Way.SMTP, Way.LMTP} and not mail.envelope.sender
        if mail.answered_at or mail.heading.is_automatic or is_bounce or to == self._own or not is_email_address(to):
            return False
        return _is_proved(mail, to) and (_is_listed(to, address.allowed) or await self._is_of_account(to, account))

    async def _is_of_account(self, to: str, account: Account) -> bool:
        known = [member.person.email for member in await self._memberships.of_account(account.id)]
        return to in {email.lower() for email in (*known, account.email or "")}


def _is_proved(mail: InboundMail, to: str) -> bool:
    return mail.verdict is not None and _is_listed(to, mail.verdict.identities)


def _is_listed(address: str, listed: Sequence[str]) -> bool:
    """Whether a list of addresses and domains has the address."""
    names = {one.lower() for one in listed}
    return address in names or address.rpartition("@")[2] in names


def _is_due(mail: InboundMail, address: MailAddress, news: Sequence[PartNews]) -> bool:
    if address.answering is Answering.NEVER:
        return False
    nothing_found = not any(part.outcome in {Outcome.INVOICE, Outcome.SAME_FILE} for part in mail.parts)
    return address.answering is Answering.ALWAYS or nothing_found or any(part.is_failure for part in news)


def _news(parts: Sequence[MailPart], invoices: dict[str, Invoice]) -> tuple[PartNews, ...]:
    reported = (part for part in parts if part.outcome in _OUTCOMES)
    return tuple(_news_of(part, invoices.get(str(part.invoice_id))) for part in reported)


def _news_of(part: MailPart, invoice: Invoice | None) -> PartNews:
    name = part.name or "The text of the mail"
    if part.outcome is Outcome.INVOICE and invoice is not None and (failure := invoice.failure) is not None:
        is_locked = failure.code is FailureCode.DOCUMENT_ENCRYPTED
        outcome = _OUTCOMES[Outcome.NEEDS_PASSWORD] if is_locked else "not readable"
        return PartNews(name, outcome, failure.message, is_failure=True)
    is_failure = part.outcome in FAILURES or part.outcome is Outcome.LINKS
    return PartNews(name, _OUTCOMES[part.outcome], part.reason, is_failure)
