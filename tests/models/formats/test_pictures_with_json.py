"""Hugging Face, Donut and conversations: pictures with JSON beside them."""

import base64
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from models.config import WEIGHTS
from models.evaluation.formats.record import FormatError
from tests.models.formats.datasets import export, folder_of, imported, picture


class TestPicturesWithJson:
    """Hugging Face, Donut and conversations."""

    def test_columns_of_an_image_folder_are_the_truth(self, tmp_path: Path) -> None:
        picture(tmp_path / "in" / "train" / "1.png")
        (tmp_path / "in" / "train" / "metadata.jsonl").write_text(
            '{"file_name": "1.png", "amount": "9.50", "note": "x"}\n'
        )
        (case,) = imported("huggingface", tmp_path / "in", tmp_path / "out")
        assert case.truths[0] == {"doc_type": None, "amount": "9.50"}

    def test_several_pictures_of_a_document_become_its_pages(self, tmp_path: Path) -> None:
        for number in (1, 2):
            picture(tmp_path / "in" / f"{number}.png")
        (tmp_path / "in" / "metadata.jsonl").write_text('{"file_names": ["1.png", "2.png"], "amount": "9.50"}\n')
        (case,) = imported("huggingface", tmp_path / "in", tmp_path / "out")
        assert case.path.name == "1.pdf"
        assert case.path.read_bytes().count(b"/Type /Page\n") == 2

    def test_a_file_outside_of_the_dataset_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        picture(tmp_path / "secret.png")
        (tmp_path / "in" / "metadata.jsonl").write_text('{"file_name": "../secret.png"}\n')
        with pytest.raises(FormatError, match="outside of its folder"):
            imported("huggingface", tmp_path / "in", tmp_path / "out")

    def test_donut_reads_the_keys_of_cord(self, tmp_path: Path) -> None:
        picture(tmp_path / "in" / "train" / "1.png")
        parse = {
            "menu": {"nm": "Kopi", "cnt": "1", "unitprice": "20,000"},
            "total": {"total_price": ["20,000", "20,000"]},
        }
        line = {"file_name": "1.png", "ground_truth": json.dumps({"gt_parse": parse})}
        (tmp_path / "in" / "train" / "metadata.jsonl").write_text(json.dumps(line) + "\n")
        (case,) = imported("donut", tmp_path / "in", tmp_path / "out")
        assert case.truths[0]["amount"] == 20000.0
        assert case.truths[0]["line_items"] == [{"description": "Kopi", "quantity": 1.0, "unit_price": 20000.0}]

    def test_donut_without_a_ground_truth_names_the_line(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "metadata.jsonl").write_text('\n{"file_name": "1.png"}\n')
        with pytest.raises(FormatError, match=r"metadata\.jsonl, line 2: no ground_truth"):
            imported("donut", tmp_path / "in", tmp_path / "out")

    def test_a_conversation_asks_as_the_service_does(self, tmp_path: Path) -> None:
        export("chat", folder_of(tmp_path / "data"), tmp_path / "out")
        (line,) = (tmp_path / "out" / "own.jsonl").read_text().splitlines()
        system, user, answer = json.loads(line)["messages"]
        assert "copy values" in system["content"]
        assert [part["type"] for part in user["content"]] == ["text", "image_url"]
        coded = user["content"][1]["image_url"]["url"].partition(",")[2]
        assert Image.open(io.BytesIO(base64.b64decode(coded))).format == "PNG"
        stated = json.loads(answer["content"])
        assert stated["seller"] == "Northwind Traders Ltd"
        assert stated["lines"] == [{"description": "Paper, A4, 500 sheets", "quantity": "10", "unit_price": "4.50"}]
        assert "buyer" not in stated, "nobody said that there is none"

    def test_a_conversation_asks_as_one_model_is_asked(self, tmp_path: Path) -> None:
        (tmp_path / "prompt.md").write_text("Read the page.")
        endpoint = {"url": "http://localhost", "sends": "pictures", "prompt": str(tmp_path / "prompt.md")}
        config = {"adapter": "chat", "checkpoint": "ours", "endpoint": endpoint}
        (tmp_path / "model.json").write_text(json.dumps(config))
        export("chat", folder_of(tmp_path / "data"), tmp_path / "out", str(tmp_path / "model.json"))
        (line,) = (tmp_path / "out" / "own.jsonl").read_text().splitlines()
        system, user, _ = json.loads(line)["messages"]
        assert system["content"] == "Read the page."
        assert [part["type"] for part in user["content"]] == ["image_url"]

    @pytest.mark.parametrize("name", ["chat", "donut"])
    def test_only_a_chat_model_asks_questions(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match="--model is for the format chat"):
            export(name, folder_of(tmp_path / "data"), tmp_path / "out", str(WEIGHTS / "extractor"))

    def test_a_picture_at_an_address_is_not_fetched(self, tmp_path: Path) -> None:
        content = [{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]
        line = {"messages": [{"role": "user", "content": content}, {"role": "assistant", "content": "{}"}]}
        (tmp_path / "a.jsonl").write_text(json.dumps(line))
        with pytest.raises(FormatError, match="the picture is not in the file"):
            imported("chat", tmp_path / "a.jsonl", tmp_path / "out")
