"""Tells owners that the service has paused one of their webhook endpoints."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from urllib.parse import urlsplit
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import DeliveryState, WebhookEndpoint
from serve_app.services.ports import Mailer, MailError
from serve_app.services.webhooks.lookup import change_endpoint
from serve_app.store.base import Accounts, Deliveries, Endpoints

_AT_A_TIME = 1000
# So that an unreachable mail server is not tried for every endpoint, nor a refused address all the time.
_FAILURES_A_ROUND = 3
_WAIT_AFTER_FAILURE_S = 15 * 60.0
# An event is older than its first failed attempt, at most by the whole schedule: a day and a half.
_BEFORE_FAILURE = timedelta(days=2)
_MOST_COUNTED = 1000
_PAGE = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PausedMail:
    """What a mail about a paused endpoint says.

    `host` is the only part of the URL that it shows, because path or query may be a password. `not_made` is the number
    of abandoned deliveries of events since `since`; `are_more` means that there are more than counted.
    """

    to: str
    endpoint: WebhookEndpoint
    host: str
    not_made: int
    are_more: bool
    since: datetime
    sent_at: datetime


Compose = Callable[[PausedMail], EmailMessage]


class OwnerNotices:
    """Mails the owner of every endpoint that was paused by the service.

    The mail is sent before it is recorded: a crash in between, or two processes at the same time, cause a second mail
    with the same Message-ID.
    """

    def __init__(
        self,
        accounts: Accounts,
        endpoints: Endpoints,
        deliveries: Deliveries,
        mailer: Mailer,
        compose: Compose,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._accounts = accounts
        self._endpoints = endpoints
        self._deliveries = deliveries
        self._mailer = mailer
        self._compose = compose
        self._clock = clock
        self._monotonic = monotonic
        self._not_before: dict[UUID, float] = {}

    async def send(self) -> int:
        """Mail owners not told yet; returns how many were told. If mail cannot be sent, later calls retry after a
        quarter of an hour. Raises Unavailable while the storage is out of reach."""
        unnotified = await self._endpoints.with_unnotified_owner(_AT_A_TIME)
        self._not_before = {
            endpoint.id: self._not_before[endpoint.id] for endpoint in unnotified if endpoint.id in self._not_before
        }
        notified = failures = 0
        for endpoint in self._due(unnotified):
            try:
                notified += await self._notify(endpoint)
            except MailError as error:
                log.warning("mail about a paused endpoint not sent: %s", error, extra=_ids(endpoint))
                self._not_before[endpoint.id] = self._monotonic() + _WAIT_AFTER_FAILURE_S
                failures += 1
            if failures == _FAILURES_A_ROUND:
                break
        return notified

    def _due(self, unnotified: Sequence[WebhookEndpoint]) -> list[WebhookEndpoint]:
        now = self._monotonic()
        return [endpoint for endpoint in unnotified if self._not_before.get(endpoint.id, now) <= now]

    async def _notify(self, endpoint: WebhookEndpoint) -> bool:
        """True if a mail was sent. Raises MailError."""
        account = await self._accounts.get(endpoint.account_id)
        if account is None or account.email is None:
            log.warning("paused, but its owner has no address to notify", extra=_ids(endpoint))
            await self._note(endpoint)
            return False
        await self._mailer.send(self._compose(await self._mail(endpoint, account.email)))
        log.info("owner notified that the endpoint was paused", extra=_ids(endpoint))
        await self._note(endpoint)
        return True

    async def _mail(self, endpoint: WebhookEndpoint, to: str) -> PausedMail:
        now = self._clock()
        since = (endpoint.failing_since or now) - _BEFORE_FAILURE
        not_made, are_more = await self._count_abandoned(endpoint, since)
        host = urlsplit(endpoint.url).hostname or ""
        return PausedMail(to, endpoint, host, not_made, are_more, since, now)

    async def _count_abandoned(self, endpoint: WebhookEndpoint, since: datetime) -> tuple[int, bool]:
        """How many deliveries were abandoned, and whether there are more than were counted."""
        query = DeliveryQuery(endpoint_id=endpoint.id, state=DeliveryState.ABANDONED, created_after=since)
        count, after = 0, None
        while True:
            page = await self._deliveries.page(endpoint.account_id, query, _PAGE, after)
            count += len(page.items)
            if not page.has_more or count >= _MOST_COUNTED:
                return count, page.has_more
            after = page.items[-1].id

    async def _note(self, endpoint: WebhookEndpoint) -> None:
        """Record that the owner was notified. One who resumed or removed the endpoint meanwhile knows already."""
        with suppress(LookupError):
            await change_endpoint(self._endpoints, endpoint.account_id, endpoint.id, _as_notified)


def _as_notified(endpoint: WebhookEndpoint) -> WebhookEndpoint:
    return replace(endpoint, is_owner_unnotified=False)


def _ids(endpoint: WebhookEndpoint) -> dict[str, str]:
    return {"account_id": str(endpoint.account_id), "endpoint_id": str(endpoint.id)}
