"""What a document adds to its lines, or deducts from them: shipping, surcharges, discounts, rounding, taxes that are
withheld, and what an agent keeps: stations and publishers print the gross total, the agency's commission, and what is
left, which is what they invoice."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, parse_number

# No more adjustments of a page are considered: sums of many would explain any difference.
WIDTH = 3
# The probability from which on a model counts as taking an amount for an adjustment.
SEEN = 0.4
_ADDED = ((Label.SHIPPING, Caption.SHIPPING), (Label.ROUNDING, Caption.ROUNDING))
_TAKEN = ((Label.DISCOUNT, Caption.DISCOUNT), (Label.DISCOUNT, Caption.WITHHELD))


def adjustments(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]]) -> list[Decimal]:
    """The signed amounts that a model or a caption marks as adjustments, models first."""
    found: dict[Decimal, float] = {}
    for candidate in candidates:
        for signs, kinds in ((1, _ADDED), (-1, _TAKEN)):
            chance = max(_chance(pages, candidate, label, caption) for label, caption in kinds)
            value = candidate.value if signs > 0 else -abs(candidate.value)
            if value and chance > SEEN:
                found[value] = max(chance, found.get(value, 0.0))
    return sorted(found, key=lambda value: -found[value])[:WIDTH]


def with_what_is_left(
    totals: Sequence[Candidate[Decimal]],
    candidates: Sequence[Candidate[Decimal]],
    leaves: Callable[[Decimal, Decimal], bool],
) -> Iterator[tuple[Candidate[Decimal], Candidate[Decimal]]]:
    """Each total with an amount printed after it, if the first leaves the second. What speaks for the one as what the
    document comes to speaks for the other."""
    for total in totals:
        for candidate in candidates:
            if total.place < candidate.place and leaves(total.value, candidate.value):
                yield total, Candidate(candidate.value, total.score, candidate.place)


def has_more_due(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], total: Candidate[Decimal], style: Style
) -> bool:
    """Whether a larger sum is called due below the total, and the charge that makes it is printed between them:
    deposits and charges without tax may count among what is invoiced, a balance of before does not."""
    page, first = pages[total.place.page], total.place.words[-1]
    for candidate in candidates:
        captions = pages[candidate.place.page].captions(candidate.place.words).before
        is_due = candidate.place.page == total.place.page and Caption.AMOUNT_DUE in captions
        if is_due and candidate.value > total.value > 0:
            rows = page.lines[page.row_of(first) + 1 : page.row_of(candidate.place.words[0])]
            between = ((word, parse_number(page.page.words[word].text, style)) for row in rows for word in row)
            charges = [word for word, value in between if value == candidate.value - total.value]
            if any(Caption.PREVIOUS not in page.captions((word,)).before for word in charges):
                return True
    return False


def is_withheld(pages: Sequence[PageEvidence], candidate: Candidate[Decimal]) -> bool:
    """Whether a caption says that an amount is a tax of the seller's that the buyer withholds."""
    return Caption.WITHHELD in pages[candidate.place.page].captions(candidate.place.words).before


def roundings(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]]) -> frozenset[Decimal]:
    """The amounts of less than one, with their signs, that a model or a caption marks as rounding."""
    return frozenset(
        candidate.value
        for candidate in candidates
        if 0 < abs(candidate.value) < 1 and _chance(pages, candidate, Label.ROUNDING, Caption.ROUNDING) > SEEN
    )


def _chance(pages: Sequence[PageEvidence], candidate: Candidate[Decimal], label: Label, caption: Caption) -> float:
    """The models' probability of the label; a caption right before the amount counts for a little more than `SEEN`.
    What is called a tax is none."""
    page = pages[candidate.place.page]
    captions = page.captions(candidate.place.words)
    if Caption.TAX in captions.before:
        return 0.0
    # The rate of a tax stands between its caption and its amount.
    is_beside = captions.skipped == 0 or caption is Caption.WITHHELD
    named = SEEN + 0.01 if caption in captions.before and is_beside else 0.0
    return max(named, page.mean(candidate.place.words, label))


def commissions(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]]) -> frozenset[Decimal]:
    """The amounts, without their sign, that a caption names as a commission."""
    return frozenset(
        abs(candidate.value) for candidate in candidates if _is_commission(pages[candidate.place.page], candidate)
    )


def parts_of_commission(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], left: Decimal
) -> tuple[Candidate[Decimal], Candidate[Decimal]] | None:
    """The gross total and the commission after which so much is left; None if nothing printed says so."""
    deducted = {
        abs(candidate.value): candidate
        for candidate in candidates
        if _is_commission(pages[candidate.place.page], candidate)
    }
    found = ((gross, deducted.get(gross.value - left)) for gross in candidates)
    return next(((gross, commission) for gross, commission in found if commission is not None), None)


def after_commission(
    totals: Sequence[Candidate[Decimal]], candidates: Sequence[Candidate[Decimal]], deducted: frozenset[Decimal]
) -> Iterator[tuple[Candidate[Decimal], Candidate[Decimal]]]:
    """Each total from which a commission is deducted, with what is left."""
    return with_what_is_left(totals, candidates, lambda total, rest: rest > 0 and total - rest in deducted)


def _is_commission(page: PageEvidence, candidate: Candidate[Decimal]) -> bool:
    captions = page.captions(candidate.place.words)
    return bool(candidate.value) and Caption.COMMISSION in captions.before
