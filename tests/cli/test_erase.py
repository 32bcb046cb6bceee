"""Deleting on the command line: asked for first, told afterwards."""

import asyncio
import re
from pathlib import Path
from uuid import UUID

import pytest

from serve_app.domain.record import InvoiceRecord
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store
from tests.cli.command_line import UNKNOWN, Fails, attempt, run
from tests.support import queue_new


def submit(account: str, count: int = 1) -> list[InvoiceRecord]:
    """Take documents in, as the service does."""

    async def work() -> list[InvoiceRecord]:
        store, files = open_store(settings := Settings().resolved()), open_files(settings)
        records = [await queue_new(store, UUID(account)) for _ in range(count)]
        for record in records:
            await files.write(record.file_key, b"bytes")
        await store.connection.close()
        await files.close()
        return records

    return asyncio.run(work())


def documents_in(folder: Path) -> list[Path]:
    return [path for path in (folder / "data" / "files").rglob("*") if path.is_file()]


def test_an_invoice_is_deleted_with_its_file(folder: Path, account: str) -> None:
    invoice, kept = (str(record.invoice.id) for record in submit(account, 2))
    result = attempt("invoice", "delete", account, invoice, "--yes")
    assert result.exit_code == 0
    assert result.stdout == "invoices             1\nfiles                1\n"
    assert [path.name for path in documents_in(folder)] == [kept]


def test_an_invoice_is_described_and_deleted_on_a_yes_only(folder: Path, account: str) -> None:
    invoice = str(submit(account)[0].invoice.id)
    refused = attempt("invoice", "delete", account, invoice, answer="n\n")
    assert refused.exit_code == 1
    assert f"This deletes the invoice {invoice} (a.pdf, 2026-05-17, queued)." in refused.stdout
    assert len(documents_in(folder)) == 1
    assert attempt("invoice", "delete", account, invoice, answer="y\n").exit_code == 0
    assert documents_in(folder) == []


def test_nothing_is_deleted_without_an_answer(folder: Path, account: str) -> None:
    invoice = str(submit(account)[0].invoice.id)
    assert attempt("invoice", "delete", account, invoice, answer="").exit_code == 1
    assert attempt("account", "delete", account, answer="").exit_code == 1
    assert len(documents_in(folder)) == 1


def test_an_account_is_deleted_with_all_it_has(folder: Path, account: str, fails: Fails) -> None:
    submit(account, 3)
    result = attempt("account", "delete", account, "--yes")
    assert result.exit_code == 0
    counts = dict(re.findall(r"^(\w+) +(\d+)$", result.stdout, re.MULTILINE))
    assert counts == {"invoices": "3", "files": "3", "keys": "1", "accounts": "1"}
    assert documents_in(folder) == []
    assert "there is no account" in fails("key", "create", account)


def test_an_account_is_described_before_it_is_deleted(folder: Path, account: str) -> None:
    submit(account, 2)
    result = attempt("account", "delete", account, answer="no\n")
    assert result.exit_code == 1
    assert f"This deletes the account {account} (plan free, invoices: 2, keys: 1)." in result.stdout
    assert len(documents_in(folder)) == 2


def test_many_invoices_are_not_counted_one_by_one(account: str) -> None:
    submit(account, 101)
    assert "invoices: more than 100" in attempt("account", "delete", account, answer="n\n").stdout


@pytest.mark.parametrize("yes", [[], ["--yes"]])
def test_what_is_not_there_is_one_line(account: str, yes: list[str], fails: Fails) -> None:
    line = fails("invoice", "delete", account, UNKNOWN, *yes)
    assert line == f"invoices: the account has no invoice {UNKNOWN}"
    line = fails("account", "delete", UNKNOWN, *yes)
    assert line == f"invoices: there is no account {UNKNOWN}"


def test_another_accounts_invoice_is_not_deleted(folder: Path, account: str, fails: Fails) -> None:
    invoice = str(submit(account)[0].invoice.id)
    other = run("account", "create").split()[1]
    assert "the account has no invoice" in fails("invoice", "delete", other, invoice, "--yes")
    assert len(documents_in(folder)) == 1
