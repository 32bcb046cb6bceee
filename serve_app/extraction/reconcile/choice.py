"""A choice of total, net sum, tax and rows, and its score: what speaks for each candidate, and which checks of the sums
hold.

Arithmetic only ranks amounts that the models already point at: three small numbers can add up by accident.
"""

import math
from collections.abc import Sequence
from decimal import Decimal
from enum import IntEnum
from itertools import product

from serve_app.extraction.candidates.features import Features
from serve_app.extraction.reconcile.candidates import Amount, Sums, Table, near
from serve_app.extraction.reconcile.steps import Step, has_more_due
from serve_app.extraction.reconcile.tax_rates import HIGHEST_TAX, makes_tax
from serve_app.extraction.reconcile.tax_sums import is_named, is_part
from serve_app.extraction.scoring.rank import Weights, score

# Below this score an absent net sum or tax is likelier than a present one.
ABSENT = 0.3
# What each check counts, in natural-log units.
WEIGHTS: Weights = {
    "bias": 0.0,
    # Sums that add up, most if nothing is left unexplained.
    "net adds up": 2.5,
    "net and tax add up": 5.0,
    # Nothing but net and tax is needed, and a rate makes the tax: a discount for early payment makes another sum.
    "exact": 0.7,
    "rows add up": 0.6,
    "loose rows": -0.1,
    "rows left out": -0.5,
    "rows left out unproved": -3.0,
    # Called in another currency than most sums.
    "in other money": -3.0,
    # A rounded total, one without the agent's commission, or one in another currency is printed as well.
    "superseded": -6.0,
    # A tax of zero is printed if nothing is taxed: then net and total are the same.
    "nothing taxed": 1.0,
    # Nothing is a tax where the issuer says that it charges none, unless a printed rate makes it.
    "not charged": -9.0,
    # A higher share of the total than any country's tax, one of the other sign, or the costs of shipping.
    "implausible": -4.0,
}
# The most that checks can count together; there are two ways to be exact.
_MOST = sum(max(weight, 0.0) for weight in WEIGHTS.values()) + WEIGHTS["exact"]


class Check(IntEnum):
    """What the arithmetic says about a document."""

    CONTRADICTED = 0
    UNKNOWN = 1
    # The lines or the subtotal add up to the total, without tax.
    NET = 2
    # Net and tax add up to the total.
    NET_AND_TAX = 3


def best_choice(sums: Sums) -> "Choice":
    """The choice with the highest score; of several, the one with the most rows if they add up. The likeliest amounts
    are tried first, until no check could make up for what is less likely."""
    if not sums.totals:
        tax = next((tax for tax in sums.taxes if tax.score >= ABSENT), None)
        return Choice(sums, None, None, tax, sums.tables[0])
    combinations = product(sums.totals, [*sums.nets, None], [*sums.taxes, None])
    likeliest = sorted(combinations, key=lambda amounts: -_likelihood(sums, *amounts))
    best, highest = Choice(sums, *likeliest[0], sums.tables[0]), (-math.inf, 0)
    for amounts in likeliest:
        likelihood = _likelihood(sums, *amounts)
        if likelihood + _MOST < highest[0]:
            break
        for choice in (Choice(sums, *amounts, table) for table in _tables(sums, amounts[0])):
            value = likelihood + score(WEIGHTS, choice.features), choice.made_by
            if value > highest:
                best, highest = choice, value
    return best


def _likelihood(sums: Sums, total: Amount, net: Amount | None, tax: Amount | None) -> float:
    """How likely amounts are the right ones (natural log); the total, which every document has, counts twice."""
    return 2 * _presence(total, sums.totals) + _presence(net, sums.nets) + _presence(tax, sums.taxes)


def _presence(chosen: Amount | None, candidates: Sequence[Amount]) -> float:
    """How likely (natural log) an amount is the right one, or that none is right."""
    if chosen is not None:
        return math.log(chosen.score + 1e-3)
    return math.log(max(ABSENT, 1 - candidates[0].score) if candidates else 1.0)


def _tables(sums: Sums, total: Amount) -> list[Table]:
    """The rows that may make a total. None are left out if all of them do."""
    whole = sums.tables[0].sum
    is_made = whole is not None and near(whole, total.value)
    return [table for table in sums.tables if not (is_made and table.is_part)]


class Choice:
    """A total with net sum, tax and rows, and what the pages say about it. `check`: whether net and tax, with any of
    shipping, discount and rounding, add up to the total; `made_by`: how many rows make one of the sums together."""

    def __init__(self, sums: Sums, total: Amount | None, net: Amount | None, tax: Amount | None, table: Table) -> None:
        self.sums, self.total, self.net, self.tax, self.table = sums, total, net, tax, table
        self._total, self._tax = (amount.value if amount else Decimal(0) for amount in (total, tax))
        # The sum of all rows proves a total, and that of all but copies. The sum of some tables could be any.
        is_proof = not table.is_part or table.is_repeated
        self._lines = [] if table.sum is None or not is_proof else [table.sum]
        # What the tax is added to: a net sum that only repeats the total proves nothing.
        self._nets = [*([net.value] if net and net.value != self._total else []), *self._lines]
        self._made = sums.about(self._total).taxes
        self.check = self._check() if total else Check.UNKNOWN
        self.made_by = len(table.rows) if self.of_rows == {table.sum} else 0

    def _check(self) -> Check:
        if self._tax and self._is_share and self._is_made:
            return Check.NET_AND_TAX
        if self._made or any(self.sums.leaves(self._nets, self._total - extra) for extra in self.sums.extras):
            return Check.NET
        return Check.CONTRADICTED if self._nets else Check.UNKNOWN

    @property
    def wanted(self) -> frozenset[Decimal]:
        """What the rows may add up to: the net sum, or the total, with tax or without."""
        nets = [self.net.value] if self.net and self.net.score >= ABSENT else []
        return frozenset({self._total, self._total - self._tax, *nets} if self.total else ())

    @property
    def of_rows(self) -> frozenset[Decimal]:
        """What the rows add up to: one of these or, where that is what they do, one without what was added to it."""
        lines = self.table.sum
        adjusted = (each - extra for each in self.wanted for extra in self.sums.extras)
        is_made = lines is not None and any(near(lines, each) for each in adjusted)
        return frozenset({lines}) if is_made and lines is not None else self.wanted

    @property
    def of_total(self) -> frozenset[Decimal]:
        """What the rows add up to if there is nothing else: the total, with or without tax and what was added to it."""
        wholes = (self._total, self._total - self._tax)
        return frozenset(each - extra for each in wholes for extra in self.sums.extras if self.total)

    @property
    def commission(self) -> Step | None:
        """What an agent's commission leaves, if that is the total."""
        return next((step for step in self.sums.commissions if step.after.value == self._total), None)

    @property
    def is_net_of_commission(self) -> bool:
        """Whether the total is what an agent's commission leaves, and without tax."""
        return self.commission is not None and not self._tax

    @property
    def is_untaxed(self) -> bool:
        """Whether the tax is a zero that is captioned as one, and no other amount may be one of this total: none has
        such a caption, is taken for a tax by a model, or follows from a printed rate."""
        sums, total = self.sums, abs(self._total)
        others = [each for each in sums.printed if 0 < abs(each.value) <= HIGHEST_TAX * total]
        is_zero = self._tax == 0 and any(each.value == 0 and is_named(sums.pages, each) for each in sums.printed)
        return is_zero and not any(
            other in sums.called or makes_tax(sums.rates, total, abs(other.value)) for other in others
        )

    @property
    def is_tax_part(self) -> bool:
        """Whether there may be more tax."""
        left = (self._total - net.value for net in self.sums.nets)
        possible = [rest for rest in left if rest <= HIGHEST_TAX * self._total]
        return bool(self._tax) and is_part(self.sums.pages, self.sums.called, self._tax, possible)

    @property
    def is_converted(self) -> bool:
        """Whether the total may be what another one is in another currency."""
        return self._total in self.sums.converted

    @property
    def has_more_due(self) -> bool:
        """Whether more is due than the total, with a charge."""
        sums = self.sums
        return self.total is not None and has_more_due(sums.pages, sums.printed, self.total, sums.style)

    @property
    def features(self) -> Features:
        """The checks that hold, and those that speak against it."""
        return {
            "in other money": float(self.total is not None and self.total.place in self.sums.in_other_money),
            "net adds up": float(self.check is Check.NET),
            "net and tax add up": float(self.check is Check.NET_AND_TAX),
            "exact": float(self._exactness if self.check is Check.NET_AND_TAX else 0),
            **self._of_rows(),
            "superseded": float(self._total in self.sums.superseded),
            **self._of_tax(),
        }

    def _of_rows(self) -> Features:
        """Whether the rows make one of the sums, and whether others were left out for it: then net and tax must make
        the total, or the others list the same again."""
        is_proved = self.check is Check.NET_AND_TAX or self.table.is_repeated
        return {
            "rows add up": float(self.made_by > 0),
            "loose rows": float(self.table.is_loose),
            "rows left out": float(self.table.is_part),
            "rows left out unproved": float(self.table.is_part and not is_proved),
        }

    def _of_tax(self) -> Features:
        """What the tax may be else: a share of the total, of a sum before a discount, or what is no tax at all."""
        if self.tax is None:
            return {}
        if not self._tax:
            is_net = self.net is not None and self.net.value == self._total
            return {"nothing taxed": float(self.check is Check.NET or is_net)}
        is_rated = makes_tax(self.sums.rates, self._total, self._tax)
        is_not_charged = self.sums.is_exempt and not is_rated
        is_unlikely = self._tax in self.sums.unnamed or self._tax in self.sums.adjusted or not self._is_share
        return {"not charged": float(is_not_charged), "implausible": float(is_unlikely and not is_not_charged)}

    @property
    def _is_share(self) -> bool:
        """Whether the tax is no higher a share of the total than some country's, or of the net sum, of which a discount
        may leave little."""
        wholes = [amount.value for amount in (self.total, self.net) if amount and amount.value]
        return any(0 < self._tax / whole <= HIGHEST_TAX for whole in wholes)

    @property
    def _is_made(self) -> bool:
        """Whether an equation has a tax of the total, or it makes the total with one of the nets, or a printed rate
        makes it: if net or rows make the total by themselves, prices include the tax; other nets contradict a rate."""
        total, rest = self._total, self._total - self._tax
        if self._tax in self._made or any(self.sums.leaves(self._nets, rest - extra) for extra in self.sums.extras):
            return True
        known = [each.value for each in self.sums.nets if each.score >= ABSENT] + self._nets
        is_possible = 0 in self._made or all(near(each, total) or near(each, rest) for each in known)
        return is_possible and makes_tax(self.sums.rates, total, self._tax)

    @property
    def _exactness(self) -> int:
        """In how many ways the tax fits: a printed net and it make the total, without what may be added or deducted;
        and if so, a printed rate makes it, too."""
        total = self._total
        if self._tax in self.sums.about(total).exact:
            return 2
        nets = [*(net.value for net in self.sums.nets), *self._lines]
        is_sum = any(near(net + self._tax, total) for net in nets)
        return is_sum + (is_sum and makes_tax(self.sums.rates, total, self._tax))
