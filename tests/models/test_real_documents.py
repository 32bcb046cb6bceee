"""Real documents are loaded as labelled, drawn fairly, and varied each time."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from models.encoding import LayoutEncoder
from models.pieces import WordPieces
from models.training.examples import IGNORED, TAG_IDS, examples_of
from models.training.generator import generate_training
from models.training.labelled import LabelledDocument
from models.training.mixture import Mixture, RealDraw, RealShare, of_part
from models.training.real import RealDataError, RealDocument, read_real
from models.training.variation import Names, varied
from serve_app.domain.document import Box, Document, Page, TextSource, Word
from tests.support.checkpoints import write_layout_checkpoint

WORDS = ["ACME", "Ltd", "Invoice", "4711", "12/05/2019", "Total", "1,250.00", "1,250.00", "thanks"]
TAGS = ["B-SELLER", "I-SELLER", "O", "B-INVOICE_NUMBER", "B-ISSUE_DATE", "O", "B-TOTAL", "?", "O"]


def line(**changes: Any) -> dict[str, Any]:
    """A document of one page with its words in a row."""
    words = [
        {"text": text, "box": [0.1 * at, 0.2, 0.1 * at + 0.08, 0.22], "confidence": 0.9}
        for at, text in enumerate(WORDS)
    ]
    entry = {
        "id": "one",
        "source": "shop",
        "licence": "CC0",
        "kind": "scan",
        "language": "en",
        "doc_type": "receipt",
        "split": "train",
        "issuer": "acme",
        "pages": [{"width": 600.0, "height": 800.0, "words": words}],
        "labels": [TAGS],
        "values": {"vendor_name": "ACME Ltd", "due_at": None},
    }
    return entry | changes


def write(folder: Path, *entries: dict[str, Any]) -> Path:
    (folder / "shop.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return folder


def one_of(folder: Path, **changes: Any) -> RealDocument:
    (document,) = read_real(write(folder, line(**changes)))
    return document


def test_a_line_becomes_a_document_with_its_tags_and_values(tmp_path: Path) -> None:
    document = one_of(tmp_path)
    (page,) = document.document.pages
    assert [word.text for word in page.words] == WORDS
    assert (page.number, page.source, page.words[0].confidence) == (1, TextSource.OCR, 0.9)
    assert document.tags == (tuple(TAGS),)
    assert document.values == {"vendor_name": "ACME Ltd", "due_at": None}
    assert one_of(tmp_path, kind="text-pdf").document.pages[0].source is TextSource.TEXT_LAYER


def test_files_may_be_compressed_and_splits_are_kept_apart(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "more.jsonl.gz", "wt") as file:
        file.write(json.dumps(line(id="two", split="validation")) + "\n")
    write(tmp_path, line(), line(id="three", labels=None))
    assert [document.id for document in read_real(tmp_path)] == ["two", "one"], (
        "a document without labels teaches nothing"
    )
    assert [document.id for document in read_real(tmp_path, "train")] == ["one"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"labels": [TAGS[1:]]}, "differ in number"),
        ({"labels": [[*TAGS[:-1], "B-VENDOR"]]}, "unknown tags ['B-VENDOR']"),
        ({"split": "test"}, "split"),
        ({"pages": [{"width": 1.0, "height": 1.0, "words": [{"text": "x", "box": [0, 0, 1]}]}]}, "box"),
    ],
)
def test_a_broken_line_is_named_with_what_is_wrong(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    write(tmp_path, line(), line(**changes))
    with pytest.raises(RealDataError) as caught:
        read_real(tmp_path)
    assert "shop.jsonl, line 2" in str(caught.value)
    assert reason in str(caught.value)


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RealDataError, match="no labelled documents"):
        read_real(tmp_path)


def test_words_whose_label_nobody_knows_are_left_out_of_the_loss(tmp_path: Path) -> None:
    document = one_of(tmp_path)
    encoder = LayoutEncoder(WordPieces(write_layout_checkpoint(tmp_path / "checkpoint")))
    (example,) = examples_of(document, encoder, Random(0))
    firsts = [token for _, token in encoder.encode(document.document.pages[0]).first]
    assert [example.labels[token] for token in firsts] == [IGNORED if tag == "?" else TAG_IDS[tag] for tag in TAGS]


def test_a_variation_keeps_labels_dates_and_equal_numbers(tmp_path: Path) -> None:
    document = one_of(tmp_path)
    texts = set()
    for seed in range(40):
        again = varied(document, Random(seed), Names.of([]))
        (page,), (tags,) = again.document.pages, again.tags
        labelled = [(word, tag) for word, tag in zip(page.words, tags, strict=True) if tag not in ("O", "?")]
        assert [tag for _, tag in labelled] == [tag for tag in TAGS if tag not in ("O", "?")]
        assert labelled[3][0].text == "12/05/2019"
        assert {word.text for word in page.words if word.text.endswith(".00")} == {labelled[4][0].text}
        assert all(0 <= word.box.x0 < word.box.x1 <= 1 and 0 <= word.box.y0 < word.box.y1 <= 1 for word in page.words)
        texts.add(labelled[2][0].text)
    assert len(texts) > 30, "the number is another one nearly each time"


def test_other_names_keep_their_case_and_the_words_that_many_are_called(tmp_path: Path) -> None:
    words = [{"text": text, "box": [0.1, 0.2, 0.2, 0.3]} for text in ("ALBERTI", "Services", "alberti.example")]
    page = {"width": 600.0, "height": 800.0, "words": words}
    document = one_of(tmp_path, pages=[page], labels=[["B-SELLER", "I-SELLER", "O"]])
    names = Names(("berger",), frozenset({"services"}))
    texts = {
        tuple(word.text for word in varied(document, Random(seed), names).document.pages[0].words) for seed in range(30)
    }
    assert ("BERGER", "Services", "berger.example") in texts
    assert ("ALBERTI", "Services", "alberti.example") in texts


def test_words_in_the_names_of_many_issuers_are_common() -> None:
    page = Page(
        1, 600, 800, tuple(Word(text, Box(0.1, 0.1, 0.2, 0.2)) for text in ("Alberti", "Services")), TextSource.OCR
    )
    document = LabelledDocument(Document((page,)), (("B-SELLER", "I-SELLER"),))
    other = LabelledDocument(Document((page,)), (("O", "B-BUYER"),))
    assert Names.of([("a", document), ("b", other), ("c", other)]) == Names(("alberti",), frozenset({"services"}))


def test_a_text_layer_is_now_and_then_read_as_a_scan_with_its_labels(tmp_path: Path) -> None:
    document = one_of(tmp_path, kind="text-pdf")
    variations = [varied(document, Random(seed), Names.of([])) for seed in range(60)]
    read = [each for each in variations if each.document.pages[0].source is TextSource.OCR]
    assert len(read) / 60 == pytest.approx(0.3, abs=0.15)
    for each in read:
        (page,), (tags,) = each.document.pages, each.tags
        kept = [(word.text, tag) for word, tag in zip(page.words, tags, strict=True) if word.text in ("ACME", "Ltd")]
        assert kept
        assert {tag for _, tag in kept} <= {"B-SELLER", "I-SELLER"}


def test_a_combining_accent_alone_does_not_break_a_reading(tmp_path: Path) -> None:
    words = [
        {"text": text, "box": [0.1 * at, 0.2, 0.1 * at + 0.08, 0.22]}
        for at, text in enumerate(["ACME", "\u0301", "Ltd"], 1)
    ]
    page = {"width": 600.0, "height": 800.0, "words": words}
    document = one_of(tmp_path, kind="text-pdf", pages=[page], labels=[["B-SELLER", "O", "I-SELLER"]])
    for seed in range(150):
        varied(document, Random(seed), Names.of([]))


def test_sources_count_by_issuers_and_issuers_alike(tmp_path: Path) -> None:
    busy = [line(id=f"busy {n}", issuer="busy") for n in range(8)]
    others = [line(id=f"other {n}", issuer=f"other {n}") for n in range(3)]
    single = [line(id="single", source="rare", issuer="single")]
    draw = RealDraw(read_real(write(tmp_path, *busy, *others, *single)))
    drawn = [draw.draw(Random(seed)) for seed in range(3000)]
    shares = {issuer: sum(each.issuer == issuer for each in drawn) / 3000 for issuer in ("busy", "other 1", "single")}
    assert shares["busy"] == pytest.approx(2 / 3 / 4, abs=0.03)
    assert shares["other 1"] == pytest.approx(2 / 3 / 4, abs=0.03)
    assert shares["single"] == pytest.approx(1 / 3, abs=0.03)


def test_a_mixture_holds_its_share_and_a_seed_gives_the_same_document_again(tmp_path: Path) -> None:
    write(tmp_path, line(), line(id="held out", split="validation", issuer="other"))
    mixture = Mixture(generate_training, [RealShare(tmp_path, 0.3)])
    seen = [mixture(seed) for seed in range(400)]
    assert sum(isinstance(each, LabelledDocument) for each in seen) / 400 == pytest.approx(0.3, abs=0.06)
    assert mixture(7) == mixture(7)


def test_a_part_of_the_issuers_is_part_of_a_larger_one(tmp_path: Path) -> None:
    write(tmp_path, *(line(id=f"{number}", issuer=f"issuer {number // 2}") for number in range(200)))
    documents = read_real(tmp_path)
    quarter, half = of_part(documents, 0.25), of_part(documents, 0.5)
    assert {document.id for document in quarter} < {document.id for document in half}
    assert len(half) / len(documents) == pytest.approx(0.5, abs=0.15)
    assert all(sum(other.issuer == each.issuer for other in half) == 2 for each in half)


@pytest.mark.parametrize(("text", "folder", "share"), [("data", "data", 0.25), ("some/data:0.4", "some/data", 0.4)])
def test_a_share_is_given_beside_its_folder(text: str, folder: str, share: float) -> None:
    assert RealShare.parse(text) == RealShare(Path(folder), share)


@pytest.mark.parametrize("text", ["data:2", "data:much"])
def test_a_share_beyond_everything_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 1|float"):
        RealShare.parse(text)
