"""Bounds on what the patterns and loops of this package are given: a text can be written so that they never end.

No invoice comes near them: its longest word has some hundred letters, its longest line some thirty words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from serve_app.domain.document import Document, Page, Word

Item = TypeVar("Item")

LONGEST_WORD = 200
"""Letters of a word; what is behind them is left out."""
LONGEST_LINE = 100
"""Words of a printed line; those behind them are a line of their own."""


def bounded_document(document: Document) -> Document:
    """The document, with words of at most `LONGEST_WORD` letters."""
    pages = tuple(_bounded_page(page) for page in document.pages)
    return document if pages == document.pages else replace(document, pages=pages)


def bounded_lines(lines: Sequence[Sequence[Item]]) -> Iterator[tuple[Item, ...]]:
    """The lines, those with more than `LONGEST_LINE` items in pieces."""
    for line in lines:
        yield from (tuple(line[at : at + LONGEST_LINE]) for at in range(0, len(line), LONGEST_LINE))


def _bounded_page(page: Page) -> Page:
    if all(len(word.text) <= LONGEST_WORD for word in page.words):
        return page
    return replace(page, words=tuple(map(_bounded_word, page.words)))


def _bounded_word(word: Word) -> Word:
    return replace(word, text=word.text[:LONGEST_WORD])
