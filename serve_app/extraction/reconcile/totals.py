"""The document's sums: which of the printed amounts are total, subtotal and tax, and whether they add up.

Arithmetic only ranks amounts that the models already point at: three small numbers can add up by accident.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from itertools import product

from serve_app.extraction.candidates.amounts import amount_candidates
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.adjustments import has_more_due
from serve_app.extraction.reconcile.printed import Amount, Printed, has_near, near, printed_amounts
from serve_app.extraction.reconcile.proofs import makes_tax
from serve_app.extraction.reconcile.tax_sums import HIGHEST_TAX, is_of_one_rate, is_untaxed, is_within_sum

# Below this score an absent subtotal or tax is likelier than a present one.
ABSENT = 0.3


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
    what an agent's commission leaves, and without tax. `is_tax_of_one_rate`: the pages state one of another rate, too.
    `is_tax_within_sum`: it is a part of a sum of taxes that a printed net and the total make. `is_converted`: the total
    may be what another one is in another currency. `has_more_due`: with a charge, more is due than the total.
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
    is_tax_of_one_rate: bool = False
    is_tax_within_sum: bool = False
    is_converted: bool = False
    has_more_due: bool = False


def resolve_totals(pages: Sequence[PageEvidence], style: Style, line_sum: Decimal | None) -> Totals:
    """Choose total and tax; `line_sum` is the sum of the line items' totals, if they are printed."""
    candidates = amount_candidates(pages, style)
    printed = printed_amounts(pages, style, candidates, line_sum)
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
        is_untaxed=tax == 0 and is_untaxed(pages, candidates, total),
        is_net_of_commission=not tax and total in printed.net_of_commission,
        is_converted=total in printed.converted,
        is_tax_of_one_rate=bool(tax) and is_of_one_rate(pages, candidates, tax or Decimal(0)),
        is_tax_within_sum=bool(tax)
        and is_within_sum(pages, candidates, tax or Decimal(0), _left_by_nets(printed, total)),
        has_more_due=has_more_due(pages, candidates, best.total, style),
    )


def _left_by_nets(printed: Printed, total: Decimal) -> list[Decimal]:
    """What each printed net leaves of a total, as far as it can be a tax."""
    left = [total - net.value for net in printed.subtotals]
    return [rest for rest in left if rest <= HIGHEST_TAX * total]


def _of_lines(printed: Printed, choice: "_Choice") -> frozenset[Decimal]:
    """What the lines may add up to: the subtotal, the total or, where that is what they do, either without tax and
    what was added to it."""
    sums = {choice.total.value}
    if choice.tax is not None:
        sums.add(choice.total.value - choice.tax.value)
    if choice.subtotal is not None and choice.subtotal.score >= ABSENT:
        sums.add(choice.subtotal.value)
    adjusted = {each - extra for each in sums for extra in printed.extras}
    if printed.lines is not None and any(near(printed.lines, each) for each in adjusted):
        return frozenset({printed.lines})
    return frozenset(sums)


@dataclass(frozen=True, slots=True)
class _Choice:
    total: Amount
    subtotal: Amount | None
    tax: Amount | None
    check: Check


def _combinations(printed: Printed) -> Iterator[_Choice]:
    for total, subtotal, tax in product(printed.totals, [*printed.subtotals, None], [*printed.taxes, None]):
        yield _Choice(total, subtotal, tax, _check(printed, total, subtotal, tax))


def _weight(printed: Printed, choice: _Choice) -> float:
    scores = (
        2 * math.log(choice.total.score + 1e-3),
        _presence(choice.subtotal, printed.subtotals),
        _presence(choice.tax, printed.taxes),
    )
    superseded = SUPERSEDED if choice.total.value in printed.superseded else 0.0
    exact = EXACT * _exactness(printed, choice) if choice.check is Check.NET_AND_TAX else 0.0
    return sum(scores) + ADDS_UP[choice.check] + exact + _plausibility(printed, choice) + superseded


def _exactness(printed: Printed, choice: _Choice) -> int:
    """In how many ways the tax fits: a printed net and it make the total, without what may be added or deducted; and if
    so, a printed rate makes it, too."""
    total, tax = choice.total.value, choice.tax.value if choice.tax else Decimal(0)
    nets = [*(subtotal.value for subtotal in printed.subtotals), printed.lines]
    if has_near(printed.about(total).of_whole_rates, tax):
        return 2
    is_sum = any(net is not None and near(net + tax, total) for net in nets)
    return is_sum + (is_sum and makes_tax(printed.rates, total, tax))


def _plausibility(printed: Printed, choice: _Choice) -> float:
    """The evidence for a choice, in natural-log units, of the tax's share of the total, and of what else it may be."""
    if choice.tax is None:
        return 0.0
    total, tax = choice.total.value, choice.tax.value
    if not tax:
        return NOTHING_TAXED if choice.check is Check.NET or _is_net(choice) else 0.0
    if printed.is_exempt and not makes_tax(printed.rates, total, tax):
        return NOT_CHARGED
    if tax in printed.unnamed:
        return IMPLAUSIBLE
    is_share = _is_share(choice.tax, choice.total, choice.subtotal)
    return 0.0 if is_share and tax not in printed.adjusted else IMPLAUSIBLE


def _is_share(tax: Amount, total: Amount, subtotal: Amount | None) -> bool:
    """Whether a tax is no higher a share of the total than some country's, or of the subtotal, of which a discount may
    leave little."""
    wholes = [amount.value for amount in (total, subtotal) if amount and amount.value]
    return any(0 < tax.value / whole <= HIGHEST_TAX for whole in wholes)


def _is_net(choice: _Choice) -> bool:
    return choice.subtotal is not None and choice.subtotal.value == choice.total.value


def _presence(chosen: Amount | None, candidates: Sequence[Amount]) -> float:
    """How likely (natural log) an amount is the right one, or that none is right."""
    if chosen is not None:
        return math.log(chosen.score + 1e-3)
    return math.log(max(ABSENT, 1 - candidates[0].score) if candidates else 1.0)


def _check(printed: Printed, total: Amount, subtotal: Amount | None, tax: Amount | None) -> Check:
    """Whether net and tax, with any of shipping, discount and rounding, add up to the total."""
    if tax and tax.value and not _is_share(tax, total, subtotal):
        # Three amounts that add up by accident.
        tax = None
    known = _nets(printed, total, subtotal)
    if tax and (_makes_total(printed, known, total, tax) or _is_tax_of_rate(printed, total, subtotal, tax)):
        return Check.NET_AND_TAX
    about = printed.about(total.value)
    is_made = any(printed.leaves(known, total.value - extra) for extra in printed.extras)
    if is_made or about.of_rates or about.of_columns or total.value in printed.paid:
        return Check.NET
    return Check.CONTRADICTED if known else Check.UNKNOWN


def _nets(printed: Printed, total: Amount, subtotal: Amount | None) -> list[Decimal]:
    # A subtotal that only repeats the total proves nothing; lines that add up to the total do.
    nets = [subtotal.value] if subtotal and subtotal.value != total.value else []
    return [*nets, printed.lines] if printed.lines is not None else nets


def _makes_total(printed: Printed, nets: Sequence[Decimal], total: Amount, tax: Amount) -> bool:
    """Whether a tax, which is not zero, makes the total with one of the nets, or with others of its column."""
    rest = total.value - tax.value
    is_sum = bool(tax.value) and any(printed.leaves(nets, rest - extra) for extra in printed.extras)
    return is_sum or (bool(tax.value) and tax.value in printed.about(total.value).of_columns)


def _is_tax_of_rate(printed: Printed, total: Amount, subtotal: Amount | None, tax: Amount) -> bool:
    """Whether a printed rate, or a table of rates, makes a tax."""
    about = printed.about(total.value)
    is_possible = 0 in about.of_columns or not _contradicts(printed, total, subtotal, tax)
    return (is_possible and makes_tax(printed.rates, total.value, tax.value)) or has_near(about.of_rates, tax.value)


def _contradicts(printed: Printed, total: Amount, subtotal: Amount | None, tax: Amount) -> bool:
    """Whether a printed net or the lines contradict a total with its tax; if they make the total by themselves, prices
    include the tax, and only its printed rate can prove it."""
    nets = [each.value for each in printed.subtotals if each.score >= ABSENT]
    nets += [subtotal.value] if subtotal else []
    nets += [printed.lines] if printed.lines is not None else []
    return not all(near(net, total.value) or near(net + tax.value, total.value) for net in nets)


def _likely(candidates: Sequence[Amount]) -> Amount | None:
    return next((candidate for candidate in candidates if candidate.score >= ABSENT), None)
