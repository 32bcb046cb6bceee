"""What marks the head of an invoice on its page, whatever the models say: a bare title, and its own number."""

from collections.abc import Iterator

from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.split.facts import is_code
from serve_app.extraction.split.titles import names_invoice

_TITLE_WORDS = 4
_OWN_NUMBER = frozenset({Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER})
_SUM = frozenset({Caption.TOTAL, Caption.AMOUNT_DUE})


def titles(page: PageEvidence) -> Iterator[tuple[int, ...]]:
    """The words of each title without digits beside it."""
    for line in page.lines:
        for cell in page.cells_of(line):
            text = page.text(cell)
            if len(cell) <= _TITLE_WORDS and not any(map(str.isdigit, text)) and names_invoice(text):
                yield tuple(cell)


def own_numbers(page: PageEvidence) -> Iterator[int]:
    """The words that are called the number of the invoice."""
    return _called(page, _OWN_NUMBER)


def sums(page: PageEvidence) -> Iterator[int]:
    """The words that are called what is to be paid."""
    return _called(page, _SUM)


def _called(page: PageEvidence, names: frozenset[Caption]) -> Iterator[int]:
    for index, word in enumerate(page.page.words):
        if is_code(word.text):
            captions = page.captions((index,))
            if captions.skipped == 0 and not names.isdisjoint(captions.before):
                yield index
