"""What a candidate pair of models reads differently from the first pair, field by field, and who was right where
something tells."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from serve_app.domain.batch import Section
from serve_app.domain.evidence import HEADER
from serve_app.domain.invoice import Confidence, Extraction, Field, LineItem, ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.sums import checks_of

COMPARISON_LIFE = timedelta(days=30)
INVOICES = "invoices"
"""Instead of a field: the pairs find another number of invoices in the file."""
_SUMMED = frozenset({Field.AMOUNT, Field.TAX, Field.LINE_ITEMS})
_LONGEST = 200


class Right(StrEnum):
    """Which pair was right about a field on which they differ."""

    FIRST = "first"
    CANDIDATE = "candidate"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with two values, as texts; None: not found. `right` is None as long as nothing tells."""

    field: str
    first: str | None
    candidate: str | None
    right: Right | None = None


@dataclass(frozen=True, slots=True)
class Signs:
    """Whether the candidate did better (1), as well (0) or worse (-1) on a document: on how many fields both of its
    models agree, how many are `high`, how many invoices have sums that hold."""

    agreement: int
    high: int
    sums: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What both pairs read of one invoice. `is_answer`: the candidate's reading is the invoice's, by a canary; else the
    first pair's. `signs` are of the whole file, and only with its first invoice. `canary_id` is the canary that counts
    it as evidence."""

    invoice_id: UUID
    account_id: UUID
    candidate: str
    at: datetime
    is_answer: bool = False
    canary_id: UUID | None = None
    signs: Signs | None = None
    differences: tuple[Difference, ...] = ()


def signs_of(first: Sequence[Section], candidate: Sequence[Section]) -> Signs:
    """How the candidate did on a file. Each list has at least one invoice; means, as their number may differ."""
    return Signs(*(_sign(_mean(candidate, count) - _mean(first, count)) for count in (_agreed, _high, _proved)))


def differences_of(first: Extraction, candidate: Extraction) -> tuple[Difference, ...]:
    """The fields of one invoice on which the pairs differ. Where the sums of only one of them hold, that one is right
    about what is in them."""
    proved = is_proved(first), is_proved(candidate)
    by_sums = {(True, False): Right.FIRST, (False, True): Right.CANDIDATE}.get(proved)
    mine, other = values_of(first), values_of(candidate)
    return tuple(
        Difference(field, _shown(mine[field]), _shown(other[field]), by_sums if field in _SUMMED else None)
        for field in Field
        if _plain(mine[field]) != _plain(other[field])
    )


def decided(comparison: Comparison, record: InvoiceRecord) -> Comparison:
    """The comparison after a person's verdict: the word of a person counts more than sums. Unchanged by anything but
    a confirmation."""
    if record.review.verdict.status is not ReviewStatus.CONFIRMED:
        return comparison
    corrected, values = set(record.review.corrected), values_of(record.invoice)
    answered = Right.CANDIDATE if comparison.is_answer else Right.FIRST

    def with_decision(difference: Difference) -> Difference:
        if difference.field == INVOICES:
            return difference
        if difference.field not in corrected:
            return replace(difference, right=answered)
        truth = _plain(_shown(values[Field(difference.field)]))
        sides = {Right.FIRST: difference.first, Right.CANDIDATE: difference.candidate}
        right = [side for side, value in sides.items() if _plain(value) == truth]
        return replace(difference, right=right[0] if right else Right.NEITHER)

    return replace(comparison, differences=tuple(with_decision(each) for each in comparison.differences))


@dataclass(frozen=True, slots=True)
class Changed:
    """How often a field differed, and who was right how often; the rest is unknown."""

    times: int
    right: Mapping[Right, int]


def changed_fields(comparisons: Sequence[Comparison]) -> dict[str, Changed]:
    """By the name of the field, most often changed first."""
    times = Counter(each.field for one in comparisons for each in one.differences)
    right = Counter((each.field, each.right) for one in comparisons for each in one.differences)
    return {
        field: Changed(number, {who: right[field, who] for who in Right if right[field, who]})
        for field, number in times.most_common()
    }


def values_of(extraction: Extraction) -> dict[Field, str | None]:
    """The values that are compared, as texts that are the same for equal values."""
    amount, tax = extraction.amount, extraction.tax
    return {
        Field.VENDOR: extraction.vendor_name,
        Field.INVOICE_NUMBER: extraction.invoice_number,
        Field.AMOUNT: None if amount is None else f"{amount.normalize():f}",
        Field.CURRENCY: extraction.currency,
        Field.ISSUED_AT: None if extraction.issued_at is None else extraction.issued_at.isoformat(),
        Field.DUE_AT: None if extraction.due_at is None else extraction.due_at.isoformat(),
        Field.TAX: None if tax is None else f"{tax.normalize():f}",
        Field.LINE_ITEMS: "; ".join(_line(item) for item in extraction.line_items) or None,
    }


def is_proved(extraction: Extraction) -> bool:
    """Whether there are sums to check, and all of them hold."""
    checks = checks_of(extraction)
    return bool(checks) and all(check.holds for check in checks)


def _line(item: LineItem) -> str:
    numbers = (item.quantity, item.unit_price, item.total)
    return " ".join([item.description or "-", *("-" if each is None else f"{each.normalize():f}" for each in numbers)])


def _plain(value: str | None) -> str | None:
    return None if value is None else " ".join(value.casefold().split())


def _shown(value: str | None) -> str | None:
    return value if value is None or len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"


def _agreed(section: Section) -> int:
    return len(section.agreed)


def _high(section: Section) -> int:
    levels = section.extraction.field_confidence or {}
    return sum(levels.get(field) is Confidence.HIGH for field in HEADER)


def _proved(section: Section) -> int:
    return int(is_proved(section.extraction))


def _mean(sections: Sequence[Section], count: Callable[[Section], int]) -> float:
    return sum(count(section) for section in sections) / len(sections)


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
