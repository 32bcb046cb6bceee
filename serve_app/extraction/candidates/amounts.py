"""Amounts that may be the invoice's total, subtotal or tax."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import FLOOR, Candidate, Place, spans
from serve_app.extraction.candidates.features import Features, of_captions, of_models
from serve_app.extraction.captions import Caption
from serve_app.extraction.corrected import corrected_words
from serve_app.extraction.currency.currencies import currency_of
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.numbers import Number, parse_words, spaced_amounts
from serve_app.extraction.notation.numbers import CREDIT, DASHES, Style, ends_in_decimals, parse_number

KINDS = (
    Caption.TOTAL,
    Caption.AMOUNT_DUE,
    Caption.SUBTOTAL,
    Caption.TAX,
    Caption.PAID,
    Caption.CASH,
    Caption.PREVIOUS,
    Caption.QUANTITY_TOTAL,
    Caption.DISCOUNT,
    Caption.SHIPPING,
    Caption.ROUNDING,
)
# Captions that make a number worth looking at, beside those that say something about a sum.
_OTHERS = (Caption.COMMISSION, Caption.WITHHELD)
SUMS = (Label.TOTAL, Label.AMOUNT_DUE, Label.SUBTOTAL, Label.TAX, Label.TAX_LINE, Label.PAID)
_ROWS = (Label.LINE_TOTAL, Label.LINE_UNIT_PRICE, Label.LINE_QUANTITY)
_MARK = re.compile(r"[€$£₹₺¥]|[A-Za-z]{2,3}")


def amount_candidates(pages: Sequence[PageEvidence], style: Style) -> list[Candidate[Decimal]]:
    """Every number that a model or a caption takes for one of the sums, each place once."""
    corrected = corrected_words(pages)
    found = {
        amount.place: amount
        for amount in _amounts(pages, style)
        if pages[amount.place.page].is_printed(amount.place.words)
        and amount.place.words[0] not in corrected[amount.place.page]
    }
    values = Counter(abs(amount.value) for amount in found.values())
    largest = max(values, default=Decimal(0))
    return [replace(amount, features=_features(pages, amount, values, largest)) for amount in found.values()]


def _amounts(pages: Sequence[PageEvidence], style: Style) -> Iterator[Candidate[Decimal]]:
    for number, page in enumerate(pages):
        yield from (Candidate(value, 0.0, Place(number, words)) for words, value in _possible_sums(page, style))
    for label in SUMS:
        for place, _ in spans(pages, label):
            facts = pages[place.page].facts
            if len(place.words) > 1:
                whole = parse_words(facts, place.words, style, thousandths=facts.has_thousandths)
                yield from () if whole is None else (Candidate(whole, 0.0, place),)


def _possible_sums(page: PageEvidence, style: Style) -> Iterator[Number]:
    """The numbers of a page that a model or a caption takes for a sum, in several words or in one."""
    spaced = spaced_amounts(page.facts, style)
    yield from ((words, value) for words, value in spaced if any(_is_possible(page, word) for word in words))
    parts = {word for words, _ in spaced for word in words}
    for index in range(len(page.page.words)):
        if index not in parts and (value := _possible_sum(page, index, style)) is not None:
            yield (index,), value


def _possible_sum(page: PageEvidence, word: int, style: Style) -> Decimal | None:
    text = page.page.words[word].text
    if not any(map(str.isdigit, text)) or not _is_possible(page, word):
        return None
    value = parse_number(text, style, thousandths=page.facts.has_thousandths)
    return -value if value is not None and value > 0 and _has_sign_beside(page, word) else value


def _has_sign_beside(page: PageEvidence, word: int) -> bool:
    """Whether a word of its own makes an amount negative: "GBP - 12.50", "12.50 CR"."""
    texts = [page.page.words[other].text for other in page.line_of(word)]
    at = page.line_of(word).index(word)
    before, after = texts[max(at - 2, 0) : at], texts[at + 1 : at + 2]
    is_minus = len(before) == 2 and before[1] in DASHES and currency_of(before[0], {}) is not None
    return is_minus or after == [CREDIT]


def _is_possible(page: PageEvidence, word: int) -> bool:
    if max(page.probability(word, label) for label in SUMS) >= FLOOR:
        return True
    captions = page.captions((word,))
    return not frozenset((*KINDS, *_OTHERS)).isdisjoint(captions.before + captions.above)


def _features(
    pages: Sequence[PageEvidence], amount: Candidate[Decimal], values: Counter[Decimal], largest: Decimal
) -> Features:
    page = pages[amount.place.page]
    text = page.text(amount.place.words)
    return {
        **of_models(page, amount.place.words, (*SUMS, *_ROWS)),
        **of_captions(page.captions(amount.place.words), KINDS),
        "decimals": float(ends_in_decimals(text)),
        "currency mark": float(_MARK.search(text) is not None),
        "zero": float(not amount.value),
        "negative": float(amount.value < 0),
        "largest": float(abs(amount.value) == largest),
        "repeated": min(values[abs(amount.value)], 4) / 4,
        "last page": float(amount.place.page == len(pages) - 1),
        "right": page.box(amount.place.words).x1,
    }
