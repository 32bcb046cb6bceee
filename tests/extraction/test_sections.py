"""A file's invoices, or the one that it is, or none."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from serve_app.domain.batch import Section
from serve_app.domain.einvoice import EInvoice, EInvoiceSyntax
from serve_app.domain.evidence import Evidence, unpack
from serve_app.domain.invoice import Confidence, DocumentType, Extraction, Field
from serve_app.domain.reading import Reading
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction import sections
from serve_app.extraction.sections import extract_sections, is_nothing
from serve_app.extraction.split import Part
from serve_app.extraction.split.split import Split
from tests.extraction.pages import document_of, reading_of

INVOICE = ["Akme|SELLER Tools|SELLER", "No. INV-0042|INVOICE_NUMBER", "5 March 2024|ISSUE_DATE", "Total £60.00|TOTAL"]
LETTER = ["Dear Sir or Madam", "please find enclosed what you asked for"]


def read(*pages: list[str], einvoice: EInvoice | None = None) -> list[Section]:
    """What is found in a file of these pages, which both models read identically."""
    return extract_sections(replace(document_of(*pages), einvoice=einvoice), reading_of(*pages), reading_of(*pages))


def split_into(monkeypatch: pytest.MonkeyPatch, *parts: Part, chances: Sequence[float] = ()) -> None:
    monkeypatch.setattr(sections, "split", lambda pages: Split(list(parts), list(chances or [0.5] * len(pages))))


def places(found: Sequence[Section]) -> list[tuple[int, int, int | None]]:
    return [(section.first_page, section.last_page, section.extraction.pages) for section in found]


def evidence_of(section: Section) -> Evidence:
    evidence = unpack(section.evidence or b"")
    assert evidence is not None
    return evidence


def test_each_part_is_read_on_its_own_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 1), Part(3, 4))
    found = read(INVOICE, LETTER, INVOICE, LETTER)
    assert places(found) == [(1, 1, 1), (3, 4, 2)]
    assert {section.extraction.invoice_number for section in found} == {"INV-0042"}


def test_each_page_keeps_how_likely_an_invoice_begins_there(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 1), Part(2, 3), chances=[0.99, 0.8, 0.041])
    found = [evidence_of(section) for section in read(INVOICE, INVOICE, LETTER)]
    assert [[page.begins for page in evidence.pages] for evidence in found] == [[99], [80, 4]]
    split_into(monkeypatch, Part(1, 1))
    (alone,) = read(INVOICE)
    assert evidence_of(alone).pages[0].begins is None


def test_a_part_in_which_nothing_is_found_is_no_invoice(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 1), Part(2, 2), Part(3, 3))
    assert places(read(INVOICE, LETTER, INVOICE)) == [(1, 1, 1), (3, 3, 1)]


def test_pages_that_name_the_invoice_before_them_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 1), Part(2, 2), Part(3, 3))
    details = ["No. INV-0042|INVOICE_NUMBER", "Position 1 30.00|LINE_TOTAL"]
    other = [*INVOICE[:1], "No. INV-0043|INVOICE_NUMBER", *INVOICE[2:]]
    assert places(read(INVOICE, details, other)) == [(1, 2, 2), (3, 3, 1)]
    # The same invoice once more is a copy.
    assert places(read(INVOICE, INVOICE, other)) == [(1, 1, 1), (2, 2, 1), (3, 3, 1)]


def test_a_file_of_one_invoice_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(2, 2))
    (found,) = read(LETTER, INVOICE)
    assert places([found]) == [(1, 2, 2)]
    assert found.extraction.invoice_number == "INV-0042"


def test_a_file_with_an_electronic_invoice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch, Part(1, 1), Part(2, 2))
    assert places(read(INVOICE, INVOICE, einvoice=EInvoice(EInvoiceSyntax.CII, "Factur-X BASIC"))) == [(1, 2, 2)]


def test_a_file_of_foreign_pages_gives_its_values_and_none_is_high(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch)
    (found,) = read(["Akme|SELLER Tools|SELLER", "Order 4711|INVOICE_NUMBER"])
    assert found.extraction.document_type is DocumentType.OTHER
    assert (found.extraction.vendor_name, found.extraction.invoice_number) == ("Akme Tools", "4711")
    assert Confidence.HIGH not in (found.extraction.field_confidence or {}).values()


def test_a_file_in_which_all_is_a_guess_gives_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch)
    (found,) = read(LETTER)
    assert found.extraction == Extraction(
        pages=1,
        models=found.extraction.models,
        target_precision=TargetPrecision.STANDARD,
        document_type=DocumentType.OTHER,
        document_type_confidence=Confidence.LOW,
    )


def test_a_page_that_looks_foreign_keeps_a_sum_that_both_models_see(monkeypatch: pytest.MonkeyPatch) -> None:
    split_into(monkeypatch)
    (found,) = read(INVOICE)
    assert found.extraction.amount is not None


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ({}, True),
        ({Field.VENDOR: Confidence.LOW, Field.CURRENCY: Confidence.MID}, True),
        ({Field.VENDOR: Confidence.MID}, False),
    ],
)
def test_guesses_make_no_invoice(levels: dict[Field, Confidence], expected: bool) -> None:
    assert is_nothing(Extraction(field_confidence=levels)) is expected


def test_a_reading_of_other_pages_is_refused() -> None:
    other: Reading = reading_of(["Total 5.00|TOTAL"])
    with pytest.raises(ValueError, match="reading covers"):
        extract_sections(document_of(INVOICE), other, other)
