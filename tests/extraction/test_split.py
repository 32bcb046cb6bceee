"""Where one invoice of a file ends and the next begins."""

import numpy as np
import pytest

from serve_app.domain.document import Box, Page, Word
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.facts import facts_of_page
from serve_app.extraction.split.page_numbers import PageNumber, printed_page_number
from serve_app.extraction.split.split import Part, Role, likeliest_roles, parts_of, split
from serve_app.extraction.split.titles import names_invoice, names_other_document

SURE, UNSURE = np.log(0.9), np.log(0.05)


def page(*lines: tuple[float, str], number: int = 1) -> PageEvidence:
    """A page with lines at the given heights, 0 (top) to 1."""
    words: list[Word] = []
    rows: list[tuple[int, ...]] = []
    for y, text in lines:
        rows.append(tuple(range(len(words), len(words) + len(text.split()))))
        words += [Word(part, Box(0.1 + 0.1 * i, y, 0.18 + 0.1 * i, y + 0.01)) for i, part in enumerate(text.split())]
    nothing = np.zeros((len(words), len(LABELS)), dtype=np.float32)
    shown = Page(number, 595, 842, tuple(words))
    return PageEvidence(shown, facts_of_page(shown), nothing, nothing)


@pytest.mark.parametrize(
    ("text", "number", "of"),
    [
        ("Page 2 of 3", 2, 3),
        ("Seite 2 von 3", 2, 3),
        ("Página 1 de 4", 1, 4),
        ("Pagina 3 van 3", 3, 3),
        ("Sayfa 1 / 2", 1, 2),
        ("Strona 7", 7, None),
        ("2 / 3", 2, 3),
        ("- 2 -", 2, None),
        ("Acme Ltd Reg. 4711 Page: 1 of 2", 1, 2),
    ],
)
def test_a_printed_page_number_is_read_in_many_languages(text: str, number: int, of: int | None) -> None:
    assert printed_page_number(page((0.3, "Invoice"), (0.96, text))) == PageNumber(number, of)


@pytest.mark.parametrize("text", ["Subtotal page 2", "Übertrag von Seite 1", "Page 5 of 3", "12.03.2024", "1 / 0"])
def test_other_numbers_are_no_page_numbers(text: str) -> None:
    assert printed_page_number(page((0.96, text))) is None


def test_a_page_number_may_stand_below_its_caption() -> None:
    assert printed_page_number(page((0.20, "Seite"), (0.215, "1 von 2"))) == PageNumber(1, 2)


def test_a_fraction_in_the_middle_of_a_page_is_no_page_number() -> None:
    assert printed_page_number(page((0.5, "1 / 2"))) is None


def test_a_page_never_continues_nothing() -> None:
    scores = np.array([[UNSURE, SURE, UNSURE], [UNSURE, UNSURE, SURE], [np.log(0.3), np.log(0.6), np.log(0.1)]])
    roles = likeliest_roles(scores)
    assert roles[0] is not Role.CONTINUES
    assert (roles[1], roles[2]) == (Role.FOREIGN, Role.BEGINS)


def test_parts_are_runs_of_pages_without_foreign_ones() -> None:
    roles = [Role.FOREIGN, Role.BEGINS, Role.CONTINUES, Role.BEGINS, Role.FOREIGN, Role.FOREIGN, Role.BEGINS]
    assert parts_of(roles) == [Part(2, 3), Part(4, 4), Part(7, 7)]


def test_a_file_of_foreign_pages_has_no_part() -> None:
    assert parts_of([Role.FOREIGN, Role.FOREIGN]) == []


@pytest.mark.parametrize(
    "title",
    [
        "INVOICE",
        "Tax Invoice No. 7",
        "Schlussrechnung",
        "Faktura VAT",
        "CASH RECEIPT",
        "Számla",
        "Kvittering",
        "NOTA FISCAL DE SERVIÇOS ELETRÔNICA",
        "ФАКТУРА",
        "Τιμολόγιο",
        "御請求書",
        "ใบเสร็จรับเงิน",
    ],
)
def test_titles_of_invoices(title: str) -> None:
    assert names_invoice(title)
    assert not names_other_document(title)


@pytest.mark.parametrize(
    "title",
    [
        "DELIVERY NOTE",
        "Expense Report",
        "Auftragsbestätigung",
        "Bon de livraison",
        "Packing List",
        "Pristilbud",
        "Árajánlat",
    ],
)
def test_titles_of_other_documents(title: str) -> None:
    assert names_other_document(title)
    assert not names_invoice(title)


@pytest.mark.parametrize("heading", ["Bill to", "Invoice date", "Invoice for"])
def test_headings_of_other_things_are_no_titles(heading: str) -> None:
    assert not names_invoice(heading)


def test_a_page_that_begins_an_invoice_is_distinguished_from_one_that_goes_on() -> None:
    begins = page((0.05, "Invoice"), (0.1, "No. 4711"), (0.9, "Page 1 of 2"))
    goes_on = page((0.1, "more lines"), (0.9, "Page 2 of 2"), number=2)
    first, second = split([begins, goes_on]).chances
    assert 0 <= second < first <= 1
