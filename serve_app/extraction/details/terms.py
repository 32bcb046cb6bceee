"""The terms of payment, as printed: "Net 30", "zahlbar innerhalb von 14 Tagen", "30 jours fin de mois" ..."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.details.found import Found
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import Terms, languages, loose_pattern_of


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
    match = _captioned().search(text)
    return match.span("terms") if match and _likely().search(match["terms"]) else None


def _anywhere(text: str) -> tuple[int, int] | None:
    match = _phrases().search(text)
    return match.span() if match else None


@cache
def _captioned() -> re.Pattern[str]:
    captions = loose_pattern_of(_terms().captions)
    return re.compile(rf"(?:{captions})\s*[:.\-–]*\s*(?P<terms>\S.{{0,78}})", re.IGNORECASE)


@cache
def _likely() -> re.Pattern[str]:
    return re.compile(rf"\d|{loose_pattern_of(_terms().words)}", re.IGNORECASE)


@cache
def _phrases() -> re.Pattern[str]:
    # Of "Net 30.00" the number is no number of days.
    phrases = loose_pattern_of(_terms().phrases).replace(r"\#", r"\d{1,3}(?!\d|[.,]\d)")
    return re.compile(rf"(?:{phrases})", re.IGNORECASE)


@cache
def _terms() -> Terms:
    return Terms.union(language.terms for language in languages().values())


def _words_of(page: PageEvidence, cell: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """The words of a cell that contain the characters from `start` to `end` of its text."""
    ends = list(accumulate(len(page.page.words[word].text) + 1 for word in cell))
    return tuple(
        word for word, first, last in zip(cell, [0, *ends], ends, strict=False) if first < end and last - 1 > start
    )
