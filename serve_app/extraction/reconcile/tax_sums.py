"""What the taxes of an invoice are: the sum of those of each rate, as a candidate, or nothing at all."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.captions import Caption
from serve_app.extraction.captions.lexicon import meanings, tokens
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.notation.numbers import Style, ends_in_decimals, parse_number
from serve_app.extraction.reconcile.phrases import INCLUDED
from serve_app.extraction.reconcile.proofs import makes_tax, printed_rates
from serve_app.extraction.reconcile.tax_rates import tax_rates

# The most rates of an invoice (state and federal halves of several), and likely taxes of a page.
RATES = 4
_WIDTH = 6
# An amount of at least this rank may be the tax of one rate.
LIKELY = 0.02
# The probability from which on a model counts as taking an amount for a tax.
SEEN = 0.25
# A sum whose parts the model takes for taxes of rates is as likely as they are; others need proof by arithmetic.
UNPROVED = 0.1
# No country taxes sales at more than this share of the total.
HIGHEST_TAX = Decimal("0.3")
_CENT = Decimal("0.01")
# What a bracket says is included is as likely as what a model is sure of.
_INCLUDED = 0.9
_TAXES = (Label.TAX_LINE, Label.TAX)


def summed_taxes(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], ranked: Sequence[Candidate[Decimal]]
) -> list[Candidate[Decimal]]:
    """The sum of all that a model takes for the tax of a rate, and the sums of other amounts that may be taxes by
    their captions and by their rank among `ranked`, the likeliest taxes."""
    taxes = [candidate for candidate in candidates if candidate.value and _is_tax(pages, candidate)]
    likely = {candidate.value: candidate.score for candidate in ranked if candidate.score > LIKELY}
    others = sorted((tax for tax in taxes if tax.value in likely), key=lambda tax: -likely[tax.value])
    return [*_of_rates(pages, taxes), *_of_any(others[:_WIDTH])]


def is_untaxed(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], total: Decimal) -> bool:
    """Whether a zero is captioned as a tax, and no other amount may be one of this total: none has such a caption, is
    taken for a tax by a model, or follows from a printed rate."""
    rates = printed_rates(pages)
    others = (candidate for candidate in candidates if 0 < abs(candidate.value) <= HIGHEST_TAX * abs(total))
    return any(candidate.value == 0 and _is_named(pages, candidate) for candidate in candidates) and not any(
        _is_tax(pages, other) or makes_tax(rates, abs(total), abs(other.value)) for other in others
    )


def unnamed_taxes(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]]) -> frozenset[Decimal]:
    """The amounts that nothing says is a tax: no caption, and no model."""
    named = {candidate.value for candidate in candidates if _is_tax(pages, candidate)}
    return frozenset(candidate.value for candidate in candidates if candidate.value and candidate.value not in named)


def is_of_one_rate(pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], tax: Decimal) -> bool:
    """Whether a tax is what the pages state for one rate, where they state another one for another rate. What is
    withheld of a tax is a share of it, and a sum of taxes may stand beside one of them."""
    stated = _with_rates(pages, [candidate for candidate in candidates if candidate.value * tax > 0])
    own = {rate for rate, value in stated if value == tax}
    others = {(rate, value) for rate, value in stated if value != tax and abs(rate * tax / 100 - value) > _CENT}
    is_other = bool(own) and any(rate not in own for rate, _ in others)
    return is_other and not _is_sum_of({value for _, value in others}, tax)


def _with_rates(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]]
) -> set[tuple[Decimal, Decimal]]:
    """The taxes that are stated for a rate, each with it."""
    taxes = (candidate for candidate in candidates if _is_tax(pages, candidate))
    return {(rate, tax.value) for tax in taxes if (rate := _rate_beside(pages, tax)) is not None}


def _is_sum_of(parts: Collection[Decimal], tax: Decimal) -> bool:
    few = sorted(parts, key=abs)[:_WIDTH]
    return any(sum(each) == tax for count in range(2, RATES + 1) for each in combinations(few, count))


def is_within_sum(
    pages: Sequence[PageEvidence], candidates: Sequence[Candidate[Decimal]], tax: Decimal, left: Collection[Decimal]
) -> bool:
    """Whether a larger amount is called a tax, too, and is all that a printed net leaves of the total: an excise and
    the VAT on it are the taxes of a bill. `left` is what each net leaves."""
    larger = (candidate for candidate in candidates if candidate.value > tax > 0 and candidate.value in left)
    return any(
        Caption.TAX in pages[candidate.place.page].captions(candidate.place.words).before for candidate in larger
    )


def _rate_beside(pages: Sequence[PageEvidence], candidate: Candidate[Decimal]) -> Decimal | None:
    """The only rate on the line of an amount, if it is one of a tax and not of what is taxed."""
    page = pages[candidate.place.page]
    if not ends_in_decimals(page.text(candidate.place.words)):
        return None
    rates = {rate for rate in tax_rates(page.text(page.line_of(candidate.place.words[0]))) if rate}
    return rates.pop() if len(rates) == 1 and not _is_named_net(pages, candidate) else None


def _is_tax(pages: Sequence[PageEvidence], candidate: Candidate[Decimal]) -> bool:
    return _is_named(pages, candidate) or (
        _chance(pages, candidate, _TAXES) > SEEN and not _is_named_net(pages, candidate)
    )


def _is_named_net(pages: Sequence[PageEvidence], candidate: Candidate[Decimal]) -> bool:
    """Whether a caption on its line says that an amount is what is taxed: "KDV Matrahı (%20,00)"."""
    return Caption.SUBTOTAL in pages[candidate.place.page].captions(candidate.place.words).before


def _is_named(pages: Sequence[PageEvidence], candidate: Candidate[Decimal]) -> bool:
    captions = pages[candidate.place.page].captions(candidate.place.words)
    return any(Caption.TAX in found for found in (captions.before, captions.above, captions.column))


def _chance(pages: Sequence[PageEvidence], candidate: Candidate[Decimal], labels: Sequence[Label]) -> float:
    return max(pages[candidate.place.page].mean(candidate.place.words, label) for label in labels)


def _of_rates(pages: Sequence[PageEvidence], taxes: Sequence[Candidate[Decimal]]) -> Iterator[Candidate[Decimal]]:
    lines = [tax for tax in taxes if _chance(pages, tax, (Label.TAX_LINE,)) > SEEN]
    if lines:
        score = sum(_chance(pages, line, (Label.TAX_LINE,)) for line in lines) / len(lines)
        yield Candidate(sum((line.value for line in lines), Decimal(0)), 0.9 * score, lines[0].place)


def _of_any(taxes: Sequence[Candidate[Decimal]]) -> Iterator[Candidate[Decimal]]:
    for count in range(2, RATES + 1):
        for parts in combinations(taxes, count):
            if len({part.value > 0 for part in parts}) == 1:
                yield Candidate(sum((part.value for part in parts), Decimal(0)), UNPROVED, parts[0].place)


def included_taxes(pages: Sequence[PageEvidence], style: Style) -> list[Candidate[Decimal]]:
    """The sum of the taxes in the brackets of each line."""
    return [tax for number, page in enumerate(pages) for tax in page.facts.once(_included_on, number, style)]


def _included_on(page: PageFacts, number: int, style: Style) -> list[Candidate[Decimal]]:
    found = (dict(_included_in(page, line, style)) for line in page.lines)
    return [
        Candidate(sum(taxes.values(), Decimal(0)), _INCLUDED, Place(number, tuple(sorted(taxes))))
        for taxes in found
        if taxes
    ]


def _included_in(page: PageFacts, line: Sequence[int], style: Style) -> Iterator[tuple[int, Decimal]]:
    """The words of taxes in brackets with their amounts: "(varav moms 25%: 122:-) (varav moms 6%: 3:-)"."""
    text = page.text(line)
    for bracket in INCLUDED.finditer(text):
        first = text.count(" ", 0, bracket.start("inside"))
        words = line[first : first + bracket["inside"].count(" ") + 1]
        amounts = {word: amount for word in words if (amount := _amount_of(page, word, style))}
        if amounts and any(Caption.TAX in meanings((token,)) for token in tokens(bracket["inside"])):
            yield from amounts.items()


def _amount_of(page: PageFacts, word: int, style: Style) -> Decimal | None:
    return parse_number(page.page.words[word].text.strip("()"), style, thousandths=page.has_thousandths)
