"""The terms of payment, as printed: "Net 30", "zahlbar innerhalb von 14 Tagen", "30 jours fin de mois" ..."""

from collections.abc import Sequence
from itertools import accumulate

from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.details.found import Found
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern

_CAPTIONED = WordPattern(r"{terms.captions}\s*[:.\-–]*\s*(?P<terms>\S.{0,78})")
_LIKELY = WordPattern(r"\d|{terms.words}")
_PHRASES = WordPattern("{terms.phrases}")


def payment_terms(pages: Sequence[PageEvidence]) -> Found[str] | None:
    """The terms after their caption, else the first words of the pages that can be nothing else."""
    for find in (_behind_caption, _anywhere):
        for number, page in enumerate(pages):
            for cell in (*page.cells, *page.lines):
                text = page.text(cell)
                span = find(text)
                if span is not None:
                    words = _words_of(page, cell, *span)
                    return Found(page.text(words).strip(" .:;,"), Place(number, words))
    return None


def _behind_caption(text: str) -> tuple[int, int] | None:
    match = _CAPTIONED.search(text)
    return match.span("terms") if match and _LIKELY.search(match["terms"]) else None


def _anywhere(text: str) -> tuple[int, int] | None:
    match = _PHRASES.search(text)
    return match.span() if match else None


def _words_of(page: PageEvidence, cell: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """The words of a cell that contain the characters from `start` to `end` of its text."""
    ends = list(accumulate(len(page.page.words[word].text) + 1 for word in cell))
    return tuple(
        word for word, first, last in zip(cell, [0, *ends], ends, strict=False) if first < end and last - 1 > start
    )
