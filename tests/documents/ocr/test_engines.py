"""Engines are chosen by name; what is missing is told at the start, not when a document comes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from serve_app.documents.ocr.clean import clean
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.engines import check_engine, engine
from serve_app.documents.ocr.networks import DETECTOR, CpuNetwork, load_network
from serve_app.documents.ocr.pp_ocr import RapidOcrEngine
from serve_app.documents.options import OcrOptions
from tests.documents.images.printed import pixels, printed

TESSERACT = OcrOptions(engine="tesseract", languages=("eng",))


def test_the_default_engine_is_there() -> None:
    check_engine(OcrOptions())


def test_an_engine_is_loaded_once() -> None:
    assert engine(TESSERACT) is engine(replace(TESSERACT))


def test_tesseract_reads_words_with_boxes() -> None:
    sheet = printed(("Total amount 618.60",), height=30)
    words = engine(TESSERACT).read(pixels(sheet.image))
    assert [word.text for word in words] == ["Total", "amount", "618.60"]
    assert words[2].x0 == pytest.approx(sheet.places["618.60"].x0 * sheet.image.width, abs=5)
    assert all(0.5 < word.confidence <= 1 for word in words)


def test_an_unknown_engine_is_named_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"no OCR engine 'abbyy'.*tesseract, rapidocr"):
        check_engine(OcrOptions(engine="abbyy"))


def test_a_missing_language_pack_is_named() -> None:
    with pytest.raises(ValueError, match="Tesseract lacks xxx"):
        check_engine(replace(TESSERACT, languages=("eng", "xxx")))


def test_tessdata_prefix_is_respected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    with pytest.raises(ValueError, match=f"TESSDATA_PREFIX is {tmp_path}"):
        check_engine(replace(TESSERACT, languages=("eng", "osd")))


def test_a_gpu_that_is_asked_for_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CPUExecutionProvider"])
    with pytest.raises(ValueError, match="does not support CUDA"):
        check_engine(OcrOptions(device="cuda"))


@pytest.mark.filterwarnings("ignore:Specified provider")
def test_a_gpu_that_does_not_start_is_only_missed_if_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    looked: list[object] = []

    def look(**_: object) -> None:
        looked.append("packages")
        print("Failed")  # noqa: T201 - as the library does

    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: both)
    monkeypatch.setattr(onnxruntime, "preload_dlls", look)
    assert isinstance(load_network(DETECTOR, "auto"), CpuNetwork)
    with pytest.raises(ValueError, match="cannot start it"):
        load_network(DETECTOR, "cuda")
    assert looked == ["packages"] * 2
    assert capsys.readouterr().out == ""


class StandIn(onnxruntime.InferenceSession):  # type: ignore[misc]
    """A session on the CPU that says that it runs on a GPU."""

    def __init__(self, path: str, settings: onnxruntime.SessionOptions, providers: list[str]) -> None:
        self.asked = providers
        super().__init__(path, settings, providers=["CPUExecutionProvider"])

    def get_providers(self) -> list[str]:
        return self.asked


def test_a_page_is_read_on_a_gpu_as_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = pixels(printed(("Total amount 618.60", "due"), height=30).image)
    expected = RapidOcrEngine(OcrOptions(device="cpu")).read(picture)
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CUDAExecutionProvider"])
    monkeypatch.setattr(onnxruntime, "preload_dlls", lambda **_: None)
    monkeypatch.setattr(onnxruntime, "InferenceSession", StandIn)
    read = RapidOcrEngine(OcrOptions(device="cuda")).read(picture)
    assert {word.text for word in read} == {"Total", "amount", "618.60", "due"}
    assert [word.text for word in read] == [word.text for word in expected]


@pytest.mark.parametrize(
    ("text", "confidence", "stays"),
    [
        ("Total", 0.3, True),
        ("Total", 0.02, False),
        ("&", 0.9, True),
        ("&", 0.2, False),
        ("____", 0.9, False),
        ("|||", 0.9, False),
        ("  ", 0.9, False),
    ],
)
def test_what_is_no_word_is_dropped(text: str, confidence: float, stays: bool) -> None:
    picture = pixels(printed(("x",)).image)
    assert bool(clean([SeenWord(text, 1, 1, 20, 10, confidence)], picture)) is stays


def test_the_items_of_a_batch_are_answered_one_by_one() -> None:
    network, pictures = load_network(DETECTOR, "cpu"), np.zeros((2, 3, 64, 64), np.float32)
    pictures[1, :, 20:30, 10:50] = 1
    together = [answer.copy() for answer in network.run(pictures)]
    alone = [answer.copy() for picture in pictures for answer in network.run(picture[np.newaxis])]
    assert np.array_equal(together, alone)
    assert not np.array_equal(together[0], together[1])
