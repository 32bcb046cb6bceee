"""Long documents are read a few pages at a time, whatever happens to their readers."""

import asyncio
from dataclasses import replace

import pytest

from serve_app.documents.packing import unpack
from serve_app.domain.account import Account
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.packed import PagesRead
from serve_app.domain.record import InvoiceRecord, pages_key_of
from serve_app.domain.usage import ComputeTime
from serve_app.services.ports import Pages, TransientError
from serve_app.services.processing.kept_pages import KeptPages
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.reading import PagedReading, ReadingLimits
from serve_app.store.base import Files
from tests.support import DOCUMENT, FakeReader, make_record

LONG = Document(tuple(replace(DOCUMENT.pages[0], number=number, width=100.0 + number) for number in range(1, 31)))
LIMITS = ReadingLimits(max_words=1000, max_seconds=100, retry_seconds=1)


@pytest.fixture
def claim(account: Account) -> InvoiceRecord:
    return replace(make_record(account.id), attempt=1)


def paged(reader: FakeReader, limits: ReadingLimits = LIMITS, places: int = 4) -> PagedReading:
    return PagedReading(reader, limits, places, LongRuns(8))


async def is_kept(files: Files, claim: InvoiceRecord) -> bool:
    try:
        await files.read(pages_key_of(claim.account_id, claim.invoice.id))
    except FileNotFoundError:
        return False
    return True


async def test_a_short_document_is_one_call_and_nothing_is_kept(files: Files, claim: InvoiceRecord) -> None:
    reader, kept = FakeReader(), KeptPages(files, claim, keep_seconds=0)
    assert unpack((await paged(reader).read(claim, kept)).packets) == DOCUMENT
    assert len(reader.keys) == 1
    await kept.flush()
    assert not await is_kept(files, claim)


@pytest.mark.parametrize("size", [1, 4, 29])
async def test_a_long_document_is_the_same_as_from_one_call(files: Files, claim: InvoiceRecord, size: int) -> None:
    reader = FakeReader(LONG, slice_pages=size)
    assert unpack((await paged(reader).read(claim, KeptPages(files, claim))).packets) == LONG
    assert sorted(reader.numbers_read) == list(range(1, 31))


async def test_a_lost_reader_costs_its_own_pages_only(
    files: Files, claim: InvoiceRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.processing.retry._FIRST_DELAYS", (0.01,))

    class Dying(FakeReader):
        async def read(
            self, file_key: str, part: Pages | None = None, numbers: tuple[int, ...] | None = None, delay: float = 0.0
        ) -> PagesRead:
            await asyncio.sleep(0)
            read = await super().read(file_key, part, numbers, delay)
            if self.numbers_read.count(7) == 1 and numbers == (7,):
                raise TransientError("the reader died")
            return read

    reader = Dying(LONG, slice_pages=1)
    assert unpack((await paged(reader).read(claim, KeptPages(files, claim))).packets) == LONG
    assert sorted(reader.numbers_read) == sorted([*range(1, 31), 7])


async def test_the_next_run_reads_only_what_is_missing(files: Files, claim: InvoiceRecord) -> None:
    async def lost_at_page_20() -> None:
        if len(reader.numbers_read) == 20:
            raise TransientError("no reader")

    reader, kept = FakeReader(LONG, 1, lost_at_page_20, spent=ComputeTime(0.5)), KeptPages(files, claim)
    with pytest.raises(TransientError):
        await paged(reader, replace(LIMITS, retry_seconds=0), places=1).read(claim, kept)
    await kept.flush()
    again, reader = replace(claim, attempt=2), FakeReader(LONG, slice_pages=1)
    kept = KeptPages(files, again)
    read = await paged(reader).read(again, kept)
    assert unpack(read.packets) == LONG
    # What the earlier run spent on them counts.
    assert read.spent == ComputeTime(10.0)
    assert len(reader.numbers_read) == 10
    await kept.discard()
    assert not await is_kept(files, claim)


async def test_pages_are_written_while_others_are_read(files: Files, claim: InvoiceRecord) -> None:
    async def look() -> None:
        await asyncio.sleep(0.01)
        seen.append(await is_kept(files, claim))

    seen: list[bool] = []
    kept = KeptPages(files, claim, keep_seconds=0.02)
    await paged(FakeReader(LONG, 1, look)).read(claim, kept)
    assert seen[-1]
    await kept.discard()
    assert not await is_kept(files, claim)


async def test_a_re_extraction_reads_again(files: Files, claim: InvoiceRecord) -> None:
    kept = KeptPages(files, claim)
    await paged(FakeReader(LONG, slice_pages=1)).read(claim, kept)
    await kept.flush()
    assert await KeptPages(files, replace(claim, attempt=2)).load() is not None
    assert await KeptPages(files, replace(claim, attempt=3, runs=2)).load() is None


async def test_pages_that_are_damaged_are_read_again(files: Files, claim: InvoiceRecord) -> None:
    await files.write(pages_key_of(claim.account_id, claim.invoice.id), b"no pages")
    assert await KeptPages(files, replace(claim, attempt=2)).load() is None


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (replace(LIMITS, max_words=20), FailureCode.DOCUMENT_TOO_LARGE),
        (replace(LIMITS, max_seconds=-1), FailureCode.DOCUMENT_UNREADABLE),
    ],
)
async def test_the_limits_are_those_of_the_whole_document(
    files: Files, claim: InvoiceRecord, limits: ReadingLimits, code: FailureCode
) -> None:
    reader = FakeReader(LONG, 1, lambda: asyncio.sleep(0))
    with pytest.raises(DocumentError) as caught:
        await paged(reader, limits).read(claim, KeptPages(files, claim))
    assert caught.value.code is code
    assert len(reader.numbers_read) < 30


async def test_other_accounts_pages_come_in_between(files: Files, claim: InvoiceRecord) -> None:
    other = make_record(claim.invoice.id)
    read: list[str] = []

    class Watched(FakeReader):
        async def read(
            self, file_key: str, part: Pages | None = None, numbers: tuple[int, ...] | None = None, delay: float = 0.0
        ) -> PagesRead:
            await asyncio.sleep(0.001)
            read.append(file_key)
            return await super().read(file_key, part, numbers, delay)

    reading = paged(Watched(LONG, slice_pages=1), places=2)
    first = asyncio.create_task(reading.read(claim, KeptPages(files, claim)))
    await asyncio.sleep(0.02)
    begun = len(read)
    await asyncio.gather(first, reading.read(other, KeptPages(files, other)))
    last = len(read) - 1 - read[::-1].index(other.file_key)
    between = read[begun : last + 1].count(claim.file_key)
    # The long document that came first had at most every second turn meanwhile.
    assert between <= 32
