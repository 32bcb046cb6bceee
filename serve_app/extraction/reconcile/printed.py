"""The printed amounts that may be a document's sums, and what is printed of how they come about."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import combinations

from serve_app.extraction.candidates.candidate import Candidate, best_by_value
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.adjustments import (
    adjustments,
    after_commission,
    commissions,
    is_withheld,
    roundings,
    with_what_is_left,
)
from serve_app.extraction.reconcile.conversions import converted_sums
from serve_app.extraction.reconcile.ledgers import Ledger, before_tax, ledgers
from serve_app.extraction.reconcile.phrases import states_exemption
from serve_app.extraction.reconcile.proofs import discount_rates, paid_sums, printed_rates, tendered_sums
from serve_app.extraction.reconcile.row_sums import IN_ROW, TaxedSum, of_rates, of_rows, sums_of_parts
from serve_app.extraction.reconcile.tax_rates import has_rate
from serve_app.extraction.reconcile.tax_sums import included_taxes, summed_taxes, unnamed_taxes
from serve_app.extraction.scoring.rank import rank

Amount = Candidate[Decimal]

# Printed sums may be off by rounding each line.
TOLERANCE = Decimal("0.02")
_WIDTH = 5
# No more adjustments are tried together: sums of many would explain any difference.
_ADJUSTMENTS = 4


@dataclass(frozen=True, slots=True)
class Printed:
    """The amounts that may be total, subtotal and tax, best first, and what speaks for and against them.

    `adjusted` are amounts that are added or deducted, `extras` the sums of some of them, zero included; `lines` is what
    the lines add up to. `paid`, `rates` (of tax), `discounts` (rates, both in ascending order), `by_rate` and `ledgers`
    are what is printed of the way to the total. `superseded` totals are not what is invoiced, among them those
    `converted` into another currency; those `net_of_commission` are what an agent's commission leaves. `unnamed`
    amounts are no taxes unless sums prove it, and if the document `is_exempt`, nothing is.
    """

    totals: list[Amount]
    subtotals: list[Amount]
    taxes: list[Amount]
    adjusted: frozenset[Decimal]
    extras: set[Decimal]
    lines: Decimal | None
    paid: frozenset[Decimal]
    rates: Sequence[Decimal]
    discounts: Sequence[Decimal]
    by_rate: Sequence[TaxedSum]
    superseded: frozenset[Decimal]
    converted: frozenset[Decimal]
    net_of_commission: frozenset[Decimal]
    unnamed: frozenset[Decimal]
    ledgers: Sequence[Ledger]
    is_exempt: bool
    known: dict[Decimal, "AboutTotal"] = field(default_factory=dict, compare=False, repr=False)

    def about(self, total: Decimal) -> "AboutTotal":
        """What is printed about the tax in a total: looked for once, as it is asked for with every tax."""
        if total not in self.known:
            self.known[total] = AboutTotal(
                frozenset(column.tax for column in self.ledgers if column.total == total),
                sorted({taxed.tax for taxed in self.by_rate if self._comes_to(taxed, total)}),
                sorted({taxed.tax for taxed in self.by_rate if near(taxed.total, total)}),
            )
        return self.known[total]

    def _comes_to(self, taxed: TaxedSum, total: Decimal) -> bool:
        return any(near(taxed.total + extra, total) for extra in self.extras)

    def leaves(self, nets: Sequence[Decimal], wanted: Decimal) -> bool:
        """Whether one of the nets, or what a discount leaves of it, is near a sum."""
        return any(
            near(net, wanted) or has_rate(self.discounts, partial(_without, net), wanted, TOLERANCE) for net in nets
        )


@dataclass(frozen=True, slots=True)
class AboutTotal:
    """The taxes that columns make of a total, and those that tables of rates do, in ascending order: with or without
    what is added or deducted, and without."""

    of_columns: frozenset[Decimal]
    of_rates: Sequence[Decimal]
    of_whole_rates: Sequence[Decimal]


def near(one: Decimal, other: Decimal) -> bool:
    """Whether two sums are the same but for rounding."""
    return abs(one - other) <= TOLERANCE


def has_near(sums: Sequence[Decimal], wanted: Decimal) -> bool:
    """Whether one of the sums, which are in ascending order, is the same as another one but for rounding."""
    at = bisect_left(sums, wanted - TOLERANCE)
    return at < len(sums) and near(sums[at], wanted)


def _without(net: Decimal, rate: Decimal) -> Decimal:
    return net * (1 - rate)


def printed_amounts(
    pages: Sequence[PageEvidence], style: Style, candidates: Sequence[Candidate[Decimal]], line_sum: Decimal | None
) -> Printed:
    """What the models and the tables point at; `line_sum` is the sum of the document's lines, if they are printed."""
    deducted = commissions(pages, candidates)
    adjusted = adjustments(pages, candidates)
    extras = {Decimal(0), *_sums([*(-amount for amount in deducted), *adjusted][:_ADJUSTMENTS])}
    charged = [candidate for candidate in candidates if not is_withheld(pages, candidate)]
    wholes = sums_of_parts(pages, style)
    ranked = (
        rank(field, choices) for field, choices in (("total", candidates), ("subtotal", candidates), ("tax", charged))
    )
    totals, subtotals, taxes = (_with_sums(amounts, wholes) for amounts in ranked)
    gross = list(after_commission(totals[:_WIDTH], candidates, deducted))
    rounding = roundings(pages, candidates)
    rounded = with_what_is_left(totals[:_WIDTH], candidates, lambda total, rest: rest - total in rounding)
    totals = best_by_value([*totals, *(rest for _, rest in (*gross, *rounded))])
    row_nets, row_taxes = of_rows(pages, style, totals[:_WIDTH])
    subtotals = best_by_value([*subtotals, *row_nets, *(before for before, _ in gross)])
    columns, by_rate = ledgers(pages, style), of_rates(pages, style)
    untaxed = before_tax(columns)
    totals = best_by_value([*totals, *_after_tax(totals[:_WIDTH], untaxed)])
    proved = [*_proved_taxes(columns, by_rate, totals[:_WIDTH]), *included_taxes(pages, style)]
    taxes = best_by_value([*taxes, *row_taxes, *summed_taxes(pages, charged, taxes), *proved])
    totals, subtotals = totals[:_WIDTH], subtotals[:_WIDTH]
    paid = paid_sums(pages, candidates, totals)
    differences = _differences(totals, [*(subtotal.value for subtotal in subtotals), line_sum], extras)
    left = [tax for tax in taxes[_WIDTH:] if tax.value in differences]
    converted = converted_sums(pages, style)
    return Printed(
        totals=totals,
        subtotals=subtotals,
        taxes=[*taxes[:_WIDTH], *left],
        adjusted=frozenset(adjusted) | deducted,
        extras=extras,
        lines=line_sum,
        paid=paid,
        rates=printed_rates(pages),
        discounts=discount_rates(pages),
        by_rate=by_rate,
        superseded=_before_rounding(totals, rounding)
        | {before.value for before, _ in gross}
        | tendered_sums(pages, candidates)
        | _beyond_payment(totals, paid)
        | converted
        | untaxed.keys()
        | wholes.keys(),
        converted=converted,
        net_of_commission=frozenset(rest.value for _, rest in gross),
        unnamed=unnamed_taxes(pages, candidates) - {tax.value for tax in (*row_taxes, *proved)},
        ledgers=columns,
        is_exempt=any(states_exemption(page.text(line)) for page in pages for line in page.lines),
    )


def _differences(totals: Sequence[Amount], nets: Sequence[Decimal | None], extras: Collection[Decimal]) -> set[Decimal]:
    """What is between the nets and the totals, with what may be added or deducted."""
    known = [net for net in nets if net is not None]
    return {total.value - net - extra for total in totals for net in known for extra in extras}


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
            if near(taxed.total, total.value):
                yield Candidate(taxed.tax, IN_ROW, taxed.place)


def _after_tax(totals: Sequence[Amount], untaxed: Mapping[Decimal, Ledger]) -> Iterator[Amount]:
    """What each total comes to when the tax below it is added. What speaks for the one as what the document comes to
    speaks for the other."""
    for total in totals:
        if (column := untaxed.get(total.value)) is not None:
            yield Candidate(column.total, total.score, column.place)


def _beyond_payment(totals: Sequence[Amount], paid: frozenset[Decimal]) -> frozenset[Decimal]:
    """The totals of which less was paid in cash, where what was paid is another of them: a discount came off it."""
    least = min((total.value for total in totals if total.value in paid), default=None)
    return frozenset(total.value for total in totals if least is not None and total.value > least)


def _before_rounding(totals: Sequence[Amount], roundings: frozenset[Decimal]) -> frozenset[Decimal]:
    """The totals that make another one, printed after them, when a printed rounding is added."""
    return frozenset(
        total.value
        for total in totals
        for rounded in totals
        if rounded.value - total.value in roundings and total.place < rounded.place
    )


def _sums(amounts: Sequence[Decimal]) -> Iterator[Decimal]:
    """The sums of some of the adjustments."""
    for count in range(1, len(amounts) + 1):
        yield from (sum(parts, Decimal(0)) for parts in combinations(amounts, count))
