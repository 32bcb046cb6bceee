"""The bundled models: in standard format, small enough, and able to read a document of a layout they never saw."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from transformers import AutoModelForTokenClassification

from models.loading import WEIGHTS
from models.pipeline import Pipeline
from serve_app.domain.invoice import Extraction, Field
from serve_app.domain.labels import TAGS

SAMPLE = Path(__file__).parents[2] / "samples" / "invoice.pdf"


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


@pytest.fixture(scope="module")
def extraction(pipeline: Pipeline) -> Extraction:
    (section,) = pipeline.extract(SAMPLE.read_bytes())
    return section.extraction


@pytest.mark.parametrize("name", ["extractor", "verifier"])
def test_a_checkpoint_loads_as_any_of_transformers_does(name: str) -> None:
    model = AutoModelForTokenClassification.from_pretrained(WEIGHTS / name, local_files_only=True)
    assert set(model.config.label2id) == set(TAGS)


def test_both_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*/*.safetensors")) < 128_000_000


def test_the_sample_is_read(extraction: Extraction) -> None:
    assert extraction.vendor_name == "Ewing & Kennedy LLC"
    assert extraction.invoice_number == "46380"
    assert (extraction.amount, extraction.currency) == (Decimal("380.34"), "USD")
    assert extraction.issued_at == date(2019, 4, 30)
    assert len(extraction.line_items) == 5


def test_every_value_is_cited_and_judged(extraction: Extraction) -> None:
    assert extraction.citations is not None
    assert extraction.field_confidence is not None
    assert extraction.citations.keys() == extraction.field_confidence.keys()
    assert Field.AMOUNT in extraction.citations
    assert extraction.models is not None
    assert extraction.models.extractor != extraction.models.verifier


def test_a_batch_becomes_its_invoices(pipeline: Pipeline) -> None:
    sections = pipeline.extract((SAMPLE.parent / "batch.pdf").read_bytes())
    assert [(section.first_page, section.last_page) for section in sections] == [(1, 1), (2, 4), (5, 8)]
    assert [section.extraction.invoice_number for section in sections] == ["RN220663", "281443796", "2024-07-779"]
    assert [section.extraction.pages for section in sections] == [1, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "amount"), [("scan.jpg", "387.80"), ("photo.heic", "127.44"), ("invoice.html", "387.80")]
)
def test_every_format_is_read(pipeline: Pipeline, name: str, amount: str) -> None:
    (section,) = pipeline.extract((SAMPLE.parent / name).read_bytes())
    assert section.extraction.amount == Decimal(amount)
