"""The document's currency."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Candidate, Place
from serve_app.extraction.currencies import currency_of, is_strong_mark
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
# A code or sign that no model points at still says something, where it cannot be a common word.
UNLABELLED = 0.05


def currencies(pages: Sequence[PageEvidence]) -> list[Candidate[str]]:
    """Currencies named on the pages, best first; the score is the share of all evidence that speaks for one."""
    weight: dict[str, float] = defaultdict(float)
    best: dict[str, tuple[float, Place]] = {}
    page_text = " ".join(word.text for page in pages for word in page.page.words)
    for code, score, place in _marks(pages, page_text):
        weight[code] += score
        if code not in best or score > best[code][0]:
            best[code] = (score, place)
    total = sum(weight.values())
    ranked = sorted(weight, key=lambda code: -weight[code])
    # Evidence as weak as a few unlabelled signs must not look like certainty.
    return [Candidate(code, weight[code] / (total + 0.2), best[code][1]) for code in ranked]


def _marks(pages: Sequence[PageEvidence], page_text: str) -> Iterator[tuple[str, float, Place]]:
    for number, page in enumerate(pages):
        for index, word in enumerate(page.page.words):
            labelled = max(page.probability(index, label) for label in _MONEY)
            floor = UNLABELLED if is_strong_mark(word.text) else 0.0
            score = max(labelled if labelled > 0.2 else 0.0, floor)
            code = currency_of(word.text, page_text) if score else None
            if code is not None:
                yield code, score, Place(number, (index,))
