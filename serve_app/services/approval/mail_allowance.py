"""How much approval mail an account may still send today."""

import math
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.approval_mail import MailLimit, MailLimits, day_start, recipient_key
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import MailLimitReached, ServiceError
from serve_app.store.base import ApprovalMails


class MailAllowance:
    """Counts mails before they are sent, so that no number of concurrent requests exceeds a limit."""

    def __init__(self, mails: ApprovalMails, limits: MailLimits, clock: Clock = utc_now) -> None:
        self._mails = mails
        self._limits = limits
        self._clock = clock

    async def take(self, account_id: UUID, to: str) -> datetime:
        """Count one mail; returns the day it counts for. Raises MailLimitReached if the account, or its
        mail to this address, is at its limit for the day."""
        now = self._clock()
        day = day_start(now)
        limit = await self._mails.take(account_id, recipient_key(to), day, self._limits)
        if limit is None:
            return day
        wait = math.ceil((day + timedelta(days=1) - now).total_seconds())
        if limit is MailLimit.RECIPIENT:
            raise MailLimitReached(self._limits.per_recipient, "can be sent to one recipient", wait)
        raise MailLimitReached(self._limits.per_account, "can be sent by one account", wait)

    async def refund(self, account_id: UUID, to: str, day: datetime) -> None:
        """Undo `take`, for a mail that could not be sent; while the storage is out of reach it stays counted."""
        with suppress(ServiceError):
            await self._mails.refund(account_id, recipient_key(to), day)
