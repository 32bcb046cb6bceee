"""The document's sums: which of the printed amounts are total, subtotal and tax, and whether they add up.

Arithmetic only ranks amounts that the models already point at: three small numbers can add up by accident.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from itertools import combinations, product

from serve_app.extraction.candidates import Candidate, best_by_value
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.ranking import rank
from serve_app.extraction.ranking.amount_options import amount_options
from serve_app.extraction.ranking.options import Option
from serve_app.extraction.sums.adjustments import adjustments, roundings
from serve_app.extraction.sums.commissions import after_commission, commissions
from serve_app.extraction.sums.conversions import converted_sums
from serve_app.extraction.sums.ledgers import Ledger, before_tax, ledgers
from serve_app.extraction.sums.proofs import discount_rates, makes_tax, paid_sums, printed_rates, tendered_sums
from serve_app.extraction.sums.tax_sums import HIGHEST_TAX, is_untaxed, states_exemption, summed_taxes, unnamed_taxes
from serve_app.extraction.tables.row_sums import IN_ROW, TaxedSum, of_rates, of_rows, sums_of_parts

Amount = Candidate[Decimal]

# Printed sums may be off by rounding each line.
TOLERANCE = Decimal("0.02")
# Below this score an absent subtotal or tax is likelier than a present one.
ABSENT = 0.3
# What was paid is a total only if this speaks for it.
_SEEN = 0.05
_WIDTH = 5
# No more adjustments are tried together: sums of many would explain any difference.
_ADJUSTMENTS = 4


class Check(IntEnum):
    """What the arithmetic says about a document."""

    CONTRADICTED = 0
    UNKNOWN = 1
    # The lines or the subtotal add up to the total, without tax.
    NET = 2
    # Net and tax add up to the total.
    NET_AND_TAX = 3


# How much likelier (in natural-log units) a set of amounts is if it adds up; most if nothing is left unexplained.
ADDS_UP = {Check.CONTRADICTED: 0.0, Check.UNKNOWN: 0.0, Check.NET: 2.5, Check.NET_AND_TAX: 5.0}
# A tax that is a higher share of the total than any country's, one of the other sign, or the costs of shipping, is
# hardly one.
IMPLAUSIBLE = -4.0
# Nothing is a tax where the issuer says that it charges none, unless a printed rate makes it.
NOT_CHARGED = -9.0
# How much likelier it is if nothing but net and tax is needed, and if a rate makes the tax: a discount for early
# payment makes another sum.
EXACT = 0.7
# A total of which a rounded one, or one without the agent's commission, is printed as well is not what is invoiced;
# nor is cash of which there is change, what a row of sums adds up, or what a sum is in another currency.
SUPERSEDED = -6.0
# A tax of zero is printed if nothing is taxed: then net and total are the same.
NOTHING_TAXED = 1.0


@dataclass(frozen=True, slots=True)
class Totals:
    """The amounts of a document and whether they add up; of each, all that may be it, best first.

    `of_lines` is what the lines may add up to, `of_total` what they add up to if there is nothing else. `is_untaxed`:
    the tax is a zero that is printed as one, beside which nothing may be a tax. `is_net_of_commission`: the total is
    what an agent's commission leaves, and without tax.
    """

    total: Amount | None
    tax: Amount | None
    check: Check
    totals: Sequence[Amount] = ()
    taxes: Sequence[Amount] = ()
    of_lines: frozenset[Decimal] = frozenset()
    of_total: frozenset[Decimal] = frozenset()
    is_untaxed: bool = False
    is_net_of_commission: bool = False


@dataclass(frozen=True, slots=True)
class _Printed:
    """All amounts that the models point at, by label, best first."""

    totals: list[Amount]
    subtotals: list[Amount]
    taxes: list[Amount]
    adjusted: frozenset[Decimal]
    extras: set[Decimal]
    lines: Decimal | None
    paid: frozenset[Decimal]
    rates: frozenset[Decimal]
    discounts: frozenset[Decimal]
    by_rate: Sequence[TaxedSum]
    superseded: frozenset[Decimal]
    net_of_commission: frozenset[Decimal]
    unnamed: frozenset[Decimal]
    ledgers: Sequence[Ledger]
    is_exempt: bool


def resolve_totals(pages: Sequence[PageEvidence], style: Style, line_sum: Decimal | None) -> Totals:
    """Choose total and tax; `line_sum` is the sum of the line items' totals, if they are printed."""
    options = amount_options(pages, style)
    printed = _collect(pages, style, options, line_sum)
    if not printed.totals:
        return Totals(None, _likely(printed.taxes), Check.UNKNOWN, taxes=printed.taxes)
    best = max(_combinations(printed), key=lambda choice: _weight(printed, choice))
    total, tax = best.total.value, best.tax.value if best.tax else None
    return Totals(
        best.total,
        best.tax,
        best.check,
        printed.totals,
        printed.taxes,
        _of_lines(printed, best),
        frozenset(
            each - extra for each in (best.total.value, best.total.value - (tax or 0)) for extra in printed.extras
        ),
        is_untaxed=tax == 0 and is_untaxed(pages, options, total),
        is_net_of_commission=not tax and total in printed.net_of_commission,
    )


def _of_lines(printed: _Printed, choice: "_Choice") -> frozenset[Decimal]:
    """What the lines may add up to: the subtotal, the total or, where that is what they do, either without tax and
    what was added to it."""
    sums = {choice.total.value}
    if choice.tax is not None:
        sums.add(choice.total.value - choice.tax.value)
    if choice.subtotal is not None and choice.subtotal.score >= ABSENT:
        sums.add(choice.subtotal.value)
    adjusted = {each - extra for each in sums for extra in printed.extras}
    if printed.lines is not None and any(_near(printed.lines, each) for each in adjusted):
        return frozenset({printed.lines})
    return frozenset(sums)


def _collect(
    pages: Sequence[PageEvidence], style: Style, options: Sequence[Option[Decimal]], line_sum: Decimal | None
) -> _Printed:
    deducted = commissions(pages, options)
    adjusted = adjustments(pages, options)
    extras = {Decimal(0), *_sums([*(-amount for amount in deducted), *adjusted][:_ADJUSTMENTS])}
    wholes = sums_of_parts(pages, style)
    ranked = (rank(field, options) for field in ("total", "subtotal", "tax"))
    totals, subtotals, taxes = (_with_sums(amounts, wholes) for amounts in ranked)
    gross = list(after_commission(totals[:_WIDTH], options, deducted))
    rounding = roundings(pages, options)
    rounded = _after_rounding(totals[:_WIDTH], options, rounding)
    totals = best_by_value([*totals, *(left for _, left in gross), *rounded])
    row_nets, row_taxes = of_rows(pages, style, totals[:_WIDTH])
    subtotals = best_by_value([*subtotals, *row_nets, *(before for before, _ in gross)])
    columns, by_rate = ledgers(pages, style), of_rates(pages, style)
    untaxed = before_tax(columns)
    totals = best_by_value([*totals, *_after_tax(totals[:_WIDTH], untaxed)])
    proved = list(_proved_taxes(columns, by_rate, totals[:_WIDTH]))
    taxes = best_by_value([*taxes, *row_taxes, *summed_taxes(pages, options, taxes), *proved])
    totals, subtotals = totals[:_WIDTH], subtotals[:_WIDTH]
    paid = paid_sums(pages, options)
    nets = [subtotal.value for subtotal in subtotals] + ([line_sum] if line_sum is not None else [])
    differences = {total.value - net - extra for total in totals for net in nets for extra in extras}
    left = [tax for tax in taxes[_WIDTH:] if tax.value in differences]
    return _Printed(
        totals,
        subtotals,
        [*taxes[:_WIDTH], *left],
        frozenset(adjusted) | deducted,
        extras,
        line_sum,
        paid,
        printed_rates(pages),
        discount_rates(pages),
        by_rate,
        _before_rounding(totals, rounding)
        | {before.value for before, _ in gross}
        | tendered_sums(pages, options)
        | _beyond_payment(totals, paid)
        | converted_sums(pages, style)
        | untaxed.keys()
        | wholes.keys(),
        frozenset(left.value for _, left in gross),
        unnamed_taxes(pages, options) - {tax.value for tax in (*row_taxes, *proved)},
        columns,
        states_exemption(pages),
    )


def _with_sums(amounts: Sequence[Amount], wholes: Mapping[Decimal, Amount]) -> list[Amount]:
    """The amounts, and the sums of which they are parts. What speaks for a part speaks for its sum."""
    sums = [(wholes[part.value], part.score) for part in amounts if part.value in wholes]
    return best_by_value([*amounts, *(Candidate(whole.value, score, whole.place) for whole, score in sums)])


def _proved_taxes(columns: Sequence[Ledger], by_rate: Sequence[TaxedSum], totals: Sequence[Amount]) -> Iterator[Amount]:
    """The taxes in the columns, and in the tables of rates, that make one of the totals."""
    for total in totals:
        for column in columns:
            if column.total == total.value and column.tax_place is not None:
                yield Candidate(column.tax, IN_ROW, column.tax_place)
        for taxed in by_rate:
            if _near(taxed.total, total.value):
                yield Candidate(taxed.tax, IN_ROW, taxed.place)


def _after_tax(totals: Sequence[Amount], untaxed: Mapping[Decimal, Ledger]) -> Iterator[Amount]:
    """What each total comes to when the tax below it is added. What speaks for the one as what the document comes to
    speaks for the other."""
    for total in totals:
        if (column := untaxed.get(total.value)) is not None:
            yield Candidate(column.total, total.score, column.place)


def _beyond_payment(totals: Sequence[Amount], paid: frozenset[Decimal]) -> frozenset[Decimal]:
    """The totals of which less was paid in cash, where what was paid is another of them: a discount came off it."""
    least = min((total.value for total in totals if total.value in paid and total.score >= _SEEN), default=None)
    return frozenset(total.value for total in totals if least is not None and total.value > least)


def _before_rounding(totals: Sequence[Amount], roundings: frozenset[Decimal]) -> frozenset[Decimal]:
    """The totals that make another one, printed after them, when a printed rounding is added."""
    return frozenset(
        total.value
        for total in totals
        for rounded in totals
        if rounded.value - total.value in roundings and total.place < rounded.place
    )


def _after_rounding(
    totals: Sequence[Amount], options: Sequence[Option[Decimal]], roundings: frozenset[Decimal]
) -> Iterator[Amount]:
    """What each total is rounded to, if that is printed after it. What speaks for the one as what the document comes to
    speaks for the other."""
    for total in totals:
        for option in options:
            if total.place < option.place and option.value - total.value in roundings:
                yield Candidate(option.value, total.score, option.place)


def _sums(amounts: Sequence[Decimal]) -> Iterator[Decimal]:
    """The sums of some of the adjustments."""
    for count in range(1, len(amounts) + 1):
        yield from (sum(parts, Decimal(0)) for parts in combinations(amounts, count))


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
    superseded = SUPERSEDED if choice.total.value in printed.superseded else 0.0
    exact = EXACT * _exactness(printed, choice) if choice.check is Check.NET_AND_TAX else 0.0
    return sum(scores) + ADDS_UP[choice.check] + exact + _plausibility(printed, choice) + superseded


def _exactness(printed: _Printed, choice: _Choice) -> int:
    """In how many ways the tax fits: a printed net and it make the total, without what may be added or deducted; and if
    so, a printed rate makes it, too."""
    total, tax = choice.total.value, choice.tax.value if choice.tax else Decimal(0)
    nets = [*(subtotal.value for subtotal in printed.subtotals), printed.lines]
    if any(_near(taxed.total, total) and _near(taxed.tax, tax) for taxed in printed.by_rate):
        return 2
    is_sum = any(net is not None and _near(net + tax, total) for net in nets)
    return is_sum + (is_sum and makes_tax(printed.rates, total, tax))


def _plausibility(printed: _Printed, choice: _Choice) -> float:
    """The evidence for a choice, in natural-log units, of the tax's share of the total, and of what else it may be."""
    total, tax = choice.total.value, choice.tax.value if choice.tax else None
    if tax is None:
        return 0.0
    if not tax:
        return NOTHING_TAXED if choice.check is Check.NET or _is_net(choice) else 0.0
    is_share = total and 0 < tax / total <= HIGHEST_TAX
    if printed.is_exempt and not makes_tax(printed.rates, total, tax):
        return NOT_CHARGED
    if tax in printed.unnamed:
        return IMPLAUSIBLE
    return 0.0 if is_share and tax not in printed.adjusted else IMPLAUSIBLE


def _is_net(choice: _Choice) -> bool:
    return choice.subtotal is not None and choice.subtotal.value == choice.total.value


def _presence(chosen: Amount | None, candidates: Sequence[Amount]) -> float:
    """How likely (natural log) an amount is the right one, or that none is right."""
    if chosen is not None:
        return math.log(chosen.score + 1e-3)
    return math.log(max(ABSENT, 1 - candidates[0].score) if candidates else 1.0)


def _check(printed: _Printed, total: Amount, subtotal: Amount | None, tax: Amount | None) -> Check:
    """Whether net and tax, with any of shipping, discount and rounding, add up to the total."""
    extras = printed.extras
    # A subtotal that only repeats the total proves nothing; lines that add up to the total do.
    known = [subtotal.value] if subtotal and subtotal.value != total.value else []
    known += [printed.lines] if printed.lines is not None else []
    known += [net * (1 - rate) for net in known for rate in printed.discounts]
    if tax and tax.value and any(_near(net + tax.value + extra, total.value) for net in known for extra in extras):
        return Check.NET_AND_TAX
    of_columns = {column.tax for column in printed.ledgers if column.total == total.value}
    if tax and tax.value and tax.value in of_columns:
        return Check.NET_AND_TAX
    is_possible = 0 in of_columns or (tax and not _contradicts(printed, total, subtotal, tax))
    if tax and is_possible and makes_tax(printed.rates, total.value, tax.value):
        return Check.NET_AND_TAX
    taxes_of_rates = [
        taxed.tax for taxed in printed.by_rate for extra in extras if _near(taxed.total + extra, total.value)
    ]
    if tax and any(_near(taxed, tax.value) for taxed in taxes_of_rates):
        return Check.NET_AND_TAX
    if any(_near(net + extra, total.value) for net in known for extra in extras):
        return Check.NET
    if taxes_of_rates or of_columns or total.value in printed.paid:
        return Check.NET
    return Check.CONTRADICTED if known else Check.UNKNOWN


def _contradicts(printed: _Printed, total: Amount, subtotal: Amount | None, tax: Amount) -> bool:
    """Whether a printed net or the lines contradict a total with its tax; if they make the total by themselves, prices
    include the tax, and only its printed rate can prove it."""
    nets = [each.value for each in printed.subtotals if each.score >= ABSENT]
    nets += [subtotal.value] if subtotal else []
    nets += [printed.lines] if printed.lines is not None else []
    return not all(_near(net, total.value) or _near(net + tax.value, total.value) for net in nets)


def _near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= TOLERANCE


def _likely(candidates: Sequence[Amount]) -> Amount | None:
    return next((candidate for candidate in candidates if candidate.score >= ABSENT), None)
