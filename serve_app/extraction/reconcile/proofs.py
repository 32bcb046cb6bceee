"""Other sums that prove a total: cash less change, a discount in percent, and a tax that follows from its printed
rate."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import islice

from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.reconcile.tax_rates import has_rate, percentages

_CENT = Decimal("0.01")
# A tax of a few cents follows from any rate.
LEAST_TAX = Decimal("0.50")
# A receipt states its change once or twice.
_MOST_CHANGES = 20


def paid_sums(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], totals: Sequence[Candidate[Decimal]]
) -> frozenset[Decimal]:
    """The totals that are cash less change, of all amounts with such captions."""
    cash = {
        candidate.value for candidate in candidates if _is_named(pages, candidate, Caption.CASH) and candidate.value > 0
    }
    values = {total.value for total in totals if total.value > 0}
    return frozenset(value for value in values if any(value + change in cash for change in cash))


def tendered_sums(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]]) -> frozenset[Decimal]:
    """The cash of which change was given back, whatever it is called, where what is left is printed, too: it is not
    what is invoiced."""
    printed = {candidate.value for candidate in candidates}
    named = (
        candidate.value
        for candidate in candidates
        if candidate.value > 0 and _is_named(pages, candidate, Caption.CHANGE)
    )
    changes = islice(dict.fromkeys(named), _MOST_CHANGES)
    given = ([each for each in printed if each > change and each - change in printed] for change in changes)
    return frozenset(max(each) for each in given if each)


def discount_rates(pages: Sequence[PageEvidence]) -> tuple[Decimal, ...]:
    """The percentages of the pages that name a discount, as shares in ascending order: any of them may be its rate."""
    named = [page for page in pages if page.facts.all_captions.has(Caption.DISCOUNT)]
    return tuple(rate for rate in printed_rates(named) if rate < 1)


def _is_named(pages: Sequence[PageEvidence], candidate: Candidate[Decimal], caption: Caption) -> bool:
    captions = pages[candidate.place.page].captions(candidate.place.words)
    return caption in captions.before and captions.skipped == 0


def printed_rates(pages: Sequence[PageEvidence]) -> tuple[Decimal, ...]:
    """The percentages of the pages, as shares, each once, in ascending order."""
    text = "\n".join(page.text(line) for page in pages for line in page.lines)
    return tuple(sorted({rate / 100 for rate in percentages(text) if rate}))


def makes_tax(rates: Sequence[Decimal], total: Decimal, tax: Decimal) -> bool:
    """Whether one of the rates, applied to the total less the tax, gives the tax to the cent."""
    if not 0 < tax < total or tax < LEAST_TAX:
        return False
    return has_rate(rates, lambda rate: rate * (total - tax), tax, _CENT)
