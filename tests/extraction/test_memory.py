"""What confirmed invoices of a vendor say about its next one."""

import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.evidence import DoubtCode, Evidence, ReadBy
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Citation, Confidence, Extraction, Field, FileInfo, Invoice, Status
from serve_app.domain.invoice import Source as Way
from serve_app.domain.memory import StoredExample, VendorExample
from serve_app.domain.review import NO_REVIEW, Decision, as_read, overlaid
from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.extract import extract_with_evidence
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.extraction.memory.learn import example_of
from serve_app.extraction.memory.recall import Recalled, recall
from tests.extraction.pages import document_of, reading_of
from tests.support import NOON


@dataclass(frozen=True)
class Read:
    """A document as it was read."""

    extraction: Extraction
    evidence: Evidence


def page(
    number: str = "INV-1", customer: str = "C-77", date: str = "20/03/2024", *, labelled: str = "customer"
) -> list[str]:
    """An invoice of Akme, of which the models take the customer's or the invoice's number for the invoice's."""
    mark = {"customer": ("|INVOICE_NUMBER", ""), "invoice": ("", "|INVOICE_NUMBER")}[labelled]
    return [
        "Akme|SELLER Tools|SELLER www.akme-tools.com",
        f"Customer ref {customer}{mark[0]}",
        f"Our sign {number}{mark[1]}",
        f"Date {date}|ISSUE_DATE",
        "Net 50.00|SUBTOTAL",
        "VAT 20% 10.00|TAX",
        "Total £60.00|TOTAL",
    ]


def read(extractor: list[str], verifier: list[str] | None = None, sure: float = 0.97) -> Read:
    one, other = (reading_of(lines, sure=sure) for lines in (extractor, verifier or extractor))
    extraction, evidence, _ = extract_with_evidence(document_of(extractor), one, other)
    return Read(extraction, evidence)


def taught(seen: Read, **said: Any) -> StoredExample:
    """What it teaches once a person has said this and confirmed it. A value with a place is a pair of both."""
    decisions = {}
    for name, value in said.items():
        value, citation = value if isinstance(value, tuple) else (value, None)
        decisions[name] = Decision(value=value, citation=citation, by="Ann", at=NOON)
    file = FileInfo(name=None, mime_type=None, size_bytes=None)
    blank = Invoice(id=new_id(), source=Way.API, created_at=NOON, updated_at=NOON, file=file, status=Status.COMPLETE)
    invoice = blank.model_copy(update={name: getattr(seen.extraction, name) for name in Extraction.model_fields})
    invoice, review = overlaid(as_read(invoice, NO_REVIEW), NO_REVIEW.changed(decisions))
    example = example_of(invoice, review, seen.evidence, VendorDetails(website="www.akme-tools.com"))
    assert example is not None
    return StoredExample(new_id(), example)


def place_of(seen: Read, text: str) -> Citation:
    """Where a word is printed."""
    (page_words,) = seen.evidence.pages
    index = page_words.words.index(text)
    x0, y0, x1, y1 = (each / 10_000 for each in page_words.boxes[4 * index : 4 * index + 4])
    return Citation(page=1, box=(x0, y0, x1, y1), text=text)


def corrected(number: str, customer: str = "C-77") -> StoredExample:
    """A person has corrected the customer's number to the invoice's."""
    seen = read(page(number, customer))
    assert seen.extraction.invoice_number == customer
    return taught(seen, invoice_number=(number, place_of(seen, number)))


def collected(seen: Read, *examples: StoredExample) -> Recalled:
    return recall(seen.extraction, seen.evidence, keys_of_document(seen.evidence), examples)


def test_the_same_mistake_is_not_made_a_third_time() -> None:
    third = read(page("INV-3", "C-79"), page("INV-3", "C-79", labelled="invoice"), sure=0.7)
    assert third.extraction.invoice_number is not None
    found = collected(third, corrected("INV-1"), corrected("INV-2", "C-78"))
    assert found.extraction.invoice_number == "INV-3"
    assert found.extraction.field_confidence is not None
    assert found.extraction.field_confidence[Field.INVOICE_NUMBER] is not Confidence.HIGH
    assert found.extraction.citations is not None
    assert found.extraction.citations[Field.INVOICE_NUMBER] == place_of(third, "INV-3")


def levied(*lines: str) -> Read:
    """An invoice of which no model reads the tax."""
    return read([*page(labelled="invoice")[:4], "Total £60.00|TOTAL", *lines])


def levy_confirmed(tax: str) -> StoredExample:
    seen = levied(f"Levied {tax}")
    assert seen.extraction.tax is None
    return taught(seen, tax=(tax, place_of(seen, tax)))


def test_a_value_that_no_model_has_read_is_proposed_from_where_earlier_ones_stood() -> None:
    examples = [levy_confirmed("7.00"), levy_confirmed("8.00")]
    third = levied("Levied 9.50")
    found = collected(third, *examples)
    assert found.extraction.tax == Decimal("9.50")
    assert (found.extraction.field_confidence or {})[Field.TAX] is Confidence.MID
    assert (found.extraction.citations or {})[Field.TAX] == place_of(third, "9.50")
    seen = found.evidence.fields["tax"]
    assert seen.candidates[0].sources == (ReadBy.MEMORY,)
    assert seen.doubt is not None
    assert seen.doubt.code is DoubtCode.REMEMBERED
    assert collected(third, *examples[:1]).extraction.tax is None


@pytest.mark.parametrize("lines", [["Paid 9.50"], ["Levied nothing"], ["Thank you", "Levied 90.00", "Levied 91.00"]])
def test_nothing_is_proposed_elsewhere_or_of_two_that_stand_alike(lines: list[str]) -> None:
    assert collected(levied(*lines), levy_confirmed("7.00"), levy_confirmed("8.00")).extraction.tax is None


def test_one_confirmation_is_no_memory() -> None:
    third = read(page("INV-3"), page("INV-3", labelled="invoice"), sure=0.7)
    assert collected(third, corrected("INV-1")) == Recalled(third.extraction, third.evidence)


def test_what_memory_chose_says_so_and_is_never_high() -> None:
    third = read(page("INV-3", "C-79"), page("INV-3", "C-79", labelled="invoice"), sure=0.6)
    examples = [corrected("INV-1"), corrected("INV-2", "C-78")]
    found = collected(third, *examples)
    seen = found.evidence.fields["invoice_number"]
    if third.extraction.invoice_number != "INV-3":
        assert seen.doubt is not None
        assert seen.doubt.code is DoubtCode.REMEMBERED
        assert "2 earlier invoices" in seen.doubt.text
    assert ReadBy.MEMORY in seen.candidates[0].sources
    assert seen.earlier == tuple(str(each.invoice_id) for each in examples)
    assert not found.extraction.auto_verified


def test_both_models_together_are_not_overruled_by_what_was_never_corrected() -> None:
    right = read(page("INV-3", labelled="invoice"))
    poisoned = [taught(read(page(f"INV-{n}", f"C-{n}")), invoice_number=f"C-{n}") for n in (1, 2)]
    found = collected(right, *poisoned)
    assert found.extraction.invoice_number == "INV-3"
    assert found.extraction.field_confidence == right.extraction.field_confidence


def test_wrong_confirmations_are_outvoted_by_right_ones() -> None:
    poisoned = [taught(read(page(f"INV-{n}", f"C-{n}")), invoice_number=f"C-{n}") for n in (1, 2)]
    right = [corrected(f"INV-{n}") for n in (5, 6, 7)]
    unsure = read(page("INV-3", "C-79"), page("INV-3", "C-79", labelled="invoice"), sure=0.7)
    assert collected(unsure, *poisoned, *right).extraction.invoice_number == "INV-3"


def test_another_vendors_examples_say_nothing() -> None:
    third = read(page("INV-3"), page("INV-3", labelled="invoice"), sure=0.7)
    others = [
        StoredExample(
            each.invoice_id,
            VendorExample(("name:other", "iban:DE1"), "Other", "Other", "EUR", None, each.example.fields),
        )
        for each in (corrected("INV-1"), corrected("INV-2"))
    ]
    assert collected(third, *others) == Recalled(third.extraction, third.evidence)


def test_a_vendor_has_the_name_that_people_gave_it() -> None:
    examples = [taught(read(page(f"INV-{n}", labelled="invoice")), vendor="Akme Holding AG") for n in (1, 2)]
    found = collected(read(page("INV-3", labelled="invoice")), *examples)
    assert found.extraction.vendor_name == "Akme Holding AG"
    assert (found.extraction.field_confidence or {})[Field.VENDOR] is Confidence.MID
    spelled = [taught(read(page(f"INV-{n}", labelled="invoice")), vendor="AKME Tools") for n in (1, 2)]
    again = collected(read(page("INV-3", labelled="invoice")), *spelled)
    assert again.extraction.vendor_name == "AKME Tools"


def test_a_date_is_read_in_the_order_of_the_vendor() -> None:
    examples = [taught(read(page(date=f"0{n}/03/2024", labelled="invoice")), issued_at=f"2024-0{n}-03") for n in (1, 2)]
    third = read(page(date="04/05/2024", labelled="invoice"))
    assert str(third.extraction.issued_at) == "2024-05-04"
    assert str(collected(third, *examples).extraction.issued_at) == "2024-04-05"


def test_what_earlier_invoices_confirm_is_likelier() -> None:
    examples = [taught(read(page(f"INV-{n}", labelled="invoice"))) for n in (1, 2)]
    third = read(page("INV-3", labelled="invoice"), sure=0.6)
    found = collected(third, *examples)
    before, after = (each.fields["amount"].chance for each in (third.evidence, found.evidence))
    assert before is not None
    assert after is not None
    assert after > before
    assert found.extraction.amount == Decimal("60.00")


def test_memory_makes_nothing_high_on_which_the_models_differ() -> None:
    examples = [taught(read(page(f"INV-{n}", labelled="invoice"))) for n in (1, 2, 3, 4, 5)]
    third = read(page("INV-9", "C-79"), page("INV-9", "C-79", labelled="invoice"))
    levels = collected(third, *examples).extraction.field_confidence or {}
    assert levels[Field.INVOICE_NUMBER] is not Confidence.HIGH


@pytest.mark.slow
def test_it_takes_less_than_five_milliseconds() -> None:
    examples = [corrected(f"INV-{n}") for n in range(20)]
    third = read(page("INV-99"), page("INV-99", labelled="invoice"), sure=0.7)
    keys = keys_of_document(third.evidence)
    times = []
    for _ in range(20):
        started = time.perf_counter()
        recall(third.extraction, third.evidence, keys, examples)
        times.append(time.perf_counter() - started)
    assert min(times) < 0.005
