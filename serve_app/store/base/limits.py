"""Counters, and requests that must be done only once."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.approval_mail import MailLimit, MailLimits
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.usage import UsageSums


class Quotas(Protocol):
    """Extractions counted per account and calendar month; units are taken by `Intake`."""

    async def used(self, account_id: UUID, month: datetime) -> int:
        """`month` is the moment the month starts."""
        ...

    async def by_month(self, account_id: UUID, since: datetime) -> Mapping[datetime, int]:
        """The extractions of each month since the month that starts at `since`; months without any may be missing."""
        ...

    async def usage_by_month(self, account_id: UUID, since: datetime) -> Mapping[datetime, UsageSums]:
        """What the readings took that ended with values in each of these months, also those of invoices that were
        deleted since, and each of several readings of one invoice."""
        ...


class RateWindows(Protocol):
    """Requests counted per key and fixed window."""

    async def count(self, key_id: UUID, window: datetime) -> int:
        """Count one request in the window that starts at `window`; returns the requests so far, including this one. A
        request that arrives with an older window than a previous one may be counted in either."""
        ...

    async def requests(self, key_id: UUID, window: datetime) -> int:
        """How many requests were counted in the window that starts at `window`, or in a later one."""
        ...


class ApprovalMails(Protocol):
    """Approval mails counted per account, recipient and day. `recipient` is a key, `day` the moment the day starts."""

    async def take(self, account_id: UUID, recipient: str, day: datetime, limits: MailLimits) -> MailLimit | None:
        """Count one mail, unless that would exceed a limit; returns that limit."""
        ...

    async def refund(self, account_id: UUID, recipient: str, day: datetime) -> None:
        """Undo `take`, for a mail that was not sent."""
        ...


class Idempotency(Protocol):
    """The keys of requests that must not be done twice. A record expires REPLAY_WINDOW after it was made."""

    async def hold(self, record: IdempotencyRecord) -> IdempotencyRecord:
        """Hold the key, unless another request holds it or has answered it; returns what the key now stands for.

        The caller holds the key if the result's `holder` is its own. A request that has held the key for IN_FLIGHT
        without an answer loses it: the result then has that request's `invoice_id` and `created_at`.
        """
        ...

    async def answer(self, record: IdempotencyRecord, answer: StoredAnswer) -> bool:
        """Store the answer for replays; False if `record.holder` no longer holds the key."""
        ...

    async def release(self, record: IdempotencyRecord) -> bool:
        """Forget the key, so that the request can be sent again; False if the holder no longer holds it."""
        ...
