"""Documents go before the values that were read in them, and nothing asks for them afterwards."""

from datetime import timedelta

import pytest

from serve_app.domain.erased import Erased
from serve_app.domain.errors import DocumentGone, StoreUnreachable
from serve_app.domain.record import first_of
from serve_app.domain.retention import Removal, Retention
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.files.links import FileLinks
from serve_app.services.files.pictures import PagePictures
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.retention.documents import OldDocuments
from serve_app.services.retention.rounds import RetentionRounds
from serve_app.services.review.evidence import NOTHING_SEEN, evidence_of
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.verification import Verification
from serve_app.store.base import Files, Store
from tests.support import MONTH, NOON, Clock, FakeCutter, FakeNotifier, queue_new
from tests.support.sound import Scene, make_scene

LATER = NOON + timedelta(seconds=1)


@pytest.fixture
async def scene(store: Store, files: Files) -> Scene:
    """Three documents, one of them of two invoices."""
    return await make_scene(store, files)


@pytest.fixture
def documents(store: Store, files: Files, clock: Clock) -> OldDocuments:
    return OldDocuments(store, files, clock)


@pytest.fixture
def invoices(store: Store, files: Files, clock: Clock) -> InvoiceService:
    return InvoiceService(
        store.invoices,
        store.intake,
        MonthlyLimits(UsageService(store.quotas)),
        InvoiceEraser(store, files, clock),
        Wake(FakeNotifier()),
        clock,
    )


async def test_documents_go_with_pictures_and_evidence_and_values_stay(
    documents: OldDocuments, scene: Scene, store: Store, files: Files, verification: Verification
) -> None:
    await documents.remove(scene.account.id, LATER)
    assert [file.key async for file in files.list_all()] == []
    record = await store.invoices.find_record(scene.account.id, scene.first.invoice.id)
    assert record is not None
    assert (record.document_gone_at, record.invoice.vendor_name) == (NOON, "Acme Ltd")
    assert await evidence_of(files, record) == NOTHING_SEEN
    (receipt,) = await store.retention.receipts(10)
    assert (receipt.why, receipt.erased) == (Removal.DOCUMENTS, Erased(files=3))
    assert await verification.of_account(scene.account.id) == []


async def test_what_needs_the_document_says_that_it_was_removed(
    documents: OldDocuments, scene: Scene, store: Store, files: Files, clock: Clock, invoices: InvoiceService
) -> None:
    account_id, invoice_id = scene.account.id, scene.first.invoice.id
    pictures = PagePictures(store.invoices, files, FakeCutter())
    links = FileLinks(store.invoices, files, FakeCutter(), "k" * 40, clock)
    await documents.remove(account_id, LATER)
    with pytest.raises(DocumentGone):
        await invoices.with_document(account_id, invoice_id)
    with pytest.raises(DocumentGone):
        await links.download(account_id, invoice_id, whole=True)
    with pytest.raises(DocumentGone):
        await pictures.get(account_id, invoice_id, 1)
    with pytest.raises(DocumentGone):
        await invoices.read_again(scene.account, invoice_id, force=True)
    assert (await invoices.get(account_id, invoice_id)).status == "complete"


async def test_an_extraction_that_was_asked_for_meanwhile_is_not_queued(
    documents: OldDocuments, scene: Scene, store: Store
) -> None:
    invoice = await store.invoices.get(scene.account.id, scene.first.invoice.id)
    assert invoice is not None
    await documents.remove(scene.account.id, LATER)
    assert await store.intake.rerun(invoice, scene.account.id, MONTH, None) is None


async def test_a_document_that_is_to_be_read_stays_with_all_that_came_after_it(
    documents: OldDocuments, scene: Scene, store: Store, files: Files, invoices: InvoiceService
) -> None:
    (second,) = [
        record
        for record in await store.erasure.next_invoices(scene.account.id, 10)
        if record.file_key == scene.first.file_key and record.invoice.id != first_of(record.file_key)
    ]
    await invoices.read_again(scene.account, second.invoice.id, force=True)
    before = {file.key async for file in files.list_all()}
    await documents.remove(scene.account.id, LATER)
    assert {file.key async for file in files.list_all()} >= {scene.first.file_key}
    assert {file.key async for file in files.list_all()} == before


async def test_young_documents_stay_and_a_second_round_does_nothing(
    documents: OldDocuments, scene: Scene, store: Store, files: Files
) -> None:
    young = await queue_new(store, scene.account.id, LATER)
    await files.write(young.file_key, b"young")
    await documents.remove(scene.account.id, LATER)
    assert [file.key async for file in files.list_all()] == [young.file_key]
    receipts = await store.retention.receipts(10)
    await documents.remove(scene.account.id, LATER)
    assert await store.retention.receipts(10) == receipts


@pytest.mark.parametrize("step", ["note_document_gone", "documents_gone_until"])
async def test_a_round_that_is_cut_off_is_taken_up_where_it_was(
    documents: OldDocuments, scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    work = getattr(type(store.retention), step)

    async def once(*arguments: object) -> None:
        await work(*arguments)
        raise StoreUnreachable

    with monkeypatch.context() as killed:
        killed.setattr(type(store.retention), step, once)
        with pytest.raises(StoreUnreachable):
            await documents.remove(scene.account.id, LATER)
    await documents.remove(scene.account.id, LATER)
    assert [file.key async for file in files.list_all()] == []


@pytest.mark.parametrize("store_kind", ["sqlite", "mongomock"])
async def test_an_account_may_have_a_rule_of_its_own(scene: Scene, store: Store, files: Files, clock: Clock) -> None:
    clock.now = NOON + timedelta(days=31)
    await store.retention.set_rule(scene.account.id, Retention(documents_days=60))
    rounds = Retention(documents_days=30)
    await RetentionRounds(store, files, rounds, clock).run()
    assert await store.retention.receipts(10) == []
    await store.retention.set_rule(scene.account.id, Retention())
    await RetentionRounds(store, files, rounds, clock).run()
    assert [file.key async for file in files.list_all()] == []
    # How far it came stays when the rule changes.
    await store.retention.set_rule(scene.account.id, Retention(documents_days=1))
    assert await store.retention.oldest_with_documents(scene.account.id, 10) == []
