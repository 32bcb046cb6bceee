"""Comments on invoices, which notify the people whom they name."""

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.audit import actor_of
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.comment import MAX_TEXT, Comment
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person
from serve_app.domain.plain_text import one_line
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import AutomaticMails, Comments, Memberships

SHOWN = 200
"""How many comments of an invoice are listed."""
_DAY = timedelta(days=1)
_MAILS_A_DAY = 500
_MOST_MENTIONS = 20

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MentionMail:
    """What the mail to a person says who was named in a comment; `url` leads to the invoice."""

    to: str
    author: str
    text: str
    url: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Added:
    """A new comment: who was notified by mail, and who could not be."""

    comment: Comment
    notified: Sequence[str]
    not_notified: Sequence[str]


Compose = Callable[[MentionMail], EmailMessage]


class CommentService:
    """Adds comments and lists them."""

    def __init__(
        self,
        comments: Comments,
        memberships: Memberships,
        sent: AutomaticMails,
        mailer: Mailer,
        compose: Compose,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._comments = comments
        self._memberships = memberships
        self._sent = sent
        self._mailer = mailer
        self._compose = compose
        self._audit = audit
        self._clock = clock

    async def add(self, account_id: UUID, invoice_id: UUID, author: Person, text: str, url: str) -> Added:
        """Comment on an invoice, which is shown at `url`, and notify the members whom the text names with an `@`.
        Raises InvoiceNotFound, and InvalidParameter for a text that is empty or too long."""
        plain, now = _checked(text), self._clock()
        members = [member.person for member in await self._memberships.of_account(account_id)]
        named = find_mentions(plain, members)[:_MOST_MENTIONS]
        mentions = tuple(person.id for person in named)
        comment = Comment(new_id(), account_id, invoice_id, now, author.id, author.called, plain, mentions)
        if not await self._comments.add(comment):
            raise InvoiceNotFound
        await self._audit.record(actor_of(author), account_id, "invoice.commented", str(invoice_id))
        others = [person for person in named if person.id != author.id]
        sent = [await self._notify(comment, person, url) for person in others]
        return Added(
            comment,
            [person.called for person, is_sent in zip(others, sent, strict=True) if is_sent],
            [person.called for person, is_sent in zip(others, sent, strict=True) if not is_sent],
        )

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> Sequence[Comment]:
        """The newest comments, oldest first."""
        return await self._comments.of_invoice(account_id, invoice_id, SHOWN)

    async def mentioning(self, account_id: UUID, person_id: UUID, limit: int) -> Sequence[Comment]:
        """Comments that name the person, newest first."""
        return await self._comments.mentioning(account_id, person_id, limit)

    async def _notify(self, comment: Comment, person: Person, url: str) -> bool:
        if not await self._sent.take(comment.account_id, "mention", comment.at, [(_DAY, _MAILS_A_DAY)]):
            return False
        mail = MentionMail(person.email, comment.author, comment.text, url, comment.at)
        try:
            await self._mailer.send(self._compose(mail))
        except MailError as error:
            log.warning("mail about a comment not sent: %s", error, extra={"invoice_id": str(comment.invoice_id)})
            return False
        return True


def find_mentions(text: str, people: Iterable[Person]) -> list[Person]:
    """The people whom the text names after an `@`: by their address, their name, or the address up to its own `@`."""
    folded = text.casefold()
    return [person for person in people if any(_is_named(name, folded) for name in _names_of(person))]


def _names_of(person: Person) -> set[str]:
    names = (person.email, person.name, person.email.partition("@")[0])
    return {name.casefold() for name in names if name}


def _is_named(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w@])@{re.escape(name)}(?![\w@])", text) is not None


def _checked(text: str) -> str:
    lines = [one_line(line) for line in text.replace("\r\n", "\n").split("\n")]
    plain = "\n".join(lines).strip()
    if not plain:
        raise InvalidParameter("Enter a comment.")
    if len(plain) > MAX_TEXT:
        raise InvalidParameter(f"A comment has at most {MAX_TEXT:,} characters.")
    return plain
