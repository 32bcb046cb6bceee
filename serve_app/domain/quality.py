"""What the levels of confidence are worth on an account's own documents, as people have decided on them.

Not every invoice is looked at. Those that were verified automatically are seen only if they are drawn for the audit
sample, so each of these stands for many (inverse probability weighting, Horvitz and Thompson, 1952). What somebody
opened by chance stands for nothing: people open what looks wrong.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from serve_app.domain.invoice import Confidence, Field, ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.target_precision import TargetPrecision

ALARM = 20.0
"""Evidence of so much against the promise: it would come up in at most one of 20 accounts for which it holds, however
often one looks (Ville, 1939)."""
_BETS = (0.1, 0.25, 0.5, 1.0)
_Z = 1.959963984540054
HEADER = tuple(field for field in Field if field is not Field.LINE_ITEMS)


@dataclass(frozen=True, slots=True)
class Seen:
    """A value that a person has decided on. `weight` is how many such values it stands for, `target` the precision that
    its level promised."""

    field: Field
    level: Confidence
    is_right: bool
    weight: float
    at: datetime
    target: TargetPrecision = TargetPrecision.STANDARD


def seen_in(record: InvoiceRecord) -> list[Seen]:
    """The values of a confirmed invoice; none of another one, or of one that was opened by chance."""
    verdict = record.review.verdict
    weight = weight_of(record)
    if verdict.status is not ReviewStatus.CONFIRMED or verdict.at is None or weight is None:
        return []
    corrected, levels = set(record.review.corrected), record.invoice.field_confidence or {}
    target = record.invoice.target_precision or TargetPrecision.STANDARD
    return [
        Seen(field, levels[field], str(field) not in corrected, weight, verdict.at, target)
        for field in HEADER
        if field in levels
    ]


def weight_of(record: InvoiceRecord) -> float | None:
    """How many invoices a decided one stands for; None if it was opened by chance."""
    """How many invoices a decided one stands for; None if it was opened by chance."""
    if record.drawn is not None:
        return 1 / record.drawn
    return None if record.invoice.auto_verified else 1.0


def coverage(records: Iterable[InvoiceRecord]) -> dict[Field, float]:
    """The weighted share of the decided invoices on which each field was `high`."""
    weighed = [(record, weight) for record in records if (weight := weight_of(record)) is not None]
    total = math.fsum(weight for _, weight in weighed)

    def share(field: Field) -> float:
        levels = ((record.invoice.field_confidence or {}, weight) for record, weight in weighed)
        return math.fsum(weight for level, weight in levels if level.get(field) is Confidence.HIGH) / total

    return {field: round(share(field), 4) for field in HEADER} if weighed else {}


@dataclass(frozen=True, slots=True)
class Precision:
    """The share of right values among `values` that were seen, which stand for `stands_for`; None without any. `low`
    and `high` are its 95 % interval."""

    values: int
    right: int
    stands_for: float
    share: float | None
    low: float
    high: float


def precision(seen: Iterable[Seen]) -> Precision:
    """The weighted share with the interval of Wilson (1927), for the effective number of values (Kish, 1965)."""
    every = list(seen)
    total = math.fsum(each.weight for each in every)
    if not every:
        return Precision(0, 0, 0.0, None, 0.0, 1.0)
    share = math.fsum(each.weight for each in every if each.is_right) / total
    effective = total**2 / math.fsum(each.weight**2 for each in every)
    low, high = _wilson(share, effective)
    return Precision(len(every), sum(each.is_right for each in every), total, share, low, high)


def _wilson(share: float, number: float) -> tuple[float, float]:
    spread = _Z**2 / number
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(share * (1 - share) / number + spread / (4 * number)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


class Wealth:
    """How strongly values speak against at most the `allowed` share being wrong: what a gambler who bets on that, and
    starts with 1, has had at most. No value weighs more than `largest`; each can allow less.

    The wealth is a mixture of fixed bets (Waudby-Smith and Ramdas, 2024). While the promise holds it is expected to
    shrink, and ever reaches ALARM with a probability of at most 1/ALARM: looking at it again and again makes no false
    alarms.
    """

    def __init__(self, largest: float = 1.0, allowed: float = TargetPrecision.STANDARD.allowed_wrong_of_field) -> None:
        self._allowed = allowed
        # No bet risks more than everything.
        self._bets = [bet / (largest * allowed) for bet in _BETS]
        self._wealths = [1.0] * len(_BETS)
        self.highest = 1.0

    def add(self, *, is_right: bool, weight: float = 1.0, allowed: float | None = None) -> None:
        """Count one more value."""
        self.bet(float(not is_right), weight, allowed)

    def bet(self, value: float, weight: float = 1.0, allowed: float | None = None) -> None:
        """Count a number from 0 to 1; their mean may be at most `allowed`, by default as for all."""
        gain = weight * (value - (self._allowed if allowed is None else allowed))
        self._wealths = [wealth * (1 + bet * gain) for wealth, bet in zip(self._wealths, self._bets, strict=True)]
        self.highest = max(self.highest, math.fsum(self._wealths) / len(self._wealths))


def evidence_against(seen: Sequence[Seen]) -> float:
    """The highest wealth over values in the order in which they were decided, each held against its own promise."""
    allowed = [each.target.allowed_wrong_of_field for each in seen]
    if not seen:
        return 1.0
    wealth = Wealth(max(each.weight for each in seen), max(allowed))
    for each, share in zip(seen, allowed, strict=True):
        wealth.add(is_right=each.is_right, weight=each.weight, allowed=share)
    return wealth.highest


STEPS = (0.99, 0.995, 0.998, 0.999, 1.01)
"""Chances from which on a value is `high` after each rise of a threshold; the last is never reached."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which chance on a field of an account is `high`, because too many of its values were wrong. `step` counts
    the rises; what was decided before `since` is no evidence against the present one."""

    step: int
    since: datetime

    @property
    def chance(self) -> float:
        return STEPS[min(self.step, len(STEPS)) - 1]


def raised(field: Field, threshold: Threshold | None, seen: Iterable[Seen], now: datetime) -> Threshold | None:
    """The field's threshold after what people have decided: one step up if the promise is broken, else as it is."""
    since = threshold.since if threshold else None
    counted = [
        each
        for each in seen
        if each.field is field and each.level is Confidence.HIGH and (since is None or each.at > since)
    ]
    if evidence_against(sorted(counted, key=lambda each: each.at)) < ALARM:
        return threshold
    step = threshold.step if threshold else 0
    return Threshold(step + 1, now) if step < len(STEPS) else threshold
