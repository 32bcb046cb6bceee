"""Taxes that a bracket says a total includes, as shops' software prints them: "Total £205.08 (includes £34.18 VAT)"."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from serve_app.extraction.candidates import Candidate, Place
from serve_app.extraction.captions import Caption
from serve_app.extraction.captions.lexicon import meanings, tokens
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.numbers import Style, parse_number
from serve_app.extraction.sums.phrases import included

# The page says so in words: as likely as what a model is sure of.
_SCORE = 0.9


def included_taxes(pages: Sequence[PageEvidence], style: Style) -> list[Candidate[Decimal]]:
    """The sum of the taxes in the brackets of each line."""
    return [tax for number, page in enumerate(pages) for tax in page.facts.once(_of_page, number, style)]


def _of_page(page: PageFacts, number: int, style: Style) -> list[Candidate[Decimal]]:
    found = (dict(_of_line(page, line, style)) for line in page.lines)
    return [
        Candidate(sum(taxes.values(), Decimal(0)), _SCORE, Place(number, tuple(sorted(taxes))))
        for taxes in found
        if taxes
    ]


def _of_line(page: PageFacts, line: Sequence[int], style: Style) -> Iterator[tuple[int, Decimal]]:
    """The words of taxes in brackets with their amounts: "(varav moms 25%: 122:-) (varav moms 6%: 3:-)"."""
    text = page.text(line)
    for bracket in included().finditer(text):
        first = text.count(" ", 0, bracket.start("inside"))
        words = line[first : first + bracket["inside"].count(" ") + 1]
        amounts = {word: amount for word in words if (amount := _amount(page, word, style))}
        if amounts and any(Caption.TAX in meanings((token,)) for token in tokens(bracket["inside"])):
            yield from amounts.items()


def _amount(page: PageFacts, word: int, style: Style) -> Decimal | None:
    return parse_number(page.page.words[word].text.strip("()"), style, thousandths=page.has_thousandths)
