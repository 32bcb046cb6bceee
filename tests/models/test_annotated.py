"""Annotated pages: what their marks say, and the words that get the labels."""

import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from models.training.annotated.__main__ import PAGES
from models.training.annotated.marks import Mark, MarkError, label_of, tags_of
from models.training.real import RealDocument, read_real
from serve_app.domain.document import Box, Page, TextSource, Word

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body data-type="credit_note">
<h1 data-l="seller">Vale &amp; Tarn<br>Joinery Ltd</h1>
<p>Credit note no. <b data-l="invoice_number">CN-17</b> of <span data-l="issue_date">3 March 2025</span></p>
<table><tr><td data-l="line_description">Oak door</td><td data-l="line_total">120.00</td></tr></table>
<p>Total: <span data-l="currency">£</span><span data-l="total">144.00</span></p>
<p>Ref. <i data-l="?">88</i></p>
</body></html>"""


def labelled(document: RealDocument) -> list[tuple[str, str]]:
    return [
        (word.text, tag)
        for page, tags in zip(document.document.pages, document.tags, strict=True)
        for word, tag in zip(page.words, tags, strict=True)
        if tag != "O"
    ]


LABELLED = [
    ("Vale", "B-SELLER"), ("&", "I-SELLER"), ("Tarn", "I-SELLER"), ("Joinery", "I-SELLER"), ("Ltd", "I-SELLER"),
    ("CN-17", "B-INVOICE_NUMBER"), ("3", "B-ISSUE_DATE"), ("March", "I-ISSUE_DATE"), ("2025", "I-ISSUE_DATE"),
    ("Oak", "B-LINE_DESCRIPTION"), ("door", "I-LINE_DESCRIPTION"), ("120.00", "B-LINE_TOTAL"),
    ("£144.00", "B-TOTAL"), ("88", "?"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.browser
def test_a_folder_of_pages_becomes_documents_whose_words_have_the_labels_of_their_marks(tmp_path: Path) -> None:
    pages = tmp_path / "pages" / "set"
    pages.mkdir(parents=True)
    for name in ("a", "b"):
        (pages / f"{name}.html").write_text(PAGE)
    command = [sys.executable, "-m", "models.training.annotated", "--out", str(tmp_path / "out")]
    # In a process of its own: Playwright bears no second browser beside that of other tests.
    subprocess.run([*command, "--pages", str(pages.parent), "--times", "4"], check=True)
    documents = read_real(tmp_path / "out")
    assert [(each.issuer, each.kind, each.split) for each in documents] == [
        *[("set-a", "text-pdf", "train")] * 4, ("set-a", "html", "train"),
        ("set-b", "text-pdf", "validation"), ("set-b", "html", "validation"),
    ]  # fmt: skip
    for each in documents:
        assert each.document_type == "credit_note"
        assert labelled(each) == LABELLED
        assert each.values == {"vendor_name": "Vale & Tarn Joinery Ltd", "invoice_number": "CN-17"}


@pytest.mark.slow
@pytest.mark.browser
def test_a_scanned_page_is_read_by_ocr_and_has_the_labels_of_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "pages" / "set" / "a.html"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    command = [sys.executable, "-m", "models.training.annotated", "--out", str(tmp_path / "out"), "--scans"]
    subprocess.run([*command, "--pages", str(page.parent.parent), "--times", "1"], check=True)
    (document,) = read_real(tmp_path / "out")
    assert document.kind == "scan"
    assert document.document.pages[0].source is TextSource.OCR
    found = dict(labelled(document))
    assert {"Vale": "B-SELLER", "CN-17": "B-INVOICE_NUMBER", "2025": "I-ISSUE_DATE"}.items() <= found.items()


def test_a_word_belongs_to_the_mark_that_covers_most_of_it() -> None:
    words = (Word("$12.00", Box(0.1, 0.1, 0.2, 0.12)), Word("due", Box(0.3, 0.1, 0.35, 0.12)))
    page = Page(1, 600, 800, words, TextSource.TEXT_LAYER)
    marks = [Mark(0, "CURRENCY", 1, Box(0.1, 0.09, 0.115, 0.13)), Mark(1, "TOTAL", 1, Box(0.115, 0.09, 0.2, 0.13))]
    assert tags_of(page, marks) == ["B-TOTAL", "O"]


def test_a_mark_with_an_unknown_label_is_an_error() -> None:
    assert label_of("line_total") == "LINE_TOTAL"
    with pytest.raises(MarkError, match="'vendor' is no label"):
        label_of("vendor")


def test_every_page_shows_who_sends_it_and_what_is_paid() -> None:
    files = sorted(PAGES.glob("*/*.html"))
    assert files
    for file in files:
        page = html.fromstring(file.read_bytes())
        marked = [each for each in page.iter() if each.get("data-l")]
        labels = {label_of(each.get("data-l") or "") for each in marked}
        inside = [each for each in marked if any(above.get("data-l") for above in each.iterancestors())]
        assert not inside, f"{file.name}: a mark inside another"
        assert not page.xpath("//svg//*[@data-l]"), f"{file.name}: a mark in a picture, where no link can stand"
        if any(each.get("data-type") == "other" for each in page.iter("body")):
            assert labels <= {"OTHER_NUMBER", "OTHER_DATE", "?"}, file.name
        else:
            assert "SELLER" in labels, file.name
            assert {"TOTAL", "AMOUNT_DUE"} & labels, file.name
