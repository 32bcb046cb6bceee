"""Documents with known values become labelled words that training reads."""

import json
import sys
from pathlib import Path

import pytest

from models.training import label_words
from models.training.real import read_real
from serve_app.domain.labels import UNKNOWN
from serve_app.domain.user_error import UserError
from tests.support.pdfs import write_invoice_pdf

TRUTH = {
    "vendor_name": "Northwind Traders Ltd",
    "invoice_number": "INV-2024-0117",
    "amount": 54.0,
    "line_items": [{"description": "Paper, A4, 500 sheets", "quantity": 10.0, "unit_price": 4.5}],
}
"""Of the PDF that `tests.support.pdfs` draws."""


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["invoices data words", str(folder), "--split", "validation"])
    label_words.main()


def test_words_of_known_values_are_labelled_and_nothing_is_claimed_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("docs/own", "truth/own"):
        (tmp_path / folder).mkdir(parents=True)
    write_invoice_pdf(tmp_path / "docs/own/one.pdf")
    (tmp_path / "truth/own/one.pdf.json").write_text(json.dumps(TRUTH))
    (tmp_path / "docs/own/two.pdf").write_bytes(b"nothing")
    (tmp_path / "truth/own/two.pdf.json").write_text(json.dumps(TRUTH))
    run(tmp_path, monkeypatch)
    printed = capsys.readouterr().out
    assert "left out: own/two.pdf: " in printed
    assert "1 documents with 6 values on their pages" in printed
    (document,) = read_real(tmp_path, "validation")
    words = [word.text for page in document.document.pages for word in page.words]
    tags = [tag for page in document.tags for tag in page]
    found = [(tag, word) for tag, word in zip(tags, words, strict=True) if tag != UNKNOWN]
    assert found[:4] == [
        ("B-SELLER", "Northwind"),
        ("I-SELLER", "Traders"),
        ("I-SELLER", "Ltd"),
        ("B-INVOICE_NUMBER", "INV-2024-0117"),
    ]
    assert {tag for tag, _ in found} >= {"B-TOTAL", "B-LINE_DESCRIPTION", "B-LINE_QUANTITY", "B-LINE_UNIT_PRICE"}
    assert document.values == TRUTH
    with pytest.raises(UserError, match="already there"):
        run(tmp_path, monkeypatch)


def test_an_interrupted_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    for folder in ("docs/own", "truth/own"):
        (tmp_path / folder).mkdir(parents=True)
    write_invoice_pdf(tmp_path / "docs/own/one.pdf")
    (tmp_path / "truth/own/one.pdf.json").write_text(json.dumps(TRUTH))
    monkeypatch.setattr(label_words, "labelled_words", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, monkeypatch)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []
