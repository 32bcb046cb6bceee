"""What is added or deducted on the way to what is invoiced, and the sums that are printed before it: an agent's gross
total, a sum before rounding, cash of which change is given, and sums in another currency."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, parse_number

Amount = Candidate[Decimal]

# No more adjustments of a page are considered: sums of many would explain any difference.
_WIDTH = 3
# The probability from which on a model counts as taking an amount for an adjustment.
SEEN = 0.4
# A receipt states its change once or twice, and payments in few parts.
_MOST = 20
_ADDED = ((Label.SHIPPING, Caption.SHIPPING), (Label.ROUNDING, Caption.ROUNDING))
_TAKEN = ((Label.DISCOUNT, Caption.DISCOUNT), (Label.DISCOUNT, Caption.WITHHELD))


@dataclass(frozen=True, slots=True)
class Step:
    """A printed sum from which another one is made by an amount: the first is not what is invoiced, and what speaks for
    it as the total speaks for the other."""

    before: Amount
    by: Amount
    after: Amount


def adjustments(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> list[Decimal]:
    """The signed amounts that a model or a caption marks as adjustments, models first."""
    found: dict[Decimal, float] = {}
    for candidate in candidates:
        for signs, kinds in ((1, _ADDED), (-1, _TAKEN)):
            chance = max(_chance(pages, candidate, label, caption) for label, caption in kinds)
            value = candidate.value if signs > 0 else -abs(candidate.value)
            if value and chance > SEEN:
                found[value] = max(chance, found.get(value, 0.0))
    return sorted(found, key=lambda value: -found[value])[:_WIDTH]


def _chance(pages: Sequence[PageEvidence], candidate: Amount, label: Label, caption: Caption) -> float:
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


def called(
    pages: Sequence[PageEvidence], candidates: Sequence[Amount], caption: Caption, *, beside: bool = False
) -> list[Amount]:
    """The amounts, zero excepted, before which a caption stands, right before which if `beside`."""
    found = ((each, pages[each.place.page].captions(each.place.words)) for each in candidates if each.value)
    return [each for each, captions in found if caption in captions.before and not (beside and captions.skipped)]


def steps_by(candidates: Sequence[Amount], changes: Iterable[tuple[Decimal, Amount]]) -> list[Step]:
    """The sums of which some changes, given with the amounts that print them, make one that is printed after them."""
    in_order = sorted(candidates, key=lambda candidate: candidate.place)
    first = {candidate.value: candidate for candidate in reversed(in_order)}
    last = {candidate.value: candidate for candidate in in_order}
    return [
        Step(before, by, after)
        for change, by in islice(dict(changes).items(), _MOST)
        for before in first.values()
        if (after := last.get(before.value + change)) is not None and before.place < after.place
    ]


def commission_steps(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> list[Step]:
    """What an agent's commission leaves of each sum."""
    deducted = ((-abs(each.value), each) for each in called(pages, candidates, Caption.COMMISSION))
    return [step for step in steps_by(candidates, deducted) if step.after.value > 0]


def rounding_steps(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> list[Step]:
    """What each sum is rounded to, by an amount of less than one that a model or a caption marks as that."""
    small = (each for each in candidates if 0 < abs(each.value) < 1)
    marked = (each for each in small if _chance(pages, each, Label.ROUNDING, Caption.ROUNDING) > SEEN)
    return steps_by(candidates, ((each.value, each) for each in marked))


def paid_sums(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> frozenset[Decimal]:
    """What is left of amounts that are called cash less one that is called change, and what was paid together with
    what is still due."""
    cash, due, paid = (
        {abs(each.value) for each in called(pages, candidates, caption, beside=True)}
        for caption in (Caption.CASH, Caption.AMOUNT_DUE, Caption.PAID)
    )
    spent = {given - change for change in _changes(pages, candidates) for given in cash if given > change}
    return frozenset(spent | {one + other for one in sorted(due)[:_MOST] for other in sorted(paid)[:_MOST]})


def tendered_sums(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> frozenset[Decimal]:
    """The cash of which change was given back, whatever it is called, where what is left is printed, too: it is not
    what is invoiced."""
    printed = {candidate.value for candidate in candidates}
    fitting = ([each for each in printed if each - change in printed] for change in _changes(pages, candidates))
    return frozenset(max(given) for given in fitting if given)


def _changes(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> Iterator[Decimal]:
    """The amounts that are called change."""
    named = (each for each in called(pages, candidates, Caption.CHANGE, beside=True) if each.value > 0)
    return islice(dict.fromkeys(each.value for each in named), _MOST)


def has_more_due(pages: Sequence[PageEvidence], candidates: Sequence[Amount], total: Amount, style: Style) -> bool:
    """Whether a larger sum is called due below the total, and the charge that makes it is printed between them:
    deposits and charges without tax may count among what is invoiced, a balance of before does not."""
    page, first = pages[total.place.page], total.place.words[-1]
    for candidate in called(pages, candidates, Caption.AMOUNT_DUE):
        if candidate.place.page == total.place.page and candidate.value > total.value > 0:
            rows = page.lines[page.row_of(first) + 1 : page.row_of(candidate.place.words[0])]
            between = ((word, parse_number(page.page.words[word].text, style)) for row in rows for word in row)
            charges = [word for word, value in between if value == candidate.value - total.value]
            if any(Caption.PREVIOUS not in page.captions((word,)).before for word in charges):
                return True
    return False
