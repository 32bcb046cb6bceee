"""The file of the operator's list of suppliers."""

import os
from pathlib import Path

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.errors import Unavailable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import CheckKind, Extraction
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.services.suppliers.list_file import SupplierListFile
from serve_app.store.base import Store

BAD = Extraction(vendor_name="Harbour Freight Ltd", pages=1)


async def kinds(file: SupplierListFile) -> list[CheckKind]:
    return [check.kind for check in (await file.current()).checks(BAD)]


def write(path: Path, text: str, changed_at: int) -> None:
    path.write_text(text, encoding="utf-8-sig")
    os.utime(path, (changed_at, changed_at))


async def test_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    file = SupplierListFile(path)
    assert await kinds(file) == []
    write(path, "name\nHarbour Freight\n", 1)
    assert await kinds(file) == [CheckKind.SUPPLIER_BLOCKED]
    write(path, "name\nAnother Freight\n", 2)
    assert await kinds(file) == []


async def test_damaged_or_missing_file_leaves_the_list_as_it_was(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "list.csv"
    write(path, "name\nHarbour Freight\n", 1)
    file = SupplierListFile(path)
    await kinds(file)
    write(path, "firm\nHarbour Freight\n", 2)
    assert [await kinds(file), await kinds(file)] == [[CheckKind.SUPPLIER_BLOCKED]] * 2
    path.unlink()
    assert await kinds(file) == [CheckKind.SUPPLIER_BLOCKED]
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["list of suppliers not read"] * 2


async def test_guard_asks_the_list_even_without_the_store(
    tmp_path: Path, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list.csv"
    write(path, "name\nHarbour Freight\n", 1)
    guard = SupplierGuard(store, listed=SupplierListFile(path))

    async def lost(*args: object) -> None:
        raise Unavailable

    for _ in range(2):
        (section,) = await guard.apply(account.id, new_id(), [Section(1, 1, BAD)])
        assert [check.kind for check in section.extraction.checks] == [CheckKind.SUPPLIER_BLOCKED]
        monkeypatch.setattr(store.vendors, "id_of", lost)
