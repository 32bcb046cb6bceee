"""The printed amounts that may be a document's sums, and what is printed of how they come about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import combinations

from serve_app.extraction.candidates.amounts import amount_candidates
from serve_app.extraction.candidates.candidate import Candidate, best_by_value
from serve_app.extraction.captions import Caption
from serve_app.extraction.currency.money_unit import in_other_money
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.conversions import converted_sums
from serve_app.extraction.reconcile.equations import Equation, Ledger, added_up_by_rows, ledgers, of_rates, of_rows
from serve_app.extraction.reconcile.phrases import states_exemption
from serve_app.extraction.reconcile.steps import (
    adjustments,
    called,
    commission_steps,
    paid_sums,
    rounding_steps,
    tendered_sums,
)
from serve_app.extraction.reconcile.tax_rates import HIGHEST_TAX, discount_rates, has_rate, printed_rates
from serve_app.extraction.reconcile.tax_sums import called_taxes, included_taxes, summed_taxes
from serve_app.extraction.scoring.rank import rank
from serve_app.extraction.tables.rows import Row

Amount = Candidate[Decimal]

# Printed sums may be off by rounding each line.
TOLERANCE = Decimal("0.02")
_WIDTH = 5
# No more adjustments are tried together: sums of many would explain any difference.
_ADJUSTMENTS = 4
# How likely a tax is that makes a total in an equation.
_MADE = 0.5


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that may be the invoice's, and what they come to, if each has a total. `is_part`: rows were left out;
    `is_repeated`: these list the same again; `is_loose`: some are hardly items, and change the sum."""

    rows: tuple[Row, ...]
    sum: Decimal | None
    is_part: bool = False
    is_repeated: bool = False
    is_loose: bool = False


class Sums:
    """The amounts that may be total, net and tax, best first, and what speaks for and against them.

    `tables` are the rows that may be the invoice's. `printed` has all amounts, and `called` those that something calls
    taxes. `adjusted` are amounts that are added or deducted, `extras` the sums of some of them, zero included; what an
    agent's commission leaves is in `commissions`. `superseded` totals are not what is invoiced, among them those
    `converted` into another currency; those at the places `in_other_money` are called in another one than most.
    `unnamed` amounts are no taxes unless sums prove it, and if the document `is_exempt`, nothing is.
    """

    def __init__(self, pages: Sequence[PageEvidence], style: Style, tables: Sequence[Table]) -> None:
        self.pages, self.style, self.tables = pages, style, tables
        self.printed = amount_candidates(pages, style)
        self.rates, self.discounts = printed_rates(pages), discount_rates(pages)
        self.is_exempt = any(states_exemption(page.text(line)) for page in pages for line in page.lines)
        self.commissions = commission_steps(pages, self.printed)
        adjusted, deducted = adjustments(pages, self.printed), [-abs(step.by.value) for step in self.commissions]
        self.adjusted = frozenset(adjusted).union(map(abs, deducted))
        self.extras = frozenset({Decimal(0), *_sums([*deducted, *adjusted][:_ADJUSTMENTS])})
        columns = ledgers(pages, style)
        wholes = dict(added_up_by_rows(pages, style, columns))
        self._find_totals(columns, wholes)
        self._find_taxes(wholes)
        self.in_other_money = in_other_money(pages, [total.place for total in self.totals])
        self._about: dict[Decimal, AboutTotal] = {}

    def _find_totals(self, columns: Sequence[Ledger], wholes: dict[Decimal, Amount]) -> None:
        pages, style, printed = self.pages, self.style, self.printed
        steps = (*self.commissions, *rounding_steps(pages, printed))
        made = {step.before.value: step.after for step in steps} | _after_tax(columns)
        self.totals = _carried(_carried(rank("total", printed), wholes), made)[:_WIDTH]
        self.nets = _carried(rank("subtotal", printed), wholes)[:_WIDTH]
        paid, self.converted = paid_sums(pages, printed), converted_sums(pages, style)
        before = tendered_sums(pages, printed) | self.converted | _beyond(self.totals, paid)
        of_taxes = _of_taxes(columns, self.totals)
        self.superseded = before | made.keys() | wholes.keys() | of_taxes
        self.equations = [
            *(column.equation for column in columns if column.sum.value not in of_taxes),
            *of_rates(pages, style),
            *of_rows(pages, style, {total.value for total in self.totals}),
            *map(Equation, (*(step.after.value for step in self.commissions), *paid)),
        ]

    def _find_taxes(self, wholes: dict[Decimal, Amount]) -> None:
        pages, printed = self.pages, self.printed
        withheld = set(called(pages, printed, Caption.WITHHELD))
        self.called = called_taxes(pages, printed)
        ranked = _carried(rank("tax", [each for each in printed if each not in withheld]), wholes)
        summed = summed_taxes(pages, [tax for tax in self.called if tax not in withheld], ranked)
        made = [*_made(self.equations, self.totals), *included_taxes(pages, self.style)]
        taxes = best_by_value([*ranked, *summed, *made])
        left = self._left()
        self.taxes = [*taxes[:_WIDTH], *(tax for tax in taxes[_WIDTH:] if tax.value in left)]
        self.unnamed = {each.value for each in printed} - {tax.value for tax in (*self.called, *made)}

    def _left(self) -> set[Decimal]:
        """What is between the nets and the totals, with what may be added or deducted."""
        nets = [*(net.value for net in self.nets), *(table.sum for table in self.tables if table.sum is not None)]
        return {total.value - net - extra for total in self.totals for net in nets for extra in self.extras}

    def about(self, total: Decimal) -> "AboutTotal":
        """What equations make of a total: looked for once, as it is asked for with every tax."""
        if total not in self._about:
            whole = [each for each in self.equations if near(each.total, total)]
            rates = (each for each in self.equations if each.by_rate)
            more = (each for each in rates if any(near(each.total + extra, total) for extra in self.extras))
            self._about[total] = AboutTotal(
                frozenset(each.tax for each in (*whole, *more)), frozenset(each.tax for each in whole if each.is_exact)
            )
        return self._about[total]

    def leaves(self, nets: Sequence[Decimal], wanted: Decimal) -> bool:
        """Whether one of the nets, or what a discount leaves of it, is near a sum."""
        return any(
            near(net, wanted) or has_rate(self.discounts, partial(_without, net), wanted, TOLERANCE) for net in nets
        )


@dataclass(frozen=True, slots=True)
class AboutTotal:
    """The taxes in a total that equations make, those of rates also with what is added or deducted; and those that
    nothing but their net makes without."""

    taxes: frozenset[Decimal]
    exact: frozenset[Decimal]


def near(one: Decimal, other: Decimal) -> bool:
    """Whether two sums are the same but for rounding."""
    return abs(one - other) <= TOLERANCE


def _without(net: Decimal, rate: Decimal) -> Decimal:
    return net * (1 - rate)


def _carried(amounts: Sequence[Amount], steps: dict[Decimal, Amount]) -> list[Amount]:
    """The amounts, and what others are made of them: what speaks for the one speaks for the other."""
    made = [(steps[each.value], each.score) for each in amounts[:_WIDTH] if each.value in steps]
    return best_by_value([*amounts, *(Candidate(after.value, score, after.place) for after, score in made)])


def _after_tax(columns: Sequence[Ledger]) -> dict[Decimal, Amount]:
    """The sums to which a tax is added below them, each with what it comes to: the parts of the column that does, and
    what makes these in turn."""
    added = {part: column.whole for column in columns if column.equation.tax for part in column.parts}
    made = {part: added[column.sum.value] for column in columns if column.sum.value in added for part in column.parts}
    return made | added


def _of_taxes(columns: Sequence[Ledger], totals: Sequence[Amount]) -> frozenset[Decimal]:
    """What columns of taxes come to, if that may be a tax of one of the totals."""
    largest = max((total.value for total in totals), default=Decimal(0))
    sums = (column.sum.value for column in columns if column.is_of_taxes)
    return frozenset(each for each in sums if each <= HIGHEST_TAX * largest)


def _made(equations: Sequence[Equation], totals: Sequence[Amount]) -> Iterator[Amount]:
    """The taxes in equations of the totals."""
    for each in equations:
        if each.place is not None and any(near(each.total, total.value) for total in totals):
            yield Candidate(each.tax, _MADE, each.place)


def _beyond(totals: Sequence[Amount], paid: frozenset[Decimal]) -> frozenset[Decimal]:
    """The totals of which less was paid in cash, where what was paid is another of them: a discount came off it."""
    least = min((total.value for total in totals if total.value in paid), default=None)
    return frozenset(total.value for total in totals if least is not None and total.value > least)


def _sums(amounts: Sequence[Decimal]) -> Iterator[Decimal]:
    """The sums of some of the adjustments."""
    for count in range(1, len(amounts) + 1):
        yield from (sum(parts, Decimal(0)) for parts in combinations(amounts, count))
