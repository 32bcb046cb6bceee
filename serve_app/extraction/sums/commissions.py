"""What an agent keeps of a sum: stations and publishers print the gross total, the agency's commission, and what is
left, which is what they invoice."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from serve_app.extraction.candidates import Candidate
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.ranking.options import Option
from serve_app.extraction.sums.adjustments import with_what_is_left

Amount = Candidate[Decimal]


def commissions(pages: Sequence[PageEvidence], options: Sequence[Option[Decimal]]) -> frozenset[Decimal]:
    """The amounts, without their sign, that a caption names as a commission."""
    return frozenset(abs(option.value) for option in options if _is_commission(pages[option.place.page], option))


def parts_of_commission(
    pages: Sequence[PageEvidence], options: Sequence[Option[Decimal]], left: Decimal
) -> tuple[Option[Decimal], Option[Decimal]] | None:
    """The gross total and the commission after which so much is left; None if nothing printed says so."""
    deducted = {abs(option.value): option for option in options if _is_commission(pages[option.place.page], option)}
    found = ((gross, deducted.get(gross.value - left)) for gross in options)
    return next(((gross, commission) for gross, commission in found if commission is not None), None)


def after_commission(
    totals: Sequence[Amount], options: Sequence[Option[Decimal]], deducted: frozenset[Decimal]
) -> Iterator[tuple[Amount, Amount]]:
    """Each total from which a commission is deducted, with what is left."""
    return with_what_is_left(totals, options, lambda total, rest: rest > 0 and total - rest in deducted)


def _is_commission(page: PageEvidence, option: Option[Decimal]) -> bool:
    captions = page.captions(option.place.words)
    return bool(option.value) and Caption.COMMISSION in captions.before
