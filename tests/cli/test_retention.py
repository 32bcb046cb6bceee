"""How long things are kept, and receipts, on the command line."""

import json
from pathlib import Path

import pytest

from serve_app.commands.stores import run_on_store
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Extraction
from serve_app.domain.record import InvoiceRecord
from serve_app.services.retention.archive import EventArchive
from serve_app.settings.reading import read_settings
from serve_app.store.base import Store
from serve_app.store.files.factory import open_files
from tests.cli.command_line import UNKNOWN, Fails, attempt, run
from tests.cli.test_erase import submit
from tests.support import claim_next


def test_the_rule_of_an_account(account: str, fails: Fails) -> None:
    output = run("account", "keep", account, "--days", "30", "--events", "0")
    assert output == "invoices   30 days\ndocuments  per KEEP_DOCUMENTS_DAYS\nevents     forever\n"
    output = run("account", "keep", account)
    invoices = "invoices   per KEEP_VALUES_DAYS\ndocuments  per KEEP_DOCUMENTS_DAYS\n"
    assert output == f"{invoices}events     per KEEP_EVENTS_DAYS\n"
    output = run("account", "keep", account, "--country", "DE")
    assert output.endswith("law        DE: at least 10 years (§ 147 AO)\n")
    assert "--country is one of AT" in fails("account", "keep", account, "--country", "XX")
    assert "there is no account" in fails("account", "keep", UNKNOWN, "--days", "30")


@pytest.mark.usefixtures("folder")
def test_a_receipt_shows_how_much_was_removed_and_which_backups_may_hold_it(account: str, tmp_path: Path) -> None:
    (record,) = submit(account)
    place = str(tmp_path / "backups")
    snapshot = run("backup", place, "--keep-days", "5").split()[1].rstrip(":")
    assert run("receipts") == ""
    attempt("invoice", "delete", account, str(record.invoice.id), "--yes")
    run("backup", place)
    (line,) = run("receipts", account).splitlines()
    assert line.endswith("invoice: invoices 1, files 1")
    assert "a.pdf" not in line
    output, held = run("receipts", "--backups", place).splitlines()
    assert output == line
    assert held.startswith(f"    may be in snapshot {snapshot} until ")


@pytest.mark.usefixtures("folder")
def test_what_was_archived_is_printed(account: str) -> None:
    (record,) = submit(account)
    finish_and_archive(record)
    (line,) = run("account", "archive", account).splitlines()
    assert json.loads(line)["event"]["data"]["invoice"]["id"] == str(record.invoice.id)
    assert run("account", "archive", account, "--invoice", str(record.invoice.id)) == f"{line}\n"
    assert run("account", "archive", account, "--invoice", UNKNOWN) == ""


def finish_and_archive(record: InvoiceRecord) -> None:
    async def work(store: Store) -> None:
        await store.queue.save_result(await claim_next(store), Extraction(), record.invoice.created_at)
        while (await store.outbox.spread_pending(10)).invoices:
            pass
        files = open_files(read_settings())
        await EventArchive(store, files).move(record.account_id, utc_now())
        await files.close()

    run_on_store(read_settings(), work)
