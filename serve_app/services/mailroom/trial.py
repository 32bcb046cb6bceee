"""Test mails: sent out like any mail, to see whether they come back in."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.inbound_mail import InboundMail, MailQuery
from serve_app.services.mailroom.addresses import AddressService
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import AutomaticMails, Mails

MOST_PER_HOUR = 10
_LOOKED_AT = 50
_MARK = "test-"


@dataclass(frozen=True, slots=True)
class TrialMail:
    """A mail to the private address `to`. `message_id` is its own, in angle brackets."""

    to: str
    message_id: str
    sent_at: datetime


class MailTrials:
    """`mailer` is None if there is no mail server: then nothing can be sent. `host` is that of the addresses."""

    def __init__(
        self,
        addresses: AddressService,
        mails: Mails,
        counts: AutomaticMails,
        mailer: Mailer | None,
        compose: Callable[[TrialMail], EmailMessage],
        clock: Clock = utc_now,
    ) -> None:
        self._addresses = addresses
        self._mails = mails
        self._counts = counts
        self._mailer = mailer
        self._compose = compose
        self._clock = clock

    @property
    def can_send(self) -> bool:
        """Whether there is a mail server."""
        return self._mailer is not None

    async def send(self, account_id: UUID, address_id: UUID) -> str:
        """Send one, without a document; returns its token, for `find`. Raises LookupError, InvalidParameter with what
        went wrong, for people to read."""
        address = await self._addresses.get(account_id, address_id)
        if self._mailer is None:
            raise InvalidParameter("This service has no mail server (SMTP_URL).")
        now = self._clock()
        if not await self._counts.take(account_id, "trial", now, [(timedelta(hours=1), MOST_PER_HOUR)]):
            raise InvalidParameter(f"You can send at most {MOST_PER_HOUR} test e-mails per hour.")
        token = secrets.token_hex(8)
        local, _, host = self._addresses.written(address).rpartition("@")
        mail = TrialMail(f"{local}+{_MARK}{token}@{host}", _id_of(token, host), now)
        try:
            await self._mailer.send(self._compose(mail))
        except MailError as error:
            raise InvalidParameter(f"The mail was not sent: {error}.") from None
        return token

    async def find(self, account_id: UUID, address_id: UUID, token: str) -> InboundMail | None:
        """The test mail with this token, once it has arrived; None before. Raises LookupError."""
        address = await self._addresses.get(account_id, address_id)
        host = self._addresses.written(address).rpartition("@")[2]
        page = await self._mails.page(account_id, MailQuery(address_id=address.id), _LOOKED_AT)
        return next((mail for mail in page.items if _is_it(mail, token, host)), None)


def _id_of(token: str, host: str) -> str:
    return f"<{_MARK}{token}@{host}>"


def _is_it(mail: InboundMail, token: str, host: str) -> bool:
    """By the tag of its recipient; a mail from a mailbox has none, but is known once it was taken apart."""
    is_tagged = f"+{_MARK}{token}@" in mail.envelope.recipient
    return is_tagged or mail.heading.message_id == _id_of(token, host)
