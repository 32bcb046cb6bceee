"""What is kept of what a run saw tells a person why a value is not sure, and what else it could be."""

from dataclasses import replace
from decimal import Decimal

import pytest

from serve_app.domain.document import Box, Document, Page, TextSource, Word
from serve_app.domain.evidence import DoubtCode, Evidence, ReadBy, pack, unpack
from serve_app.domain.invoice import Field
from serve_app.extraction.extract import extract_with_evidence
from tests.extraction.pages import document_of, reading_of
from tests.extraction.test_extract import PAGE, replaced


def seen(extractor: list[str], verifier: list[str], document: Document | None = None, sure: float = 0.97) -> Evidence:
    readings = reading_of(extractor, sure=sure), reading_of(verifier, sure=sure)
    return extract_with_evidence(document or document_of(PAGE), *readings)[1]


def test_a_sure_value_has_no_doubt_and_both_models_for_it() -> None:
    amount = seen(PAGE, PAGE).fields[Field.AMOUNT]
    assert amount.doubt is None
    best = amount.candidates[0]
    assert (best.value, best.text) == ("60.00", "£60.00")
    assert set(best.sources) == {ReadBy.BOTH, ReadBy.EXTRACTOR, ReadBy.VERIFIER}


def test_models_that_differ_are_reported_with_both_values() -> None:
    other = replaced(line_2="Date: 05/03/2024|DUE_DATE Due: 19/03/2024|ISSUE_DATE")
    issued = seen(PAGE, other, sure=0.9).fields[Field.ISSUED_AT]
    assert issued.doubt is not None
    assert issued.doubt.code is DoubtCode.MODELS_DIFFER
    by_value = {candidate.value: candidate.sources for candidate in issued.candidates}
    assert ReadBy.EXTRACTOR in by_value["2024-03-05"]
    assert {"2024-03-05", "2024-03-19"} <= set(by_value)


def test_lines_that_miss_the_total_are_reported_by_how_much() -> None:
    page = replaced(line_7="Total £70.00|TOTAL")
    amount = seen(page, page, document_of(page)).fields[Field.AMOUNT]
    assert amount.doubt is not None
    assert (amount.doubt.code, amount.doubt.text) == (DoubtCode.SUMS_MISS, "The lines miss the total by 10.00.")


def test_what_was_read_badly_is_reported_in_percent() -> None:
    (page,) = document_of(PAGE).pages
    words = tuple(replace(word, confidence=0.74) if "INV-" in word.text else word for word in page.words)
    number = seen(PAGE, PAGE, Document((replace(page, words=words),))).fields[Field.INVOICE_NUMBER]
    # Read well enough to be sure of: no doubt is told.
    assert number.doubt is None
    words = tuple(replace(word, confidence=0.44) if "INV-" in word.text else word for word in page.words)
    number = seen(PAGE, PAGE, Document((replace(page, words=words),))).fields[Field.INVOICE_NUMBER]
    assert number.doubt is not None
    assert (number.doubt.code, number.doubt.text) == (DoubtCode.READ_BADLY, "Read badly: 44%.")


def test_a_field_that_everybody_needs_is_missed() -> None:
    page = replaced(line_1="Thank you")
    evidence = seen(page, page, document_of(page))
    assert evidence.fields[Field.INVOICE_NUMBER].doubt is not None
    due = replaced(line_2="Date: 05/03/2024|ISSUE_DATE")
    assert seen(due, due, document_of(due)).fields.get(Field.DUE_AT) is None


def test_words_are_where_they_are_shown() -> None:
    turned = (0.0, -1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    word = Word("Total", Box(0.1, 0.2, 0.3, 0.25), 0.5)
    page = Page(1, 595.0, 842.0, (word,), TextSource.OCR, turned)
    reading = reading_of(["Total"])
    kept = extract_with_evidence(Document((page,)), reading, reading)[1].pages[0]
    assert (kept.words, kept.boxes, kept.scores) == (["Total"], (7500, 1000, 8000, 3000), (50,))
    # And where they were read.
    assert (kept.is_turned, kept.upright) == (True, (1000, 2000, 3000, 2500))
    assert seen(PAGE, PAGE).pages[0].upright == ()


def test_it_comes_back_from_the_file_as_it_was() -> None:
    evidence = seen(PAGE, PAGE)
    assert unpack(pack(evidence)) == evidence
    assert Decimal(evidence.fields[Field.AMOUNT].candidates[0].value) == 60


def test_another_version_is_nothing_and_damage_is_an_error() -> None:
    assert unpack(pack(replace_version(seen(PAGE, PAGE)))) is None
    with pytest.raises(ValueError, match="cannot be read"):
        unpack(b"damaged")
    with pytest.raises(ValueError, match="cannot be read"):
        unpack(pack(seen(PAGE, PAGE))[:-9])


def replace_version(evidence: Evidence) -> Evidence:
    return Evidence(evidence.pages, evidence.fields, version=99)
