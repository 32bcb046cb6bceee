"""Invitations to an account, by mail."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from uuid import UUID

from serve_app.domain.audit import actor_of
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.person import Person, Role
from serve_app.services.people.attempts import AttemptCounter
from serve_app.services.people.members import MemberService
from serve_app.services.people.refusals import TooManyInvitations
from serve_app.services.ports import Mailer, MailError

INVITATIONS_AN_HOUR = 50
"""Most invitations of one account: each may send mail to a stranger."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """What an invitation says. It carries no secret: the invited person asks for a code at `url`."""

    to: str
    invited_by: str
    role: Role
    url: str
    sent_at: datetime


Compose = Callable[[InvitationMail], EmailMessage]


class Invitations:
    """Invitations by an owner, which are told by mail."""

    def __init__(
        self, members: MemberService, attempts: AttemptCounter, mailer: Mailer, compose: Compose, clock: Clock = utc_now
    ) -> None:
        self._members = members
        self._attempts = attempts
        self._mailer = mailer
        self._compose = compose
        self._clock = clock

    async def invite(self, by: Person, account_id: UUID, email: str, role: Role, url: str) -> bool:
        """Invite by mail; `url` is where to sign in. False if the mail could not be sent: the person belongs to the
        account all the same. Raises InvalidParameter, LookupError, TooManyInvitations."""
        if await self._attempts.are_too_many(f"invitations of {account_id}", INVITATIONS_AN_HOUR):
            raise TooManyInvitations
        person, is_new = await self._members.invite(actor_of(by), account_id, email, role)
        if not is_new:
            raise InvalidParameter(f"{person.email} already belongs to this account.")
        mail = InvitationMail(person.email, by.called, role, url, self._clock())
        try:
            await self._mailer.send(self._compose(mail))
        except MailError as error:
            log.warning("invitation not sent: %s", error, extra={"account_id": str(account_id)})
            return False
        return True
