"""The document's sums: which of the printed amounts are total, subtotal and tax, and whether they add up.

Arithmetic only ranks amounts that the models already point at: three small numbers can add up by accident.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from itertools import product

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Candidate, amounts, best_by_value
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style

Amount = Candidate[Decimal]

# Printed sums may be off by rounding each line.
TOLERANCE = Decimal("0.02")
# An amount due stands for the total only where no total is printed.
DUE_AS_TOTAL = 0.6
# Below this score an absent subtotal or tax is likelier than a present one.
ABSENT = 0.3
_WIDTH = 5


class Check(IntEnum):
    """What the arithmetic says of a document."""

    CONTRADICTED = 0
    UNKNOWN = 1
    # The lines or the subtotal make the total, no tax being involved.
    NET = 2
    # Net and tax make the total.
    NET_AND_TAX = 3


# How much likelier (in natural-log units) a set of amounts is when it adds up; most when nothing is left unexplained.
ADDS_UP = {Check.CONTRADICTED: 0.0, Check.UNKNOWN: 0.0, Check.NET: 2.5, Check.NET_AND_TAX: 3.5}


@dataclass(frozen=True, slots=True)
class Totals:
    """The amounts of a document and whether they add up."""

    total: Amount | None
    tax: Amount | None
    check: Check


@dataclass(frozen=True, slots=True)
class _Printed:
    """All amounts that the models point at, by label, best first."""

    totals: list[Amount]
    subtotals: list[Amount]
    taxes: list[Amount]
    extras: list[Decimal]
    paid: list[Decimal]
    lines: Decimal | None


def resolve_totals(pages: Sequence[PageEvidence], style: Style, line_sum: Decimal | None) -> Totals:
    """Choose total and tax; `line_sum` is the sum of the line items' totals, where they are printed."""
    printed = _collect(pages, style, line_sum)
    if not printed.totals:
        return Totals(None, _likely(printed.taxes), Check.UNKNOWN)
    best = max(_combinations(printed), key=lambda choice: _weight(printed, choice))
    return Totals(best.total, best.tax, best.check)


def _collect(pages: Sequence[PageEvidence], style: Style, line_sum: Decimal | None) -> _Printed:
    def of(label: Label) -> list[Amount]:
        return best_by_value(amounts(pages, label, style))[:_WIDTH]

    due = [Candidate(one.value, one.score * DUE_AS_TOTAL, one.place) for one in of(Label.AMOUNT_DUE)]
    extras = [one.value for label in (Label.SHIPPING, Label.ROUNDING) for one in of(label) if one.score > 0.5]
    extras += [-abs(one.value) for one in of(Label.DISCOUNT) if one.score > 0.5]
    paid = [one.value for one in of(Label.PAID) if one.score > 0.5]
    taxes = best_by_value([*of(Label.TAX), *_summed_tax_lines(pages, style)])[:_WIDTH]
    return _Printed(best_by_value([*of(Label.TOTAL), *due])[:_WIDTH], of(Label.SUBTOTAL), taxes, extras, paid, line_sum)


def _summed_tax_lines(pages: Sequence[PageEvidence], style: Style) -> list[Amount]:
    """The sum of the taxes of each rate, as one candidate; a single one stands for itself."""
    lines = [one for one in amounts(pages, Label.TAX_LINE, style) if one.score > ABSENT]
    if not lines:
        return []
    score = sum(one.score for one in lines) / len(lines)
    return [Candidate(sum((one.value for one in lines), Decimal(0)), 0.9 * score, lines[0].place)]


@dataclass(frozen=True, slots=True)
class _Choice:
    total: Amount
    subtotal: Amount | None
    tax: Amount | None
    check: Check


def _combinations(printed: _Printed) -> Iterator[_Choice]:
    for total, subtotal, tax in product(printed.totals, [*printed.subtotals, None], [*printed.taxes, None]):
        yield _Choice(total, subtotal, tax, _check(printed, total, subtotal, tax))


def _weight(printed: _Printed, choice: _Choice) -> float:
    scores = (
        2 * math.log(choice.total.score + 1e-3),
        _presence(choice.subtotal, printed.subtotals),
        _presence(choice.tax, printed.taxes),
    )
    return sum(scores) + ADDS_UP[choice.check]


def _presence(chosen: Amount | None, candidates: Sequence[Amount]) -> float:
    """How likely (natural log) an amount is the right one, or that none is right."""
    if chosen is not None:
        return math.log(chosen.score + 1e-3)
    return math.log(max(ABSENT, 1 - candidates[0].score) if candidates else 1.0)


def _check(printed: _Printed, total: Amount, subtotal: Amount | None, tax: Amount | None) -> Check:
    """Whether net and tax, with all or none of shipping, discount and rounding, make the total."""
    extras = {sum(printed.extras, Decimal(0)), Decimal(0)}
    # A subtotal that only repeats the total proves nothing; lines that make the total do.
    known = [subtotal.value] if subtotal and subtotal.value != total.value else []
    known += [printed.lines] if printed.lines is not None else []
    if tax and tax.value and any(_near(net + tax.value + extra, total.value) for net in known for extra in extras):
        return Check.NET_AND_TAX
    if any(_near(net + extra, total.value) for net in known for extra in extras):
        return Check.NET
    return Check.CONTRADICTED if known else Check.UNKNOWN


def _near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= TOLERANCE


def _likely(candidates: Sequence[Amount]) -> Amount | None:
    return next((one for one in candidates if one.score >= ABSENT), None)
