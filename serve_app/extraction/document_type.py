"""What kind of document it is: an invoice, a credit note, a receipt, or none of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from serve_app.domain.document import TextSource
from serve_app.domain.invoice import DocumentType
from serve_app.domain.labels import Label
from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.split.titles import names_credit_note, names_invoice, names_other_document, names_receipt

# Quotations whose title, "Tilbud", is on receipts a reduced price: their number tells them.
_NUMBERED = WordPattern("{documents.other_numbers}")
# A title is a short line, in the upper half of the first page.
_WORDS = 6
_ZONE = 0.5
# Print this much larger than most of the page is that of a title.
_LARGER = 1.15
# A title of at least this many words has no full stop and begins with a capital.
_SENTENCE = 3
# A word that a model takes for the buyer's name with at least this probability.
_SEEN = 0.5
# The printed part of a till receipt is at least this much narrower than it is high.
_NARROW = 0.56
# Width over height of A4 and Letter, upright and across.
_OFFICE = ((0.68, 0.8), (1.25, 1.48))
# What each sign adds to the evidence for a receipt, and the sum from which on a document is one; set by the receipts
# and invoices of `models/evaluation`. Signs this far beyond it make it sure.
_TITLE, _SLIP, _PAYMENT, _INVOICE, _BUYER, _DUE = 3, 2, 1, -1, -1, -1
_RECEIPT_FROM = 1
_SURE = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A document's type; `is_sure` if the title or several signs say so."""

    type: DocumentType
    is_sure: bool


def kind_of(pages: Sequence[PageEvidence], *, is_foreign: bool, states_payment: bool = False) -> Kind:
    """The type that the title and the pages give.

    `is_foreign`: the pages look like those of another kind of document. `states_payment`: they state who issued them,
    when, and a sum to be paid or paid, which makes an invoice of whatever it looks like, if its title names nothing
    else. A till receipt is a receipt even if its title is "Tax invoice", as some countries require: it is narrow, shows
    cash or a card, and names no buyer.
    """
    titles = pages[0].facts.once(_titles)
    if _is_titled_otherwise(titles, with_captions=not states_payment):
        return Kind(DocumentType.OTHER, True)
    if is_titled_credit_note(pages[0]):
        return Kind(DocumentType.CREDIT_NOTE, True)
    if is_foreign and not states_payment:
        return Kind(DocumentType.OTHER, False)
    signs = _receipt_signs(pages, titles)
    if signs >= _RECEIPT_FROM:
        return Kind(DocumentType.RECEIPT, signs > _RECEIPT_FROM + _SURE)
    return Kind(DocumentType.INVOICE, signs < _RECEIPT_FROM - _SURE)


def is_titled_credit_note(page: PageEvidence) -> bool:
    """Whether a title on the first page says that the document is a credit note."""
    return page.facts.once(_has_credit_title)


@dataclass(frozen=True, slots=True)
class _Title:
    """A short cell in the upper half of a page; `is_bare`: without a number, like a caption. `is_caption`: it is
    printed no larger than the rest of the page, and a value follows."""

    text: str
    top: float
    height: float
    is_caption: bool = False

    @property
    def is_bare(self) -> bool:
        return not any(map(str.isdigit, self.text))

    def outranks(self, other: "_Title") -> bool:
        """Whether it is above another title and larger, or no smaller than one with a value."""
        is_larger = self.height > other.height or (self.height > 0.95 * other.height and other.is_caption)
        return self.top < other.top and is_larger

    @property
    def is_sentence(self) -> bool:
        """Whether it is rather the end of a paragraph: "been applied to this statement."."""
        return len(self.text.split()) >= _SENTENCE and (self.text.endswith(".") or self.text[0].islower())

    @property
    def is_of_other_document(self) -> bool:
        return not self.is_sentence and self._names_other

    @property
    def _names_other(self) -> bool:
        return (self.is_bare and names_other_document(self.text)) or _NUMBERED.search(self.text) is not None


def is_titled_invoice(page: PageEvidence) -> bool:
    """Whether a title on the first page says that the document is an invoice, a receipt or a credit note."""
    return any(names_invoice(title.text) for title in page.facts.once(_titles))


def _has_credit_title(page: PageFacts) -> bool:
    """Whether a title is that of a credit note, and not about something that an invoice above it takes off: "Solde
    antérieur (avoir du 14 novembre)"."""
    titles = page.once(_titles)
    invoices = [title for title in titles if names_invoice(title.text) and not names_credit_note(title.text)]
    credit_notes = (title for title in titles if names_credit_note(title.text))
    return any(not any(invoice.outranks(title) for invoice in invoices) for title in credit_notes)


def _titles(page: PageFacts) -> list[_Title]:
    return list(_find_titles(page))


def _find_titles(page: PageFacts) -> Iterator[_Title]:
    usual = median(word.box.height for word in page.page.words) if page.page.words else 0.0
    for row, line in enumerate(page.lines):
        cells = page.cells_of(line)
        for at, cell in enumerate(cells):
            box = page.box(cell)
            if len(cell) <= _WORDS and box.y1 < _ZONE:
                height = max(page.page.words[word].box.height for word in cell)
                is_small = height < _LARGER * usual
                has_value = bool(cells[at + 1 :]) or _has_number_below(page, row, cell)
                yield _Title(page.text(page.as_read(cell)), box.y0, height, is_small and has_value)


def _has_number_below(page: PageFacts, row: int, cell: Sequence[int]) -> bool:
    """Whether the next line has a number right below a cell."""
    upper = page.box(cell)
    below = (page.page.words[word] for line in page.lines[row + 1 : row + 2] for word in line)
    return any(word.box.shares_column(upper) and any(map(str.isdigit, word.text)) for word in below)


def _is_titled_otherwise(titles: Sequence[_Title], *, with_captions: bool) -> bool:
    """Whether the title is that of another document. "Delivery note" is also a caption on invoices: a title is above
    everything that names an invoice, and not smaller. A quotation's number names it even as a caption."""
    invoices = [title for title in titles if names_invoice(title.text)]
    top = min((invoice.top for invoice in invoices), default=1.0)
    height = max((invoice.height for invoice in invoices), default=0.0)
    return any(
        title.is_of_other_document
        and (with_captions or not title.is_caption or _NUMBERED.search(title.text))
        and title.top < top
        and title.height >= 0.95 * height
        for title in titles
    )


def _receipt_signs(pages: Sequence[PageEvidence], titles: Sequence[_Title]) -> int:
    bare = [title.text for title in titles if title.is_bare]
    is_receipt = any(map(names_receipt, bare))
    is_invoice = any(names_invoice(text) and not names_receipt(text) for text in bare)
    return (
        _TITLE * is_receipt
        + _SLIP * _is_narrow(pages[0])
        + _PAYMENT * _announces(pages, Caption.CASH)
        + _INVOICE * is_invoice
        + _BUYER * _names_buyer(pages)
        + _DUE * _announces(pages, Caption.DUE_DATE)
    )


def _is_narrow(page: PageEvidence) -> bool:
    """Whether the page, or what is printed in the middle of a picture, has the shape of a till receipt."""
    if not page.page.words:
        return False
    shape = page.page.width / page.page.height
    if page.page.source is TextSource.TEXT_LAYER and any(low < shape < high for low, high in _OFFICE):
        return False
    printed = page.box(range(len(page.page.words)))
    return printed.width * page.page.width < _NARROW * printed.height * page.page.height


def _announces(pages: Sequence[PageEvidence], caption: Caption) -> bool:
    """Whether a caption of this kind precedes something with digits."""
    return any(
        caption in page.captions((index,)).before
        for page in pages
        for index, word in enumerate(page.page.words)
        if any(map(str.isdigit, word.text))
    )


def _names_buyer(pages: Sequence[PageEvidence]) -> bool:
    return any(page.probability(index, Label.BUYER) > _SEEN for page in pages for index in range(len(page.page.words)))
