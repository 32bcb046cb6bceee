"""An explanation names the values in question, who reads them, and why the chosen one has its level."""

import math
import re

import pytest

from models.explain.page import html
from models.explain.ranking import ranked_of, shares_of
from models.explain.text import lines_of, words_of
from models.explain.word_labels import seen
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.extraction.candidates.numbers import number_candidates
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.evidence import gather
from serve_app.extraction.scoring.rank import contributions, rank
from serve_app.extraction.sections import extract_sections
from tests.extraction.pages import document_of, reading_of

ONE = [
    "<i>Akme</i>|SELLER Ltd|SELLER",
    "Invoice No. INV-42|INVOICE_NUMBER",
    "Net £50.00|SUBTOTAL",
    "VAT £10.00|TAX",
    "Total £60.00|TOTAL",
]
OTHER = [*ONE[:2], "Net £50.00|TOTAL", "VAT £10.00|TAX", "Total £60.00"]
Read = tuple[Document, tuple[Reading, Reading], list[Section]]


@pytest.fixture
def read() -> Read:
    document = document_of(ONE)
    readings = reading_of(ONE, revision="first-1"), reading_of(OTHER, revision="second-1")
    return document, readings, list(extract_sections(document, *readings, UNFITTED))


def test_each_field_has_its_values_and_its_reason(read: Read) -> None:
    text = "\n".join(lines_of(read[2][0], None, {}))
    assert text.startswith("page 1, read by first-1 and second-1\n")
    amount = text.partition("\namount: ")[2].partition("\n\n")[0]
    assert "the models do not agree" in amount
    assert re.search(r"%  60\.00  printed as '£60\.00' on page 1, by .*extractor", amount)


def test_one_field_is_asked_for(read: Read) -> None:
    (_, _, head, *rest) = lines_of(read[2][0], "invoice_number", {})
    assert head.startswith("invoice_number: INV-42")
    assert not any(line.startswith("amount") for line in rest)


def test_a_candidate_has_what_each_feature_adds_to_its_score(read: Read) -> None:
    document, readings, (section,) = read
    (_, _, _, _, found, added, *_) = lines_of(
        section, "invoice_number", shares_of(ranked_of(document, readings, section))
    )
    assert "INV-42" in found
    shares = dict(each.rsplit(" ", 1) for each in added.strip().split(", "))
    assert float(shares["before:invoice_number"]) > 1
    assert float(shares["model:invoice_number"]) > 0
    assert float(shares["bias"]) < 0


def test_the_shares_of_the_features_make_the_probability(read: Read) -> None:
    document, readings, _ = read
    option = number_candidates(gather(document, *readings))[0]
    score = sum(contributions("invoice_number", option.features).values())
    (ranked,) = rank("invoice_number", [option])
    assert ranked.score == pytest.approx(1 / (1 + math.exp(-score)))


def test_the_words_of_each_model_are_reported(read: Read) -> None:
    document, (first, second), _ = read
    assert words_of(seen(document, first))["TOTAL"] == ["£60.00"]
    assert words_of(seen(document, second))["TOTAL"] == ["£50.00"]


def test_the_page_shows_both_models_and_holds_no_markup_of_the_document(read: Read) -> None:
    page = html("<b>x.pdf", *read, lambda page: b"picture")
    assert page.count("<svg ") == 2
    assert "data:image/png;base64,cGljdHVyZQ==" in page
    assert re.search(r"<title>£50\.00: TOTAL, \d+\.\d %</title>", page)
    assert "<b>x" not in page
    assert "<i>Akme" not in page
    assert "&lt;i&gt;Akme" in page
    # Nothing is loaded from elsewhere.
    assert not re.search(r"(src|href)=\"(?!data:)", page)
