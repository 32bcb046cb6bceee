"""Exports on the command line."""

import hashlib
import json
from datetime import timedelta
from decimal import Decimal
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from uuid import UUID

import pytest

from serve_app.commands.stores import run_on_store
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Confidence, Extraction, Invoice
from serve_app.services.watching.ports import FolderProblem
from serve_app.settings.keys import with_keys
from serve_app.settings.reading import read_settings
from serve_app.store.base import Store
from serve_app.watched.local import LocalFolder
from serve_app.wiring.exports import build_export_rounds
from tests.cli.command_line import UNKNOWN, Fails, run
from tests.services.exports.bills import read_invoice
from tests.support import Clock
from tests.support.mails import complete_invoice


def add_ready(account: str, level: Confidence = Confidence.HIGH, number: str = "R-1") -> str:
    """The id of a new complete invoice whose values have this level."""
    read = read_invoice(level, number=number, amount=Decimal("129.70"))
    values = {name: getattr(read, name) for name in Extraction.model_fields}

    async def work(store: Store) -> Invoice:
        return await complete_invoice(store, UUID(account), Extraction.model_validate(values))

    return str(run_on_store(read_settings(), work).id)


def template_file() -> str:
    """Settings of a template, in the folder of the test."""
    columns = [{"title": name, "source": name} for name in ("number", "total")]
    Path("template.json").write_text(json.dumps({"columns": columns, "encoding": "utf-8"}))
    return "template.json"


def odoo_file() -> str:
    """What connects an account with an Odoo that nobody reaches, in the folder of the test."""
    given = {"url": "https://93.184.216.34", "database": "company", "api_key": "key"}
    Path("odoo.json").write_text(json.dumps(given))
    return "odoo.json"


def add_schedule(account: str, to: str = "in") -> str:
    """The id of a new schedule of the template, each day."""
    options = ("--every", "daily", "--hour", "6", "--settings", template_file(), "--to", to)
    return run("export", "schedule", "add", account, "template", *options).split()[0]


def run_schedule(account: str, to: str = "in") -> str:
    """The id of the export that a schedule has made by tomorrow."""
    add_schedule(account, to)
    settings = with_keys(read_settings())

    async def work(store: Store) -> UUID:
        clock = Clock(utc_now() + timedelta(days=1))
        await build_export_rounds(store, settings, clock).run_round()
        return (await store.exports.page(UUID(account), 1)).items[0].id

    return str(run_on_store(settings, work))


@pytest.fixture
def ledger(folder: Path) -> Path:
    (folder / "ledger").mkdir()
    return folder / "ledger"


def test_a_file_is_written_whole_and_once(account: str, ledger: Path) -> None:
    add_ready(account)
    doubtful = add_ready(account, Confidence.MID, "R-2")
    options = ("template", "--settings", template_file())
    preview = run("export", "preview", account, *options)
    assert preview.splitlines() == [
        "ready: 1 invoices (129.70 EUR)",
        f"not ready: {doubtful}  R-2  nobody has confirmed or approved it",
    ]
    assert list(ledger.iterdir()) == []
    made, *rest = run("export", "create", account, *options, "--to", str(ledger)).splitlines()
    assert rest == preview.splitlines()
    (file,) = ledger.iterdir()
    assert file.read_bytes() == b"number,total\r\nR-1,129.70\r\n"
    assert made.endswith(f"{file.name}  1 invoices  sha256 {hashlib.sha256(file.read_bytes()).hexdigest()}")
    # With the settings of the last export, and nothing to export.
    assert "No invoice is ready" in run("export", "create", account, "template", "--to", str(ledger))
    assert len(list(ledger.iterdir())) == 1


def test_the_file_of_an_export_is_written_again(account: str, ledger: Path) -> None:
    add_ready(account)
    run("export", "create", account, "template", "--settings", template_file(), "--to", str(ledger))
    (line,) = run("export", "list", account).splitlines()
    (file,) = ledger.iterdir()
    before = file.read_bytes()
    file.unlink()
    assert "was removed" in run("export", "documents", account, line.split()[0], "documents.zip")
    run("export", "file", account, line.split()[0], "--to", str(ledger))
    assert file.read_bytes() == before


def test_an_unlocked_invoice_is_exported_again(account: str, ledger: Path) -> None:
    invoice = add_ready(account)
    run("export", "create", account, "template", "--settings", template_file(), "--to", str(ledger))
    assert run("export", "unlock", account, invoice) == "unlocked\n"
    assert run("export", "preview", account, "template").startswith("ready: 1 invoices")


def test_a_place_that_is_not_there_is_refused_before_anything_is_exported(
    account: str, ledger: Path, fails: Fails
) -> None:
    add_ready(account)
    ledger.rmdir()
    assert "ledger" in fails(
        "export", "create", account, "template", "--settings", template_file(), "--to", str(ledger)
    )
    assert run("export", "list", account) == ""


def test_an_export_outlives_a_place_that_fails(
    account: str, ledger: Path, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise FolderProblem("no space.")

    add_ready(account)
    monkeypatch.setattr(LocalFolder, "put", fail)
    said = fails("export", "create", account, "template", "--settings", template_file(), "--to", str(ledger))
    assert "no space. The export is kept" in said
    assert "1 invoices" in run("export", "list", account)


def test_a_file_is_mailed_byte_by_byte(account: str, folder: Path, fails: Fails) -> None:
    add_ready(account)
    options = ("export", "create", account, "template", "--settings", template_file(), "--to")
    assert "no e-mail address" in fails(*options, "mailto:nobody")
    run(*options, "mailto:ledger@example.com")
    (mail,) = (folder / "data/mail").glob("*.eml")
    message = message_from_bytes(mail.read_bytes(), policy=default)
    (attached,) = message.iter_attachments()
    content = attached.get_content()
    assert content == b"number,total\r\nR-1,129.70\r\n"
    assert attached.get_filename() in message["Subject"]
    assert message["To"] == "ledger@example.com"
    body = message.get_body(("plain",))
    assert body is not None
    assert hashlib.sha256(content).hexdigest() in body.get_content()


def test_a_schedule_exports_by_itself(account: str, ledger: Path) -> None:
    add_ready(account)
    export = run_schedule(account, str(ledger))
    (file,) = ledger.iterdir()
    assert file.read_bytes() == b"number,total\r\nR-1,129.70\r\n"
    (listed,) = run("export", "list", account).splitlines()
    assert listed.startswith(export)
    assert f"to {ledger}" in listed
    assert "delivered 2" in listed
    (schedule,) = run("export", "schedule", "list", account).splitlines()
    assert f"template  daily at 6:00 UTC  {ledger}  next " in schedule
    # Asked for once more, the file replaces itself.
    assert run("export", "deliver", account, export) == "due\n"
    assert "not delivered" not in run("export", "list", account)


def test_schedules_are_paused_resumed_and_removed(account: str, ledger: Path, fails: Fails) -> None:
    schedule = add_schedule(account, str(ledger))
    assert run("export", "schedule", "pause", account, schedule) == "paused\n"
    assert "paused" in run("export", "schedule", "list", account)
    assert run("export", "schedule", "resume", account, schedule) == "resumed\n"
    assert run("export", "schedule", "remove", account, schedule) == "removed\n"
    assert run("export", "schedule", "list", account) == ""
    assert "no such schedule" in fails("export", "schedule", "pause", account, schedule)
    assert "no such account" in fails(
        "export", "schedule", "add", UNKNOWN, "template", "--settings", template_file(), "--to", str(ledger)
    )


def test_an_account_is_connected_with_a_program(account: str, ledger: Path, fails: Fails) -> None:
    assert run("export", "connect", account, "odoo", odoo_file()) == "connected\n"
    Path("odoo.json").write_text('{"url": "https://93.184.216.34"}')
    assert "api_key" in fails("export", "connect", account, "odoo", "odoo.json")
    assert "no such account" in fails("export", "connect", UNKNOWN, "odoo", odoo_file())
    assert run("export", "disconnect", account, "odoo") == "disconnected\n"
    assert "not connected" in fails("export", "disconnect", account, "odoo")


def test_bills_are_booked_later_by_the_service(account: str, folder: Path, fails: Fails) -> None:
    Path("ledger.json").write_text('{"expense_account": "4980", "tax_codes": {"19": "a", "7": "b"}}')
    options = ("--settings", "ledger.json", "--to", "odoo:")
    assert "in the format odoo" in fails("export", "create", account, "xero", *options)
    add_ready(account)
    assert "booked in the next minutes" in run("export", "create", account, "odoo", *options)
    assert "no place for files" in fails("export", "file", account, UNKNOWN, "--to", "odoo:")
    assert "not delivered to odoo:: waiting" in run("export", "list", account)


def test_what_is_wrong_is_named(account: str, ledger: Path, fails: Fails) -> None:
    to = ("--to", str(ledger))
    assert "settings.columns" in fails("export", "create", account, "template", *to)
    Path("bad.json").write_text("[]")
    assert "the settings are an object" in fails("export", "preview", account, "xero", "--settings", "bad.json")
    assert "--again needs --invoice" in fails("export", "create", account, "xero", "--again", *to)
    assert "There is no export" in fails("export", "file", account, UNKNOWN, *to)
    assert "There is no invoice" in fails("export", "unlock", account, UNKNOWN)
