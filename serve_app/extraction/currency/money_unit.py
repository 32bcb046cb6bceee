"""The document's currency."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from serve_app.domain.document import TextSource
from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Candidate, Place
from serve_app.extraction.currency.countries import (
    home_currencies,
    is_home_sign,
    is_likely_home,
    named_homes,
    plain_currency,
)
from serve_app.extraction.currency.currencies import (
    currency_named_in,
    currency_of,
    is_only_a_word,
    is_strong_mark,
    may_mean,
    names_currency,
    strong_marks,
)
from serve_app.extraction.evidence import PageEvidence

_MONEY = (
    Label.CURRENCY,
    Label.TOTAL,
    Label.AMOUNT_DUE,
    Label.SUBTOTAL,
    Label.TAX,
    Label.LINE_TOTAL,
    Label.LINE_UNIT_PRICE,
)
_OTHER_SIGNS = re.compile("[€£$]")
# A code or sign that no model marks is still evidence, unless it may be a common word.
UNLABELLED = 0.05


# The certainty of a currency that only the page's country suggests. Low on purpose: no model said anything.
FROM_COUNTRY = 0.2
# The same where only hints of other countries contradict it.
FROM_LIKELY_COUNTRY = 0.6
# The same where the country is plain.
FROM_PLAIN_COUNTRY = 0.9
# How much the country counts beside marks: more than a mark that no model sees, less than one that a model does.
COUNTRY = 0.15
# Where the country alone says that "$" is not the dollar of the United States, it may be that all the same.
BY_COUNTRY = 0.75
# A sentence that names the currency is worth as much as three marks that the models see.
SENTENCE = 3.0


def currencies(pages: Sequence[PageEvidence], total: Place | None = None) -> list[Candidate[str]]:
    """Currencies named on the pages, best first; the score is the currency's share of all evidence. If none is named,
    that of the country that the pages come from. What stands beside `total`, the invoice's own, counts most: other
    sums may repeat it in the money of a country.
    """
    lines = [page.text(line) for page in pages for line in page.lines]
    home = home_currencies(lines)
    weight: dict[str, float] = defaultdict(float)
    best: dict[str, tuple[float, Place]] = {}
    for code, score, place in (*_marks(pages, home), *_beside(pages, total, home)):
        weight[code] += score
        if code not in best or score > best[code][0]:
            best[code] = (score, place)
    if not weight:
        return [
            Candidate(found.value, _certainty(found.value, lines), found.place) for found in _of_country(pages, home)
        ]
    for found in _of_country(pages, home):
        weight[found.value] += COUNTRY
        best.setdefault(found.value, (FROM_COUNTRY, found.place))
    everything = sum(weight.values())
    ranked = sorted(weight, key=lambda code: -weight[code])
    # Evidence as weak as a few unlabelled signs must not look like certainty.
    return [Candidate(code, weight[code] / (everything + 0.2), best[code][1]) for code in ranked]


def _certainty(code: str, lines: Sequence[str]) -> float:
    """How certain a currency is that only the country suggests."""
    if plain_currency(lines):
        return FROM_PLAIN_COUNTRY
    return FROM_LIKELY_COUNTRY if is_likely_home(code, lines) else FROM_COUNTRY


def is_proved_by_country(pages: Sequence[PageEvidence], code: str) -> bool:
    """Whether the pages plainly come from the currency's country, and nothing on them names another one."""
    lines = [page.text(line) for page in pages for line in page.lines]
    marks = (mark for line in lines for mark in strong_marks(line.split()))
    return (
        plain_currency(lines) == code
        and all(may_mean(mark, code) for mark in marks)
        and all(currency_named_in(line) in (None, code) for line in lines)
    )


def _marks(pages: Sequence[PageEvidence], home: Mapping[str, int]) -> Iterator[tuple[str, float, Place]]:
    for number, page in enumerate(pages):
        texts = _texts(page, home)
        for index, (text, labelled) in enumerate(zip(texts, page.strongest(_MONEY), strict=True)):
            floor = UNLABELLED if is_strong_mark(text) else 0.0
            score = max(labelled if labelled > 0.2 else 0.0, floor)
            code = currency_of(text, home) if score else None
            if code is not None and not is_only_a_word(texts, index):
                usual = currency_of(text, {}) or code
                share = 1.0 if usual == code else BY_COUNTRY
                yield code, share * score, Place(number, (index,))
                yield usual, (1 - share) * score, Place(number, (index,))
        for line in page.lines:
            if (code := currency_named_in(page.text(line), home)) is not None:
                yield code, SENTENCE, Place(number, _naming(page, line, code, home))


def _texts(page: PageEvidence, home: Mapping[str, int]) -> list[str]:
    """The words of a page. OCR takes some of a Turkish page's signs of the lira for others."""
    texts = [word.text for word in page.page.words]
    is_lira = page.page.source is TextSource.OCR and home.get("TRY", 0) > 0 and any("₺" in text for text in texts)
    return [_OTHER_SIGNS.sub("₺", text) for text in texts] if is_lira else texts


def _beside(
    pages: Sequence[PageEvidence], total: Place | None, home: Mapping[str, int]
) -> Iterator[tuple[str, float, Place]]:
    """The code or sign of its own in, before or behind the total."""
    if total is None:
        return
    page, line = pages[total.page], pages[total.page].line_of(total.words[0])
    every = _texts(page, home)
    texts = [every[word] for word in line]
    first = line.index(total.words[0])
    for at in range(max(first - 1, 0), min(first + len(total.words) + 1, len(line))):
        code = currency_of(texts[at], home)
        is_own = code is not None and is_strong_mark(texts[at]) and names_currency(texts[at], code)
        if code is not None and is_own and not is_only_a_word(texts, at):
            yield code, SENTENCE, Place(total.page, (line[at],))


def _naming(page: PageEvidence, line: tuple[int, ...], code: str, home: Mapping[str, int]) -> tuple[int, ...]:
    """The words of a line that name the currency, without those around them."""
    while len(line) > 1 and currency_named_in(page.text(line[1:]), home) == code:
        line = line[1:]
    while len(line) > 1 and currency_named_in(page.text(line[:-1]), home) == code:
        line = line[:-1]
    return line


def _of_country(pages: Sequence[PageEvidence], home: Counter[str]) -> Iterator[Candidate[str]]:
    """The currency with the most signs, of which more than hints count first; unless another has as many. Its place is
    the first line with such a sign."""
    named = named_homes(page.text(line) for page in pages for line in page.lines)
    ranked = sorted(((count, code in named), code) for code, count in home.items())
    (rank, first), (second, _) = [*ranked[::-1][:2], ((0, False), ""), ((0, False), "")][:2]
    if rank > second:
        for number, page in enumerate(pages):
            for line in page.lines:
                if is_home_sign(first, page.text(line)):
                    yield Candidate(first, FROM_COUNTRY, Place(number, line))
                    return
