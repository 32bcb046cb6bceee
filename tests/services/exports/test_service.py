"""Exports are made of what is ready, once, and say why the rest is not."""

import hashlib
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import ExportNotFound, InvalidParameter, InvoiceNotFound, NothingToExport
from serve_app.domain.export import ExportFormat
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Extraction, Invoice
from serve_app.domain.record import Amendment, file_key_of
from serve_app.services.exports.documents import write_documents
from serve_app.services.exports.service import ExportRequest, ExportService
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Files, Store
from tests.services.exports.bills import read_invoice
from tests.services.exports.readers import read_extf
from tests.support import NOON, PDF_BYTES, Clock
from tests.support.mails import complete_invoice

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
DATEV = {
    **{"consultant": 1001, "client": 1, "expense_account": "4980", "vendor_account": "70001"},
    "tax_codes": {"19": "9", "7": "8"},
}


@pytest.fixture
def store_kind() -> str:
    return "sqlite"


@pytest.fixture
def service(store: Store, clock: Clock) -> ExportService:
    return ExportService(store.exports, store.invoices, store.own_fields, AuditTrail(store.audit, clock), clock)


async def add(store: Store, account: Account, level: Confidence = Confidence.HIGH, **other: Any) -> Invoice:
    """A complete invoice that was read like this."""
    read = read_invoice(level, **other)
    values = {name: getattr(read, name) for name in Extraction.model_fields}
    return await complete_invoice(store, account.id, Extraction.model_validate(values))


def request(**other: Any) -> ExportRequest:
    return ExportRequest(**({"format": ExportFormat.DATEV, "settings": DATEV} | other))


class TestCreate:
    async def test_it_contains_what_is_ready_and_locks_it(
        self, service: ExportService, store: Store, account: Account
    ) -> None:
        ready = await add(store, account)
        unsure = await add(store, account, Confidence.MID, number="8")
        export, draft = await service.create(account.id, request(), ANN)
        assert export.invoices == (ready.id,)
        assert [(refused.invoice.id, refused.reason) for refused in draft.refused] == [
            (unsure.id, "nobody has confirmed or approved it")
        ]
        _, content = await service.content(account.id, export.id)
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (export.sha256, export.size_bytes)
        assert len(read_extf(content)[1]) == 2
        assert export.file_name == "EXTF_Buchungsstapel_20260517_120007.csv"
        assert (export.created_by, export.settings) == ("ann@example.com", DATEV)
        found = await store.invoices.get(account.id, ready.id)
        assert found is not None
        assert found.export_id == export.id
        (entry,) = await store.audit.of_target(account.id, str(export.id), 5)
        assert (entry.action, entry.details["invoices"]) == ("export.made", "1")

    async def test_the_next_export_contains_only_what_came_since(
        self, service: ExportService, store: Store, account: Account
    ) -> None:
        await add(store, account)
        await service.create(account.id, request(), ANN)
        with pytest.raises(NothingToExport, match="All complete invoices of this period were exported"):
            await service.create(account.id, request(), ANN)
        second = await add(store, account, number="8")
        export, _ = await service.create(account.id, request(), ANN)
        assert export.invoices == (second.id,)

    async def test_some_are_exported_again_on_purpose(
        self, service: ExportService, store: Store, account: Account
    ) -> None:
        invoice = await add(store, account)
        first, _ = await service.create(account.id, request(), ANN)
        with pytest.raises(NothingToExport, match="it was exported already"):
            await service.create(account.id, request(ids=(invoice.id,)), ANN)
        second, _ = await service.create(account.id, request(ids=(invoice.id,), is_repeated=True), ANN)
        assert second.invoices == first.invoices

    async def test_of_a_period(self, service: ExportService, store: Store, account: Account) -> None:
        may = await add(store, account)
        await add(store, account, number="8", issued_at=date(2026, 6, 1))
        export, _ = await service.create(account.id, request(since=date(2026, 5, 2), until=date(2026, 5, 31)), ANN)
        assert export.invoices == (may.id,)

    async def test_of_the_longest_period(self, service: ExportService, store: Store, account: Account) -> None:
        await add(store, account)
        draft = await service.preview(account.id, request(since=date.min, until=date.max))
        assert len(draft.bills) == 1

    async def test_wrong_settings_are_named(self, service: ExportService, account: Account) -> None:
        for settings, place in (({"client": 1}, "consultant"), (DATEV | {"colour": 1}, "colour")):
            with pytest.raises(InvalidParameter) as error:
                await service.preview(account.id, request(settings=settings))
            assert error.value.param == f"settings.{place}"

    async def test_several_fiscal_years_are_refused(
        self, service: ExportService, store: Store, account: Account
    ) -> None:
        await add(store, account)
        await add(store, account, number="8", issued_at=date(2025, 6, 1))
        with pytest.raises(InvalidParameter, match="one fiscal year"):
            await service.create(account.id, request(), ANN)
        assert (await service.list(account.id, 10)).items == ()

    async def test_a_change_meanwhile_is_seen(
        self, service: ExportService, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Between reading and storing, somebody marks the invoice as paid: it is read again."""
        invoice = await add(store, account)
        whole = service.preview

        async def interrupted(*arguments: Any) -> Any:
            draft = await whole(*arguments)
            if not draft_count:
                draft_count.append(1)
                await store.invoices.amend(account.id, invoice.id, Amendment(paid=True), NOON.replace(hour=13))
            return draft

        draft_count: list[int] = []
        monkeypatch.setattr(service, "preview", interrupted)
        export, draft = await service.create(account.id, request(), ANN)
        assert draft.seen[invoice.id] == NOON.replace(hour=13)
        assert export.invoices == (invoice.id,)


async def test_a_backlog_that_is_too_long_asks_for_a_period(
    service: ExportService, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.exports.service._MOST_LOOKED_AT", 2)
    monkeypatch.setattr("serve_app.services.exports.service._PAGE", 1)
    for number in "123":
        await add(store, account, Confidence.MID, number=number)
    with pytest.raises(InvalidParameter, match="Choose a period"):
        await service.create(account.id, request(), ANN)


async def test_documents_go_with_the_ids_that_bookings_link_to(
    service: ExportService, store: Store, files: Files, account: Account, tmp_path: Path
) -> None:
    first, second = await add(store, account), await add(store, account, number="8")
    await files.write(file_key_of(account.id, first.id), PDF_BYTES)
    export, _ = await service.create(account.id, request(), ANN)
    missing = await write_documents(tmp_path / "d.zip", export, store.invoices, files)
    assert missing == [second.id]
    with zipfile.ZipFile(tmp_path / "d.zip") as archive:
        assert archive.read(f"{first.id}.pdf") == PDF_BYTES
        root = ElementTree.fromstring(archive.read("document.xml"))  # noqa: S314
    space = "{http://xml.datev.de/bedi/tps/document/v06.0}"
    (document,) = root.findall(f"{space}content/{space}document")
    assert document.attrib == {"guid": str(first.id), "processID": "1", "type": "1"}
    (extension,) = document
    assert extension.attrib["name"] == f"{first.id}.pdf"
    assert root.findtext(f"{space}header/{space}date") == "2026-05-17T12:00:07"
    _, content = await service.content(account.id, export.id)
    assert {booking.values["Beleglink"] for booking in read_extf(content)[1]} == {
        f'BEDI "{invoice.id}"' for invoice in (first, second)
    }


class TestUnlock:
    async def test_the_next_export_contains_it_again(
        self, service: ExportService, store: Store, account: Account
    ) -> None:
        invoice = await add(store, account)
        await service.create(account.id, request(), ANN)
        assert (await service.unlock(account.id, invoice.id, ANN)).export_id is None
        entries = await store.audit.of_target(account.id, str(invoice.id), 5)
        assert [entry.action for entry in entries] == ["invoice.unlocked"]
        export, _ = await service.create(account.id, request(), ANN)
        assert export.invoices == (invoice.id,)

    async def test_an_unknown_one_is_not_found(self, service: ExportService, account: Account) -> None:
        with pytest.raises(InvoiceNotFound):
            await service.unlock(account.id, new_id(), ANN)


async def test_an_export_of_another_account_is_not_found(
    service: ExportService, store: Store, files: Files, account: Account
) -> None:
    await add(store, account)
    export, _ = await service.create(account.id, request(), ANN)
    for id, account_id in ((export.id, new_id()), (new_id(), account.id)):
        with pytest.raises(ExportNotFound):
            await service.content(account_id, id)


async def test_a_preview_changes_nothing_and_sums_by_currency(
    service: ExportService, store: Store, account: Account
) -> None:
    invoice = await add(store, account)
    draft = await service.preview(account.id, request())
    assert draft.totals == {"EUR": Decimal("129.70")}
    assert draft.content is not None
    assert (await store.invoices.get(account.id, invoice.id)) == invoice


async def test_the_next_export_begins_with_the_last_settings(
    service: ExportService, store: Store, account: Account
) -> None:
    await add(store, account)
    assert await service.last_settings(account.id, ExportFormat.DATEV) == {}
    await service.create(account.id, request(), ANN)
    assert await service.last_settings(account.id, ExportFormat.DATEV) == DATEV
    assert await service.last_settings(account.id, ExportFormat.XERO) == {}
