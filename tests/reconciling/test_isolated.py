"""Reconciling in a process that can be stopped."""

import asyncio
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import psutil
import pytest

from serve_app.documents.packing import pack
from serve_app.domain.document import Document, TextSource
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Confidence, FailureCode, Field
from serve_app.domain.packed import LabelledPages
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.extraction.sections import extract_one, extract_sections
from serve_app.reconciling.budget import Budget
from serve_app.reconciling.isolated import LONG_WORDS, IsolatedReconciler
from serve_app.reconciling.lane import Lane, ProcessLost
from serve_app.reconciling.reconcile import reconcile
from tests.extraction.pages import document_of, reading_of

PAGES = [
    "Akme|SELLER Ltd|SELLER",
    "Invoice No. INV-42|INVOICE_NUMBER",
    "Net £50.00|SUBTOTAL",
    "VAT £10.00|TAX",
    "Total £60.00|TOTAL",
]
PAGE = ["Akme|SELLER Ltd|SELLER", "Invoice No. INV-42|INVOICE_NUMBER", "Total £60.00|TOTAL"]


def labelled(document: Document | None = None, is_part: bool = False) -> LabelledPages:
    reading = reading_of(PAGE)
    return LabelledPages(pack(document or document_of(PAGE)), (reading,), (reading,), is_part)


@cache
def endless() -> LabelledPages:
    """A document that takes minutes: a table of many thousand numbers."""
    lines = [[f"{row}|LINE_QUANTITY {row}.00|LINE_TOTAL"] * 40 for row in range(3000)]
    pages = [[" ".join(line) for line in lines[start : start + 500]] for start in range(0, 3000, 500)]
    reading = reading_of(*pages)
    return LabelledPages(pack(document_of(*pages)), (reading,), (reading,))


@cache
def hostile() -> LabelledPages:
    """One page of long rows of digits, each of which may be an amount."""
    lines = [" ".join([f"{'1' * 40}|TOTAL {'1' * 39}2|LINE_TOTAL"] * 10) for _ in range(1000)]
    reading = reading_of(lines)
    return LabelledPages(pack(document_of(lines)), (reading,), (reading,))


@pytest.fixture(scope="module")
def lane() -> Iterator[Lane]:
    lane = Lane(Calibrations(UNFITTED), max_seconds=600)
    yield lane
    lane.close()


async def test_it_finds_what_extraction_finds(lane: Lane) -> None:
    reading = reading_of(PAGE)
    for is_part, extract in ((False, extract_sections), (True, extract_one)):
        found, seconds, cpu_seconds = await lane.reconcile(labelled(is_part=is_part))
        assert seconds > 0
        assert cpu_seconds > 0
        assert found == extract(document_of(PAGE), reading, reading, UNFITTED.without_high())


async def test_the_time_limit_ends_the_work() -> None:
    lane = Lane(Calibrations(UNFITTED), max_seconds=6)
    try:
        await lane.reconcile(labelled())
        process = psutil.Process(lane.pid)
        # As if it worked for ever, and without the CPU time of that.
        process.suspend()
        with pytest.raises(DocumentError, match="longer than 6 seconds") as caught:
            await lane.reconcile(labelled())
        assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE
        assert not process.is_running()
        # The next document has a process again.
        assert (await lane.reconcile(labelled())).sections
    finally:
        lane.close()


async def test_a_page_that_takes_too_much_cpu_is_reported_as_such() -> None:
    """Long before the time limit, and only this document."""
    lane = Lane(Calibrations(UNFITTED), max_seconds=600, budget=Budget(1, 1))
    try:
        await lane.reconcile(labelled())
        before = lane.pid
        with pytest.raises(DocumentError, match=r"2 seconds of processor time \(1 page\)") as caught:
            await lane.reconcile(hostile())
        assert caught.value.code is FailureCode.DOCUMENT_TOO_LARGE
        assert (await lane.reconcile(labelled())).sections
        assert lane.pid != before
    finally:
        await asyncio.to_thread(lane.close)


async def test_cpu_of_earlier_documents_does_not_count(lane: Lane) -> None:
    pid = None
    for _ in range(30):
        assert (await lane.reconcile(labelled())).sections
        assert pid in (None, lane.pid)
        pid = lane.pid


async def test_a_call_that_nobody_waits_for_is_stopped(lane: Lane) -> None:
    await lane.reconcile(labelled())
    process = psutil.Process(lane.pid)
    call = asyncio.create_task(lane.reconcile(endless()))
    await asyncio.sleep(0.5)
    call.cancel()
    # Long before the lane's own limit.
    async with asyncio.timeout(100):
        assert (await lane.reconcile(labelled())).sections
    assert not process.is_running()


async def test_a_lost_process_is_an_error_and_replaced(lane: Lane) -> None:
    await lane.reconcile(labelled())
    assert lane.pid is not None
    call = asyncio.create_task(lane.reconcile(endless()))
    await asyncio.sleep(0.5)
    os.kill(lane.pid, signal.SIGKILL)
    with pytest.raises(ProcessLost):
        await call
    assert (await lane.reconcile(labelled())).sections


async def test_an_error_of_the_work_is_raised_as_it_is(lane: Lane) -> None:
    with pytest.raises(ValueError, match="reading covers"):
        await lane.reconcile(labelled(document_of(PAGE, PAGE)))


async def test_a_short_document_does_not_wait_for_a_long_one() -> None:
    reconciler = IsolatedReconciler(Calibrations(UNFITTED), max_seconds=60)
    try:
        long = endless()
        assert long.words > LONG_WORDS
        call = asyncio.create_task(reconciler.reconcile(long))
        await asyncio.sleep(0.2)
        assert await reconciler.reconcile(labelled())
        assert not call.done()
    finally:
        await asyncio.to_thread(reconciler.close)
    with pytest.raises(ProcessLost):
        await call


def test_levels_follow_the_target_of_the_document() -> None:
    """Where a target was not fitted, nothing is `high`; each invoice says which one it was."""
    one, other = (reading_of(PAGES, revision=name) for name in ("a", "b"))
    low = {field: part.model_copy(update={"high": 0.0}) for field, part in UNFITTED.fields.items()}
    fitted = UNFITTED.bound_to(one.model, other.model).model_copy(update={"fields": low})
    found = {}
    for target in TargetPrecision:
        labelled = LabelledPages(pack(document_of(PAGES)), (one,), (other,), True, target)
        (section,) = reconcile(labelled, Calibrations(fitted))
        assert section.extraction.target_precision is target
        found[target] = (section.extraction.field_confidence or {})[Field.AMOUNT]
    assert list(found.values()) == [Confidence.HIGH, Confidence.MID, Confidence.MID]


def test_pages_that_ocr_read_are_counted() -> None:
    document, reading = document_of(PAGE, PAGE), reading_of(PAGE, PAGE)
    document = Document((document.pages[0], replace(document.pages[1], source=TextSource.OCR)))
    for is_part, expected in ((False, 1), (True, 1)):
        pages = LabelledPages(pack(document), (reading,), (reading,), is_part)
        assert sum(section.ocr_pages for section in reconcile(pages, Calibrations(UNFITTED))) == expected
