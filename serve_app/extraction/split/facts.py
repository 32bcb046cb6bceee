"""What a page says about the document that it belongs to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.parties.names import invoice_numbers, normal_name, normal_number, vendor_names
from serve_app.extraction.split.page_numbers import PageNumber, printed_page_number
from serve_app.extraction.split.titles import carries_over, names_invoice, names_other_document

# Letterhead and footer, as shares of the page's height.
HEAD, FOOT = 0.16, 0.88
TITLE_ZONE = 0.5
_SHORT_LINE = 6
# A line of so many words that ends like a sentence is one: "Questions about this invoice?".
_SENTENCE = 4
_EDGES = ".,;:()"


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What one page says about itself. Scores are the models' probabilities, 0 to 1. `head` and `foot` are the words at
    its edges, `codes` all words with digits, `text` all words of more than one letter, each once and without case;
    `sums` are the digits of the sums to be paid."""

    page_number: PageNumber | None
    number: Candidate[str] | None
    vendor: Candidate[str] | None
    date: str | None
    strength: dict[Label, float]
    rows: int
    head: frozenset[str]
    foot: frozenset[str]
    codes: frozenset[str]
    sums: frozenset[str]
    text: frozenset[str]
    words: int
    height: float
    size: tuple[float, float]
    is_titled: bool
    is_titled_otherwise: bool
    is_carried: bool
    runs_on: bool

    @property
    def number_text(self) -> str | None:
        return normal_number(self.number.value) if self.number else None

    @property
    def vendor_text(self) -> str | None:
        return normal_name(self.vendor.value) if self.vendor else None


def page_facts(page: PageEvidence) -> PageFacts:
    """The facts of one page by itself."""
    words = page.page.words
    titles = [page.text(line) for line in page.lines if _may_title(page, line)]
    strength = page.inside.max(axis=0) if len(words) else np.zeros(len(LABELS), dtype=np.float32)
    by_label = dict(zip(LABELS, (float(value) for value in strength), strict=True))
    return PageFacts(
        page_number=printed_page_number(page),
        number=_first(invoice_numbers([page])),
        vendor=_first(vendor_names([page])),
        date=_text_of(page, Label.ISSUE_DATE),
        strength=by_label,
        rows=_count(page, Label.LINE_TOTAL) or _count(page, Label.LINE_UNIT_PRICE),
        head=_texts(word.text for word in words if word.box.y1 < HEAD),
        foot=_texts(word.text for word in words if word.box.y0 > FOOT),
        codes=frozenset(normal_number(word.text) for word in words if is_code(word.text)),
        sums=frozenset(_digits(words[index].text) for index in _sums(page) if is_code(words[index].text)),
        text=_texts(word.text.strip(_EDGES) for word in words),
        words=len(words),
        height=float(np.median([word.box.height * page.page.height for word in words])) if words else 0.0,
        size=(page.page.width, page.page.height),
        is_titled=any(map(names_invoice, titles)),
        is_titled_otherwise=any(map(names_other_document, titles)),
        is_carried=any(carries_over(page.text(line)) for line in page.lines),
        runs_on=page.page.runs_on,
    )


def _first(candidates: Sequence[Candidate[str]]) -> Candidate[str] | None:
    return candidates[0] if candidates else None


def _may_title(page: PageEvidence, line: tuple[int, ...]) -> bool:
    """A title is a short line in the upper part of the page, and no sentence."""
    is_sentence = len(line) >= _SENTENCE and page.text(line).endswith((".", "?", "!"))
    return len(line) <= _SHORT_LINE and page.box(line).y1 < TITLE_ZONE and not is_sentence


def _sums(page: PageEvidence) -> list[int]:
    likely: list[int] = np.flatnonzero(np.array(page.strongest((Label.TOTAL, Label.AMOUNT_DUE))) > 0.5).tolist()
    return likely


def _text_of(page: PageEvidence, label: Label) -> str | None:
    """The digits of the words that most likely carry the label."""
    carriers = [word for word in range(len(page.page.words)) if page.probability(word, label) > 0.5]
    return _digits(page.text(carriers[:3])) or None


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _count(page: PageEvidence, label: Label) -> int:
    return sum(page.probability(word, label) > 0.5 for word in range(len(page.page.words)))


def _texts(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(text.casefold() for text in texts if len(text) > 1)


def is_code(text: str) -> bool:
    """Whether a word has the digits of a number, a date or an amount."""
    return sum(character.isdigit() for character in text) >= 3
