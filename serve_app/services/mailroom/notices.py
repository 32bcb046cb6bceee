"""Notifies owners once a day about mails that wait for their decision."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.inbound_mail import HeldFor, MailQuery
from serve_app.domain.person import Role
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import Store

_DAY = timedelta(days=1)
_KEY = "held"
_BATCH = 100
_MOST_COUNTED = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HeldMail:
    """What the notice says: how many mails wait, and whether there are more than were counted. It names no sender and
    no subject: whoever reads it may not be meant to."""

    to: str
    account_id: UUID
    count: int
    are_more: bool
    sent_at: datetime


Compose = Callable[[HeldMail], EmailMessage]


class HeldNotices:
    """One mail a day for an account, and only while new mails wait. A crash can lose one, but sends none twice."""

    def __init__(self, store: Store, mailer: Mailer, compose: Compose, clock: Clock = utc_now) -> None:
        self._store = store
        self._mailer = mailer
        self._compose = compose
        self._clock = clock

    async def send(self) -> int:
        """Notify the owners of each account that had no notice today; returns how many accounts got one. Raises
        Unavailable."""
        notified, after = 0, None
        while accounts := await self._store.mails.accounts_with_held(_BATCH, after):
            for account_id in accounts:
                notified += await self._notify_owners(account_id)
            after = accounts[-1]
        return notified

    async def _notify_owners(self, account_id: UUID) -> bool:
        to = await self._owners(account_id)
        now = self._clock()
        page = await self._store.mails.page(account_id, MailQuery(held_for=HeldFor.SENDER), _MOST_COUNTED)
        if not to or not page.items or page.items[0].received_at <= now - _DAY:
            return False
        if not await self._store.automatic_mails.take(account_id, _KEY, now, ((_DAY, 1),)):
            return False
        notices = [HeldMail(each, account_id, len(page.items), page.has_more, now) for each in to]
        return any([await self._send(notice) for notice in notices])

    async def _owners(self, account_id: UUID) -> list[str]:
        """The address for notices, or else those of the account's owners."""
        account = await self._store.accounts.get(account_id)
        if account is None or account.email is not None:
            return [account.email] if account and account.email else []
        members = await self._store.memberships.of_account(account_id)
        return [member.person.email for member in members if member.role is Role.OWNER]

    async def _send(self, notice: HeldMail) -> bool:
        try:
            await self._mailer.send(self._compose(notice))
        except MailError as error:
            log.warning("notice of held mails not sent: %s", error, extra={"account_id": str(notice.account_id)})
            return False
        return True
