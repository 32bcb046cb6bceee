"""A page of hostile text ends within its budget: with invoices, or with a failure that says why."""

import asyncio
from collections.abc import Callable

import numpy as np
import pytest

from serve_app.documents.packing import pack
from serve_app.domain.batch import Reconciled
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.labels import TAGS
from serve_app.domain.packed import LabelledPages
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.budget import Budget
from serve_app.reconciling.lane import Lane
from tests.support.thorough import THOROUGH, some_of

pytestmark = pytest.mark.slow

BYTES = 1_000_000 if THOROUGH else 300_000
COLUMNS = 10
ALL_FAMILIES: dict[str, Callable[[int], str]] = {
    "digits": lambda at: "1" * 40,
    "long digits": lambda at: "1" * 5000,
    "amounts": lambda at: f"{at % 997}.{at % 100:02d}",
    "one amount": lambda at: "10.00",
    "separators": lambda at: "1.1,1'1" * 8,
    "spaced amounts": lambda at: ("1", "234")[at % 2],
    "dashes": lambda at: "-" * 20,
    "dots": lambda at: "." * 200,
    "captions": lambda at: ("Total", "Invoice", "No.", "Date:", "VAT", "Due")[at % 6],
    "dates": lambda at: f"{at % 28 + 1:02d}.{at % 12 + 1:02d}.2024",
    "slashes": lambda at: "1/2/" * 10,
    "letters": lambda at: "a" * 30,
    "long letters": lambda at: "a" * 5000,
    "companies": lambda at: ("Akme", "Ltd", "GmbH")[at % 3],
    "rates": lambda at: f"{at % 30}%",
    "money": lambda at: ("EUR", "\N{EURO SIGN}", "12.00")[at % 3],
    "numbers of pages": lambda at: ("Page", "1", "of", "9")[at % 4],
    "rows": lambda at: ("Item", "2", "x", "5.00", "10.00")[at % 5],
    "misread digits": lambda at: "O1l" * 15,
    "registration numbers": lambda at: "DE123456789",
    "colons": lambda at: "a:" * 20,
}
FAMILIES = some_of(ALL_FAMILIES)


def hostile(word: Callable[[int], str]) -> LabelledPages:
    """One long page, to whose words both models give every label a little."""
    texts: list[str] = []
    size = 0
    while size < BYTES:
        texts.append(word(len(texts)))
        size += len(texts[-1]) + 1
    rows = len(texts) // COLUMNS + 1
    words = tuple(_placed(text, at, rows) for at, text in enumerate(texts))
    scores = np.random.default_rng(1).random((len(texts), len(TAGS)), dtype=np.float32)
    reading = Reading("test", TAGS, (PageReading(scores / scores.sum(axis=1, keepdims=True)),))
    return LabelledPages(pack(Document((Page(1, 595.0, 842.0, words),))), (reading,), (reading,))


def _placed(text: str, at: int, rows: int) -> Word:
    x, y = at % COLUMNS / COLUMNS, at // COLUMNS / rows
    return Word(text, Box(x, y, x + 0.08, y + 0.8 / rows))


@pytest.mark.parametrize("word", FAMILIES.values(), ids=FAMILIES)
async def test_it_ends_within_its_budget(word: Callable[[int], str]) -> None:
    lane = Lane(Calibrations(UNFITTED), max_seconds=600, budget=Budget(1, 1))
    try:
        (found,) = await asyncio.gather(lane.reconcile(hostile(word)), return_exceptions=True)
    finally:
        lane.close()
    if isinstance(found, Reconciled):
        assert found.sections
        return
    assert isinstance(found, DocumentError)
    assert found.code is FailureCode.DOCUMENT_TOO_LARGE
    assert "2 seconds of processor time (1 page)" in found.message
