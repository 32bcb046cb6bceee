"""A page of hostile text ends within its budget: with invoices, or with a failure that says why."""

import asyncio
from collections.abc import Iterator

import pytest

from serve_app.domain.batch import Reconciled
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.budget import Budget
from serve_app.reconciling.lane import Lane
from tests.support.hostile_text import FAMILIES, LAYOUTS, Family, hostile_page
from tests.support.thorough import THOROUGH, some_of

pytestmark = pytest.mark.slow

BYTES = 1_000_000 if THOROUGH else 300_000
SOME = some_of(FAMILIES)


@pytest.fixture(scope="module")
def lane() -> Iterator[Lane]:
    lane = Lane(Calibrations(UNFITTED), max_seconds=600, budget=Budget(1, 1))
    yield lane
    lane.close()


@pytest.mark.parametrize("word", SOME.values(), ids=SOME)
async def test_it_ends_within_its_budget(lane: Lane, word: Family) -> None:
    (found,) = await asyncio.gather(
        lane.reconcile(hostile_page(word, BYTES, LAYOUTS["a grid"])), return_exceptions=True
    )
    if isinstance(found, Reconciled):
        assert found.sections
        return
    assert isinstance(found, DocumentError)
    assert found.code is FailureCode.DOCUMENT_TOO_LARGE
    assert "2 seconds of processor time (1 page)" in found.message
