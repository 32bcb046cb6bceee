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
from serve_app.extraction.reconcile.tax_rates import tax_rates

Amount = Candidate[Decimal]

# The most rates of an invoice (state and federal halves of several), and likely taxes of a page.
RATES = 4
_WIDTH = 6
# An amount of at least this rank may be the tax of one rate.
LIKELY = 0.02
# The probability from which on a model counts as taking an amount for a tax.
SEEN = 0.25
# A sum whose parts the model takes for taxes of rates is as likely as they are; others need proof by arithmetic.
UNPROVED = 0.1
_CENT = Decimal("0.01")
# What a bracket says is included is as likely as what a model is sure of.
_INCLUDED = 0.9
_TAXES = (Label.TAX_LINE, Label.TAX)


def called_taxes(pages: Sequence[PageEvidence], candidates: Sequence[Amount]) -> list[Amount]:
    """The amounts that a caption or a model takes for a tax, and no caption on their line for what is taxed: "KDV
    Matrahı (%20,00)"."""
    return [
        each for each in candidates
        if is_named(pages, each) or (_chance(pages, each, _TAXES) > SEEN and not _is_named_net(pages, each))
    ]  # fmt: skip


def is_named(pages: Sequence[PageEvidence], candidate: Amount) -> bool:
    """Whether a caption calls an amount a tax."""
    captions = pages[candidate.place.page].captions(candidate.place.words)
    return any(Caption.TAX in found for found in (captions.before, captions.above, captions.column))


def _is_named_net(pages: Sequence[PageEvidence], candidate: Amount) -> bool:
    return Caption.SUBTOTAL in pages[candidate.place.page].captions(candidate.place.words).before


def _chance(pages: Sequence[PageEvidence], candidate: Amount, labels: Sequence[Label]) -> float:
    return max(pages[candidate.place.page].mean(candidate.place.words, label) for label in labels)


def summed_taxes(pages: Sequence[PageEvidence], taxes: Sequence[Amount], ranked: Sequence[Amount]) -> Iterator[Amount]:
    """The sum of all that a model takes for the tax of a rate, and the sums of some amounts that are called taxes, by
    their rank among `ranked`, the likeliest taxes."""
    lines = [tax for tax in taxes if tax.value and _chance(pages, tax, (Label.TAX_LINE,)) > SEEN]
    if lines:
        score = sum(_chance(pages, line, (Label.TAX_LINE,)) for line in lines) / len(lines)
        yield _sum(_parts(lines), 0.9 * score)
    likely = {candidate.value: candidate.score for candidate in ranked if candidate.value and candidate.score > LIKELY}
    others = sorted((tax for tax in taxes if tax.value in likely), key=lambda tax: -likely[tax.value])[:_WIDTH]
    for count in range(2, RATES + 1):
        for parts in combinations(others, count):
            if len({part.value > 0 for part in parts}) == 1:
                yield _sum(parts, UNPROVED)


def _parts(lines: Sequence[Amount]) -> Sequence[Amount]:
    """The taxes of rates without one that has the sum of all others, if there are several."""
    whole = sum((line.value for line in lines), Decimal(0))
    return [line for line in lines if 2 * line.value != whole] if len(lines) > 2 else lines


def _sum(parts: Sequence[Amount], score: float) -> Amount:
    return Candidate(sum((part.value for part in parts), Decimal(0)), score, parts[0].place)


def is_part(pages: Sequence[PageEvidence], taxes: Sequence[Amount], tax: Decimal, left: Collection[Decimal]) -> bool:
    """Whether a tax is hardly all of it, by the amounts that are called taxes: it is what the pages state for one rate,
    where they state another tax for another one; or a larger one is all that a printed net leaves of the total, which
    is in `left`: an excise and the VAT on it are the taxes of a bill."""
    larger = [each for each in taxes if each.value > tax > 0 and each.value in left]
    return _is_of_one_rate(pages, taxes, tax) or any(
        Caption.TAX in pages[each.place.page].captions(each.place.words).before for each in larger
    )


def _is_of_one_rate(pages: Sequence[PageEvidence], taxes: Sequence[Amount], tax: Decimal) -> bool:
    """What is withheld of a tax is a share of it, and a sum of taxes may stand beside one of them."""
    same_sign = (each for each in taxes if each.value * tax > 0)
    stated = {(rate, each.value) for each in same_sign if (rate := _rate_beside(pages, each)) is not None}
    own = {rate for rate, value in stated if value == tax}
    others = {(rate, value) for rate, value in stated if value != tax and abs(rate * tax / 100 - value) > _CENT}
    is_other = bool(own) and any(rate not in own for rate, _ in others)
    few = sorted({value for _, value in others}, key=abs)[:_WIDTH]
    sums = (sum(each) for count in range(2, RATES + 1) for each in combinations(few, count))
    return is_other and tax not in sums


def _rate_beside(pages: Sequence[PageEvidence], candidate: Amount) -> Decimal | None:
    """The only rate on the line of an amount, if it is one of a tax and not of what is taxed."""
    page = pages[candidate.place.page]
    if not ends_in_decimals(page.text(candidate.place.words)):
        return None
    rates = {rate for rate in tax_rates(page.text(page.line_of(candidate.place.words[0]))) if rate}
    return rates.pop() if len(rates) == 1 and not _is_named_net(pages, candidate) else None


def included_taxes(pages: Sequence[PageEvidence], style: Style) -> list[Amount]:
    """The sum of the taxes in the brackets of each line."""
    return [tax for number, page in enumerate(pages) for tax in page.facts.once(_included_on, number, style)]


def _included_on(page: PageFacts, number: int, style: Style) -> list[Amount]:
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
        amounts = {word: amount for word in _no_rates(page, words) if (amount := _amount_of(page, word, style))}
        if amounts and any(Caption.TAX in meanings((token,)) for token in tokens(bracket["inside"])):
            yield from amounts.items()


def _no_rates(page: PageFacts, words: Sequence[int]) -> list[int]:
    """The words but those before a percent sign of its own."""
    after = [*(page.page.words[word].text for word in words[1:]), ""]
    return [word for word, text in zip(words, after, strict=True) if not text.startswith("%")]


def _amount_of(page: PageFacts, word: int, style: Style) -> Decimal | None:
    return parse_number(page.page.words[word].text.strip("()"), style, thousandths=page.has_thousandths)
