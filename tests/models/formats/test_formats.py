"""Datasets of other formats, as their documentation describes them, become documents with their truth, and back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models.evaluation.formats.command import FORMATS
from models.evaluation.formats.record import FormatError
from serve_app.commands.data import DataFormat
from serve_app.extraction.dates.dates import Order
from tests.models.formats.datasets import TRUTH, export, folder_of, imported, picture
from tests.support.pdfs import write_invoice_pdf

HEADER = tuple(key for key in TRUTH if key not in ("line_items",))


KEPT = {
    "docile": tuple(TRUTH),
    "cord": ("amount", "tax", "line_items"),
    "funsd": ("vendor_name", "invoice_number", "amount", "issued_at", "due_at", "tax", "currency"),
    "sroie": ("vendor_name", "issued_at", "amount"),
    "label-studio": tuple(TRUTH),
    "huggingface": tuple(TRUTH),
    "donut": tuple(TRUTH),
    "chat": tuple(key for key in TRUTH if key != "doc_type"),
}
"""What each format keeps of the truth (docs/reference/dataset-formats.md)."""


class TestRoundTrip:
    @pytest.mark.parametrize("name", FORMATS)
    def test_what_is_exported_and_imported_again_is_the_same(self, name: str, tmp_path: Path) -> None:
        summary = export(name, folder_of(tmp_path / "data"), tmp_path / "out")
        assert (summary.taken, summary.left_out) == (1, {})
        (case,) = imported(name, tmp_path / "out", tmp_path / "again")
        (truth,) = case.truths
        assert {key: as_numbers(truth.get(key)) for key in KEPT[name]} == {key: TRUTH[key] for key in KEPT[name]}
        known = {key: value for key, value in truth.items() if key not in KEPT[name] and value is not None}
        assert set(known) <= {"doc_type"}, "nothing else is claimed"

    @pytest.mark.parametrize("name", FORMATS)
    def test_documents_that_do_not_fit_are_counted(self, name: str, tmp_path: Path) -> None:
        summary = export(name, folder_of(tmp_path / "data", pages=2), tmp_path / "out")
        single = {"cord", "funsd", "sroie", "donut"}
        reason = {"the format has one page for each document": 1}
        assert summary.left_out == (reason if name in single else {})

    @pytest.mark.parametrize("name", FORMATS)
    def test_what_is_unknown_or_without_a_place_never_becomes_absent(self, name: str, tmp_path: Path) -> None:
        truth = {key: value for key, value in TRUTH.items() if key != "due_at"} | {"tax": 7.77}
        truth["line_items"] = [{"description": "Ink", "quantity": 3, "unit_price": 1.25}]
        folder = folder_of(tmp_path / "data", truth=truth)
        export(name, folder, tmp_path / "out")
        (case,) = imported(name, tmp_path / "out", tmp_path / "again")
        found = {key: as_numbers(case.truths[0][key]) for key in ("due_at", "tax") if key in case.truths[0]}
        assert found.items() <= {"tax": 7.77}.items()
        assert as_numbers(case.truths[0].get("line_items")) in (None, truth["line_items"])

    def test_every_format_has_a_name_on_the_command_line(self) -> None:
        assert set(FORMATS) == set(DataFormat)

    @pytest.mark.parametrize("name", FORMATS)
    def test_a_folder_of_another_format_is_refused_by_name(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(FormatError, match="empty"):
            imported(name, tmp_path / "empty", tmp_path / "out")


def as_numbers(value: Any) -> Any:
    """Numbers may be written as texts."""
    if isinstance(value, list):
        return [{key: as_numbers(cell) for key, cell in row.items()} for row in value]
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


class TestSroie:
    def sample(self, folder: Path, date: str) -> Path:
        picture(folder / "train" / "img" / "X1.jpg")
        (folder / "train" / "box").mkdir()
        (folder / "train" / "box" / "X1.txt").write_text(
            "72,25,326,25,326,64,72,64,KEDAI BUKU MELUR\n1,2,3,4,5,6,7,8,RM 9.00, CASH\n"
        )
        (folder / "train" / "entities").mkdir()
        values = {"company": "KEDAI BUKU MELUR", "date": date, "address": "NO. 5, JALAN 2", "total": "9.00"}
        (folder / "train" / "entities" / "X1.txt").write_text(json.dumps(values))
        return folder

    def test_values_are_read(self, tmp_path: Path) -> None:
        (case,) = imported("sroie", self.sample(tmp_path / "in", "25/12/2018"), tmp_path / "out")
        assert case.set == "sroie_train"
        assert case.source == "sroie"
        assert case.truths[0] == {
            "doc_type": "receipt", "vendor_name": "KEDAI BUKU MELUR", "issued_at": "2018-12-25", "amount": 9.0
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("order", "day"), [(None, None), (Order.DAY_FIRST, "2018-12-03"), (Order.MONTH_FIRST, "2018-03-12")]
    )
    def test_a_date_of_two_meanings_needs_an_order(self, order: Order | None, day: str | None, tmp_path: Path) -> None:
        (case,) = imported("sroie", self.sample(tmp_path / "in", "03/12/2018"), tmp_path / "out", order)
        assert case.truths[0].get("issued_at") == day
        assert ("issued_at" in case.truths[0]) is (day is not None), "what is unclear is not scored"

    def test_a_receipt_without_entities_is_named(self, tmp_path: Path) -> None:
        picture(tmp_path / "in" / "img" / "X9.jpg")
        with pytest.raises(FormatError, match=r"X9\.txt"):
            imported("sroie", tmp_path / "in", tmp_path / "out")


class TestCord:
    def line(self, category: str, text: str, group: int) -> dict[str, Any]:
        quad = {"x1": 1, "y1": 1, "x2": 9, "y2": 1, "x3": 9, "y3": 5, "x4": 1, "y4": 5}
        words = [{"quad": quad, "is_key": 0, "row_id": 1, "text": word} for word in text.split()]
        return {"words": words, "category": category, "group_id": group}

    def test_sums_and_rows_are_read_in_the_notation_of_the_receipt(self, tmp_path: Path) -> None:
        picture(tmp_path / "in" / "test" / "image" / "receipt_00001.png")
        key = self.line("total.total_price", "45.000", 9)
        key["words"].insert(0, {"quad": {}, "is_key": 1, "row_id": 1, "text": "TOTAL"})
        lines = [
            self.line("menu.nm", "NASI PUTIH", 3), self.line("menu.cnt", "3x", 3),
            self.line("menu.unitprice", "15.000", 3),
            self.line("menu.price", "45.000", 3), key,
        ]  # fmt: skip
        (tmp_path / "in" / "test" / "json").mkdir()
        (tmp_path / "in" / "test" / "json" / "receipt_00001.json").write_text(
            json.dumps({"valid_line": lines, "meta": {}})
        )
        (case,) = imported("cord", tmp_path / "in", tmp_path / "out")
        assert case.truths[0] == {
            "doc_type": "receipt", "amount": 45000.0, "tax": None,
            "line_items": [{"description": "NASI PUTIH", "quantity": 3.0, "unit_price": 15000.0}],
        }  # fmt: skip


class TestFunsd:
    def test_captions_name_the_value_of_an_answer(self, tmp_path: Path) -> None:
        picture(tmp_path / "in" / "training_data" / "images" / "f1.png")
        texts = [
            ("question", "Invoice No:"),
            ("answer", "A-17"),
            ("question", "Brand:"),
            ("answer", "Kool"),
            ("header", "FORM"),
        ]
        form = [
            {"id": index, "text": text, "label": label, "box": [0, 0, 9, 9],
             "words": [{"text": text, "box": [0, 0, 9, 9]}],
             "linking": [[index - index % 2, index - index % 2 + 1]] if index < 4 else []}
            for index, (label, text) in enumerate(texts)
        ]  # fmt: skip
        (tmp_path / "in" / "training_data" / "annotations").mkdir()
        (tmp_path / "in" / "training_data" / "annotations" / "f1.json").write_text(json.dumps({"form": form}))
        (case,) = imported("funsd", tmp_path / "in", tmp_path / "out")
        assert case.truths[0] == {"doc_type": None, "invoice_number": "A-17"}


class TestDocile:
    def field(self, kind: str, text: str, **more: int) -> dict[str, Any]:
        return {"fieldtype": kind, "text": text, "bbox": [0.1, 0.1, 0.2, 0.12], "page": 0, **more}

    def sample(self, folder: Path) -> Path:
        for name in ("annotations", "pdfs"):
            (folder / name).mkdir(parents=True)
        write_invoice_pdf(folder / "pdfs" / "0a1b.pdf")
        (folder / "train.json").write_text('["0a1b"]')
        fields = [
            self.field("vendor_name", "Kite\nRadio Inc."), self.field("document_id", "77-1"),
            self.field("amount_due", "$1,020.00"),
            self.field("date_issue", "Mar 5, 2024"), self.field("vendor_address", "1 Hill St"),
        ]  # fmt: skip
        cells = [
            self.field("line_item_description", "Spot 30s", line_item_id=1),
            self.field("line_item_unit_price_gross", "510.00", line_item_id=1),
            self.field("line_item_quantity", "2", line_item_id=1),
        ]
        metadata = {
            "page_count": 1,
            "document_type": "tax_invoice",
            "currency": "usd",
            "page_sizes_at_200dpi": [[1700, 2200]],
        }
        content = {
            "field_extractions": fields,
            "line_item_extractions": cells,
            "line_item_headers": [],
            "metadata": metadata,
        }
        (folder / "annotations" / "0a1b.json").write_text(json.dumps(content))
        return folder

    def test_fields_rows_and_kind_are_read(self, tmp_path: Path) -> None:
        (case,) = imported("docile", self.sample(tmp_path / "in"), tmp_path / "out")
        assert case.name == "docile_train/0a1b.pdf"
        assert case.truths[0] == {
            "doc_type": "invoice", "vendor_name": "Kite Radio Inc.", "invoice_number": "77-1", "amount": 1020.0,
            "currency": "USD", "issued_at": "2024-03-05", "due_at": None, "tax": None,
            "line_items": [{"description": "Spot 30s", "quantity": 2.0, "unit_price": 510.0}],
        }  # fmt: skip

    def test_a_document_that_is_missing_is_named(self, tmp_path: Path) -> None:
        folder = self.sample(tmp_path / "in")
        (folder / "pdfs" / "0a1b.pdf").unlink()
        with pytest.raises(FormatError, match=r"0a1b\.json names 0a1b\.pdf"):
            imported("docile", folder, tmp_path / "out")

    def test_an_annotation_of_another_form_is_named(self, tmp_path: Path) -> None:
        folder = self.sample(tmp_path / "in")
        (folder / "annotations" / "0a1b.json").write_text('{"fields": []}')
        with pytest.raises(FormatError, match=r"0a1b\.json is not as DocILE describes it"):
            imported("docile", folder, tmp_path / "out")


def test_imports_never_overwrite(tmp_path: Path) -> None:
    sample: Callable[[Path], Path] = TestDocile().sample
    folder = sample(tmp_path / "in")
    imported("docile", folder, tmp_path / "out")
    with pytest.raises(FormatError, match="already exists"):
        imported("docile", folder, tmp_path / "out")
