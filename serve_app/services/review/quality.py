"""What the levels of confidence are worth on an account's own documents, and what follows from that."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from statistics import median
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.quality import HEADER, Precision, Seen, Threshold, coverage, precision, raised, seen_in
from serve_app.domain.record import InvoiceRecord
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Mailer, MailError
from serve_app.store.base import Accounts, Reviews, Thresholds

MOST = 20_000
"""Decided invoices that are looked at: the newest."""
COMPARED = 200
"""Of these, on so many target precisions are compared: what a run saw is a file for each."""
_PAGE = 500
COUNTED = 100_000
"""Of invoices that nobody had to look at, so many are counted."""
PERIOD = timedelta(days=30)
"""Over which the time that was saved is counted."""
SERVICE = Actor(ActorKind.SERVICE, None, "the service")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Quality:
    """What people's decisions say. `precision` has every field and level of which a value was seen; `corrections` count
    corrected values by field and by vendor; `thresholds` are those that rose; `coverage` is the share of invoices on
    which a field was `high`; `time` is what people's work took, and was saved; `newest` are confirmed invoices on which
    target precisions can be compared."""

    decided: int
    confirmed: int
    rejected: int
    drawn: int
    precision: Mapping[tuple[Field, Confidence], Precision]
    corrections: Mapping[str, int]
    vendors: Sequence[tuple[str, int]]
    thresholds: Mapping[Field, Threshold]
    coverage: Mapping[Field, float]
    time: "TimeSaved"
    newest: Sequence[InvoiceRecord]


@dataclass(frozen=True, slots=True)
class TimeSaved:
    """`seconds` is the median of the `measured` reviews, from opening one to the verdict; None without any. `unseen`
    invoices came `since` then and nobody had to look at them: at that pace they would have taken `minutes`."""

    measured: int
    seconds: float | None
    unseen: int
    since: datetime

    @property
    def minutes(self) -> float | None:
        return None if self.seconds is None else self.unseen * self.seconds / 60


@dataclass(frozen=True, slots=True)
class RaisedMail:
    """A threshold rose: what the owner is told."""

    to: str
    field: Field
    threshold: Threshold
    precision: Precision
    sent_at: datetime


Compose = Callable[[RaisedMail], EmailMessage]


class QualityService:
    """Measures, and lets thresholds rise."""

    def __init__(
        self,
        accounts: Accounts,
        reviews: Reviews,
        thresholds: Thresholds,
        mailer: Mailer,
        compose: Compose,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._accounts = accounts
        self._reviews = reviews
        self._thresholds = thresholds
        self._mailer = mailer
        self._compose = compose
        self._audit = audit
        self._clock = clock

    async def measure(self, account_id: UUID) -> Quality:
        """What the account's newest decisions say."""
        records = await self._decided(account_id)
        seen = [each for record in records for each in seen_in(record)]
        corrected: Counter[str] = Counter(name for record in records for name in record.review.corrected)
        vendors = Counter(record.invoice.vendor_name or "" for record in records for _ in record.review.corrected)
        statuses = Counter(str(record.review.verdict.status) for record in records)
        return Quality(
            decided=len(records),
            confirmed=statuses["confirmed"],
            rejected=statuses["rejected"],
            drawn=sum(record.drawn is not None for record in records),
            precision=_tables(seen),
            corrections=dict(corrected.most_common()),
            vendors=vendors.most_common(20),
            thresholds=await self._thresholds.of_account(account_id),
            coverage=coverage(records),
            time=await self._time(account_id, records),
            newest=[each for each in records if seen_in(each)][-COMPARED:],
        )

    async def _time(self, account_id: UUID, records: Sequence[InvoiceRecord]) -> TimeSaved:
        taken = [each for record in records if (each := record.review.verdict.seconds) is not None]
        since = (self._clock() - PERIOD).replace(hour=0, minute=0, second=0, microsecond=0)
        unseen = await self._reviews.unseen(account_id, since, COUNTED)
        # The median: some leave a window open over lunch.
        return TimeSaved(len(taken), median(taken) if taken else None, unseen, since)

    async def raise_thresholds(self, account_id: UUID) -> list[Field]:
        """Raise the thresholds of the fields whose `high` values were wrong too often, and tell the owner; which
        fields."""
        account = await self._accounts.get(account_id)
        if account is None:
            return []
        present = await self._thresholds.of_account(account_id)
        seen = [each for record in await self._decided(account_id) for each in seen_in(record)]
        rose: list[Field] = []
        for field in HEADER:
            before = present.get(field)
            threshold = raised(field, before, seen, self._clock())
            if threshold is None or threshold == before:
                continue
            if await self._thresholds.rise(account.id, field, threshold):
                rose.append(field)
                await self._notify(account, field, threshold, precision(_high(seen, field)))
        return rose

    async def reset(self, account_id: UUID, field: Field, actor: Actor) -> bool:
        """Return a field's threshold to the calibration; False if it was that."""
        done = await self._thresholds.reset(account_id, field)
        if done:
            await self._audit.record(actor, account_id, "threshold.reset", str(field))
        return done

    async def _notify(self, account: Account, field: Field, threshold: Threshold, measured: Precision) -> None:
        log.warning("threshold of high rose", extra={"account_id": str(account.id), "field": str(field)})
        share = f"{measured.share or 0:.1%} of {measured.values}"
        await self._audit.record(SERVICE, account.id, "threshold.rose", str(field), step=threshold.step, right=share)
        if account.email is None:
            return
        mail = RaisedMail(account.email, field, threshold, measured, self._clock())
        try:
            await self._mailer.send(self._compose(mail))
        except MailError as error:
            log.warning("mail about a threshold not sent: %s", error, extra={"account_id": str(account.id)})

    async def _decided(self, account_id: UUID) -> list[InvoiceRecord]:
        records: list[InvoiceRecord] = []
        after = None
        while some := await self._reviews.decided(account_id, _PAGE, after):
            records = [*records, *some][-MOST:]
            at = some[-1].review.verdict.at
            if at is None or len(some) < _PAGE:
                break
            after = at, some[-1].invoice.id
        return records


def _high(seen: Sequence[Seen], field: Field) -> list[Seen]:
    return [each for each in seen if each.field is field and each.level is Confidence.HIGH]


def _tables(seen: Sequence[Seen]) -> dict[tuple[Field, Confidence], Precision]:
    found: dict[tuple[Field, Confidence], Precision] = {}
    for field in HEADER:
        for level in Confidence:
            own = [each for each in seen if each.field is field and each.level is level]
            if own:
                found[field, level] = precision(own)
    return found
