"""An accepted document is safe; a refused one leaves nothing behind."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.errors import (
    FileTooLarge,
    MissingFile,
    QuotaReached,
    ServiceError,
    StoreUnreachable,
    Unavailable,
    UnsupportedFileType,
)
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Source, Status
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.intake.submit import DocumentIntake, Upload, clean_name
from serve_app.services.tasks.wake import Wake
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.support import MONTH, NOON, PDF_BYTES, Clock, FakeNotifier, claim_next
from tests.support.until import until

WEBP_BYTES = b"RIFF\x1c\0\0\0WEBPVP8 " + bytes(16)


def stored(settings: Settings) -> list[Path]:
    assert settings.files_folder is not None
    return [path for path in settings.files_folder.rglob("*") if path.is_file()]


@pytest.fixture
def notifier() -> FakeNotifier:
    return FakeNotifier()


@pytest.fixture
def intake(store: Store, files: Files, notifier: FakeNotifier) -> DocumentIntake:
    return DocumentIntake(
        store.intake, MonthlyLimits(UsageService(store.quotas)), files, Wake(notifier), max_bytes=100, clock=Clock()
    )


def upload(data: bytes = PDF_BYTES, name: str | None = "a.pdf") -> Upload:
    return Upload(data, name, Source.EMAIL)


async def test_bytes_row_and_unit_are_kept(
    intake: DocumentIntake, store: Store, files: Files, account: Account, notifier: FakeNotifier
) -> None:
    invoice = await intake.submit(account, upload(), new_id())
    assert (invoice.status, invoice.source, invoice.created_at) == (Status.QUEUED, Source.EMAIL, NOON)
    assert invoice.file.model_dump() == {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": len(PDF_BYTES)}
    claim = await claim_next(store)
    assert claim.invoice.id == invoice.id
    assert await files.read(claim.file_key) == PDF_BYTES
    assert await store.quotas.used(account.id, MONTH) == 1
    assert notifier.calls == 1


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", MissingFile),
        (b"%PDF-" + bytes(96), FileTooLarge),
        (b"just text", UnsupportedFileType),
        (WEBP_BYTES, UnsupportedFileType),
    ],
)
async def test_a_refused_document_leaves_nothing(
    intake: DocumentIntake, store: Store, settings: Settings, account: Account, data: bytes, error: type[ServiceError]
) -> None:
    with pytest.raises(error):
        await intake.submit(account, upload(data), new_id())
    assert stored(settings) == []
    assert await store.quotas.used(account.id, MONTH) == 0


async def test_xml_comes_in_through_the_api_only_if_the_operator_allows_it(
    store: Store, files: Files, account: Account, intake: DocumentIntake
) -> None:
    xml = b'<?xml version="1.0"?><Invoice/>'
    permitting = DocumentIntake(
        store.intake, MonthlyLimits(UsageService(store.quotas)), files, Wake(FakeNotifier()), 100, accepts_xml=True
    )
    with pytest.raises(UnsupportedFileType):
        await intake.submit(account, Upload(xml, "a.xml", Source.API), new_id())
    for permitted, source in ((intake, Source.APP), (intake, Source.EMAIL), (permitting, Source.API)):
        invoice = await permitted.submit(account, Upload(xml, "a.xml", source), new_id())
        assert invoice.file.mime_type == "application/xml"


async def test_the_type_message_lists_what_is_supported(intake: DocumentIntake, account: Account) -> None:
    with pytest.raises(ServiceError, match="PDF, JPEG, PNG, HEIC, HTML"):
        await intake.submit(account, upload(b"x", "really.pdf"), new_id())


async def test_exactly_the_largest_size_passes(intake: DocumentIntake, account: Account) -> None:
    invoice = await intake.submit(account, upload(b"%PDF-" + bytes(95)), new_id())
    assert invoice.file.size_bytes == 100


async def test_at_the_quota_nothing_is_kept(intake: DocumentIntake, settings: Settings, account: Account) -> None:
    for _ in range(10):
        await intake.submit(account, upload(), new_id())
    with pytest.raises(QuotaReached):
        await intake.submit(account, upload(), new_id())
    assert len(stored(settings)) == 10


async def test_a_lost_store_leaves_no_bytes(
    intake: DocumentIntake, store: Store, settings: Settings, account: Account
) -> None:
    await store.connection.close()
    with pytest.raises(Exception, match="shutdown"):
        await intake.submit(account, upload(), new_id())
    assert stored(settings) == []


@pytest.mark.parametrize("lost", ["queueing", "writing"])
async def test_a_unit_that_a_busy_store_could_not_take_back_is_given_back_soon(
    store: Store, files: Files, account: Account, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """The store, or that of files, fails at the last step, and the store still does at the first try to clean up."""
    answers = asyncio.Event()

    async def broken(*_: object) -> Any:
        raise StoreUnreachable

    async def sleep(_: float) -> None:
        await answers.wait()

    limits, wake = MonthlyLimits(UsageService(store.quotas)), Wake(FakeNotifier())
    intake = DocumentIntake(store.intake, limits, files, wake, max_bytes=100, sleep=sleep)
    with monkeypatch.context() as patch:
        patch.setattr(store.intake, "give_up", broken)
        if lost == "queueing":
            patch.setattr(store.intake, "add", broken)
        else:
            patch.setattr(files, "write", broken)
        with pytest.raises(Unavailable):
            await intake.submit(account, upload(), new_id())
    month = month_start(utc_now())
    assert await store.quotas.used(account.id, month) == 1
    answers.set()

    async def is_given_back() -> bool:
        return await store.quotas.used(account.id, month) == 0

    await until(is_given_back)


async def test_a_deaf_dispatcher_does_not_matter(store: Store, files: Files, account: Account) -> None:
    def fail() -> None:
        raise ConnectionError("gone")

    intake = DocumentIntake(
        store.intake, MonthlyLimits(UsageService(store.quotas)), files, Wake(FakeNotifier(fail)), max_bytes=100
    )
    await intake.submit(account, upload(), new_id())


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a.pdf", "a.pdf"),
        ("C:\\scans\\a.pdf", "a.pdf"),
        ("../../etc/a.pdf", "a.pdf"),
        ("Müller \U0001f4c4.pdf", "Müller \U0001f4c4.pdf"),
        ("a\r\nb\x00.pdf", "ab.pdf"),
        ("x" * 300, "x" * 255),
        ("x" * 300 + ".pdf", "x" * 251 + ".pdf"),
        ("x" * 251 + ".jpeg", "x" * 250 + ".jpeg"),
        ("x." + "y" * 300, "x." + "y" * 253),
        ('the "blue" one\'s.pdf', 'the "blue" one\'s.pdf'),
        ("", None),
        ("/", None),
        (".", None),
        ("..", None),
        ("scans/..", None),
        ("C:\\scans\\..", None),
        (" .\x00. ", None),
        ("..pdf", "..pdf"),
        (None, None),
    ],
)
def test_names_are_shown_but_never_trusted(given: str | None, kept: str | None) -> None:
    assert clean_name(given) == kept
