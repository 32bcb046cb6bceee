"""A file's invoices, or the one that it is."""

from dataclasses import replace

import pytest

from serve_app.domain.document import Document
from serve_app.domain.einvoice import EInvoice
from serve_app.extraction import sections
from serve_app.extraction.sections import extract_one, extract_sections
from serve_app.extraction.split import Part
from tests.support import DOCUMENT, reading_of

FOUR_PAGES = Document(tuple(replace(DOCUMENT.pages[0], number=number) for number in range(1, 5)))
READINGS = (reading_of(FOUR_PAGES, "a"), reading_of(FOUR_PAGES, "b"))


def split_into(monkeypatch: pytest.MonkeyPatch, *parts: Part) -> None:
    monkeypatch.setattr(sections, "split", lambda pages: list(parts))


def test_each_part_is_read_on_its_own_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 1), Part(3, 4))
    found = extract_sections(FOUR_PAGES, *READINGS)
    assert [(one.first_page, one.last_page, one.extraction.pages) for one in found] == [(1, 1, 1), (3, 4, 2)]


@pytest.mark.parametrize("parts", [(), (Part(2, 3),)])
def test_a_file_of_one_invoice_or_none_is_read_whole(monkeypatch: pytest.MonkeyPatch, parts: tuple[Part, ...]) -> None:
    split_into(monkeypatch, *parts)
    assert extract_sections(FOUR_PAGES, *READINGS) == extract_one(FOUR_PAGES, *READINGS)


def test_a_file_with_an_electronic_invoice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 2), Part(3, 4))
    (one,) = extract_sections(replace(FOUR_PAGES, einvoice=EInvoice("Factur-X BASIC")), *READINGS)
    assert (one.first_page, one.last_page) == (1, 4)
