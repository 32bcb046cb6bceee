"""The document's currency."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.currency.called import called_currency, texts_of
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
    strong_marks,
)
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts, Words

_MONEY = (
    Label.CURRENCY,
    Label.TOTAL,
    Label.AMOUNT_DUE,
    Label.SUBTOTAL,
    Label.TAX,
    Label.LINE_TOTAL,
    Label.LINE_UNIT_PRICE,
)
# The probability from which on a model counts as taking a word for money.
SEEN = 0.2
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


def currencies(
    pages: Sequence[PageEvidence], total: Place | None = None, at_rate: Candidate[str] | None = None
) -> list[Candidate[str]]:
    """Currencies named on the pages, best first; the score is the currency's share of all evidence. If none is named,
    it is the currency of the pages' country. The one beside the invoice's `total` outweighs all other marks; if none is
    there, the one that the total has by a printed rate.
    """
    lines = [page.text(line) for page in pages for line in page.lines]
    home = home_currencies(lines)
    called, stated = _called(pages, total, home), list(_stated(pages, home))
    if at_rate and not called:
        called = [(at_rate.value, SENTENCE, at_rate.place)]
    named = {code for code, *_ in (*called, *stated)}
    # What the page itself says decides what a sign of several countries means, before its country does.
    meant = home + Counter(dict.fromkeys(named, max(home.values(), default=0) + 1))
    weight: dict[str, float] = defaultdict(float)
    best: dict[str, tuple[float, Place]] = {}
    for code, score, place in (*_marks(pages, meant, named), *stated, *called):
        weight[code] += score
        if code not in best or score > best[code][0]:
            best[code] = (score, place)
    of_country = list(_of_country(pages, home))
    if not weight:
        return [Candidate(found.value, _certainty(found.value, lines), found.place) for found in of_country]
    for found in of_country:
        weight[found.value] += COUNTRY
        best.setdefault(found.value, (FROM_COUNTRY, found.place))
    if called and not stated:
        # Other sums may repeat the total in the money of another country, as often as they like.
        weight[called[0][0]] = sum(weight.values())
    everything = sum(weight.values())
    ranked = sorted(weight, key=lambda code: -weight[code])
    # Evidence as weak as a few unlabelled signs must not look like certainty.
    return [Candidate(code, weight[code] / (everything + 0.2), best[code][1]) for code in ranked]


def in_other_money(pages: Sequence[PageEvidence], totals: Sequence[Place]) -> frozenset[Place]:
    """Those of some amounts that are called in another currency than the one that the rest of the pages suggests."""
    home = home_currencies(page.text(line) for page in pages for line in page.lines)
    called = {total: code for total in totals for code, *_ in _called(pages, total, home)}
    usual = next((each.value for each in currencies(pages)), None) if len(set(called.values())) > 1 else None
    return frozenset(total for total, code in called.items() if usual not in (None, code))


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


_Mark = tuple[str, float, Place]


def _marks(pages: Sequence[PageEvidence], home: Mapping[str, int], named: Collection[str]) -> Iterator[_Mark]:
    for number, page in enumerate(pages):
        texts = texts_of(page, home)
        for index, (text, labelled) in enumerate(zip(texts, page.strongest(_MONEY), strict=True)):
            floor = UNLABELLED if is_strong_mark(text) else 0.0
            score = max(labelled if labelled > SEEN else 0.0, floor)
            code = currency_of(text, home) if score else None
            if code is not None and not is_only_a_word(texts, index):
                usual = currency_of(text, {}) or code
                share = 1.0 if usual == code or code in named else BY_COUNTRY
                yield code, share * score, Place(number, (index,))
                yield usual, (1 - share) * score, Place(number, (index,))


def _stated(pages: Sequence[PageEvidence], home: Mapping[str, int]) -> Iterator[_Mark]:
    """The currencies that sentences and headings name."""
    signs = tuple(sorted(home.items()))
    for number, page in enumerate(pages):
        for code, words in page.facts.once(_named_on, signs):
            yield code, SENTENCE, Place(number, words)


def _named_on(page: PageFacts, signs: tuple[tuple[str, int], ...]) -> list[tuple[str, Words]]:
    """The currencies that a page names, each with the words that do; `signs`: how many its countries have."""
    home = dict(signs)
    named = ((line, currency_named_in(page.text(line), home)) for line in page.lines)
    return [(code, _naming(page, line, code, home)) for line, code in named if code is not None]


def _called(pages: Sequence[PageEvidence], total: Place | None, home: Mapping[str, int]) -> list[_Mark]:
    """The currency that the total is called in, by a code or sign that means nothing else, or that a model sees."""
    if total is None:
        return []
    page = pages[total.page]
    texts = texts_of(page, home)
    found = called_currency(page, total.words, texts)
    if found is None or not (is_strong_mark(texts[found[1]]) or page.strongest(_MONEY)[found[1]] > SEEN):
        return []
    return [(found[0], SENTENCE, Place(total.page, (found[1],)))]


def _naming(page: PageFacts, line: Words, code: str, home: Mapping[str, int]) -> Words:
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
