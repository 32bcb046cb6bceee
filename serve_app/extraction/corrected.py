"""What a credit note tells of the invoice that it corrects: a line, or a section under a heading, with its number, its
dates and its sums."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from serve_app.domain.document import Box
from serve_app.extraction.document_type import is_titled_credit_note
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts

# Anywhere before an amount, on any document.
_LINE = re.compile(
    r"\b(?:importe|base|total) original\b|\bfactura (?:original|rectificada)\b|\bfacture (?:initiale|d['’]origine)\b|"
    r"\boriginal (?:invoice|amount|total)\b|\b(?:invoice|amount|total) (?:before|prior to) correction\b|"
    r"\burspr[üu]nglich\w* (?:rechnung|betrag|summe|gesamt)|\b(?:fattura|importo) original[ei]\b|"
    r"\bimporto originario\b|\boorspronkelijke? (?:factuur|bedrag)|\bfakturowano pierwotnie\b|\bprzed korekt[ąa]\b|"
    r"\bp[ůu]vodn[íi] (?:v[ýy][šs]e|[čc][áa]stka|faktura|doklad)\b|\bdle (?:p[ůu]vodn[íi] )?faktury\b|"
    r"\bp[ôo]vodn[áa] (?:suma|fakt[úu]ra)\b|\bopraven[áa] v[ýy][šs]e\b",
    re.IGNORECASE,
)
# All of a heading, on a credit note.
_HEADING = re.compile(
    r"credits? (?:our|your|the )?\s?invoice|"
    r"(?:the )?(?:original|corrected|credited|referenced?|related|preceding) (?:tax )?(?:invoice|document|bill)s?"
    r"(?: (?:details|data|information|reference))?|(?:invoice|document) (?:being )?(?:credited|corrected|referenced)|"
    r"(?:urspr[üu]ngliche|korrigierte|stornierte|berichtigte|vorausgegangene) rechnung(?:en)?|"
    r"(?:ursprungs|original|bezugs)\W?rechnung|"
    r"facture (?:d['’]origine|initiale|rectifi[ée]e|corrig[ée]e|cr[ée]dit[ée]e|annul[ée]e|concern[ée]e)|"
    r"(?:factura|documento)s? (?:original|rectificad[oa]|relacionad[oa]|de orige[nm]|que (?:se )?rectifica)s?|"
    r"(?:fattura|documento) (?:originale|di riferimento|collegat[oa]|rettificat[oa])|"
    r"(?:oorspronkelijke|originele|gecrediteerde|gecorrigeerde) factuur|"
    r"(?:dane )?(?:faktur[ay]|dokumentu?) (?:korygowan(?:a|y|ej|ego)|pierwotn(?:a|y|ej|ego))|"
    r"(?:p[ůu]vodn[íi]|opravovan[ýáy]) (?:(?:da[ňn]ov[ýy] )?doklad|faktura)|p[ôo]vodn[áaýy] (?:doklad|fakt[úu]ra)|"
    r"(?:oprindelig|opprinnelig|ursprunglig|krediterad|krediteret) faktura|alkuper[äa]inen lasku|"
    r"orijinal fatura|fatura de origem|eredeti sz[áa]mla|factura ini[țt]ial[ăa]",
    re.IGNORECASE,
)
# A section has at most so many lines, each at most this many line heights below the one before.
_LINES = 6
_NEAR = 2.4
# The lines of a section begin where its heading does, within this (of the page's width).
_ALIGNED = 0.02


def corrected_words(pages: Sequence[PageEvidence]) -> list[frozenset[int]]:
    """The words of each page that are about an invoice which they correct: the words before them say so, or the heading
    of their section."""
    is_credit_note = is_titled_credit_note(pages[0]) if pages else False
    return [page.facts.once(_corrected, is_credit_note) for page in pages]


def _corrected(page: PageFacts, is_credit_note: bool) -> frozenset[int]:
    behind = (word for line in page.lines for word in _behind_caption(page, line))
    return frozenset(behind) | (corrected_section(page) if is_credit_note else frozenset())


def _behind_caption(page: PageFacts, line: Sequence[int]) -> Iterator[int]:
    """The words of a line behind those that say whose they are."""
    text = page.text(line)
    if found := _LINE.search(text):
        yield from line[text.count(" ", 0, found.end()) + 1 :]


def corrected_section(page: PageFacts) -> frozenset[int]:
    """The words under the headings of a credit note that announce the invoice which it corrects."""
    return frozenset(word for row, box, end in _headings(page) for word in _section(page, row, box, end))


def _headings(page: PageFacts) -> Iterator[tuple[int, Box, float]]:
    """The line of each heading, its place, and where the next column begins."""
    for row, line in enumerate(page.lines):
        cells = page.cells_of(line)
        for cell, after in zip_longest(cells, cells[1:]):
            if _HEADING.fullmatch(page.text(cell).strip(" :")):
                yield row, page.box(cell), page.box(after).x0 if after else 1.0


def _section(page: PageFacts, row: int, heading: Box, end: float) -> Iterator[int]:
    above = heading
    for line in page.lines[row + 1 : row + 1 + _LINES]:
        inside = [word for word in line if heading.x0 - _ALIGNED <= page.page.words[word].box.x0 < end]
        if not inside:
            # A line of the column beside.
            continue
        box = page.box(inside)
        is_near = box.y_center - above.y_center <= _NEAR * max(above.height, box.height)
        if not is_near or box.x0 > heading.x0 + _ALIGNED:
            return
        yield from inside
        above = box
