"""Answers mails of people who are known and proved to be themselves, about what went wrong (RFC 3834)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage

from serve_app.domain.account import Account
from serve_app.domain.approval_mail import recipient_key
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.email_address import is_email_address
from serve_app.domain.inbound_mail import FAILURES, InboundMail, MailPart, Outcome, Way
from serve_app.domain.invoice import FailureCode, Invoice
from serve_app.domain.mail_address import Answering, MailAddress
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import AutomaticMails, Memberships

LIMITS = ((timedelta(hours=1), 1), (timedelta(days=1), 10))
"""Most answers to one sender."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PartNews:
    """What an answer says of one part."""

    name: str
    outcome: str
    advice: str = ""
    is_failure: bool = False


@dataclass(frozen=True, slots=True)
class AnswerMail:
    """What an answer says. `message_id` is that of the mail that is answered, None if it has none."""

    to: str
    subject: str
    message_id: str | None
    news: tuple[PartNews, ...]
    ignored: int
    sent_at: datetime


Compose = Callable[[AnswerMail], EmailMessage]

_OUTCOMES = {
    Outcome.INVOICE: "read",
    Outcome.SAME_FILE: "known already, and not read again",
    Outcome.LINKS: "only links",
    Outcome.ATTACHMENT_MISSING: "without its attachment",
    Outcome.XML_ONLY: "electronic invoice without a picture",
    Outcome.NEEDS_PASSWORD: "protected with a password",
    Outcome.ENCRYPTED_MAIL: "encrypted",
    Outcome.UNSUPPORTED: "of a kind that is not read",
    Outcome.TOO_LARGE: "too large",
    Outcome.TOO_MANY: "not looked at",
    Outcome.UNREADABLE: "damaged",
}


class MailAnswers:
    """One answer for a mail, after all its documents were read. `own` is the sender of the service's mail."""

    def __init__(
        self,
        automatic: AutomaticMails,
        memberships: Memberships,
        mailer: Mailer,
        compose: Compose,
        own: str,
        clock: Clock = utc_now,
    ) -> None:
        self._automatic = automatic
        self._memberships = memberships
        self._mailer = mailer
        self._compose = compose
        self._own = own.lower()
        self._clock = clock

    async def answer(
        self, mail: InboundMail, address: MailAddress, account: Account, invoices: Sequence[Invoice]
    ) -> bool:
        """Send the answer if the mail is to have one; True if it was sent. Raises Unavailable. A crash can lose it, but
        never sends it twice."""
        news = _news(mail.parts, {str(invoice.id): invoice for invoice in invoices})
        to = mail.heading.sender
        if (
            to is None
            or not _is_due(mail, address, news)
            or not await self._may_be_answered(mail, to, address, account)
        ):
            return False
        now = self._clock()
        if not await self._automatic.take(account.id, f"answer:{recipient_key(to)}", now, LIMITS):
            return False
        ignored = sum(part.outcome is Outcome.IGNORED for part in mail.parts)
        answer = AnswerMail(to, mail.heading.subject, mail.heading.message_id, news, ignored, now)
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
    told = (part for part in parts if part.outcome in _OUTCOMES)
    return tuple(_news_of(part, invoices.get(str(part.invoice_id))) for part in told)


def _news_of(part: MailPart, invoice: Invoice | None) -> PartNews:
    name = part.name or "The text of the mail"
    if part.outcome is Outcome.INVOICE and invoice is not None and (failure := invoice.failure) is not None:
        is_locked = failure.code is FailureCode.DOCUMENT_ENCRYPTED
        outcome = _OUTCOMES[Outcome.NEEDS_PASSWORD] if is_locked else "not readable"
        return PartNews(name, outcome, failure.message, is_failure=True)
    is_failure = part.outcome in FAILURES or part.outcome is Outcome.LINKS
    return PartNews(name, _OUTCOMES[part.outcome], part.reason, is_failure)
