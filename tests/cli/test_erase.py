"""Deleting on the command line: asked for first, told afterwards."""

import asyncio
import re
import sys
from pathlib import Path
from uuid import UUID

import pytest
from typer.testing import CliRunner, Result

from serve_app import cli
from serve_app.domain.record import InvoiceRecord
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store
from tests.support import queue_new

UNKNOWN = "00000000-0000-7000-8000-000000000000"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own data folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("FILES_URL", raising=False)
    return tmp_path


@pytest.fixture
def account() -> str:
    return run("account", "create").stdout.split()[1]


def run(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(cli.app, arguments, input=answer, catch_exceptions=False)


def fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a command that fails writes to stderr."""
    monkeypatch.setattr(sys, "argv", ["invoices", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


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
    result = run("invoice", "delete", account, invoice, "--yes")
    assert result.exit_code == 0
    assert result.stdout == "invoices           1\nfiles              1\n"
    assert [path.name for path in documents_in(folder)] == [kept]


def test_an_invoice_is_described_and_deleted_on_a_yes_only(folder: Path, account: str) -> None:
    invoice = str(submit(account)[0].invoice.id)
    refused = run("invoice", "delete", account, invoice, answer="n\n")
    assert refused.exit_code == 1
    assert f"This deletes the invoice {invoice} (a.pdf, 2026-05-17, queued)." in refused.stdout
    assert len(documents_in(folder)) == 1
    assert run("invoice", "delete", account, invoice, answer="y\n").exit_code == 0
    assert documents_in(folder) == []


def test_nothing_is_deleted_without_an_answer(folder: Path, account: str) -> None:
    invoice = str(submit(account)[0].invoice.id)
    assert run("invoice", "delete", account, invoice, answer="").exit_code == 1
    assert run("account", "delete", account, answer="").exit_code == 1
    assert len(documents_in(folder)) == 1


def test_an_account_is_deleted_with_all_it_has(
    folder: Path, account: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    submit(account, 3)
    result = run("account", "delete", account, "--yes")
    assert result.exit_code == 0
    counts = dict(re.findall(r"^(\w+) +(\d+)$", result.stdout, re.MULTILINE))
    assert counts == {"invoices": "3", "files": "3", "keys": "1", "accounts": "1"}
    assert documents_in(folder) == []
    assert "there is no account" in fails(monkeypatch, capsys, "key", "create", account)


def test_an_account_is_described_before_it_is_deleted(folder: Path, account: str) -> None:
    submit(account, 2)
    result = run("account", "delete", account, answer="no\n")
    assert result.exit_code == 1
    assert f"This deletes the account {account} (plan free, invoices: 2, keys: 1)." in result.stdout
    assert len(documents_in(folder)) == 2


def test_many_invoices_are_not_counted_one_by_one(account: str) -> None:
    submit(account, 101)
    assert "invoices: more than 100" in run("account", "delete", account, answer="n\n").stdout


@pytest.mark.parametrize("yes", [[], ["--yes"]])
def test_what_is_not_there_is_one_line(
    account: str, yes: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = fails(monkeypatch, capsys, "invoice", "delete", account, UNKNOWN, *yes)
    assert line == f"invoices: the account has no invoice {UNKNOWN}"
    line = fails(monkeypatch, capsys, "account", "delete", UNKNOWN, *yes)
    assert line == f"invoices: there is no account {UNKNOWN}"


def test_another_accounts_invoice_is_not_deleted(
    folder: Path, account: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    invoice = str(submit(account)[0].invoice.id)
    other = run("account", "create").stdout.split()[1]
    assert "the account has no invoice" in fails(monkeypatch, capsys, "invoice", "delete", other, invoice, "--yes")
    assert len(documents_in(folder)) == 1
