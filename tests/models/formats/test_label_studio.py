"""Projects of Label Studio become documents with their truth, and back."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.evaluation.formats.command import format_of
from models.evaluation.formats.folder import Reader, Summary, cases_of
from models.evaluation.formats.record import FormatError
from serve_app.documents.options import ReadOptions
from serve_app.documents.pictures import draw_page, show_page
from serve_app.documents.reader import read_document
from tests.models.formats.datasets import TRUTH, imported, picture
from tests.support.pdfs import write_invoice_pdf


class TestLabelStudio:
    def result(self, id_: str, label: str, text: str, y: float) -> list[dict[str, Any]]:
        place = {"x": 10.0, "y": y, "width": 12.4, "height": 2.0, "rotation": 0}
        both = {"id": id_, "to_name": "page", "original_width": 600, "original_height": 800}
        return [
            {**both, "from_name": "label", "type": "rectanglelabels", "value": {**place, "rectanglelabels": [label]}},
            {**both, "from_name": "text", "type": "textarea", "value": {**place, "text": [text]}},
        ]

    def sample(self, folder: Path, **task: Any) -> Path:
        picture(folder / "media" / "a.png")
        (folder / "export.json").write_text(
            json.dumps([{"id": 1, "data": {"image": "/data/local-files/?d=media/a.png"}, **task}])
        )
        return folder

    def test_what_a_person_marked_is_the_truth(self, tmp_path: Path) -> None:
        marked = [
            *self.result("a", "amount", "12,50", 70), *self.result("b", "description", "Tea", 40),
            *self.result("c", "description", "Cake", 44), *self.result("d", "unit_price", "8,50", 44.4),
            *self.result("e", "unit_price", "4,00", 39.8),
        ]  # fmt: skip
        folder = self.sample(tmp_path / "in", annotations=[{"result": [], "was_cancelled": True}, {"result": marked}])
        (case,) = imported("label-studio", folder, tmp_path / "out")
        truth = case.truths[0]
        assert truth["amount"] == 12.5
        assert truth["vendor_name"] is None
        assert [(row["description"], row["unit_price"]) for row in truth["line_items"]] == [("Tea", 4.0), ("Cake", 8.5)]

    def test_what_only_models_read_is_no_truth(self, tmp_path: Path) -> None:
        folder = self.sample(tmp_path / "in", predictions=[{"result": self.result("a", "amount", "1.00", 9)}])
        with pytest.raises(FormatError, match="no labelled documents"):
            imported("label-studio", folder, tmp_path / "out")

    def test_a_marked_place_without_a_text_is_not_scored(self, tmp_path: Path) -> None:
        folder = self.sample(tmp_path / "in", annotations=[{"result": self.result("a", "amount", "", 70)[:1]}])
        (case,) = imported("label-studio", folder, tmp_path / "out")
        assert "amount" not in case.truths[0]

    def test_unlabelled_documents_become_tasks_with_what_the_models_read(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        write_invoice_pdf(tmp_path / "in" / "one.pdf")
        (tmp_path / "in" / "notes.txt").write_text("not a document")
        options, form, summary = ReadOptions(), format_of("label-studio"), Summary()
        reader = Reader(
            read_document,
            lambda data, number: show_page(data, number, options),
            lambda data, page: draw_page(data, page, options),
            lambda document, data: TRUTH,
        )
        form.write(reader.documents(cases_of(tmp_path / "in", [], form), form, summary), tmp_path / "out")
        (task,) = json.loads((tmp_path / "out" / "tasks.json").read_text())
        assert "annotations" not in task
        marked = [each["value"] for each in task["predictions"][0]["result"] if each["type"] == "rectanglelabels"]
        assert {each["rectanglelabels"][0] for each in marked} == {*TRUTH, "description", "quantity", "unit_price"} - {
            "line_items", "doc_type"
        }  # fmt: skip
        assert (tmp_path / "out" / task["data"]["file"]).is_file()
