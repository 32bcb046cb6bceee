"""Pages that several documents share, such as two receipts on one photo: each document gets a page of its own, with the
number of the page that it is cut from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from serve_app.domain.document import Document
from serve_app.domain.labels import Label
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.split.facts import page_facts
from serve_app.extraction.split.features import SEEN
from serve_app.extraction.split.halves import Words, cropped_evidence, cropped_page, halves
from serve_app.extraction.split.several import are_two


@dataclass(frozen=True, slots=True)
class PageCut:
    """Which words of each page of a file are a page of their own, in order."""

    words: tuple[tuple[Words, ...], ...]

    @classmethod
    def of(cls, pages: Sequence[PageEvidence]) -> Self:
        """The cut that gives each document on the pages a page of its own."""
        return cls(tuple(tuple(_documents_on(page)) for page in pages))

    @property
    def is_needed(self) -> bool:
        """Whether a page shows several documents."""
        return any(len(parts) > 1 for parts in self.words)

    def document(self, document: Document) -> Document:
        """The document with its pages cut."""
        cut = zip(document.pages, self.words, strict=True)
        pages = (cropped_page(page, words) if len(parts) > 1 else page for page, parts in cut for words in parts)
        return replace(document, pages=tuple(pages))

    def reading(self, reading: Reading) -> Reading:
        """What a reading of the document says about the pages that are cut from it."""
        cut = zip(reading.pages, self.words, strict=True)
        pages = (_read_on(page, words) if len(parts) > 1 else page for page, parts in cut for words in parts)
        return replace(reading, pages=tuple(pages))


def _documents_on(page: PageEvidence) -> list[Words]:
    """The words of each document that a page shows; all of its words if it shows one."""
    for both in halves(page):
        parts = [cropped_evidence(page, words) for words in both]
        if are_two(*parts) and all(map(_is_complete, parts)):
            cut = zip(both, parts, strict=True)
            return [words[inner] for words, part in cut for inner in _documents_on(part)]
    return [np.arange(len(page.page.words))]


def _read_on(page: PageReading, words: Words) -> PageReading:
    """What was read on some words of a page; a stated value without a place counts everywhere."""
    position = {word: index for index, word in enumerate(words.tolist())}
    stated = (
        replace(value, words=tuple(position[word] for word in value.words))
        for value in page.stated
        if position.keys() >= set(value.words)
    )
    return PageReading(page.scores[words], tuple(stated))


def _is_complete(page: PageEvidence) -> bool:
    """Whether the models see a sum, an issuer, and a number or a date."""
    facts = page_facts(page)
    seen = [facts.strength[label] >= SEEN for label in (Label.TOTAL, Label.AMOUNT_DUE)]
    has_issuer = facts.vendor is not None and facts.vendor.score >= SEEN
    has_number = facts.number is not None and facts.number.score >= SEEN
    return any(seen) and has_issuer and (has_number or facts.date is not None)
