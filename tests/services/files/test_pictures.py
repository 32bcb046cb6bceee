"""Pictures of pages: drawn once, kept beside the document and deleted with it."""

from dataclasses import dataclass, field

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.errors import InvoiceNotFound, PartNotFound
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Invoice
from serve_app.domain.record import InvoiceRecord, pictures_key_of
from serve_app.services.files.pictures import PagePictures
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.store.base import Files, Store
from tests.support import NOON, PDF_BYTES, FakeCutter, claim_next, queue_new


@dataclass
class Artist(FakeCutter):
    """Counts what it draws; `meanwhile` happens while it does."""

    drawn: list[int] = field(default_factory=list)
    meanwhile: InvoiceRecord | None = None
    eraser: InvoiceEraser | None = None

    async def show(self, data: bytes, page: int) -> bytes:
        self.drawn.append(page)
        if self.eraser and self.meanwhile:
            await self.eraser.remove(self.meanwhile)
        return await super().show(data, page)


@pytest.fixture
def artist() -> Artist:
    return Artist()


@pytest.fixture
def pictures(store: Store, files: Files, artist: Artist) -> PagePictures:
    return PagePictures(store.invoices, files, artist)


async def make(store: Store, files: Files, account: Account, sections: list[Section]) -> list[Invoice]:
    """The invoices of one file."""
    record = await queue_new(store, account.id)
    await files.write(record.file_key, PDF_BYTES)
    claim = await claim_next(store)
    first, siblings = records_of(claim, sections, NOON)
    saved = await store.queue.save_result(claim, first, NOON, siblings)
    assert saved is not None
    return [saved, *(sibling.invoice for sibling in siblings)]


async def test_a_page_is_drawn_once_and_kept(
    store: Store, files: Files, account: Account, pictures: PagePictures, artist: Artist
) -> None:
    (invoice,) = await make(store, files, account, [Section(1, 3, Extraction(pages=3))])
    first = await pictures.get(account.id, invoice.id, 3)
    assert first == await pictures.get(account.id, invoice.id, 3)
    assert b"page 3" in first
    assert artist.drawn == [3]


async def test_the_pages_of_a_part_are_its_own(
    store: Store, files: Files, account: Account, pictures: PagePictures, artist: Artist
) -> None:
    sections = [Section(1, 1, Extraction(pages=1)), Section(2, 3, Extraction(pages=2))]
    _, part = await make(store, files, account, sections)
    assert b"page 2" in await pictures.get(account.id, part.id, 1)
    assert b"page 3" in await pictures.get(account.id, part.id, 2)
    for number in (0, -1, 3):
        with pytest.raises(PartNotFound):
            await pictures.get(account.id, part.id, number)
    assert artist.drawn == [2, 3]


async def test_others_get_no_picture(store: Store, files: Files, account: Account, pictures: PagePictures) -> None:
    (invoice,) = await make(store, files, account, [Section(1, 1, Extraction(pages=1))])
    for account_id, invoice_id in ((new_id(), invoice.id), (account.id, new_id())):
        with pytest.raises(InvoiceNotFound):
            await pictures.get(account_id, invoice_id, 1)


async def test_pictures_are_deleted_with_the_last_invoice_of_their_file(
    store: Store, files: Files, account: Account, pictures: PagePictures
) -> None:
    sections = [Section(1, 1, Extraction(pages=1)), Section(2, 2, Extraction(pages=1))]
    made = await make(store, files, account, sections)
    record = await store.invoices.find_record(account.id, made[0].id)
    assert record is not None
    for invoice in made:
        await pictures.get(account.id, invoice.id, 1)
    eraser, key = InvoiceEraser(store, files), pictures_key_of(record.file_key)
    await eraser.erase(account.id, made[0].id)
    assert await files.read(f"{key}/1")
    await eraser.erase(account.id, made[1].id)
    for page in (1, 2):
        with pytest.raises(FileNotFoundError):
            await files.read(f"{key}/{page}")


async def test_no_picture_stays_of_what_is_deleted_while_it_is_drawn(
    store: Store, files: Files, account: Account, pictures: PagePictures, artist: Artist
) -> None:
    (invoice,) = await make(store, files, account, [Section(1, 1, Extraction(pages=1))])
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    artist.meanwhile, artist.eraser = record, InvoiceEraser(store, files)
    await pictures.get(account.id, invoice.id, 1)
    with pytest.raises(FileNotFoundError):
        await files.read(f"{pictures_key_of(record.file_key)}/1")
