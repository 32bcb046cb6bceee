"""Datasets that tests export and import."""

import json
from pathlib import Path
from typing import Any

from PIL import Image

from models.evaluation.dataset import Case, load_dataset
from models.evaluation.formats.command import format_of, writer_of
from models.evaluation.formats.folder import Reader, Summary, cases_of, write_folder
from models.evaluation.formats.record import ImportOptions
from serve_app.documents.options import ReadOptions
from serve_app.documents.pictures import draw_page, show_page
from serve_app.documents.reader import read_document
from serve_app.extraction.dates.dates import Order
from tests.support.pdfs import write_invoice_pdf

TRUTH: dict[str, Any] = {
    "doc_type": "invoice",
    "vendor_name": "Northwind Traders Ltd",
    "invoice_number": "INV-2024-0117",
    "amount": 54.0,
    "currency": "GBP",
    "issued_at": "2024-03-05",
    "due_at": "2024-04-04",
    "tax": 9.0,
    "line_items": [{"description": "Paper, A4, 500 sheets", "quantity": 10.0, "unit_price": 4.5}],
}
"""Of the PDF that `tests.support.pdfs` draws."""


def folder_of(path: Path, pages: int = 1, truth: dict[str, Any] = TRUTH) -> Path:
    (path / "docs" / "own").mkdir(parents=True)
    (path / "truth" / "own").mkdir(parents=True)
    write_invoice_pdf(path / "docs" / "own" / "one.pdf", pages=pages)
    (path / "truth" / "own" / "one.pdf.json").write_text(json.dumps(truth))
    return path


def export(name: str, folder: Path, out: Path, model: str | None = None) -> Summary:
    options, summary, form = ReadOptions(), Summary(), format_of(name)
    reader = Reader(
        read_document,
        lambda data, number: show_page(data, number, options),
        lambda data, page: draw_page(data, page, options),
    )
    writer_of(form, model)(reader.documents(cases_of(folder, [], form), form, summary), out)
    return summary


def imported(name: str, source: Path, out: Path, order: Order | None = None) -> list[Case]:
    write_folder(format_of(name).read(source, ImportOptions(name, order)), out)
    return load_dataset(out)


def picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (600, 800), "white").save(path)
    return path
